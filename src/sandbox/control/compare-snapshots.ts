/**
 * Compares two snapshots by meaning. Ids differ between two worlds, so rows are paired by content, name and order; an id
 * within a row then reads as the resource that it names.
 */
import { canonicalJson } from '../../core/canonical-json.ts'
import type { SqlRow } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import { toTimestamp } from '../../core/time.ts'
import { listSnapshotTables, type TableRows } from '../../db/snapshot.ts'
import { type ComparedKind, KINDS, LEFT_OUT_COLUMNS, LEFT_OUT_MEMBERS } from './compared-kinds.ts'
import { type Chunks, newHash, readSnapshot, SnapshotFault, type SnapshotHead } from './snapshot-rows.ts'

/** A row that differs in one field, or that one snapshot alone has: `field` is then null. */
export type SnapshotDifference = {
  kind: string
  /** Kind, name and owner in words, the same in both snapshots. */
  resource: string
  change: 'changed' | 'added' | 'removed'
  field: string | null
  old: unknown
  new: unknown
  old_id: string | null
  new_id: string | null
}

export type KindCount = {
  kind: string
  old: number
  new: number
  changed: number
  added: number
  removed: number
}

export type Comparison = { same: boolean; kinds: KindCount[]; data: SnapshotDifference[] }

/** The rows of a snapshot by table, and the words that replace ids. */
export type ReadSnapshot = { head: SnapshotHead; rows: Map<string, Item[]>; words: Map<string, string> }

type Item = {
  id: string
  /** The row as canonical JSON, without what is omitted; its ids as they are. */
  text: string
}

type Fields = Record<string, unknown>

/** A seeded id, or the number of a parcel. */
const ID = /\b(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[A-Z]{2}\d{9}[A-Z]{2})\b/g
/** A time or date as rows have it: in milliseconds, or as text. */
const TIME = /\b1\d{12}\b|\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g
/** Columns that tell the order of creation; the first one that a table has. */
const ORDER: readonly string[] = ['seq', 'ordinal', 'sort', 'sequence', 'created_at']
/** Columns with JSON. */
const DOCUMENTS: ReadonlySet<string> = new Set(['doc', 'faults'])

/** Reads a snapshot; `shown` names it in errors. Throws AppError('file_error'). */
export async function readForComparison(chunks: Chunks, shown: string): Promise<ReadSnapshot> {
  const found = new Map<string, { order: number; item: Item }[]>(KINDS.map(({ table }) => [table, []]))
  let head: SnapshotHead | undefined
  try {
    for await (const page of readSnapshot(chunks, (read) => (head = read)))
      found.get(page.table)?.push(...itemsOf(page))
  } catch (error) {
    if (!(error instanceof SnapshotFault || error instanceof SyntaxError)) throw error
    const why = error instanceof SnapshotFault ? error.message : 'a document in it is not JSON'
    throw new AppError('file_error', `The snapshot ${shown} cannot be compared: ${why}.`, { cause: error })
  }
  if (head === undefined) throw new AppError('file_error', `The snapshot ${shown} is empty.`)
  const rows = new Map<string, Item[]>()
  const words = new Map<string, string>()
  for (const { table, kind, single } of KINDS) {
    const inOrder = (found.get(table) ?? []).toSorted((one, other) => one.order - other.order)
    const items = inOrder.map(({ item }) => item)
    rows.set(table, items)
    if (single !== true) for (const { id } of items) words.set(id, `<${kind}>`)
  }
  return { head, rows, words }
}

function itemsOf({ table, columns, rows }: TableRows): { order: number; item: Item }[] {
  const key = listSnapshotTables().find(({ name }) => name === table)?.key ?? []
  const order = ORDER.find((column) => columns.includes(column)) ?? ''
  return rows.map((values) => {
    const row: SqlRow = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]))
    const id = key.map((column) => String(row[column])).join(' ')
    return { order: Number(row[order] ?? 0), item: { id, text: toText(row) } }
  })
}

