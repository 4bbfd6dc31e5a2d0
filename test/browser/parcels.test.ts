/** A clerk's parcels, on the page of a real browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SHIPMENT_EXAMPLE } from '../../src/areas/carrier/schema.ts'
import * as registry from '../../src/generated/registry.ts'
import { openTestBrowser } from '../support/browser.ts'
import { GOOD_ROW, makeCsv } from '../support/manifests.ts'
import { linkFor } from '../support/page-links.ts'
import { makeParcel } from '../support/parcel.ts'
import { DESK, listPageProblems, saveScreenshots, PHONE, WALL } from '../support/screenshots.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { workbookOf } from '../support/workbooks.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

let browser: Browser
let served: ServedStore
let world: TestSandbox
const numbers: string[] = []

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
  world = sandboxOverStore(served.db)
}, 400_000)

afterAll(() => browser.close())

/** The browser tells of the end of a session, too. */
const LOST = /401/

/** `lost` is what the browser complains of when a test cuts an answer off. */
async function openParcels(as = 'shipper', lost = /^$/): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  onTestFinished(async () => {
    await page.goto('about:blank')
    await context.close()
    expect(complaints.filter((text) => !lost.test(text))).toEqual([])
  })
  await page.goto(await linkFor(served, as, 'parcels'))
  await page.locator('.hearing.live').waitFor()
  return page
}

const row = (page: Page, text: string) => page.locator('.rows li', { hasText: text })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('an empty list says what to do; parcels appear by themselves, are found, labelled and cancelled', async () => {
  const page = await openParcels()
  await page.getByText('No parcels yet.').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'nothing')

  for (let count = 1; count <= 27; count++) {
    const { tracking_number } = await world.ok(
      'create_shipment',
      { ...makeParcel(), reference: `A-${1000 + count}` },
      { as: 'shipper' },
    )
    numbers.push(tracking_number)
  }
  const [first = '', second = ''] = numbers
  await row(page, 'A-1027').waitFor()
  await button(page, 'Older').click()
  await row(page, 'A-1001').waitFor()
  await button(page, 'Newer').click()
  await row(page, 'A-1027').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'list')

  // Chosen on two pages of the list, for one file.
  const last = numbers.at(-1) ?? ''
  await page.getByLabel(`Choose ${last}`).check()
  await button(page, 'Older').click()
  await page.getByLabel(`Choose ${first}`).press(' ')
  const sheet = page
    .getByRole('group', { name: '2 selected labels' })
    .getByRole('link', { name: 'PDF A4, four each' })
  expect(await sheet.getAttribute('href')).toBe(`/pages/labels?parcels=${last},${first}&format=pdf&size=a4`)
  await saveScreenshots(page, 'chosen')
  await button(page, 'Select none').click()
  await button(page, 'Newer').click()
  await row(page, 'A-1027').waitFor()

  // By keyboard alone: the reference, then the parcel.
  await page.getByLabel('Name, postcode, reference or tracking number').focus()
  await page.keyboard.type('A-1001')
  await page.keyboard.press('Enter')
  await row(page, 'A-1027').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: first, exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Label created').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'parcel')

  const label = await dialog.getByRole('link', { name: 'PDF A4' }).getAttribute('href')
  const file = await page.evaluate(
    `fetch(${JSON.stringify(label)}).then(async (got) => [got.status, got.headers.get('content-type'), (await got.text()).slice(0, 5)])`,
  )
  expect(file).toEqual([200, 'application/pdf', '%PDF-'])

  await button(page, 'Cancel parcel…').click()
  await page.getByRole('radio', { name: 'Wrong address' }).check()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'cancel')
  await button(page, `Cancel ${first}`).click()
  await dialog.getByText('A cancelled parcel has no label.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await row(page, first).getByText('Cancelled').waitFor()

  // A number is found in any state, typed as people read it.
  await page.getByLabel('Name, postcode, reference or tracking number').fill(second.toLowerCase())
  await button(page, 'Find').click()
  await row(page, 'A-1002').waitFor()
  await button(page, 'Show all').click()
  await row(page, 'A-1027').waitFor()
  await button(page, 'Cancelled 1').click()
  await row(page, 'A-1027').waitFor({ state: 'detached' })
  expect(await page.locator('.rows li').allInnerTexts()).toEqual([expect.stringContaining('A-1001')])
})

