import { expect } from 'vitest'
import type { OperationOutput } from '../../src/client/operations.ts'
import type { Db } from '../../src/core/db.ts'
import type { PrintedFailure } from '../support/answers.ts'
import {
  isolatedAcceptanceTest,
  servedAcceptanceTest,
  acceptanceTest,
  type AcceptanceContext,
} from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

type Amount = { amount: number; currency: string }
type Item = {
  item_id: string
  name: string
  price: Amount
  category: { name: string; sort_order: number }
  version: number
  stock: number | null
  modifier_groups: { name: string; modifiers: { name: string }[] }[]
  availability: { available: boolean }
}
type Items = { data: Item[] }
type Import = {
  counts: Record<'total' | 'created' | 'duplicate' | 'rejected' | 'not_sent' | 'categories_created', number>
  import_ids: string[]
  errors_file?: string
  data: {
    row: number
    name: string
    result: string
    menu_price: Amount | null
    reason: { errors: { column: string; code: string }[] } | null
  }[]
}

const IMPORT = 'business catalog import'

async function list(told: AcceptanceContext): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page: OperationOutput<'list_catalog_items'> = await told.call('list_catalog_items', {
      limit: 100,
      ...(cursor !== null && { cursor }),
    })
    items.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

acceptanceTest('a store imports its menu once, however often it is imported', async (told) => {
  told.take('examples/menu.csv')
  const before = await list(told)
  const planned = (await told.dray(`${IMPORT} menu.csv --dry-run --json`)).json<Import>()
  expect(planned.counts).toMatchObject({ total: 12, created: 12, rejected: 0, categories_created: 5 })
  expect(await list(told)).toEqual(before)

  const first = (await told.dray(`${IMPORT} menu.csv --yes --json`)).json<Import>()
  expect(first.counts).toEqual({ ...planned.counts, duplicate: 0, not_sent: 0 })
  const after = await list(told)
  expect(after).toHaveLength(before.length + 12)
  expect(after.filter(({ item_id }) => before.some((each) => each.item_id === item_id))).toEqual(before)
  expect(told.read('menu.results.csv').match(/,created,itm_/g)).toHaveLength(12)

  const again = (await told.dray(`${IMPORT} menu.csv --yes --json`)).json<Import>()
  expect(again.counts).toMatchObject({ total: 12, created: 0, duplicate: 12, categories_created: 0 })
  expect(await list(told)).toEqual(after)
})

acceptanceTest('an import never reprices, and says both prices', async (told) => {
  told.write('menu.csv', 'name,category,price\nFile Laksa,File soups,9.00\nFile Pho,File soups,8.50\n')
  await told.dray(`${IMPORT} menu.csv --yes --json`)
  const before = await list(told)
  told.write(
    'menu.csv',
    'name,category,price\nFile Laksa,File soups,12.00\nfile pho,FILE SOUPS,1.00\nFile Bun,File soups,7\n',
  )
  const ran = await told.dray(`${IMPORT} menu.csv --yes --json`)
  expect(ran.stderr).toContain('File Laksa: £9.00 on the menu, £12.00 in the file')
  expect(ran.json<Import>().data.map(({ result, menu_price }) => [result, menu_price?.amount])).toEqual([
    ['duplicate', 900],
    ['duplicate', 850],
    ['created', undefined],
  ])
  const after = await list(told)
  expect(after.filter(({ name }) => name !== 'File Bun')).toEqual(before)
  // The customer pays the price on the menu.
  const { data } = (await told.dray('business catalog list --q "file laksa" --json')).json<Items>()
  expect(data[0]).toMatchObject({ price: { amount: 900 }, version: 1 })
})