function toText(row: SqlRow): string {
  const fields: Fields = {}
  for (const [column, value] of Object.entries(row)) {
    if (value === null || LEFT_OUT_COLUMNS.has(column)) continue
    fields[column] = DOCUMENTS.has(column) ? omitMembers(JSON.parse(String(value))) : value
  }
  return canonicalJson(fields)
}

function omitMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitMembers)
  if (!isRecord(value)) return value
  const rest: Fields = {}
  for (const [name, member] of Object.entries(value))
    if (!LEFT_OUT_MEMBERS.has(name)) rest[name] = omitMembers(member)
  return rest
}

/** Returns the differences in the order of the kinds and of creation, without the changed fields that `ignored` accepts. */
export function compareSnapshots(
  before: ReadSnapshot,
  after: ReadSnapshot,
  ignored: (changed: FieldDifference) => boolean = () => false,
): Comparison {
  // Every id gets its words before any row is compared: a row may name one of a later kind.
  const paired = KINDS.map((kind) => ({ kind, pairs: pairRows(kind, before, after) }))
  const data: SnapshotDifference[] = []
  const kinds = paired.map(({ kind: { kind }, pairs }) => {
    const count = { kind, old: 0, new: 0, changed: 0, added: 0, removed: 0 }
    for (const { resource, old, now } of pairs) {
      if (old !== undefined) count.old += 1
      if (now !== undefined) count.new += 1
      const is = { kind, resource, old_id: old?.id ?? null, new_id: now?.id ?? null }
      if (old === undefined || now === undefined) {
        const change = old === undefined ? 'added' : 'removed'
        count[change] += 1
        data.push({ ...is, change, field: null, old: null, new: null })
        continue
      }
      const fields = differencesOf(readFields(old, before.words), readFields(now, after.words))
      const told = fields.filter((each) => !ignored(each))
      if (told.length > 0) count.changed += 1
      for (const each of told) data.push({ ...is, change: 'changed', ...each })
    }
    return count
  })
  return { same: data.length === 0, kinds, data }
}

/** A row while it is paired. */
type Candidate = {
  item: Item
  /** Hashes of its content, and of its content without times. */
  content: string
  timeless: string
  name: string | undefined
  owner: string
}

/** The tests by which rows are paired, the strictest first; a row without a key waits for the next one. */
const KEYS: readonly ((row: Candidate, kind: ComparedKind) => string | undefined)[] = [
  ({ content, item }) => `${content} ${item.id}`,
  ({ content }) => content,
  ({ timeless }) => timeless,
  ({ name, owner }) => (name === undefined ? undefined : `${name} of ${owner}`),
  ({ name, owner, item }, { renamed }) =>
    name === undefined || renamed === true ? `${item.id} of ${owner}` : undefined,
  ({ name, owner }) => (name === undefined ? `of ${owner}` : undefined),
]

type Pair = { resource: string; old: Item | undefined; now: Item | undefined }

/** Pairs the rows of a kind, and gives both ids of a pair the same words. */
function pairRows(kind: ComparedKind, before: ReadSnapshot, after: ReadSnapshot): Pair[] {
  const olds = candidatesOf(kind, before)
  const news = candidatesOf(kind, after)
  const partner = new Map<Candidate, Candidate>()
  const taken = new Set<Candidate>()
  for (const keyOf of KEYS) {
    const waiting = Map.groupBy(
      news.filter((row) => !taken.has(row)).toReversed(),
      (row) => keyOf(row, kind) ?? '',
    )
    for (const row of olds) {
      const key = partner.has(row) ? undefined : keyOf(row, kind)
      const found = key === undefined ? undefined : waiting.get(key)?.pop()
      if (found === undefined) continue
      partner.set(row, found)
      taken.add(found)
    }
  }
  const name = makeRowNames(kind)
  const pairOf = (row: Candidate, old?: Item, now?: Item): Pair => {
    const resource = name(row)
    if (kind.single === true) return { resource, old, now }
    // They replace the id within JSON.
    const escaped = JSON.stringify(resource).slice(1, -1)
    if (old !== undefined) before.words.set(old.id, escaped)
    if (now !== undefined) after.words.set(now.id, escaped)
    return { resource, old, now }
  }
  return [
    ...olds.map((row) => pairOf(row, row.item, partner.get(row)?.item)),
    ...news.filter((row) => !taken.has(row)).map((row) => pairOf(row, undefined, row.item)),
  ]
}

