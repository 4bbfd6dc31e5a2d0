/**
 * The baseline of an upload, run as a child process. It writes the given rows with only `node:sqlite`, in one
 * transaction, as durably as the store does. It prints the milliseconds from opening to closing the file. `node
 * bench/baseline-insert.ts <rows.json> <store>`
 */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export type BenchTableRows = { table: string; columns: string[]; rows: (string | number | null)[][] }[]

const [, , file = '', store = ''] = process.argv
const tables = JSON.parse(readFileSync(file, 'utf8')) as BenchTableRows

const started = performance.now()
const db = new DatabaseSync(store, { timeout: 5000 })
db.exec('pragma synchronous = full; pragma journal_mode = wal')
db.exec('begin immediate')
for (const { table, columns, rows } of tables) {
  const insert = db.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of rows) insert.run(...row)
}
db.exec('commit')
db.close()
console.log(performance.now() - started)
