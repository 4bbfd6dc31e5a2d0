/** The life of a task: the only writer of its status. */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import type { Point } from '../../../core/geometry.ts'
import { plays } from '../../../core/scenario.ts'
import { positionAt, travelSeconds } from '../../../core/travel.ts'
import type { World } from '../../../core/world.ts'
import { appendEvents } from '../../../store/events.ts'
import { findNext, schedule, type TimelineEvent, unschedule } from '../../../store/timeline.ts'
import { giveUp, release, startEarly, unreserve } from '../../dispatch/life.ts'
import { refundPayment, settlePayment, settleRefund } from '../../payments/life.ts'
import { checkRules, isSatisfied, judgeItem, type RequirementCheck } from '../rules/evidence.ts'
import { TASK_FAILURE_REASONS, type TaskFailureReason } from '../rules/task.ts'
import { canMoveTask, isTaskOver, type TaskCancelReason, type TaskStatus } from '../states.ts'
import type { TaskerRecord } from '../store/taskers.ts'
import {
  type EvidenceRecord,
  listEvidence,
  lockTask,
  type TaskDoc,
  type TaskRecord,
  updateEvidence,
  updateTask,
} from '../store/tasks.ts'
import { captureEvidence } from './evidence.ts'
import { reserveTasker } from './staff.ts'
import { searchEnds, type TaskStep, whatFollows } from './timeline.ts'

const SECOND = 1000

/** Applies what the timeline planned; gives when the next thing is due. A plan that no longer fits is dropped silently. */
export async function applyTaskEvent(
  tx: Tx,
  world: World,
  event: TimelineEvent,
  now = event.due_at,
): Promise<number | undefined> {
  const task = await lockTask(tx, event.resource_id)
  if (task === undefined) return undefined
  const at = Math.max(now, task.updated_at)
  if (event.event === 'payment_settles') await settlePayment(tx, world, at, task.task_id)
  else if (event.event === 'refund_settles') await settleRefund(tx, world, at, task.task_id)
  else await takeStep(tx, world, task, event.event as TaskStep, at)
  return (await findNext(tx, task.task_id))?.due_at
}

/** The customer takes it back, and gets everything back. Throws `not_cancellable` once the work has begun. */
export async function cancelTask(
  tx: Tx,
  world: World,
  now: number,
  task: TaskRecord,
  { reason_code, note }: { reason_code: TaskCancelReason; note: string | null },
): Promise<void> {
  if (!isTaskCancellable(task)) {
    throw new AppError('not_cancellable', `The task is ${task.status} and can no longer be cancelled.`, {
      extra: { current_status: task.status, resource_id: task.task_id },
    })
  }
  const at = Math.max(now, task.updated_at)
  task.doc.cancellation = { by: 'customer', reason_code, note, at }
  await unschedule(tx, task.task_id)
  await goHome(tx, task, at)
  const from = enter(task, 'cancelled', { at, by: 'customer', reason: reason_code })
  await updateTask(tx, task)
  await tell(tx, world, task, { from, at, by: 'customer', reason: reason_code })
  await giveBack(tx, world, task, at, reason_code)
}

export function isTaskCancellable({ status }: Pick<TaskRecord, 'status'>): boolean {
  return canMoveTask(status, 'cancelled')
}

/** Puts on the timeline what comes next for a task in the state that it is in since `at`. */
export async function planTask(
  tx: Tx,
  { seed }: World,
  task: TaskRecord,
  at: number,
  next = whatFollows(seed, task, at),
): Promise<void> {
  if (next === undefined) return
  await schedule(tx, at, [
    {
      due_at: next.due_at,
      kind: 'task',
      resource_id: task.task_id,
      owner_id: task.account_id,
      event: next.event,
      payload: {},
    },
  ])
}

async function takeStep(tx: Tx, world: World, task: TaskRecord, step: TaskStep, at: number): Promise<void> {
  if (!STEPS[step].from.includes(task.status)) return
  const { to, by, reason, next } = await STEPS[step].take({ tx, world, task, at })
  const from = to === undefined ? undefined : enter(task, to, { at, by, reason })
  if (isTaskOver(task.status)) await goHome(tx, task, at)
  task.updated_at = at
  await updateTask(tx, task)
  await planTask(tx, world, task, at, next)
  if (from !== undefined) await tell(tx, world, task, { from, at, by, reason })
  if (to === 'unfulfilled' || to === 'failed') await giveBack(tx, world, task, at, reason ?? to)
}

type Effect = { tx: Tx; world: World; task: TaskRecord; at: number }
type Outcome = {
  /** Left out where the status stays. */
  to?: TaskStatus
  by: TaskDoc['history'][number]['by']
  reason?: string
  /** What follows instead of the usual. */
  next?: { event: TaskStep; due_at: number }
}
type Step = { from: readonly TaskStatus[]; take: (effect: Effect) => Promise<Outcome> | Outcome }