test('all parcels that match are chosen beyond the page, and redirected and cancelled after one question each', async () => {
  const page = await openParcels('everything')
  for (let count = 1; count <= 27; count++)
    await world.ok('create_shipment', makeParcel({ reference: `M-${100 + count}` }), { as: 'everything' })
  await row(page, 'M-127').waitFor()
  await button(page, 'Select all 27 that match').click()
  await page.getByText('27 chosen').waitFor()
  // Another filter keeps what is chosen.
  await page.getByLabel('Name, postcode, reference or tracking number').fill('M-101')
  await page.keyboard.press('Enter')
  await row(page, 'M-127').waitFor({ state: 'detached' })
  await page.getByText('27 chosen').waitFor()
  await button(page, 'Redirect selected…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Redirect 27 parcels?', exact: true }).waitFor()
  await dialog.getByLabel('Deliver to').selectOption('Safe place')
  await dialog.getByLabel('Safe place', { exact: true }).fill('Porch')
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'redirect-chosen')
  await button(page, 'Redirect 27 parcels').click()
  await page.getByText('27 parcels redirected.').waitFor()
  await button(page, 'Show all').click()
  await button(page, 'Select all 27 that match').click()
  await page.getByText('27 chosen').waitFor()
  await button(page, 'Cancel selected…').click()
  await dialog.getByText('£165.24 will not be billed.').waitFor()
  await button(page, 'Cancel 27 parcels').click()
  await page.getByText('27 parcels cancelled.').waitFor()
  const { data } = await world.ok('list_shipments', { limit: 100 }, { as: 'everything' })
  const made = data.filter(({ reference }) => reference?.startsWith('M-1'))
  expect(made.map(({ status, options }) => [status, options.leave_safe_place])).toEqual(
    Array.from({ length: 27 }, () => ['cancelled', 'Porch']),
  )
})

test('a state changes in its place; the page fits a phone and a wall, in both colours', async () => {
  const page = await openParcels()
  await row(page, 'A-1027').getByText('Awaiting collection').waitFor()
  await world.advance(8 * 3_600_000)
  await row(page, 'A-1027').getByText('Awaiting collection').waitFor({ state: 'detached' })
  await page.setViewportSize(WALL)
  await saveScreenshots(page, 'wall')
  await page.emulateMedia({ colorScheme: 'dark' })
  await saveScreenshots(page, 'wall-dark')
  await page.setViewportSize(PHONE)
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone')
  await row(page, 'A-1027').getByRole('link').click()
  await page.getByRole('dialog').getByText('Label created').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone-parcel')
})

test('a number stays on one line on a small phone, beside long names and states', async () => {
  const long = { reference: 'ORDER-2026-0000000000123456789012345678901234567890', service_level: 'same_day' }
  const name = 'Wolfeschlegelsteinhausenbergerdorff von und zu Hohenlohe-Ingelfingen'
  const { recipient, ...parcel } = { ...SHIPMENT_EXAMPLE, ...long }
  await world.ok(
    'create_shipment',
    { ...parcel, recipient: { ...recipient, contact: { ...recipient.contact, name } } },
    { as: 'shipper', scenario: 'attempt_fails;times=1' },
  )
  const page = await openParcels()
  await row(page, long.reference).waitFor()
  await until(page, 'Delivery attempted')
  await page.locator('.rows').scrollIntoViewIfNeeded()
  for (const width of [375, 320, 960]) {
    await page.setViewportSize({ width, height: 800 })
    await saveScreenshots(page, `long-${width}`)
    expect(await listPageProblems(page)).toEqual([])
    const heights = await page
      .locator('.rows a')
      .evaluateAll((links) => links.map((link) => (link as unknown as Box).getClientRects().length))
    expect(new Set(heights)).toEqual(new Set([1]))
  }
})

type Box = { getClientRects(): { length: number } }

