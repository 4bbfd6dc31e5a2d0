/** Files of merchants whose columns nobody declared: prices, a till's "not for sale", hidden rows, markup. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { businessCatalogImport } from '../../../src/commands/business/catalog-import.command.ts'
import { mappingError } from '../../../src/tabular/columns/mapping.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { draftsOf, menuDefaults, readMenu } from '../../support/menus.ts'
import { gbp } from '../../support/money.ts'
import { AGAIN_FILES } from '../../support/read-parcels.ts'
import { runCommand } from '../../support/run-command.ts'

const fileOf = (name: string) => pathToFileURL(join(AGAIN_FILES, name))
const hintOf = (csv: string) => mappingError(readMenu(csv), 1)?.hint ?? ''

async function importFile(name: string, ...flags: string[]) {
  using home = makeHome()
  return await runCommand(
    home,
    businessCatalogImport,
    [join(AGAIN_FILES, name), '--dry-run', '--json', '--results', 'none', ...flags],
    { openClient: embeddedIn(home) },
  )
}

describe('the price that a customer pays today', () => {
  test('menu-old-new.csv: the new one is proposed', () => {
    expect(mappingError(readMenu(fileOf('menu-old-new.csv')), 1)?.hint).toContain('--map "price=New price"')
  })

  test.each([
    'Old price',
    'Was price',
    'Sale price',
    'Special price',
    'Price per kg',
    'Wholesale price',
    'Staff price',
    'Price reduction',
    'Price net',
    'Deposit price',
    'Alter Preis',
    'Prix barré',
    'Precio anterior',
    'Prezzo scontato',
  ])('%s is never proposed, alone or beside another', (header) => {
    const csv = (headers: string) => `Category,Item,${headers}\nMains,Pie,6.50,7.25\n`
    expect(hintOf(csv(`${header},Colour`))).not.toContain(`price=${header}`)
    expect(hintOf(csv(`${header},Menu price today`))).not.toContain(`price=${header}`)
  })

  test('of two that remain none is named, and both are shown with three values', () => {
    const hint = hintOf(
      'Category,Item,Lunch price,Dinner price\nMains,Pie,6.50,7.25\nMains,Stew,7,8\nMains,Pho,8,9\nMains,Bun,5,6\n',
    )
    expect(hint).toContain('--map price=HEADER')
    expect(hint).toContain('price can be "Lunch price" (6.50, 7, 8) or "Dinner price" (7.25, 8, 9).')
  })

  test('woo-products.csv: the regular price, and the variations of a product are one item', () => {
    const { mapping, rows } = readMenu(fileOf('woo-products.csv'))
    expect(mapping.preset?.name).toBe('woocommerce-products')
    const items = draftsOf({ rows } as never)
    expect(items.map(({ name, category, price, available }) => [name, category, price, available])).toEqual([
      ['Beef Pie', 'Mains', gbp(725), true],
      ['Draft Pie', 'Mains', gbp(725), false],
      ['Private Pie', 'Mains', gbp(725), false],
      ['Hidden Pie', 'Mains', gbp(725), false],
      ['Gone Pie', 'Mains', gbp(725), false],
      ['Coffee', 'Drinks', gbp(240), true],
    ])
    expect(items.map(({ description }) => description).slice(0, 1)).toEqual(['Warm & rich'])
    expect(items[5]?.description).toBe('Line one\nLine two')
    expect(items[5]?.modifier_groups).toMatchObject([
      {
        name: 'Size',
        modifiers: [
          { name: 'Small', price_delta: gbp(0) },
          { name: 'Large', price_delta: gbp(60) },
        ],
      },
    ])
  })
})

describe('what a till does not sell', () => {
  test('odoo-pos.csv: is off sale by each of its columns', () => {
    const { rows } = readMenu(fileOf('odoo-pos.csv'), {
      map: new Map([['price', 'Sales Price']]),
      ...menuDefaults('category=Mains'),
    })
    expect(rows.map(({ name, draft }) => [name, draft?.available])).toEqual([
      ['Pie', true],
      ['Old Pie', false],
      ['Box', false],
      ['Kept Pie', false],
    ])
  })

  test.each([
    ['Show in webshop', 'Yes', 'No'],
    ['Sold online', '1', '0'],
    ['Hide on POS', 'No', 'Yes'],
    ['An der Kasse sichtbar', 'ja', 'nein'],
    ['Hidden from menu', 'No', 'Yes'],
    ['Do not sell', 'No', 'Yes'],
    ['Stop selling', 'No', 'Yes'],
    ['Online channel', 'Yes', 'No'],
    ['Catalog visibility', 'visible', 'hidden'],
    ['Status', 'publish', 'draft'],
    ['Display on website', 'TRUE', 'FALSE'],
    ['86', 'no', 'yes'],
    ['Salable', 'Yes', 'No'],
    ['Nicht verfügbar', 'nein', 'ja'],
    ['Visible en caisse', 'oui', 'non'],
  ])('by %s', (header, sold, kept) => {
    const items = draftsOf(
      readMenu(`category,name,price,${header}\nMains,Pie,6,${sold}\nMains,Stew,7,${kept}\n`),
    )
    expect(items.map(({ available }) => available)).toEqual([true, false])
  })

  test('by one word for all of its items, and not by counts of what was sold', () => {
    const onSale = (header: string, cell: string) =>
      draftsOf(readMenu(`category,name,price,${header}\nMains,Pie,6,${cell}\n`)).map(
        ({ available }) => available,
      )
    expect(onSale('Available in POS', 'False')).toEqual([false])
    expect(onSale('Units sold', '0')).toEqual([undefined])
    expect(onSale('Sold', '0')).toEqual([undefined])
  })

  test('--ignore leaves such a column unread', () => {
    const csv = 'category,name,price,Sold online\nMains,Pie,6,Yes\nMains,Stew,7,No\n'
    const items = draftsOf(readMenu(csv, { ignore: ['Sold online'] }))
    expect(items.map(({ available }) => available)).toEqual([undefined, undefined])
  })

  test('in one place and not in another is asked', () => {
    const csv = (...cells: string[]) =>
      `category,name,price,Available for sale [Shop A],Available for sale [Shop B]\n${cells.map((cell, at) => `Mains,Dish ${at},6,${cell}\n`).join('')}`
    expect(mappingError(readMenu(csv('Y,Y', 'Y,N')), 1)?.message).toBe(
      'The columns are ambiguous: available can be "Available for sale [Shop A]" (Y) or "Available for sale [Shop B]" (Y, N).',
    )
    expect(draftsOf(readMenu(csv('Y,Y', 'N,N'))).map(({ available }) => available)).toEqual([true, false])
  })

  test.each([
    ['Available for delivery', 'Available for dine-in'],
    ['Available In Store', 'Available Online'],
    ['POS', 'Online'],
  ])('as %s and %s say differently, is asked', (one, other) => {
    const csv = `category,name,price,${one},${other}\nMains,Pie,6,Y,Y\nMains,Stew,7,Y,N\n`
    expect(mappingError(readMenu(csv), 1)?.message).toContain(
      `available can be "${one}" (Y) or "${other}" (Y, N)`,
    )
  })

  test('by ticks is asked, because a blank may mean no', async () => {
    using home = makeHome()
    const path = join(home.cwd, 'menu.csv')
    writeFileSync(path, 'category,name,price,Show in POS\nMains,Pie,6,x\nMains,Stew,7,\n')
    const { error } = await runCommand(home, businessCatalogImport, [path, '--dry-run'], {
      openClient: embeddedIn(home),
    })
    expect([error?.exitCode, error?.hint]).toEqual([
      2,
      expect.stringContaining('--map "available=Show in POS"'),
    ])
  })

  test('On sale beside Active is a discount, and alone says that it is sold', () => {
    const read = (headers: string, ...cells: string[]) =>
      draftsOf(
        readMenu(
          `category,name,price,${headers}\n${cells.map((cell, at) => `Mains,Dish ${at},6,${cell}\n`).join('')}`,
        ),
      ).map(({ available }) => available)
    expect(read('Active (0/1),On sale (0/1)', '1,0', '0,0')).toEqual([true, false])
    expect(read('On sale', 'yes', 'no')).toEqual([true, false])
  })

  test('in unknown words is one question, and in a script the flags that answer it', async () => {
    using home = makeHome()
    const path = join(home.cwd, 'menu.csv')
    writeFileSync(path, 'category,name,price,Web shop listed\nMains,Pie,6,Green\nMains,Stew,7,Red\n')
    const run = (...flags: string[]) =>
      runCommand(home, businessCatalogImport, [path, '--dry-run', '--json', ...flags], {
        openClient: embeddedIn(home),
      })
    const { error } = await run()
    expect([error?.exitCode, error?.hint]).toEqual([
      2,
      'To send without it: --ignore "Web shop listed". To read one: --map "available=Web shop listed".',
    ])
    expect((await run('--ignore', 'Web shop listed')).error).toBeUndefined()
    expect((await run('--map', 'available=Web shop listed')).out).toContain('Write yes or no')
  })

  test.each([
    ['Sold individually', '1', '0'],
    ['Point of Sale Category', 'Yes', 'No'],
    ['Sold by weight', 'Y', 'N'],
    ['Track stock online', 'Y', 'N'],
    ['Sold', '3', '0'],
    ['Display order', '1', '2'],
    ['Can be purchased', 'Yes', 'No'],
    ['Vegan', 'Y', 'N'],
  ])('%s says nothing of it', (header, one, other) => {
    const items = draftsOf(
      readMenu(`category,name,price,${header}\nMains,Pie,6,${one}\nMains,Stew,7,${other}\n`),
    )
    expect(items.map(({ available }) => available)).toEqual([undefined, undefined])
  })
})

describe('rows under a hidden row', () => {
  test('menu-hidden-parent.xlsx: go with it, and are said', async () => {
    const ran = await importFile('menu-hidden-parent.xlsx')
    expect(ran.error).toBeUndefined()
    expect(ran.err).toMatch(/belongs? to a hidden item, and (?:is|are) not read either/)
    expect(ran.out).not.toContain('Ab Pizza')
  })

  test('--remove-missing is rejected while rows are hidden', async () => {
    const ran = await importFile('menu-hidden-parent.xlsx', '--update', '--remove-missing')
    expect([ran.error?.code, ran.error?.message]).toEqual([
      'usage',
      expect.stringMatching(/^--remove-missing needs all rows of the file, and rows? .* hidden/),
    ])
  })
})
