/** A person approves a device in a real browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { announceService } from '../../src/client/control-token.ts'
import * as registry from '../../src/generated/registry.ts'
import { openTestBrowser } from '../support/browser.ts'
import { askForToken, requestApprovalLink, expireDeviceCodes, startLogin } from '../support/devices.ts'
import type { PendingLogin } from '../support/devices.ts'
import { builtProgram, startDray } from '../support/program.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { startInTerminal } from '../support/terminal.ts'

const PHONE = { width: 360, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

let browser: Browser
let served: ServedStore

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
}, 400_000)

afterAll(() => browser.close())

const windows = new Map<boolean, Promise<BrowserContext>>()

/** The console also reports pages with an error status, and a test that was faster than the page's own focus. */
const EXPECTED =
  /^(?:Failed to load resource: .* 4\d\d |Autofocus processing was blocked because a document already)/

/** Opens a tab, without scripts unless the test adds one. Messages of its console fail the test. */
async function openTab({ scripts = false }: { scripts?: boolean } = {}): Promise<Page> {
  const context = await (windows.get(scripts) ?? openWindow(scripts))
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('requestfailed', (request) => {
    // Leaving a page cancels its open requests.
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !response.request().isNavigationRequest()) complaints.push(response.url())
  })
  onTestFinished(async () => {
    // Chromium never closes a tab whose next page has just begun to arrive.
    await page.goto('about:blank')
    await page.close()
    expect(complaints.filter((line) => !EXPECTED.test(line))).toEqual([])
  })
  return page
}

function openWindow(scripts: boolean): Promise<BrowserContext> {
  const window = browser
    .newContext({ javaScriptEnabled: scripts, viewport: DESKTOP, reducedMotion: 'reduce' })
    .then(async (context) => {
      // A slow machine is not a failure: the test's own timeout ends it.
      context.setDefaultTimeout(0)
      await admit(context, served)
      return context
    })
  windows.set(scripts, window)
  return window
}

/** Opens an approval link: this browser may approve from now on. */
async function admit(context: BrowserContext, service: ServedStore): Promise<void> {
  const page = await context.newPage()
  await page.goto(await requestApprovalLink(service))
  expect([await heading(page), page.url()]).toEqual(['Log in a device', `${service.url}/device`])
  await page.close()
}

/** The second step of a login. */
async function openConsent(page: Page, { address }: PendingLogin): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const approve = (page: Page): Promise<void> => page.getByRole('button', { name: 'Approve' }).click()
const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

