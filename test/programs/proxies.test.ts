/** The built service behind programs that others wrote: nginx and HAProxy of Debian, which keep and reuse connections. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from '../support/after-file.ts'
import { installProgram } from '../support/debian.ts'
import { builtProgram, readUrl, start, toWords } from '../support/program.ts'
import type { Started } from '../support/program.ts'
import { makeFolder } from '../support/stores.ts'

const POSTS = 10_000
/** Callers that wait between two calls for as long as an idle connection lived once: then the race is lost most often. */
const PATIENT = { callers: 300, calls: 10, pauseMs: 5995 }
const HASTY = { callers: 20, calls: (POSTS - PATIENT.callers * PATIENT.calls) / 20, pauseMs: 0 }

const QUOTE = JSON.stringify({
  pickup: { location: { latitude: 51.53, longitude: -0.1238 } },
  dropoff: { location: { latitude: 51.5133, longitude: -0.0886 } },
})
const LISTED = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

type Proxy = { name: string; file: string; from: string; words: (file: string) => string[]; config: Config }
type Config = (ports: { front: number; back: number }) => string

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx',
    from: 'nginx-light',
    words: (file) => ['-p', join(file, '..'), '-c', file],
    config: ({ front, back }) => `daemon off; worker_processes 1; error_log stderr info; pid ng.pid;
events { worker_connections 1024; }
http { access_log off;
  upstream d { server 127.0.0.1:${back}; keepalive 128; }
  server { listen 127.0.0.1:${front};
    location / { proxy_pass http://d; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host api.example.com; } } }
`,
  },
  {
    name: 'HAProxy',
    file: 'haproxy',
    from: 'haproxy',
    words: (file) => ['-db', '-f', file],
    // The probe is HAProxy's own: HTTP/1.0 without Host. Connections that wait are kept as long as nginx keeps them.
    config: ({ front, back }) => `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend f
  bind 127.0.0.1:${front}
  default_backend b
backend b
  option httpchk GET /readyz
  http-reuse always
  server s 127.0.0.1:${back} check inter 500 pool-purge-delay 60s
`,
  },
]

const MODES = ['serve', 'serve --cluster 2'] as const

beforeAll(builtProgram)
const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
afterAll(() => agent.destroy())

/** Starts a service that trusts the proxies of this machine. */
async function startService(words: string) {
  const home = await makeFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray') }
  const log = join(home, 'log')
  const flags = `--port 0 --json --log ${log} --allowed-host api.example.com --trusted-proxy 127.0.0.1`
  const server = start(toWords(`${words} ${flags}`), { env })
  const { port } = new URL(await readUrl(server))
  afterFile(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  const minted = await start(toWords('sandbox account token everything --json'), { env }).ended
  return { server, log, port: Number(port), token: minted.json<{ token: string }>().token }
}

/** Starts a proxy before a service. Returns its port. */
async function startProxy({ file, from, words, config }: Proxy, back: number): Promise<number> {
  await installProgram(file, from)
  const front = await findFreePort()
  const path = join(await makeFolder(), 'proxy.conf')
  fs.writeFileSync(path, config({ front, back }))
  const child = spawn(file, words(path), { stdio: 'ignore' })
  const exit = once(child, 'exit')
  afterFile(async () => {
    child.kill('SIGTERM')
    await exit
  })
  return front
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Call = { port: number; path: string; token: string; body?: string }

/** Sends a call on a connection of its own. Resolves to the status, or to the code of an error. */
function send({ port, path, token, body }: Call): Promise<number | string> {
  const headers = {
    host: 'api.example.com',
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST'
    request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
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

/** A replaced process stays until the proxy has let go of its connections, nginx after 60 s: each takes its time. */
const LONGEST_MS = 900_000

/** Replaces every process of a cluster while connections to it are in use, and while others wait. */
async function replaceAll(server: Started, log: string): Promise<void> {
  server.kill('SIGUSR2')
  const isDone = (): boolean => fs.readFileSync(log, 'utf8').includes('All processes are new.')
  await expect.poll(isDone, { timeout: LONGEST_MS }).toBe(true)
}

describe.each(PROXIES)('behind $name', { timeout: LONGEST_MS }, (proxy) => {
  test.each(MODES)(`all of ${POSTS} POSTs to dray %s are answered`, async (words) => {
    const { server, log, port, token } = await startService(words)
    const front = await startProxy(proxy, port)
    await expect.poll(() => send({ port: front, path: '/healthz', token })).toBe(200)
    const answered = sendMany({ port: front, path: '/v1/rides/quote', token, body: QUOTE })
    if (words !== 'serve') await replaceAll(server, log)
    expect(await answered).toEqual({ 200: POSTS })
  })

  test(`all of ${POSTS} POSTs to dray mcp --http are answered`, async () => {
    const { port, token } = await startService('mcp --http --rate-limit 1000000')
    const front = await startProxy(proxy, port)
    await expect.poll(() => send({ port: front, path: '/healthz', token })).toBe(200)
    expect(await sendMany({ port: front, path: '/mcp', token, body: LISTED })).toEqual({ 200: POSTS })
  })
})
