import { describe, expect, onTestFinished, test } from 'vitest'
import {
  loginAsClient,
  offersCodes,
  openOAuth,
  pollDevice,
  renewLogin,
  revokeLogin,
  type RequestSender,
  requestDeviceCode,
} from '../../src/client/oauth.ts'
import { sendValidResponse, raw, type Script, startFaults } from '../support/faults.ts'

const TOKEN = 'dray_sbx_secret'
const CODE = {
  device_code: 'dray_dev_secret',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://service.example/device',
  verification_uri_complete: 'https://service.example/device?user_code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
}
const DEVICE = {
  deviceCode: 'dray_dev_secret',
  userCode: 'BCDF-GHJK',
  page: new URL('https://service.example/device'),
  pageWithCode: undefined,
  validMs: 600_000,
  intervalMs: 5000,
}

async function connect(script: Script) {
  const faults = await startFaults(script)
  const debug: string[] = []
  const { send, close } = await openOAuth(faults.url, 2000, {
    env: {},
    now: () => 0,
    elapsed: () => performance.now(),
    weakRandomBytes: (count) => new Uint8Array(count),
    sleep: () => Promise.resolve(),
    debug: (line) => debug.push(line),
  })
  onTestFinished(close)
  return { send, asked: faults.asked, debug }
}

/** Returns a service that always sends the same response. */
const says = (status: number, body: unknown): Script => {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

const fields = (body: string | undefined): unknown => Object.fromEntries(new URLSearchParams(body))

describe('what is sent', () => {
  test('is forms in bodies and never in URLs, and no secret is in the debug output', async () => {
    const { send, asked, debug } = await connect((response, nth) =>
      nth === 0
        ? says(200, CODE)(response, nth, undefined as never)
        : sendValidResponse(response, 200, { access_token: TOKEN }),
    )
    await requestDeviceCode(send, { deviceName: 'laptop & co (dray 1)', scope: 'food.read rides.read' })
    await pollDevice(send, DEVICE)
    await renewLogin(send, { token: TOKEN, refreshToken: 'dray_ref_secret' })
    await loginAsClient(send, { id: 'cli_1', secret: 'dray_sec_secret', scope: 'shipments.read' })
    await revokeLogin(send, { token: TOKEN, refreshToken: 'dray_ref_secret' })
    expect(asked.map(({ method, url, body }) => ({ method, url, form: fields(body) }))).toEqual([
      {
        method: 'POST',
        url: '/oauth/device_authorization',
        form: { client_id: 'dray-cli', device_name: 'laptop & co (dray 1)', scope: 'food.read rides.read' },
      },
      {
        method: 'POST',
        url: '/oauth/token',
        form: {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: 'dray_dev_secret',
          client_id: 'dray-cli',
        },
      },
      {
        method: 'POST',
        url: '/oauth/token',
        form: { grant_type: 'refresh_token', refresh_token: 'dray_ref_secret', client_id: 'dray-cli' },
      },
      {
        method: 'POST',
        url: '/oauth/token',
        form: {
          grant_type: 'client_credentials',
          client_id: 'cli_1',
          client_secret: 'dray_sec_secret',
          scope: 'shipments.read',
        },
      },
      {
        method: 'POST',
        url: '/oauth/revoke',
        form: { token: 'dray_ref_secret', token_type_hint: 'refresh_token', client_id: 'dray-cli' },
      },
    ])
    expect(
      asked.every(({ headers }) => headers['content-type'] === 'application/x-www-form-urlencoded'),
    ).toBe(true)
    expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true)
    expect(debug.join('\n')).toMatch(/POST \/oauth\/token 200/)
    expect(debug.join('\n')).not.toMatch(/secret/)
  })

  test('goes to this service only: a redirect is not followed', async () => {
    const { send, asked } = await connect((response) => {
      response.writeHead(307, { Location: 'http://127.0.0.1:1/oauth/token' })
      response.end()
    })
    await expect(renewLogin(send, { token: TOKEN, refreshToken: 'r' })).rejects.toMatchObject({
      code: 'invalid_response',
    })
    expect(asked).toHaveLength(1)
  })
})