acceptanceTest('rejected items are told with row and column, corrected, and imported', async (told) => {
  const head = 'Dish;Section;Price;VAT;EAN;modifier_group;required;modifier_name;modifier_price'
  told.write(
    'menu.csv',
    [
      head,
      'File Laksa;File soups;12,50;20%;;Size;yes;Regular;0',
      ';;;;;Size;;Large;2,00',
      'File Pho;File soups;ten;20;;;;;',
      'File Bun;File buns;4,20;1;;;;;',
      'File Water;File drinks;2,20;;5012345678901;;;;',
    ].join('\n'),
  )
  const ran = await told.dray(`${IMPORT} menu.csv --yes --json`, { exit: 9 })
  const report = ran.json<Import>()
  expect(report.counts).toMatchObject({ total: 4, created: 1, rejected: 3 })
  expect(report.data.map(({ row, result }) => [row, result])).toEqual([
    [2, 'created'],
    [4, 'rejected'],
    [5, 'rejected'],
    [6, 'rejected'],
  ])
  expect(report.data.flatMap(({ reason }) => reason?.errors ?? [])).toMatchObject([
    { column: 'Price', code: 'invalid_format' },
    { column: 'VAT', code: 'ambiguous_number' },
    { column: 'EAN', code: 'invalid_format' },
  ])
  const errors = told.read('menu.errors.csv')
  expect(errors.split('\r\n')[0]).toBe(`\uFEFF${head};_row;_column;_code;_message;_suggestion`)
  const corrected = errors
    .replace(';ten;', ';10,00;')
    .replace(';1;', ';1%;')
    .replace('5012345678901', '5012345678900')
  told.write('menu.errors.csv', corrected)
  const second = (await told.dray(`${IMPORT} menu.errors.csv --yes --json`)).json<Import>()
  expect(second.counts).toMatchObject({ total: 3, created: 3, rejected: 0 })
  const items = (await told.dray('business catalog list --q file --json')).json<Items>().data
  expect(items.map(({ name, price }) => [name, price.amount])).toEqual([
    ['File Laksa', 1250],
    ['File Pho', 1000],
    ['File Bun', 420],
    ['File Water', 220],
  ])
  expect(items[0]?.modifier_groups).toMatchObject([
    { name: 'Size', min_selections: 1, modifiers: [{ name: 'Regular' }, { name: 'Large' }] },
  ])
})

acceptanceTest(
  'a file of only bad items ends with 6, a bad file with 2, and neither changes anything',
  async (told) => {
    const before = await list(told)
    told.write('bad.csv', 'name,category,price\nA,B,\n')
    await told.dray(`${IMPORT} bad.csv --yes --json`, { exit: 6 })
    told.write('none.csv', 'name,cost\nLaksa,3.10\n')
    const refused = (await told.dray(`${IMPORT} none.csv --yes --json`, { exit: 2 })).json<PrintedFailure>()
    expect(refused.detail).toContain('category, price')
    expect(refused.hint).toContain('--map')
    const asked = await told.dray(`${IMPORT} bad.csv --category Soups`, { exit: 6 })
    expect(asked.stdout).toContain('price is required')
    expect(await list(told)).toEqual(before)
  },
)

acceptanceTest('exports of Square and Shopify become menus without a flag', async (told) => {
  told.take('test/support/exports/square-items.csv')
  told.take('test/support/exports/shopify-products.csv')
  const square = await told.dray(`${IMPORT} square-items.csv --yes --json`)
  expect(square.stderr).toContain('a Square item library export')
  expect(square.json<Import>().counts).toMatchObject({ total: 5, created: 5, rejected: 0 })
  const shopify = await told.dray(`${IMPORT} shopify-products.csv --yes --json`)
  expect(shopify.json<Import>().counts).toMatchObject({ total: 3, created: 3, rejected: 0 })
  const items = new Map((await list(told)).map((item) => [item.name, item]))
  expect(items.get('Latte')).toMatchObject({
    price: { amount: 300 },
    stock: 20,
    modifier_groups: [{ name: 'Cup', modifiers: [{ name: 'Small' }, { name: 'Large' }, { name: 'Iced' }] }],
  })
  expect(items.get('House Blend')?.modifier_groups[0]?.modifiers).toHaveLength(3)
  expect(items.get('Advent Box')?.availability.available).toBe(false)
  expect((await told.dray(`${IMPORT} square-items.csv --yes --json`)).json<Import>().counts.duplicate).toBe(5)
})

/** Returns a menu without ids and versions. */
function withoutIds(items: readonly Item[]): unknown {
  return JSON.parse(
    JSON.stringify(items, (name, value: unknown) =>
      [
        'item_id',
        'merchant_id',
        'category_id',
        'modifier_group_id',
        'modifier_id',
        'version',
        'created_at',
        'updated_at',
      ].includes(name)
        ? undefined
        : value,
    ),
  )
}

