/** Measures the upload of 500 parcels beside the same rows written by a bare loop. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BenchTableRows } from './baseline-insert.ts'
import { median, type FigureTable } from './figures.ts'
import { manifestCsv } from './manifests.ts'
import { dray, runChild } from './program.ts'
import { type Homes, UPLOADED } from './startup.ts'

const TABLES = ['shipments', 'shipment_events', 'timeline', 'events', 'idempotency']
const SCRIPT = join(import.meta.dirname, 'bare-insert.ts')
const STORE = 'data/default/dray.db'

/**
 * Measures the upload. `uploadMs` is the time of the whole command. Also returns the parcels per second of the bare
 * loop.
 */
export async function measureUpload(
  { folder, fresh }: Homes,
  uploadMs: number,
  rounds: number,
): Promise<{ table: FigureTable; perSecond: number }> {
  const scratch = join(folder, 'scratch')
  const manifest = join(folder, 'rows.csv')
  writeFileSync(manifest, manifestCsv(UPLOADED, 'Q'))
  const renew = () => {
    rmSync(scratch, { recursive: true, force: true })
    cpSync(fresh, scratch, { recursive: true })
  }
  renew()
  const before = readTableRows(join(scratch, STORE), TABLES)
  await runChild(dray(scratch, 'carrier', 'upload', manifest, '--yes', '--json', '--results', 'none'))
  const rows = without(readTableRows(join(scratch, STORE), TABLES), before)
  const file = join(folder, 'rows.json')
  writeFileSync(file, JSON.stringify(rows))

  const loops: number[] = []
  const wholes: number[] = []
  for (let round = 0; round < rounds; round++) {
    renew()
    const { milliseconds, stdout } = await runChild({
      args: [SCRIPT, file, join(scratch, STORE)],
      home: scratch,
    })
    loops.push(Number(stdout))
    wholes.push(milliseconds)
  }
  const loop = median(loops)
  const written = rows.reduce((sum, table) => sum + table.rows.length, 0)
  return {
    table: {
      title: `${UPLOADED} parcels, ${written} rows in one durable transaction`,
      heads: ['ms', 'of the bare loop'],
      lines: [
        {
          what: 'dray carrier upload, the whole command',
          cells: [uploadMs.toFixed(1), (uploadMs / loop).toFixed(1)],
        },
        { what: 'bare node:sqlite loop, opening and closing the store', cells: [loop.toFixed(1), '1.0'] },
        {
          what: 'the same with the process around it',
          cells: [median(wholes).toFixed(1), (median(wholes) / loop).toFixed(1)],
        },
      ],
    },
    perSecond: (UPLOADED / loop) * 1000,
  }
}

/** Returns all rows of these tables. */
export function readTableRows(store: string, tables: readonly string[]): BenchTableRows {
  const db = new DatabaseSync(store, { readOnly: true })
  try {
    return tables.map((table) => {
      const statement = db.prepare(`select * from ${table}`)
      const columns = statement.columns().map(({ name }) => name)
      return {
        table,
        columns,
        rows: statement.all().map((row) => columns.map((column) => row[column] as string | number | null)),
      }
    })
  } finally {
    db.close()
  }
}

/** Returns the rows of `after` that are not in `before`. */
export function without(after: BenchTableRows, before: BenchTableRows): BenchTableRows {
  return after.map((table, at) => {
    const known = new Set(before[at]?.rows.map((row) => JSON.stringify(row)))
    return { ...table, rows: table.rows.filter((row) => !known.has(JSON.stringify(row))) }
  })
}
