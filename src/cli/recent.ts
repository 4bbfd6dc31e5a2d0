/** What was created from here: the interface has no lists of deliveries, bookings and tasks. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CallResult } from '../client/client.ts'
import type { Money } from '../domain/money.ts'
import { toTimestamp } from '../domain/time.ts'
import type { Runtime } from '../runtime.ts'
import type { Cli } from './cli.ts'
import { shownTarget } from './explain.ts'

export type Created = {
  id: string
  operation: string
  total: Money | null
  /** When it was created. */
  status: string | null
  /** By the service's clock. */
  created_at: string
  profile: string
  service: string
  account: string | null
}

const KEPT = 200
/** A file of more is cut to the last entries: about twice what they take. */
const MANY_BYTES = 120_000

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

/** Keeps what a call created; nothing for other calls. Losing a line of it loses nothing else, so a failure is let pass. */
export function rememberCreated({ runtime, settings }: Cli, operation: string, answer: CallResult): void {
  const value = answer.value as Record<string, unknown>
  const id = idOf(operation, value)
  if (id === null) return
  const { created_at, status, total, price } = value
  const entry: Created = {
    id,
    operation,
    total: asMoney(total) ?? asMoney((price as { total?: unknown } | undefined)?.total),
    status: typeof status === 'string' ? status : null,
    created_at: typeof created_at === 'string' ? created_at : toTimestamp(answer.serviceTime.now),
    profile: settings.profile,
    service: shownTarget(settings.target).address,
    account: settings.target.account ?? null,
  }
  try {
    append(runtime, entry)
  } catch {
    // A full disk must not take the answer away.
  }
}

/** What names the thing that a call created; null for calls that create nothing. */
export function idOf(operation: string, value: unknown): string | null {
  const id = (value as Record<string, unknown>)[IDS[operation] ?? '']
  return typeof id === 'string' ? id : null
}

/** Newest first, each thing once. */
export function listCreated(parts: Parts): Created[] {
  const seen = new Set<string>()
  return readEntries(parts)
    .toReversed()
    .filter(({ id, service }) => {
      const name = `${service}\n${id}`
      return !seen.has(name) && seen.add(name)
    })
    .slice(0, KEPT)
}

/** The last thing that an operation created where this command goes, by the same account. */
export function lastCreated({ runtime, settings }: Cli, operation: string): Created | undefined {
  const { address } = shownTarget(settings.target)
  return listCreated(runtime).find(
    (entry) =>
      entry.operation === operation &&
      entry.service === address &&
      entry.account === (settings.target.account ?? null),
  )
}

/** Forgets what was created in a service that has started anew. */
export function forgetCreated(parts: Parts, service: string): void {
  const entries = readEntries(parts)
  const rest = entries.filter((entry) => entry.service !== service)
  if (rest.length < entries.length) rewrite(parts, rest)
}

function append(parts: Parts, entry: Created): void {
  const path = fileOf(parts)
  const write = (): void => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    write()
  }
  if (statSync(path).size > MANY_BYTES) rewrite(parts, readEntries(parts).slice(-KEPT))
}

function rewrite(parts: Parts, entries: readonly Created[]): void {
  const path = fileOf(parts)
  writeFileSync(`${path}.next`, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), {
    mode: 0o600,
  })
  renameSync(`${path}.next`, path)
}

function readEntries(parts: Parts): Created[] {
  let text: string
  try {
    text = readFileSync(fileOf(parts), 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line): Created[] => {
    try {
      return [JSON.parse(line) as Created]
    } catch {
      // The end of the file, or a line that a full disk cut off.
      return []
    }
  })
}

function fileOf({ paths }: Parts): string {
  return join(paths.state, 'recent.ndjson')
}

function asMoney(value: unknown): Money | null {
  const money = value as Partial<Money> | null | undefined
  return typeof money?.amount === 'number' && typeof money.currency === 'string'
    ? { amount: money.amount, currency: money.currency }
    : null
}
