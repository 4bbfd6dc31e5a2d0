/** The built program through PgBouncer of Debian, which lends a connection for one transaction. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from '../support/after-file.ts'
import type { Shipment, Shipments } from '../support/answers.ts'
import { recordTally } from '../support/battery.ts'
import { createCommand } from '../support/clerk.ts'
import { installProgram } from '../support/debian.ts'
import { makeParcel } from '../support/parcel.ts'
import { findFreePort } from '../support/postgres-server.ts'
import { createDatabase } from '../support/postgres.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

const MAX_POOLER_TEST_MS = 600_000
/** More callers than connections to the server, so that each caller meets what others left. */
const CONNECTIONS = 3
const WRITERS = 16
const CALLS = 40

beforeAll(async () => {
  await builtProgram()
  await installProgram('pgbouncer', 'pgbouncer')
}, MAX_POOLER_TEST_MS)

/** Starts a pooler before a new database. Returns its address. */
async function startPooler(): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(await createDatabase())
  const folder = await makeTempFolder()
  const own = await findFreePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
dray = host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
max_client_conn = 200
`,
  )
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const child = spawn('pgbouncer', ['-u', 'nobody', config], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  afterFile(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const url = `postgres://dray@127.0.0.1:${own}/dray`
  await expect.poll(() => ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  return url
}

async function ask(url: string, query: string): Promise<unknown[] | string> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return (await client.query(query)).rows
  } catch (error) {
    return String(error)
  } finally {
    await client.end().catch(() => {})
  }
}

describe.each(['?pooler=transaction', ''])('through a pooler in transaction mode, named %j', (named) => {
  test(
    'two nodes and commands create each parcel once, and leave nothing behind',
    { timeout: MAX_POOLER_TEST_MS },
    async () => {
      const pooler = await startPooler()
      const home = await makeTempFolder()
      const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_STORE: pooler + named }
      const minted = await startDray(splitCommandLine('sandbox account token everything --json'), { env })
        .ended
      expect(minted.exitCode, minted.stderr).toBe(0)
      const { token } = minted.json<{ token: string }>()
      for (const reference of ['C-1', 'C-2']) {
        const ran = await startDray(splitCommandLine(createCommand(reference, '--json')), { env }).ended
        expect(ran.exitCode, ran.stderr).toBe(0)
      }
      const servers = [1, 2].map((node) =>
        startDray(
          splitCommandLine(`serve --port 0 --json --rate-limit 1000000 --log ${join(home, `log-${node}`)}`),
          {
            env,
          },
        ),
      )
      const urls = await Promise.all(servers.map(readServerUrl))
      const statuses: Record<string, number> = {}
      const numbers = new Set<string>()
      const begun = performance.now()
      const write = async (writer: number): Promise<void> => {
        for (let call = 0; call < CALLS; call++) {
          // Each reference is wanted by two writers, on either node, under one key.
          const reference = `W${writer >> 1}-${call}`
          const response = await fetch(`${urls[writer % 2]}/v1/shipments`, {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${token}`,
              'Content-Type': 'application/json',
              'Idempotency-Key': reference,
            },
            body: JSON.stringify(makeParcel({ reference })),
          })
          statuses[response.status] = (statuses[response.status] ?? 0) + 1
          numbers.add(((await response.json()) as Shipment).tracking_number)
        }
      }
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
      const seconds = (performance.now() - begun) / 1000
      const listed = await startDray(splitCommandLine('carrier list --all --json'), { env }).ended
      const { data } = listed.json<Shipments>()
      const wanted = (WRITERS * CALLS) / 2 + 2
      recordTally({
        tries: WRITERS * CALLS,
        lost: Math.max(0, wanted - data.length),
        doubled: Math.max(0, data.length - wanted),
        broken: WRITERS * CALLS - (statuses[201] ?? 0),
        note: `${named || 'found by itself'}: ${Math.round((WRITERS * CALLS) / seconds)} calls a second over ${CONNECTIONS} connections`,
      })
      expect(statuses).toEqual({ 201: WRITERS * CALLS })
      expect(numbers.size).toBe(wanted - 2)
      expect(data).toHaveLength(wanted)
      // A setting for longer than a transaction, or a prepared statement, would meet the next client of the pooler.
      for (let client = 0; client < CONNECTIONS * 2; client++) {
        expect(
          await ask(
            pooler,
            `select current_setting('statement_timeout') as ms, count(*) from pg_prepared_statements`,
          ),
        ).toEqual([{ ms: '0', count: '0' }])
      }
      for (const server of servers) {
        server.kill('SIGTERM')
        expect((await server.ended).exitCode).toBe(0)
      }
    },
  )
})
