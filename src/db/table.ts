/** Maps rows of a table to records, and records to rows. Queries stay SQL, in the stores. */
import type { SqlRow, Tx, SqlValue } from '../core/db.ts'

/** The kind of a column, by the type of the record's field. Lists of words are stored with one blank between words. */
type ColumnKind<T, Optional> = Optional extends true
  ? NonNullable<T> extends string
    ? 'text or absent'
    : never
  : unknown extends T
    ? 'json'
    : [T] extends [string]
      ? 'text'
      : [T] extends [string | null]
        ? 'text or null'
        : [T] extends [number]
          ? 'integer'
          : [T] extends [number | null]
            ? 'integer or null'
            : [T] extends [boolean]
              ? 'boolean'
              : [T] extends [readonly string[]]
                ? 'words' | 'json'
                : [T] extends [Uint8Array]
                  ? 'bytes'
                  : 'json'

/**
 * A field that is computed from columns, and how its own column is written. Without `to` it has no column of its own;
 * the columns that it is computed from have writers of their own.
 */
type ComputedField<T, W = never> = { from: (row: SqlRow) => T; to?: (record: W) => SqlValue }

type Field<R, K extends keyof R, W> =
  | ColumnKind<R[K], object extends Pick<R, K> ? true : false>
  // The column's name, if it differs from the field's.
  | readonly [ColumnKind<R[K], object extends Pick<R, K> ? true : false>, string]
  | ComputedField<R[K], W>

/** The fields of a record, each with the kind of its column. */
type Fields<R, W = R> = { readonly [K in keyof R]-?: Field<R, K, W> }

type AnyField = string | readonly [string, string] | ComputedField<unknown>
type Writer<W> = (record: W) => SqlValue

type Plan = {
  /** Every required field, so that all records have the same shape from the start. */
  blank: Record<string, unknown>
  /** Fields with the value of their column. */
  plain: { names: string[]; columns: string[] }
  others: { name: string; read: (row: SqlRow) => unknown; isOptional: boolean }[]
}

/**
 * Returns a function that maps rows to records. It plans the mapping once, so that each row costs no more than its
 * record.
 */
export function defineRow<R>(fields: Fields<R>): (row: SqlRow) => R {
  return compile(fields as Readonly<Record<string, AnyField>>) as (row: SqlRow) => R
}

function compile(fields: Readonly<Record<string, AnyField>>): (row: SqlRow) => unknown {
  // Planned with the first row, because most commands read few of the tables that they load.
  let planned: Plan | undefined
  return (row) => {
    planned ??= plan(fields)
    const { blank, plain, others } = planned
    const { names, columns } = plain
    const count = names.length
    const record = { ...blank }
    for (let at = 0; at < count; at++) record[names[at] as string] = row[columns[at] as string]
    for (const { name, read, isOptional } of others) {
      const value = read(row)
      if (!isOptional || value !== null) record[name] = value
    }
    return record
  }
}

function plan(fields: Readonly<Record<string, AnyField>>): Plan {
  const planned: Plan = { blank: {}, plain: { names: [], columns: [] }, others: [] }
  for (const [name, field] of Object.entries(fields)) {
    const { kind, column, from } = describe(name, field)
    const isOptional = kind.endsWith('absent')
    const read = from ?? READERS[kind]?.(column)
    if (!isOptional) planned.blank[name] = null
    if (read !== undefined) planned.others.push({ name, read, isOptional })
    else if (isOptional) planned.others.push({ name, read: (row: SqlRow) => row[column] ?? null, isOptional })
    else {
      planned.plain.names.push(name)
      planned.plain.columns.push(column)
    }
  }
  return planned
}

type ColumnDescription = { kind: string; column: string } & Partial<ComputedField<unknown>>

function describe(name: string, field: AnyField): ColumnDescription {
  if (typeof field === 'string') return { kind: field, column: name }
  if ('from' in field) return { kind: 'made', column: name, ...field }
  return { kind: field[0], column: field[1] }
}

/** Converters for the columns with another value than the field. */
const READERS: Readonly<Record<string, (column: string) => (row: SqlRow) => unknown>> = {
  boolean: (column) => (row) => row[column] === 1,
  json: (column) => (row) => JSON.parse(row[column] as string) as unknown,
  words: (column) => (row) => toWordList(row[column]),
}

const WRITERS: Readonly<Record<string, (value: unknown) => SqlValue>> = {
  boolean: (value) => (value === true ? 1 : 0),
  json: (value) => JSON.stringify(value),
  words: (value) => (value as readonly string[]).join(' '),
  'text or absent': (value) => (value as string | undefined) ?? null,
}

/** Splits the words of a column at blanks. */
function toWordList(value: SqlValue | undefined): string[] {
  return typeof value === 'string' && value !== '' ? value.split(' ') : []
}

