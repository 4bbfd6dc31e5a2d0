/** A service hour in a kitchen, on the page of a real browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { formatGroupedMoney } from '../../src/core/money.ts'
import * as registry from '../../src/generated/registry.ts'
import { decideDevice } from '../../src/oauth/device.ts'
import { openTestBrowser } from '../support/browser.ts'
import { newKey } from '../support/food.ts'
import { gbp } from '../support/money.ts'
import { linkFor } from '../support/page-links.ts'
import { makeParcel } from '../support/parcel.ts'
import { DESK, listPageProblems, saveScreenshots, PHONE, WALL } from '../support/screenshots.ts'
import { NOON_MS, serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

let browser: Browser
let served: ServedStore
let world: TestSandbox
let store: string
let orders = 0

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
  world = sandboxOverStore(served.db)
  const near = { latitude: 51.5129, longitude: -0.0823 }
  const { data } = await world.ok('search_restaurants', near, { as: 'member' })
  store = data.find(({ name }) => name === 'Lime Street Noodles')?.merchant_id ?? ''
}, 400_000)

afterAll(() => browser.close())

/** Places an order of dishes with a customer's notes; returns its number. */
async function order(
  dishes: readonly (readonly [name: string, quantity: number, notes?: string])[],
  notes?: string,
  fulfillment: 'pickup' | 'delivery' = 'pickup',
  substitutions?: 'replace',
): Promise<string> {
  const { categories } = await world.ok('get_restaurant_menu', { merchant_id: store }, { as: 'member' })
  const menu = categories.flatMap(({ items }) => items)
  const items = dishes.map(([dish, quantity, said]) => {
    const item = menu.find(({ name }) => name === dish)
    const modifiers = item?.modifier_groups.flatMap(({ min_selections, modifiers: choices }) =>
      choices.slice(0, min_selections).map(({ modifier_id }) => ({ modifier_id })),
    )
    return {
      item_id: item?.item_id ?? '',
      quantity,
      modifiers: modifiers ?? [],
      ...(said && { notes: said }),
    }
  })
  const quote = await world.ok(
    'quote_food_order',
    {
      merchant_id: store,
      fulfillment_type: fulfillment,
      items,
      ...(fulfillment === 'delivery' && {
        dropoff: {
          address: {
            line1: '12 Finsbury Square',
            city: 'London',
            postal_code: 'EC2A 1AN',
            country_code: 'GB',
          },
        },
      }),
    },
    { as: 'member' },
  )
  const placed = await world.ok(
    'place_food_order',
    {
      quote_id: quote.quote_id,
      payment: { method: 'card', payment_token: 'tok_ok' },
      ...(notes !== undefined && { notes }),
      ...(substitutions !== undefined && { substitutions }),
      ...(fulfillment === 'delivery' && { contact: { name: 'Priya Shah', phone: '+447700900123' } }),
    },
    { as: 'member', key: `order-${++orders}` },
  )
  return placed.display_number
}

/** Returns an order as its store sees it. */
async function orderOf(number: string) {
  const { data } = await world.ok('list_business_orders', {}, { as: 'owner' })
  const order_id = data.find(({ display_number }) => display_number === number)?.order_id ?? ''
  return world.ok('get_business_order', { order_id }, { as: 'owner' })
}

/** Takes a unit of the second line off an order. */
async function removeUnit(number: string): Promise<void> {
  const { order_id } = await orderOf(number)
  const lines = [{ line_id: 'line_2', quantity: 1 }]
  await world.ok(
    'adjust_business_order',
    { order_id, kind: 'removed', lines, reason_code: 'out_of_stock' },
    { as: 'owner', key: `off-${number}` },
  )
}

/** Opens the kitchen, or another page, in a browser of its own. Its console and failed requests fail the test, but for expected ones. */
async function openKitchen(
  viewport = WALL,
  expected = /^$/,
  { as = 'owner', name = 'kitchen' }: { as?: string; name?: 'kitchen' | 'parcels' | 'world' } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(served.url)) complaints.push(`asked ${request.url()}`)
  })
  onTestFinished(async () => {
    await page.goto('about:blank')
    await context.close()
    expect(complaints.filter((line) => !expected.test(line))).toEqual([])
  })
  await page.goto(await linkFor(served, as, name))
  expect(page.url()).toBe(`${served.url}/pages/${name}`)
  await page.locator('.hearing.live').waitFor()
  // The browser of the tests makes no sound before a tap, as those of walls.
  if (name === 'kitchen') await button(page, 'Without sound').click()
  return page
}