const STEPS: Readonly<Record<TaskStep, Step>> = {
  assigned: { from: ['created'], take: assign },
  unfulfilled: {
    from: ['created'],
    take: () => ({ to: 'unfulfilled', by: 'system', reason: 'no_qualified_provider' }),
  },
  en_route: {
    from: ['assigned'],
    take: setOff,
  },
  dropped: {
    from: ['assigned', 'en_route'],
    async take({ tx, world, task, at }) {
      const { doc } = task
      doc.given_up_by = [...(doc.given_up_by ?? []), task.tasker_id ?? '']
      await goHome(tx, task, at, giveUp)
      task.tasker_id = null
      doc.provider = null
      doc.leg = null
      doc.eta_at = null
      doc.assigned_at = null
      doc.drops += 1
      await seekTasker(tx, world, task, at)
      return { to: 'created', by: 'provider', reason: 'provider_unassigned' }
    },
  },
  in_progress: {
    from: ['en_route'],
    take({ task: { doc }, at }) {
      doc.started_at = at
      doc.eta_at = null
      doc.todo = doc.evidence_rules.flatMap(({ requirement_id, min_count }) =>
        Array.from({ length: min_count }, () => requirement_id),
      )
      return { to: 'in_progress', by: 'provider' }
    },
  },
  captured: { from: ['in_progress'], take: capture },
  under_review: { from: ['in_progress'], take: () => ({ to: 'under_review', by: 'provider' }) },
  verdict: { from: ['under_review'], take: judge },
  failed: {
    from: ['in_progress', 'under_review'],
    take({ task }) {
      const told = task.doc.scenario?.options['reason']
      const reason = TASK_FAILURE_REASONS.find((each) => each === told) ?? 'access_denied'
      return fail(task, reason, 'provider')
    },
  },
}

/** Looks for a tasker, and takes the time of the one who can be there first. */
export async function seekTasker(tx: Tx, world: World, task: TaskRecord, at: number): Promise<void> {
  const found = plays(task, 'no_provider') ? undefined : await reserveTasker(tx, world, task, at)
  task.doc.reserved = found ?? null
}

async function assign({ tx, world, task, at }: Effect): Promise<Outcome> {
  const { doc } = task
  // Nobody sets off in the past.
  if (!doc.reserved || doc.reserved.starts_at < at) {
    await unreserve(tx, task.task_id)
    await seekTasker(tx, world, task, at)
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
async function setOff({ tx, world, task, at }: Effect): Promise<Outcome> {
  const { doc, task_id } = task
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
async function goHome(tx: Tx, { task_id, doc }: TaskRecord, at: number, name = release): Promise<void> {
  const { provider, leg, started_at, place } = doc
  if (provider === null) return unreserve(tx, task_id)
  const here = started_at === null ? leg && positionAt(leg, at) : place.location
  const free = here === null ? at : at + wayHome(provider, here)
  await name(tx, task_id, free, provider.home)
}

/** Milliseconds between a tasker's home and a point. */
function wayHome({ home, vehicle_type }: TaskerRecord, point: Point): number {
  return travelSeconds(home, point, vehicle_type) * SECOND
}

async function capture({ tx, world, task, at }: Effect): Promise<Outcome> {
  const { doc } = task
  const wanted = doc.todo.shift()
  const rule = doc.evidence_rules.find(({ requirement_id }) => requirement_id === wanted)
  if (rule !== undefined) await captureEvidence(tx, world, task, rule, at)
  return { by: 'provider' }
}

/** The system's verdict: what is rejected is captured again, once. */
async function judge({ tx, task, at }: Effect): Promise<Outcome> {
  const { doc } = task
  const records = await reviewAll(tx, task)
  const checks = checkRules(
    doc.evidence_rules,
    records.map(({ item }) => item),
  )
  if (isSatisfied(checks)) {
    doc.completed_at = at
    doc.result = { outcome: 'success', failure_reason: null, notes: null }
    return { to: 'completed', by: 'system' }
  }
  if (doc.pass > 1) return fail(task, 'evidence_rejected', 'system')
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

/** What each requirement still lacks, as entries of `todo`. */
function missing(checks: readonly RequirementCheck[], records: readonly EvidenceRecord[]): string[] {
  return checks.flatMap(({ requirement_id, required }) => {
    const accepted = records.filter(
      ({ item }) => item.requirement_id === requirement_id && item.status === 'accepted',
    )
    return Array.from({ length: Math.max(0, required - accepted.length) }, () => requirement_id)
  })
}

function fail({ doc }: TaskRecord, reason: TaskFailureReason, by: 'provider' | 'system'): Outcome {
  doc.result = { outcome: 'failed', failure_reason: reason, notes: null }
  doc.todo = []
  return { to: 'failed', by, reason }
}

/** Everything, but for a task that failed the call-out. */
async function giveBack(tx: Tx, world: World, task: TaskRecord, at: number, reason: string): Promise<void> {
  const { price, callout_fee } = task.doc
  const kept = task.status === 'failed' ? callout_fee.amount : 0
  await refundPayment(tx, world, at, task.task_id, {
    to: 'original',
    reason,
    amount: { ...price, amount: price.amount - kept },
    kind: 'task',
    counterpartyId: null,
  })
}

/** Moves the task; gives where it was. */
function enter(
  task: TaskRecord,
  to: TaskStatus,
  { at, by, reason }: { at: number; by: Outcome['by']; reason?: string | undefined },
): TaskStatus {
  const { status: from, doc } = task
  if (!canMoveTask(from, to)) throw new Error(`a task that is ${from} cannot become ${to}`)
  task.status = to
  task.updated_at = at
  doc.history.push({ status: to, at, by, reason: reason ?? null })
  if (isTaskOver(to)) doc.eta_at = null
  return from
}

async function tell(
  tx: Tx,
  world: World,
  { task_id, account_id, status, task_type, tasker_id }: TaskRecord,
  { from, at, by, reason }: { from: TaskStatus; at: number; by: string; reason?: string | undefined },
): Promise<void> {
  await appendEvents(tx, world, at, [
    {
      type: `task.${status}`,
      resource_id: task_id,
      owner_id: account_id,
      occurred_at: at,
      from,
      to: status,
      by,
      data: { task_type, provider_id: tasker_id, ...(reason !== undefined && { reason }) },
    },
  ])
}
