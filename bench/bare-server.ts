/**
 * The floor of the service, run as a child: `node:http` that reads the request and answers the bytes it was given, after
 * one SELECT where a store is named. `node bench/bare-server.ts <answer.json>`, a `Plan`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

export type Plan = {
  headers: Record<string, string>
  body: string
  select?: { store: string; parameter: string }
}

const SELECT = 'select * from shipments where tracking_number = $1'

const [, , file = ''] = process.argv
const { headers, body, select } = JSON.parse(readFileSync(file, 'utf8')) as Plan
const read = select === undefined ? undefined : await openSelect(select)
const bytes = Buffer.from(body)

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    const answer = (): void => {
      response.writeHead(200, { ...headers, 'Content-Length': bytes.length }).end(bytes)
    }
    if (read === undefined) answer()
    else void read().then(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})

async function openSelect({
  store,
  parameter,
}: NonNullable<Plan['select']>): Promise<() => Promise<unknown>> {
  if (store.startsWith('postgres:')) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: store, max: 10 })
    return () => pool.query({ name: 'select', text: SELECT, values: [parameter] })
  }
  const statement = new DatabaseSync(store, { readOnly: true }).prepare(SELECT.replace('$1', '?'))
  return async () => statement.get(parameter)
}
