/** The results file of an import: its amounts have the form of the sheet. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { businessCatalogImport } from '../../../src/commands/business/catalog-import.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

test.each([
  ['decimal commas', 'Speise;Kategorie;Preis\nTest Laksa;Suppen;12,50\n', ';9,00;'],
  ['decimal points', 'name,category,price\nTest Laksa,Soups,12.50\n', ',9.00,'],
])('the results of a sheet with %s have the price on the menu in its form', async (_, sheet, price) => {
  using home = makeHome()
  const path = join(home.cwd, 'm.csv')
  const older = sheet.replace('12,50', '9,00').replace('12.50', '9.00')
  for (const [at, text] of [older, sheet].entries()) {
    writeFileSync(path, text)
    const words = [path, '--yes', '--idempotency-key', `key-${at}`]
    await runCommand(home, businessCatalogImport, words, { openClient: embeddedIn(home) })
  }
  const results = readFileSync(path.replace('.csv', '.results.csv'), 'utf8')
  expect(results).toContain(price)
})
