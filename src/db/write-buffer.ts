/**
 * The memory of a transaction, however many calls share it: the counters, read once and written once, and the rows of
 * tables that only grow, inserted together.
 */
import type { LockedCounters, SqlValue } from '../core/db.ts'

/** A statement that may read or write what is held. */
export const COUNTER_TABLES = /\b(?:world|ordinals)\b/i

export function copyLockedCounters({ changed, ...held }: LockedCounters): LockedCounters {
  const { world, kinds } = changed
  return { ...held, ordinals: new Map(held.ordinals), changed: { world, kinds: new Set(kinds) } }
}

/** Returns the statements that write what has changed. */
export function writesOf({
  seq,
  clockHigh,
  ordinals,
  changed,
}: LockedCounters): { sql: string; params: SqlValue[] }[] {
  const kinds = [...changed.kinds]
  return [
    ...(changed.world
      ? [{ sql: 'update world set seq = $1, clock_high = $2 where one = 1', params: [seq, clockHigh] }]
      : []),
    ...(kinds.length > 0
      ? [
          {
            sql: `insert into ordinals (kind, last) values ${toPlaces(kinds.length, 2)}
                  on conflict (kind) do update set last = excluded.last`,
            params: kinds.flatMap((kind) => [kind, ordinals.get(kind) ?? 0]),
          },
        ]
      : []),
  ]
}

/** The tables whose rows are held, as a statement names them. No other table refers to them, so that they may come last. */
const GROWING: ReadonlyMap<string, RegExp> = new Map(
  ['events', 'ledger', 'payments', 'timeline'].map((table) => [table, new RegExp(`\\b${table}\\b`)]),
)

/** The rows of a table that are not inserted yet. */
export type BufferedRows = { columns: readonly string[]; rows: readonly SqlValue[][] }

/** Holds rows by their table. A copy of it keeps its own. */
export type RowBuffer = Map<string, BufferedRows>

/** Adds rows to those that are held. Returns false when the table's rows are not held. */
export function bufferRows(
  held: RowBuffer,
  table: string,
  columns: readonly string[],
  rows: readonly SqlValue[][],
): boolean {
  if (!GROWING.has(table)) return false
  const before = held.get(table)
  held.set(table, { columns, rows: before === undefined ? rows : [...before.rows, ...rows] })
  return true
}

/** Returns the tables of held rows that a statement names, in the order in which rows came. */
export function namedTables(held: RowBuffer, sql: string): string[] {
  return held.size === 0 ? [] : [...held.keys()].filter((table) => GROWING.get(table)?.test(sql) === true)
}

/** The most rows of one insert. */
export const MAX_INSERT_ROWS = 64

/**
 * Returns the statements that insert rows, with the rows of each. Their numbers of rows are powers of two, so that few
 * texts are prepared.
 */
export function* insertsOf(
  table: string,
  columns: readonly string[],
  rows: readonly SqlValue[][],
  ending = '',
): Generator<{ sql: string; rows: readonly SqlValue[][] }> {
  const into = `insert into ${table} (${columns.join(', ')}) values`
  for (let start = 0, count = MAX_INSERT_ROWS; start < rows.length; start += count) {
    while (count > rows.length - start) count /= 2
    yield {
      sql: `${into} ${toPlaces(count, columns.length)}${ending}`,
      rows: rows.slice(start, start + count),
    }
  }
}

/** Returns the places of rows of an insert: `($1, $2), ($3, $4)`. */
function toPlaces(rows: number, columns: number): string {
  const row = (_: unknown, index: number) =>
    `(${Array.from({ length: columns }, (__, column) => `$${index * columns + column + 1}`).join(', ')})`
  return Array.from({ length: rows }, row).join(', ')
}
