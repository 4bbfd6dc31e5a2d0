/** What was created from this machine: the interface has no lists of deliveries, bookings and tasks. */
import { join } from 'node:path'
import type { Money } from '../domain/money.ts'
import { toTimestamp } from '../domain/time.ts'
import type { Runtime } from '../runtime.ts'
import type { CallResult } from './client.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'

export type Created = {
  id: string
  operation: string
  /** Of what was bought at a quote. */
  quote_id: string | null
  total: Money | null
  /** As it was when created. */
  status: string | null
  /** By the service's clock. */
  created_at: string
  profile: string
  service: string
  account: string | null
}

const KEPT = 200
/** About twice what they take. */
const MAX_BYTES = 120_000

/** What names the thing that an operation creates. */
const IDS: Readonly<Record<string, string>> = {
  place_food_order: 'order_id',
  request_ride: 'ride_id',
  request_delivery: 'delivery_id',
  create_shipment: 'tracking_number',
  book_service: 'booking_id',
  create_task: 'task_id',
  create_catalog_item: 'item_id',
}

type Parts = Pick<Runtime, 'paths'>

/** Keeps what a call created, as whom and where; nothing for other calls. */
export function keepCreated(
  parts: Parts,
  { profile, service, account }: Pick<Created, 'profile' | 'service' | 'account'>,
  operation: string,
  answer: CallResult,
): void {
  const value = answer.value as Record<string, unknown>
  const id = idOf(operation, value)
  if (id === null) return
  const { quote_id, created_at, status, total, price, fare } = value
  const entry: Created = {
    id,
    operation,
    quote_id: typeof quote_id === 'string' ? quote_id : null,
    total:
      [total, fare, price, (price as { total?: unknown } | undefined)?.total].map(asMoney).find(Boolean) ??
      null,
    status: typeof status === 'string' ? status : null,
    created_at: typeof created_at === 'string' ? created_at : toTimestamp(answer.serviceTime.now),
    profile,
    service,
    account,
  }
  appendEntry(fileOf(parts), entry)
}

/** What names the thing that a call created; null for calls that create nothing. */
export function idOf(operation: string, value: unknown): string | null {
  const id = (value as Record<string, unknown>)[IDS[operation] ?? '']
  return typeof id === 'string' ? id : null
}

/** Newest first, each thing once. */
export function listCreated(parts: Parts): Created[] {
  const seen = new Set<string>()
  return readEntries<Created>(fileOf(parts))
    .toReversed()
    .filter(({ id, service }) => {
      const name = `${service}\n${id}`
      return !seen.has(name) && seen.add(name)
    })
    .slice(0, KEPT)
}

/** What was bought from here at a quote: it buys nothing more. */
export function findBought(parts: Parts, service: string, quoteId: string): Created | undefined {
  return readEntries<Created>(fileOf(parts)).findLast(
    (entry) => entry.quote_id === quoteId && entry.service === service,
  )
}

/** Forgets what was created in a service that has started anew. */
export function forgetCreated(parts: Parts, service: string): void {
  removeEntries<Created>(fileOf(parts), (entry) => entry.service !== service)
}

function fileOf({ paths }: Parts): LogFile {
  return { path: join(paths.state, 'recent.ndjson'), kept: KEPT, maxBytes: MAX_BYTES }
}

function asMoney(value: unknown): Money | null {
  const money = value as Partial<Money> | null | undefined
  return typeof money?.amount === 'number' && typeof money.currency === 'string'
    ? { amount: money.amount, currency: money.currency }
    : null
}
