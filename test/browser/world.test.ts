/** The world on the page of a real browser: somebody starts a story, turns the clock, and watches people move. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openTestBrowser } from '../support/browser.ts'
import { linkFor } from '../support/page-links.ts'
import { DESK, listPageProblems, saveScreenshots, PHONE, WALL } from '../support/screenshots.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

let browser: Browser
let served: ServedStore
let page: Page
let world: TestSandbox
const complaints: string[] = []

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
  world = sandboxOverStore(served.db)
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

/** The names that meet another name, a mark that stands, or the edge of the map. No letter fills its line up to the top. */
const MEETINGS = `(() => {
  const edge = document.querySelector('.map').viewBox.baseVal
  const box = (one) => {
    const { x, y, width, height } = one.getBBox()
    const free = one.matches('.names text') ? height / 7 : 0
    return { text: one.textContent, left: x, right: x + width, top: y + free, bottom: y + height - free }
  }
  const names = [...document.querySelectorAll('.names text')].map(box)
  const marks = [...document.querySelectorAll('.map .idle, .map .place path, .map .station rect, .map .disc')].map(box)
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  const isIn = ({ left, right, top, bottom }) =>
    left >= edge.x && top >= edge.y && right <= edge.x + edge.width && bottom <= edge.y + edge.height
  return names.flatMap((name, at) => [
    ...(isIn(name) ? [] : [name.text + ' is cut']),
    ...[...names.slice(at + 1), ...marks].filter((other) => meets(name, other)).map(({ text }) => name.text + ' meets ' + text),
  ])
})()`

/** The words of the request's shape that a line break splits. A path may break before a slash. */
const BROKEN_WORDS = `(() => {
  const found = []
  for (const one of document.querySelectorAll('.route, .ask table')) {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { data } = walker.currentNode
      for (const { 0: word, index } of data.matchAll(/[^ ]+/g)) {
        const range = document.createRange()
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word)
      }
    }
  }
  return found
})()`

test('somebody who opens it sees a city that waits, and what to start', async () => {
  await page.getByText('No active jobs. Send a request to start one.').waitFor()
  await page.getByRole('img', { name: /Map of London: 151 people, 0 of them at work/ }).waitFor()
  await time('12:00:00').waitFor()
  await saveScreenshots(page, 'quiet', [PHONE, DESK, WALL])
  expect(await listPageProblems(page)).toEqual([])
})

test('names on the map meet neither each other nor a mark, however large it is', async () => {
  for (const [size, most] of [
    [PHONE, 1],
    [DESK, 1],
    [WALL, 1],
    [PHONE, 4],
  ] as const) {
    await page.setViewportSize(size)
    for (let zoom = 1; zoom < most; zoom *= 2) await button('Zoom in').click()
    const names = page.locator('.names text')
    await names.filter({ hasText: most === 1 ? 'Hackney' : 'Waterloo' }).waitFor()
    await expect.poll(() => page.evaluate(MEETINGS)).toEqual([])
    if (most > 1) await button('Whole map').click()
  }
  await page.setViewportSize(DESK)
})

test('a small map counts those who wait; keys and fingers look closer, and move it', async () => {
  await page.setViewportSize(PHONE)
  const crowds = page.locator('.crowd')
  await crowds.first().waitFor()
  const counted = (await crowds.locator('text').allTextContents()).map(Number)
  const alone = await page.locator('.map .person.idle').count()
  expect(counted.reduce((sum, count) => sum + count, alone)).toBe(151)
  expect(await crowds.first().locator('title').textContent()).toMatch(/^\d+ wait here: \d+ \w+/)

  const map = page.locator('.map')
  const seen = async () => (await map.getAttribute('viewBox'))?.split(' ').map(Number) ?? []
  const whole = await seen()
  await page.locator('.frame').focus()
  await page.keyboard.press('+')
  await expect.poll(async () => (await seen())[2]).toBeCloseTo((whole[2] ?? 0) / 2)
  const [left = 0, top = 0, width = 0] = await seen()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await seen())[0]).toBeGreaterThan(left + width / 5)
  expect((await seen())[1]).toBeCloseTo(top)
  await page.keyboard.press('-')
  await expect.poll(seen).toEqual(whole)

  await crowds.first().click()
  await expect.poll(async () => (await seen())[2]).toBeCloseTo((whole[2] ?? 0) / 2)
  const before = await seen()
  const { x, y } = (await map.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 150, y + 100)
  await page.mouse.down()
  await page.mouse.move(x + 190, y + 100, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await seen())[0]).toBeLessThan(before[0] ?? 0)
  expect(await listPageProblems(page)).toEqual([])
  await button('Whole map').click()
  await expect.poll(seen).toEqual(whole)
  await page.setViewportSize(DESK)
})

test('a keyboard is enough to start a story; people move as the clock does, until the next event', async () => {
  await page.locator('.skip').focus()
  await pressOn('Start the lunch rush')
  await page.getByText('It makes 24 calls of the API').waitFor()
  await saveScreenshots(page, 'story', [DESK])
  expect(await listPageProblems(page)).toEqual([])
  await pressOn('Start 24 calls')
  await button('Run ×60 and watch').waitFor()
  await saveScreenshots(page, 'started', [DESK])
  await pressOn('Close')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Start the lunch rush')

  // The button goes once somebody is on the way: the keyboard stays at its list.
  await world.advance(20 * 60_000)
  await time('12:20:00').waitFor()
  await page.locator('section:focus', { hasText: 'At work' }).waitFor()
  await pressOn('+10 min', 'Shift+Tab')
  await time('12:30:00').waitFor()
  await atWork().first().waitFor()
  const courier = await atWork().first().getByRole('button').locator('strong').innerText()
  await atWork().first().getByRole('button').click()
  await page.locator('.chosen-one', { hasText: courier }).waitFor()
  await saveScreenshots(page, 'moving', [PHONE, DESK, WALL])
  expect(await listPageProblems(page)).toEqual([])

  const spot = (): Promise<string | null> => page.locator('.chosen-one circle').getAttribute('cx')
  const before = await spot()
  await button(/^Next event/).click()
  await expect.poll(spot).not.toBe(before)
  expect(await time('12:30:00').count()).toBe(0)
})

test('other accounts’ requests, tokens, wallets and the shapes of requests are at hand', async () => {
  await button('Wallet of guest…').click()
  await page.locator('.balance').waitFor()
  await saveScreenshots(page, 'wallet', [DESK])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Wallet of guest…')
  await button('Token for shipper…').click()
  await button('Create a token').click()
  await page.getByText('export DRAY_TOKEN=dray_').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Show the request').selectOption('create_shipment')
  await page.locator('.route', { hasText: 'POST /v1/shipments' }).waitFor()
  await page.getByLabel('Show the request').scrollIntoViewIfNeeded()
  await saveScreenshots(page, 'requests', [DESK])
  expect(await listPageProblems(page)).toEqual([])
  await page.setViewportSize(PHONE)
  for (const name of ['place_food_order', 'mark_business_order_ready', 'set_catalog_item_availability']) {
    await page.getByLabel('Show the request').selectOption(name)
    await page.getByRole('group', { name: `Fields of ${name}` }).waitFor()
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([])
  }
  await saveScreenshots(page, 'requests-phone', [PHONE])
  expect(await listPageProblems(page)).toEqual([])
  await page.setViewportSize(DESK)
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
