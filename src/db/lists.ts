/**
 * Reads pages of long lists. A page either walks along an index, once for each combination of the filter's values, or
 * scans a bounded number of index entries, which the next page continues. The cost of both does not depend on the
 * number of rows.
 */
import type { SqlRow, Tx, SqlValue } from '../core/db.ts'
import type { ListPosition, Slice } from '../core/slice.ts'
import { readIntegerColumn } from './values.ts'

/** The period of creation: half-open, in milliseconds. */
export type CreationSpan = { created_from?: number | undefined; created_to?: number | undefined }

/** The entries that a page reads first, as a multiple of its rows. */
export const FIRST_ENTRIES_FACTOR = 8

export const NEWEST_FIRST = 'order by created_at desc, seq desc'

/**
 * Ends a statement that PostgreSQL plans for each call. The plan of a prepared statement knows no values: for an owner
 * with far more rows than others it takes an index without the other columns, and reads all rows of that owner.
 */
export const CUSTOM_PLAN_COMMENT = '/* planned for its values */'

export type Where = {
  /** Adds a condition unless one of its values is undefined. Each `?` stands for a value. */
  and(condition: string, ...values: (SqlValue | undefined)[]): void
  /** Adds the condition that a column has one of the values, unless there is no list. */
  oneOf(column: string, values: readonly SqlValue[] | undefined): void
  text(): string
}

/** Collects the conditions of one statement; adds their values to its parameters. */
export function makeWhere(params: SqlValue[]): Where {
  const conditions: string[] = []
  return {
    and(condition, ...values) {
      if (values.includes(undefined)) return
      const given = values as SqlValue[]
      let next = 0
      conditions.push(condition.replaceAll('?', () => `$${params.push(given[next++] ?? null)}`))
    },
    oneOf(column, values) {
      if (values === undefined) return
      conditions.push(`${column} in (${values.map((value) => `$${params.push(value)}`).join(', ')})`)
    },
    text: () => (conditions.length === 0 ? '1 = 1' : conditions.join(' and ')),
  }
}

/** Adds the conditions for the period of creation and for the position after which the list continues. */
export function addCreation(
  where: Where,
  { created_from, created_to }: CreationSpan,
  after: ListPosition | undefined,
): void {
  where.and('created_at >= ?', created_from)
  // A later page starts below the end of the period anyway. With a second upper bound the engine would use that
  // one for the index.
  where.and('created_at < ?', after === undefined ? created_to : undefined)
  where.and('(created_at, seq) < (?, ?)', after?.created_at, after?.seq)
}

/** The source of a list by creation: rows of a table in which `seq` is unique. */
export type ListSource = {
  table: 'orders' | 'rides' | 'shipments'
  /** `select … from` that table. */
  select: string
}

export type Walk = CreationSpan & {
  /** Columns with one required value. */
  all: Readonly<Record<string, SqlValue>>
  /**
   * Columns with several allowed values. Together with those of `all` they are the first columns of an index that
   * ends with `created_at, seq`. A column without values is not filtered.
   */
  any: Readonly<Record<string, readonly SqlValue[] | undefined>>
}

/** The pages that statements are made for: a list reads the next larger one. */
const PAGES = [2, 11, 26, 51, 101]

/**
 * Returns the newest rows after a position, by one walk of an index for each combination of values. All walks are one
 * statement, so that a row that changes in the meantime appears once. They read only the index, and then the rows of the
 * page.
 */