describe('a code', () => {
  test.each<[string, unknown, boolean]>([
    ['is offered', { grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code'] }, true],
    ['is not offered', { grant_types_supported: ['client_credentials'] }, false],
    ['is not spoken of', {}, false],
  ])('%s by the metadata', async (_name, metadata, offered) => {
    const { send, asked } = await connect(says(200, metadata))
    expect(await offersCodes(send)).toBe(offered)
    expect(asked[0]?.url).toBe('/.well-known/oauth-authorization-server')
  })

  test('is not offered by a service without metadata', async () => {
    const { send } = await connect((response) =>
      sendValidResponse(response, 404, { code: 'route_not_found' }),
    )
    expect(await offersCodes(send)).toBe(false)
  })

  test.each<[string, Record<string, unknown>]>([
    ['no page', { verification_uri: undefined }],
    ['a page that is a program', { verification_uri: 'file:///bin/sh' }],
    ['a page that is a script', { verification_uri: 'javascript:alert(1)' }],
    ['a page with a password', { verification_uri: 'https://me:pw@service.example' }],
    ['a code that moves the cursor', { user_code: '\x1b[2J' }],
    ['a code that is a sentence', { user_code: 'call this number' }],
    ['no secret of its own', { device_code: '' }],
  ])('with %s is refused', async (_name, wrong) => {
    const { send } = await connect(says(200, { ...CODE, ...wrong }))
    await expect(requestDeviceCode(send, { deviceName: 'x', scope: undefined })).rejects.toMatchObject({
      code: 'invalid_response',
    })
  })

  test.each<[unknown, unknown, number, number]>([
    [600, 5, 600_000, 5000],
    [undefined, undefined, 600_000, 5000],
    [-1, 0, 600_000, 5000],
    [1e12, 1e12, 3_600_000, 60_000],
    ['600', Number.NaN, 600_000, 5000],
  ])(
    'that says it holds for %s s and to ask every %s s is waited for sensibly',
    async (valid, interval, validMs, intervalMs) => {
      const { send } = await connect(says(200, { ...CODE, expires_in: valid, interval }))
      expect(await requestDeviceCode(send, { deviceName: 'x', scope: undefined })).toMatchObject({
        validMs,
        intervalMs,
      })
    },
  )

  test.each([
    ['authorization_pending', { again: 'pending' }],
    ['slow_down', { again: 'slow_down' }],
    ['access_denied', { code: 'login_denied', exitCode: 4 }],
    ['expired_token', { code: 'login_expired', exitCode: 4 }],
    ['invalid_grant', { code: 'login_expired', exitCode: 4 }],
    ['invalid_scope', { code: 'insufficient_scope', exitCode: 4 }],
    ['unauthorized_client', { code: 'invalid_request', exitCode: 6 }],
    ['rate_limited', { code: 'rate_limited', exitCode: 10 }],
  ])('that is answered with %s', async (error, outcome) => {
    const status = error === 'rate_limited' ? 429 : 400
    const { send } = await connect(says(status, { error, error_description: 'Why.' }))
    expect(await pollDevice(send, DEVICE).catch((thrown: unknown) => thrown)).toMatchObject(outcome)
  })
})

describe('a token', () => {
  test.each<[string, unknown]>([
    ['is none', {}],
    ['has a line break', { access_token: 'a\nb' }],
    ['is for another kind of header', { access_token: TOKEN, token_type: 'mac' }],
    ['is cut off', '{"access_token":"dray_sb'],
    ['comes with more than anybody needs', { access_token: TOKEN, padding: 'x'.repeat(70_000) }],
  ])('that %s is refused', async (_name, body) => {
    const { send } = await connect(says(200, body))
    await expect(loginAsClient(send, { id: 'cli_1', secret: 's' })).rejects.toMatchObject({
      code: 'invalid_response',
    })
  })

  test('of a program whose secret is wrong names the flags', async () => {
    const { send } = await connect(says(401, { error: 'invalid_client', error_description: 'Not known.' }))
    await expect(loginAsClient(send, { id: 'cli_1', secret: 's' })).rejects.toMatchObject({
      code: 'invalid_token',
      exitCode: 4,
      hint: 'Check --client-id and the file of --client-secret-file.',
    })
  })
})

describe('renewing', () => {
  const login = { token: TOKEN, refreshToken: 'dray_ref_secret', account: 'shipper' }
  const renew = (send: RequestSender) => renewLogin(send, login).catch((error: unknown) => error)

  test('returns the next pair and keeps the other members', async () => {
    const { send } = await connect(
      says(200, { access_token: 'next', refresh_token: 'next2', token_type: 'bearer' }),
    )
    expect(await renew(send)).toEqual({ token: 'next', refreshToken: 'next2', account: 'shipper' })
  })

  test('keeps a refresh token that the service does not change', async () => {
    const { send } = await connect(says(200, { access_token: 'next' }))
    expect(await renew(send)).toEqual({ ...login, token: 'next' })
  })

  test('that is rejected ends the login: exit code 4', async () => {
    const { send } = await connect(says(400, { error: 'invalid_grant' }))
    expect(await renew(send)).toMatchObject({
      code: 'invalid_token',
      exitCode: 4,
      hint: expect.stringContaining('Run `dray login` again') as string,
    })
  })

  test.each<[string, Script]>([
    ['lost', (response) => raw(response).destroy()],
    ['cut off', (response) => raw(response).end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"acc')],
    [
      'that the service is not up',
      (response) => sendValidResponse(response, 503, { code: 'service_unavailable' }),
    ],
  ])('whose answer is %s asks again with the same token', async (_name, script) => {
    const { send, asked } = await connect((response, nth, one) =>
      nth === 0 ? script(response, nth, one) : sendValidResponse(response, 200, { access_token: 'next' }),
    )
    expect(await renew(send)).toEqual({ ...login, token: 'next' })
    expect(asked.map(({ body }) => body)).toEqual([asked[0]?.body, asked[0]?.body])
  })

  test('without a response says what to do', async () => {
    const { send } = await connect((response) => raw(response).destroy())
    expect(await renew(send)).toMatchObject({
      code: 'network_error',
      exitCode: 11,
      hint: 'Try again; if the login is rejected, run `dray login`.',
    })
  })
})
