/** The built service behind programs that others wrote: nginx and HAProxy of Debian, which keep and reuse connections. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { Agent, request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from '../support/after-file.ts'
import { recordTally, iterations } from '../support/battery.ts'
import { makeCertificate } from '../support/certificate.ts'
import { installProgram } from '../support/debian.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'
import { ROOT } from '../support/sources.ts'
import { makeTempFolder } from '../support/stores.ts'

/**
 * Callers that wait between two calls for as long as an idle connection lived once: then the race is lost most often. With the
 * hasty ones they are fewer than one account has places, so that a slow machine does not let them wait too long.
 */
const PATIENT = { callers: 100, calls: iterations(5, 20), pauseMs: 5995 }
const HASTY = { callers: 20, calls: iterations(25, 400), pauseMs: 0 }
const POSTS = PATIENT.callers * PATIENT.calls + HASTY.callers * HASTY.calls

const QUOTE = JSON.stringify({
  pickup: { location: { latitude: 51.53, longitude: -0.1238 } },
  dropoff: { location: { latitude: 51.5133, longitude: -0.0886 } },
})
const LISTED = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

type Ports = { front: number; back: number }
type Proxy = {
  name: string
  file: string
  from: string
  /** The folder gets its log. */
  words: (config: string, folder: string) => string[]
  /** Returns the file of the guide with these ports, in a folder. */
  config: (ports: Ports, folder: string) => string
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx',
    from: 'nginx-light',
    words: (config, folder) => ['-p', folder, '-c', config],
    config: ({ front, back }, folder) => {
      const ours = fitExample('nginx.conf', {
        '127.0.0.1:8080': `127.0.0.1:${back}`,
        'listen 443': `listen 127.0.0.1:${front}`,
        '/etc/ssl/': `${folder}/`,
        '/var/log/nginx/': `${folder}/`,
      })
      return `daemon off; worker_processes 1; error_log error.log info; pid nginx.pid;
events { worker_connections 1024; }
http {
${ours}}
`
    },
  },
  {
    name: 'HAProxy',
    file: 'haproxy',
    from: 'haproxy',
    words: (config) => ['-db', '-f', config],
    config: ({ front, back }, folder) =>
      fitExample('haproxy.cfg', {
        '127.0.0.1:8080': `127.0.0.1:${back}`,
        'bind :443': `bind 127.0.0.1:${front}`,
        '/etc/ssl/': `${folder}/`,
        '/dev/log': 'stdout format raw',
      }),
  },
]

/** Returns a file of the guide with other ports and folders. */
function fitExample(name: string, changes: Readonly<Record<string, string>>): string {
  const text = fs.readFileSync(join(ROOT, 'examples/service', name), 'utf8')
  return Object.entries(changes).reduce((fitted, [from, to]) => {
    expect(fitted).toContain(from)
    return fitted.replaceAll(from, to)
  }, text)
}

const MODES = ['serve', 'serve --cluster 2'] as const

beforeAll(builtProgram)
// The certificate is made for the test, and signed by itself.
const agent = new Agent({ keepAlive: false, maxSockets: Infinity, rejectUnauthorized: false })
afterAll(() => agent.destroy())

/** Starts a service that trusts the proxies of this machine. */
async function startService(words: string) {
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray') }
  const log = join(home, 'service.log')
  const flags = `--port 0 --json --log ${log} --allowed-host api.example.com --trusted-proxy 127.0.0.1`
  const server = startDray(splitCommandLine(`${words} ${flags}`), { env })
  const { port, origin } = new URL(await readServerUrl(server))
  afterFile(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  const minted = await startDray(splitCommandLine('sandbox account token everything --json'), { env }).ended
  return { server, log, origin, port: Number(port), token: minted.json<{ token: string }>().token }
}

/** Starts a proxy before a service. Returns its port, and the folder of what it logs. */
async function startProxy(
  { file, from, words, config }: Proxy,
  back: number,
): Promise<{ front: number; folder: string }> {
  await installProgram(file, from)
  const front = await findFreePort()
  const folder = await makeTempFolder()
  const path = join(folder, 'proxy.conf')
  const day = 86_400_000
  const { key, cert } = makeCertificate('api.example.com', {
    from: new Date(Date.now() - day),
    until: new Date(Date.now() + day),
  })
  fs.writeFileSync(join(folder, 'api.example.com.key'), key)
  fs.writeFileSync(join(folder, 'api.example.com.crt'), cert)
  fs.writeFileSync(join(folder, 'api.example.com.pem'), cert + key)
  fs.writeFileSync(path, config({ front, back }, folder))
  const output = fs.openSync(join(folder, 'output.log'), 'w')
  const child = spawn(file, words(path, folder), { stdio: ['ignore', output, output] })
  const exit = once(child, 'exit')
  afterFile(async () => {
    child.kill('SIGTERM')
    await exit
    fs.closeSync(output)
  })
  return { front, folder }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Call = { port: number; path: string; token?: string; body?: string }

/** Sends a call on a connection of its own. Resolves to the status, to that of the proxy itself, or to the code of an error. */
function send({ port, path, token = '', body }: Call): Promise<number | string> {
  const headers = {
    host: 'api.example.com',
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST'
    request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      const { statusCode = 0, headers: answered } = response
      const isOfService = answered['request-id'] !== undefined
      response.resume().once('end', () => resolve(isOfService ? statusCode : `${statusCode} of the proxy`))
    })
      .on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
      .end(body)
  })
}