export async function walkNewestFirst(
  tx: Pick<Tx, 'all'>,
  { table, select }: ListSource,
  { all, any, ...span }: Walk,
  { after, limit }: Slice,
): Promise<SqlRow[]> {
  const params: SqlValue[] = []
  // PostgreSQL would plan a statement for each call whose limit is a parameter.
  const most = PAGES.find((size) => size >= limit) ?? limit
  const combinations = combine(any)
  const walks = combinations.map((values) => {
    const where = makeWhere(params)
    for (const [column, value] of Object.entries({ ...all, ...values })) where.and(`${column} = ?`, value)
    addCreation(where, span, after)
    return `where ${where.text()} ${NEWEST_FIRST} limit ${most}`
  })
  const [only = ''] = walks
  const isOfSpan = span.created_from !== undefined || span.created_to !== undefined
  const isFiltered = isOfSpan || Object.keys({ ...all, ...combinations[0] }).length > 1
  if (walks.length === 1) {
    const sql = `${select} ${only}${isFiltered ? ` ${CUSTOM_PLAN_COMMENT}` : ''}`
    return (await tx.all(sql, ...params)).slice(0, limit)
  }
  const union = walks
    .map((walk, index) => `select * from (select created_at, seq from ${table} ${walk}) as walk_${index}`)
    .join(' union all ')
  const rows = await tx.all(
    `${select} where seq in (select seq from (${union}) as walks ${NEWEST_FIRST} limit ${most})
     ${NEWEST_FIRST} ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.slice(0, limit)
}

/** Returns every combination of one value of each column. A repeated value counts once. */
function combine(any: Walk['any']): Record<string, SqlValue>[] {
  let combined: Record<string, SqlValue>[] = [{}]
  for (const [column, values] of Object.entries(any)) {
    if (values === undefined) continue
    combined = combined.flatMap((one) => [...new Set(values)].map((value) => ({ ...one, [column]: value })))
  }
  return combined
}

/** The source of a scan. */
export type ScanSource = {
  table: string
  /** `select … from` that table. */
  select: string
  /** A unique column of the table, which the index contains. */
  key: string
  /** The columns that the filter reads: columns of an index, or `*` for whole rows. */
  columns: string
  /** The order of the entries, the same as that of an index, and the columns of a position. */
  order: string
  position: readonly string[]
}

/**
 * `last` is the entry at which the scan stopped; undefined when the page is full or no entries are left. `looked` is
 * the number of entries that were read.
 */
export type ScannedPage = { rows: SqlRow[]; looked: number; last: SqlRow | undefined }

type Conditions = { addEntries(where: Where): void; addFits(where: Where): void }

/** The statement that reads the matching rows among the next entries; its last parameters are their number and the limit. */
function scanOf(
  { table, select, key, columns, order }: ScanSource,
  { addEntries, addFits }: Conditions,
): { sql: string; params: SqlValue[]; entries: string; entryParams: SqlValue[] } {
  const params: SqlValue[] = []
  const entry = makeWhere(params)
  addEntries(entry)
  const entries = `from ${table} where ${entry.text()} ${order}`
  const entryParams = params.slice()
  const fits = makeWhere(params)
  addFits(fits)
  const sql = `${select} where ${key} in (select ${key} from (
       select ${columns} ${entries} limit $${params.length + 1}
     ) as entries where ${fits.text()} ${order} limit $${params.length + 2}) ${order} ${CUSTOM_PLAN_COMMENT}`
  return { sql, params, entries, entryParams }
}

/** Returns the matching rows among the first few entries of an index: a full page where most match. */
export function scanFirstEntries(
  tx: Tx,
  scanned: ScanSource,
  conditions: Conditions,
  limit: number,
): Promise<SqlRow[]> {
  const { sql, params } = scanOf(scanned, conditions)
  return tx.all(sql, ...params, limit * FIRST_ENTRIES_FACTOR, limit)
}

/** Returns the matching rows among the next entries of an index. Reads at most `scan` entries. */
export async function scanPage(
  tx: Tx,
  scanned: ScanSource,
  conditions: Conditions,
  { limit, scan }: { limit: number; scan: number },
): Promise<ScannedPage> {
  const { sql, params, entries, entryParams } = scanOf(scanned, conditions)
  // The engine reads all entries before it compares the first, and often a few of them fill the page.
  let most = Math.min(limit * FIRST_ENTRIES_FACTOR, scan)
  let rows = await tx.all(sql, ...params, most, limit)
  while (rows.length < limit && most < scan) {
    most = most * FIRST_ENTRIES_FACTOR * 2 > scan ? scan : most * FIRST_ENTRIES_FACTOR
    rows = await tx.all(sql, ...params, most, limit)
  }
  if (rows.length === limit) return { rows, looked: scan, last: undefined }
  const counted = await tx.get(
    `select count(*) as looked from (select ${scanned.key} ${entries} limit $${entryParams.length + 1}) as entries`,
    ...entryParams,
    scan,
  )
  const looked = readIntegerColumn(counted, 'looked')
  if (looked < scan) return { rows, looked, last: undefined }
  const last = await tx.get(
    `select ${scanned.position.join(', ')} ${entries} limit 1 offset $${entryParams.length + 1}`,
    ...entryParams,
    scan - 1,
  )
  return { rows, looked, last }
}
