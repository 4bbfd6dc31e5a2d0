import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { auth, ClientCredentialsProvider } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/core/account.ts'
import { parseTrustedProxies } from '../../src/server/origin.ts'
import { callTestControl } from '../support/control.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { NOON_MS, serveStore, talk } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { sandboxOverStore } from '../support/world.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const MANY = { devices: 1000, failures: 1000 }

let served: ServedStore

beforeAll(async () => {
  served = await serveStore({ registry: RESOURCE_SAMPLES, oauthLimits: MANY })
})

type Form = Record<string, string> | string
type Reply = { status: number; headers: Headers; value: Record<string, unknown> }

async function post(path: string, form: Form, headers: Record<string, string> = {}): Promise<Reply> {
  const answer = await fetch(served.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form),
  })
  const value = (await answer.json()) as Record<string, unknown>
  return { status: answer.status, headers: answer.headers, value }
}

const token = (form: Form, headers?: Record<string, string>) => post('/oauth/token', form, headers)

async function control(path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(served.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${served.controlToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, string>
}

const basic = (id: string, secret: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

async function probe(accessToken: unknown): Promise<[number, string | null]> {
  const headers = { Authorization: `Bearer ${String(accessToken)}` }
  const answer = await fetch(`${served.url}/v1/things/a`, { headers })
  return [answer.status, answer.headers.get('www-authenticate')]
}

describe('a device', () => {
  test('logs in, is renewed, and is revoked', async () => {
    const started = await post('/oauth/device_authorization', {
      client_id: 'dray-cli',
      device_name: 'A laptop',
    })
    expect(started).toMatchObject({
      status: 200,
      value: {
        device_code: expect.stringMatching(/^dray_dev_[\w-]{43}$/),
        user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
        verification_uri: `${served.url}/device`,
        verification_uri_complete: `${served.url}/device?user_code=${String(started.value['user_code'])}`,
        expires_in: 600,
        interval: 5,
      },
    })
    const { device_code, user_code } = started.value as Record<string, string>
    const poll = { grant_type: DEVICE_GRANT, client_id: 'dray-cli', device_code: device_code ?? '' }
    expect(await token(poll)).toMatchObject({ status: 400, value: { error: 'authorization_pending' } })
    // The machine's clock of this server is frozen.
    expect(await token(poll)).toMatchObject({ status: 400, value: { error: 'slow_down' } })

    const approved = await control(`/sandbox/devices/${String(user_code)}`, { account: 'everything' })
    expect(approved).toMatchObject({ status: 'approved', device: 'A laptop' })
    const { status, value: first, headers } = await token(poll)
    expect({ status, first }).toEqual({
      status: 200,
      first: {
        access_token: expect.stringMatching(/^dray_sbx_/),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^dray_ref_/),
        scope: SCOPES.join(' '),
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('content-type')).toBe('application/json')
    expect(await probe(first['access_token'])).toEqual([200, null])

    const refresh = (from: Record<string, unknown>) =>
      token({
        grant_type: 'refresh_token',
        client_id: 'dray-cli',
        refresh_token: String(from['refresh_token']),
      })
    const { value: second } = await refresh(first)
    expect(await probe(second['access_token'])).toEqual([200, null])
    expect(await post('/oauth/revoke', { token: String(second['refresh_token']) })).toMatchObject({
      status: 200,
      value: {},
    })
    for (const pair of [first, second])
      expect(await probe(pair['access_token'])).toEqual([401, 'Bearer realm="dray", error="invalid_token"'])
    expect(await refresh(second)).toMatchObject({ status: 400, value: { error: 'invalid_grant' } })
  })

  test('is named by its user agent when it gives no name', async () => {
    const started = await post(
      '/oauth/device_authorization',
      { client_id: 'dray-cli', scope: 'food.read' },
      { 'User-Agent': 'kiosk/2.1' },
    )
    const path = `/sandbox/devices/${String(started.value['user_code'])}`
    expect(await control(path, { deny: true })).toMatchObject({ device: 'kiosk/2.1', status: 'denied' })
  })
})

describe('a program with a secret', () => {
  test('gets its token by HTTP Basic or in the body', async () => {
    const made = await control('/sandbox/accounts/everything/clients', { scopes: ['profile.read'] })
    const { client_id: id = '', client_secret: secret = '' } = made
    const grant = { grant_type: 'client_credentials' }
    for (const reply of [
      await token(grant, basic(id, secret)),
      await token({ ...grant, client_id: id }, basic(id, secret)),
      await token({ ...grant, client_id: id, client_secret: secret }),
    ]) {
      expect(reply).toMatchObject({ status: 200, value: { scope: 'profile.read', expires_in: 3600 } })
      expect(reply.value).not.toHaveProperty('refresh_token')
    }
  })

  test('learns what is wrong with its credential', async () => {
    const { client_id: id = '', client_secret: secret = '' } = await control(
      '/sandbox/accounts/everything/clients',
      {},
    )
    const grant = { grant_type: 'client_credentials' }
    const unknown = [
      await token(grant),
      await token(grant, basic(id, `${secret}x`)),
      await token(grant, basic('nobody', secret)),
      await token(grant, { Authorization: 'Basic !' }),
      await token(grant, { Authorization: `Bearer ${secret}` }),
      await token(grant, { Authorization: `Basic ${Buffer.from(id).toString('base64')}` }),
    ]
    for (const { status, headers, value } of unknown) {
      expect([status, value['error']]).toEqual([401, 'invalid_client'])
      expect(headers.get('www-authenticate')).toBe('Basic realm="dray"')
      expect(headers.get('cache-control')).toBe('no-store')
    }
    for (const form of [
      { ...grant, client_secret: secret },
      { ...grant, client_id: 'other' },
    ]) {
      expect(await token(form, basic(id, secret))).toMatchObject({
        status: 400,
        value: { error: 'invalid_request', error_description: expect.stringContaining('not by both') },
      })
    }
  })
})

describe('a form', () => {
  const refused = (reply: Reply) => [reply.status, reply.value['error']]

  test('must have the form content type', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded; charset=latin1',
    ]) {
      expect(refused(await token('{}', { 'Content-Type': type }))).toEqual([400, 'invalid_request'])
    }
    const typed = await token('grant_type=x', {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
    })
    expect(refused(typed)).toEqual([400, 'unsupported_grant_type'])
  })

  test('repeats no parameter, and has only valid text', async () => {
    for (const form of [
      'grant_type=refresh_token&grant_type=refresh_token',
      'client_id=&client_id=dray-cli&grant_type=refresh_token',
      'grant_type=%zz',
      'grant_type=%ff',
      'grant_type=refresh_token%00',
      'client_id=a%0d%0ab',
      'a=1&'.repeat(60),
    ]) {
      expect(refused(await token(form)), form).toEqual([400, 'invalid_request'])
    }
    // An empty parameter counts as missing, and unknown ones are ignored (RFC 6749 3.2).
    const loose = await token('&grant_type=refresh_token&client_id=dray-cli&refresh_token=&new=1&')
    expect(loose.value['error_description']).toBe('refresh_token is missing.')
  })

  test('of more than 16 KiB, or that is packed, is not read', async () => {
    expect(refused(await token({ token: 'x'.repeat(17_000) }))).toEqual([413, 'invalid_request'])
    expect(refused(await token('x', { 'Content-Encoding': 'gzip' }))).toEqual([415, 'invalid_request'])
  })

  test('of bytes that are no UTF-8 is rejected', async () => {
    const head =
      'POST /oauth/token HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\nConnection: close\r\n\r\n'
    const bytes = Buffer.concat([
      Buffer.from(head.replace('PORT', String(served.port))),
      Buffer.from([97, 61, 0xc3, 0x28]),
    ])
    const [answer] = await talk(served.port, bytes)
    expect([answer?.status, JSON.parse(answer?.body ?? '{}')]).toMatchObject([
      400,
      { error: 'invalid_request' },
    ])
  })

  test('without a token is invalid', async () => {
    for (const path of ['/oauth/revoke', '/oauth/introspect'])
      expect(refused(await post(path, {}))).toEqual([400, 'invalid_request'])
  })
})

describe('introspection of a token', () => {
  test('returns its scopes, if it is valid', async () => {
    const known = await served.token('member', { scopes: ['food.read'] })
    const { value } = await post('/oauth/introspect', { token: known })
    expect(value).toMatchObject({
      active: true,
      scope: 'food.read',
      username: 'member',
      exp: NOON_MS / 1000 + 86_400,
    })
    const unknown = await post('/oauth/introspect', { token: `${known}x`, token_type_hint: 'access_token' })
    expect([unknown.status, unknown.value]).toEqual([200, { active: false }])
  })
})

describe('the service', () => {
  const describedAt = async (path: string, headers: Record<string, string> = {}) =>
    (await (await fetch(served.url + path, { headers })).json()) as Record<string, unknown>

  test('lists its endpoints under the origin of the request', async () => {
    expect(await describedAt('/.well-known/oauth-authorization-server')).toEqual({
      issuer: served.url,
      device_authorization_endpoint: `${served.url}/oauth/device_authorization`,
      authorization_endpoint: `${served.url}/oauth/authorize`,
      token_endpoint: `${served.url}/oauth/token`,
      revocation_endpoint: `${served.url}/oauth/revoke`,
      introspection_endpoint: `${served.url}/oauth/introspect`,
      scopes_supported: SCOPES,
      response_types_supported: [],
      grant_types_supported: [DEVICE_GRANT, 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none'],
      introspection_endpoint_auth_methods_supported: ['none'],
    })
    expect(await describedAt('/.well-known/oauth-protected-resource')).toEqual({
      resource: served.url,
      authorization_servers: [served.url],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'dray',
    })
  })

  test('says https only where a named proxy says so', async () => {
    const behind = { 'X-Forwarded-Proto': 'https' }
    const path = '/.well-known/oauth-protected-resource'
    expect(await describedAt(path, behind)).toMatchObject({ resource: served.url })
    const before = served
    served = await serveStore({ registry: RESOURCE_SAMPLES, proxies: parseTrustedProxies(['127.0.0.0/8']) })
    try {
      const secure = served.url.replace('http:', 'https:')
      expect(await describedAt(path, behind)).toMatchObject({ resource: secure })
      expect(await describedAt(path, { 'X-Forwarded-Proto': 'http, https' })).toMatchObject({
        resource: secure,
      })
      for (const scheme of ['http', 'https, http', 'javascript'])
        expect(await describedAt(path, { 'X-Forwarded-Proto': scheme })).toMatchObject({
          resource: served.url,
        })
    } finally {
      served = before
    }
  })

  test('tells a browser what to do instead', async () => {
    const answer = await fetch(`${served.url}/oauth/authorize?response_type=code&client_id=x`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: 'unsupported_response_type',
      error_description: expect.stringContaining('dray login'),
    })
  })

  test('works with a generic OAuth client', async () => {
    const made = await control('/sandbox/accounts/shipper/clients', { scopes: ['shipments.read'] })
    const provider = new ClientCredentialsProvider({
      clientId: made['client_id'] ?? '',
      clientSecret: made['client_secret'] ?? '',
      expectedIssuer: served.url,
    })
    expect(await auth(provider, { serverUrl: `${served.url}/mcp`, scope: 'shipments.read' })).toBe(
      'AUTHORIZED',
    )
    expect(provider.tokens()).toMatchObject({ token_type: 'Bearer', scope: 'shipments.read' })
  })

  test('accepts forms only by POST and from no other page', async () => {
    expect((await fetch(`${served.url}/oauth/token`)).status).toBe(405)
    expect((await token({}, { Origin: 'https://evil.example' })).status).toBe(403)
  })

  test('writes no code, token or secret into its log or its store', async () => {
    const { value } = await post('/oauth/device_authorization', { client_id: 'dray-cli' })
    const { device_code: deviceCode = '', user_code: userCode = '' } = value as Record<string, string>
    await control(`/sandbox/devices/${userCode}`, { account: 'everything' })
    const { value: tokens } = await token({
      grant_type: DEVICE_GRANT,
      client_id: 'dray-cli',
      device_code: deviceCode,
    })
    const { client_id: id = '', client_secret: secret = '' } = await control(
      '/sandbox/accounts/everything/clients',
      {},
    )
    await token({ grant_type: 'client_credentials' }, basic(id, secret))
    await token({ grant_type: 'refresh_token', client_id: 'dray-cli', refresh_token: 'dray_ref_canary' })
    await post('/oauth/introspect?token=canary', { token: String(tokens['access_token']) })

    await expect.poll(() => served.log.map(({ operation }) => operation)).toContain('oauth:introspect')
    const log = JSON.stringify(served.log)
    const kept = [deviceCode, String(tokens['access_token']), String(tokens['refresh_token']), secret]
    for (const text of [...kept, userCode, 'canary']) expect(log).not.toContain(text)
    const account = served.log.find(({ operation, status }) => operation === 'oauth:token' && status === 200)
    expect(account?.account_id).toMatch(/^[a-z]{3}_/)

    const folder = dirname(served.service.store)
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file)))
    expect(files.some((file) => file.includes(id))).toBe(true)
    // Searches for the text after its prefix, which only names the kind.
    for (const text of kept) for (const file of files) expect(file.includes(text.slice(9))).toBe(false)
    expect(served.bugs).toEqual([])
  })
})