/** Moves the clock until a parcel has this state. */
async function until(page: Page, state: string): Promise<void> {
  for (let hour = 0; hour < 96; hour++) {
    await world.advance(3_600_000)
    const { data } = await world.ok('list_shipments', { status: ['delivery_attempted'] }, { as: 'shipper' })
    if (data.length > 0) break
  }
  await page.locator('.rows').getByText(state).first().waitFor()
}

/** A postcode that is wrong, and wider than a phone. */
const LONG_CODE = 'E16E'.repeat(10)

/** A sheet whose rows are good, wrong, there already, and of a refunded order. */
const SHEET = makeCsv(
  { ...GOOD_ROW, reference: 'S-1', service_level: 'economy', 'Order status': '' },
  { ...GOOD_ROW, reference: 'S-2', service_level: '' },
  { ...GOOD_ROW, reference: 'S-3', postal_code: LONG_CODE, service_level: '' },
  { ...GOOD_ROW, reference: 'S-1', service_level: 'economy' },
  { ...GOOD_ROW, reference: 'S-4', service_level: '', 'Order status': 'Refunded' },
)

test('a sheet is dropped, checked, confirmed once, and its results and labels taken; again it creates nothing', async () => {
  const page = await openParcels('shipper2', /net::ERR_FAILED/)
  await page.getByText('No parcels yet.').waitFor()
  const dialog = page.getByRole('dialog')
  await dropSheet(page, SHEET)
  await dialog
    .getByText('5 parcels in the file: 2 good, 1 already there, 1 with errors, 1 skipped by status.')
    .waitFor()
  const fault = dialog.getByRole('region', { name: 'Rows with errors' }).locator('tbody tr')
  expect(await fault.allInnerTexts()).toEqual([
    expect.stringContaining(`4\tS-3\tpostal_code “${LONG_CODE}”: `),
  ])
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'plan')
  // A tick sends a skipped order, and takes it back.
  await dialog.getByRole('heading', { name: '1 order is skipped' }).waitFor()
  await dialog.getByLabel('1 refunded: S-4').click()
  await dialog.getByRole('button', { name: /^Create 3 parcels for £/ }).waitFor()
  await dialog.getByLabel('Orders: refunded').click()
  // Another service costs another price, and the question says so.
  const create = dialog.getByRole('button', { name: /^Create 2 parcels for £/ })
  const before = await create.innerText()
  await dialog.getByLabel('Default service level').selectOption('two_day')
  await dialog.getByRole('button', { name: before }).waitFor({ state: 'detached' })
  await dialog.getByLabel('Default hub').selectOption('LON4')
  await create.waitFor()
  expect(await page.locator('.rows li').count()).toBe(0)

  // The answer of the first confirmation is lost on its way; a double click is one upload.
  let lost = 0
  await page.route('**/pages/upload', async (route) => {
    await route.fetch()
    lost += 1
    await route.abort()
    await page.unroute('**/pages/upload')
  })
  await create.dblclick()
  await dialog
    .getByText('5 parcels in the file: 2 created, 1 already there, 1 rejected, 1 skipped by status.')
    .waitFor()
  expect(lost).toBeGreaterThan(0)
  await row(page, 'S-2').waitFor()
  expect(await page.locator('.rows li').count()).toBe(2)
  await saveScreenshots(page, 'sent')
  await page.setViewportSize(PHONE)
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone-sent')
  // The corrections are read without a push to the side.
  const cut = await dialog
    .getByRole('region', { name: 'Rows with errors' })
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(cut).toBe(0)
  const [results] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Results as CSV' }).click(),
  ])
  expect(results.suggestedFilename()).toBe('orders.results.csv')
  const labels = dialog.getByRole('group', { name: 'All 2 labels' })
  await labels.getByLabel('First free label on the sheet').selectOption('4 bottom right')
  const href = await labels.getByRole('link', { name: 'PDF A4, four each' }).getAttribute('href')
  expect(href).toMatch(/&size=a4&start=4$/)
  const file = await page.request.get(served.url + href)
  expect([file.status(), (await file.body()).subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  await button(page, 'Close').click()

  // The same sheet again, chosen with the button: nothing is left to create.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Upload a file…').press('Enter'),
  ])
  await chooser.setFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) })
  await dialog.getByText('No new parcels to create.').waitFor()
  await dialog.getByRole('link', { name: 'Results as CSV' }).waitFor()
  await dialog.getByRole('group', { name: 'All 2 labels' }).waitFor()
  await saveScreenshots(page, 'phone-again')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // One of them is cancelled: the sheet leaves it out, unless it is wished again.
  const { data } = await world.ok('list_shipments', { reference: 'S-1' }, { as: 'shipper2' })
  await world.ok('cancel_shipment', { tracking_number: data[0]?.tracking_number }, { as: 'shipper2' })
  await dropSheet(page, SHEET)
  await dialog
    .getByText(
      /^5 parcels in the file: 0 good, \d already there, 1 skipped \(cancelled before\), 1 with errors, 1 skipped by status\./,
    )
    .waitFor()
  await dialog.getByText('No new parcels to create.').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone-cancelled')
  await dialog.getByLabel('Create cancelled parcels again').check()
  await dialog.getByRole('button', { name: /^Create 1 parcel for £/ }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // Two sheets could be meant: the question is answered by keyboard alone.
  const cells = {
    1: [...Object.keys(GOOD_ROW), 'Your number'],
    2: [...Object.values({ ...GOOD_ROW, reference: 'S-9' }), 'T-9'],
  }
  const book = workbookOf([
    { name: 'March', rows: cells },
    { name: 'April', rows: cells },
  ])
  await dropSheet(page, book, 'orders.xlsx')
  await dialog.getByText('Sheet with the parcels?').waitFor()
  await saveScreenshots(page, 'phone-question')
  await dialog.getByRole('radio', { name: 'March' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.getByText('1 parcel in the file: 1 good.').waitFor()
  await saveScreenshots(page, 'phone-plan')

  // A column is taken from another header, and the browser keeps it for the next sheet with these headers.
  await dialog.getByText('9 columns are read; 1 header is ignored.').click()
  await dialog.getByLabel('Header of reference').selectOption('Your number')
  await dialog.getByRole('cell', { name: 'T-9', exact: true }).first().waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone-columns')
  const keep = dialog.getByLabel('Remember this mapping for files with these headers, in this browser')
  await keep.check()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await dropSheet(page, book, 'next.xlsx')
  await dialog.getByRole('radio', { name: 'March' }).check()
  await button(page, 'Next').click()
  await dialog.getByText(/with the saved map orders, 1 row/).waitFor()
  await dialog.getByRole('cell', { name: 'T-9', exact: true }).first().waitFor()
  await page.setViewportSize(WALL)
  await dialog.getByText('9 columns are read; 1 header is ignored.').click()
  await saveScreenshots(page, 'columns')
  await keep.uncheck()
  await dialog.getByText(/sheet March of 2, 1 row/).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // A text that is no sheet.
  await dropSheet(page, 'Dear Sir', 'letter.csv')
  await dialog.getByText('Nothing was created.').waitFor()
  await saveScreenshots(page, 'phone-unusable')
})

test('the sheet of one customer among several says what its words are, and what stands before its references', async () => {
  const page = await openParcels('shipper')
  const dialog = page.getByRole('dialog')
  const far = { city: 'Kirkwall', postal_code: 'KW15 1LE', address_line1: '1 Shore Road' }
  await dropSheet(
    page,
    makeCsv(
      { ...GOOD_ROW, reference: '1', service: 'Y' },
      { ...GOOD_ROW, ...far, reference: '2', service: 'Y' },
    ),
  )
  await dialog.getByText('2 parcels in the file: 0 good, 2 with errors.').waitFor()
  await dialog.getByText('10 columns are read.').click()
  await dialog.getByLabel('Words in a column').selectOption('service_level')
  expect(await dialog.getByLabel('Word in the file').inputValue()).toBe('Y')
  await page.setViewportSize(PHONE)
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone-words')
  await dialog.getByLabel('Stands for').selectOption('Same day')
  await dialog.getByText('2 parcels in the file: 1 good, 1 with errors.').waitFor()
  await dialog.getByText('In service_level “Y” stands for same_day.').waitFor()
  await dialog.getByLabel('Fallback service level').selectOption('Next day')
  await dialog.getByText('2 parcels in the file: 2 good.').waitFor()
  await dialog.getByLabel('Reference prefix').fill('GC-')
  await page.keyboard.press('Enter')
  await dialog.getByRole('cell', { name: 'GC-2', exact: true }).first().waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await saveScreenshots(page, 'phone-customer')
  await button(page, 'Remove').click()
  await dialog.getByText('2 parcels in the file: 0 good, 2 with errors.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // What nothing reads may be a wish: the parcel goes without it only once somebody says so.
  await dropSheet(page, makeCsv({ ...GOOD_ROW, reference: '3', 'Hold at depot': 'x' }))
  await dialog.getByText('Hold at depot: "x" in row 2. Nothing reads this column.').waitFor()
  expect(await listPageProblems(page)).toEqual([])
  await dialog.getByRole('radio', { name: 'Send without it' }).check()
  await page.keyboard.press('Enter')
  await dialog.getByText('1 parcel in the file: 1 good.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

/** Drops a file on the page as a hand does. */
async function dropSheet(page: Page, content: string | Uint8Array, name = 'orders.csv'): Promise<void> {
  const bytes = JSON.stringify(Buffer.from(content).toString('base64'))
  const dataTransfer = await page.evaluateHandle(`(() => {
    const held = new DataTransfer()
    held.items.add(new File([Uint8Array.fromBase64(${bytes})], ${JSON.stringify(name)}))
    return held
  })()`)
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.getByText('Drop the file to check it').waitFor()
  await saveScreenshots(page, `over-${name}`)
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

test('another account sees none of it, and gets no label', async () => {
  const page = await openParcels('shipper2')
  await row(page, 'S-1').waitFor()
  expect(await page.locator('.rows li').count()).toBe(2)
  const [, second] = numbers
  const label = await page.request.get(`${served.url}/pages/labels?parcels=${second}`)
  expect([label.status(), ((await label.json()) as { code: string }).code]).toEqual([
    404,
    'shipment_not_found',
  ])
})

test('two browsers confirm one sheet at the same moment, and each parcel exists once; one that is signed out says so', async () => {
  const pages = await Promise.all([openParcels('shipper2', LOST), openParcels('shipper2', LOST)])
  const together = (work: (page: Page) => Promise<unknown>) => Promise.all(pages.map(work))
  const sheet = makeCsv({ ...GOOD_ROW, reference: 'T-1' }, { ...GOOD_ROW, reference: 'T-2' })
  await together(async (page) => {
    await dropSheet(page, sheet)
    await page.getByText('2 parcels in the file: 2 good.').waitFor()
  })
  await together((page) => page.getByRole('button', { name: /^Create 2 parcels for £/ }).press('Enter'))
  const told = await Promise.all(
    pages.map((page) => page.getByText(/^2 parcels in the file: .* created/).innerText()),
  )
  // Either may come first with each parcel.
  const counted = told.map((text) =>
    [/(\d+) created/, /(\d+) already there/].map((of) => Number(of.exec(text)?.[1] ?? 0)),
  )
  for (const [created = 0, there = 0] of counted) expect(created + there).toBe(2)
  expect(counted.reduce((sum, [created = 0]) => sum + created, 0)).toBe(2)
  await together((page) => button(page, 'Close').press('Enter'))
  await together((page) => page.getByRole('dialog').waitFor({ state: 'detached' }))
  await together((page) => row(page, 'T-2').waitFor())
  for (const page of pages) expect(await page.locator('.rows li').count()).toBe(4)

  const stranger = await openParcels('shipper')
  await row(stranger, 'A-1027').waitFor()
  await stranger.getByLabel('Name, postcode, reference or tracking number').fill('T-1')
  await button(stranger, 'Find').press('Enter')
  await row(stranger, 'A-1027').waitFor({ state: 'detached' })
  expect(await stranger.locator('.rows li').count()).toBe(0)

  const [first] = pages
  await first?.request.post(`${served.url}/pages/sign-out`, { headers: { origin: served.url } })
  await first?.getByText(`dray open parcels --base-url ${served.url} --as shipper2`).waitFor()
  expect(await first?.locator('.rows li').count()).toBe(0)
  await first?.locator('.hearing').waitFor({ state: 'detached' })
  expect(served.bugs).toEqual([])
})
