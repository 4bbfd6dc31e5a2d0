import { describe, expect, test } from 'vitest'
import { findAccount } from '../../src/areas/account/queries/accounts.ts'
import { insertMedia } from '../../src/areas/proofs/queries.ts'
import { makeGate, makeGatedRegistry } from '../support/gate.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore, talk } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47)

async function addMedia(
  { db }: ServedStore,
  handle: string,
  mediaId: string,
  contentType: string,
): Promise<void> {
  await db.write(async (tx) => {
    const account = await findAccount(tx, handle)
    await insertMedia(tx, {
      media_id: mediaId,
      owner_id: account?.account_id ?? '',
      content_type: contentType,
      sha256: mediaId,
      bytes: PICTURE,
    })
  })
}

describe('a picture', () => {
  test('is sent unchanged to its owner, and never executed', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    await addMedia(served, 'everything', 'med_1', 'image/png')
    const answer = await fetch(`${served.url}/media/med_1`, {
      headers: { Authorization: `Bearer ${await served.token('everything')}` },
    })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PICTURE)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="med_1"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'service-time': expect.stringContaining('2026-11-20'),
    })
  })

  test('of another type is saved and not shown', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    await addMedia(served, 'everything', 'med_2', 'image/svg+xml')
    const answer = await fetch(`${served.url}/media/med_2`, {
      headers: { Authorization: `Bearer ${await served.token('everything')}` },
    })
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  test('of another account is not found', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    await addMedia(served, 'everything', 'med_3', 'image/png')
    const look = async (path: string, token?: string) => {
      const answer = await fetch(
        served.url + path,
        token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
      )
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    const other = await served.token('member')
    expect(await look('/media/med_3', other)).toEqual([404, 'media_not_found'])
    expect(await look('/media/med_0', other)).toEqual([404, 'media_not_found'])
    expect(await look('/media/med_3')).toEqual([401, 'missing_token'])
    expect(await look('/media/..%2fmed_3', other)).toEqual([404, 'route_not_found'])
  })
})

describe('the process', () => {
  test('reports that it is alive, and that its store answers', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    expect(await (await fetch(`${served.url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${served.url}/readyz`)).json()).toEqual({ status: 'ready' })
  })

  test('reports when its store stops answering, and stays alive', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    await served.db.close()
    const ready = await fetch(`${served.url}/readyz`)
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200)
  })

  test('logs the failure of its store, and hides it from external callers', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    const headers = { Authorization: `Bearer ${await served.token('everything')}` }
    await served.db.write((tx) => tx.run('delete from world'))
    for (const path of ['/v1/things/a', '/media/med_1']) {
      const answer = await fetch(served.url + path, { headers })
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        500,
        expect.objectContaining({
          status: 500,
          code: 'internal_error',
          detail: expect.not.stringMatching(/world/),
        }),
      ])
    }
    expect(served.bugs.map(String)).toEqual(Array(2).fill(expect.stringContaining('never seeded')))
  })

  test('reports a bug by an id, with the cause only in the log', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    const answer = await fetch(`${served.url}/v1/things/broken`, {
      headers: { Authorization: `Bearer ${await served.token('everything')}` },
    })
    const problem = (await answer.json()) as { code: string; detail: string; request_id: string }
    expect([answer.status, problem.code]).toEqual([500, 'internal_error'])
    expect(problem.detail).toContain(problem.request_id)
    expect(JSON.stringify(problem)).not.toContain('a bug')
    expect(served.bugs.map(String)).toEqual(['Error: a bug'])
  })
})

describe('the log', () => {
  test('has one line for each request: who, what, how it went, and none of its secrets', async () => {
    let elapsed = 0
    const served = await serveStore({ registry: RESOURCE_SAMPLES, elapsed: () => (elapsed += 12.3456) })
    const token = await served.token('everything')
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    await fetch(`${served.url}/v1/things/a?colour=canary`, { headers })
    await fetch(`${served.url}/v1/things`, { method: 'POST', headers, body: '{"name":"canary"}' })
    await fetch(`${served.url}/v1/things/a`)
    await fetch(`${served.url}/canary`)
    await talk(served.port, 'canary\r\n\r\n')
    await expect.poll(() => served.log.length).toBe(5)
    expect(served.log.map(({ operation, account_id, status }) => [operation, account_id, status])).toEqual([
      ['get_thing', expect.stringMatching(/^cus_/), 200],
      ['create_thing', expect.stringMatching(/^cus_/), 201],
      ['get_thing', null, 401],
      [null, null, 404],
      [null, null, 400],
    ])
    expect(served.log[0]).toEqual({
      time: '2026-11-20T12:00:00.000Z',
      request_id: expect.stringMatching(/^req_/),
      method: 'GET',
      path: '/v1/things/{thing_id}',
      operation: 'get_thing',
      account_id: expect.any(String),
      status: 200,
      code: null,
      // Every read moves the clock: at the start of a request and at its end.
      duration_ms: 24.691,
      traceparent: null,
    })
    expect(served.log.map(({ method, path, code }) => [method, path, code]).slice(2)).toEqual([
      ['GET', '/v1/things/{thing_id}', 'missing_token'],
      ['GET', null, 'route_not_found'],
      [null, null, 'invalid_request'],
    ])
    expect(JSON.stringify(served.log)).not.toContain('canary')
    expect(JSON.stringify(served.log)).not.toContain(token)
  })
})

