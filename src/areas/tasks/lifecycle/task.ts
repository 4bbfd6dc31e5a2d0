/** The lifecycle of a task: the only writer of its status. */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import type { Point } from '../../../core/geometry.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { computeLastPosition, travelSeconds } from '../../../core/travel.ts'
import {
  defineLifecycle,
  type Lifecycle,
  type Transition,
  clampToLastUpdate,
  type ChangeContext,
  type Steps,
} from '../../../db/lifecycle.ts'
import { releaseJob, releaseWorker, startEarly, releaseAssignment } from '../../dispatch/lifecycle.ts'
import { refundPayment, settleUnpaidPayment, settleRefund } from '../../payments/lifecycle/payment.ts'
import type { TaskerRecord } from '../queries/taskers.ts'
import {
  type EvidenceRecord,
  listEvidence,
  lockTask,
  lockTasks,
  type TaskDoc,
  type TaskRecord,
  updateEvidence,
  updateTask,
} from '../queries/tasks.ts'
import {
  checkEvidenceRules,
  isEvidenceSatisfied,
  judgeItem,
  type RequirementCheck,
} from '../rules/evidence.ts'
import { TASK_FAILURE_REASONS, type TaskFailureReason } from '../rules/task.ts'
import { canMoveTask, isTaskOver, TASK_STATUSES, type TaskCancelReason, type TaskStatus } from '../states.ts'
import { captureEvidence } from './evidence.ts'
import { reserveTasker } from './staff.ts'
import { searchEnds, type TaskStep, nextTaskEvent } from './timeline.ts'

const SECOND = 1000

/** The customer takes it back, and gets everything back. Throws `not_cancellable` once the work has begun. */
export async function cancelTaskRecord(
  given: ChangeContext,
  task: TaskRecord,
  { reason_code, note }: { reason_code: TaskCancelReason; note: string | null },
): Promise<void> {
  if (!isTaskCancellable(task)) {
    throw new AppError('not_cancellable', `The task is ${task.status} and can no longer be cancelled.`, {
      extra: { current_status: task.status, resource_id: task.task_id },
    })
  }
  const scene = clampToLastUpdate(given, task)
  const by = 'customer'
  task.doc.cancellation = { by, reason_code, note, at: scene.at }
  await TASK_LIFECYCLE.transition(scene, task, { to: 'cancelled', by, reason: reason_code })
}

export function isTaskCancellable({ status }: Pick<TaskRecord, 'status'>): boolean {
  return canMoveTask(status, 'cancelled')
}

type TaskActor = TaskDoc['history'][number]['by']
type TaskMove = Transition<TaskStatus, TaskActor, TaskStep>

const STEPS: Steps<TaskRecord, TaskStatus, TaskActor, TaskStep> = {
  assigned: { from: ['created'], apply: assign },
  unfulfilled: {
    from: ['created'],
    apply: () => ({ to: 'unfulfilled', by: 'system', reason: 'no_qualified_provider' }),
  },
  en_route: {
    from: ['assigned'],
    apply: setOff,
  },
  dropped: {
    from: ['assigned', 'en_route'],
    async apply(scene, task) {
      const { doc } = task
      doc.given_up_by = [...(doc.given_up_by ?? []), task.tasker_id ?? '']
      await goHome(scene, task, releaseJob)
      task.tasker_id = null
      doc.provider = null
      doc.leg = null
      doc.eta_at = null
      doc.assigned_at = null
      doc.drops += 1
      await seekTasker(scene, task)
      return { to: 'created', by: 'provider', reason: 'provider_unassigned' }
    },
  },
  in_progress: {
    from: ['en_route'],
    apply({ at }, { doc }) {
      doc.started_at = at
      doc.eta_at = null
      doc.todo = doc.evidence_rules.flatMap(({ requirement_id, min_count }) =>
        Array.from({ length: min_count }, () => requirement_id),
      )
      return { to: 'in_progress', by: 'provider' }
    },
  },
  captured: { from: ['in_progress'], apply: capture },
  under_review: { from: ['in_progress'], apply: () => ({ to: 'under_review', by: 'provider' }) },
  verdict: { from: ['under_review'], apply: judge },
  failed: {
    from: ['in_progress', 'under_review'],
    apply(_, { doc }) {
      const told = doc.scenario?.options['reason']
      const reason = TASK_FAILURE_REASONS.find((each) => each === told) ?? 'access_denied'
      return fail(doc, reason, 'provider')
    },
  },
  payment_settles: {
    from: TASK_STATUSES,
    async apply({ tx, world, at }, { task_id }) {
      await settleUnpaidPayment({ tx, world, at }, task_id)
      return undefined
    },
  },
  refund_settles: {
    from: TASK_STATUSES,
    async apply({ tx, world, at }, { task_id }) {
      await settleRefund(tx, world, at, task_id)
      return undefined
    },
  },
}

