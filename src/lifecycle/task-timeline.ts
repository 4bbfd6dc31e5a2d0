/** What happens to a task next, and when, if nobody interferes (`contract.md` D). Pure. */
import { travelSeconds } from '../domain/courier.ts'
import { jitter } from '../domain/hash.ts'
import type { TaskStatus } from '../domain/task-states.ts'
import { midway } from '../domain/time.ts'
import type { TaskRecord } from '../store/tasks.ts'
import { plays } from './scenario.ts'
import { PACE } from './task-staff.ts'

/** What the timeline may plan for a task. */
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

const SECOND = 1000
const REVIEW_S = 30
const VERDICT_S = 60
/** How long somebody is looked for. */
const SEARCH_MS = 7_200 * SECOND

type Part = 'offer' | 'set_off' | 'travel' | 'capture' | 'submit' | 'verdict'

/** Seconds of one part of a task, the same whenever they are asked for. */
export function secondsOf(seed: string, { ordinal, doc }: TaskRecord, part: Part): number {
  const { provider, place } = doc
  const seconds: Readonly<Record<Part, number>> = {
    offer: doc.urgency === 'express' ? PACE.assigned_express : PACE.assigned,
    set_off: PACE.en_route,
    travel: provider === null ? 0 : travelSeconds(provider.home, place.location, provider.vehicle_type),
    capture: PACE.item,
    submit: REVIEW_S,
    verdict: VERDICT_S,
  }
  const step = part === 'capture' ? doc.sequence : part === 'travel' ? doc.drops : doc.history.length
  return jitter(seconds[part], seed, 'task', ordinal, step, part)
}

/** When a task that looks for somebody since `at` is given up. */
export function searchEnds({ doc }: TaskRecord, at: number): number {
  return Math.max(at, Math.min(doc.window.ends_at, at + SEARCH_MS))
}

/** When who was assigned at `at` sets off: not so early that he waits at the door for the window to begin. */
export function setsOffAt(seed: string, task: TaskRecord, at: number): number {
  const travel = secondsOf(seed, task, 'travel') * SECOND
  return Math.max(at + secondsOf(seed, task, 'set_off') * SECOND, task.doc.window.starts_at - travel)
}

type Next = { event: TaskStep; due_at: number }
type Now = { seed: string; task: TaskRecord; at: number; after: (part: Part) => number }

/** What follows the state that a task is in since `at` (milliseconds); undefined when it is over. */
export function whatFollows(seed: string, task: TaskRecord, at: number): Next | undefined {
  const after = (part: Part): number => at + secondsOf(seed, task, part) * SECOND
  return FOLLOWS[task.status]?.({ seed, task, at, after })
}

const FOLLOWS: Readonly<Partial<Record<TaskStatus, (now: Now) => Next>>> = {
  created: ({ task, at, after }) =>
    plays(task, 'no_provider')
      ? { event: 'unfulfilled', due_at: searchEnds(task, at) }
      : { event: 'assigned', due_at: after('offer') },
  assigned({ seed, task, at }) {
    const due_at = setsOffAt(seed, task, at)
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
    if (plays(task, 'task_fails') && task.doc.sequence > 0)
      return { event: 'failed', due_at: after('capture') }
    return task.doc.todo.length > 0
      ? { event: 'captured', due_at: after('capture') }
      : { event: 'under_review', due_at: after('submit') }
  },
  under_review: ({ after }) => ({ event: 'verdict', due_at: after('verdict') }),
}

/** Where the provider of this scenario gives it back, the first time. */
function dropsAt(task: TaskRecord): string | undefined {
  if (!plays(task, 'provider_cancels') || task.doc.drops > 0) return undefined
  return task.doc.scenario?.options['at'] ?? 'assigned'
}
