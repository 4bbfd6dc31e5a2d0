/** Files of merchants as tills and shops write them, each with the items that it makes. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { businessCatalogImport } from '../../../src/commands/business/catalog-import.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { draftsOf, errorsOf, menuDefaults, readMenu } from '../../support/menus.ts'
import { gbp } from '../../support/money.ts'
import { runCommand } from '../../support/run-command.ts'

const FILES = join(import.meta.dirname, '../../support/files')

const read = (name: string) => readMenu(pathToFileURL(join(FILES, name)), menuDefaults('category=Other'))

test('menu1.csv: Archived, Hidden and Visible say whether an item is on sale', () => {
  const items = new Map(read('menu1.csv').rows.map(({ name, draft }) => [name, draft]))
  expect([items.get('Soup')?.available, items.get('Pie')?.available]).toEqual([true, false])
})

test('an amount that a comma without quotes cut in two is rejected, also where blank cells hide it', () => {
  const csv = (rows: string) => `name,category,price,allergens,stock\nSoup,Mains,6.50,milk,\n${rows}`
  expect(errorsOf(readMenu(csv('Chips,Mains,6,50,\n')))).toEqual([['price', 'invalid_format']])
  // Codes of allergens, and a code beside a price.
  expect(errorsOf(readMenu(csv('Chips,Mains,6,5,\n')))).toEqual([])
  expect(errorsOf(readMenu('name,category,price,sku\nSoup,Mains,6.50,A1\nChips,Mains,6,50\n'))).toEqual([])
})

test.each([
  ['Hidden', 'no', true],
  ['Hidden', 'yes', false],
  ['Archived', 'Y', false],
  ['Published', 'FALSE', false],
  ['Enabled', '1', true],
  ['Ausverkauft', 'ja', false],
  ['Masqué', 'oui', false],
  ['Visible', 'no', false],
  ['Visibility', 'NONE', false],
  ['Visibility', 'ALL', true],
  ['Nascosto', 'no', true],
])('%s %s is on sale: %s', (header, cell, available) => {
  const [item] = draftsOf(readMenu(`name,category,price,${header}\nPie,Mains,6.50,${cell}\n`))
  expect(item?.available).toBe(available)
})

test('an item is off sale where one of several columns says so', () => {
  const csv = 'name,category,price,Active,Hidden\nPie,Mains,6,yes,yes\nTea,Mains,2,yes,no\nBun,Mains,2,,\n'
  expect(draftsOf(readMenu(csv)).map(({ available }) => available)).toEqual([false, true, undefined])
})

test('clover.csv: the category is in Categories, and what is hidden is off sale', () => {
  const { mapping, rows } = read('clover.csv')
  expect(mapping.preset?.name).toBe('clover')
  expect(rows.map(({ draft }) => [draft?.external_ref, draft?.category, draft?.available])).toEqual([
    ['C1', 'Coffee', true],
    ['C2', 'Coffee', true],
    ['C3', 'Shop', true],
    ['C4', 'Other', false],
  ])
})

test('lightspeed.csv: items are sold at the retail price, never at what they cost', () => {
  const items = draftsOf(read('lightspeed.csv'))
  expect(items.map(({ name, price, category, cost }) => [name, price, category, cost])).toEqual([
    ['Espresso', gbp(240), 'Coffee', gbp(80)],
    ['Latte', gbp(300), 'Coffee', gbp(90)],
  ])
  expect(items[1]?.modifier_groups).toMatchObject([
    {
      name: 'Size',
      modifiers: [
        { name: 'Small', price_delta: gbp(0) },
        { name: 'Large', price_delta: gbp(60) },
      ],
    },
  ])
})

test('without a retail price, a supply price is neither taken nor proposed', () => {
  const { missing, mapping } = readMenu('name,category,supply_price,Wholesale Price\nPie,Mains,0.80,0.90\n')
  expect(missing).toEqual([{ column: 'price', headers: [], flag: '--map price=HEADER' }])
  expect(mapping.sources.has('price')).toBe(false)
})

test('square.csv: what is not enabled at the place is off sale, and the import reports a price of the place', () => {
  const { rows, notes } = read('square.csv')
  const items = new Map(rows.map(({ draft }) => [draft?.external_ref, draft]))
  expect(items.get('T7')?.available).toBe(false)
  expect(items.get('T8')).toMatchObject({ available: true, price: gbp(250) })
  expect(notes.map(({ text }) => text)).toContain('Prices by location are ignored: Price Main St.')
  expect(rows.find(({ name }) => name === 'Bun')?.errors[0]?.detail).toContain('Two items have the same name')
})

test('menu-vat-rounding.xlsx: a tax is the one in the cell, and 5.6 pieces are none', async () => {
  using home = makeHome()
  const words = [join(FILES, 'menu-vat-rounding.xlsx'), '--dry-run', '--json', '--results', 'none']
  const ran = await runCommand(home, businessCatalogImport, words, { openClient: embeddedIn(home) })
  expect(ran.out).toContain('It has a fraction; write a whole number.')
  expect(ran.out).not.toContain('VAT')
  expect(errorsOf(readMenu('name,category,price,vat,stock\nPie,Mains,6.55,12.5%,6\n'))).toEqual([])
})

test.each(['Price (€)', 'Preis €', 'Price EUR'])('%s is no price in pounds', (header) => {
  const { rows } = readMenu(`name,category,${header}\nPie,Mains,6.50\n`)
  expect(rows[0]?.errors.map(({ detail }) => detail)).toEqual([
    'price must be in the currency of the store, GBP',
  ])
})