acceptanceTest('a menu goes from one store to another, in CSV and in JSON, and is the same', async (told) => {
  told.take('examples/menu.csv')
  await told.dray(`${IMPORT} menu.csv --yes --json`)
  const [first] = await list(told)
  await told.dray(
    `business catalog available ${first?.item_id ?? ''} no --until 2026-11-21T11:00:00Z --reason seasonal`,
  )
  const origin = await list(told)
  for (const format of ['csv', 'json']) {
    const there = { env: await newStore(told, `shop-${format}`) }
    const as = told.url === undefined ? ` --as shop-${format}` : ''
    expect((await told.dray(`business catalog list --json${as}`, there)).json<Items>().data).toEqual([])
    await told.dray(`business catalog export all.${format} --format ${format}`)
    const report = (await told.dray(`${IMPORT} all.${format} --yes --json${as}`, there)).json<Import>()
    expect(report.counts).toMatchObject({ created: origin.length, rejected: 0, duplicate: 0 })
    const copy = (await told.dray(`business catalog list --all --json${as}`, there)).json<Items>().data
    expect(withoutIds(copy)).toEqual(withoutIds(origin))
  }
})

/** Makes another business with an empty store; returns its token for stories with a service. */
async function newStore(told: AcceptanceContext, handle: string): Promise<Record<string, string>> {
  await told.control('add_account', { handle, business: true })
  if (told.url === undefined) return {}
  const { token } = await told.control('mint_token', { account: handle })
  return { DRAY_TOKEN: token }
}

acceptanceTest('a menu comes from another program, and goes to one', async (told) => {
  const ran = await told.shell(
    'dray business catalog template --example | dray business catalog import - --yes --json --results none',
  )
  expect(ran.json<Import>().counts).toMatchObject({ total: 5, created: 5 })
  const piped = await told.shell(
    'dray business catalog export --format json | dray business catalog import - --yes --json --results none',
  )
  expect(piped.json<Import>().counts).toMatchObject({ created: 0, rejected: 0 })
  expect(piped.json<Import>().counts.duplicate).toBeGreaterThan(5)
})

acceptanceTest(
  'a merchant sees the difference and is asked, and nothing happens without a yes',
  async (told) => {
    const lines = [
      'name,category,price',
      'Asked Laksa,Asked soups,9.00',
      'Asked Pho,Asked soups,8.50',
      'Asked Bun,,1',
    ]
    told.write('menu.csv', lines.join('\n'))
    const before = await list(told)
    for (const [answer, exitCode] of [
      [KEY_BYTES.ctrlC, 130],
      [KEY_BYTES.enter, 3],
      [`y${KEY_BYTES.enter}`, 9],
    ] as const) {
      const terminal = told.terminal(`${IMPORT} menu.csv`, { columns: 100 })
      const screen = await terminal.shows('Create 2 items and 1 category? (y/N)')
      expect(screen).toMatch(/Asked soups +Asked Laksa +£9\.00/)
      expect(screen).toContain('1 category will be created: Asked soups.')
      expect(screen).toContain('category is required. (row 4)')
      expect(await list(told)).toEqual(before)
      terminal.type(answer)
      expect(await terminal.ended()).toMatchObject({ exitCode })
      if (exitCode === 9) {
        expect(terminal.screen()).toContain('2 items and 1 category created, 1 rejected.')
        expect(terminal.screen()).toContain('Without questions: dray business catalog import menu.csv --yes')
      }
    }
    expect(await list(told)).toHaveLength(before.length + 2)
  },
)

acceptanceTest('headers of a store of its own are asked for once', async (told) => {
  told.write('menu.csv', 'Ruoka,Ryhmä,Hinta\nMapped Laksa,Mapped soups,"9,00"\n')
  const terminal = told.terminal(`${IMPORT} menu.csv --save-map finnish --accessible`, { columns: 100 })
  // The choices are the remaining headers, after the choice of no column; before it the only one with amounts.
  for (const [column, choice] of [
    ['category', '3'],
    ['name', '2'],
    ['price', '1'],
  ] as const) {
    await terminal.shows(`No column is ${column}. Take it from`)
    terminal.type(`${choice}${KEY_BYTES.enter}`)
  }
  await terminal.shows('Create 1 item and 1 category?')
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  const again = await told.dray(`${IMPORT} menu.csv --json`)
  expect(again.stderr).toContain('with the saved map finnish')
  expect(again.json<Import>().counts).toMatchObject({ duplicate: 1 })
})

