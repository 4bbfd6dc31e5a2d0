import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, expect, test, type TestContext } from 'vitest'
import { makeGate, makeGatedRegistry } from '../support/gate.ts'
import { openMany, openRaw, fetchStatus } from '../support/many-people.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore, talk } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

const sockets: Socket[] = []
const agents: Agent[] = []
afterAll(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const agent of agents.splice(0)) agent.destroy()
})

async function crowd(...given: Parameters<typeof openMany>): Promise<Socket[]> {
  const opened = await openMany(...given)
  sockets.push(...opened)
  return opened
}

function head({ port }: ServedStore, token = 'none'): string {
  return `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`
}

/** Resolves when the server has let go of a connection: the next byte is answered with a reset. */
async function isDropped(socket: Socket, { expect }: TestContext): Promise<void> {
  await expect
    .poll(() => {
      socket.write('x')
      return socket.destroyed
    })
    .toBe(true)
}

test.each([
  ['silent ones', () => ''],
  ['half heads', () => 'GET / HT'],
  ['oversized heads', () => `GET / HTTP/1.1\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
  [
    'bodies that nobody asked for',
    (served: ServedStore) => `POST /v1/things HTTP/1.1\r\n${head(served)}Content-Length: 9\r\n\r\n`,
  ],
])('an address with too many connections makes room for another: %s', async (_name, bytes) => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES, capacity: { connections: 20 } })
  await crowd(50, served.port, bytes(served))
  for (const localAddress of ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2'])
    expect(await fetchStatus(`${served.url}/readyz`, { localAddress })).toBe(200)
  expect(served.bugs).toEqual([])
})

test('another address keeps its connection when one address opens too many', async () => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES, capacity: { connections: 20 } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.push(agent)
  const ask = (): Promise<number | string> =>
    fetchStatus(`${served.url}/readyz`, { localAddress: '127.0.0.2', agent })
  expect(await ask()).toBe(200)
  const [kept] = Object.values(agent.freeSockets).flat()
  await crowd(50, served.port, '')
  expect(await ask()).toBe(200)
  expect(Object.values(agent.freeSockets).flat()).toEqual([kept])
})

test.concurrent.for<[string, (served: ServedStore) => string, number]>([
  ['a head that is too large', () => `GET / HTTP/1.1\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ['what is not HTTP', () => 'hello\r\n\r\n', 400],
  ['CONNECT', (served: ServedStore) => `CONNECT a.example:443 HTTP/1.1\r\n${head(served)}\r\n`, 405],
  [
    'CONNECT with a body',
    (served: ServedStore) => `CONNECT a.example:443 HTTP/1.1\r\n${head(served)}Content-Length: 9\r\n\r\nabc`,
    405,
  ],
  [
    'a bad chunk',
    (served: ServedStore) =>
      `POST /oauth/token HTTP/1.1\r\n${head(served)}Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
])('a refused caller who stays is answered and dropped: %s', async ([, bytes, status], context) => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
  const socket = await openRaw(served.port, '')
  sockets.push(socket)
  const answered = once(socket, 'data')
  socket.write(bytes(served))
  expect(String((await answered)[0])).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  await isDropped(socket, context)
  expect(served.bugs).toEqual([])
})

test.concurrent('a caller with a rejected credential is dropped when the rest of its body does not come', async () => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
  const socket = await openRaw(served.port, '')
  sockets.push(socket)
  const answered = once(socket, 'data')
  socket.write(
    `POST /v1/things HTTP/1.1\r\n${head(served)}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  )
  expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 401 /)
  await once(socket, 'end')
})

test('requests before a CONNECT on one connection get their responses first', async () => {
  const gate = makeGate()
  const served = await serveStore({ registry: makeGatedRegistry(gate) })
  const lines = head(served, await served.token('everything'))
  const waits = `GET /v1/waits HTTP/1.1\r\n${lines}\r\n`
  const answers = talk(served.port, `${waits}${waits}CONNECT a.example:443 HTTP/1.1\r\n${lines}\r\n`)
  await gate.reached
  gate.open()
  expect((await answers).map(({ status }) => status)).toEqual([200, 200, 405])
})

test('requests before a CONNECT release their place when the caller leaves', async () => {
  const gate = makeGate()
  const served = await serveStore({ registry: makeGatedRegistry(gate), capacity: { busy: 1 } })
  const lines = head(served, await served.token('everything'))
  const waits = `GET /v1/waits HTTP/1.1\r\n${lines}\r\n`
  const socket = await openRaw(served.port, `${waits}${waits}CONNECT a.example:443 HTTP/1.1\r\n${lines}\r\n`)
  await gate.reached
  socket.resetAndDestroy()
  // The store still works on the first request; a style sheet needs no store.
  const status = await fetchStatus(`${served.url}/device/style.css`)
  gate.open()
  expect(status).toBe(200)
})

test('a caller who leaves before its error is written harms no other', async () => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
  for (const bytes of ['hello\r\n\r\n', `CONNECT a.example:443 HTTP/1.1\r\n${head(served)}\r\n`]) {
    const socket = connect(served.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  expect(await fetchStatus(`${served.url}/readyz`)).toBe(200)
  expect(served.bugs).toEqual([])
})

test('bodies that come too slowly are rejected, and the request takes no place in the meantime', async () => {
  const served = await serveStore({
    registry: RESOURCE_SAMPLES,
    capacity: { busy: 1 },
    timeouts: { grace: 100 },
  })
  const token = await served.token('everything')
  const socket = await openRaw(served.port, '')
  sockets.push(socket)
  const answered = once(socket, 'data')
  socket.write(
    `POST /v1/things HTTP/1.1\r\n${head(served, token)}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  )
  expect(await fetchStatus(`${served.url}/v1/things/a`, { token })).toBe(200)
  expect(String((await answered)[0])).toMatch(
    /^HTTP\/1.1 408 [^]*The body came slower than 1024 bytes a second/,
  )
})
