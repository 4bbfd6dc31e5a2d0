/** The page of a report in a real browser, as somebody reads it on a phone. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierReport } from '../../src/commands/carrier/report.command.ts'
import { carrierUpload } from '../../src/commands/carrier/upload.command.ts'
import { openBrowser } from '../support/browser.ts'
import { manifestOf } from '../support/clerk.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { makeHome } from '../support/home.ts'
import { PHONE } from '../support/looks.ts'
import { runCommand } from '../support/run-command.ts'

test('a wide table keeps its names whole on a phone, and scrolls in its own card', async () => {
  using home = makeHome()
  const [sheet, page] = [join(home.cwd, 'm.csv'), join(home.cwd, 'report.html')]
  writeFileSync(sheet, manifestOf(6))
  const openClient = embeddedIn(home)
  await runCommand(home, carrierUpload, [sheet, '--yes', '--hub', 'LON1'], { openClient })
  await runCommand(home, carrierReport, ['--html', page], { openClient })
  await using browser = await openBrowser()
  const shown = await browser.newPage({ viewport: PHONE })
  await shown.setContent(readFileSync(page, 'utf8'))
  const heading = await shown.getByRole('columnheader', { name: 'Service' }).boundingBox()
  expect(heading?.width).toBeGreaterThan(heading?.height ?? Infinity)
  expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
}, 400_000)