acceptanceTest('a program that may only write imports all the same', async (told) => {
  told.take('examples/menu.csv')
  await list(told)
  await told.control('add_account', { handle: 'till', business: true, scopes: ['menu.manage'] })
  const { token } = await told.control('mint_token', { account: 'till' })
  const as = told.url === undefined ? ' --as till' : ''
  const options = told.url === undefined ? {} : { env: { DRAY_TOKEN: token } }
  await told.dray(`business catalog list --json${as}`, { ...options, exit: 4 })
  const first = (await told.dray(`${IMPORT} menu.csv --yes --json${as}`, options)).json<Import>()
  expect(first.counts).toMatchObject({ total: 12, created: 12 })
  const again = (await told.dray(`${IMPORT} menu.csv --yes --json${as}`, options)).json<Import>()
  expect(again.counts).toMatchObject({ created: 0, duplicate: 12 })
})

/** Enough batches for a signal to arrive during one of them. */
const MANY = 4000

function largeMenu(): string {
  const lines = Array.from(
    { length: MANY },
    (_, index) =>
      `Dish ${index},Section ${index % 40},${(index % 30) + 1}.50,"Size[1-1]: *Small | Large=1.50",D-${index}`,
  )
  return ['name,category,price,modifiers,plu', ...lines].join('\n')
}

isolatedAcceptanceTest(
  'an import that was killed half-way is continued by the same command',
  async (told) => {
    told.write('big.csv', largeMenu())
    const command = `${IMPORT} big.csv --yes --split --json`
    expect(
      (await told.dray(command.replace(' --split', ''), { exit: 2 })).json<PrintedFailure>().hint,
    ).toContain('--split')
    await list(told)
    const importing = told.start(command)
    await firstBatch(told)
    importing.kill('SIGKILL')
    expect((await importing.ended).signal).toBe('SIGKILL')
    const done = await told.store(countItems)
    expect(done % 500).toBe(0)
    expect(done).toBeLessThan(MANY)

    const ran = await told.start(command).ended
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(ran.stderr).toContain('Continuing an earlier, unfinished import. Nothing is created twice.')
    // Completed batches get their first responses again: created, not duplicate.
    const report = ran.json<Import>()
    expect(report.counts).toMatchObject({
      total: MANY,
      created: MANY,
      duplicate: 0,
      rejected: 0,
      not_sent: 0,
    })
    // All batches are one import, which can be undone as one.
    expect(report.import_ids).toHaveLength(1)
    expect(await told.store(countItems)).toBe(MANY)
    const again = await told.start(command).ended
    expect(again.json<Import>().counts).toMatchObject({ created: 0, duplicate: MANY })
  },
)

isolatedAcceptanceTest(
  'Ctrl-C lets the batch under way end, and the same command goes on after it',
  async (told) => {
    told.write('big.csv', largeMenu())
    await list(told)
    const importing = told.start(`${IMPORT} big.csv --yes --split --json`)
    await firstBatch(told)
    importing.kill('SIGINT')
    const interrupted = await importing.ended
    expect(interrupted.exitCode).toBe(130)
    expect(interrupted.stderr).toContain('Running the same command again continues and creates nothing twice')
    const { counts } = interrupted.json<Import>()
    expect(counts.created + counts.not_sent).toBe(MANY)
    expect(await told.store(countItems)).toBe(counts.created)
    const ran = await told.start(`${IMPORT} big.csv --yes --split --json`).ended
    expect(ran.json<Import>().counts).toMatchObject({ created: MANY, not_sent: 0 })
    expect(await told.store(countItems)).toBe(MANY)
  },
)

servedAcceptanceTest(
  'an import outlives a crash of the service',
  async (told) => {
    told.write('big.csv', largeMenu())
    const importing = told.start(`${IMPORT} big.csv --yes --split --json`)
    await firstBatch(told)
    await told.crash()
    const { exitCode, stderr, json } = await importing.ended
    expect(exitCode, stderr).toBe(0)
    expect(json<Import>().counts).toMatchObject({ created: MANY, duplicate: 0, rejected: 0, not_sent: 0 })
    expect(await told.store(countItems)).toBe(MANY)
  },
  { isStarted: true },
)

async function firstBatch(told: AcceptanceContext): Promise<void> {
  await told.store(async (db) => {
    while ((await countItems(db)) < 500) await new Promise((resolve) => setImmediate(resolve))
  })
}

/** Counts the items that the file created. */
async function countItems(db: Db): Promise<number> {
  const row = await db.read((tx) =>
    tx.get(`select count(*) as count from catalog_items where substr(external_ref, 1, 2) = 'D-'`),
  )
  return Number(row?.['count'])
}
