/** The approval page, as an attacker without a browser sees it. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '../../../src/server/origin.ts'
import { iterations } from '../../support/battery.ts'
import {
  askForToken,
  requestApprovalLink,
  visitApprovalLink,
  expireDeviceCodes,
  startLogin,
} from '../../support/devices.ts'
import { RESOURCE_SAMPLES } from '../../support/resource-samples.ts'
import { NOON_MS, serveStore, talk } from '../../support/served.ts'
import type { ServedStore } from '../../support/served.ts'
import { ENGINES } from '../../support/stores.ts'

let served: ServedStore

beforeAll(async () => {
  served = await serveStore({ registry: RESOURCE_SAMPLES })
})

/** A received page. */
type ReceivedPage = { status: number; headers: Headers; text: string; heading: string | undefined }

async function readPageResponse(response: Response): Promise<ReceivedPage> {
  const text = await response.text()
  const heading = /<h1>(.*?)<\/h1>/.exec(text)?.[1]
  return { status: response.status, headers: response.headers, text, heading }
}

/** Opens an approval link, as a browser does. */
async function visit(service: ServedStore) {
  const { url } = service
  const cookie = await visitApprovalLink(await requestApprovalLink(service))
  const page = await readPageResponse(await fetch(`${url}/device`, { headers: { cookie } }))
  const post = async (
    step: 'check' | 'decide',
    fields: Record<string, string> | string,
    headers: Record<string, string> = {},
  ): Promise<ReceivedPage> =>
    readPageResponse(
      await fetch(`${url}/device/${step}`, {
        method: 'POST',
        headers: { origin: url, cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
      }),
    )
  return { cookie, token: tokenOf(page), page, post }
}

/** Returns the token of a page's form. */
function tokenOf({ text }: ReceivedPage): string {
  return /name="token" value="(\w+)"/.exec(text)?.[1] ?? ''
}

describe('the approval page', () => {
  test('loads nothing but its own style and picture, stands in no frame and is never stored', async () => {
    const { page } = await visit(served)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/i)
  })

  test('shows only the code of an address', async () => {
    const { cookie } = await visit(served)
    const filled = async (code: string): Promise<string | undefined> => {
      const address = `${served.url}/device?user_code=${encodeURIComponent(code)}`
      const text = await (await fetch(address, { headers: { cookie } })).text()
      return /id="user_code"[^]*?value="(.*?)"/.exec(text)?.[1]
    }
    expect(await filled('bcdfghjk')).toBe('BCDF-GHJK')
    expect(await filled('"><script>alert(1)</script>')).toBe('')
    expect(await filled('Call 0800 555 and read your code')).toBe('')
  })

  test('shows a device’s name as text', async () => {
    const answer = await fetch(`${served.url}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'dray-cli', device_name: '<b onclick="x">"&\'' }),
    })
    const { user_code = '' } = (await answer.json()) as Record<string, string>
    const { token, post } = await visit(served)
    const { text } = await post('check', { token, user_code })
    expect(text).toContain('<bdi>&lt;b onclick=&quot;x&quot;&gt;&quot;&amp;&#39;</bdi>')
  })

  test('shows the same page for an expired, a used and an unknown code', async () => {
    const [used, expired] = [await startLogin(served), await startLogin(served)]
    const { token, post } = await visit(served)
    const consent = await post('check', { token, user_code: used.userCode })
    await post('decide', { token: tokenOf(consent), user_code: used.userCode, decision: 'deny' })
    await expireDeviceCodes(served)
    const answers = []
    for (const user_code of [used.userCode, expired.userCode, 'BCDF-GHJK'])
      answers.push(await post('check', { token, user_code }))
    const plain = answers.map(({ status, text }) => [
      status,
      text.replaceAll(/value="[A-Z-]{9}"|[2-4] tries/g, ''),
    ])
    expect(plain[0]?.[0]).toBe(400)
    expect(plain[1]).toEqual(plain[0])
    expect(plain[2]).toEqual(plain[0])
  })
})

describe('a browser that opened no link', () => {
  /** Returns status and text of a page, without its address and time. */
  const plain = ({ status, text }: ReceivedPage): unknown[] => [status, text]

  test('is shown no device and no form, and not even whether a code exists', async () => {
    const login = await startLogin(served)
    const pages = []
    for (const code of [login.userCode, 'BCDF-GHJK', '']) {
      const address = `${served.url}/device${code === '' ? '' : `?user_code=${code}`}`
      pages.push(await readPageResponse(await fetch(address)))
      for (const step of ['check', 'decide']) {
        const body = new URLSearchParams({ user_code: code, account: 'everything', decision: 'approve' })
        const headers = {
          origin: served.url,
          cookie: `dray_device_${served.port}=dray_brw_${'A'.repeat(43)}`,
        }
        pages.push(
          await readPageResponse(
            await fetch(`${served.url}/device/${step}`, { method: 'POST', headers, body }),
          ),
        )
      }
    }
    expect(new Set(pages.map((page) => JSON.stringify(plain(page)))).size).toBe(1)
    expect(pages[0]).toMatchObject({ status: 403, heading: 'This page needs a link' })
    expect(pages[0]?.text).not.toMatch(/<form|<button|<input|lighthouse/)
    expect(pages[0]?.text).toContain(`dray sandbox approve --base-url ${served.url}`)
    expect(pages[0]?.headers.get('set-cookie')).toBeNull()
    expect(await askForToken(served, login)).toMatchObject({ error: 'authorization_pending' })
  })

  test('is locked also on the machine itself, with or without a proxy', async () => {
    const own = await serveStore({
      registry: RESOURCE_SAMPLES,
      allowedHosts: ['api.example.com'],
      proxies: parseTrustedProxies(['127.0.0.1']),
    })
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-forwarded-host': 'localhost' },
    ])
      expect((await fetch(`${own.url}/device`, { headers })).status).toBe(403)
  })
})

describe('a link', () => {
  test('opens the page once, with a cookie that no script reads, and leaves the address', async () => {
    const link = await requestApprovalLink(served)
    const opened = await fetch(`${link}&user_code=BCDF-GHJK`, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/device?user_code=BCDF-GHJK'])
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
    expect(opened.headers.get('cache-control')).toBe('no-store')
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect(cookie.replace(/dray_brw_[\w-]{43}/, 'SECRET')).toBe(
      `dray_device_${served.port}=SECRET; Max-Age=43200; Path=/device; HttpOnly; SameSite=Lax`,
    )
    const again = await readPageResponse(await fetch(link, { redirect: 'manual' }))
    expect([again.status, again.heading]).toEqual([403, 'This link is no longer valid'])
    // The same browser may open it any number of times.
    const own = await fetch(link, { redirect: 'manual', headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect([own.status, own.headers.get('set-cookie')]).toEqual([303, cookie])
  })

  test('sets a cookie for https only where a named proxy says so', async () => {
    const own = await serveStore({ registry: RESOURCE_SAMPLES, proxies: parseTrustedProxies(['127.0.0.1']) })
    const headers = { 'x-forwarded-proto': 'https' }
    const setBy = async (service: ServedStore): Promise<string | null> =>
      (await fetch(await requestApprovalLink(service), { redirect: 'manual', headers })).headers.get(
        'set-cookie',
      )
    expect(await setBy(own)).toMatch(/; Secure$/)
    expect(await setBy(served)).not.toContain('Secure')
  })

  test('is not used up by a HEAD request', async () => {
    const link = await requestApprovalLink(served)
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(403)
    expect(await visitApprovalLink(link)).not.toBe('')
  })

  test('is in no log and, except for its hash, in no store', async () => {
    const link = await requestApprovalLink(served)
    const cookie = await visitApprovalLink(link)
    const secrets = [link, cookie].map((text) => text.slice(-43))
    await expect.poll(() => served.log.length).toBeGreaterThan(1)
    const folder = dirname(served.service.store)
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file)))
    expect(secrets.every((secret) => secret.length === 43)).toBe(true)
    for (const secret of secrets) {
      expect(JSON.stringify(served.log)).not.toContain(secret)
      for (const file of files) expect(file.includes(secret)).toBe(false)
    }
  })

  test('is made by the control token only', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${served.url}/sandbox/approval-links`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: `Bearer ${await served.token('everything')}` })).status).toBe(401)
  })

  test('lasts ten minutes and its browser twelve hours, by the clock of the machine', async () => {
    let now = NOON_MS
    const own = await serveStore({ registry: RESOURCE_SAMPLES, now: () => now })
    const page = (cookie: string) => fetch(`${own.url}/device`, { headers: { cookie } })
    const [late, link] = [await requestApprovalLink(own), await requestApprovalLink(own)]
    now += 599_999
    const cookie = await visitApprovalLink(link)
    await expireDeviceCodes(own)
    expect((await page(cookie)).status).toBe(200)
    now += 1
    expect(await visitApprovalLink(late)).toBe('')
    now += 12 * 3_600_000 - 2
    expect((await page(cookie)).status).toBe(200)
    now += 1
    expect((await page(cookie)).status).toBe(403)
  })

  test('and its browser end with a reset of the sandbox, and stay when a snapshot is loaded', async () => {
    const own = await serveStore({ registry: RESOURCE_SAMPLES })
    const control = (
      path: string,
      init: { method?: string; headers?: Record<string, string>; body?: string },
    ) =>
      fetch(own.url + path, {
        ...init,
        headers: { authorization: `Bearer ${own.controlToken}`, ...init.headers },
      })
    const cookie = await visitApprovalLink(await requestApprovalLink(own))
    const page = () => fetch(`${own.url}/device`, { headers: { cookie } })
    const body = await (await control('/sandbox/snapshot', {})).text()
    const type = { 'content-type': 'application/x-ndjson' }
    expect((await control('/sandbox/snapshot', { method: 'PUT', headers: type, body })).status).toBe(200)
    expect((await page()).status).toBe(200)
    const link = await requestApprovalLink(own)
    const json = { 'content-type': 'application/json' }
    expect((await control('/sandbox/reset', { method: 'POST', headers: json, body: '{}' })).status).toBe(200)
    expect((await page()).status).toBe(403)
    expect(await visitApprovalLink(link)).toBe('')
  })
})

