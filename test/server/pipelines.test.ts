import type { Socket } from 'node:net'
import * as Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { defineOperation } from '../../src/core/operation.ts'
import { makeGate, makeGatedRegistry } from '../support/gate.ts'
import { openRaw, fetchStatus } from '../support/many-people.ts'
import { serveStore, talk } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

const MEBIBYTE = 1_048_576

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Makes a registry of one operation, `GET /v1/long`, with a response of one mebibyte; `runs` counts its calls. */
function longThings() {
  let runs = 0
  const long = defineOperation({
    name: 'get_long',
    area: 'account',
    summary: 'A long answer',
    method: 'GET',
    path: '/v1/long',
    scope: 'profile.read',
    entitlement: 'none',
    createsTransaction: false,
    idempotency: 'none',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ text: Type.String() }),
    errors: [],
    cli: { command: 'long', danger: 'read' },
    example: () => ({}),
    async run() {
      runs += 1
      return { text: 'a'.repeat(MEBIBYTE) }
    },
  })
  return {
    NAMES: [long.name],
    load: async (name: string) => (name === long.name ? { operation: long, check: () => true } : undefined),
    runs: () => runs,
  }
}

function get(path: string, { port }: ServedStore, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

/** Opens a connection that reads only when told to. */
async function openDeaf({ port }: ServedStore, bytes: string): Promise<Socket> {
  const socket = await openRaw(port, bytes)
  sockets.push(socket)
  return socket.pause()
}

/** Counts the bytes that arrive on a connection until it ends. */
function countBytes(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    socket.on('data', (chunk: Uint8Array) => (bytes += chunk.length))
    socket.once('close', () => resolve(bytes))
    socket.once('end', () => resolve(bytes))
    socket.resume()
  })
}

test('a caller that reads no responses makes only as many as fit its connection', async () => {
  const registry = longThings()
  const served = await serveStore({ registry })
  const token = await served.token('shipper')
  const deaf = await openDeaf(served, get('/v1/long', served, token).repeat(60))
  // Each call takes turns with the other caller, who could have had sixty responses in the meantime.
  for (let calls = 0; calls < 100; calls++) expect(await fetchStatus(`${served.url}/readyz`)).toBe(200)
  expect(registry.runs()).toBeGreaterThan(0)
  expect(registry.runs()).toBeLessThan(40)
  deaf.destroy()
})

test('a caller that reads late gets all answers, in order', async () => {
  const registry = longThings()
  const served = await serveStore({ registry })
  const token = await served.token('shipper')
  const asked = get('/v1/long', served, token).repeat(30)
  const last = `GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nConnection: close\r\n\r\n`
  const deaf = await openDeaf(served, asked + last)
  expect(await fetchStatus(`${served.url}/readyz`)).toBe(200)
  expect(await countBytes(deaf)).toBeGreaterThan(30 * MEBIBYTE)
  expect(registry.runs()).toBe(30)
})

/** Waits until a connection takes no more: some round trips in which no response is made. */
async function waitUntilFull({ url }: ServedStore, { runs }: ReturnType<typeof longThings>): Promise<void> {
  for (let before = -1; before !== runs();) {
    before = runs()
    for (let calls = 0; calls < 20; calls++) expect(await fetchStatus(`${url}/readyz`)).toBe(200)
  }
}

test('the caller with the most unread bytes loses its oldest connection, and another one loses none', async () => {
  const registry = longThings()
  const served = await serveStore({ registry, capacity: { unread: 12 * MEBIBYTE } })
  const long = get('/v1/long', served, await served.token('everything'))
  const modest = await openDeaf(served, long.repeat(12).replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'))
  await waitUntilFull(served, registry)
  const asked = get('/v1/long', served, await served.token('shipper')).repeat(12)
  const oldest = await openDeaf(served, asked)
  await waitUntilFull(served, registry)
  for (let one = 1; one < 30; one++) await openDeaf(served, asked)
  // As the log tells of a caller that went: who reads before that makes room.
  await expect.poll(() => served.log.map(({ status }) => status)).toContain(499)
  expect(await countBytes(oldest)).toBeLessThan(12 * MEBIBYTE)
  expect(await countBytes(modest)).toBeGreaterThan(12 * MEBIBYTE)
})

test('the caller with the most requests in line loses a connection, and another one keeps its place', async () => {
  const gate = makeGate()
  const served = await serveStore({ registry: makeGatedRegistry(gate), capacity: { pipelined: 20 } })
  const waits = get('/v1/waits', served, await served.token('everything'))
  const modest = talk(served.port, waits.repeat(3), { count: 3 })
  await gate.reached
  const greedy = await openRaw(served.port, waits.repeat(50), '127.0.0.2')
  sockets.push(greedy)
  await countBytes(greedy)
  gate.open()
  expect((await modest).map(({ status }) => status)).toEqual([200, 200, 200])
})
