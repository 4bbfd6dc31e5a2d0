/** The ids that a person was shown at a terminal, for the completions of the shells. Scripts leave none. */
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'
import { localDate } from '../core/time.ts'
import { appendEntries, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'
import type { CreatedResource } from './recent.ts'

/** A thing with an id; its kind is the field that holds the id. The name is of a shop or a dish, never of a person. */
export type SeenId = Pick<CreatedResource, 'service' | 'account'> & {
  kind: string
  id: string
  name?: string
}

type SeenDeps = Pick<Machine, 'paths'>

/** The fields that hold ids, and whether the name beside one is kept. A hub is named by its code. */
const KINDS: Readonly<Record<string, 'named' | 'alone'>> = {
  merchant_id: 'named',
  item_id: 'named',
  order_id: 'alone',
  ride_id: 'alone',
  delivery_id: 'alone',
  tracking_number: 'alone',
  batch_id: 'alone',
  provider_id: 'named',
  booking_id: 'alone',
  task_type: 'named',
  task_id: 'alone',
  handle: 'alone',
}
/** The most of one answer, so that a list of thousands does not push out the rest. */
const MAX_IDS_PER_RESPONSE = 100
const MAX_SEEN_IDS = 600
/** About three times the size of that many entries. */
const MAX_BYTES = 200_000
/** A shell reads an id as a part of the line: one with other characters is not kept. */
const PLAIN = /^[\w.@+-]{1,80}$/

/** The kind of the numbers of orders, each with its day: `X7KH@2026-11-27`. */
export const ORDER_NUMBERS = 'order'

/** Saves the things of an answer that are not known yet. */
export function saveSeenIds(
  deps: SeenDeps,
  { service, account }: Pick<SeenId, 'service' | 'account'>,
  answer: unknown,
): void {
  const found: SeenId[] = []
  collect(answer, (kind, id, name) => {
    if (found.length < MAX_IDS_PER_RESPONSE)
      found.push({ service, account, kind, id, ...(name !== undefined && { name }) })
  })
  if (found.length === 0) return
  const known = new Set(readEntries<SeenId>(fileOf(deps)).map(keyOf))
  const unknown = found.filter((one) => !known.has(keyOf(one)) && known.add(keyOf(one)))
  if (unknown.length > 0) appendEntries(fileOf(deps), unknown)
}

/** Returns what was seen, newest first. */
export function listSeenIds(deps: SeenDeps): SeenId[] {
  return readEntries<SeenId>(fileOf(deps)).toReversed()
}

/** Forgets the things of a service that was reset. */
export function deleteSeenIds(deps: SeenDeps, service: string): void {
  removeEntries<SeenId>(fileOf(deps), (entry) => entry.service !== service)
}

function collect(value: unknown, keep: (kind: string, id: string, name?: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const each of value) collect(each, keep)
    return
  }
  const { name, hub_id: hubId, code } = value as Record<string, unknown>
  collectNumber(value as Record<string, unknown>, keep)
  const named = typeof name === 'string' ? name : undefined
  if (typeof hubId === 'string' && typeof code === 'string' && PLAIN.test(code)) keep('hub', code, named)
  for (const [member, each] of Object.entries(value)) {
    const kind = Object.hasOwn(KINDS, member) ? KINDS[member] : undefined
    if (kind === undefined) collect(each, keep)
    else if (typeof each === 'string' && PLAIN.test(each))
      keep(member, each, kind === 'named' ? named : undefined)
  }
}

function keyOf({ service, account, kind, id }: SeenId): string {
  return [service, account, kind, id].join('\n')
}

function fileOf({ paths }: SeenDeps): LogFile {
  return { path: join(paths.state, 'seen.ndjson'), kept: MAX_SEEN_IDS, maxBytes: MAX_BYTES }
}

/** Collects the number of an order with its day by the clock of the store. */
function collectNumber(
  { order_id, display_number, created_at, timezone }: Record<string, unknown>,
  keep: (kind: string, id: string) => void,
): void {
  if (typeof order_id !== 'string' || typeof display_number !== 'string') return
  const at = typeof created_at === 'string' ? Date.parse(created_at) : NaN
  if (Number.isNaN(at) || !/^[0-9A-Z]{4}$/.test(display_number)) return
  keep(ORDER_NUMBERS, `${display_number}@${localDate(at, typeof timezone === 'string' ? timezone : 'UTC')}`)
}
