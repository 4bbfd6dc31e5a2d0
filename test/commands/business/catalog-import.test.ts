import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellQuote } from '../../../src/cli/output/shell.ts'
import type { Client } from '../../../src/client/client.ts'
import { businessCatalogExport } from '../../../src/commands/business/catalog-export.command.ts'
import { businessCatalogImport } from '../../../src/commands/business/catalog-import.command.ts'
import { businessCatalogTemplate } from '../../../src/commands/business/catalog-template.command.ts'
import { AppError } from '../../../src/core/errors.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { workbookOf } from '../../support/workbooks.ts'

const HEAD = 'name,category,price'

type Row = {
  row: number
  result: string
  name: string
  price: unknown
  menu_price: unknown
  reason: { code: string; errors: { detail: string }[] } | null
}
type Document = {
  counts: Record<string, number>
  categories: { name: string; created: boolean }[]
  data: Row[]
  errors_file?: string
  error?: { code: string; exit_code: number }
}

function write(home: Home, text: string, name = 'm.csv'): string {
  const path = join(home.cwd, name)
  writeFileSync(path, text)
  return path
}

let calls = 0

/** Imports with a key of its own: the fixed random bytes would give all imports the same key. */
function importFile(home: Home, words: readonly string[], io?: MemoryIo) {
  return runCommand(home, businessCatalogImport, [...words, '--idempotency-key', `key-${++calls}`], {
    openClient: embeddedIn(home),
    ...(io !== undefined && { io }),
  })
}

const rowsOf = (document: unknown) => (document as Document).data.map(({ name, result }) => [name, result])

test('a menu may be a sheet of a workbook, with its prices and taxes as they are shown', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'menu.xlsx')
  const rows = {
    1: ['name', 'category', 'price', 'tax_rate', 'barcode'],
    2: ['Test Laksa', 'Soups', { s: 1, v: '9.5' }, { s: 2, v: '0.2' }, { v: '5012345678900' }],
    3: ['Test Pho', 'Soups', { t: 'e', v: '#REF!' }],
  }
  writeFileSync(path, workbookOf([{ name: 'Menu', rows }], { formats: ['"£"#,##0.00', 9] }))
  const ran = await importFile(home, [path, '--yes', '--json'])
  const { data } = ran.json() as {
    data: { price: unknown; reason: { errors: { detail: string }[] } | null }[]
  }
  expect(data[0]?.price).toEqual({ amount: 950, currency: 'GBP' })
  expect(data[1]?.reason?.errors.map(({ detail }) => detail)).toEqual([
    'Cell C3 has the error #REF! instead of a value.',
  ])
})

test('a price of a workbook is rejected where its cell shows another amount than it holds', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'menu.xlsx')
  const prices: [string, string][] = [
    ['3.6', '"£"0'],
    ['3.3075', '"£"0.00'],
    ['3.45', '0.0'],
    ['3400', '0.00,'],
    ['-3.4', '0.00;[Red]0.00'],
    ['1195.5', '"£"#,##0.00'],
    ['4', '"£"0'],
  ]
  const rows = Object.fromEntries(
    prices.map(([v], at) => [at + 2, [`Test ${at}`, 'Soups', { s: at + 1, v }]] as const),
  )
  const sheet = { name: 'Menu', rows: { 1: ['name', 'category', 'price'], ...rows } }
  writeFileSync(path, workbookOf([sheet], { formats: prices.map(([, format]) => format) }))
  const { data } = (await importFile(home, [path, '--dry-run', '--json'])).json() as {
    data: { price: { amount: number } | null; reason: { errors: { detail: string }[] } | null }[]
  }
  const end = 'format it to show the whole amount.'
  expect(
    data.map(({ price, reason }) => reason?.errors.map(({ detail }) => detail) ?? price?.amount),
  ).toEqual([
    [`Cell C2 shows £4 but contains 3.6; ${end}`],
    331,
    [`Cell C4 shows 3.5 but contains 3.45; ${end}`],
    [`Cell C5 shows 3.40 but contains 3400; ${end}`],
    [`Cell C6 shows 3.40 but contains -3.4; ${end}`],
    119550,
    400,
  ])
})

test('a column that a workbook hides is said where it is read', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'menu.xlsx')
  const rows = { 1: ['name', 'category', 'price', 'Old price'], 2: ['Test Laksa', 'Soups', '9', '10'] }
  writeFileSync(path, workbookOf([{ name: 'Menu', rows, hiddenColumns: [3] }]))
  const { err } = await importFile(home, [path, '--dry-run'])
  const text =
    'warning: read, though hidden in the workbook: price. Remove or unhide them there.\nwarning: not read: Old price.'
  expect(err).toContain(text)
})

