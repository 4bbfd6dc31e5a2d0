/** The wall of the kitchen page at five sizes: how many whole tickets are in sight, and that none is cut or covered. */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openTestBrowser } from '../support/browser.ts'
import { newKey } from '../support/food.ts'
import { type WallFilling, fillWall, type WallOrder } from '../support/kitchen-fillings.ts'
import { linkFor } from '../support/page-links.ts'
import { listPageProblems, saveScreenshots } from '../support/screenshots.ts'
import { NOON_MS, serveStore, type ServedStore } from '../support/served.ts'
import { sandboxOverStore } from '../support/world.ts'

let browser: Browser
let served: ServedStore
let real: WallOrder
/** An order that its customer cancelled: the line of lost orders is shown. */
let cancelled: WallOrder

beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
  const world = sandboxOverStore(served.db)
  const near = { latitude: 51.5129, longitude: -0.0823 }
  const { data: stores } = await world.ok('search_restaurants', near, { as: 'member' })
  const merchant_id = stores.find(({ name }) => name === 'Lime Street Noodles')?.merchant_id ?? ''
  const { categories } = await world.ok('get_restaurant_menu', { merchant_id }, { as: 'member' })
  const item = categories.flatMap(({ items }) => items).find(({ name }) => name === 'Summer Rolls')
  const place = async (): Promise<string> => {
    const quote = await world.ok(
      'quote_food_order',
      {
        merchant_id,
        fulfillment_type: 'pickup',
        items: [{ item_id: item?.item_id ?? '', quantity: 1, modifiers: [] }],
      },
      { as: 'member' },
    )
    const input = { quote_id: quote.quote_id, payment: { method: 'card', payment_token: 'tok_ok' } }
    return (await world.ok('place_food_order', input, { as: 'member', key: newKey() })).order_id
  }
  const [order_id, gone] = [await place(), await place()]
  const why = { order_id: gone, reason_code: 'changed_mind' }
  await world.ok('cancel_food_order', why, { as: 'member', key: newKey() })
  const { data } = await world.ok('list_business_orders', {}, { as: 'owner' })
  const find = (id: string) => data.find((each) => each.order_id === id) as WallOrder
  ;[real, cancelled] = [find(order_id), find(gone)]
}, 400_000)

afterAll(() => browser.close())

const SIZES = [
  [1280, 800],
  [1024, 768],
  [800, 1280],
  [1920, 1080],
  [390, 844],
] as const

/** The widths at which the page is examined: that takes a second each. */
const CHECKED: ReadonlySet<number> = new Set([1280, 390])

/** The least number of whole tickets in sight, for each size. */
const LEAST: Readonly<Record<WallFilling, readonly number[]>> = {
  '31 new': [12, 8, 11, 24, 3],
  mixed: [12, 8, 10, 20, 3],
}

/** Opens the wall over made-up orders, with the line of lost orders. */
async function openWall(orders: readonly WallOrder[]): Promise<Page> {
  const [width, height] = SIZES[0]
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  onTestFinished(async () => {
    await page.goto('about:blank')
    await context.close()
  })
  await page.route('**/pages/call/list_business_orders', async (route: Route) => {
    const { active, problem } = route.request().postDataJSON() as { active?: boolean; problem?: string }
    const response = await route.fetch()
    const data = active === true ? orders.toReversed() : problem === undefined ? [cancelled] : []
    await route.fulfill({ response, json: { data, next_cursor: null } })
  })
  await page.goto(await linkFor(served, 'owner', 'kitchen'))
  await page.locator('.hearing.live').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Without sound' }).click()
  await page.locator('article').first().waitFor()
  return page
}

/** Returns the numbers of the whole tickets in sight, in the order of the list, and what is cut or covered. */
const LOOK = `(() => {
  const room = document.querySelector('.room').getBoundingClientRect()
  const faults = []
  const boxes = [...document.querySelectorAll('article')].filter((one) => !one.hidden).map((one) => [one, one.getBoundingClientRect()])
  const whole = boxes.filter(([, box]) => box.top >= room.top - 1 && box.bottom <= room.bottom + 1 && box.left >= room.left && box.right <= room.right)
  if (innerWidth > 520) for (const [one] of boxes) if (!whole.some(([other]) => other === one)) faults.push(one.dataset.order + ' is not whole')
  for (const [one, a] of boxes) {
    for (const [other, b] of boxes)
      if (one !== other && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) faults.push(one.dataset.order + ' covers ' + other.dataset.order)
    if (one.scrollHeight > one.clientHeight + 1) faults.push(one.dataset.order + ' is cut')
    for (const part of one.querySelectorAll('.num, .when, .row, .warn, .act'))
      if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline') faults.push(one.dataset.order + ' cuts ' + part.className)
  }
  const edge = Math.max(...boxes.map(([, box]) => box.right))
  if (Math.abs(innerWidth - edge - 8) > 3) faults.push('the columns end at ' + edge)
  const parts = [...document.querySelectorAll('#state button, #state .clock, .line button, .fold button')].map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 0)
  for (const [one, a] of parts) {
    if (a.right > innerWidth + 1 || a.bottom > innerHeight + 1) if (!one.closest('.tabs')) faults.push('off the screen: ' + one.textContent)
    for (const [other, b] of parts)
      if (one !== other && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1 && !one.closest('.tabs')) faults.push(one.textContent + ' covers ' + other.textContent)
  }
  return { whole: whole.map(([one]) => one.dataset.order), all: [...document.querySelectorAll('article')].map((one) => one.dataset.order), faults, fold: document.querySelector('.fold p')?.textContent ?? '' }
})()`

type Sight = { whole: string[]; all: string[]; faults: string[]; fold: string }

test.each(['31 new', 'mixed'] as const)(
  'whole tickets of a wall with %s are in sight at five sizes',
  async (filling) => {
    const page = await openWall(fillWall(real, filling, NOON_MS))
    const counts: number[] = []
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      // The layout follows a change of size.
      await expect.poll(async () => ((await page.evaluate(LOOK)) as Sight).faults).toEqual([])
      const sight = (await page.evaluate(LOOK)) as Sight
      counts.push(sight.whole.length)
      // Those in sight are always the first, and the others are said.
      expect(sight.whole.toSorted()).toEqual(sight.all.slice(0, sight.whole.length).toSorted())
      const hidden = sight.all.length - sight.whole.length
      expect(sight.fold).toMatch(hidden === 0 ? /^$/ : new RegExp(`^${hidden} more, next `))
      await saveScreenshots(page, `wall-${filling}-${width}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await saveScreenshots(page, `wall-${filling}-${width}-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
      expect(CHECKED.has(width) ? await listPageProblems(page) : []).toEqual([])
    }
    expect(counts.map((count, at) => Math.min(count, LEAST[filling][at] ?? 0))).toEqual(LEAST[filling])
  },
)
