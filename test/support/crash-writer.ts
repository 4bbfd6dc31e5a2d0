/**
 * A program that creates parcels until it is killed: `crash-writer <store> <history> [deaf]`. It makes a few calls at
 * once. It appends each call to the history before it sends it, and the response after it. It first repeats the calls
 * without a response, with their keys. It prints `.` for each response. A deaf one kills itself when its first
 * response comes.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { openEmbedded } from '../../src/host/embedded.ts'
import type { ShipmentBatch } from './answers.ts'
import { makeRows } from './parcel.ts'

/** One line of the history: a call or its response. */
export type CrashEntry =
  | { event: 'invoke'; call: number }
  | { event: 'ok'; call: number; replayed: boolean; answer: ShipmentBatch }

const [store = '', history = '', deaf] = process.argv.slice(2)
const ROWS = 4
/** The number of calls that are made at once. */
const CROWD = 3

const entries = existsSync(history) ? readEntries(readFileSync(history, 'utf8')) : []
const client = await openEmbedded(
  { kind: 'embedded', store, account: 'everything' },
  {
    now: Date.now,
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    weakRandomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    env: { DRAY_SEED: '1' },
    firstRun() {},
    debug() {},
  },
)
const answered = new Set(entries.filter(({ event }) => event === 'ok').map(({ call }) => call))
const made = entries.filter(({ event }) => event === 'invoke').map(({ call }) => call)
await Promise.all(made.filter((call) => !answered.has(call)).map(create))
for (let next = Math.max(0, ...made) + 1; ; next += CROWD) {
  const calls = Array.from({ length: CROWD }, (_, at) => next + at)
  for (const call of calls) append({ event: 'invoke', call })
  await Promise.all(calls.map(create))
}

/** Creates new parcels, and one of the previous call again. */
async function create(call: number): Promise<void> {
  const shipments = [...makeRows(1, `C${call - 1}-`), ...makeRows(ROWS, `C${call}-`)]
  const { value, replayed } = await client.call(
    'create_shipments_batch',
    { shipments },
    { idempotencyKey: `call-${call}` },
  )
  if (deaf !== undefined) process.kill(process.pid, 'SIGKILL')
  append({ event: 'ok', call, replayed, answer: value as ShipmentBatch })
  process.stdout.write('.')
}

function append(entry: CrashEntry): void {
  appendFileSync(history, `${JSON.stringify(entry)}\n`)
}

/** Reads the entries; the last line may be incomplete. */
function readEntries(text: string): CrashEntry[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as CrashEntry)
}
