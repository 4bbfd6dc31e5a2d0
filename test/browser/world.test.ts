/** The world on the page of a real browser: somebody starts a story, turns the clock, and watches people move. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openBrowser } from '../support/browser.ts'
import { DESK, faultsOf, look, PHONE, WALL } from '../support/looks.ts'
import { linkFor } from '../support/page-links.ts'
import { serveStore } from '../support/served.ts'
import type { Served } from '../support/served.ts'

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

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const time = (text: string) => page.locator('.now .time', { hasText: text })
const atWork = () => page.getByRole('region', { name: 'At work' }).locator('li')

test('somebody who opens it sees a city that waits, and what to start', async () => {
  await page.getByText('Nobody is on the way.').waitFor()
  await page.getByRole('img', { name: /Map of London: 151 people, 0 of them at work/ }).waitFor()
  await time('12:00:00').waitFor()
  await look(page, 'quiet', [PHONE, DESK, WALL])
  expect(await faultsOf(page)).toEqual([])
})

test('a story makes people move as the clock does, until the next event', async () => {
  await button('Start the lunch rush').click()
  await page.getByText('It makes 24 calls of the API').waitFor()
  await look(page, 'story', [DESK])
  expect(await faultsOf(page)).toEqual([])
  await button('Start 24 calls').click()
  await button('Run ×60 and watch').waitFor()
  await look(page, 'started', [DESK])
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
  await look(page, 'moving', [PHONE, DESK, WALL])
  expect(await faultsOf(page)).toEqual([])

  const spot = (): Promise<string | null> => page.locator('.chosen-one circle').getAttribute('cx')
  const before = await spot()
  await button(/^Next event/).click()
  await expect.poll(spot).not.toBe(before)
  expect(await time('12:20:00').count()).toBe(0)
})

test('other accounts’ requests, tokens, wallets and the shapes of requests are at hand', async () => {
  await button('Wallet of guest …').click()
  await page.locator('.balance').waitFor()
  await look(page, 'wallet', [DESK])
  await page.keyboard.press('Escape')
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

test('nothing of all this was unforeseen', () => {
  expect(complaints).toEqual([])
  expect(served.bugs).toEqual([])
})
