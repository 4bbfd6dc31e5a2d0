/** The approval page as an attacker without a browser sees it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { askForToken, outlive, startLogin } from '../../support/devices.ts'
import { serveStore, talk } from '../../support/served.ts'
import type { Served } from '../../support/served.ts'
import { THINGS } from '../../support/things.ts'

let served: Served

beforeAll(async () => {
  served = await serveStore({ registry: THINGS })
})

/** A page as it arrived. */
type Shown = { status: number; headers: Headers; text: string; heading: string | undefined }

async function show(response: Response): Promise<Shown> {
  const text = await response.text()
  const heading = /<h1>(.*?)<\/h1>/.exec(text)?.[1]
  return { status: response.status, headers: response.headers, text, heading }
}

/** Somebody with a cookie of their own. */
async function visit({ url }: Served) {
  const page = await show(await fetch(`${url}/device`))
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
  const post = async (
    step: 'check' | 'decide',
    fields: Record<string, string> | string,
    headers: Record<string, string> = {},
  ): Promise<Shown> =>
    show(
      await fetch(`${url}/device/${step}`, {
        method: 'POST',
        headers: { origin: url, cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
      }),
    )
  return { cookie, token: tokenOf(page), page, post }
}

/** The token of the form on a page. */
function tokenOf({ text }: Shown): string {
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

  test('names the browser by a cookie that no script reads and no other site sends', async () => {
    const { page } = await visit(served)
    expect(page.headers.get('set-cookie')).toMatch(
      /^dray_device=[\w-]{43}; Path=\/device; HttpOnly; SameSite=Strict$/,
    )
    const behindTls = await fetch(`${served.url}/device`, { headers: { 'x-forwarded-proto': 'https' } })
    expect(behindTls.headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  test('shows of an address only a code', async () => {
    const filled = async (code: string): Promise<string | undefined> =>
      /id="user_code"[^]*?value="(.*?)"/.exec(
        await (await fetch(`${served.url}/device?user_code=${encodeURIComponent(code)}`)).text(),
      )?.[1]
    expect(await filled('bcdfghjk')).toBe('BCDF-GHJK')
    expect(await filled('"><script>alert(1)</script>')).toBe('')
    expect(await filled('Call 0800 555 and read your code')).toBe('')
  })

  test('shows what a device calls itself as text', async () => {
    const answer = await fetch(`${served.url}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'dray-cli', device_name: '<b onclick="x">"&\'' }),
    })
    const { user_code = '' } = (await answer.json()) as Record<string, string>
    const { token, post } = await visit(served)
    const { text } = await post('check', { token, user_code })
    expect(text).toContain('<bdi>&lt;b onclick=&quot;x&quot;&gt;&quot;&amp;&#39;</bdi>')
  })

  test('says nothing that tells an expired code or a used one from one that never was', async () => {
    const [used, expired] = [await startLogin(served), await startLogin(served)]
    const { token, post } = await visit(served)
    const consent = await post('check', { token, user_code: used.userCode })
    await post('decide', { token: tokenOf(consent), user_code: used.userCode, decision: 'deny' })
    await outlive(served)
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

describe('a form that is not from the page', () => {
  test.each<[what: string, headers: Record<string, string>, status: number]>([
    ['of another origin', { origin: 'http://evil.example' }, 403],
    ['of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['of an origin that is not told', { origin: 'null' }, 403],
    ['without its cookie', { cookie: '' }, 403],
    ['with the cookie of another browser', { cookie: `dray_device=${'A'.repeat(43)}` }, 403],
    ['with two cookies', { cookie: `dray_device=${'A'.repeat(43)}; dray_device=${'B'.repeat(43)}` }, 403],
    ['of another type', { 'content-type': 'text/plain' }, 400],
    ['as JSON', { 'content-type': 'application/json' }, 400],
  ])('%s changes nothing and is told so', async (_what, headers, status) => {
    const login = await startLogin(served)
    const { token, post } = await visit(served)
    const consent = await post('check', { token, user_code: login.userCode })
    expect(consent.heading).toBe('Let this device act for you?')

    expect((await post('check', { token, user_code: login.userCode }, headers)).status).toBe(status)
    const decision = { user_code: login.userCode, account: 'member', decision: 'approve' }
    const refused = await post('decide', { ...decision, token: tokenOf(consent) }, headers)
    expect(refused.status).toBe(status)
    expect(refused.heading).toBeDefined()
    expect(await askForToken(served, login)).toMatchObject({ error: 'authorization_pending' })
  })

  test('without an Origin, as no browser sends it, is refused', async () => {
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

test('an account that may do nothing of what is asked cannot be chosen by hand either', async () => {
  const login = await startLogin(served, 'shipments.create')
  const { token, post } = await visit(served)
  const consent = await post('check', { token, user_code: login.userCode })
  const decision = { token: tokenOf(consent), user_code: login.userCode, decision: 'approve' }
  expect((await post('decide', { ...decision, account: 'guest' })).status).toBe(409)
  expect((await post('decide', { ...decision, account: 'nobody' })).status).toBe(404)
  expect((await post('decide', { ...decision, account: 'shipper' })).heading).toBe('The device is logged in')
})

test('many guesses at once are answered no more often than one after the other', async () => {
  const own = await serveStore({ registry: THINGS })
  const { token, post } = await visit(own)
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => post('check', { token, user_code: 'BCDF-GHJK' })),
  )
  const answered = guesses.filter(({ heading }) => heading === 'Log in a device')
  expect(answered.length).toBeLessThan(5)
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([400, 429]))
})

test('a proxy of this machine speaks for many, but not for as many as it likes', async () => {
  const own = await serveStore({ registry: THINGS })
  const { token, post } = await visit(own)
  const statuses = new Set<number>()
  let refusedAt = 0
  while (refusedAt < 300 && !statuses.has(429)) {
    refusedAt += 1
    const from = { 'x-forwarded-for': `192.0.2.${refusedAt % 250}` }
    statuses.add((await post('check', { token, user_code: 'BCDF-GHJK' }, from)).status)
  }
  expect(refusedAt).toBe(201)
})

test('an address of the page that was left behind leads back to its beginning', async () => {
  const response = await fetch(`${served.url}/device/decide`, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/device'])
})

test('where the sandbox is kept to its machine the page says how to approve there', async () => {
  const own = await serveStore({ registry: THINGS, control: false })
  const page = await show(await fetch(`${own.url}/device?user_code=BCDF-GHJK`))
  expect([page.status, page.heading]).toEqual([404, 'No approval page here'])
  expect(page.text).toContain('dray sandbox approve CODE')
  const { post } = await visit(own)
  expect((await post('check', { user_code: 'BCDF-GHJK' })).status).toBe(404)
})

test('nothing of all this was unforeseen', () => {
  expect(served.bugs).toEqual([])
})
