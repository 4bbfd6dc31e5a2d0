/** A clerk's parcels, on the page of a real browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openBrowser } from '../support/browser.ts'
import { DESK, faultsOf, look, PHONE, WALL } from '../support/looks.ts'
import { linkFor } from '../support/page-links.ts'
import { makeParcel } from '../support/parcel.ts'
import { serveStore } from '../support/served.ts'
import type { Served } from '../support/served.ts'
import { type TestWorld, worldOver } from '../support/world.ts'

let browser: Browser
let served: Served
let world: TestWorld
const numbers: string[] = []

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openBrowser(), serveStore({ registry })])
  world = worldOver(served.db)
}, 400_000)

afterAll(() => browser.close())

async function openParcels(as = 'shipper'): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  onTestFinished(async () => {
    await page.goto('about:blank')
    await context.close()
    expect(complaints).toEqual([])
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
  expect(await faultsOf(page)).toEqual([])
  await look(page, 'nothing')

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
  expect(await faultsOf(page)).toEqual([])
  await look(page, 'list')

  // By keyboard alone: the reference, then the parcel.
  await page.getByLabel('Number or reference').focus()
  await page.keyboard.type('A-1001')
  await page.keyboard.press('Enter')
  await row(page, 'A-1027').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: first, exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Label created').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await look(page, 'parcel')

  const label = await dialog.getByRole('link', { name: 'PDF A4' }).getAttribute('href')
  const file = await page.evaluate(
    `fetch(${JSON.stringify(label)}).then(async (got) => [got.status, got.headers.get('content-type'), (await got.text()).slice(0, 5)])`,
  )
  expect(file).toEqual([200, 'application/pdf', '%PDF-'])

  await button(page, 'Cancel the parcel …').click()
  await page.getByRole('radio', { name: 'The address is wrong' }).check()
  expect(await faultsOf(page)).toEqual([])
  await look(page, 'cancel')
  await button(page, `Cancel ${first}`).click()
  await dialog.getByText('A cancelled parcel has no label.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await row(page, first).getByText('Cancelled').waitFor()

  // A number is found in any state, typed as people read it.
  await page.getByLabel('Number or reference').fill(second.toLowerCase())
  await button(page, 'Find').click()
  await row(page, 'A-1002').waitFor()
  await button(page, 'Show all').click()
  await row(page, 'A-1027').waitFor()
  await page.getByLabel('State').selectOption('cancelled')
  await row(page, 'A-1027').waitFor({ state: 'detached' })
  expect(await page.locator('.rows li').allInnerTexts()).toEqual([expect.stringContaining('A-1001')])
})

test('a state changes in its place; the page fits a phone and a wall, in both colours', async () => {
  const page = await openParcels()
  await row(page, 'A-1027').getByText('To hand over').waitFor()
  await world.advance(8 * 3_600_000)
  await row(page, 'A-1027').getByText('To hand over').waitFor({ state: 'detached' })
  await page.setViewportSize(WALL)
  await look(page, 'wall')
  await page.emulateMedia({ colorScheme: 'dark' })
  await look(page, 'wall-dark')
  await page.setViewportSize(PHONE)
  expect(await faultsOf(page)).toEqual([])
  await look(page, 'phone')
  await row(page, 'A-1027').getByRole('link').click()
  await page.getByRole('dialog').getByText('Label created').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await look(page, 'phone-parcel')
})

test('another account sees none of it, and gets no label', async () => {
  const page = await openParcels('shipper2')
  await page.getByText('No parcels yet.').waitFor()
  const [, second] = numbers
  const label = await page.request.get(`${served.url}/pages/labels?parcels=${second}`)
  expect([label.status(), ((await label.json()) as { code: string }).code]).toEqual([
    404,
    'shipment_not_found',
  ])
  expect(served.bugs).toEqual([])
})