describe('before anything is sent', () => {
  test('the difference is shown, then the question with its counts', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD}\nTest Laksa,Soups,9\nTest Pho,Soups,8\nTest Bun,Buns,\n`)
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = importFile(home, [path, '--accessible'], io)
    await expect.poll(() => io.asked()).toContain('Create 2 items and 1 category?')
    io.type('n\n')
    const ran = await running
    expect(ran.error?.code).toBe('not_confirmed')
    expect(io.err()).toContain('2 items are new.\n1 category will be created: Soups.')
    expect(io.err()).toContain('1 row will not be sent:\n  price is required. (row 4)')
    expect(io.err()).toMatch(/Test Laksa .*£9\.00/)
    expect(existsSync(path.replace('.csv', '.results.csv'))).toBe(false)
  })

  test('a dry run prints the same and changes nothing', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD}\nTest Laksa,Soups,9\n`)
    const planned = await importFile(home, [path, '--dry-run', '--json'])
    expect(rowsOf(planned.json())).toEqual([['Test Laksa', 'created']])
    expect(planned.json()).toMatchObject({ counts: { created: 1, categories_created: 1 }, import_ids: [] })
    expect(rowsOf((await importFile(home, [path, '--dry-run', '--json'])).json())).toEqual([
      ['Test Laksa', 'created'],
    ])
  })

  test('a script without --yes learns how to agree', async () => {
    using home = makeHome()
    const ran = await importFile(home, [write(home, `${HEAD}\nTest Laksa,Soups,9\n`)])
    expect(ran.error?.code).toBe('not_confirmed')
    expect(ran.error?.hint).toContain('--yes')
  })

  test('a file with nothing new asks nothing and creates nothing', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD}\nTest Laksa,Soups,9\n`)
    await importFile(home, [path, '--yes'])
    const again = await importFile(home, [path, '--json'])
    expect(again.code).toBe(0)
    expect(rowsOf(again.json())).toEqual([['Test Laksa', 'duplicate']])
  })

  test.each([
    ['CSV', [HEAD, ...Array.from({ length: 501 }, (_, index) => `Dish ${index},Many,dear`)].join('\n')],
    ['JSON', JSON.stringify(Array.from({ length: 501 }, () => ({ name: 'Dish' })))],
  ])('more than 500 items in %s want --split, told before the service is asked', async (_, content) => {
    using home = makeHome()
    const ran = await runCommand(home, businessCatalogImport, [write(home, content), '--yes'])
    expect(ran.error).toMatchObject({ code: 'usage', extra: { limit: 500 } })
    expect(ran.error?.hint).toContain('--split')
  })

  test('a store of several has to be named', async () => {
    using home = makeHome()
    const openClient = async (): Promise<Client> => ({
      ...(await embeddedIn(home)({
        kind: 'embedded',
        store: join(home.paths.data, 'x.db'),
        account: 'everything',
      })),
      call: async () => {
        throw new AppError('invalid_request', 'You have 2 stores; choose one: A (mer_1), B (mer_2).', {
          errors: [{ parameter: 'merchant_id', code: 'required', detail: 'merchant_id is required' }],
        })
      },
    })
    const path = write(home, `${HEAD}\nLaksa,Soups,9\n`)
    const ran = await runCommand(home, businessCatalogImport, [path, '--yes'], { openClient })
    expect(ran.error?.message).toContain('You have 2 stores; choose one: A (mer_1), B (mer_2).')
  })

  test('columns can be mapped, saved and shown; a map of a menu is not taken for a manifest', async () => {
    using home = makeHome()
    const path = write(home, 'Danie,Dział,Cena\nTest Laksa,Soups,"9,00"\n')
    const missing = await importFile(home, [path, '--yes'])
    expect(missing.error?.code).toBe('file_error')
    const map = ['--map', 'name=Danie', '--map', 'category=Dział', '--map', 'price=Cena']
    const shown = await importFile(home, [path, ...map, '--map-only', '--save-map', 'polish'])
    expect(shown.out).toContain('name\tDanie\tflag\tTest Laksa')
    expect(home.readConfig()).toMatchObject({ maps: { polish: { name: 'Danie', _file: 'menu' } } })
    const ran = await importFile(home, [path, '--yes', '--json'])
    expect(ran.err).toContain('with the saved map polish')
    expect((ran.json() as Document).data[0]).toMatchObject({ price: { amount: 900 } })
    expect((await importFile(home, [path, '--use-map', 'none'])).error?.hint).toContain('polish')
  })

  test('an amount in another currency than the menu counts in is rejected in the file', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD}\nTest Laksa,Soups,9\n`)
    const ran = await importFile(home, [path, '--yes', '--currency', 'eur', '--json'])
    expect(ran.code).toBe(6)
    expect(JSON.stringify(ran.json())).toContain('must be in the currency of the store, GBP')
  })
})

