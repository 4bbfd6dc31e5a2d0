/** Reads a snapshot: `snapshot.ts` says its form. */
import type { SqlValue } from '../../core/db.ts'
import { listSnapshotTables, type TableRows } from '../../db/snapshot.ts'
import { SCHEMA_VERSION } from '../../db/version.ts'

export type SnapshotHead = {
  dray_snapshot: 1
  schema_version: number
  seed: string
  /** The time of the store's clock. */
  service_time: string
}

export type Chunks = AsyncIterable<Uint8Array>

/** A file that is no snapshot, or a damaged one; the message follows a colon. */
export class SnapshotFault extends Error {}

/** Longer than any row: a picture is the largest. */
const MAX_SNAPSHOT_LINE_BYTES = 16 * 1_048_576
/** Rows that are put in at once. */
const PAGE = 500

/**
 * Yields the rows of a snapshot, checked as they come and as a whole at the end. With `oldest` those of older schemas are read,
 * too: in the tables of their own version. Throws SnapshotFault.
 */
export async function* readSnapshot(
  chunks: Chunks,
  onHead: (head: SnapshotHead) => void,
  oldest = SCHEMA_VERSION,
): AsyncGenerator<TableRows> {
  const hash = newHash()
  let rows = makeRows(SCHEMA_VERSION)
  let state: 'head' | 'rows' | 'over' = 'head'
  for await (const line of splitLines(chunks)) {
    const value = parse(line)
    if (state === 'over') throw new SnapshotFault('it goes on after its end')
    if (state === 'head') {
      const head = readHead(value, oldest)
      onHead(head)
      rows = makeRows(head.schema_version)
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
  if (state !== 'over') throw new SnapshotFault(state === 'head' ? 'it is empty' : 'it is cut off')
  const last = rows.last()
  if (last !== undefined) yield last
}

function assertEnd(value: unknown, count: number, sum: string): void {
  const { rows, sha256 } = (value ?? {}) as { rows?: unknown; sha256?: unknown }
  if (rows !== count || sha256 !== sum)
    throw new SnapshotFault('it is damaged: its contents do not match its last line')
}

/** Collects rows into pages of one table; `add` gives a page that is full. */
function makeRows(version: number): {
  add(row: readonly unknown[]): TableRows | undefined
  count(): number
  last(): TableRows | undefined
} {
  const tables = new Map(listSnapshotTables(version).map((table, order) => [table.name, { ...table, order }]))
  let page: TableRows | undefined
  let count = 0
  let order = 0
  return {
    add([name, ...values]) {
      const table = typeof name === 'string' ? tables.get(name) : undefined
      if (table === undefined || table.order < order)
        throw new SnapshotFault(`line ${count + 2} is not a row of a store`)
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

function readHead(value: unknown, oldest: number): SnapshotHead {
  const head = (typeof value === 'object' && value !== null ? value : {}) as Partial<SnapshotHead>
  if (head.dray_snapshot !== 1) throw new SnapshotFault('it is something else')
  const { seed, service_time, schema_version: version } = head
  if (!Number.isInteger(version) || Number(version) < oldest || Number(version) > SCHEMA_VERSION)
    throw new SnapshotFault(
      `it was saved with schema ${String(version).slice(0, 20)}, and this dray has ${SCHEMA_VERSION}`,
    )
  if (typeof seed !== 'string' || typeof service_time !== 'string')
    throw new SnapshotFault('its first line is damaged')
  return { dray_snapshot: 1, schema_version: Number(version), seed, service_time }
}

type Column = { name: string; kind: 'int' | 'text' | 'blob' }

function readRow(
  { name, columns }: { name: string; columns: readonly Column[] },
  values: readonly unknown[],
  line: number,
): SqlValue[] {
  const row = values.map((value, index) => toValue(value, columns[index]?.kind))
  if (values.length === columns.length && row.every((value) => value !== undefined)) return row
  throw new SnapshotFault(`line ${line} is not a row of ${name}`)
}

function toValue(value: unknown, kind: Column['kind'] | undefined): SqlValue | undefined {
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
    if (length > MAX_SNAPSHOT_LINE_BYTES) throw new SnapshotFault('it is something else')
  }
  if (length > 0) yield Buffer.concat(pieces)
}

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as unknown
  } catch {
    throw new SnapshotFault('it is something else, or damaged')
  }
}

export function newHash(): {
  update(data: Uint8Array | string): ReturnType<typeof newHash>
  digest(form: 'hex'): string
} {
  return process.getBuiltinModule('node:crypto').createHash('sha256')
}
