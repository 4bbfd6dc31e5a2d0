/** The page of a report in a real browser, as somebody reads it on a phone. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierReport } from '../../src/commands/carrier/report.command.ts'
import { carrierUpload } from '../../src/commands/carrier/upload.command.ts'
import { renderReportPage } from '../../src/commands/report/page.ts'
import { openTestBrowser } from '../support/browser.ts'
import { makeManifestCsv } from '../support/clerk.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { makeHome } from '../support/home.ts'
import { playMonth } from '../support/month/play.ts'
import { readPdf } from '../support/paper.ts'
import { runCommand } from '../support/run-command.ts'
import { PHONE } from '../support/screenshots.ts'
import { runIn } from '../support/world-client.ts'
import { openTestSandbox } from '../support/world.ts'

/** The width of A4 between its margins, in CSS pixels. */
const A4 = { width: 688, height: 1016 }

test('a wide table keeps its names whole on a phone, and scrolls in its own card', async () => {
  using home = makeHome()
  const [sheet, page] = [join(home.cwd, 'm.csv'), join(home.cwd, 'report.html')]
  writeFileSync(sheet, makeManifestCsv(6))
  const openClient = embeddedIn(home)
  await runCommand(home, carrierUpload, [sheet, '--yes', '--hub', 'LON1'], { openClient })
  await runCommand(home, carrierReport, ['--html', page], { openClient })
  await using browser = await openTestBrowser()
  const shown = await browser.newPage({ viewport: PHONE })
  await shown.setContent(readFileSync(page, 'utf8'))
  const heading = await shown.getByRole('columnheader', { name: 'Service' }).boundingBox()
  expect(heading?.width).toBeGreaterThan(heading?.height ?? Infinity)
  expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
}, 400_000)

test('on paper each column of a long list is on the page, and the list begins below what is before it', async () => {
  const late = {
    kind: 'breakdown',
    title: 'Late now',
    headings: ['Late now', 'Days late', 'Last scan', 'Reference', 'Hub'],
    words: 4,
    rows: Array.from({ length: 60 }, (_, index) => ({
      label: 'ZC968043370GB',
      cells: [
        '2',
        'arrived at the hub',
        `PO-${'X'.repeat(61)}`,
        index === 0 ? 'First hub' : 'London Bermondsey',
      ],
    })),
  } as const
  const texts = { title: 'Parcels', period: 'Today', beside: 'yesterday', zone: 'Europe/London' }
  const report = { ...texts, headline: '60 parcels are late now.', figures: [], sections: [late], notes: [] }
  await using browser = await openTestBrowser()
  const shown = await browser.newPage({ viewport: A4 })
  await shown.setContent(renderReportPage(report))
  await shown.emulateMedia({ media: 'print' })
  expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(A4.width)
  const pages = await readPdf(await shown.pdf({ format: 'A4' }))
  expect(pages.length).toBeGreaterThan(1)
  expect(pages[0]).toMatch(/late now[^]*First hub/)
  for (const page of pages.slice(1)) expect(page).toMatch(/^\s*Days\s+Late now/)
}, 400_000)

test('a store’s report has its bars at one line, losses in red, and two tiles in a row on a phone', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-11-20T12:00:00.000Z') })
  await playMonth(world, { days: 1, ordersADay: 24, seed: 7 })
  using home = makeHome()
  const file = join(home.cwd, 'report.html')
  await runIn(world, `business report week --html ${file} --merchant "Forno Santa Rosa"`)
  await using browser = await openTestBrowser()
  const wide = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await wide.setContent(readFileSync(file, 'utf8'))
  const { bars, lost, done } = (await wide.evaluate(LOOK)) as {
    bars: number[][]
    lost: string[]
    done: string[]
  }
  for (const starts of bars) expect(new Set(starts).size).toBe(1)
  expect(bars.length).toBeGreaterThan(2)
  expect(lost.length).toBeGreaterThan(0)
  expect(done.filter((fill) => lost.includes(fill))).toEqual([])

  const phone = await browser.newPage({ viewport: PHONE })
  await phone.setContent(readFileSync(file, 'utf8'))
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
  const columns = await phone.evaluate(
    `new Set([...document.querySelectorAll('.figures > div')].map((tile) => tile.getBoundingClientRect().left)).size`,
  )
  expect(columns).toBe(2)
}, 400_000)

/** The left edges of the bars of each table, and the colours of lost and other bars. */
const LOOK = `({
  bars: [...document.querySelectorAll('table')]
    .map((table) => [...table.querySelectorAll('.bar svg')].map((bar) => bar.getBoundingClientRect().left))
    .filter((starts) => starts.length > 1),
  lost: [...document.querySelectorAll('.bar .lost')].map((bar) => getComputedStyle(bar).fill),
  done: [...document.querySelectorAll('.bar .now')].map((bar) => getComputedStyle(bar).fill),
})`
