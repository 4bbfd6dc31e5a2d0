/** The next event of a task, and when it is due, without interference. Pure. */
import { jitter } from '../../../core/hash.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { midway } from '../../../core/time.ts'
import type { TaskRecord } from '../queries/tasks.ts'
import type { TaskStatus } from '../states.ts'
import { PACE } from './staff.ts'

/** The events that may be planned for a task. The last two are planned where money moves. */
export type TaskStep =
  | 'assigned'
  | 'unfulfilled'
  | 'en_route'
  | 'dropped'
  | 'in_progress'
  | 'captured'
  | 'failed'
  | 'under_review'
  | 'verdict'
  | 'payment_settles'
  | 'refund_settles'

const SECOND = 1000
/** How long the search for a tasker lasts (docs/rules/tasks.md#a-task-can-be-cancelled-until-work-starts). */
const SEARCH_MS = 7_200 * SECOND

type Part = 'offer' | 'capture' | 'submit' | 'verdict'

/** Seconds of one part of a task, the same whenever they are requested. */
function sampleTaskSeconds(seed: string, { ordinal, doc }: TaskRecord, part: Part): number {
  const seconds: Readonly<Record<Part, number>> = {
    offer: doc.urgency === 'express' ? PACE.assigned_express : PACE.assigned,
    capture: PACE.item,
    submit: PACE.submit,
    verdict: PACE.verdict,
  }
  const step = part === 'capture' ? doc.sequence : doc.history.length
  return jitter(seconds[part], seed, ['task', ordinal, step, part])
}

/** Returns the time at which the search of a task ends that began at `at`. */
export function searchEnds({ doc }: TaskRecord, at: number): number {
  return Math.max(at, Math.min(doc.window.ends_at, at + SEARCH_MS))
}

/** Returns the time at which the tasker who was assigned sets off, never before `at`. */
function setsOffAt({ doc }: TaskRecord, at: number): number {
  return Math.max(at, doc.reserved?.starts_at ?? at)
}

type NextTaskEvent = { event: TaskStep; due_at: number }
type Now = { seed: string; task: TaskRecord; at: number; after: (part: Part) => number }

/** Returns the event that follows the state a task is in since `at` (milliseconds); undefined when it has ended. */
export function nextTaskEvent(seed: string, task: TaskRecord, at: number): NextTaskEvent | undefined {
  const after = (part: Part): number => at + sampleTaskSeconds(seed, task, part) * SECOND
  return FOLLOWS[task.status]?.({ seed, task, at, after })
}

const FOLLOWS: Readonly<Partial<Record<TaskStatus, (now: Now) => NextTaskEvent>>> = {
  created: ({ task, at, after }) =>
    hasScenario(task, 'no_provider')
      ? { event: 'unfulfilled', due_at: searchEnds(task, at) }
      : { event: 'assigned', due_at: after('offer') },
  assigned({ task, at }) {
    const due_at = setsOffAt(task, at)
    return dropsAt(task) === 'assigned'
      ? { event: 'dropped', due_at: midway(at, due_at) }
      : { event: 'en_route', due_at }
  },
  en_route({ task, at }) {
    const arrival = Math.max(task.doc.leg?.ends_at ?? at, task.doc.window.starts_at)
    return dropsAt(task) === 'en_route'
      ? { event: 'dropped', due_at: midway(at, arrival) }
      : { event: 'in_progress', due_at: arrival }
  },
  in_progress({ task, after }) {
    if (hasScenario(task, 'task_fails') && task.doc.sequence > 0)
      return { event: 'failed', due_at: after('capture') }
    return task.doc.todo.length > 0
      ? { event: 'captured', due_at: Math.max(after('capture'), workedUntil(task)) }
      : { event: 'under_review', due_at: Math.max(after('submit'), workedUntil(task)) }
  },
  under_review: ({ after }) => ({ event: 'verdict', due_at: after('verdict') }),
}

/** The part of the work that is done when the next item is captured: the first one at its beginning, the last one at its end. */
function workedUntil({ doc }: TaskRecord): number {
  const { started_at, work_minutes = 0, todo, pass, sequence } = doc
  if (started_at === null || pass > 1) return 0
  const others = sequence + todo.length - 1
  const share = todo.length <= 1 || others === 0 ? 1 : sequence / others
  return started_at + Math.round(work_minutes * 60 * share) * SECOND
}

/** Returns the place where the provider of this scenario gives it back, the first time. */
function dropsAt(task: TaskRecord): string | undefined {
  if (!hasScenario(task, 'provider_cancels') || task.doc.drops > 0) return undefined
  return task.doc.scenario?.options['at'] ?? 'assigned'
}
