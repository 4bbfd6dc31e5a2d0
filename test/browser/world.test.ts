/** The world on the page of a real browser: somebody starts a story, turns the clock, and watches people move. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openBrowser } from '../support/browser.ts'
import { linkFor } from '../support/page-links.ts'
import { serveStore } from '../support/served.ts'
import type { Served } from '../support/served.ts'

const DESK = { width: 1280, height: 900 }
/** The folder for screenshots, for those who change the page. */
const SHOTS = process.env['DRAY_SHOTS']

let browser: Browser
let served: Served
let page: Page
const complaints: string[] = []

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openBrowser(), serveStore({ registry })])
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  page = await context.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(served.url)) complaints.push(`asked ${request.url()}`)
  })
  await page.goto(await linkFor(served, 'member', 'world'))
  await page.locator('.hearing.live').waitFor()
}, 400_000)

afterAll(() => browser.close())

let shots = 0

/** Keeps pictures of the page on a phone, a desk and a wall, where somebody asked for them. */
async function look(name: string, sizes: readonly number[] = [1280]): Promise<void> {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  shots += 1
  for (const width of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: width === 1920 ? 1080 : 844 })
      await page.emulateMedia({ colorScheme })
      const path = join(SHOTS, `${String(shots).padStart(2, '0')}-${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path })
    }
  await page.setViewportSize(DESK)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The findings of axe in light and dark, and whether anything is wider than the screen or too small for a thumb. */
async function faults(): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {}
    const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
    const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults
    found.push(
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme} ${id}: ${html}`)),
    )
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  const small = (await page.evaluate(SMALL)) as string[]
  return [...found, ...(wide ? ['wider than the screen'] : []), ...small.map((html) => `small: ${html}`)]
}

const SMALL = `[...document.querySelectorAll('button, select, summary, nav a')]
  .filter((one) => { const { height } = one.getBoundingClientRect(); return height > 0 && height < 43.5 })
  .map((one) => one.outerHTML)`

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const time = (text: string) => page.locator('.now .time', { hasText: text })
const atWork = () => page.getByRole('region', { name: 'At work' }).locator('li')

test('somebody who opens it sees a city that waits, and what to start', async () => {
  await page.getByText('Nobody is on the way.').waitFor()
  await page.getByRole('img', { name: /Map of London: 151 people, 0 of them at work/ }).waitFor()
  await time('12:00:00').waitFor()
  await look('quiet', [390, 1280, 1920])
  expect(await faults()).toEqual([])
})

test('a story makes people move as the clock does, until the next event', async () => {
  await button('Start the lunch rush').click()
  await page.getByText('It makes 24 calls of the API').waitFor()
  await look('story')
  expect(await faults()).toEqual([])
  await button('Start 24 calls').click()
  await button('Run ×60 and watch').waitFor()
  await look('started')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await button('+10 min').click()
  await time('12:10:00').waitFor()
  await button('+10 min').click()
  await time('12:20:00').waitFor()
  await atWork().first().waitFor()
  const courier = await atWork().first().getByRole('button').locator('strong').innerText()
  await atWork().first().getByRole('button').click()
  await page.locator('.chosen-one', { hasText: courier }).waitFor()
  await look('moving', [390, 1280, 1920])
  expect(await faults()).toEqual([])

  const spot = (): Promise<string | null> => page.locator('.chosen-one circle').getAttribute('cx')
  const before = await spot()
  await button(/^Next event/).click()
  await expect.poll(spot).not.toBe(before)
  expect(await time('12:20:00').count()).toBe(0)
})

test('other accounts’ requests, tokens, wallets and the shapes of requests are at hand', async () => {
  await button('Wallet of guest …').click()
  await page.locator('.balance').waitFor()
  await look('wallet')
  await page.keyboard.press('Escape')
  await button('Token for shipper …').click()
  await button('Make a token').click()
  await page.getByText('export DRAY_TOKEN=dray_').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Show the request').selectOption('create_shipment')
  await page.locator('.route', { hasText: 'POST /v1/shipments' }).waitFor()
  await page.getByLabel('Show the request').scrollIntoViewIfNeeded()
  await look('requests')
  expect(await faults()).toEqual([])
})

test('nothing of all this was unforeseen', () => {
  expect(complaints).toEqual([])
  expect(served.bugs).toEqual([])
})