describe('a caller with too many attempts', () => {
  test('must wait, for codes and for guesses separately', async () => {
    const before = served
    served = await serveStore({ registry: RESOURCE_SAMPLES, oauthLimits: { devices: 2, failures: 3 } })
    try {
      const start = () => post('/oauth/device_authorization', { client_id: 'dray-cli' })
      expect([(await start()).status, (await start()).status]).toEqual([200, 200])
      const limited = await start()
      expect([limited.status, limited.value['error']]).toEqual([429, 'rate_limited'])
      expect(Number(limited.headers.get('retry-after'))).toSatisfy((wait: number) => wait >= 1 && wait <= 60)
      expect(limited.headers.get('cache-control')).toBe('no-store')

      const poll = { grant_type: DEVICE_GRANT, client_id: 'dray-cli' }
      const world = sandboxOverStore(served.db)
      const known = (await callTestControl(world, 'mint_token', { account: 'member' })).token
      for (const guess of ['one', 'two'])
        expect((await token({ ...poll, device_code: guess })).value['error']).toBe('invalid_grant')
      // Asking about an existing token does not count as guessing.
      expect((await post('/oauth/introspect', { token: known })).value['active']).toBe(true)
      expect((await post('/oauth/introspect', { token: 'three' })).value).toEqual({ active: false })
      expect((await token({ ...poll, device_code: 'four' })).status).toBe(429)
      expect((await post('/oauth/introspect', { token: known })).status).toBe(429)
      // A token can always be revoked.
      expect((await post('/oauth/revoke', { token: known })).status).toBe(200)
    } finally {
      served = before
    }
  })
})