export const TASK_LIFECYCLE: Lifecycle<TaskRecord, TaskStatus, TaskActor, TaskStep> = defineLifecycle({
  kind: 'task',
  name: 'task',
  lock: lockTask,
  lockMany: lockTasks,
  write: updateTask,
  audience: ({ task_id, account_id }) => ({ resource_id: task_id, owner_id: account_id }),
  canMove: canMoveTask,
  steps: STEPS,
  async enter(scene, task, entry) {
    task.doc.history.push(entry)
    if (!isTaskOver(entry.status)) return
    task.doc.eta_at = null
    await goHome(scene, task)
  },
  cancelsSchedule: (status) => status === 'cancelled',
  next: ({ world, at }, task) => nextTaskEvent(world.seed, task, at),
  data: ({ task_type, tasker_id }) => ({ task_type, provider_id: tasker_id }),
  afterTransition: { unfulfilled: refundTask, failed: refundTask, cancelled: refundTask },
})

/** Looks for a tasker, and takes the time of the one who can be there first. */
export async function seekTasker({ tx, world, at }: ChangeContext, task: TaskRecord): Promise<void> {
  const found = hasScenario(task, 'no_provider') ? undefined : await reserveTasker(tx, world, task, at)
  task.doc.reserved = found ?? null
}

async function assign(scene: ChangeContext, task: TaskRecord): Promise<TaskMove> {
  const { tx, at } = scene
  const { doc } = task
  // A reservation is void after its start: a tasker cannot set off in the past.
  if (!doc.reserved || doc.reserved.starts_at < at) {
    await releaseAssignment(tx, task.task_id)
    await seekTasker(scene, task)
  }
  if (!doc.reserved) return { by: 'system', next: { event: 'unfulfilled', due_at: searchEnds(task, at) } }
  const { tasker, arrives_at } = doc.reserved
  task.tasker_id = tasker.tasker_id
  doc.provider = tasker
  doc.assigned_at = at
  doc.eta_at = arrives_at
  return { to: 'assigned', by: 'provider' }
}

/** Sets off from home. Throws `invalid_state` where it is made to happen while the tasker is busy elsewhere. */
async function setOff({ tx, world, at }: ChangeContext, { doc, task_id }: TaskRecord): Promise<TaskMove> {
  const { provider, reserved, place, window } = doc
  const planned = reserved?.starts_at ?? at
  if (world.supply !== 'unlimited' && at < planned && !(await startEarly(tx, task_id, at)))
    throw new AppError('invalid_state', `${provider?.name ?? 'The tasker'} is busy elsewhere until then.`)
  const way = provider === null ? 0 : wayHome(provider, place.location)
  const ends_at = at <= planned ? at + way : Math.max(at, reserved?.arrives_at ?? at)
  doc.leg = { from: provider?.home ?? place.location, to: place.location, starts_at: at, ends_at }
  doc.eta_at = Math.max(ends_at, window.starts_at)
  return { to: 'en_route', by: 'provider' }
}

