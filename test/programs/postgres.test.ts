/**
 * B16, B17, B19 and B26 of `reliability.md`: two nodes of the built program over a primary and a synchronous standby,
 * which change roles again and again under load. The primary is killed, frozen, cut off or stopped before.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Shipment } from '../support/answers.ts'
import { report, seed } from '../support/battery.ts'
import { createCommand } from '../support/clerk.ts'
import { installProgram } from '../support/debian.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel } from '../support/parcel.ts'
import { type Fault, type Pair, startPair } from '../support/postgres-pair.ts'
import { builtProgram, readUrl, start, type Started, toWords } from '../support/program.ts'
import { fc } from '../support/properties.ts'
import { ENGINES, makeFolder, openTestStore } from '../support/stores.ts'

const PROMOTIONS = Number(process.env['DRAY_PROMOTIONS'] ?? 50)
const FAULTS: readonly Fault[] = ['crash', 'freeze', 'cut', 'stop']
const WRITERS = 8
const LONGEST_MS = 3_600_000

let pair: Pair
let env: Record<string, string>
let nodes: { server: Started; url: string }[]
let token: string

beforeAll(async () => {
  await builtProgram()
  await installProgram('ip', 'iproute2')
  pair = await startPair()
  const home = await makeFolder()
  env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_STORE: pair.url }
  const minted = await start(toWords('sandbox account token shipper --json'), { env }).ended
  token = minted.json<{ token: string }>().token
  const servers = [1, 2].map((node) =>
    start(toWords(`serve --port 0 --json --log ${join(home, `log-${node}`)}`), { env }),
  )
  nodes = await Promise.all(servers.map(async (server) => ({ server, url: await readUrl(server) })))
}, LONGEST_MS)

afterAll(async () => {
  for (const { server } of nodes ?? []) {
    server.kill('SIGTERM')
    await server.ended
  }
  await pair?.stop()
}, LONGEST_MS)

/** What the writers asked for and were told. */
type History = {
  asked: Set<string>
  created: Map<string, string>
  refused: string[]
  last: number
  done: boolean
}

/** Creates parcels one after the other. Each call is repeated with its key, on the other node, until it is answered. */
async function write(writer: number, history: History): Promise<void> {
  for (let made = 0; !history.done; made++) {
    const reference = `W${writer}-${made}`
    history.asked.add(reference)
    for (let attempt = writer; ; attempt++) {
      const { status, body } = await create(nodes[attempt % nodes.length]?.url ?? '', reference)
      if (status === 201) {
        history.created.set(reference, (body as Shipment).tracking_number)
        history.last = performance.now()
        break
      }
      // No answer, a call under way, or a service that cannot answer now: the same call again.
      if (status !== 0 && status !== 409 && status !== 503) {
        history.refused.push(`${reference}: ${status} ${JSON.stringify(body)}`)
        break
      }
      await sleep(50)
    }
  }
}

async function create(url: string, reference: string): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(`${url}/v1/shipments`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': reference,
      },
      body: JSON.stringify(makeParcel({ reference })),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: undefined }
  }
}

/** Plays one failover. Returns how long no call was answered, from the fault on, in milliseconds. */
async function failOver(fault: Fault, history: History): Promise<number> {
  const begun = performance.now()
  await pair.fault(fault)
  await pair.promote()
  const promoted = performance.now()
  await expect.poll(() => history.last, { timeout: 120_000 }).toBeGreaterThan(promoted)
  const gap = history.last - begun
  pair.heal(fault)
  if (fault === 'cut' || fault === 'freeze') await createAnew(history)
  await pair.rejoin()
  return gap
}

/** The old primary runs, and takes itself for one: a command that starts now must not use it. */
async function createAnew(history: History): Promise<void> {
  const reference = `W-${history.asked.size}`
  history.asked.add(reference)
  const ran = await start(toWords(createCommand(reference, '--json')), { env }).ended
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0)
  history.created.set(reference, ran.json<Shipment>().tracking_number)
}

test(
  `${PROMOTIONS} promotions under load lose nothing that was answered and double nothing (seed ${seed})`,
  async () => {
    const history: History = { asked: new Set(), created: new Map(), refused: [], last: 0, done: false }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer, history))
    const gaps = new Map<Fault, number[]>(FAULTS.map((fault) => [fault, []]))
    const drawn = fc.sample(fc.constantFrom(...FAULTS), { seed, numRuns: PROMOTIONS })
    for (const fault of drawn) {
      const before = history.created.size
      await expect.poll(() => history.created.size).toBeGreaterThan(before)
      gaps.get(fault)?.push(await failOver(fault, history))
    }
    history.done = true
    await Promise.all(writers)

    const db = await openTestStore(ENGINES.find(({ name }) => name === 'PostgreSQL') ?? fail(), {
      location: pair.primaryUrl(),
    })
    const rows = await db.read((tx) => tx.all('select reference, tracking_number from shipments'))
    const stored = Map.groupBy(rows, (row) => String(row['reference']))
    const lost = [...history.created].filter(
      ([reference, number]) => !stored.get(reference)?.some((row) => row['tracking_number'] === number),
    )
    const doubled = [...stored.values()].filter(({ length }) => length > 1)
    const unasked = [...stored.keys()].filter(
      (reference) => reference.startsWith('W') && !history.asked.has(reference),
    )
    report({
      tries: history.created.size,
      lost: lost.length,
      doubled: doubled.length,
      broken: unasked.length + history.refused.length,
      note: `${PROMOTIONS} promotions; longest time without an answer: ${describe(gaps)}`,
    })
    expect({ lost, doubled, unasked, refused: history.refused }).toEqual({
      lost: [],
      doubled: [],
      unasked: [],
      refused: [],
    })
    expect(await checkInvariants(db)).toEqual([])
  },
  LONGEST_MS,
)

function describe(gaps: ReadonlyMap<Fault, readonly number[]>): string {
  return [...gaps]
    .filter(([, each]) => each.length > 0)
    .map(
      ([fault, each]) =>
        `${fault} ${(Math.max(...each) / 1000).toFixed(1)} s (median ${(median(each) / 1000).toFixed(1)} s)`,
    )
    .join(', ')
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function fail(): never {
  throw new Error('there is PostgreSQL')
}
