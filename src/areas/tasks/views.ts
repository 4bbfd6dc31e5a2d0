/** Shows tasks, their quotes and their evidence to the customer. */
import type { Static } from 'typebox'
import type { Account } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { withLocal } from '../../core/local-times.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { maskPhone } from '../../core/privacy.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { computeLastPosition } from '../../core/travel.ts'
import { loadPayment } from '../payments/queries/ledger.ts'
import { PAYMENT_METHODS_BY_KIND } from '../payments/rules/payment.ts'
import { serializePayment, serializeRefunds } from '../payments/views.ts'
import type { QuoteRecord } from '../quotes/queries.ts'
import { serializeQuote, serializeQuoteTerms } from '../quotes/views.ts'
import { isTaskCancellable } from './lifecycle/task.ts'
import { listEvidence, type TaskQuoteDoc, type TaskRecord } from './queries/tasks.ts'
import { checkEvidenceRules, type EvidenceItem, isEvidenceSatisfied } from './rules/evidence.ts'
import type { task, taskQuoteSchema } from './schema.ts'
import { TASK_QUOTE_TIMES, TASK_TIMES, type TaskStatus } from './states.ts'

type Task = Static<typeof task>

/** Shows a new quote to its customer. */
export function serializeTaskQuote(
  quote: QuoteRecord<TaskQuoteDoc>,
  account: Account,
): Static<typeof taskQuoteSchema> {
  const { doc } = quote
  return withLocal(MARKET_TIMEZONE, TASK_QUOTE_TIMES, {
    ...serializeQuote('task', quote),
    task_type: doc.task_type,
    task_name: doc.task_name,
    place: doc.place,
    window: serializeWindow(doc.window),
    urgency: doc.urgency,
    requirements: doc.requirements,
    evidence_rules: doc.evidence_rules,
    lines: doc.lines,
    total: doc.total,
    tax_included: doc.tax_included,
    callout_fee: doc.callout_fee,
    provider_available: true,
    qualified_provider_count: doc.qualified_provider_count,
    earliest_start_at: toTimestamp(doc.earliest_start_at),
    ...serializeQuoteTerms(PAYMENT_METHODS_BY_KIND.task, account, quote),
  })
}

/** The statuses without a provider: the customer sees the provider from the assignment on, also afterwards. */
const WITHOUT_PROVIDER: readonly TaskStatus[] = ['created', 'unfulfilled', 'cancelled']
const ON_THE_SPOT: readonly TaskStatus[] = ['in_progress', 'under_review']

/** Shows a task as of `now`. */
export async function serializeTask(tx: Tx, record: TaskRecord, now: number): Promise<Task> {
  const payment = await loadPayment(tx, record.task_id)
  const items = (await listEvidence(tx, record.task_id)).map(({ item }) => item)
  const { doc, status } = record
  const { cancellation } = doc
  return withLocal(MARKET_TIMEZONE, TASK_TIMES, {
    task_id: record.task_id,
    quote_id: record.quote_id,
    task_type: record.task_type,
    task_name: doc.task_name,
    status,
    place: doc.place,
    window: serializeWindow(doc.window),
    urgency: doc.urgency,
    requirements: doc.requirements,
    evidence_rules: doc.evidence_rules,
    instructions: doc.instructions,
    contact: doc.contact,
    price: doc.price,
    lines: doc.lines ?? [],
    tax_included: doc.tax_included,
    callout_fee: doc.callout_fee,
    payment: serializePayment(payment),
    ...serializeRefunds(payment),
    ...serializeTaskProvider(record, now),
    eta_at: toTimestampOrNull(doc.eta_at),
    evidence_summary: summarize(record, items),
    evidence: items.map(withoutUrl),
    result: doc.result,
    cancellable: isTaskCancellable(record),
    cancellation: cancellation && { ...cancellation, at: toTimestamp(cancellation.at) },
    status_history: doc.history.map((entry) => ({ ...entry, at: toTimestamp(entry.at) })),
    created_at: toTimestamp(record.created_at),
    assigned_at: toTimestampOrNull(doc.assigned_at),
    started_at: toTimestampOrNull(doc.started_at),
    completed_at: toTimestampOrNull(doc.completed_at),
    updated_at: toTimestamp(record.updated_at),
  })
}

function serializeTaskProvider(
  { status, doc }: TaskRecord,
  now: number,
): Pick<Task, 'provider' | 'provider_location'> {
  const { provider, leg, place } = doc
  if (provider === null || WITHOUT_PROVIDER.includes(status))
    return { provider: null, provider_location: null }
  const { tasker_id, name, rating_tenths, phone, vehicle_type } = provider
  return {
    provider: {
      provider_id: tasker_id,
      name,
      rating: rating_tenths / 10,
      phone_masked: maskPhone(phone),
      vehicle_type,
    },
    provider_location: ON_THE_SPOT.includes(status)
      ? place.location
      : status === 'en_route' && leg !== null
        ? computeLastPosition(leg, now)
        : null,
  }
}

function summarize({ doc }: TaskRecord, items: readonly EvidenceItem[]): Task['evidence_summary'] {
  const checks = checkEvidenceRules(doc.evidence_rules, items)
  return {
    required: checks.reduce((sum, { required }) => sum + required, 0),
    collected: checks.reduce((sum, { collected }) => sum + collected, 0),
    accepted: items.filter(({ status }) => status === 'accepted').length,
    rules_satisfied: isEvidenceSatisfied(checks),
    items_count: items.length,
  }
}

function withoutUrl({ media, ...item }: EvidenceItem): Task['evidence'][number] {
  if (media === null) return { ...item, media }
  const { url: _, ...rest } = media
  return { ...item, media: rest }
}

function serializeWindow({ starts_at, ends_at }: { starts_at: number; ends_at: number }) {
  return { starts_at: toTimestamp(starts_at), ends_at: toTimestamp(ends_at) }
}