describe.each(ENGINES)('on $name', (engine) => {
  test('lets in only one of many browsers that open it at once', async () => {
    const own = await serveStore({ registry: RESOURCE_SAMPLES, engine })
    for (let round = 0; round < iterations(3, 50); round += 1) {
      const link = await requestApprovalLink(own)
      const cookies = await Promise.all(Array.from({ length: 8 }, () => visitApprovalLink(link)))
      expect(cookies.filter((cookie) => cookie !== '')).toHaveLength(1)
    }
    expect(own.bugs).toEqual([])
  })
})

describe('a form that is not from the page', () => {
  test.each<[what: string, headers: Record<string, string>, status: number]>([
    ['of another origin', { origin: 'http://evil.example' }, 403],
    ['of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['of an origin that is not told', { origin: 'null' }, 403],
    ['without its cookie', { cookie: '' }, 403],
    ['with a made-up cookie', { cookie: 'MADE UP' }, 403],
    ['with two cookies', { cookie: 'TWICE' }, 403],
    ['with the cookie of another browser', { cookie: 'ANOTHER' }, 403],
    ['of another type', { 'content-type': 'text/plain' }, 400],
    ['as JSON', { 'content-type': 'application/json' }, 400],
  ])('%s changes nothing and is told so', async (_what, given, status) => {
    const login = await startLogin(served)
    const { token, post, cookie } = await visit(served)
    const cookies: Record<string, string> = {
      '': '',
      'MADE UP': `dray_device_${served.port}=dray_brw_${'A'.repeat(43)}`,
      TWICE: `${cookie}; ${cookie}`,
      ANOTHER: (await visit(served)).cookie,
    }
    const headers = given['cookie'] === undefined ? given : { cookie: cookies[given['cookie']] ?? '' }
    const consent = await post('check', { token, user_code: login.userCode })
    expect(consent.heading).toBe('Allow this device to access your account?')

    expect((await post('check', { token, user_code: login.userCode }, headers)).status).toBe(status)
    const decision = { user_code: login.userCode, account: 'member', decision: 'approve' }
    const refused = await post('decide', { ...decision, token: tokenOf(consent) }, headers)
    expect(refused.status).toBe(status)
    expect(refused.heading).toBeDefined()
    expect(await askForToken(served, login)).toMatchObject({ error: 'authorization_pending' })
  })

  test('without an Origin, as no browser sends it, is rejected', async () => {
    const { cookie, token } = await visit(served)
    const body = `token=${token}&user_code=BCDF-GHJK`
    const [answer] = await talk(
      served.port,
      `POST /device/check HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    expect(answer?.status).toBe(403)
    expect(answer?.body).toContain('<h1>Origin or Host is not allowed</h1>')
  })

  test('for one code decides about no other', async () => {
    const [mine, other] = [await startLogin(served), await startLogin(served)]
    const { token, post } = await visit(served)
    const consent = await post('check', { token, user_code: mine.userCode })
    for (const wrong of [token, tokenOf(consent), '', 'x']) {
      const decision = { user_code: other.userCode, account: 'member', decision: 'approve' }
      expect((await post('decide', { ...decision, token: wrong })).heading).toBe(
        'This form is no longer valid',
      )
    }
    expect(await askForToken(served, other)).toMatchObject({ error: 'authorization_pending' })
  })

  test.each([
    ['that is too large', `token=x&user_code=${'B'.repeat(5000)}`, 413],
    ['that says something twice', 'token=a&token=b', 400],
    ['that is no text', 'token=%ff', 400],
  ])('and %s is refused with a page', async (_what, body, status) => {
    const { post } = await visit(served)
    const refused = await post('check', body)
    expect(refused.status).toBe(status)
    expect(refused.heading).toBeDefined()
  })
})

test('an account without any requested permission cannot be chosen by a forged form', async () => {
  const login = await startLogin(served, 'shipments.create')
  const { token, post } = await visit(served)
  const consent = await post('check', { token, user_code: login.userCode })
  const decision = { token: tokenOf(consent), user_code: login.userCode, decision: 'approve' }
  expect((await post('decide', { ...decision, account: 'guest' })).status).toBe(409)
  expect((await post('decide', { ...decision, account: 'nobody' })).status).toBe(404)
  expect((await post('decide', { ...decision, account: 'shipper' })).heading).toBe('The device is logged in')
})

test('the limit of guesses also holds for simultaneous ones', async () => {
  const own = await serveStore({ registry: RESOURCE_SAMPLES })
  const { token, post } = await visit(own)
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => post('check', { token, user_code: 'BCDF-GHJK' })),
  )
  const answered = guesses.filter(({ heading }) => heading === 'Log in a device')
  expect(answered.length).toBeLessThan(5)
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([400, 429]))
})

describe('wrong codes', () => {
  test('of one address delay no other address, however many it makes up', async () => {
    const own = await serveStore({ registry: RESOURCE_SAMPLES, proxies: parseTrustedProxies(['127.0.0.1']) })
    const { userCode } = await startLogin(own)
    const { token, post } = await visit(own)
    for (let time = 0; time < 300; time += 1) {
      const from = { 'x-forwarded-for': `198.51.100.${time % 250}, 192.0.2.1` }
      const { status } = await post('check', { token, user_code: 'BCDF-GHJK' }, from)
      expect(status).toBe(time < 4 ? 400 : 429)
    }
    const other = { 'x-forwarded-for': '192.0.2.2' }
    expect((await post('check', { token, user_code: userCode }, other)).status).toBe(200)
  })

  test('are counted by the connection where no proxy was named', async () => {
    const own = await serveStore({ registry: RESOURCE_SAMPLES })
    const { token, post } = await visit(own)
    const statuses = []
    for (let time = 0; time < 6; time += 1) {
      const from = { 'x-forwarded-for': `192.0.2.${time}` }
      statuses.push((await post('check', { token, user_code: 'BCDF-GHJK' }, from)).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 429, 429])
  })

  test('in a flood leave each address one attempt, and a right code always passes', async () => {
    const own = await serveStore({ registry: RESOURCE_SAMPLES, proxies: parseTrustedProxies(['127.0.0.1']) })
    const { userCode } = await startLogin(own)
    const { token, post } = await visit(own)
    const check = async (address: string, user_code: string): Promise<number> =>
      (await post('check', { token, user_code }, { 'x-forwarded-for': address })).status
    for (let network = 0; network < 250; network += 1)
      await Promise.all([1, 2, 3, 4].map(() => check(`2001:db8:0:${network}::1`, 'BCDF-GHJK')))
    expect([await check('192.0.2.1', 'BCDF-GHJK'), await check('192.0.2.1', 'BCDF-GHJK')]).toEqual([400, 429])
    expect(await check('192.0.2.2', userCode)).toBe(200)
  })
})

test('an old address of the page redirects to its beginning', async () => {
  const { cookie } = await visit(served)
  const response = await fetch(`${served.url}/device/decide`, { redirect: 'manual', headers: { cookie } })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/device'])
})

test('where the page is off it says how to approve on the machine', async () => {
  const own = await serveStore({ registry: RESOURCE_SAMPLES, control: false })
  const page = await readPageResponse(await fetch(`${own.url}/device?user_code=BCDF-GHJK`))
  expect([page.status, page.heading]).toEqual([404, 'No approval page here'])
  expect(page.text).toContain('dray sandbox approve CODE')
  expect((await fetch(`${own.url}/device/check`, { method: 'POST' })).status).toBe(404)
})

test('none of these requests caused an unexpected error', () => {
  expect(served.bugs).toEqual([])
})
