/**
 * Two nodes of the built program over one PostgreSQL store, and writers that never give up a parcel: while its servers fail,
 * each call is repeated under its key until it is answered.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Shipment } from './answers.ts'
import { recordTally } from './battery.ts'
import { createCommand } from './clerk.ts'
import { checkInvariants } from './invariants.ts'
import { makeParcel } from './parcel.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from './program.ts'
import { ENGINES, makeTempFolder, openTestStore } from './stores.ts'

const WRITERS = 8

export type StoreWriters = {
  /** Waits until one more call is answered. */
  waitForAnswer(): Promise<void>
  /**
   * Begins to measure. The function that it returns waits for one more answer, and returns the longest time without one since
   * then, in milliseconds.
   */
  watchGap(): () => Promise<number>
  /** A command that starts now creates a parcel too. */
  createAnew(): Promise<void>
  /** Ends the writers, and compares the store at `location` with what they were told. `note` says what was measured. */
  check(location: string, note: string): Promise<Differences>
  stop(): Promise<void>
}

export type Differences = Record<
  'lost' | 'doubled' | 'unasked' | 'refused' | 'violations',
  readonly unknown[]
>

/** A store that holds every answered parcel once, and no other one. */
export const ALL_RIGHT: Differences = { lost: [], doubled: [], unasked: [], refused: [], violations: [] }

/** The requests of the writers, and the answers. */
type History = {
  asked: Set<string>
  created: Map<string, string>
  refused: string[]
  /** The time of the last answer, and the longest time between two of them. */
  last: number
  longest: number
  done: boolean
}

/** Starts two nodes over the store at `url`, and writers that call either. */
export async function startWriters(url: string): Promise<StoreWriters> {
  await builtProgram()
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_STORE: url }
  const minted = await startDray(splitCommandLine('sandbox account token shipper --json'), { env }).ended
  expect(minted.exitCode, minted.stderr + minted.stdout).toBe(0)
  const { token } = minted.json<{ token: string }>()
  const servers = [1, 2].map((node) =>
    startDray(splitCommandLine(`serve --port 0 --json --log ${join(home, `log-${node}`)}`), { env }),
  )
  const urls = await Promise.all(servers.map(readServerUrl))
  const history: History = {
    asked: new Set(),
    created: new Map(),
    refused: [],
    last: performance.now(),
    longest: 0,
    done: false,
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write({ urls, token }, writer, history))
  return {
    async waitForAnswer() {
      const before = history.created.size
      await expect.poll(() => history.created.size).toBeGreaterThan(before)
    },
    watchGap() {
      history.longest = 0
      return async () => {
        const now = performance.now()
        await expect.poll(() => history.last).toBeGreaterThan(now)
        return history.longest
      }
    },
    async createAnew() {
      const reference = `W-${history.asked.size}`
      history.asked.add(reference)
      const ran = await startDray(splitCommandLine(createCommand(reference, '--json')), { env }).ended
      expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0)
      history.created.set(reference, ran.json<Shipment>().tracking_number)
    },
    async check(location, note) {
      history.done = true
      await Promise.all(writers)
      return check(history, location, note)
    },
    async stop() {
      history.done = true
      for (const server of servers) {
        server.kill('SIGTERM')
        await server.ended
      }
    },
  }
}

type Nodes = { urls: readonly string[]; token: string }

/** Creates parcels one after the other. Each call is repeated with its key, on the other node, until it is answered. */
async function write({ urls, token }: Nodes, writer: number, history: History): Promise<void> {
  for (let made = 0; !history.done; made++) {
    const reference = `W${writer}-${made}`
    history.asked.add(reference)
    for (let attempt = writer; ; attempt++) {
      const { status, body } = await create(urls[attempt % urls.length] ?? '', token, reference)
      if (status === 201) {
        history.created.set(reference, (body as Shipment).tracking_number)
        const now = performance.now()
        history.longest = Math.max(history.longest, now - history.last)
        history.last = now
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

async function create(
  url: string,
  token: string,
  reference: string,
): Promise<{ status: number; body: unknown }> {
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

/** Compares a store with the answers, and reports it to the battery. */
async function check(
  { asked, created, refused }: History,
  location: string,
  note: string,
): Promise<Differences> {
  const engine = ENGINES.find(({ name }) => name === 'PostgreSQL')
  if (engine === undefined) throw new Error('there is PostgreSQL')
  const db = await openTestStore(engine, { location })
  const rows = await db.read((tx) => tx.all('select reference, tracking_number from shipments'))
  const stored = Map.groupBy(rows, (row) => String(row['reference']))
  const lost = [...created].filter(
    ([reference, number]) => !stored.get(reference)?.some((row) => row['tracking_number'] === number),
  )
  const doubled = [...stored.values()].filter(({ length }) => length > 1)
  const unasked = [...stored.keys()].filter((reference) => reference.startsWith('W') && !asked.has(reference))
  const violations = await checkInvariants(db)
  recordTally({
    tries: created.size,
    lost: lost.length,
    doubled: doubled.length,
    broken: unasked.length + refused.length + violations.length,
    note,
  })
  return { lost, doubled, unasked, refused, violations }
}

/** Returns the longest and the middle one of the times of each kind of failure, in words. */
export function describeGaps(gaps: ReadonlyMap<string, readonly number[]>): string {
  const seconds = (ms = 0): string => `${(ms / 1000).toFixed(1)} s`
  return [...gaps]
    .filter(([, each]) => each.length > 0)
    .map(([kind, each]) => {
      const sorted = each.toSorted((a, b) => a - b)
      return `${kind} ${seconds(sorted.at(-1))} (median ${seconds(sorted[Math.floor(sorted.length / 2)])})`
    })
    .join(', ')
}
