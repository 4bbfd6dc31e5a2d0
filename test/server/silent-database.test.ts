/** A database that keeps its connections open and does not answer: frozen, or behind a broken network. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startOwn } from '../support/postgres-server.ts'
import type { FreezablePostgres } from '../support/postgres-server.ts'
import { createDatabase } from '../support/postgres.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const SILENCE = { connect: 4000, begin: 1000, statement: 3000, library: 1000, close: 100 }

let postgres: FreezablePostgres

beforeAll(async () => {
  postgres = await startOwn()
})

afterAll(async () => {
  await postgres.stop()
})

function serve(url: string): Promise<ServedStore> {
  return serveStore({
    registry: RESOURCE_SAMPLES,
    engine: { name: 'PostgreSQL', locate: async () => url },
    silence: SILENCE,
    limits: { rate: { requests: 1000, seconds: 60 } },
  })
}

type Call = { method?: string; body?: string; type?: string; key?: string }

/** Returns a function that calls with a valid token, and returns the response with its body as text. */
async function makeCaller({ url, token, controlToken }: ServedStore) {
  const own = await token('everything')
  return async (path: string, { method = 'GET', body, type = 'application/json', key }: Call = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(!path.startsWith('/oauth') && {
          Authorization: `Bearer ${path.startsWith('/sandbox') ? controlToken : own}`,
        }),
        ...(body !== undefined && { 'Content-Type': type }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
}

const LAMP = { method: 'POST', body: '{"name":"lamp"}', key: 'lamp-1' }
const FORM = { method: 'POST', type: 'application/x-www-form-urlencoded' }

test('a frozen database: every call gets an error to retry, and a repeat with its key runs once', async () => {
  const served = await serve(await postgres.createDatabase())
  const call = await makeCaller(served)
  await call('/v1/things/lamp')

  postgres.freeze()
  onTestFinished(() => postgres.thaw())
  const silent = await Promise.all([
    ...Array.from({ length: 30 }, () => call('/v1/things/lamp')),
    call('/v1/things', LAMP),
    call('/readyz'),
    call('/oauth/token', { ...FORM, body: 'grant_type=refresh_token&refresh_token=x' }),
    call('/oauth/revoke', { ...FORM, body: 'token=x' }),
    call('/sandbox/clock'),
    call('/sandbox/snapshot'),
    call('/media/med_x'),
  ])
  expect(
    new Set(silent.map(({ status, headers }) => `${status} after ${headers.get('Retry-After')} s`)),
  ).toEqual(new Set(['503 after 1 s']))
  expect((await call('/healthz')).status).toBe(200)
  expect((await call('/unknown')).status).toBe(404)

  postgres.thaw()
  const first = await call('/v1/things', LAMP)
  const again = await call('/v1/things', LAMP)
  expect([first.status, again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 201, 'true'])
  expect(again.body).toBe(first.body)
  expect((await call('/readyz')).status).toBe(200)
})

test('a lost response to a commit: the error says to retry, and the repeat gets the result', async () => {
  const proxy = await startTcpProxy(await createDatabase())
  const served = await serve(proxy.url)
  const call = await makeCaller(served)
  proxy.cutAfter('insert into idempotency', 'commit\0')
  const first = await call('/v1/things', LAMP)
  expect([first.status, first.headers.get('Retry-After')]).toEqual([503, '1'])
  const second = await call('/v1/things', LAMP)
  expect([second.status, second.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
})

test('a connection that is lost before the commit: the call is done over a new one', async () => {
  const proxy = await startTcpProxy(await createDatabase())
  const served = await serve(proxy.url)
  const call = await makeCaller(served)
  // The call waits for this statement; the last ones before the commit travel with it.
  proxy.cutAfter('select fingerprint')
  const first = await call('/v1/things', LAMP)
  expect([first.status, first.headers.has('Idempotent-Replayed')]).toEqual([201, false])
  expect(await call('/v1/things', LAMP)).toMatchObject({ status: 201, body: first.body })
})

test('connections that the network lost: calls are answered over new ones', async () => {
  const proxy = await startTcpProxy(await createDatabase())
  const served = await serve(proxy.url)
  const call = await makeCaller(served)
  await Promise.all(Array.from({ length: 20 }, () => call('/v1/things/lamp')))
  proxy.cutWires()
  const calls = await Promise.all([
    ...Array.from({ length: 20 }, () => call('/v1/things/lamp')),
    call('/v1/things', LAMP),
  ])
  expect(calls.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 201])
})

test('the service ends although the database does not respond', async () => {
  const served = await serve(await postgres.createDatabase())
  const call = await makeCaller(served)
  await call('/v1/things/lamp')
  postgres.freeze()
  onTestFinished(() => postgres.thaw())
  const waiting = call('/v1/things', LAMP)
  // Connections are read in turn: after this response, the call before it is running.
  await call('/healthz')
  await served.close()
  expect((await waiting).status).toBe(503)
})