function candidatesOf(
  { table, name = [], owner: ownedBy }: ComparedKind,
  { rows, words }: ReadSnapshot,
): Candidate[] {
  return (rows.get(table) ?? []).map((item) => {
    const fields = readFields(item, words)
    const text = canonicalJson(fields)
    const names = name.flatMap((path) => memberAt(fields, path) ?? [])
    const owner = ownedBy === undefined ? '' : (memberAt(fields, ownedBy) ?? '')
    return {
      item,
      content: hashOf(text),
      timeless: hashOf(text.replace(TIME, '')),
      name: names.length === 0 ? undefined : names.join(' '),
      owner,
    }
  })
}

/** Returns a function that names the rows of a kind in words, each otherwise: by their number where they have no name. */
function makeRowNames({ kind, single }: ComparedKind): (row: Candidate) => string {
  const counts = new Map<string, number>()
  const count = (words: string): number => {
    const times = (counts.get(words) ?? 0) + 1
    counts.set(words, times)
    return times
  }
  return ({ name, owner }) => {
    const ofOwner = owner === '' ? '' : ` of ${owner}`
    if (name === undefined && single !== true) return `${kind} ${count(owner)}${ofOwner}`
    const words = `${kind}${name === undefined ? '' : ` ${name}`}${ofOwner}`
    const times = count(words)
    return times === 1 ? words : `${words} (${times})`
  }
}

function hashOf(text: string): string {
  return newHash().update(text).digest('hex')
}

/** Returns a row with words for its ids. An id of what is not compared, such as a quote, is only its prefix. */
function readFields({ text }: Item, words: ReadonlyMap<string, string>): Fields {
  const known = (id: string): string => {
    const prefix = id.indexOf('_')
    return words.get(id) ?? (prefix === -1 ? id : `<${id.slice(0, prefix)}>`)
  }
  return JSON.parse(text.replace(ID, known)) as Fields
}

/** Returns a field in words; undefined for none. */
function memberAt(fields: Fields, path: string): string | undefined {
  let value: unknown = fields
  for (const name of path.split('.')) value = isRecord(value) ? value[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** A field with two values. */
export type FieldDifference = Pick<SnapshotDifference, 'old' | 'new'> & { field: string }

/** Returns the fields with different values; one that is absent is null. */
function differencesOf(old: unknown, now: unknown, field = ''): FieldDifference[] {
  if ((old ?? null) === (now ?? null)) return []
  if (Array.isArray(old) && Array.isArray(now))
    return Array.from({ length: Math.max(old.length, now.length) }).flatMap((_, at) =>
      differencesOf(old[at], now[at], `${field}[${at}]`),
    )
  if (isRecord(old) && isRecord(now))
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) =>
      differencesOf(old[name], now[name], field === '' || field === 'doc' ? name : `${field}.${name}`),
    )
  return [{ field, old: shown(old), new: shown(now) }]
}

/** Rows have instants in milliseconds, and no other number is as large. */
function shown(value: unknown): unknown {
  return typeof value === 'number' && value >= 1e12 ? toTimestamp(value) : (value ?? null)
}

/** Returns whether both values are texts that are the same without their times and dates. */
export function differsInTime({ old, new: now }: Pick<SnapshotDifference, 'old' | 'new'>): boolean {
  if (typeof old !== 'string' || typeof now !== 'string') return false
  return old.replace(TIME, '') === now.replace(TIME, '')
}
