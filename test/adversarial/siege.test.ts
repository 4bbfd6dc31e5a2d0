/** The built program under attack, in each mode of serving, with two polite callers beside the attackers. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limit, recordTally, iterations, seed } from '../support/battery.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'
import { listProcesses, measure, startAttacker, startCaller } from './children.ts'
import type { PoliteCaller } from './children.ts'
import { MODES } from './modes.ts'
import type { PoliteCallResults } from './polite.ts'

/** The number of calls of each polite caller during an attack. */
const CALLS = iterations(10, 400)
const MAX_ADVERSARIAL_TEST_MS = limit(60_000, 300_000)
const SHARE = 0.999
const MAX_P99_MS = limit(Infinity, 1000)
/** V8 lets a heap grow before it collects: a small heap does not look like a leak, and does not hide one. */
const SMALL_HEAP = '--max-old-space-size=96 --max-semi-space-size=2'
/** The memory that the allocator may keep after 128 MiB of unread responses. */
const MORE_MEBIBYTES = 112

/**
 * The number of times that each attack is made: more often than one process handles at once; in the long battery, than it may hold.
 */
const TIMES: Readonly<Record<string, number>> = {
  tunnels: iterations(60, 1000),
  malformed: iterations(150, 33_400),
  deaf: 600,
  drips: iterations(50, 600),
  'bad chunks': iterations(600, 2000),
  'oversized heads': iterations(600, 4300),
  'unfinished heads': iterations(600, 2000),
  'unfinished bodies of nobody': iterations(600, 2000),
  'unfinished bodies of one account': iterations(600, 2000),
}

beforeAll(builtProgram)

/** Every mode meets every attack in the long battery; otherwise the attacks are dealt out to the modes. */
function attacksOn(name: string): [attack: string, times: number][] {
  const own = MODES.findIndex((mode) => mode.name === name)
  const attacks = Object.entries(TIMES)
  return iterations(
    attacks.filter((_attack, at) => at % MODES.length === own),
    attacks,
  )
}

describe.each(MODES)(`$name under siege (seed ${seed})`, ({ name, words, path, call }) => {
  let server: RunningProcess
  let ended = false
  let port: number
  let attackersToken: string
  let pids: number[]
  let before: ReturnType<typeof measure>
  const callers: { from: string; caller: PoliteCaller }[] = []

  beforeAll(async () => {
    const home = await makeTempFolder()
    const env = { HOME: home, DRAY_HOME: join(home, 'dray'), NODE_OPTIONS: SMALL_HEAP }
    const mint = async (account: string): Promise<string> => {
      const ran = await startDray(splitCommandLine(`sandbox account token ${account} --json`), { env }).ended
      return ran.json<{ token: string }>().token
    }
    attackersToken = await mint('shipper')
    const token = await mint('everything')
    server = startDray(splitCommandLine(`${words} --port 0 --json --log ${join(home, 'log')}`), { env })
    void server.ended.then(() => (ended = true))
    port = Number(new URL(await readServerUrl(server)).port)
    pids = listProcesses(server.pid ?? 0)
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    for (const from of ['127.0.0.1', '127.0.0.2'])
      callers.push({ from, caller: startCaller({ port, from, headers, ...call }) })
    await hear(CALLS)
    before = measure(pids)
  })

  afterAll(async () => {
    for (const { caller } of callers) caller.end()
    server.kill('SIGTERM')
    expect((await server.ended).exitCode).toBe(0)
  })

  /** Returns the results of the next calls of both. */
  async function hear(calls: number): Promise<{ from: string; heard: PoliteCallResults }[]> {
    return Promise.all(callers.map(async ({ from, caller }) => ({ from, heard: await caller.hear(calls) })))
  }

  test.each(attacksOn(name))('%s', { timeout: MAX_ADVERSARIAL_TEST_MS }, async (attack, times) => {
    const place = { host: `127.0.0.1:${port}`, token: attackersToken, paths: [path] }
    const attacker = startAttacker({ ...place, port, attack, times, seed })
    const during = hear(CALLS)
    await attacker.sent
    const heard = [...(await during), ...(await hear(CALLS))]
    const tally = await attacker.release()

    for (const from of ['127.0.0.1', '127.0.0.2']) {
      const result = summarize(heard.filter((one) => one.from === from).map((one) => one.heard))
      console.log(`${words}: ${times} × ${attack} ${JSON.stringify(tally)}; from ${from}: ${result.line}`)
      recordTally({ tries: result.tries, lost: result.lost })
      expect.soft(result.share, `answered from ${from}: ${result.line}`).toBeGreaterThanOrEqual(SHARE)
      expect.soft(result.p99).toBeLessThan(MAX_P99_MS)
    }
    expect(ended).toBe(false)
    expect(listProcesses(server.pid ?? 0)).toEqual(pids)
  })

  test('descriptors and memory are back where they were', async () => {
    await hear(CALLS)
    // Each polite caller may have one connection open at either count.
    const most = before.descriptors + 2 * callers.length
    await expect.poll(() => measure(pids).descriptors).toBeLessThanOrEqual(most)
    const after = measure(pids)
    console.log(`${words}: before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`)
    expect(after.mebibytes).toBeLessThan(before.mebibytes + MORE_MEBIBYTES * pids.length)
  })
})

function summarize(heard: readonly PoliteCallResults[]): {
  share: number
  p99: number
  tries: number
  lost: number
  line: string
} {
  const ms = heard.flatMap((one) => one.ms).toSorted((a, b) => a - b)
  const failed = heard.flatMap((one) => Object.entries(one.unanswered))
  const lost = failed.reduce((all, [, times]) => all + times, 0)
  const tries = ms.length + lost
  const share = ms.length / tries
  const p99 = ms[Math.ceil(ms.length * 0.99) - 1] ?? Infinity
  const line = `${ms.length} of ${tries} answered, p99 ${Math.round(p99)} ms ${JSON.stringify(failed)}`
  return { share, p99, tries, lost, line }
}
