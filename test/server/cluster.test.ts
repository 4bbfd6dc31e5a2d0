import fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { AnyCall } from '../../src/client/client.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { openStore } from '../../src/db/open.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { makeParcel } from '../support/parcel.ts'
import { builtProgram, startDray, splitCommandLine } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

const clients: Client[] = []
const servers: RunningProcess[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  for (const server of servers) server.kill('SIGKILL')
  await Promise.all(servers.splice(0).map(({ ended }) => ended))
})

/** Returns a port outside the system's own range, so that it is still free after a restart. */
async function findPort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 5000); ; port++) {
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** Makes the program throw outside any handler when it gets a signal that it does not use. */
const THROWING = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    "process.on('SIGWINCH', () => { throw new Error('thrown by the test') })",
  )}`,
}

/** Kills a serving process while it starts, if the folder has no file `died` yet. */
const dyingOnce = (folder: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `import fs from 'node:fs'
     if (process.env.DRAY_HANDED_ARGV !== undefined && !fs.existsSync('${folder}/died')) {
       fs.writeFileSync('${folder}/died', '')
       process.kill(process.pid, 'SIGKILL')
     }`,
  )}`,
})

/** Makes a home in which `dray serve` can be restarted at the same address. */
async function makePlace(more: Record<string, string> = {}) {
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), ...more }
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const log = join(home, 'log')
  const token = async (account: string): Promise<string> => {
    const words = splitCommandLine(`sandbox account token ${account} --json --base-url ${url}`)
    return (await startDray(words, { env }).ended).json<{ token: string }>().token
  }
  return {
    home,
    url,
    store: join(home, 'dray/data/default/dray.db'),
    log,
    readLog: () => fs.readFileSync(log, 'utf8'),
    async serve(flags = ''): Promise<RunningProcess> {
      const server = startDray(splitCommandLine(`serve --port ${port} --json --log ${log} ${flags}`), { env })
      servers.push(server)
      const listening = new Promise<string>((resolve) => server.onOutput(resolve))
      const failed = server.ended.then(({ stderr }): never => {
        throw new Error(stderr)
      })
      expect(JSON.parse(await Promise.race([listening, failed]))).toMatchObject({
        url,
        pid: expect.any(Number),
      })
      return server
    },
    token,
    /** Opens a client like the command line's, with keys and retries. */
    async client(): Promise<Client> {
      const target = {
        kind: 'remote' as const,
        baseUrl: url,
        token: await token('everything'),
        controlToken: undefined,
        timeoutMs: 60_000,
      }
      const client = await makeRuntime(home).openClient(target, { firstRun() {}, debug() {} })
      clients.push(client)
      return client
    },
  }
}

/**
 * Starts four callers that create parcels one after the other. `finish` lets each create three more, and returns all
 * responses.
 */
function makeLoad(client: Client): { finish(): Promise<string[]> } {
  const answered: string[] = []
  const call: AnyCall = client.call
  let left = Infinity
  const clerk = async (): Promise<void> => {
    for (let more = 3; left > 0 || more > 0; more -= left > 0 ? 0 : 1) {
      const { value } = await call('create_shipment', makeParcel())
      answered.push((value as { tracking_number: string }).tracking_number)
    }
  }
  const all = Promise.all(Array.from({ length: 4 }, clerk))
  all.catch(() => {})
  return {
    async finish() {
      left = 0
      await all
      return answered
    },
  }
}

async function storedParcels(store: string): Promise<string[]> {
  const db = await openStore(store, { random: () => 0.5, seed: async () => {} })
  try {
    const rows = await db.read((tx) => tx.all('select tracking_number from shipments'))
    return rows.map((row) => String(row['tracking_number']))
  } finally {
    await db.close()
  }
}

/** Returns the running child processes of a process. */
function processesOf(pid: number | undefined): number[] {
  const listed = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.trim().split(' ').map(Number)
}

async function waitUntil(told: () => boolean): Promise<void> {
  await expect.poll(told).toBe(true)
}