type Definition<W, D extends string> = {
  name: string
  /** The column by which rows are found, locked and updated. */
  key: string
  /** `select … from` the table; by default it reads the columns of the fields. */
  select?: string
  /** True if `select` also reads the columns that are only written. */
  readsAll?: boolean
  /** The columns that may change, in the order in which `update` writes them. */
  changing?: readonly (keyof W | D)[]
}

/** Columns that are only written, each with a function that returns its value. */
type WriteOnlyColumns<W, D extends string> = { readonly [K in D]: Writer<W> }

type Table<R, W = R> = {
  /** Every written column, in the order of the declaration. */
  columns: readonly string[]
  /** `select … from` the table. */
  select: string
  map(row: SqlRow): R
  /** Inserts records in order and returns their number. With `ignoreConflicts`, skips records that conflict. */
  insert(tx: Tx, records: readonly W[], options?: { ignoreConflicts?: boolean }): Promise<number>
  find(tx: Tx, key: string): Promise<R | undefined>
  /** As `find`, and locks the row until this transaction ends. */
  lock(tx: Tx, key: string): Promise<R | undefined>
  /**
   * Locks the existing rows and returns their keys. It locks in a fixed order, so that two transactions cannot
   * deadlock.
   */
  lockMany(tx: Tx, keys: readonly string[], options: { skipLocked: boolean }): Promise<Set<string>>
  /** Returns the existing records by key. */
  findMany(tx: Tx, keys: readonly string[]): Promise<Map<string, R>>
  /** Returns the first record of `select` with `where`, which holds conditions and an order. */
  first(tx: Tx, where: string, ...params: SqlValue[]): Promise<R | undefined>
  /** Returns the records of `select` with `where`. */
  list(tx: Tx, where: string, ...params: SqlValue[]): Promise<R[]>
  /** Returns the records with these sequence numbers, in the given order. */
  listBySeq(tx: Tx, seqs: readonly number[]): Promise<R[]>
  /** Returns the values of some columns of a record. */
  valuesOf(record: W, columns: readonly string[]): SqlValue[]
  /** Writes the columns in `changing`. */
  update(tx: Tx, record: W): Promise<void>
  /** Returns the number of rows of each status. */
  countByStatus(tx: Tx): Promise<Record<string, number>>
}

/**
 * Declares a table with records of type `R`: the columns in order, each field's kind checked against its type. `D`
 * are columns that are only written, from `W`: a record, or a record with additional values for its row.
 */
export function defineTable<R extends object, D extends string = never, W extends object = R>(
  definition: Definition<W, D> & { columns: Fields<R, W> & WriteOnlyColumns<W, D> },
): Table<R, W> {
  return makeTable(definition as AnyDefinition<W>, compile(readable(definition.columns))) as Table<R, W>
}

/** As `defineTable`; every field of a record except the `Named` is stored in the last column, the document `doc`. */
export function defineDocTable<
  R extends object,
  Named extends keyof R,
  D extends string = never,
  W extends object = R,
>(
  definition: Definition<W, D | 'doc'> & { columns: Fields<Pick<R, Named>, W> & WriteOnlyColumns<W, D> },
): Table<R, W> {
  const { columns } = definition as AnyDefinition<W>
  const map = compile(readable(columns)) as (row: SqlRow) => object
  const doc = (record: W): SqlValue => {
    const rest: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(record)) if (!(field in columns)) rest[field] = value
    return JSON.stringify(rest)
  }
  return makeTable<W>(
    {
      ...definition,
      columns: { ...columns, doc: { from: (row) => row['doc'], to: doc } },
    } as AnyDefinition<W>,
    (row) => Object.assign(map(row), JSON.parse(row['doc'] as string)) as unknown,
  ) as Table<R, W>
}

/** As `defineDocTable`, for rows that no single column identifies: they are only added and listed. */
export function defineDocLog<R extends object, Named extends keyof R>(
  definition: Pick<Definition<R, never>, 'name'> & { columns: Fields<Pick<R, Named>, R> },
): Pick<Table<R>, 'insert' | 'list'> {
  return defineDocTable<R, Named>({ ...definition, key: 'none' })
}

type AnyColumns<W> = Readonly<Record<string, AnyField | Writer<W>>>
type AnyDefinition<W> = Omit<Definition<W, string>, 'changing'> & {
  changing?: readonly string[]
  columns: AnyColumns<W>
}

function readable(columns: object): Record<string, AnyField> {
  return Object.fromEntries(Object.entries(columns).filter(([, column]) => typeof column !== 'function'))
}

