/** Looks at pages in a real browser: their faults, and pictures for those who change them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page, ViewportSize } from 'playwright-core'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 900 }
export const WALL = { width: 1920, height: 1080 }

/** The folder for pictures. */
const SHOTS = process.env['DRAY_SHOTS']

let shots = 0

/**
 * Keeps a picture of the page as it stands, or one in light and one in dark of each size. It keeps none where `DRAY_SHOTS`
 * is not set.
 */
export async function saveScreenshots(
  page: Page,
  name: string,
  sizes?: readonly ViewportSize[],
): Promise<void> {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  const number = String(++shots).padStart(2, '0')
  const keep = (rest: string, fullPage: boolean) =>
    page.screenshot({ path: join(SHOTS, `${number}-${name}${rest}.png`), fullPage })
  if (sizes === undefined) {
    await keep('', false)
    return
  }
  const before = page.viewportSize()
  for (const size of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await keep(`-${size.width}-${colorScheme}`, true)
    }
  if (before) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Returns the findings of axe in light and dark, and what is wider than the screen or too small for a thumb. */
export async function listPageProblems(page: Page): Promise<string[]> {
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