/** Sends the calls of all callers. Returns how many got each status. */
async function sendMany(call: Call): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const caller = async ({ calls, pauseMs }: typeof PATIENT): Promise<void> => {
    await sleep(Math.random() * pauseMs)
    for (let count = 0; count < calls; count += 1) {
      const status = await send(call)
      counts[status] = (counts[status] ?? 0) + 1
      await sleep(pauseMs === 0 ? 0 : pauseMs + Math.random() * 20)
    }
  }
  const callers = [PATIENT, HASTY].flatMap((kind) => Array.from({ length: kind.callers }, () => kind))
  await Promise.all(callers.map(caller))
  return counts
}

/** Expects that each call was answered with 200, and counts for the battery what was not. */
function expectAll(counts: Record<string, number>): void {
  recordTally({ tries: POSTS, lost: POSTS - (counts[200] ?? 0) })
  expect(counts).toEqual({ 200: POSTS })
}

/** A replaced process stays until the proxy has let go of its connections, nginx after 60 s: each takes its time. */
const MAX_PROXY_TEST_MS = 900_000

/** Replaces every process of a cluster while connections to it are in use, and while others wait. */
async function replaceAll(server: RunningProcess, log: string): Promise<void> {
  server.kill('SIGUSR2')
  const isDone = (): boolean => fs.readFileSync(log, 'utf8').includes('All processes are new.')
  await expect.poll(isDone, { timeout: MAX_PROXY_TEST_MS }).toBe(true)
}

/** Links whose paths or queries hold a secret, also as a person may type them, or a program write them. */
const SECRETS = [
  '/track/dray_shr_SECRET',
  '/track/dray_shr_SECRET/state',
  '/TRACK/dray_shr_SECRET',
  '/v1/track/dray_shr_SECRET',
  '/track/%64ray_shr_SECRET',
  '/track/SECRET',
  '/device?ticket=dray_tkt_SECRET',
  '/pages/open?ticket=dray_pgt_SECRET&page=kitchen',
]

describe.each(PROXIES)('behind $name', { timeout: MAX_PROXY_TEST_MS }, (proxy) => {
  test.each(MODES)(`all of ${POSTS} POSTs to dray %s are answered`, async (words) => {
    const { server, log, port, token } = await startService(words)
    const { front } = await startProxy(proxy, port)
    await expect.poll(() => send({ port: front, path: '/healthz' })).toBe(200)
    const answered = sendMany({ port: front, path: '/v1/rides/quote', token, body: QUOTE })
    if (words !== 'serve') await replaceAll(server, log)
    expectAll(await answered)
  })

  test(`all of ${POSTS} POSTs to dray mcp --http are answered`, async () => {
    const { port, token } = await startService('mcp --http --rate-limit 1000000')
    const { front } = await startProxy(proxy, port)
    await expect.poll(() => send({ port: front, path: '/healthz' })).toBe(200)
    expectAll(await sendMany({ port: front, path: '/mcp', token, body: LISTED }))
  })

  test('no secret of a link is in a log, whether the service answers or is gone', async () => {
    const { server, port } = await startService('serve')
    const { front, folder } = await startProxy(proxy, port)
    await expect.poll(() => send({ port: front, path: '/healthz' })).toBe(200)
    const askAll = async (): Promise<unknown[]> => {
      const statuses: unknown[] = []
      for (const path of SECRETS) statuses.push(await send({ port: front, path }))
      return statuses
    }
    expect((await askAll()).filter((status) => typeof status !== 'number')).toEqual([])
    server.kill('SIGKILL')
    await server.ended
    expect((await askAll()).filter((status) => typeof status === 'number')).toEqual([])
    await send({ port: front, path: '/v1/the-last' })
    const read = (): string =>
      fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => fs.readFileSync(join(folder, name), 'utf8'))
        .join('')
    await expect.poll(read).toContain('/v1/the-last')
    const told = read()
      .split('\n')
      .filter((line) => line.includes('SECRET'))
    recordTally({ tries: 2 * SECRETS.length, broken: told.length })
    expect(told).toEqual([])
  })
})

test.each([...MODES, 'mcp --http'])(
  'logrotate moves the log of dray %s away, and no line is lost',
  { timeout: MAX_PROXY_TEST_MS },
  async (words) => {
    await installProgram('logrotate', 'logrotate')
    const { server, log, origin } = await startService(words)
    const folder = await makeTempFolder()
    const config = join(folder, 'dray')
    const rotation = fitExample('logrotate', {
      '/var/log/dray/service.log': log,
      'systemctl kill --kill-whom=main --signal=HUP dray': `kill -HUP ${server.pid}`,
    })
    fs.writeFileSync(config, rotation)
    const ids: (string | null)[] = []
    const ask = async (): Promise<void> => {
      for (let count = 0; count < 100; count += 1)
        ids.push((await fetch(`${origin}/healthz`)).headers.get('request-id'))
    }
    await ask()
    for (let rotated = 0; rotated < 3; rotated += 1) {
      execFileSync('logrotate', ['--force', '--state', join(folder, 'state'), config])
      await ask()
      await expect.poll(() => fs.existsSync(log)).toBe(true)
      await ask()
    }
    const lines = (): string[] =>
      [log, `${log}.1`, `${log}.2.gz`, `${log}.3.gz`]
        .map((file) => fs.readFileSync(file))
        .map((bytes, at) => (at > 1 ? gunzipSync(bytes) : bytes).toString())
        .flatMap((text) => text.trimEnd().split('\n'))
        .map((line) => (JSON.parse(line) as { request_id: string }).request_id)
    await expect.poll(() => lines().length).toBe(ids.length)
    recordTally({ tries: ids.length, lost: ids.length - new Set(lines()).size })
    expect(new Set(lines())).toEqual(new Set(ids))
  },
)
