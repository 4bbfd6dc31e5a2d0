/**
 * The baseline of the service, run as a child process. `node:http` reads the request and returns the given bytes,
 * after one SELECT or the same INSERTs if a store is named. `node bench/baseline-server.ts <answer.json>`, a `Plan`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import type { BenchTableRows } from './baseline-insert.ts'

export type BaselineServerPlan = {
  headers: Record<string, string>
  body: string
  select?: { store: string; text: string; values: string[] }
  /** Rows that are written before each response, in one transaction, into tables named `bench_…`. */
  insert?: { store: string; rows: BenchTableRows }
}

const [, , file = ''] = process.argv
const { headers, body, select, insert } = JSON.parse(readFileSync(file, 'utf8')) as BaselineServerPlan
const before = select === undefined ? insert && (await openInsert(insert)) : await openSelect(select)
const bytes = Buffer.from(body)

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    const answer = (): void => {
      response.writeHead(200, { ...headers, 'Content-Length': bytes.length }).end(bytes)
    }
    if (before === undefined) answer()
    else void before().then(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})

async function openSelect({
  store,
  text,
  values,
}: NonNullable<BaselineServerPlan['select']>): Promise<() => Promise<unknown>> {
  if (store.startsWith('postgres:')) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: store, max: 10 })
    return () => pool.query({ name: 'select', text, values })
  }
  const statement = new DatabaseSync(store, { readOnly: true }).prepare(text.replaceAll(/\$\d+/g, '?'))
  return async () => statement.all(...values)
}

async function openInsert({
  store,
  rows,
}: NonNullable<BaselineServerPlan['insert']>): Promise<() => Promise<unknown>> {
  const inserts = rows.flatMap(({ table, columns, rows: all }) => {
    const places = columns.map((_, index) => `$${index + 1}`).join(', ')
    const text = `insert into bench_${table} (${columns.join(', ')}) values (${places})`
    return all.map((values) => ({ name: table, text, values }))
  })
  if (store.startsWith('postgres:')) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: store, max: 10 })
    return async () => {
      const client = await pool.connect()
      await client.query('begin')
      for (const statement of inserts) await client.query(statement)
      await client.query('commit')
      client.release()
    }
  }
  const db = new DatabaseSync(store, { timeout: 5000 })
  db.exec('pragma synchronous = full; pragma journal_mode = wal')
  const prepared = inserts.map(({ text, values }) => ({
    statement: db.prepare(text.replaceAll(/\$\d+/g, '?')),
    values,
  }))
  return async () => {
    db.exec('begin immediate')
    for (const { statement, values } of prepared) statement.run(...values)
    db.exec('commit')
  }
}
