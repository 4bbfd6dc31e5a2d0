/** `dray/client`: calls over HTTP with `fetch`, repeated and rejected as those of the command line. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Input } from '../../src/library/client-types.ts'
import { createClient, DrayError } from '../../src/library/client.ts'
import { startSandbox } from '../../src/library/testing.ts'
import { afterFile } from '../support/after-file.ts'
import { makeParcel } from '../support/parcel.ts'

const sandbox = await startSandbox({ seed: 7, http: true })
afterFile(() => sandbox.close())
const token = await sandbox.token('everything')

type Handle = (request: IncomingMessage, response: ServerResponse, times: number) => void

/** Returns the address of a service that responds in this way; `times` counts its requests. */
async function listen(handle: Handle): Promise<string> {
  let times = 0
  const server = createServer((request, response) => handle(request, response, ++times))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Hands a request on to the sandbox, and returns its response. */
async function handOn(request: IncomingMessage): Promise<Response> {
  const headers = Object.entries(request.headers).filter(([name]) => name !== 'host' && name !== 'connection')
  const body = await new Response(request as unknown as ReadableStream).text()
  return fetch(`${sandbox.url}${request.url}`, {
    method: request.method ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(body !== '' && { body }),
  })
}

const PARCEL = makeParcel() as unknown as Input<'create_shipment'>

test('a change whose answer is lost is sent again with its key, and done once', async () => {
  const keys: unknown[] = []
  const baseUrl = await listen((request, response, times) => {
    keys.push(request.headers['idempotency-key'])
    void handOn(request).then(async (answer) => {
      if (times === 1) return request.socket.destroy()
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' })
      return response.end(await answer.text())
    })
  })
  const made = await createClient({ baseUrl, token }).createShipment(PARCEL)
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  const { data } = await sandbox.as('everything').listShipments()
  expect(data.map(({ tracking_number }) => tracking_number)).toEqual([made.tracking_number])
})

test('a call waits as a service that has no time says, and tries again', async () => {
  const baseUrl = await listen((_request, response, times) => {
    if (times < 3) response.writeHead(503, { 'Retry-After': '0' }).end()
    else {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end('{"data":[],"has_more":false,"next_cursor":null}')
    }
  })
  expect((await createClient({ baseUrl, token }).listRides()).data).toEqual([])
})

test('a change whose outcome is not known is refused with its key', async () => {
  const baseUrl = await listen((request) => request.socket.destroy())
  const client = createClient({ baseUrl, token, timeoutMs: 50 })
  const failure = await client
    .createShipment(PARCEL, { idempotencyKey: 'mine' })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DrayError)
  expect(failure).toMatchObject({ code: 'network_error', extra: { idempotency_key: 'mine' } })
})

test('a refusal is one of the service only', async () => {
  const client = createClient({ baseUrl: String(sandbox.url), token })
  const refusal = await client.refused('get_ride', { ride_id: 'rid_00000000000000000000000000' })
  expect(refusal.code).toBe('ride_not_found')
  const gone = createClient({ baseUrl: 'http://127.0.0.1:9', token, timeoutMs: 50 })
  await expect(gone.refused('list_rides', {})).rejects.toMatchObject({ code: 'network_error' })
})

test('an answer of another program is none, and no redirect takes the token elsewhere', async () => {
  const answers: Handle[] = [
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":[]}'),
    (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
  ]
  for (const answer of answers) {
    const client = createClient({ baseUrl: await listen(answer), token })
    await expect(client.listRides()).rejects.toMatchObject({ code: 'invalid_response' })
  }
})

test('a token goes to no address that is not safe', () => {
  for (const baseUrl of ['http://api.example.com', 'ftp://127.0.0.1', 'https://a:b@api.example.com', 'here'])
    expect(() => createClient({ baseUrl, token })).toThrow('must use https, or http on this machine')
  expect(() => createClient({ baseUrl: 'https://api.example.com', token: 'a b' })).toThrow(
    'characters that a token cannot have',
  )
})

test('a call that its caller gives up ends at once', async () => {
  const baseUrl = await listen(() => {})
  const controller = new AbortController()
  const call = createClient({ baseUrl, token }).listRides({}, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
})