test('`dray login` on the machine that serves is one step: its link opens the page with the code', async () => {
  await builtProgram()
  // Polling is limited by the machine's clock.
  const own = await serveStore({ registry, now: Date.now })
  const home = mkdtempSync(join(tmpdir(), 'dray-login-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const env = { HOME: home, DRAY_HOME: home }
  onTestFinished(announceService(own.port, own.controlToken, join(home, 'state')))
  const words = [
    'login',
    '--base-url',
    own.url,
    '--profile',
    'local',
    '--no-browser',
    '--no-keyring',
    '--yes',
  ]
  using terminal = startInTerminal(words, { env, columns: 160, rows: 50 })
  const screen = await terminal.shows(/user_code=[A-Z]{4}-[A-Z]{4}/)
  expect(screen).toContain('Open this page in a browser on this machine:')
  const [address = '', code = ''] = /http:\S+user_code=(\S+)/.exec(screen) ?? []

  const page = await openTab()
  await page.goto(address)
  expect(page.url()).toBe(`${own.url}/device?user_code=${code}`)
  expect(await page.getByLabel('Code').inputValue()).toBe(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: 'Priya Shah' }).check()
  await approve(page)
  expect(await heading(page)).toBe('The device is logged in')

  expect(await terminal.ended()).toEqual({ exitCode: 0, signal: undefined })
  const told = await startDray(['whoami', '--profile', 'local', '--json'], { env }).ended
  expect([told.exitCode, told.stdout]).toEqual([0, expect.stringContaining('"member"')])
})

test('a person elsewhere sees the code on their device, and the one who approves opens a link first', async () => {
  const own = await serveStore({ registry })
  const login = await startLogin(own)
  const page = await openTab()
  await page.goto(login.address)
  expect(await heading(page)).toBe('This page needs a link')
  expect(await page.locator('main').innerText()).not.toContain(login.userCode)
  expect(await page.locator('form, button, input').count()).toBe(0)

  await page.goto(await requestApprovalLink(own))
  await openConsent(page, login)
  await page.getByRole('radio', { name: 'Priya Shah' }).check()
  await approve(page)
  expect(await heading(page)).toBe('The device is logged in')
  expect(await askForToken(own, login)).toHaveProperty('access_token')
})

describe('without a script', () => {
  test('a person compares the code, chooses an account, approves, and the device is logged in', async () => {
    const login = await startLogin(served)
    const page = await openTab()

    await page.goto(login.address)
    expect(await page.getByLabel('Code').inputValue()).toBe(login.userCode)
    expect(await page.locator('main').innerText()).toContain('on the screen of your own device')
    await page.getByRole('button', { name: 'Continue' }).click()

    expect(await heading(page)).toBe('Allow this device to access your account?')
    const text = await page.locator('main').innerText()
    for (const shown of ['lighthouse (Linux)', login.userCode, 'Place food orders', 'Cancel parcels'])
      expect(text).toContain(shown)
    expect(await page.getByText('spends money').count()).toBe(7)
    await page.getByRole('radio', { name: 'Priya Shah' }).check()
    await approve(page)

    expect(await heading(page)).toBe('The device is logged in')
    expect(await page.locator('main').innerText()).toContain('go back to your terminal')
    const tokens = await askForToken(served, login)
    expect(tokens['scope']).toContain('food.order')
    expect(tokens['scope']).not.toContain('shipments')
    const answer = await fetch(`${served.url}/v1/me/membership`, {
      headers: { authorization: `Bearer ${tokens['access_token']}` },
    })
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'active' }])
  })

  test('a person denies, and the device gets nothing', async () => {
    const login = await startLogin(served)
    const page = await openTab()
    await openConsent(page, login)
    await page.getByRole('button', { name: 'Deny' }).click()
    expect(await heading(page)).toBe('Access was denied')
    expect(await askForToken(served, login)).toMatchObject({ error: 'access_denied' })
  })

  test('a code that ran out while the page stood open approves nothing', async () => {
    const login = await startLogin(served)
    const page = await openTab()
    await openConsent(page, login)
    await page.getByRole('radio', { name: 'Alex Morgan' }).check()
    await expireDeviceCodes(served)
    await approve(page)
    expect(await heading(page)).toBe('This code has expired')
    expect(await askForToken(served, login)).toMatchObject({ error: 'expired_token' })
    await page.getByRole('link', { name: 'Enter a new code' }).click()
    expect(await heading(page)).toBe('Log in a device')
  })

  test('a code is answered once, in whatever tab', async () => {
    const login = await startLogin(served)
    const [first, second] = [await openTab(), await openTab()]
    await openConsent(first, login)
    await openConsent(second, login)
    await first.getByRole('button', { name: 'Deny' }).click()
    await second.getByRole('radio', { name: 'Alex Morgan' }).check()
    await approve(second)
    expect(await heading(second)).toBe('This code was already used')
    expect(await askForToken(served, login)).toMatchObject({ error: 'access_denied' })
  })

  test('an account that may do nothing of what is asked cannot be chosen', async () => {
    const page = await openTab()
    await openConsent(page, await startLogin(served, 'shipments.create'))
    expect(await page.getByRole('radio', { name: 'Tom Baker' }).isDisabled()).toBe(true)
    expect(await page.getByRole('radio', { name: 'Thames Books' }).isEnabled()).toBe(true)
  })

  test('after five wrong codes everybody at that address waits, whatever they enter', async () => {
    const own = await serveStore({ registry })
    const { userCode } = await startLogin(own)
    const page = await openTab()
    await page.goto(await requestApprovalLink(own))
    const enter = async (code: string): Promise<void> => {
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await enter('')
    expect(await page.getByRole('alert').innerText()).toContain('Enter the code')
    for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
      await enter('bcdf ghjk')
      expect(await page.getByRole('alert').innerText()).toContain(`${left} left.`)
    }
    await enter('bcdf ghjk')
    expect(await heading(page)).toBe('Too many wrong codes')
    expect(await page.locator('main').innerText()).toContain('wait 10 minutes')

    await page.goto(`${own.url}/device`)
    await page.getByLabel('Code').fill(userCode)
    const [answer] = await Promise.all([
      page.waitForResponse(`${own.url}/device/check`),
      page.getByRole('button', { name: 'Continue' }).click(),
    ])
    expect(answer.status()).toBe(429)
    expect(Number(answer.headers()['retry-after'])).toBeGreaterThan(500)
    expect(await heading(page)).toBe('Too many wrong codes')
  })
})

test('the keyboard is enough', async () => {
  const login = await startLogin(served)
  const page = await openTab()
  const focused = page.locator(':focus')
  const tab = async (): Promise<string> => {
    await page.keyboard.press('Tab')
    return (await focused.getAttribute('value')) ?? ''
  }
  await page.goto(`${served.url}/device`)
  // The field has the focus; after a wrong code the focus moves to the error, and back from there.
  await page.keyboard.type('zzzzzzzz')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await focused.getAttribute('role')).toBe('alert')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await focused.getAttribute('id')).toBe('user_code')
  await page.keyboard.press('Control+A')
  await page.keyboard.type(login.userCode.replace('-', '').toLowerCase())
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Allow this device to access your account?' }).waitFor()
  expect(await tab()).toBe('everything')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  expect(await focused.getAttribute('value')).toBe('member')
  expect(await focused.isChecked()).toBe(true)
  expect([await tab(), await tab()]).toEqual(['approve', 'deny'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await page.getByRole('heading', { name: 'The device is logged in' }).waitFor()
  expect(await askForToken(served, login)).toHaveProperty('access_token')
})