describe('afterwards', () => {
  test('rejected items are in a file of their own, which imports once it is corrected', async () => {
    using home = makeHome()
    const path = write(home, `Dish,category,price,EAN\nTest Laksa,Soups,9,\nTest Pho,Soups,8,5012345678901\n`)
    const first = await importFile(home, [path, '--yes', '--json'])
    expect(first.code).toBe(9)
    const errors = path.replace('.csv', '.errors.csv')
    expect(readFileSync(errors, 'utf8')).toContain('EAN')
    writeFileSync(errors, readFileSync(errors, 'utf8').replace('5012345678901', '5012345678900'))
    const second = await importFile(home, [errors, '--yes', '--json'])
    expect(rowsOf(second.json())).toEqual([['Test Pho', 'created']])
  })

  test('a menu in JSON is answered in the same way, its rejected items as JSON', async () => {
    using home = makeHome()
    const items = [
      { name: 'Test Laksa', category: 'Soups', price: '9.00' },
      { name: 'Test Pho', category: 'Soups', price: 8 },
    ]
    const path = write(home, JSON.stringify(items), 'm.json')
    const ran = await importFile(home, [path, '--yes', '--json'])
    expect(ran.code).toBe(9)
    const errors = path.replace('.json', '.errors.json')
    writeFileSync(errors, readFileSync(errors, 'utf8').replace('"price": 8', '"price": "8.00"'))
    expect(rowsOf((await importFile(home, [errors, '--yes', '--json'])).json())).toEqual([
      ['Test Pho', 'created'],
    ])
    // Dray's own file is replaced.
    expect((await importFile(home, [path, '--yes', '--json'])).code).toBe(9)
  })

  test('both prices are said of what has another one, on a terminal and to scripts', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD}\nTest Laksa,Soups,9\n`)
    await importFile(home, [path, '--yes'])
    writeFileSync(path, `${HEAD}\nTest Laksa,Soups,12.50\n`)
    const ran = await importFile(home, [path, '--yes', '--json'])
    expect(ran.err).toContain('Test Laksa: £9.00 on the menu, £12.50 in the file')
    expect((ran.json() as Document).data[0]).toMatchObject({
      result: 'duplicate',
      price: { amount: 1250 },
      menu_price: { amount: 900 },
    })
  })
})

test('a category for the items that have none is given by a flag, which is named', async () => {
  using home = makeHome()
  const path = write(home, `${HEAD}\nTest Laksa,,9\n`)
  const refused = await importFile(home, [path, '--yes', '--json'])
  expect(refused.err).toContain('--category NAME sets the category of items without one.')
  expect(rowsOf((await importFile(home, [path, '--yes', '--json', '--category', 'Soups'])).json())).toEqual([
    ['Test Laksa', 'created'],
  ])
})

test('an error quotes a cell exactly as it is in the file', async () => {
  using home = makeHome()
  const io = memoryIo({ tty: true, columns: 100 })
  await importFile(home, [write(home, `${HEAD}\nTest Laksa,Soups,{counts.total}\n`), '--yes'], io)
  expect(io.err()).toContain('price: "{counts.total}" is not an amount')
})

test('an import that does not end says why and how to go on', async () => {
  using home = makeHome()
  const openClient = async (): Promise<Client> => {
    const client = await embeddedIn(home)({
      kind: 'embedded',
      store: join(home.paths.data, 'default/dray.db'),
      account: 'everything',
    })
    let batches = 0
    return {
      ...client,
      call: (operation, input, options) => {
        if (operation === 'import_catalog_items' && ++batches > 1)
          throw new AppError('network_error', 'Cannot reach the server.')
        return client.call(operation, input, options)
      },
    }
  }
  const lines = Array.from({ length: 501 }, (_, index) => `Dish ${index},Many,1.00`)
  const path = write(home, [HEAD, ...lines].join('\n'))
  const words = [path, '--split', '--yes', '--json']
  const ran = await runCommand(home, businessCatalogImport, words, { openClient })
  expect(ran.json()).toMatchObject({
    counts: { total: 501, created: 500, not_sent: 1 },
    error: { code: 'network_error', exit_code: 11 },
  })
  const text = '1 item was not sent. Running the same command again continues and creates nothing twice'
  expect(ran.err).toContain(text)
  expect(ran.json()).toMatchObject({ categories: [{ name: 'Many', created: true }] })
  const continued = await runCommand(home, businessCatalogImport, words, { openClient: embeddedIn(home) })
  expect(continued.err).toContain('Continuing an earlier, unfinished import. Nothing is created twice.')
  expect(continued.json()).toMatchObject({
    counts: { total: 501, created: 501, duplicate: 0, not_sent: 0, categories_created: 1 },
    categories: [{ name: 'Many', created: true }],
  })
})

describe('export', () => {
  const run = (home: Home, words: readonly string[]) =>
    runCommand(home, businessCatalogExport, words, { openClient: embeddedIn(home) })

  test('prints the menu, or writes it to a file that it writes anew later', async () => {
    using home = makeHome()
    const printed = await run(home, [])
    expect(printed.out.split('\r\n')[0]).toMatch(/^category,name,.*,_item_id$/)
    const path = join(home.cwd, 'menu.csv')
    expect((await run(home, [path])).err).toMatch(/^Wrote \d+ items in \d+ categories to /)
    // The menu has a ’, which Excel reads rightly only behind a byte order mark.
    expect(readFileSync(path, 'utf8')).toBe(`\uFEFF${printed.out}`)
    expect((await run(home, [path])).code).toBe(0)
    expect(
      rowsOf((await importFile(home, [path, '--json'])).json()).every(([, result]) => result === 'duplicate'),
    ).toBe(true)
  })

  test('in JSON is one document, however the user requests it', async () => {
    using home = makeHome()
    const text = (await run(home, ['--format', 'json'])).out
    expect((await run(home, ['--format', 'json', '--json'])).json()).toEqual(JSON.parse(text))
    const path = join(home.cwd, 'menu.json')
    expect((await run(home, [path, '--json'])).json()).toMatchObject({ file: path, format: 'json' })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect((await run(home, [path])).code).toBe(0)
    expect(typeof ((await run(home, ['--json'])).json() as { menu: string }).menu).toBe('string')
  })

  test('leaves a foreign file as it is', async () => {
    using home = makeHome()
    const path = write(home, 'my,own\n1,2\n')
    expect((await run(home, [path])).error?.code).toBe('file_error')
    expect(readFileSync(path, 'utf8')).toBe('my,own\n1,2\n')
  })
})

describe('a menu with cells that look like values', () => {
  const details = (document: unknown) =>
    (document as Document).data.flatMap(({ reason }) => reason?.errors.map(({ detail }) => detail) ?? [])
  const SHORTENED = 'A spreadsheet has shortened this number; format its column as text and enter it again.'

  test('a shortened code is rejected when an item is made, and when it is changed', async () => {
    using home = makeHome()
    const soup = write(
      home,
      'Category,Item,Price,external_ref,sku\nMains,Soup,6.50,5.01235E+12,1.23457E+11\n',
    )
    const first = await importFile(home, [soup, '--yes', '--json'])
    expect([first.code, details(first.json())]).toEqual([6, [SHORTENED, SHORTENED]])

    // An item of an earlier version has such a reference: another one is not taken for it.
    const store = `${home.paths.data}/default/dray.db`
    const client = await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })
    const price = { amount: 650, currency: 'GBP' }
    const item = { name: 'Soup', category: 'Mains', price, external_ref: '5.01235E+12' }
    await client.call('create_catalog_item', item)
    const pie = write(home, 'Category,Item,Price,external_ref\nMains,Beef Pie,7.50,5.01235E+12\n', 'pie.csv')
    const changed = await importFile(home, [pie, '--update', '--yes', '--json'])
    expect([changed.code, details(changed.json())]).toEqual([6, [SHORTENED]])
    const { data } = (await client.call('list_catalog_items', { limit: 100 })).value
    await client.close()
    const mains = data.filter(({ category }) => category.name === 'Mains')
    expect(mains).toMatchObject([{ name: 'Soup', price }])
  })

  test('an amount without quotes is two cells: the file is rejected by its row, and no item is made', async () => {
    using home = makeHome()
    const rows = 'Mains,Soup,6.50,Hot\nMains,Chips,6,50,\nMains,Pie,7,25\n'
    const ran = await importFile(home, [write(home, `Category,Item,Price,Description\n${rows}`), '--yes'])
    expect(ran.error).toMatchObject({
      exitCode: 2,
      message: 'The header has 4 cells, but row 3 has 5.',
      hint: expect.stringContaining(
        'Put a cell that contains the delimiter in quotes, such as "6,50"',
      ) as string,
    })
  })

  test('a price that a spreadsheet could not compute, and an allergen that it did not find', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD},allergens\nSoup,Mains,#WERT!,milk\nPie,Mains,7.50,#NV\n`)
    const ran = await importFile(home, [path, '--yes', '--json'])
    expect([ran.code, details(ran.json())]).toEqual([
      6,
      [
        '#WERT! is an error of the spreadsheet; correct it there and save the file again.',
        '#NV is an error of the spreadsheet; correct it there and save the file again.',
      ],
    ])
  })

  test('in an own export that a spreadsheet saved, where an item may be called None', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD},_item_id\nNone,Mains,6.50,\n#REF!,Mains,7.50,\n`)
    const ran = await importFile(home, [path, '--yes', '--json'])
    expect(rowsOf(ran.json()).map(([, result]) => result)).toEqual(['created', 'rejected'])
  })

  test('a script gets every doubt, in a dry run too', async () => {
    using home = makeHome()
    const path = write(home, `${HEAD},description,Colour\nFree soup,Mains,0,None,red\n`)
    const ran = await importFile(home, [path, '--dry-run', '--json'])
    expect(ran.json()).toMatchObject({
      counts: { skipped: 0 },
      skipped: [],
      warnings: [
        'not read: Colour. --strict rejects unknown columns.',
        'description holds "None" in row 2; it is read as empty.',
        expect.stringContaining('Free soup') as string,
      ],
    })
  })
})

