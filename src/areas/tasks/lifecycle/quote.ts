/** The price of a task, and whether a tasker could be sent. Changes nothing. */
import type { Tx } from '../../../core/db.ts'
import { AppError, type FieldErrorCode } from '../../../core/errors.ts'
import { roadDistanceMetres } from '../../../core/geometry.ts'
import type { Place, ResolvedPlace } from '../../../core/places/place.ts'
import { isPointServed } from '../../../core/places/service-area.ts'
import { locatePlace } from '../../../core/places/words.ts'
import { describeServiceClock, describePastTime, type TimeWindow } from '../../../core/time.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { findTaskType, type TaskTypeRecord } from '../queries/taskers.ts'
import type { TaskQuoteDoc } from '../queries/tasks.ts'
import { type EvidenceRuleChange, tightenEvidenceRules } from '../rules/evidence-rules.ts'
import { countQuestions, priceTask } from '../rules/price.ts'
import { askedMinutes, type Urgency } from '../rules/task.ts'
import { findTaskerSlot, inTime, listQualified, type TaskJob } from './staff.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const MIN_WINDOW_MS = 30 * MINUTE
const WINDOW_AHEAD_MS = 30 * DAY

export type TaskQuoteRequest = {
  place: Place
  /** Undefined: the next 24 hours. */
  window: TimeWindow | undefined
  urgency: Urgency
  /** Checked against the type's schema already. */
  requirements: Record<string, unknown> | null
  evidence_rules: EvidenceRuleChange[]
  estimated_minutes: number | null
}

export async function loadTaskType(tx: Tx, taskType: string): Promise<TaskTypeRecord> {
  const type = await findTaskType(tx, taskType)
  if (type !== undefined) return type
  throw new AppError('task_type_not_found', `No task type ${taskType.slice(0, 60)}.`, {
    extra: { operations: ['list_task_types'] },
    hint: 'list_task_types lists the task types.',
  })
}

/** Prices a request as of `now`, or throws the first reason why it could not be done. */
export async function priceTaskRequest(
  scene: ChangeContext,
  type: TaskTypeRecord,
  request: TaskQuoteRequest,
): Promise<TaskQuoteDoc> {
  const { tx, at: now } = scene
  const { doc } = type
  const place = findSite(request.place)
  const window = request.window ?? { starts_at: now, ends_at: now + DAY }
  assertWindow(window, now)
  const rules = tightenEvidenceRules(doc.evidence, request.evidence_rules)
  const minutes = askedMinutes(request.requirements, request.estimated_minutes)
  const { urgency } = request
  const job: TaskJob = { point: place.location, window, rules, minutes: minutes ?? 0, urgency }
  const qualified = await listQualified(tx, type, place.location)
  const [nearest] = qualified
  if (nearest === undefined) throw nobody(type)
  if (inTime(qualified, job, now).length === 0) {
    throw refuseWindow('out_of_range', 'window is too short for anybody to be there and be done in')
  }
  const slot = await findTaskerSlot(scene, qualified, job)
  if (slot === undefined) throw busy(type)
  const price = priceTask({
    base_price: doc.base_price,
    included_photos: doc.included_photos,
    typical_duration_minutes: doc.typical_duration_minutes,
    questions: countQuestions(doc.evidence),
    rules,
    urgency: request.urgency,
    estimated_minutes: minutes,
    road_distance_m: roadDistanceMetres(nearest.home, place.location),
  })
  return {
    ...price,
    task_type: type.task_type,
    task_name: doc.name,
    place,
    window,
    urgency: request.urgency,
    estimated_minutes: minutes,
    requirements: request.requirements,
    evidence_rules: rules,
    qualified_provider_count: qualified.length,
    earliest_start_at: slot.arrives_at,
  }
}

/** Throws `no_qualified_provider` unless a qualified tasker could still be there in time. */
export async function assertStaffed(scene: ChangeContext, type: TaskTypeRecord, job: TaskJob): Promise<void> {
  const { tx, at: now } = scene
  const qualified = await listQualified(tx, type, job.point)
  if (inTime(qualified, job, now).length === 0) throw nobody(type)
  if ((await findTaskerSlot(scene, qualified, job)) === undefined) throw busy(type)
}

export function busy({ doc }: TaskTypeRecord): AppError {
  return new AppError('no_qualified_provider', `All taskers for “${doc.name}” are busy in that window.`, {
    hint: 'Try again later, or choose a later or longer window.',
  })
}

function nobody({ doc }: TaskTypeRecord): AppError {
  return new AppError('no_qualified_provider', `No tasker for “${doc.name}” is near enough now.`, {
    extra: { operations: ['list_task_types'] },
    hint: 'list_task_types with latitude and longitude lists the task types available there.',
  })
}

function findSite(place: Place): ResolvedPlace {
  const site = locatePlace(place, '/place')
  if (isPointServed(site.location)) return site
  throw new AppError('outside_service_area', `${site.name} is outside London, where tasks are done.`, {
    errors: [{ pointer: '/place', code: 'out_of_range', detail: 'place must be in London' }],
  })
}

function assertWindow({ starts_at, ends_at }: TimeWindow, now: number): void {
  if (ends_at <= starts_at) throw refuseWindow('out_of_range', 'window must end after it starts', '/ends_at')
  if (ends_at <= now) throw refuseWindow('out_of_range', describePastTime('window', now), '/ends_at')
  if (ends_at - Math.max(starts_at, now) < MIN_WINDOW_MS) {
    throw refuseWindow(
      'out_of_range',
      `window must have 30 minutes left: ${describeServiceClock(now)}`,
      '/ends_at',
    )
  }
  if (ends_at > now + WINDOW_AHEAD_MS)
    throw refuseWindow(
      'out_of_range',
      `window must end within the next 30 days: ${describeServiceClock(now)}`,
      '/ends_at',
    )
}

function refuseWindow(code: FieldErrorCode, detail: string, member = ''): AppError {
  return new AppError('window_invalid', `${detail}.`, {
    errors: [{ pointer: `/window${member}`, code, detail }],
  })
}
