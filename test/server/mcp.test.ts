import { createServer, IncomingMessage, request } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { buffer as bytesOf } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcpRoutes } from '../../src/server/mcp.ts'

/** The next response of the tools. */
let answer: (request: Request) => Promise<Response>
const [route] = mcpRoutes({
  admit: async () => ({
    accountId: undefined,
    answer: (asked) => answer(asked),
    media: async () => {
      throw new Error('there are no pictures')
    },
  }),
  environment: () => 'sandbox',
  next: 'Bring one.',
  discovery: false,
  ready: async () => {},
  serviceTime: async () => '2026-11-20T12:00:00.000Z;mode=frozen',
  onBug: (error) => {
    throw error
  },
})
const receive = <T>(work: () => Promise<T>): Promise<T> => work()
/** Reports the result of each call, and the number that still wait for their connection to end. */
const server = createServer((raw, response) => {
  const before = raw.socket.listenerCount('close')
  const incoming = { raw, params: {}, requestId: 'req_1', readBody: () => bytesOf(raw), receive }
  const call = route?.answer(incoming, { operation: 'mcp' })
  void Promise.resolve(call)
    .then((answered) => String(answered?.status))
    .catch(String)
    .then((outcome) => response.end(`${outcome}, ${raw.socket.listenerCount('close') - before}`))
})

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => void server.close(resolve)))

async function ask(host: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, host: '127.0.0.1', method: 'POST', headers: { host, connection: 'close' } }, resolve)
      .on('error', reject)
      .end('{}')
  })
  return (await response.toArray()).join('')
}

test('a call is answered under every allowed host name', async () => {
  answer = async () => new Response(null, { status: 202 })
  expect(await ask('localhost')).toBe('202, 0')
  expect(await ask('192.0.2.999')).toBe('202, 0')
})

test('a failed call leaves no listener at its connection', async () => {
  answer = async () => {
    throw new Error('broken')
  }
  expect(await ask('localhost')).toBe('Error: broken, 0')
})

test('a caller that left while its account was looked up has left for the tools, too', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<Request>()
  answer = async (given) => {
    resolve(given)
    return new Response(null, { status: 202 })
  }
  const raw = Object.assign(new IncomingMessage(new Socket().destroy()), { method: 'POST', headers: {} })
  const incoming = { raw, params: {}, requestId: 'req_1', readBody: async () => new Uint8Array(), receive }
  await route?.answer(incoming, { operation: 'mcp' })
  expect((await asked).signal.aborted).toBe(true)
})
