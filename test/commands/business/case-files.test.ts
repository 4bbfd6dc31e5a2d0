/** Files of merchants as tills and shops write them, in a store of the command and over HTTP, with the items they make. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Target } from '../../../src/client/client.ts'
import { businessCatalogImport } from '../../../src/commands/business/catalog-import.command.ts'
import * as registry from '../../../src/generated/registry.ts'
import { addServedAccount } from '../../support/add-account.ts'
import { CASE_FILES } from '../../support/case-files.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { remoteIn } from '../../support/remote-client.ts'
import { runCommand } from '../../support/run-command.ts'
import { type ServedStore, serveStore } from '../../support/served.ts'

type CaseMenu = {
  flags?: readonly string[]
  code: number
  /** All items that are made: category, price, whether it is on sale, and others of its fields. */
  made?: Readonly<Record<string, readonly [category: string, price: number, onSale: boolean, more?: object]>>
  /** All rows that are rejected: the column, and a part of what is said of it. */
  refused?: Readonly<Record<number, readonly [column: string, detail: string]>>
  said?: readonly string[]
  /** A part of what is said where the file as a whole is rejected. */
  whole?: string
}

const gbp = (amount: number): object => ({ amount, currency: 'GBP' })
const SHORTENED = 'A spreadsheet has shortened this number'

const MENUS: Readonly<Record<string, CaseMenu>> = {
  'menu1.csv': {
    code: 9,
    made: {
      Soup: [
        'Mains',
        650,
        true,
        { description: 'Hot & tasty', allergens: ['Milk', 'Celery'], tax_rate_bps: 2000 },
      ],
      Pie: ['Mains', 650, false, { allergens: ['milk', 'gluten'] }],
    },
    refused: { 4: ['Price', '"6,50" without quotes may be one amount'] },
    said: ['row 2 “Hot &amp; tasty” is “Hot & tasty”'],
  },
  'shift.csv': { code: 2, whole: 'The header has 4 cells, but row 3 has 5.' },
  'menu-vat-rounding.xlsx': {
    code: 6,
    refused: { 2: ['Stock', 'It has a fraction; write a whole number.'] },
  },
  'lightspeed.csv': {
    code: 0,
    made: {
      Espresso: ['Coffee', 240, true],
      Latte: [
        'Coffee',
        300,
        true,
        {
          modifier_groups: [
            {
              name: 'Size',
              modifiers: [
                { name: 'Small', price_delta: gbp(0) },
                { name: 'Large', price_delta: gbp(60) },
              ],
            },
          ],
        },
      ],
    },
  },
  'clover.csv': {
    code: 9,
    made: {
      Espresso: ['Coffee', 240, true],
      Latte: ['Coffee', 300, true],
      Beans: ['Shop', 150, true],
    },
    refused: { 5: ['Categories', 'category is required.'] },
  },
  'clover.csv with a category': {
    flags: ['--default', 'category=Other', '--allow-free'],
    code: 0,
    made: {
      Espresso: ['Coffee', 240, true],
      Latte: ['Coffee', 300, true],
      Beans: ['Shop', 150, true],
      Tip: ['Other', 0, false],
    },
  },
  'square.csv': {
    flags: ['--allow-free'],
    code: 9,
    made: {
      'Flat White': ['Coffee', 340, true],
      'House Red': ['Wine', 650, true],
      'Old Cake': ['Cake', 300, false],
      Syrup: ['Coffee', 50, false],
      'Not Here': ['Coffee', 250, false],
      'Local Price': ['Coffee', 250, true],
      Tea: ['Tea', 200, true],
      Cookie: ['Cake', 200, true],
      'Tap Water': ['Drinks', 0, true],
      Haircut: ['Services', 2220, true],
    },
    refused: {
      3: ['Price', '"variable" is not an amount'],
      13: ['Item Name', 'Two items have the same name'],
      15: ['Reporting Category', 'category is required.'],
    },
    said: ['Prices by location are ignored: Price Main St.'],
  },
  'menu-shortened.csv': { code: 6, refused: { 2: ['external_ref', SHORTENED] } },
  'menu-shortened-edit.csv': {
    flags: ['--update'],
    code: 6,
    refused: { 2: ['external_ref', SHORTENED] },
  },
}

let served: ServedStore
beforeAll(async () => {
  served = await serveStore({ registry })
})

type Document = {
  data: { row: number; result: string; reason: { errors: { column: string; detail: string }[] } | null }[]
}

async function importMenu(
  home: Home,
  open: (target: Target) => Promise<Client>,
  name: string,
  flags: readonly string[],
) {
  const path = join(home.cwd, name)
  copyFileSync(join(CASE_FILES, name), path)
  let target: Target | undefined
  const openClient = (wanted: Target): Promise<Client> => open((target = wanted))
  const listItems = async () => {
    const client = target && (await open(target))
    const listed = await client?.call('list_catalog_items', { limit: 100 })
    await client?.close()
    return listed?.value.data ?? []
  }
  const ran = await runCommand(home, businessCatalogImport, [path, '--yes', '--json', ...flags], {
    openClient,
  })
  const rows = ran.error === undefined ? (ran.json() as Document).data : []
  return { ...ran, rows, items: await listItems() }
}

const ways = {
  async embedded(name: string, flags: readonly string[]) {
    using home = makeHome()
    return await importMenu(home, embeddedIn(home), name, flags)
  },
  async remote(name: string, flags: readonly string[]) {
    const account = await addServedAccount(served, { business: true })
    using home = makeHome({ DRAY_BASE_URL: served.url, DRAY_TOKEN: await served.token(account) })
    return await importMenu(home, remoteIn(home), name, flags)
  },
}

describe.each(Object.entries(ways))('%s', (_, load) => {
  test.each(Object.entries(MENUS))('%s', async (title, { flags = [], ...wanted }) => {
    const { made = {}, refused = {}, said = [] } = wanted
    const { code, rows, items, err, error } = await load(title.split(' ')[0] ?? '', flags)
    expect([code, error?.message ?? '']).toEqual([wanted.code, expect.stringContaining(wanted.whole ?? '')])
    const faults = rows.flatMap(({ row, reason }) =>
      (reason?.errors.slice(0, 1) ?? []).map(({ column, detail }) => [row, column, detail]),
    )
    expect(faults).toEqual(
      Object.entries(refused).map(([row, [column, part]]) => [
        Number(row),
        column,
        expect.stringContaining(part),
      ]),
    )
    expect(said.filter((part) => !err.includes(part))).toEqual([])
    const created = new Map(items.map((item) => [item.name, item]))
    for (const [name, [category, price, available, more = {}]] of Object.entries(made))
      expect(created.get(name)).toMatchObject({
        category: { name: category },
        price: gbp(price),
        effective_available: available,
        ...more,
      })
    expect(rows.filter(({ result }) => result === 'created')).toHaveLength(Object.keys(made).length)
  })
})