describe('a page of somebody else', () => {
  /** Serves one page at another origin on the same machine: its requests carry the cookie. */
  async function serveElsewhere(body: string): Promise<string> {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(body),
    )
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('cannot show it in a frame', async () => {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const refused = page.waitForEvent('requestfailed', (request) => request.url() === `${served.url}/device`)
    await page.goto(await serveElsewhere(`<iframe src="${served.url}/device"></iframe>`))
    expect((await refused).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE')
    expect(await page.frames()[1]?.locator('form').count()).toBe(0)
  })

  test('cannot send its forms, not even with a token that it was given', async () => {
    const login = await startLogin(served)
    const page = await openTab()
    await openConsent(page, login)
    const token = await page.locator('[name=token]').inputValue()
    const fields = { token, user_code: login.userCode, account: 'member', decision: 'approve' }
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    await page.goto(
      await serveElsewhere(
        `<!doctype html><title>Win</title><link rel="icon" href="data:,"><form method="post" action="${served.url}/device/decide">${inputs.join('')}<button>Win</button></form>`,
      ),
    )
    await page.getByRole('button').click()
    expect(await heading(page)).toBe('Origin or Host is not allowed')
    expect(await askForToken(served, login)).toMatchObject({ error: 'authorization_pending' })
  })
})

describe('every state of the page', () => {
  type Visit = (page: Page) => Promise<unknown>

  const wrongCode: Visit = async (page) => {
    await page.goto(`${served.url}/device?user_code=ZZZZ-ZZZZ`)
    await page.getByRole('button').click()
  }
  const consent: Visit = async (page) => openConsent(page, await startLogin(served))
  const decided =
    (name: 'Approve' | 'Deny', before?: Visit): Visit =>
    async (page) => {
      await consent(page)
      await page.getByRole('radio', { name: 'Alex Morgan' }).check()
      await before?.(page)
      await page.getByRole('button', { name }).click()
    }

  test.each<[title: string, visit: Visit]>([
    ['Log in a device', (page) => page.goto(`${served.url}/device`)],
    ['Error: Log in a device', wrongCode],
    ['Allow this device to access your account?', consent],
    [
      'Error: Allow this device to access your account?',
      async (page) => {
        await consent(page)
        await approve(page)
      },
    ],
    ['The device is logged in', decided('Approve')],
    ['Access was denied', decided('Deny')],
    ['This code has expired', decided('Approve', () => expireDeviceCodes(served))],
    [
      'Too many wrong codes',
      async (page) => {
        const own = await serveStore({ registry })
        await page.goto(`${await requestApprovalLink(own)}&user_code=ZZZZ-ZZZZ`)
        for (const _try of [1, 2, 3, 4, 5]) await page.getByRole('button').click()
      },
    ],
    [
      'No approval page here',
      async (page) => page.goto(`${(await serveStore({ registry, control: false })).url}/device`),
    ],
    [
      'This form is no longer valid',
      decided('Approve', async (page) => {
        await page.context().clearCookies()
        await admit(page.context(), served)
      }),
    ],
    ['This page needs a link', async (page) => page.goto(`${(await serveStore({ registry })).url}/device`)],
    [
      'This link is no longer valid',
      async (page) => page.goto(`${(await serveStore({ registry })).url}/device?ticket=dray_tkt_used`),
    ],
  ])('“%s” is readable for everybody, light and dark, on a phone and on a desk', async (title, visit) => {
    const page = await openTab({ scripts: true })
    await visit(page)
    expect(await page.title()).toBe(`${title} – dray`)

    await page.evaluate(axe.source)
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, ['color-contrast'])).toEqual([])

    // A desktop at 400 % zoom is a quarter as wide.
    for (const viewport of [PHONE, { width: DESKTOP.width / 4, height: DESKTOP.height / 4 }, DESKTOP]) {
      await page.setViewportSize(viewport)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
    }
    await page.setViewportSize(PHONE)
    expect(await page.evaluate(SMALL_TARGETS)).toEqual([])
    expect(await page.evaluate(MOVING)).toEqual([])
  })

  /** Returns the findings of axe, as rules and places. */
  async function violations(page: Page, rules?: string[]): Promise<string[]> {
    const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) }
    const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
    expect(found.passes.length).toBeGreaterThan(0)
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }

  /** Every control must be large enough for a thumb. */
  const SMALL_TARGETS = `[...document.querySelectorAll('button, .button, .choice, .typed')]
    .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML)`
  const MOVING = `[...document.querySelectorAll('*')]
    .filter((one) => getComputedStyle(one).transitionDuration !== '0s').map((one) => one.outerHTML)`
})

test('nothing of all this was unforeseen', () => {
  expect(served.bugs).toEqual([])
})