describe('a caller that leaves', () => {
  test('is forgotten: its place is free again, and the log says so', async () => {
    const gate = makeGate()
    const served = await serveStore({ registry: makeGatedRegistry(gate) })
    const leave = new AbortController()
    const headers = { Authorization: `Bearer ${await served.token('everything')}` }
    const asked = fetch(`${served.url}/v1/waits`, { headers, signal: leave.signal }).catch(
      (error: Error) => error.name,
    )
    await gate.reached
    leave.abort()
    expect(await asked).toBe('AbortError')
    await expect.poll(() => served.log.map(({ status }) => status)).toEqual([499])
    gate.open()
    expect((await fetch(`${served.url}/v1/waits`, { headers })).status).toBe(200)
  })
})

describe('listening elsewhere', () => {
  test('answers to any name, or only to those that were given', async () => {
    const ask = async (served: ServedStore, host: string): Promise<number | undefined> => {
      const bytes = `GET /v1/things/a HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${await served.token('everything')}\r\nConnection: close\r\n\r\n`
      return (await talk(served.port, bytes))[0]?.status
    }
    const open = await serveStore({ registry: RESOURCE_SAMPLES, host: '0.0.0.0' })
    expect(await ask(open, 'anything.example')).toBe(200)
    const named = await serveStore({
      registry: RESOURCE_SAMPLES,
      host: '0.0.0.0',
      allowedHosts: ['api.example.com', 'other.example:8443'],
    })
    expect(
      await Promise.all(
        [
          'api.example.com',
          'API.example.com:99',
          'other.example:8443',
          `127.0.0.1:${named.port}`,
          // A port of an SSH tunnel or a container, forwarded to the service.
          'localhost:9000',
        ].map((host) => ask(named, host)),
      ),
    ).toEqual([200, 200, 200, 200, 200])
    expect(
      await Promise.all(
        ['evil.example', 'other.example', 'other.example:80'].map((host) => ask(named, host)),
      ),
    ).toEqual([403, 403, 403])
  })

  test('accepts pages of its allowed name, and of no other', async () => {
    const named = await serveStore({ registry: RESOURCE_SAMPLES, allowedHosts: ['api.example.com'] })
    const ask = async (origin: string): Promise<number | undefined> => {
      const bytes = `GET /v1/things/a HTTP/1.1\r\nHost: api.example.com\r\nOrigin: ${origin}\r\nAuthorization: Bearer ${await named.token('everything')}\r\nConnection: close\r\n\r\n`
      return (await talk(named.port, bytes))[0]?.status
    }
    expect(
      await Promise.all(['https://api.example.com', 'https://api.example.com.evil.example', 'null'].map(ask)),
    ).toEqual([200, 403, 403])
  })

  test('on a port that is taken says so', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES })
    await expect(serveStore({ registry: RESOURCE_SAMPLES, port: served.port })).rejects.toMatchObject({
      code: 'usage',
      message: `Port ${served.port} on 127.0.0.1 is already in use.`,
    })
  })
})

test.each([
  ['/v1/things/', 'Did you mean /v1/things?'],
  ['/V1/Things?limit=1', 'Did you mean /v1/things?'],
  ['/things', 'Did you mean /v1/things?'],
  ['/OpenAPI.json', 'Did you mean /openapi.json?'],
  ['/v1/nothing', undefined],
  [`/v1/things/${'x/'.repeat(200)}`, undefined],
])('an unknown path names the one that is meant: %s', async (path, hint) => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
  const answer = await fetch(`${served.url}${path}`)
  expect(answer.status).toBe(404)
  expect(((await answer.json()) as { hint?: string }).hint).toBe(hint)
})
