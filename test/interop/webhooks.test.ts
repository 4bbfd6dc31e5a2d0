/**
 * Webhooks of two nodes over one PostgreSQL, to a receiver in a process of its own. Each of them is killed again and again, and
 * the database crashes: every event comes, and those of one parcel in their order.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/library/client.ts'
import { recordTally, iterations } from '../support/battery.ts'
import { makeRows } from '../support/parcel.ts'
import { findFreePort, startOwn } from '../support/postgres-server.ts'
import {
  builtProgram,
  readServerUrl,
  startDray,
  type RunningProcess,
  splitCommandLine,
} from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

const BATCH = 500
/** Each parcel is told of four times. */
const BATCHES = iterations(1, 50)
/** A kill comes after each such part of what was received so far. */
const KILL_EVERY = 2500

type Line = [id: string, parcel: string, type: string, timestamp: string]

test('no event is lost, and no parcel has them out of order', { timeout: 7_200_000 }, async () => {
  await builtProgram()
  const postgres = await startOwn([])
  const home = await makeTempFolder()
  const file = join(home, 'received')
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_STORE: await postgres.createDatabase() }
  const run = (line: string) => startDray(splitCommandLine(line), { env }).ended
  const { token } = (await run('sandbox account token shipper --json')).json<{ token: string }>()

  const nodes: RunningProcess[] = []
  const urls: string[] = []
  const serve = async (at: number): Promise<void> => {
    const port = urls[at] === undefined ? 0 : new URL(urls[at]).port
    const node = startDray(splitCommandLine(`serve --port ${port} --json --log ${join(home, `log-${at}`)}`), {
      env,
    })
    nodes[at] = node
    urls[at] = await readServerUrl(node)
  }
  const kill = async (at: number): Promise<void> => {
    nodes[at]?.kill('SIGKILL')
    await nodes[at]?.ended
    await serve(at)
  }
  await serve(0)
  await serve(1)
  const clients = urls.map((baseUrl) => createClient({ baseUrl, token, timeoutMs: 600_000 }))
  const [client] = clients
  if (client === undefined) throw new Error('no node')

  const port = await findFreePort()
  const { secret } = await client.createWebhookEndpoint({ url: `http://127.0.0.1:${port}/` })
  const listen = async () => {
    const words = [join(import.meta.dirname, 'webhook-receiver.mjs'), String(port), secret, file]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return child
  }
  let receiver = await listen()
  const lines = (): Line[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => line.split(' ') as Line)
      : []

  const disasters = [
    async () => {
      receiver.kill('SIGKILL')
      await once(receiver, 'exit')
      receiver = await listen()
    },
    () => kill(0),
    () => postgres.crash(),
    () => kill(1),
  ]
  let kills = 0
  let next = KILL_EVERY
  const disturb = async (): Promise<void> => {
    if (lines().length < next) return
    next = lines().length + KILL_EVERY
    await disasters[kills++ % disasters.length]?.()
  }
  const advance = (by: string) => run(`sandbox clock advance ${by}`)

  try {
    for (let batch = 0; batch < BATCHES; batch += 2) {
      await Promise.all(
        clients.map((each, at) =>
          each.createShipmentsBatch({ shipments: makeRows(BATCH, `B${batch + at}-`) as never }),
        ),
      )
      await advance('1d')
      await disturb()
    }
    await advance('14d')
    const expected = await readEvents(client)
    const isComplete = async (): Promise<boolean> => {
      await disturb()
      // An attempt that failed is made again by the sandbox clock.
      await advance('6m')
      return new Set(lines().map(([id]) => id)).size >= expected.length
    }
    await expect.poll(isComplete, { timeout: 3_600_000, interval: 500 }).toBe(true)
    const got = lines()
    const { lost, disordered } = judge(got, expected)
    const doubled = got.length - new Set(got.map(([id]) => id)).size
    recordTally({
      tries: expected.length,
      lost,
      broken: disordered,
      note: `${expected.length} events through ${kills} kills, ${doubled} came again`,
    })
    expect({ lost, disordered, kills: kills > 0 }).toEqual({ lost: 0, disordered: 0, kills: true })
  } finally {
    receiver.kill('SIGKILL')
    for (const node of nodes) node.kill('SIGKILL')
    await Promise.all(nodes.map(({ ended }) => ended))
    await postgres.stop()
  }
})

type ParcelEvent = { parcel: string; said: string }

/** Returns all events of the account by the list of the service, oldest first. */
async function readEvents(client: ReturnType<typeof createClient>): Promise<ParcelEvent[]> {
  const told: ParcelEvent[] = []
  for (let after = '0', more = true; more;) {
    const { data, last, has_more } = await client.listAccountEvents({ after })
    told.push(...data.map((each) => ({ parcel: each.resource_id, said: `${each.type} ${each.timestamp}` })))
    ;[after, more] = [last, has_more]
  }
  return told
}

/** Counts events that never came, and parcels whose events came first in another order than they happened. */
function judge(got: readonly Line[], expected: readonly ParcelEvent[]): { lost: number; disordered: number } {
  const first = new Map(
    got.toReversed().map(([id, parcel, type, timestamp]) => [id, { parcel, said: `${type} ${timestamp}` }]),
  )
  const ids = [...new Set(got.map(([id]) => id))]
  const came = Map.groupBy(
    ids.flatMap((id) => first.get(id) ?? []),
    ({ parcel }) => parcel,
  )
  const happened = Map.groupBy(expected, ({ parcel }) => parcel)
  let [lost, disordered] = [0, 0]
  for (const [parcel, events] of happened) {
    const own = came.get(parcel) ?? []
    const missing = events.filter(({ said }) => !own.some((each) => each.said === said)).length
    lost += missing
    if (missing === 0 && own.some(({ said }, at) => said !== events[at]?.said)) disordered++
  }
  return { lost, disordered }
}
