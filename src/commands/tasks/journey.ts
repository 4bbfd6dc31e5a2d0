/** A task under way: who is sent, and what he has captured. */
import { isTaskOver, type TaskStatus } from '../../areas/tasks/states.ts'
import { aheadOf, type Journey, refundNotes } from '../../cli/track/journey.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import { pointOf } from '../../core/places/place.ts'

type Task = Answer<'get_task'>

/** The statuses of a successful task. */
const PATH: readonly TaskStatus[] = [
  'created',
  'assigned',
  'en_route',
  'in_progress',
  'under_review',
  'completed',
]

const WORDS: Readonly<Record<TaskStatus, string>> = {
  created: 'Looking',
  assigned: 'Somebody found',
  en_route: 'On the way',
  in_progress: 'At work',
  under_review: 'Under review',
  completed: 'Done, verified',
  failed: 'Failed',
  cancelled: 'Cancelled',
  unfulfilled: 'Nobody found',
}

export function toTaskJourney(task: Task): Journey {
  const { provider, status, eta_at, status_history: history } = task
  return {
    id: ['task_id', task.task_id],
    name: `Task ${task.task_id}`,
    title: `${task.task_name}, ${spellMoney(task.price)}`,
    status,
    over: isTaskOver(status),
    history,
    ahead: aheadOf(PATH, status, { in_progress: eta_at }),
    word: (each) => WORDS[each as TaskStatus] ?? each,
    role: 'provider',
    mover: provider && {
      news: `${provider.name}, ${provider.vehicle_type}, rated ${provider.rating}`,
      line: `${provider.name} by ${provider.vehicle_type}, rated ${provider.rating}`,
    },
    leg:
      eta_at === null
        ? null
        : { since: history.findLast((entry) => entry.status === 'en_route')?.at ?? null, until: eta_at },
    sketch: sketchOf(task),
    notes: notesOf(task),
    open: task.evidence_summary.collected > 0 ? 'dray tasks evidence {task_id}' : null,
  }
}

function sketchOf({ status, place, provider, provider_location: here }: Task): Journey['sketch'] {
  const site = pointOf(place)
  if (status !== 'en_route' || site === undefined || here === null) return null
  return {
    way: [{ point: site, mark: 'A', label: place.name ?? 'the place' }],
    vehicle: { point: here, bearing: null, label: provider?.name ?? 'on the way', to: 'A' },
  }
}

function notesOf({ evidence_summary: evidence, refund, result }: Task): string[] {
  const { required, accepted, items_count: count } = evidence
  return [
    ...(count === 0
      ? []
      : [`Evidence: ${count} of ${required} captured${accepted > 0 ? `, ${accepted} accepted` : ''}`]),
    ...(result?.failure_reason
      ? [`It could not be done: ${result.failure_reason.replaceAll('_', ' ')}`]
      : []),
    ...refundNotes(refund),
  ]
}
