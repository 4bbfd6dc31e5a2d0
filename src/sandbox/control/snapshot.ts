/**
 * A snapshot: the whole store at one instant, as lines of JSON that either engine loads. The first line says what it is,
 * each further one is a row, `[table, value, …]`, and the last one counts the rows and holds the SHA-256 of all before it.
 */
import { serviceNow } from '../../core/clock.ts'
import type { Db, Value } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import { dumpRows, replaceRows, snapshotTables, type TableRows } from '../../store/snapshot.ts'
import { CLEARING } from '../../store/status.ts'
import { assertSums } from '../../store/sums.ts'
import { SCHEMA_VERSION } from '../../store/version.ts'
import { loadWorld } from '../../store/world.ts'
import { PLANNED_EVENTS } from '../drain.ts'

export type SnapshotHead = {
  dray_snapshot: 1
  schema_version: number
  seed: string
  /** The time of the store's clock. */
  service_time: string
}

export type Chunks = AsyncIterable<Uint8Array>

/** Longer than any row: a picture is the largest. */
const LONGEST_LINE = 16 * 1_048_576
/** Rows that are put in at once. */
const PAGE = 500

/** Writes the store as it is at this moment; `realNow` is the machine's clock. */
export async function saveSnapshot(
  db: Db,
  realNow: number,
  write: (chunk: Uint8Array) => void,
): Promise<SnapshotHead> {
  return db.read(
    async (tx) => {
      const hash = newHash()
      const put = (text: string): void => {
        const bytes = Buffer.from(text)
        hash.update(bytes)
        write(bytes)
      }
      const { world, clock } = await loadWorld(tx)
      const now = serviceNow(clock, realNow)
      const head: SnapshotHead = {
        dray_snapshot: 1,
        schema_version: SCHEMA_VERSION,
        seed: world.seed,
        service_time: toTimestamp(now),
      }
      put(`${JSON.stringify(head)}\n`)
      let count = 0
      for await (const { table, rows } of dumpRows(tx, now)) {
        count += rows.length
        put(rows.map((row) => `${JSON.stringify([table, ...row.map(toJson)])}\n`).join(''))
      }
      write(Buffer.from(`${JSON.stringify({ rows: count, sha256: hash.digest('hex') })}\n`))
      return head
    },
    { long: true },
  )
}

/**
 * Puts a snapshot in the place of all that the store holds: all of it or, when anything is wrong with it, nothing. It is
 * read twice: once before anything is changed. Throws `invalid_request`.
 */
export async function loadSnapshot(db: Db, realNow: number, open: () => Chunks): Promise<SnapshotHead> {
  let head: SnapshotHead | undefined
  const read = (): AsyncGenerator<TableRows> => readSnapshot(open(), (found) => (head = found))
  for await (const _page of read()) continue
  try {
    await db.write(async (tx) => {
      await replaceRows(tx, read(), realNow)
      await loadWorld(tx)
      await assertSums(tx, db.kind, PLANNED_EVENTS, (why) => refused(why))
    }, CLEARING)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refused('its rows contradict each other', error)
  }
  if (head === undefined) throw refused('it is empty')
  return head
}

/** The rows of a snapshot, checked as they come and as a whole at the end. */
async function* readSnapshot(
  chunks: Chunks,
  onHead: (head: SnapshotHead) => void,
): AsyncGenerator<TableRows> {
  const hash = newHash()
  const rows = makeRows()
  let state: 'head' | 'rows' | 'over' = 'head'
  for await (const line of splitLines(chunks)) {
    const value = parse(line)
    if (state === 'over') throw refused('it goes on after its end')
    if (state === 'head') {
      onHead(readHead(value))
      state = 'rows'
    } else if (Array.isArray(value)) {
      const full = rows.add(value as unknown[])
      if (full !== undefined) yield full
    } else {
      assertEnd(value, rows.count(), hash.digest('hex'))
      state = 'over'
      continue
    }
    hash.update(line).update('\n')
  }
  if (state !== 'over') throw refused(state === 'head' ? 'it is empty' : 'it is cut off')
  const last = rows.last()
  if (last !== undefined) yield last
}

function assertEnd(value: unknown, count: number, sum: string): void {
  const { rows, sha256 } = (value ?? {}) as { rows?: unknown; sha256?: unknown }
  if (rows !== count || sha256 !== sum)
    throw refused('it is damaged: its contents do not match its last line')
}

/** Collects rows into pages of one table; `add` gives a page that is full. */
function makeRows(): {
  add(row: readonly unknown[]): TableRows | undefined
  count(): number
  last(): TableRows | undefined
} {
  const tables = new Map(snapshotTables().map((table, order) => [table.name, { ...table, order }]))
  let page: TableRows | undefined
  let count = 0
  let order = 0
  return {
    add([name, ...values]) {
      const table = typeof name === 'string' ? tables.get(name) : undefined
      if (table === undefined || table.order < order)
        throw refused(`line ${count + 2} is not a row of a store`)
      const row = readRow(table, values, count + 2)
      order = table.order
      count += 1
      const full =
        page !== undefined && (page.table !== table.name || page.rows.length >= PAGE) ? page : undefined
      if (page === undefined || full !== undefined)
        page = { table: table.name, columns: table.columns.map((column) => column.name), rows: [] }
      page.rows.push(row)
      return full
    },
    count: () => count,
    last: () => page,
  }
}

function readHead(value: unknown): SnapshotHead {
  const head = (typeof value === 'object' && value !== null ? value : {}) as Partial<SnapshotHead>
  if (head.dray_snapshot !== 1) throw refused('it is something else')
  if (head.schema_version !== SCHEMA_VERSION) {
    throw refused(
      `it was saved with schema ${String(head.schema_version).slice(0, 20)}, and this dray has ${SCHEMA_VERSION}`,
    )
  }
  const { seed, service_time } = head
  if (typeof seed !== 'string' || typeof service_time !== 'string') throw refused('its first line is damaged')
  return { dray_snapshot: 1, schema_version: SCHEMA_VERSION, seed, service_time }
}

type Column = { name: string; kind: 'int' | 'text' | 'blob' }

function readRow(
  { name, columns }: { name: string; columns: readonly Column[] },
  values: readonly unknown[],
  line: number,
): Value[] {
  const row = values.map((value, index) => toValue(value, columns[index]?.kind))
  if (values.length === columns.length && row.every((value) => value !== undefined)) return row
  throw refused(`line ${line} is not a row of ${name}`)
}

function toValue(value: unknown, kind: Column['kind'] | undefined): Value | undefined {
  if (value === null) return null
  if (kind === 'int') return Number.isSafeInteger(value) ? (value as number) : undefined
  if (kind === 'text') return typeof value === 'string' ? value : undefined
  const text = (value as { base64?: unknown }).base64
  if (kind !== 'blob' || typeof text !== 'string') return undefined
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    return undefined
  }
}

function toJson(value: Value): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

async function* splitLines(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)])
      pieces = []
      length = 0
      start = end + 1
    }
    pieces.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > LONGEST_LINE) throw refused('it is something else')
  }
  if (length > 0) yield Buffer.concat(pieces)
}

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as unknown
  } catch {
    throw refused('it is something else, or damaged')
  }
}

function newHash(): {
  update(data: Uint8Array | string): ReturnType<typeof newHash>
  digest(form: 'hex'): string
} {
  return process.getBuiltinModule('node:crypto').createHash('sha256')
}

function refused(why: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `This snapshot cannot be loaded: ${why}. Nothing was changed.`, {
    ...(cause !== undefined && { cause }),
  })
}