test('the command writes the template next to its example, and the example imports', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'menu.csv')
  const ran = await runCommand(home, businessCatalogTemplate, [path])
  expect(ran.err).toContain('dray business catalog import')
  const imported = await importFile(home, [join(home.cwd, 'menu.example.csv'), '--yes', '--json'])
  expect(imported.json()).toMatchObject({ counts: { total: 5, created: 5, rejected: 0 } })
  // An unchanged template is dray's own; one with a row in it is the user's.
  expect((await runCommand(home, businessCatalogTemplate, [path])).error).toBeUndefined()
  appendFileSync(path, 'Laksa,Noodles,12.00\n')
  expect((await runCommand(home, businessCatalogTemplate, [path])).error?.code).toBe('file_error')
})

describe('an update', () => {
  const MENU = `${HEAD},external_ref,description\nTest Laksa,Soups,9,L-1,Hot\nTest Pho,Soups,8,P-1,\nTest Bun,Buns,2,B-1,\n`

  test('sends what differs: names by their reference, prices, sections, descriptions', async () => {
    using home = makeHome()
    await importFile(home, [write(home, MENU), '--yes'])
    const changed = MENU.replace('Test Laksa', 'Curry Laksa')
      .replace(',9,', ',9.5,')
      .replace('Pho,Soups', 'Pho,Bowls')
    const path = write(home, changed.replace('Hot', '').concat('Test Tea,Drinks,2,T-1,\n'), 'two.csv')
    const planned = await importFile(home, [path, '--update', '--dry-run'])
    const text =
      '1 item is new.\n1 category will be created: Drinks.\n2 items change:\n  Test Laksa: name: "Test Laksa" → "Curry Laksa"; price: £9.00 → £9.50 (+5.6%)\n  Test Pho: category: "Soups" → "Bowls"\n1 item already matches the file.'
    expect(planned.err).toContain(text)
    expect(planned.err).toContain('--remove-missing deletes them.')
    const done = (await importFile(home, [path, '--update', '--yes', '--json'])).json() as Document
    expect(done.counts).toMatchObject({ created: 1, updated: 2, duplicate: 1, rejected: 0, removed: 0 })
    const again = (await importFile(home, [path, '--update', '--yes', '--json'])).json() as Document
    expect(again.counts).toMatchObject({ created: 0, updated: 0, duplicate: 4 })
    expect(readFileSync(join(home.cwd, 'two.results.csv'), 'utf8')).toContain('Curry Laksa')
  })

  test('rejects both rows of an item at two prices, and leaves the item as it is', async () => {
    using home = makeHome()
    await importFile(home, [write(home, MENU), '--yes'])
    const twice = MENU.replace('Pho,Soups,8,', 'Pho,Soups,7.50,').replace('Bun,Buns,2,', 'Bun,Buns,2.20,')
    const path = write(home, `${twice}Test Bun,Buns,2.20,B-1,\nOur Pho,Soups,8.50,P-1,\n`, 'twice.csv')
    const ran = await importFile(home, [path, '--update', '--yes', '--json'])
    expect(ran.code).toBe(9)
    const { data, counts } = ran.json() as Document
    expect(counts).toMatchObject({ created: 0, updated: 1, duplicate: 2, rejected: 2 })
    expect(data.map(({ result }) => result)).toEqual([
      'duplicate',
      'rejected',
      'updated',
      'duplicate',
      'rejected',
    ])
    const end = 'and both are the same item. Remove one of them, or give the other its own reference.'
    const details = [
      [3, `£7.50 differs from the price £8.50 in row 6, ${end}`],
      [6, `£8.50 differs from the price £7.50 in row 3, ${end}`],
    ]
    for (const [row, detail] of details)
      expect(data.find((each) => each.row === row)).toMatchObject({
        reason: { errors: [{ column: 'price', detail }] },
      })
    const again = (await importFile(home, [write(home, MENU), '--update', '--dry-run', '--json'])).json()
    expect((again as Document).data[1]).toMatchObject({ result: 'duplicate', menu_price: { amount: 800 } })
  })

  test.each([
    [
      'name',
      'Test Ramen,Soups,8,P-1,,',
      'external_ref',
      'The reference is already used by Test Pho in row 3, and both are the same item. Remove one of them, or give the other its own reference.',
    ],
    [
      'modifiers',
      'Test Pho,Soups,8,P-1,Size[1-1]: Bowl=0|Pot=2,',
      'modifiers',
      'The modifiers differ from those in row 3, and both are the same item. Remove one of them, or give the other its own reference and name.',
    ],
    [
      'section',
      'Test Pho,Bowls,8,P-1,,',
      'category',
      'It differs from row 3, and both are the same item. Remove one of them, or give the other its own reference.',
    ],
    [
      'word on whether it is on sale',
      'Test Pho,Soups,8,,,no',
      'available',
      'It differs from row 3, and both are the same item. Remove one of them, or give the other its own name.',
    ],
  ])('refuses both rows of an item with another %s', async (_, line, column, detail) => {
    using home = makeHome()
    const head = 'name,category,price,external_ref,modifiers,available'
    const menu = [head, 'Test Laksa,Soups,9,L-1,,', 'Test Pho,Soups,8,P-1,Size[1-1]: Bowl=0|Pot=3,yes', line]
    const ran = await importFile(home, [write(home, menu.join('\n')), '--yes', '--json'])
    const { data, counts } = ran.json() as Document
    expect(counts).toMatchObject({ created: 1, rejected: 2 })
    expect(data[1]).toMatchObject({ row: 3, reason: { errors: [{ column }] } })
    expect(data[1]?.reason?.errors[0]?.detail).toContain('row 4, and both are the same item.')
    expect(data[2]).toMatchObject({ row: 4, reason: { errors: [{ column, detail }] } })
  })

  test('rejects every row of an item that one row contradicts, and takes rows that say less', async () => {
    using home = makeHome()
    const path = write(
      home,
      [
        `${HEAD},description`,
        'Test Laksa,Soups,9,Hot',
        'Test Laksa,Soups,9,',
        'Test Laksa,Soups,8,Hot',
        'Test Pho,Soups,8,Mild',
        'Test Pho,Soups,8,',
      ].join('\n'),
    )
    const { data } = (await importFile(home, [path, '--yes', '--json'])).json() as Document
    expect(data.map(({ result }) => result)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'created',
      'duplicate',
    ])
    expect(data[1]?.reason?.errors[0]?.detail).toMatch(/^£9\.00 differs from the price £8\.00 in row 4,/)
  })

  test('leaves of a modifier what the file does not say', async () => {
    using home = makeHome()
    const head = 'name,category,price,modifier_group,modifier_min,modifier_max,modifier_name,modifier_price'
    const full = [
      `${head},modifier_default,modifier_available,allow_repeats`,
      'Test Pho,Soups,8,,,,,,,,',
      ',,,Size,1,1,Bowl,0,yes,yes,',
      ',,,Size,,,Pot,3,no,no,',
      ',,,Extras,0,2,Egg,1.50,,,yes',
      ',,,Extras,,,Lime,0.20,,,',
    ]
    await importFile(home, [write(home, full.join('\n')), '--yes'])
    const plan = async (lines: readonly string[]) => {
      const path = write(home, lines.join('\n'), 'less.csv')
      return (await importFile(home, [path, '--update', '--dry-run'])).err
    }
    const bare = ['name,category,price,modifier_group,modifier_name', 'Test Pho,Soups,8,,']
    const choices = [',,,Size,Bowl', ',,,Size,Pot', ',,,Extras,Egg', ',,,Extras,Lime']
    expect(await plan([...bare, ...choices])).toContain('1 item already matches the file.')
    const cell = 'Size[1-1]: Bowl|Pot=3; Extras[0-2]: Egg=1.50|Lime=0.20'
    const inOneCell = ['name,category,price,modifiers', `Test Pho,Soups,8,${cell}`]
    expect(await plan(inOneCell)).toContain('1 item already matches the file.')
    expect(await plan([inOneCell[0] ?? '', `Test Pho,Soups,8,${cell.replace('Pot', '*Pot')}`])).toContain(
      'Size: Bowl, state: "available, default" → "available"; Size: Pot, state: "unavailable" → "unavailable, default"\n',
    )
  })

  test('rejects modifiers of an export that were sorted below another item', async () => {
    using home = makeHome()
    const path = join(home.cwd, 'menu.csv')
    await runCommand(home, businessCatalogExport, [path], { openClient: embeddedIn(home) })
    const [head = '', ...lines] = readFileSync(path, 'utf8').trim().split('\r\n')
    // A spreadsheet that sorts by a column moves its empty cells to the end.
    const isModifier = (line: string) => line.startsWith(',')
    const sorted = [
      ...lines.filter((line) => !isModifier(line)).toReversed(),
      ...lines.filter(isModifier).slice(0, 2),
    ]
    const ran = await importFile(home, [write(home, [head, ...sorted].join('\r\n')), '--update', '--json'])
    const { data, counts } = ran.json() as Document
    expect(counts).toMatchObject({ updated: 0, rejected: 1 })
    expect(data.at(-1)?.reason).toMatchObject({
      errors: [
        {
          column: 'modifier_name',
          code: 'orphan_modifier',
          detail: expect.stringMatching(
            /^This modifier belongs to .+\. Put its row below that item, or empty _item_id to add it here\. \(row \d+\)$/,
          ),
        },
      ],
    })
  })

  test('does not put an item on sale that another caller takes off in the meantime', async () => {
    using home = makeHome()
    const sale = `${MENU.replace('description', 'available').replace('Hot', 'no').replace('P-1,', 'P-1,no')}`
    await importFile(home, [write(home, sale), '--yes'])
    const on = write(home, sale.replaceAll(',no', ',yes').replace(',8,', ',8.50,'), 'on.csv')
    const open = () =>
      embeddedIn(home)({
        kind: 'embedded',
        store: join(home.paths.data, 'default/dray.db'),
        account: 'everything',
      })
    const client = await open()
    const openClient = async (): Promise<Client> => ({
      ...client,
      async call(operation, input, options) {
        if (operation === 'set_catalog_item_availability') {
          const { item_id } = input as { item_id: string }
          const equipment = { item_id, available: false, reason: 'equipment' as const }
          await client.call('set_catalog_item_availability', equipment)
        }
        return client.call(operation, input, options)
      },
    })
    const ran = await runCommand(home, businessCatalogImport, [on, '--update', '--yes', '--json'], {
      openClient,
    })
    const { data, counts } = ran.json() as Document
    expect(counts).toMatchObject({ updated: 0, rejected: 2 })
    expect(data.flatMap(({ reason }) => reason?.errors[0]?.detail ?? [])).toEqual([
      'The item was changed by someone else; import the file again.',
      'The item was changed, but not its availability. The item was changed by someone else; import the file again.',
    ])
    const after = await open()
    const { data: items } = (await after.call('list_catalog_items', { q: 'test laksa' })).value
    await after.close()
    expect(items[0]?.availability).toMatchObject({ available: false, reason: 'equipment' })
  })

  test('does not take an item for a deleted one because its row is wrong', async () => {
    using home = makeHome()
    await importFile(home, [write(home, MENU), '--yes'])
    const wrong = write(home, MENU.replace(',8,', ',eight,').replace(/.*Bun.*\n/, ''), 'wrong.csv')
    const { err } = await importFile(home, [wrong, '--update', '--dry-run'])
    expect(err).toContain('"eight" is not an amount')
    // The store's own eleven items, and Test Bun; not Test Pho.
    expect(err).toContain('12 items on the menu are not in the file and stay')
  })

  test('of an exported menu changes nothing', async () => {
    using home = makeHome()
    const path = join(home.cwd, 'menu.csv')
    await runCommand(home, businessCatalogExport, [path], { openClient: embeddedIn(home) })
    const ran = (await importFile(home, [path, '--update', '--dry-run', '--json'])).json() as Document
    expect(ran.counts).toMatchObject({ created: 0, updated: 0, rejected: 0 })
  })

  test('asks before a new item is free, and --yes is no answer', async () => {
    using home = makeHome()
    const free = write(home, MENU.replace(',9,', ',0.00,'), 'free.csv')
    const planned = await importFile(home, [free, '--dry-run', '--currency', 'gbp'])
    expect(planned.err).toContain('1 item has a price of zero: Test Laksa.')
    expect(planned.err).not.toContain('--currency')
    const refused = await importFile(home, [free, '--yes'])
    expect(refused.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(refused.error?.message).toContain('1 item has a price of zero: Test Laksa. Create it?')
    expect(refused.error?.hint).toMatch(/^Confirm it with --allow-free: .* --allow-free$/)
    const done = await importFile(home, [free, '--yes', '--allow-free', '--json'])
    expect((done.json() as Document).counts['created']).toBe(3)
  })

  test('asks before new prices that look like pence', async () => {
    using home = makeHome()
    const pence = write(home, `${HEAD}\nTest Laksa,Soups,340\nTest Pho,Soups,1195\nTest Tea,Drinks,95\n`)
    const doubt =
      'All 3 new prices are whole and high, as if in pence or cents: Test Laksa £340.00, Test Pho £1,195.00, Test Tea £95.00.'
    expect((await importFile(home, [pence, '--dry-run'])).err).toContain(doubt)
    for (const more of [[], ['--update']]) {
      const refused = await importFile(home, [pence, '--yes', ...more])
      expect(refused.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
      expect(refused.error?.message).toContain(`${doubt} Create them?`)
      expect(refused.error?.hint).toMatch(/^Confirm it with --allow-high: .* --allow-high$/)
    }
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = importFile(home, [pence, '--accessible'], io)
    await expect.poll(() => io.asked()).toContain('Create 3 items and 2 categories?')
    io.type('y\n')
    await expect.poll(() => io.asked()).toContain('Test Tea £95.00. Create them?')
    io.type('\n')
    expect((await running).error?.code).toBe('not_confirmed')

    const plain = write(home, `${HEAD}\nTest Laksa,Soups,9\nTest Pho,Soups,11.95\nTest Feast,Soups,340\n`)
    expect((await importFile(home, [plain, '--dry-run'])).err).not.toContain('pence')
    const done = await importFile(home, [pence, '--yes', '--allow-high', '--json'])
    expect((done.json() as Document).counts['created']).toBe(3)
  })

  test('takes no amounts of a column with pence in its header', async () => {
    using home = makeHome()
    for (const header of ['Price (p)', 'Price in pence', 'price_cents']) {
      const path = write(home, `name,category,${header}\nTest Laksa,Soups,340\n`)
      const ran = await importFile(home, [path, '--map', `price=${header}`, '--yes', '--json'])
      const detail = `"${header}" is not in major units; write amounts like 8.50, and name the column price.`
      expect(ran.json()).toMatchObject({ data: [{ reason: { errors: [{ column: header, detail }] } }] })
      expect(ran.code).toBe(6)
    }
  })

  test('says that --currency did nothing where every price names one', async () => {
    using home = makeHome()
    const path = write(home, MENU.replace('price', 'price (GBP)'))
    const { err } = await importFile(home, [path, '--currency', 'EUR', '--dry-run'])
    const text = 'warning: --currency EUR has no effect: every price in the file has its own currency, GBP.'
    expect(err).toContain(text)
  })

  test('requires the name of an item if its price jumps', async () => {
    using home = makeHome()
    await importFile(home, [write(home, MENU), '--yes'])
    const path = write(home, MENU.replace(',9,', ',90,'), 'two.csv')
    const refused = await importFile(home, [path, '--update', '--yes'])
    expect(refused.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(refused.error?.hint).toMatch(
      /^Confirm it with --confirm 'Test Laksa': dray business catalog import \S+two\.csv --update --yes .*--confirm 'Test Laksa'$/,
    )
    const other = await importFile(home, [path, '--update', '--yes', '--confirm', 'Test'])
    expect(other.error?.hint).toMatch(/ --confirm Test .*--confirm 'Test Laksa'$/)
    const free = write(home, MENU.replace(',9,', ',0.00,'), 'free.csv')
    const gone = await importFile(home, [free, '--update', '--yes', '--allow-free'])
    expect(gone.error?.hint).toMatch(/ --allow-free .*--confirm 'Test Laksa'$/)
    const namesake = write(home, `${MENU.replace(',9,', ',90,')}Test Laksa,Specials,1,L-2,`, 'namesake.csv')
    await importFile(home, [namesake, '--yes'])
    writeFileSync(namesake, readFileSync(namesake, 'utf8').replace('Specials,1,', 'Specials,5,'))
    const both = await importFile(home, [namesake, '--update', '--yes', '--confirm', 'Test Laksa'])
    expect(both.error?.message).toContain('A price changes by more than half: Test Laksa.')
    const done = await importFile(home, [path, '--update', '--yes', '--confirm', 'Test Laksa', '--json'])
    expect((done.json() as Document).counts['updated']).toBe(1)
    const unasked = await importFile(home, [write(home, MENU, 'three.csv'), '--update'])
    const text = 'Change 1 item? Confirmation required, but this is not a terminal'
    expect(unasked.error?.message).toContain(text)
    expect(unasked.err).toContain('Test Laksa: price: £90.00 → £9.00')
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = importFile(home, [join(home.cwd, 'three.csv'), '--update', '--accessible'], io)
    await expect.poll(() => io.asked()).toContain('Change 1 item?')
    io.type('y\n')
    await expect
      .poll(() => io.asked())
      .toContain('Type the item’s name to change it, or press Enter to leave it')
    io.type('\n')
    await running
    expect(io.err()).toContain('Test Laksa was not changed.')
    expect(io.err()).toContain('0 updated')
  })

  test('a script agrees to each step of one import: a protected profile, two prices and what goes', async () => {
    using home = makeHome()
    const all = join(home.cwd, 'all.csv')
    await importFile(home, [write(home, MENU), '--yes'])
    await runCommand(home, businessCatalogExport, [all], { openClient: embeddedIn(home) })
    const changed = readFileSync(all, 'utf8')
      .replace(/^.*Test Pho.*\r\n/m, '')
      .replace(/^(.*Test Laksa.*),9.00,/m, '$1,90,')
      .replace(/^(.*Test Bun.*),2.00,/m, '$1,20,')
    const path = write(home, changed, 'two.csv')
    home.writeConfig({ profiles: { default: { protected: true } } })
    const words = [path, '--update', '--remove-missing', '--yes', '--json']
    const names = ['default', 'Test Laksa', 'Test Bun', 'Test Pho'].flatMap((name) => ['--confirm', name])
    for (const given of [0, 2, 4, 6]) {
      const refused = await importFile(home, [...words, ...names.slice(0, given)])
      expect(refused.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
      expect(refused.error?.hint).toContain(`--confirm ${shellQuote(names[given + 1] ?? '')}`)
    }
    const done = (await importFile(home, [...words, ...names])).json() as Document
    expect(done.counts).toMatchObject({ created: 0, updated: 2, removed: 1 })
  })

  test('deletes what is gone from the file only on request, and agreed to by its name', async () => {
    using home = makeHome()
    const all = join(home.cwd, 'all.csv')
    await importFile(home, [write(home, MENU), '--yes'])
    await runCommand(home, businessCatalogExport, [all], { openClient: embeddedIn(home) })
    const path = write(home, readFileSync(all, 'utf8').replace(/^.*Test Pho.*\r\n/m, ''), 'two.csv')
    const words = [path, '--update', '--remove-missing', '--yes', '--json']
    const refused = await importFile(home, words)
    expect(refused.error?.hint).toContain("Confirm it with --confirm 'Test Pho': ")
    const done = (await importFile(home, [...words, '--confirm', 'Test Pho'])).json() as Document
    expect(done.counts).toMatchObject({ created: 0, updated: 0, removed: 1 })
    const planned = await importFile(home, [write(home, MENU), '--update', '--remove-missing', '--dry-run'])
    expect(planned.err).toMatch(/ items will be permanently deleted: [^…]*Espresso[^…]*\.\n/)
    const bad = write(home, MENU.replace(',2,', ',x,'), 'bad.csv')
    const wrong = await importFile(home, [bad, ...words.slice(1)])
    const text = '--remove-missing needs a file without errors, and row 4 is wrong.'
    expect(wrong.error?.message).toContain(text)
    expect((await importFile(home, [path, '--remove-missing'])).error?.code).toBe('usage')
  })
})