describe('dray serve --cluster', () => {
  test('loses and repeats no request while one process dies and all are replaced', async () => {
    const place = await makePlace()
    const server = await place.serve('--cluster 2')
    const first = processesOf(server.pid)
    expect(first).toHaveLength(2)
    const load = makeLoad(await place.client())

    // The workers ignore a signal that is sent to every process; only the first process acts on it.
    for (const pid of first) process.kill(pid, 'SIGUSR2')
    process.kill(Number(first[0]), 'SIGKILL')
    await waitUntil(
      () => processesOf(server.pid).length === 2 && !processesOf(server.pid).includes(Number(first[0])),
    )
    server.kill('SIGUSR2')
    await waitUntil(() => place.readLog().includes('All processes are new.'))
    expect(processesOf(server.pid).filter((pid) => first.includes(pid))).toEqual([])
    expect(processesOf(server.pid)).toHaveLength(2)

    const answered = await load.finish()
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await storedParcels(place.store)).toSorted()).toEqual(answered.toSorted())
    const lines = place.readLog().trimEnd().split('\n')
    expect(lines.map((line) => typeof JSON.parse(line))).not.toContain('undefined')
    expect(place.readLog()).toContain(
      `The process ${first[0]} was ended by SIGKILL; a new process replaces it.`,
    )
  })

  test('starts although one of its processes dies at the start, and each lets in pages of an allowed origin', async () => {
    const place = await makePlace(dyingOnce(await makeTempFolder()))
    const origin = 'http://localhost:5173'
    const server = await place.serve(`--cluster 2 --allowed-origin ${origin}`)
    expect(processesOf(server.pid)).toHaveLength(2)
    for (let asked = 0; asked < 4; asked++) {
      const { status, headers } = await fetch(`${place.url}/readyz`, {
        headers: { origin, connection: 'close' },
      })
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
    }
    expect(place.readLog()).toContain('was ended by SIGKILL before it listened. A new process replaces it.')
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test('tells the metrics of all processes, and keeps the counts of those that are replaced', async () => {
    const place = await makePlace()
    const server = await place.serve('--cluster 2')
    const ask = (path: string): Promise<Response> =>
      fetch(`${place.url}${path}`, { headers: { connection: 'close' } })
    const count = async (): Promise<unknown[]> => {
      const text = await (await ask('/metrics')).text()
      const valueOf = (series: string): string | undefined => text.split(`\n${series} `)[1]?.split('\n', 1)[0]
      return [valueOf('dray_requests_total{operation="healthz",status="200"}'), valueOf('dray_processes')]
    }
    for (let asked = 0; asked < 20; asked++) await ask('/healthz')
    await expect.poll(count).toEqual(['20', '2'])
    server.kill('SIGUSR2')
    await expect.poll(() => place.readLog().includes('All processes are new.')).toBe(true)
    expect(await Promise.all([count(), count(), count(), count()])).toEqual(Array(4).fill(['20', '2']))
  })

  test('keeps the old processes while new ones cannot start, and retries', async () => {
    const place = await makePlace()
    const server = await place.serve('--cluster 1')
    const [first = 0] = processesOf(server.pid)
    // A folder takes the place of the log; processes with the open log continue writing to it.
    const aside = `${place.log}.aside`
    fs.renameSync(place.log, aside)
    fs.mkdirSync(place.log)
    const told = (what: string): boolean => fs.readFileSync(aside, 'utf8').includes(what)
    server.kill('SIGUSR2')
    await waitUntil(() => told('A new process did not start; the old ones keep running: The log '))
    expect(processesOf(server.pid)).toEqual([first])
    process.kill(first, 'SIGKILL')
    await waitUntil(() => told('A new process did not start: The log '))
    fs.rmdirSync(place.log)
    await expect.poll(() => fetch(`${place.url}/healthz`).then(({ status }) => status, String)).toBe(200)
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test('replaces processes that die one after the other at once, and logs each death', async () => {
    const place = await makePlace()
    const server = await place.serve('--cluster 1')
    const died: number[] = []
    // If the wait doubled after each death, the ninth would take over a minute.
    for (let death = 1; death <= 9; death++) {
      const [pid = 0] = processesOf(server.pid)
      process.kill(pid, 'SIGKILL')
      died.push(pid)
      await expect
        .poll(() => fetch(`${place.url}/healthz`).then(({ status }) => status, String), { timeout: 50_000 })
        .toBe(200)
    }
    server.kill('SIGTERM')
    expect((await server.ended).exitCode).toBe(0)
    for (const pid of died) {
      expect(place.readLog()).toContain(`The process ${pid} was ended by SIGKILL; a new process replaces it.`)
    }
  })

  test('logs an uncaught error and replaces its process', async () => {
    const place = await makePlace(THROWING)
    const server = await place.serve('--cluster 1')
    const [first = 0] = processesOf(server.pid)
    process.kill(first, 'SIGWINCH')
    const seen = new Set<number>()
    await expect
      .poll(async () => {
        seen.add((await fetch(`${place.url}/healthz`)).status)
        return processesOf(server.pid).includes(first)
      })
      .toBe(false)
    expect([...seen]).toEqual([200])
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0, stderr: '' })
    const log = place.readLog()
    expect(log).toMatch(/"where":"uncaught","error":"Error: thrown by the test/)
    expect(log).toContain(`The process ${first} had an unexpected error; a new process replaces it.`)
  })

  test('counts the requests of an account in all processes together', async () => {
    const place = await makePlace()
    const server = await place.serve('--cluster 2 --rate-limit 8/3600')
    const limit = /"default";r=(\d+);t=\d+/
    const token = await place.token('shipper')
    const left: number[] = []
    for (let count = 0; count < 8; count++) {
      // Each on its own connection, since connections go to the processes in turn.
      const response = await fetch(`${place.url}/v1/shipments`, {
        headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
      })
      expect(response.status).toBe(200)
      left.push(Number(limit.exec(response.headers.get('RateLimit') ?? '')?.[1]))
    }
    expect(left).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
    const over = await fetch(`${place.url}/v1/shipments`, { headers: { Authorization: `Bearer ${token}` } })
    expect([over.status, over.headers.has('Retry-After')]).toEqual([429, true])
    server.kill('SIGTERM')
    expect((await server.ended).exitCode).toBe(0)
  })

  test.each([
    ['--cluster 0', '--cluster must be a number of processes from 1 to 64, not 0.'],
    ['--cluster 2 --store :memory:', 'A store in memory works with one process only'],
    ['--cluster 2 --host 192.0.2.1', '192.0.2.1 is not an address of this machine.'],
  ])('refuses with one sentence: %s', async (flags, sentence) => {
    const home = await makeTempFolder()
    const ran = await startDray(splitCommandLine(`serve --port 0 ${flags}`), {
      env: { HOME: home, DRAY_HOME: home },
    }).ended
    expect([ran.exitCode, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr.match(/error: /g)).toHaveLength(1)
    expect(ran.stderr).toContain(sentence)
  })
})

/** Returns the statuses of requests by a caller, each over a connection of its own: they reach every process. */
async function askOften(url: string, token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const answers = Array.from({ length: 12 }, () => fetch(`${url}/v1/shipments?limit=1`, { headers }))
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
  return [...new Set(statuses)]
}

describe.each(['', '--cluster 2'])('dray serve %s', (flags) => {
  test('opens its log anew on SIGHUP, and loses no line of it', async () => {
    const place = await makePlace()
    const server = await place.serve(flags)
    const ask = async (): Promise<unknown> =>
      fetch(`${place.url}/healthz`, { headers: { connection: 'close' } })
    const count = (file: string): number =>
      fs.readFileSync(file, 'utf8').split('"operation":"healthz"').length - 1
    let asked = 0
    for (; asked < 5; asked++) await ask()
    await expect.poll(() => count(place.log)).toBe(5)
    fs.renameSync(place.log, `${place.log}.1`)
    server.kill('SIGHUP')
    await expect.poll(() => fs.existsSync(place.log)).toBe(true)
    for (; asked < 15; asked++) await ask()
    await expect.poll(() => count(place.log) + count(`${place.log}.1`)).toBe(asked)
    // Every process writes to the new file in the end.
    await expect
      .poll(async () => {
        const before = count(place.log)
        await Promise.all([ask(), ask(), ask(), ask()])
        return count(place.log) - before
      })
      .toBe(4)
    server.kill('SIGTERM')
    expect((await server.ended).exitCode).toBe(0)
  })

  test('learns at once that another process has revoked a token, taken a right, or moved the clock', async () => {
    const place = await makePlace()
    await place.serve(flags)
    const [revoked, weak, short] = [
      await place.token('everything'),
      await place.token('shipper'),
      await place.token('everything --expires-in 1h'),
    ]
    for (const token of [revoked, weak, short]) expect(await askOften(place.url, token)).toEqual([200])

    const db = await openStore(place.store, { random: () => 0.5, seed: async () => {} })
    const write = (sql: string, ...values: string[]) => db.write((tx) => tx.run(sql, ...values))
    try {
      await write('delete from tokens where token_hash = $1', sha256Hex(revoked))
      expect(await askOften(place.url, revoked)).toEqual([401])
      await write('update accounts set scopes = $1 where handle = $2', 'food.read', 'shipper')
      expect(await askOften(place.url, weak)).toEqual([403])
      expect(await askOften(place.url, short)).toEqual([200])
      await db.write((tx) =>
        tx.run('update world set clock_service = clock_service + $1 where one = 1', 3_600_000),
      )
      expect(await askOften(place.url, short)).toEqual([401])
    } finally {
      await db.close()
    }
  })
})

describe.each(['', '--cluster 2'])('what a dray serve %s writes', (flags) => {
  /** Sends a parcel over a connection of its own. */
  async function sendParcel(url: string, token: string, key: string) {
    const answer = await fetch(`${url}/v1/shipments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        connection: 'close',
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ ...makeParcel(), reference: `ref-${key}` }),
    })
    const body = (await answer.json()) as { tracking_number?: string; detail?: string; request_id?: string }
    return { answered: answer.status, time: answer.headers.get('Service-Time'), ...body }
  }

  test('exists once, however many processes get its key at the same time', async () => {
    const place = await makePlace()
    await place.serve(flags)
    const token = await place.token('shipper')
    const keys = ['a', 'b', 'c'].flatMap((key) => Array.from({ length: 8 }, () => key))
    const answers = await Promise.all(keys.map((key) => sendParcel(place.url, token, key)))
    expect(new Set(answers.map(({ answered }) => answered))).toEqual(new Set([201]))
    expect(answers.filter(({ time }) => time === null)).toEqual([])
    const created = new Set(answers.map(({ tracking_number }) => String(tracking_number)))
    expect([...created].toSorted()).toEqual((await storedParcels(place.store)).toSorted())
    expect(created.size).toBe(3)
  })

  test('and cannot write gives an error with an id, and the log says why under that id', async () => {
    const place = await makePlace()
    await place.serve(flags)
    const token = await place.token('shipper')
    const db = await openStore(place.store, { random: () => 0.5, seed: async () => {} })
    await db.write((tx) => tx.run('alter table idempotency rename to elsewhere'))
    await db.close()
    const { answered, detail, request_id } = await sendParcel(place.url, token, 'a')
    expect([answered, detail]).toEqual([500, `An unexpected error occurred. Its ID is ${request_id}.`])
    const tells = (line: string) => line.includes('no such table') && line.includes(String(request_id))
    // The log is written after the response.
    await waitUntil(() => place.readLog().split('\n').some(tells))
    expect(await storedParcels(place.store)).toEqual([])
  })
})

describe('dray serve', () => {
  test('after an uncaught error finishes its requests, ends, and names the error', async () => {
    const place = await makePlace(THROWING)
    const server = await place.serve()
    process.kill(server.pid ?? 0, 'SIGWINCH')
    expect(await server.ended).toMatchObject({ exitCode: 1, stderr: '' })
    expect(place.readLog().match(/"error":"Error: thrown by the test/g)).toHaveLength(1)
  })

  test('loses and repeats no request when it is restarted', async () => {
    const place = await makePlace()
    const before = await place.serve()
    const load = makeLoad(await place.client())
    before.kill('SIGTERM')
    expect((await before.ended).exitCode).toBe(0)
    const after = await place.serve()
    const answered = await load.finish()
    after.kill('SIGTERM')
    expect((await after.ended).exitCode).toBe(0)
    expect((await storedParcels(place.store)).toSorted()).toEqual(answered.toSorted())
  })
})