describe('callers behind a proxy', () => {
  /** Opens a service that allows one login code per address. */
  async function starter(proxies: string[]): Promise<(forwarded: string) => Promise<number>> {
    const oauthLimits = { devices: 1, failures: 1 }
    const { url } = await serveStore({
      registry: RESOURCE_SAMPLES,
      oauthLimits,
      proxies: parseTrustedProxies(proxies),
    })
    const body = new URLSearchParams({ client_id: 'dray-cli' })
    return async (forwarded) => {
      const headers = { 'X-Forwarded-For': forwarded }
      return (await fetch(`${url}/oauth/device_authorization`, { method: 'POST', headers, body })).status
    }
  }

  test('are distinguished by the addresses that a named proxy saw, not by their own headers', async () => {
    const start = await starter(['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'])
    expect(await start('192.0.2.1')).toBe(200)
    expect(await start('192.0.2.1')).toBe(429)
    expect(await start('198.51.100.9, 192.0.2.1')).toBe(429)
    expect(await start('192.0.2.1, 192.0.2.2')).toBe(200)
    expect(await start('2001:db8::1')).toBe(200)
    expect(await start('2001:db8::2')).toBe(429)
    // Through two trusted proxies, with a forged one before them.
    expect(await start('192.0.2.1, 192.0.2.4, 10.1.2.3')).toBe(200)
    expect(await start('10.9.9.9, 192.0.2.4, 2001:db8:ffff::7, 10.1.2.3')).toBe(429)
    // A text that is not an address is ignored: then the proxy's own address is counted.
    expect([await start('unknown'), await start('x'.repeat(5000))]).toEqual([200, 429])
    expect([await start('192.0.2.3:50001'), await start('dead.beef:1')]).toEqual([429, 429])
  })

  test.each([[[]], [['127.0.0.2']], [['192.0.2.0/24']]])(
    'that was not named are counted as the proxy, whatever they say (named: %s)',
    async (proxies) => {
      const start = await starter(proxies)
      expect(await start('192.0.2.1')).toBe(200)
      expect([await start('192.0.2.2'), await start('127.0.0.1'), await start('::1')]).toEqual([
        429, 429, 429,
      ])
    },
  )
})

describe('a service without an approval page', () => {
  test('rejects devices, but accepts programs with a secret', async () => {
    const closed = await serveStore({ registry: RESOURCE_SAMPLES, control: false })
    const form = new URLSearchParams({ client_id: 'dray-cli' })
    const started = await fetch(`${closed.url}/oauth/device_authorization`, { method: 'POST', body: form })
    expect(started.status).toBe(404)
    const described = await fetch(`${closed.url}/.well-known/oauth-authorization-server`)
    const metadata = (await described.json()) as Record<string, unknown>
    expect(metadata).not.toHaveProperty('device_authorization_endpoint')
    expect(metadata['grant_types_supported']).toEqual(['refresh_token', 'client_credentials'])
  })
})
