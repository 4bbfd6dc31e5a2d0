/** The world on the page of a real browser: somebody starts a story, turns the clock, and watches people move. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openBrowser } from '../support/browser.ts'
import { DESK, faultsOf, look, PHONE, WALL } from '../support/looks.ts'
import { linkFor } from '../support/page-links.ts'
import { serveStore } from '../support/served.ts'
import type { Served } from '../support/served.ts'
import { type TestWorld, worldOver } from '../support/world.ts'

let browser: Browser
let served: Served
let page: Page
let world: TestWorld
const complaints: string[] = []

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openBrowser(), serveStore({ registry })])
  world = worldOver(served.db)
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  page = await context.newPage()
  page.on('console', (message) => {
    // The browser tells of the end of the session, too.
    if (!/401/.test(message.text())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(served.url)) complaints.push(`asked ${request.url()}`)
  })
  await page.goto(await linkFor(served, 'member', 'world'))
  await page.locator('.hearing.live').waitFor()
}, 400_000)

afterAll(() => browser.close())

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const time = (text: string) => page.locator('.now .time', { hasText: text })
/** The name of the element that hears the keys. */
const focused = () =>
  page.evaluate(
    `(({ activeElement: at }) => at.getAttribute('aria-label') ?? at.closest('body > *, dialog, button')?.innerText)(document)`,
  )
const pressOn = async (name: string, key = 'Tab'): Promise<void> => {
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press(key)
    if ((await focused()) === name) return page.keyboard.press('Enter')
  }
  throw new Error(`no ${key} leads to ${name}`)
}
const atWork = () => page.getByRole('region', { name: 'At work' }).locator('li')

test('somebody who opens it sees a city that waits, and what to start', async () => {
  await page.getByText('Nobody is on the way.').waitFor()
  await page.getByRole('img', { name: /Map of London: 151 people, 0 of them at work/ }).waitFor()
  await time('12:00:00').waitFor()
  await look(page, 'quiet', [PHONE, DESK, WALL])
  expect(await faultsOf(page)).toEqual([])
})

test('a keyboard is enough to start a story; people move as the clock does, until the next event', async () => {
  await page.locator('.skip').focus()
  await pressOn('Start the lunch rush')
  await page.getByText('It makes 24 calls of the API').waitFor()
  await look(page, 'story', [DESK])
  expect(await faultsOf(page)).toEqual([])
  await pressOn('Start 24 calls')
  await button('Run ×60 and watch').waitFor()
  await look(page, 'started', [DESK])
  await pressOn('Close')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Start the lunch rush')

  // The button goes once somebody is on the way: the keyboard stays at the map.
  await world.advance(20 * 60_000)
  await time('12:20:00').waitFor()
  await expect.poll(focused).toBe('Map')
  await pressOn('+10 min', 'Shift+Tab')
  await time('12:30:00').waitFor()
  await atWork().first().waitFor()
  const courier = await atWork().first().getByRole('button').locator('strong').innerText()
  await atWork().first().getByRole('button').click()
  await page.locator('.chosen-one', { hasText: courier }).waitFor()
  await look(page, 'moving', [PHONE, DESK, WALL])
  expect(await faultsOf(page)).toEqual([])

  const spot = (): Promise<string | null> => page.locator('.chosen-one circle').getAttribute('cx')
  const before = await spot()
  await button(/^Next event/).click()
  await expect.poll(spot).not.toBe(before)
  expect(await time('12:30:00').count()).toBe(0)
})

test('other accounts’ requests, tokens, wallets and the shapes of requests are at hand', async () => {
  await button('Wallet of guest …').click()
  await page.locator('.balance').waitFor()
  await look(page, 'wallet', [DESK])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Wallet of guest …')
  await button('Token for shipper …').click()
  await button('Make a token').click()
  await page.getByText('export DRAY_TOKEN=dray_').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Show the request').selectOption('create_shipment')
  await page.locator('.route', { hasText: 'POST /v1/shipments' }).waitFor()
  await page.getByLabel('Show the request').scrollIntoViewIfNeeded()
  await look(page, 'requests', [DESK])
  expect(await faultsOf(page)).toEqual([])
})

test('a page that was signed out elsewhere says so, and how to sign in', async () => {
  await page.request.post(`${served.url}/pages/sign-out`, { headers: { origin: served.url } })
  await page.getByText(`dray open world --base-url ${served.url} --as member`).waitFor()
  expect(await page.getByRole('img', { name: /Map of London/ }).count()).toBe(0)
  await page.locator('.hearing').waitFor({ state: 'detached' })
})

test('nothing of all this was unforeseen', () => {
  expect(complaints).toEqual([])
  expect(served.bugs).toEqual([])
})