function makeTable<W>(definition: AnyDefinition<W>, map: (row: SqlRow) => unknown): Table<unknown, W> {
  const { name, key, changing = [], readsAll = false } = definition
  const { columns, writers, read } = planRows(definition.columns)
  const select = definition.select ?? `select ${(readsAll ? columns : read).join(', ')} from ${name}`
  const byKey = `${select} where ${key} = $1`
  const set = changing.map((column, index) => `${column} = $${index + 1}`).join(', ')
  const update = `update ${name} set ${set} where ${key} = $${changing.length + 1}`
  const byColumn = new Map(columns.map((column, index) => [column, writers[index] as Writer<W>]))
  const valuesOf = (record: W, named: readonly string[]): SqlValue[] =>
    named.map((column) => byColumn.get(column)?.(record) ?? null)
  const updated = [...changing, key]
  const count = `select status, count(*) as count from ${name} group by status order by status`
  const mapOne = (row: SqlRow | undefined): unknown => row && map(row)
  return {
    columns,
    select,
    map,
    insert: (tx, records, options) =>
      tx.insertMany(
        name,
        columns,
        records.map((record) => writers.map((write) => write(record))),
        options,
      ),
    find: async (tx, id) => mapOne(await tx.get(byKey, id)),
    lock: async (tx, id) => mapOne(await tx.get(`${byKey} ${tx.forUpdate}`, id)),
    ...readersOfMany({ name, key, select, map }),
    first: async (tx, where, ...params) => mapOne(await tx.get(`${select} ${where}`, ...params)),
    list: async (tx, where, ...params) => (await tx.all(`${select} ${where}`, ...params)).map(map),
    async listBySeq(tx, seqs) {
      if (seqs.length === 0) return []
      const rows = await tx.all(`${select} where seq in (${formatPlaceholders(seqs.length)})`, ...seqs)
      const bySeq = new Map(rows.map((row) => [row['seq'], row]))
      return seqs.flatMap((seq) => mapOne(bySeq.get(seq)) ?? [])
    },
    async update(tx, record) {
      await tx.runPipelined(update, ...valuesOf(record, updated))
    },
    valuesOf,
    async countByStatus(tx) {
      return Object.fromEntries((await tx.all(count)).map((row) => [row['status'], row['count']])) as Record<
        string,
        number
      >
    },
  }
}

/** Functions that read and lock many rows by key, a hundred in one statement. */
function readersOfMany({
  name,
  key,
  select,
  map,
}: {
  name: string
  key: string
  select: string
  map: (row: SqlRow) => unknown
}): Pick<Table<unknown, unknown>, 'lockMany' | 'findMany'> {
  return {
    async lockMany(tx, ids, { skipLocked }) {
      const locked = new Set<string>()
      await forEachChunk([...new Set(ids)].toSorted(), async (chunk) => {
        const rows = await tx.all(
          `select ${key} from ${name} where ${key} in (${formatPlaceholders(chunk.length)})
       order by ${key} ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
          ...chunk,
        )
        for (const row of rows) locked.add(row[key] as string)
      })
      return locked
    },
    async findMany(tx, ids) {
      const found = new Map<string, unknown>()
      await forEachChunk(ids, async (chunk) => {
        const rows = await tx.all(`${select} where ${key} in (${formatPlaceholders(chunk.length)})`, ...chunk)
        for (const row of rows) found.set(row[key] as string, map(row))
      })
      return found
    },
  }
}

/** Returns the columns in order, their writers, and the columns that are read. */
function planRows<W>(declared: AnyColumns<W>): {
  columns: string[]
  writers: Writer<W>[]
  read: string[]
} {
  const columns: string[] = []
  const writers: Writer<W>[] = []
  const read: string[] = []
  for (const [name, field] of Object.entries(declared)) {
    if (typeof field === 'function') {
      columns.push(name)
      writers.push(field)
      continue
    }
    const { kind, column, from, to } = describe(name, field)
    if (from !== undefined && to === undefined) continue
    columns.push(column)
    read.push(column)
    if (to !== undefined) {
      writers.push(to as Writer<W>)
      continue
    }
    const write = WRITERS[kind]
    const valueOf = (record: W): unknown => (record as Record<string, unknown>)[name]
    writers.push(write === undefined ? (valueOf as Writer<W>) : (record) => write(valueOf(record)))
  }
  return { columns, writers, read }
}

/** The length of an `in (…)` list. A fixed length keeps the number of prepared statements small. */
const CHUNK = 100

/** Calls `work` for each chunk of a list. */
export async function forEachChunk(
  values: readonly string[],
  work: (chunk: string[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < values.length; start += CHUNK) await work(values.slice(start, start + CHUNK))
}

/** Returns a list of parameters such as `$3, $4`: `count` of them, from `first` on. */
export function formatPlaceholders(count: number, first = 1): string {
  return Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')
}
