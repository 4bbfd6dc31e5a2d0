/** Resources that were created from this machine. The interface cannot list deliveries, bookings and tasks. */
import { join } from 'node:path'
import type { CallResult } from '../client/client.ts'
import type { Machine } from '../core/machine.ts'
import type { Money } from '../core/money.ts'
import { toTimestamp } from '../core/time.ts'
import { RESOURCES } from '../generated/resources.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'

export type CreatedResource = {
  id: string
  operation: string
  /** The quote that was bought; null without one. */
  quote_id: string | null
  total: Money | null
  /** The status at creation. */
  status: string | null
  /** By the service's clock. */
  created_at: string
  profile: string
  service: string
  account: string | null
  /** The rows of a CSV file of parcels. The file is one entry; its id is that of the first batch. */
  upload?: RecentUpload
}

/** A CSV file of parcels, and the outcome of its rows. */
export type RecentUpload = {
  file: string
  batch_ids: string[]
  created: number
  duplicate: number
  rejected: number
  not_sent: number
}

/** The state of a created resource when it was last read. */
export type SeenState = {
  service: string
  id: string
  state: string
  /** True if no state can follow, so that the resource need not be read again. */
  over: boolean
}

const MAX_ENTRIES = 200
/** A resource has a few states between two reads, and a final one. */
const MAX_STATES = 3 * MAX_ENTRIES
/** About twice the size of that many entries. */
const MAX_BYTES = 120_000

type RecentDeps = Pick<Machine, 'paths'>

/** Saves the resource that a call created, with the caller's account and service. Ignores calls that create none. */
export function saveCreatedResource(
  deps: RecentDeps,
  { profile, service, account }: Pick<CreatedResource, 'profile' | 'service' | 'account'>,
  operation: string,
  answer: CallResult,
): void {
  const value = answer.value as Record<string, unknown>
  const id = findCreatedId(operation, value)
  if (id === null) return
  const { quote_id, created_at, status } = value
  const entry: CreatedResource = {
    id,
    operation,
    quote_id: typeof quote_id === 'string' ? quote_id : null,
    total: findResourceTotal(value),
    status: typeof status === 'string' ? status : null,
    created_at: typeof created_at === 'string' ? created_at : toTimestamp(answer.serviceTime.now),
    profile,
    service,
    account,
  }
  saveEntry(deps, entry)
}

/** Returns the amount that a resource costs; null for one without. */
export function findResourceTotal({ total, fare, price }: Readonly<Record<string, unknown>>): Money | null {
  const inner = (price as { total?: unknown } | null | undefined)?.total
  return [total, fare, price, inner].map(asMoney).find((amount) => amount !== null) ?? null
}

/** Saves one entry. It replaces an earlier entry with the same id. */
export function saveEntry(deps: RecentDeps, entry: CreatedResource): void {
  appendEntry(fileOf(deps), entry)
}

/** Returns the id of the resource that a call created; null for calls that create none. */
export function findCreatedId(operation: string, value: unknown): string | null {
  const resource = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  const id = (value as Record<string, unknown>)[resource?.id ?? '']
  return typeof id === 'string' ? id : null
}

/** Returns the created resources, newest first, each once. */
export function listCreatedResources(deps: RecentDeps): CreatedResource[] {
  const seen = new Set<string>()
  return readEntries<CreatedResource>(fileOf(deps))
    .toReversed()
    .filter((entry) => {
      const name = toResourceKey(entry)
      return !seen.has(name) && seen.add(name)
    })
    .slice(0, MAX_ENTRIES)
}

/** Returns the purchase that already used a quote, if it was made on this machine. */
export function findCreatedByQuote(
  deps: RecentDeps,
  service: string,
  quoteId: string,
): CreatedResource | undefined {
  return readEntries<CreatedResource>(fileOf(deps)).findLast(
    (entry) => entry.quote_id === quoteId && entry.service === service,
  )
}

/** Saves the states in which resources were found. */
export function saveStates(deps: RecentDeps, states: readonly SeenState[]): void {
  for (const state of states) appendEntry(stateFileOf(deps), state)
}

/** Returns the last known state of each resource, by `nameOf`. */
export function lastStates(deps: RecentDeps): Map<string, SeenState> {
  return new Map(readEntries<SeenState>(stateFileOf(deps)).map((seen) => [toResourceKey(seen), seen]))
}

/** Returns a name that is unique across services. */
export function toResourceKey({ service, id }: Pick<CreatedResource, 'service' | 'id'>): string {
  return `${service}\n${id}`
}

/** Forgets the resources of a service that was reset. */
export function deleteCreated(deps: RecentDeps, service: string): void {
  removeEntries<CreatedResource>(fileOf(deps), (entry) => entry.service !== service)
  removeEntries<SeenState>(stateFileOf(deps), (entry) => entry.service !== service)
}

function stateFileOf({ paths }: RecentDeps): LogFile {
  return { path: join(paths.state, 'recent-states.ndjson'), kept: MAX_STATES, maxBytes: MAX_BYTES }
}

function fileOf({ paths }: RecentDeps): LogFile {
  return { path: join(paths.state, 'recent.ndjson'), kept: MAX_ENTRIES, maxBytes: MAX_BYTES }
}

function asMoney(value: unknown): Money | null {
  const money = value as Partial<Money> | null | undefined
  return typeof money?.amount === 'number' && typeof money.currency === 'string'
    ? { amount: money.amount, currency: money.currency }
    : null
}
