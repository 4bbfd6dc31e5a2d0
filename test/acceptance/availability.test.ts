/** Callers who break connections or never finish a request must not disturb other callers. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openMany, openRaw, fetchStatus } from '../support/many-people.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.resetAndDestroy()
})

/** More requests than a process handles at once. */
const CROWD = 600

const SERVED = [200, 200, 200, 200]

describe.each([
  { words: 'serve', processes: 1, path: '/v1/shipments' },
  { words: 'serve --cluster 2', processes: 2, path: '/v1/shipments' },
  { words: 'mcp --http', processes: 1, path: '/mcp' },
])('dray $words', ({ words, processes, path }) => {
  let server: RunningProcess
  let url: string
  let port: number
  let own: string
  let other: string

  beforeAll(async () => {
    const home = await makeTempFolder()
    const env = { HOME: home, DRAY_HOME: home }
    const tokenOf = async (account: string): Promise<string> =>
      (await startDray(splitCommandLine(`sandbox account token ${account} --json`), { env }).ended).json<{
        token: string
      }>().token
    own = await tokenOf('everything')
    other = await tokenOf('shipper')
    server = startDray(splitCommandLine(`${words} --port 0 --json --log ${home}/log`), { env })
    const address = new URL(await readServerUrl(server))
    url = address.origin
    port = Number(address.port)
  })
  afterAll(async () => {
    server.kill('SIGKILL')
    await server.ended
  })

  /** The head of a request and what follows it, as a JSON body unless a header says otherwise. */
  const bytes = (line: string, headers: readonly string[], body = ''): string =>
    [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', body].join('\r\n')
  const json = (): string[] => [`Authorization: Bearer ${own}`, 'Content-Type: application/json']

  async function crowd(request: string): Promise<void> {
    sockets.push(...(await openMany(CROWD * processes, port, request)))
  }

  /** Returns the responses to callers with another account, from the crowd's address and from another one. */
  async function askAsOther(): Promise<(number | string)[]> {
    const seen: (number | string)[] = []
    for (const localAddress of ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2']) {
      seen.push(
        await fetchStatus(`${url}${path === '/mcp' ? '/readyz' : path}`, { token: other, localAddress }),
      )
    }
    return seen
  }

  test('lives on when callers send CONNECT and reset the connection', async () => {
    for (let time = 0; time < 40; time++) {
      const socket = await openRaw(port, bytes('CONNECT example.com:443', []))
      setImmediate(() => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    expect(await askAsOther()).toEqual(SERVED)
  })

  test('serves others while hundreds of callers stay on after a bad chunk', async () => {
    await crowd(bytes(`POST ${path}`, [...json(), 'Transfer-Encoding: chunked'], 'zz\r\n'))
    expect(await askAsOther()).toEqual(SERVED)
  })

  test('serves others while hundreds of callers without a credential send half a body', async () => {
    const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 1000']
    await crowd(bytes('POST /oauth/token', form, 'grant'))
    expect(await askAsOther()).toEqual(SERVED)
    // A login from the same address works as well.
    const login = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams() })
    expect(login.status).toBe(400)
  })

  test('serves others while one account sends half of hundreds of bodies', async () => {
    await crowd(bytes(`POST ${path}`, [...json(), 'Content-Length: 1000'], '{'))
    expect(await askAsOther()).toEqual(SERVED)
  })
})
