/** A task from the search for a tasker to the verdict on the evidence. */
import type { Static } from 'typebox'
import { formatGroupedMoney } from '../../core/money.ts'
import { findPlacePoint } from '../../core/places/place.ts'
import {
  type Arrival,
  type Bill,
  definePresenter,
  type ProofView,
  type Receipt,
  type RouteMap,
} from '../../core/presenter.ts'
import { vehicleText } from '../couriers/presenter.ts'
import {
  formatPurchaseCharge,
  pricedLines,
  refundNotes,
  receiptTotals,
  walletNotes,
} from '../payments/presenter.ts'
import { picturesOf } from '../proofs/presenter.ts'
import { TASK } from './resource.ts'
import { EVIDENCE_REJECTION_REASONS } from './rules/evidence.ts'
import type { TaskPriceLine } from './rules/task.ts'
import type { task, taskQuoteSchema } from './schema.ts'

type Task = Static<typeof task>
type TaskQuote = Static<typeof taskQuoteSchema>

export const taskPresenter = definePresenter<Task, TaskQuote>(TASK, {
  states: {
    created: { now: 'Looking for a tasker', done: 'Requested' },
    assigned: { now: 'Tasker assigned' },
    en_route: { now: 'On the way', mood: 'moving' },
    in_progress: { now: 'At work', done: 'Work started', mood: 'moving' },
    under_review: { now: 'Under review' },
    completed: { now: 'Completed' },
    failed: { now: 'Could not be completed' },
    cancelled: { now: 'Cancelled' },
    unfulfilled: { now: 'No tasker available' },
  },
  path: ['created', 'assigned', 'en_route', 'in_progress', 'under_review', 'completed'],
  reasons: {
    // Rejected evidence is collected again, whatever was wrong with it.
    ...Object.fromEntries(
      EVIDENCE_REJECTION_REASONS.map((reason) => [reason, 'Some evidence is collected again.']),
    ),
    provider_unassigned: 'The tasker could not come. Another tasker is being found.',
    no_qualified_provider: 'No qualified tasker was available in time.',
    location_closed: 'The place was closed.',
    access_denied: 'No access to the place.',
    wrong_address: 'The address was wrong.',
    unsafe: 'It was not safe there.',
    evidence_rejected: 'The evidence was not good enough.',
  },
  workerField: { member: 'provider', role: 'Tasker' },
  name: ({ task_id }) => `Task ${task_id}`,
  title: (task, isLost) => `${task.task_name}, ${formatPurchaseCharge(task, isLost)}`,
  publicTitle: ({ task_name }) => task_name,
  expectedTimes: ({ eta_at }) => ({ in_progress: eta_at }),
  arrival: arrivalOf,
  worker: ({ provider }) =>
    provider && {
      name: provider.name,
      rating: provider.rating,
      vehicle: vehicleText(provider.vehicle_type),
    },
  routeMap: mapOf,
  notes: notesOf,
  proof: evidenceOf,
  openCommand: ({ evidence_summary }) =>
    evidence_summary.collected > 0 ? 'dray tasks evidence {task_id}' : null,
  price: billOf,
  receipt: receiptOf,
})

function arrivalOf({ status, eta_at, status_history: history, window }: Task): Arrival | null {
  if (status === 'en_route') {
    if (eta_at === null) return null
    const since = history.findLast((entry) => entry.status === 'en_route')?.at ?? null
    return { words: 'Arrives about', at: eta_at, since }
  }
  if (status !== 'created' && status !== 'assigned') return null
  return { words: 'Planned for', at: window.starts_at, until: window.ends_at }
}

function mapOf({ status, place, provider, provider_location: at }: Task): RouteMap | null {
  const site = findPlacePoint(place)
  if (status !== 'en_route' || site === undefined || at === null || provider === null) return null
  return {
    places: [{ point: site, mark: 'A', label: place.name ?? 'the address' }],
    mover: { point: at, bearing: null, label: provider.name, to: 'A' },
    shared: { door: site, words: 'Address', person: provider.name },
  }
}

function notesOf(task: Task): string[] {
  const { evidence_summary: evidence, result } = task
  const { required, accepted, items_count: count } = evidence
  const reason = result?.failure_reason ?? null
  return [
    ...(count === 0
      ? []
      : [`Evidence: ${count} of ${required} captured${accepted > 0 ? `, ${accepted} accepted` : ''}`]),
    ...(reason === null ? [] : [`Could not be completed: ${reason.replaceAll('_', ' ')}`]),
    ...refundNotes(task),
    ...walletNotes(task),
  ]
}

/** Returns the accepted evidence: its photos and the number of answers, but no answer, because a person wrote it. */
function evidenceOf({ status, evidence, completed_at: at }: Task): ProofView | null {
  const items = status === 'completed' ? evidence.filter((item) => item.status === 'accepted') : []
  if (at === null || items.length === 0) return null
  const pictures = picturesOf(items.flatMap(({ media }) => media ?? []))
  const answers = items.reduce((sum, item) => sum + item.answers.length, 0)
  const parts = [...counted(pictures.length, 'photo'), ...counted(answers, 'answer')]
  return { words: `${parts.join(' and ')}, checked and accepted`, by: null, at, pictures }
}

function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]
}

const LINES: Readonly<Record<TaskPriceLine['type'], string>> = {
  base: 'Task',
  travel: 'Travel',
  duration: 'Extra time',
  express: 'Express',
  extra_evidence: 'Extra evidence',
}

function receiptOf(done: Task, isLost: boolean): Receipt {
  const { task_name, price, lines, tax_included, place } = done
  return {
    head: ['Task: ', { name: task_name }],
    about: [['At ', { place }]],
    lines: pricedLines(lines, LINES, { label: [{ name: task_name }], amount: price }),
    added: [],
    total: price,
    included: [{ label: 'VAT', amount: tax_included }],
    ...receiptTotals(done, isLost),
    made: done.created_at,
  }
}

function billOf(quote: TaskQuote): Bill {
  const { window, place, evidence_rules: rules, created_at } = quote
  return {
    head: ['Task: ', { name: quote.task_name }],
    about: [
      [
        'At ',
        { place },
        ', between ',
        { at: window.starts_at },
        ' and ',
        { at: window.ends_at },
        ', earliest start ',
        { at: quote.earliest_start_at },
      ],
      ...rules.map(({ label, kind, min_count: count }) => [
        'Evidence: ',
        { name: label },
        `, ${count} ${kind}${count === 1 ? '' : 's'}`,
      ]),
    ],
    lines: quote.lines.map(({ type, amount }) => ({ label: LINES[type], amount })),
    added: [],
    total: quote.total,
    included: [{ label: 'VAT', amount: quote.tax_included }],
    notes: [`If the task cannot be completed, ${formatGroupedMoney(quote.callout_fee)} is kept.`],
    made: created_at,
  }
}
