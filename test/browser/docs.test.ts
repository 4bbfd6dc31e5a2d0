/** The API reference in a real browser: light and dark, wide and narrow, by keyboard and by screen reader. */
import axe from 'axe-core'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openTestBrowser } from '../support/browser.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

const PHONE = { width: 360, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
/** A small area that has every kind of content. */
const PATHS = ['/docs', '/docs/delivery', '/docs/errors']

let browser: Browser
let served: ServedStore

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
}, 400_000)

afterAll(() => browser.close())

/** Opens a tab without scripts; messages of its console fail the test. */
async function openTab(viewport: typeof PHONE): Promise<Page> {
  const context = await browser.newContext({ viewport })
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // A tab that leaves its page or closes aborts what is under way.
    if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()} ${why}`)
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  return page
}

test.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('everybody can read every page on %s, in light and in dark colours', async (_, viewport) => {
  const page = await openTab(viewport)
  for (const path of PATHS) {
    await page.goto(`${served.url}${path}`)
    const widths = 'const { scrollWidth, clientWidth } = document.documentElement; [scrollWidth, clientWidth]'
    const [content, window] = await page.evaluate<[number, number]>(widths)
    expect(content, path).toBe(window)
    // The page's policy allows no script: the tool is added by the debugger.
    await page.evaluate(axe.source)
    expect(await check(page, 'light', {})).toBeGreaterThan(10)
    // Only colours differ.
    expect(await check(page, 'dark', { runOnly: ['color-contrast'] })).toBe(1)
  }
})

/** Fails where a rule is broken in these colours; returns the number of rules that passed. */
async function check(page: Page, colorScheme: 'light' | 'dark', rules: RunOptions): Promise<number> {
  await page.emulateMedia({ colorScheme })
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
  const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)])).toEqual([])
  return passes.length
}

test('a keyboard reaches the content at once, and an operation from the index', async () => {
  const page = await openTab(DESKTOP)
  await page.goto(`${served.url}/docs`)
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').innerText()).toBe('To the content')
  await page.keyboard.press('Enter')
  expect(await page.locator(':focus').getAttribute('id')).toBe('content')
  await page.getByRole('link', { name: 'place_food_order' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${served.url}/docs/food#place_food_order`)
  expect(await page.locator('section:target h2').innerText()).toBe('place_food_order')
  expect(await page.locator('nav [aria-current]').innerText()).toBe('Food')
})