/** The tasker goes home from where the task leaves off, and is free there. */
async function goHome(
  { tx, at }: ChangeContext,
  { task_id, doc }: TaskRecord,
  name = releaseWorker,
): Promise<void> {
  const { provider, leg, started_at, place } = doc
  if (provider === null) return releaseAssignment(tx, task_id)
  const here = started_at === null ? leg && computeLastPosition(leg, at) : place.location
  const free = here === null ? at : at + wayHome(provider, here)
  await name(tx, task_id, free, provider.home)
}

/** Milliseconds between a tasker's home and a point. */
function wayHome({ home, vehicle_type }: TaskerRecord, point: Point): number {
  return travelSeconds(home, point, vehicle_type) * SECOND
}

async function capture(scene: ChangeContext, task: TaskRecord): Promise<TaskMove> {
  const { doc } = task
  const wanted = doc.todo.shift()
  const rule = doc.evidence_rules.find(({ requirement_id }) => requirement_id === wanted)
  if (rule !== undefined) await captureEvidence(scene, task, rule)
  return { by: 'provider' }
}

/** The system's verdict: what is rejected is captured again, once (docs/rules/tasks.md#rejected-evidence-is-taken-again-once). */
async function judge({ tx, at }: ChangeContext, task: TaskRecord): Promise<TaskMove> {
  const { doc } = task
  const records = await reviewAll(tx, task)
  const checks = checkEvidenceRules(
    doc.evidence_rules,
    records.map(({ item }) => item),
  )
  if (isEvidenceSatisfied(checks)) {
    doc.completed_at = at
    doc.result = { outcome: 'success', failure_reason: null, notes: null }
    return { to: 'completed', by: 'system' }
  }
  if (doc.pass > 1) return fail(doc, 'evidence_rejected', 'system')
  doc.pass += 1
  doc.todo = missing(checks, records)
  const [reason] = records.flatMap(({ item }) => item.rejection_reason ?? [])
  return { to: 'in_progress', by: 'system', ...(reason !== undefined && { reason }) }
}

/** Accepts or rejects what waits for it. */
async function reviewAll(tx: Tx, { task_id, doc }: TaskRecord): Promise<EvidenceRecord[]> {
  const records = await listEvidence(tx, task_id)
  const work = { target: doc.place.location, started_at: doc.started_at ?? 0, window: doc.window }
  for (const record of records) {
    const { item, flaw } = record
    const rule = doc.evidence_rules.find(({ requirement_id }) => requirement_id === item.requirement_id)
    if (item.status !== 'pending_review' || rule === undefined) continue
    const reason = judgeItem(item, rule, work, flaw)
    item.status = reason === null ? 'accepted' : 'rejected'
    item.rejection_reason = reason
    await updateEvidence(tx, record)
  }
  return records
}

/** Returns the items that each requirement still lacks, as entries of `todo`. */
function missing(checks: readonly RequirementCheck[], records: readonly EvidenceRecord[]): string[] {
  return checks.flatMap(({ requirement_id, required }) => {
    const accepted = records.filter(
      ({ item }) => item.requirement_id === requirement_id && item.status === 'accepted',
    )
    return Array.from({ length: Math.max(0, required - accepted.length) }, () => requirement_id)
  })
}

function fail(doc: TaskDoc, reason: TaskFailureReason, by: 'provider' | 'system'): TaskMove {
  doc.result = { outcome: 'failed', failure_reason: reason, notes: null }
  doc.todo = []
  return { to: 'failed', by, reason }
}

/** Everything goes back, but for a task that failed the call-out. */
async function refundTask(
  scene: ChangeContext,
  { task_id, status, doc }: TaskRecord,
  { reason = status }: TaskMove,
): Promise<void> {
  const { price, callout_fee } = doc
  const kept = status === 'failed' ? callout_fee.amount : 0
  await refundPayment(scene, task_id, {
    to: 'original',
    reason,
    amount: { ...price, amount: price.amount - kept },
    kind: 'task',
    counterpartyId: null,
  })
}