type TicketState = 'new' | 'make' | 'cooking' | 'ready' | 'later'
/** Returns the ticket of an order, or that in a state. */
const card = (page: Page, number: string, state?: TicketState) =>
  page.locator(`article${state === undefined ? '' : `.${state}`}[data-order="${number}"]`)
/** Takes the step of the large button of a ticket. */
const step = (page: Page, number: string) => card(page, number).locator('.act')
/** Chooses from the menu of a ticket. */
async function choose(page: Page, number: string, choice: string): Promise<void> {
  await button(page, `More for ${number}`).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: choice }).press('Enter')
}
/** Brings an order that was accepted or is new to the state ready, and on. */
async function finish(page: Page, number: string): Promise<void> {
  await choose(page, number, `Ready now ${number}`)
  await card(page, number, 'ready').waitFor()
  await step(page, number).press('Enter')
  await card(page, number).waitFor({ state: 'detached' })
}
/** Opens the list of the items on sale. */
async function openItems(page: Page): Promise<void> {
  await page.locator('.tools .open').press('Enter')
  await button(page, 'Items on sale…').press('Enter')
}
const lost = (page: Page) => page.getByRole('region', { name: 'Lost orders' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a service hour: orders come, are accepted, cooked and handed over; one nearly ends, one is rejected', async () => {
  const page = await openKitchen()
  await page.getByText('No orders now.').waitFor()
  await saveScreenshots(page, 'nothing')

  const first = await order([['Pad Thai', 2]], 'Severe peanut allergy! Please use a clean wok.')
  await card(page, first).waitFor()
  const second = await order(
    [
      ['Khao Soi', 1, 'extra spicy'],
      ['Prawn Crackers', 3],
    ],
    undefined,
    'delivery',
  )
  await card(page, second).waitFor()
  expect(await card(page, first).innerText()).toMatch(/ALLERGY\s+Severe peanut allergy!/i)
  expect(await card(page, first).locator('.hit').innerText()).toMatch(/Pad Thai[^]*peanuts/)
  await removeUnit(second)
  await expect
    .poll(() => card(page, second).innerText())
    .toMatch(/Changed\s+Taken off: 1 × Prawn Crackers \(out of stock\)/i)
  expect(await card(page, first).locator('.when').innerText()).toMatch(/^10:00\s+to accept/)
  await saveScreenshots(page, 'new')

  // A second screen sees what the first one does, and neither does it twice.
  const wall = await openKitchen()
  await choose(page, first, '20 min')
  await card(wall, first, 'make').waitFor()
  expect(await card(page, first).locator('.when').innerText()).toMatch(/^20 min\s+due \d\d:\d\d/)
  await step(wall, first).dblclick()
  await card(page, first, 'cooking').waitFor()
  await step(page, first).press('Enter')
  await card(wall, first, 'ready').waitFor()
  await step(wall, first).press('Enter')
  // The notice stays for seconds only.
  await wall.getByText(`${first} is completed.`).waitFor()
  await card(page, first).waitFor({ state: 'detached' })

  // The clock of the service decides: nine minutes later little is left.
  await world.advance(9 * 60_000)
  await page.locator(`article.urgent[data-order="${second}"]`).waitFor()
  expect(await card(page, second).locator('.when').innerText()).toMatch(/^1:00\s+to accept/)
  await button(page, 'New 1').waitFor()
  await saveScreenshots(page, 'urgent')
  expect(await listPageProblems(page)).toEqual([])

  await choose(page, second, `Reject… ${second}`)
  await button(page, `Reject ${second}`).click()
  await page.getByText('Choose a reason.').waitFor()
  await page.getByRole('radio', { name: 'Item unavailable' }).check()
  await page.getByRole('checkbox', { name: 'Khao Soi' }).check()
  await page.getByLabel('Note to the customer').fill('Sorry, the last bowl is gone')
  await saveScreenshots(page, 'reject')
  expect(await listPageProblems(page)).toEqual([])
  await button(page, `Reject ${second}`).click()
  await page.getByText(`${second} is rejected and refunded: item unavailable.`).waitFor()

  await openItems(wall)
  const same = wall.getByRole('switch', { name: 'Khao Soi available' })
  await same.waitFor()
  await openItems(page)
  // The menu read before the rejection may stand there until it is read again.
  const dish = page.getByRole('switch', { name: 'Khao Soi available', checked: false })
  await dish.waitFor()
  await saveScreenshots(page, 'items')
  await dish.click()
  await page.getByRole('switch', { name: 'Khao Soi available', checked: true }).waitFor()
  // The open menu of the other screen follows.
  await expect.poll(() => same.getAttribute('aria-checked')).toBe('true')
  expect(await listPageProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a missing dish is taken off or replaced once the money is seen, and not twice where the answer is lost', async () => {
  const number = await order(
    [
      ['Khao Soi', 2],
      ['Prawn Crackers', 3],
    ],
    undefined,
    'pickup',
    'replace',
  )
  const page = await openKitchen(WALL, /status of 409|ERR_FAILED/)
  const outcome = page.getByRole('dialog').locator('.outcome')
  const ask = async (): Promise<void> => {
    await choose(page, number, `Take off or replace… ${number}`)
    await page.getByRole('dialog', { name: `Take off or replace in ${number}` }).waitFor()
  }
  await ask()
  await button(page, 'Take off or replace').click()
  await page.getByText('Choose a reason.').waitFor()
  expect(await outcome.innerText()).toBe('Choose an item of the order.')
  await page.getByRole('radio', { name: '3 × Prawn Crackers' }).check()
  await page.getByLabel('How many').selectOption('2 of 3')
  await page.getByRole('radio', { name: 'Out of stock' }).check()
  await saveScreenshots(page, 'take-off', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  const seen = await outcome.innerText()
  await button(page, 'Take off 2 × Prawn Crackers').click()
  await page.getByText(`${number} is changed. ${seen}`).waitFor()
  const { refund } = await orderOf(number)
  expect(seen).toBe(`${formatGroupedMoney(refund?.amount ?? gbp(0))} goes back to the customer by card.`)

  await ask()
  await page.getByRole('radio', { name: '2 × Khao Soi' }).check()
  await page.getByRole('radio', { name: 'Another item' }).check()
  await page.getByLabel('Item in its place').selectOption('Pad Thai')
  // A change of the order by another screen does not end the question while lines can be removed.
  const { order_id } = await orderOf(number)
  await world.ok('accept_business_order', { order_id }, { as: 'owner', key: newKey() })
  await card(page, number, 'make').waitFor()
  await page.getByRole('radio', { name: 'Out of stock' }).check()
  await saveScreenshots(page, 'replace', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  const calls = '**/pages/call/adjust_business_order'
  const detail = 'Pad Thai is not available now.'
  const refusal = { status: 409, contentType: 'application/problem+json' }
  await page.route(calls, (route) =>
    route.fulfill({ ...refusal, body: JSON.stringify({ code: 'item_unavailable', detail }) }),
  )
  await button(page, 'Replace 1 × Khao Soi by Pad Thai').click()
  await page.getByText(`${detail} Choose another item.`).waitFor()
  await page.unroute(calls)
  // The change is made, and each answer is lost on its way.
  await page.evaluate('window.later = setTimeout; setTimeout = (work, ms) => later(work, Math.min(ms, 20))')
  await page.route(calls, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button(page, 'Replace 1 × Khao Soi by Pad Thai').click()
  await page.getByText('Try again: it is not done twice.').waitFor()
  await saveScreenshots(page, 'lost-answer')
  expect(await listPageProblems(page)).toEqual([])
  await page.unroute(calls)
  // A notice stays as long as usual again: one of 20 ms could pass unseen.
  await page.evaluate('setTimeout = later')
  await button(page, 'Try again').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() => card(page, number).innerText())
    .toContain('Replaced: 1 × Khao Soi by Pad Thai (out of stock)')
  // The ticket counts what is cooked, and strikes what is not.
  const rows = await card(page, number).locator('.lines li').allInnerTexts()
  expect(rows.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^1 times Khao Soi (?!.*replaced)/),
    expect.stringMatching(/^1 times instead: Pad Thai/),
    '1 times Prawn Crackers',
    expect.stringMatching(/^1 times Khao Soi .*replaced$/),
    '2 times Prawn Crackers taken off',
  ])
  expect(await card(page, number).locator('.lines s').count()).toBe(2)
  expect((await orderOf(number)).adjustments.map(({ kind }) => kind)).toEqual(['removed', 'replaced'])

  // The last units are not removed: the way out is to reject.
  await ask()
  await page.getByRole('radio', { name: '1 × Khao Soi' }).check()
  await page.getByRole('radio', { name: 'Out of stock' }).check()
  await button(page, 'Take off 1 × Khao Soi').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await ask()
  await page.getByRole('radio', { name: '1 × Pad Thai' }).check()
  await page.getByRole('radio', { name: 'Quality' }).check()
  await button(page, 'Take off 1 × Pad Thai').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await ask()
  expect(await outcome.innerText()).toContain(`Nothing would be left of order ${number}.`)
  await saveScreenshots(page, 'nothing-left', [PHONE, DESK])
  await button(page, 'Reject the order…').click()
  await page.getByRole('radio', { name: 'Item unavailable' }).check()
  await button(page, `Reject ${number}`).click()
  await page.getByText(`${number} is rejected and refunded: item unavailable.`).waitFor()
})

/** Completes an order of two dishes with a problem that its customer reports. */
async function withProblem(dish: string, note?: string): Promise<string> {
  const number = await order([[dish, 2]])
  const { order_id } = await orderOf(number)
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await world.ok(operation, { order_id }, { as: 'owner', key: newKey() })
  const lines = [{ line_id: 'line_1', quantity: 2 }]
  const problem = { order_id, reason_code: 'missing', lines, ...(note !== undefined && { note }) }
  await world.ok('report_order_problem', problem, { as: 'member', key: newKey() })
  return number
}

test('a problem is found at the top of the page, and refunded in part or declined with a reason', async () => {
  const page = await openKitchen()
  const first = await withProblem('Pad Thai', 'There was only one bag, and no Pad Thai in it')
  const pin = page.getByRole('region', { name: 'Problems' })
  await pin.getByText('1 problem').waitFor()
  await page.locator('.notice.news', { hasText: `Problem with ${first}: 2 × Pad Thai (missing)` }).waitFor()
  const second = await withProblem('Summer Rolls')
  await pin.getByText('2 problems').waitFor()
  await saveScreenshots(page, 'problems-pinned', [PHONE, DESK])
  await button(page, 'Answer…').click()
  await button(page, `Answer… ${second}`).waitFor()
  await saveScreenshots(page, 'problems', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  await button(page, `Answer… ${first}`).click()
  await page.getByText('There was only one bag').waitFor()
  await page.getByRole('radio', { name: 'Decline' }).check()
  await button(page, 'Decline').click()
  await page.getByText('Say in the note why you decline.').waitFor()
  await page.getByRole('radio', { name: 'Refund a part of it' }).check()
  await page.getByLabel('Refund of Pad Thai').selectOption('1 of 2')
  await saveScreenshots(page, 'answer', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  const seen = await page.getByRole('dialog').locator('.outcome').innerText()
  await page.getByRole('button', { name: /^Refund £/ }).click()
  await page.getByText(`The problem of ${first} is answered. ${seen}`).waitFor()
  const { refund, problems } = await orderOf(first)
  expect(seen).toBe(`${formatGroupedMoney(refund?.amount ?? gbp(0))} goes back to the customer by card.`)
  expect(problems).toMatchObject([{ status: 'accepted', answer: { accept: 'part' } }])

  await button(page, `Answer… ${second}`).click()
  await page.getByRole('radio', { name: 'Decline' }).check()
  await page.getByLabel('Note to the customer').fill('Both were packed')
  await button(page, 'Decline').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await pin.waitFor({ state: 'detached' })
  expect((await orderOf(second)).problems).toMatchObject([
    { status: 'declined', answer: { note: 'Both were packed' } },
  ])
})

test('a kitchen that cannot keep up pauses the store: nothing can be ordered until it opens again', async () => {
  const { data } = await world.ok('list_catalog_items', { limit: 100 }, { as: 'owner' })
  const idOf = (dish: string): string => data.find(({ name }) => name === dish)?.item_id ?? ''
  const quote = async (dish: string): Promise<unknown> => {
    const items = [{ item_id: idOf(dish), quantity: 1, modifiers: [] }]
    const input = { merchant_id: store, fulfillment_type: 'pickup', items }
    const { status, body } = await world.call('quote_food_order', input, { as: 'member' })
    return body['code'] ?? status
  }
  const page = await openKitchen()
  const phone = await openKitchen(PHONE, /status of 409/)
  const paused = (each: Page) => each.locator('.banner').getByText(/^Paused until \d\d:\d\d\.$/)
  const pause = async (): Promise<void> => {
    await page.locator('.tools .open').press('Enter')
    await button(page, '15 min').waitFor()
    await saveScreenshots(page, 'pause')
    expect(await listPageProblems(page)).toEqual([])
    await button(page, '15 min').press('Enter')
    await page.getByText('The store then takes orders again automatically.').waitFor()
    await page.keyboard.press('Escape')
    await Promise.all([paused(page).waitFor(), paused(phone).waitFor()])
  }
  const open = (): Promise<unknown> =>
    Promise.all([page, phone].map((each) => paused(each).waitFor({ state: 'detached' })))

  await pause()
  await saveScreenshots(page, 'paused')
  await saveScreenshots(phone, 'paused-phone')
  expect([await listPageProblems(page), await listPageProblems(phone)]).toEqual([[], []])
  expect(await quote('Summer Rolls')).toBe('merchant_closed')
  // A rejected end is said, and the store stays paused.
  const calls = '**/pages/call/resume_store'
  await phone.route(calls, (route) => {
    const body = JSON.stringify({ code: 'invalid_state', detail: 'The store is being changed.' })
    return route.fulfill({ status: 409, contentType: 'application/problem+json', body })
  })
  await button(phone, 'Resume now').click()
  await phone.getByText('The store is being changed.').waitFor()
  await phone.unroute(calls)
  await button(phone, 'Resume now').click()
  await open()
  expect(await quote('Summer Rolls')).toBe(200)

  await pause()
  await world.advance(15 * 60_000)
  await open()
  expect([await quote('Summer Rolls'), await quote('Corn Fritters')]).toEqual([200, 200])
  await openItems(page)
  await page.getByRole('switch', { name: 'Corn Fritters available', checked: true }).waitFor()
})

test('the menu says from when a dish is on sale, and what was changed last', async () => {
  const { data } = await world.ok('list_catalog_items', { q: 'Corn Fritters' }, { as: 'owner' })
  const [dish] = data
  const spans = [{ day: 'sun', opens: '11:00', closes: '15:00' }]
  const schedule = (periods: typeof spans | null) =>
    world.ok('set_item_schedule', { item_id: dish?.item_id, spans: periods }, { as: 'owner' })
  onTestFinished(async () => void (await schedule(null)))
  await schedule(spans)
  const page = await openKitchen()
  await openItems(page)
  await page.getByText(/, on sale from Sun 22 Nov, \d\d:00/).waitFor()
  await page.getByText('Latest changes').press('Enter')
  await page.getByText(/^Corn Fritters: schedule/).waitFor()
  await saveScreenshots(page, 'menu-changes')
  expect(await listPageProblems(page)).toEqual([])
})

test('orders of one moment stand as they were placed, also once they are accepted', async () => {
  const numbers = [
    await order([['Pad Thai', 1]]),
    await order([['Summer Rolls', 1]]),
    await order([['Corn Fritters', 1]]),
    await order([['Khao Soi', 1]]),
  ]
  const page = await openKitchen()
  const standing = async (state: TicketState) => {
    const heads = await page.locator(`article.${state} h2`).allInnerTexts()
    return heads.map((text) => text.trim())
  }
  await expect.poll(() => standing('new')).toEqual(numbers)
  for (const number of numbers.toReversed()) await step(page, number).press('Enter')
  await page.locator('article.make').nth(3).waitFor()
  await expect.poll(() => standing('make')).toEqual(numbers)
  for (const number of numbers) await finish(page, number)
  await page.getByText('No orders now.').waitFor()
})

test('a question about an order that moves elsewhere ends, and says what became of it', async () => {
  const [accepted, rejected, cancelled, late] = [
    await order([['Pad Thai', 1]]),
    await order([['Summer Rolls', 1]]),
    await order([['Corn Fritters', 1]]),
    await order([['Khao Soi', 1]]),
  ] as const
  const page = await openKitchen()
  const other = await openKitchen(PHONE)
  const ask = async (number: string): Promise<void> => {
    await choose(page, number, `Reject… ${number}`)
    await page.getByRole('dialog', { name: `Reject ${number}?` }).waitFor()
  }
  const ended = async (words: string): Promise<void> => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('.notice.refused', { hasText: words }).waitFor()
  }
  await ask(accepted)
  await page.getByLabel('Note to the customer').press('x')
  await step(other, accepted).press('Enter')
  await ended(`${accepted} was accepted on another screen.`)
  // The keyboard goes on from the ticket.
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe(`More for ${accepted}`)
  await saveScreenshots(page, 'moved-elsewhere')
  expect(await listPageProblems(page)).toEqual([])
  await finish(other, accepted)

  await ask(rejected)
  await choose(other, rejected, `Reject… ${rejected}`)
  await other.getByRole('radio', { name: 'Too busy' }).press(' ')
  await button(other, `Reject ${rejected}`).press('Enter')
  await ended(`${rejected} is rejected and refunded: too busy.`)

  await ask(cancelled)
  const { data } = await world.ok('list_food_orders', {}, { as: 'member' })
  const { order_id = '' } = data.find(({ display_number }) => display_number === cancelled) ?? {}
  await world.ok(
    'cancel_food_order',
    { order_id, reason_code: 'changed_mind' },
    { as: 'member', key: 'gone' },
  )
  await ended(`${cancelled} is cancelled.`)
  // A store's own rejection is no loss; one of a customer stays until somebody has seen it.
  await lost(page).getByText(`last ${cancelled}, cancelled by the customer`).waitFor()
  expect(await lost(page).innerText()).not.toContain(rejected)

  // An order that only waits keeps its question, until the clock rejects it.
  await ask(late)
  await world.advance(9 * 60_000)
  await page.locator(`article.urgent[data-order="${late}"]`).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await world.advance(60_000)
  await ended(`${late} is rejected and refunded: not accepted in time.`)

  // Both are told with their sum on every screen, the latest in words, and all of them in a list.
  for (const each of [page, other]) {
    await expect.poll(() => lost(each).innerText()).toMatch(/2 lost\s+£\d+\.\d\d\b/)
    expect(await listPageProblems(each)).toEqual([])
    await saveScreenshots(each, 'lost')
  }
  await lost(page).getByText(`last ${late}, not accepted in time`).waitFor()
  await button(page, 'List of lost orders').press('Enter')
  const all = page.getByRole('dialog').getByRole('listitem')
  await expect
    .poll(() => all.allInnerTexts())
    .toEqual([
      expect.stringMatching(new RegExp(`${late}\\s+not accepted in time`)),
      expect.stringMatching(new RegExp(`${cancelled}\\s+cancelled by the customer`)),
    ])
  expect(await listPageProblems(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Seen' }).press('Enter')
  await lost(page).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('No orders now.').waitFor()
  expect(await lost(page).count()).toBe(0)
  expect(await lost(other).count()).toBe(1)
  await button(other, 'Seen').click()
})

test('an item that is taken off sale names the open orders that have it', async () => {
  const number = await order([['Corn Fritters', 1]])
  const page = await openKitchen()
  await openItems(page)
  const dish = page.getByRole('switch', { name: 'Corn Fritters available' })
  await dish.click()
  await page.getByText(new RegExp(`Open orders have it: [^.]*${number} \\(for \\d\\d:\\d\\d\\)`)).waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'touched')
  await dish.click()
  await page.getByText('Open orders have it').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  const found = await world.ok('list_business_orders', { display_number: number }, { as: 'owner' })
  const order_id = found.data[0]?.order_id
  await world.ok('reject_business_order', { order_id, reason_code: 'too_busy' }, { as: 'owner' })
})

test('a full kitchen fits a wall and a phone, in both colours, and its tickets a strip of paper', async () => {
  const numbers = [
    await order(
      [
        ['Pad Thai', 2],
        ['Summer Rolls', 1],
      ],
      'Coeliac: no soy sauce',
    ),
    await order([['Khao Soi', 1, 'no coriander']], 'Please ring twice, the bell is broken', 'delivery'),
    await order([
      ['Chicken Satay', 4],
      ['Corn Fritters', 2],
      ['Prawn Crackers', 1],
    ]),
    await order([['Summer Rolls', 12]]),
    await order([['Corn Fritters', 1]]),
  ] as const
  const page = await openKitchen()
  await step(page, numbers[0]).press('Enter')
  await step(page, numbers[1]).press('Enter')
  await card(page, numbers[1], 'make').waitFor()
  await step(page, numbers[1]).press('Enter')
  await step(page, numbers[4]).press('Enter')
  await card(page, numbers[4], 'make').waitFor()
  await choose(page, numbers[4], `Ready now ${numbers[4]}`)
  await card(page, numbers[4], 'ready').waitFor()
  await world.advance(8 * 60_000 + 30_000)
  await page.locator('article.new.urgent').first().waitFor()
  await button(page, 'New 2').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'wall')
  await page.emulateMedia({ colorScheme: 'dark' })
  await saveScreenshots(page, 'wall-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(PHONE)
  expect(await listPageProblems(page)).toEqual([])
  // What is not in sight is said, and one tap leads on.
  await page
    .getByRole('group', { name: 'Not in sight' })
    .getByText(/^\d more, /)
    .waitFor()
  await saveScreenshots(page, 'phone')
  await button(page, 'Down ↓').press('Enter')
  await saveScreenshots(page, 'phone-down')

  await page.setViewportSize({ width: 302, height: 600 })
  await page.evaluate('window.print = () => {}')
  await page.evaluate(`window.print = () => { window.printed = document.getElementById('print').innerHTML }`)
  await choose(page, numbers[0], `Print ${numbers[0]}`)
  await expect.poll(() => page.evaluate('window.printed')).toContain('ALLERGY Coeliac: no soy sauce')
  expect(await page.evaluate('window.printed')).toMatch(/<div class="warning">contains SOYA/)
  // The strip names the store and the day.
  expect(await page.evaluate('window.printed')).toMatch(
    /Lime Street Noodles<\/strong> \w{3} \d+ Nov, \d\d:\d\d/,
  )
  await page.evaluate(`document.getElementById('print').innerHTML = window.printed`)
  await page.emulateMedia({ media: 'print' })
  await saveScreenshots(page, 'ticket')
})

test('a keyboard is enough, from the link to the page to an order that is ready', async () => {
  const page = await openKitchen()
  const numbers = await page.locator('article.new h2').allInnerTexts()
  const number = numbers[0] ?? ''
  await page.locator('.skip').focus()
  expect(await page.locator(':focus').innerText()).toBe('To the content')
  await page.keyboard.press('Enter')
  const pressOn = async (name: string): Promise<void> => {
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab')
      if ((await page.locator(':focus').getAttribute('aria-label')) === name)
        return page.keyboard.press('Enter')
    }
    throw new Error(`no Tab leads to ${name}`)
  }
  await pressOn((await step(page, number).getAttribute('aria-label')) ?? '')
  await card(page, number, 'make').waitFor()
  // The same button takes the next step.
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe(`Start ${number}`)
  await page.keyboard.press('Enter')
  await card(page, number, 'cooking').waitFor()

  // As on a bump bar: a figure chooses a ticket, Enter takes its step, a point opens its menu, `a` accepts.
  const chosen = () => page.locator(':focus').getAttribute('data-order')
  const inSight = await page
    .locator('article:not([hidden])')
    .evaluateAll((all) => all.map((one) => (one as { dataset: { order?: string } }).dataset.order ?? ''))
  await page.keyboard.press(String(inSight.indexOf(number) + 1))
  expect(await chosen()).toBe(number)
  await page.keyboard.press('ArrowRight')
  expect(await chosen()).toBe(inSight[inSight.indexOf(number) + 1])
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await card(page, number, 'ready').waitFor()
  await page.keyboard.press('a')
  await card(page, numbers[1] ?? '', 'make').waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Done last' }).getByText(number).waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await chosen()).toBe(number)

  // An item that ran out goes off sale, and comes back.
  await page.keyboard.press('.')
  await button(page, `Mark unavailable… ${number}`).press('Enter')
  const dish = page.getByRole('dialog').getByRole('switch').first()
  await dish.waitFor()
  const pressSwitch = async (): Promise<void> => {
    await dish.focus()
    await page.keyboard.press(' ')
  }
  await pressSwitch()
  await page.getByRole('switch', { checked: false }).waitFor()
  await pressSwitch()
  await page.getByRole('switch', { checked: false }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await expect.poll(() => chosen()).toBe(number)
})

test('pages whose service is gone say so, keep what they show, and find back by themselves', async () => {
  const parcel = async (reference: string): Promise<string> => {
    const made = await world.ok('create_shipment', { ...makeParcel(), reference }, { as: 'shipper' })
    return made.tracking_number
  }
  const early = await parcel('R-1')
  const gone = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|net::ERR_/
  const pages = await Promise.all([
    openKitchen(WALL, gone),
    openKitchen(DESK, gone, { as: 'shipper', name: 'parcels' }),
    openKitchen(DESK, gone, { as: 'member', name: 'world' }),
  ])
  const [page, parcels, town] = pages
  const listed = (reference: string) => parcels.locator('.rows li', { hasText: reference })
  const map = town.getByRole('img', { name: /Map of London/ })
  await Promise.all([listed('R-1').waitFor(), map.waitFor()])
  const lost = (each: Page) => each.getByText(/The server does not respond\.|^No connection since/)
  // A question that somebody is answering outlives the restart, with what was typed.
  const number = await order([['Summer Rolls', 1]])
  await choose(page, number, `Reject… ${number}`)
  await page.getByRole('radio', { name: 'Too busy' }).press(' ')
  await page.getByLabel('Note to the customer').pressSequentially('Sorry')
  let late = ''
  await served.restart(async () => {
    await Promise.all(pages.map((each) => lost(each).waitFor()))
    expect([await listed(early).count(), await map.count()]).toEqual([1, 1])
    await saveScreenshots(page, 'lost')
    expect(await listPageProblems(page)).toEqual([])
    late = await parcel('R-2')
  })
  await Promise.all(pages.map((each) => each.locator('.hearing.live').waitFor()))
  await Promise.all(pages.map((each) => lost(each).waitFor({ state: 'detached' })))
  await listed(late).waitFor()
  expect(await page.getByLabel('Note to the customer').inputValue()).toBe('Sorry')
  await page.getByLabel('Note to the customer').press('Enter')
  await page.getByText(`${number} is rejected and refunded: too busy.`).waitFor()
})

test('who signs out sees nothing any more, on any tab', async () => {
  const page = await openKitchen(WALL, /401/)
  const other = await page.context().newPage()
  await other.goto(`${served.url}/pages`)
  await saveScreenshots(other, 'pages')
  await button(other, 'Sign out').click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await saveScreenshots(other, 'sign-in')
  await page.getByText('This browser is signed out').waitFor()
  // The control token made the link: only with the account's name is there another.
  await page.getByText(`dray open kitchen --base-url ${served.url} --as owner`).waitFor()
  await saveScreenshots(page, 'signed-out')
  expect(await page.locator('article').count()).toBe(0)
})

test('a browser without a link shows a code, and is let in once it is approved', async () => {
  const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  onTestFinished(() => context.close())
  const entry = await context.newPage()
  await entry.goto(`${served.url}/pages/kitchen`)
  await saveScreenshots(entry, 'entry', [PHONE, DESK])
  expect(await listPageProblems(entry)).toEqual([])
  await button(entry, 'Sign in with a code').click()
  await entry.getByRole('heading', { name: 'Approve this browser' }).waitFor()

  // A page that loads itself again cannot be examined.
  const page = await context.newPage()
  await page.route('**/pages/sign-in*', async (route) => {
    const response = await route.fetch()
    const { refresh: _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await page.goto(entry.url())
  await entry.close()
  await saveScreenshots(page, 'code', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  const userCode = await page.locator('.user-code').innerText()
  await served.db.write((tx) => decideDevice(tx, { userCode, approve: true, accountId: 'owner' }, NOON_MS))
  await page.unrouteAll()
  await page.getByRole('link', { name: 'It is approved' }).click()
  await page.locator('.hearing.live').waitFor()
  expect(new URL(page.url()).pathname).toBe('/pages/kitchen')

  const other = await context.newPage()
  await other.goto(`${served.url}/kitchen`)
  await button(other, 'Without sound').click()
  await button(other, 'Menu').click()
  await button(other, 'Sign out').click()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await button(page, 'Sign in with a code').waitFor()
  expect(new URL(page.url()).pathname).toBe('/pages/kitchen')
})

test('nothing of all this was unforeseen', () => {
  expect(served.bugs).toEqual([])
})
