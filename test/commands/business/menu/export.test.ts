import { describe, expect, test } from 'vitest'
import type { CatalogItem } from '../../../../src/client/list-store-items.ts'
import { serializeMenuCsv, serializeMenuJson } from '../../../../src/commands/business/menu/export.ts'
import { checkJsonItems, readJsonItems } from '../../../../src/commands/business/menu/json-menu.ts'
import { readTable } from '../../../../src/tabular/csv/read.ts'
import { draftsOf, readMenu } from '../../../support/menus.ts'
import { gbp } from '../../../support/money.ts'
import { partialResponse } from '../../../support/part.ts'

const LAKSA = partialResponse<CatalogItem>({
  item_id: 'itm_1',
  merchant_id: 'mer_1',
  name: '=Laksa',
  description: '+1 chilli',
  price: gbp(1205),
  category: { category_id: 'cat_1', name: 'Soups', sort_order: 3 },
  modifier_groups: [
    {
      modifier_group_id: 'mgr_1',
      name: 'Size',
      min_selections: 1,
      max_selections: null,
      allow_repeats: true,
      modifiers: [
        { modifier_id: 'mod_1', name: 'Small', price_delta: gbp(0), available: false, is_default: false },
        { modifier_id: 'mod_2', name: 'Large', price_delta: gbp(250), available: true, is_default: true },
      ],
    },
  ],
  availability: { available: false, until: '2026-11-21T18:00:00.000Z', reason: 'sold_out' },
  dietary_tags: ['a|b', 'c;d'],
  allergens: [],
  image_url: null,
  sort_order: 7,
  sku: '-1',
  external_ref: "'=x",
  barcode: '0012345678905',
  cost: null,
  stock: 0,
  supplier_id: null,
  tax_rate_bps: 1,
  version: 1,
})

const DRAFT = {
  name: '=Laksa',
  category: 'Soups',
  price: gbp(1205),
  description: '+1 chilli',
  modifier_groups: [
    {
      name: 'Size',
      min_selections: 1,
      max_selections: null,
      allow_repeats: true,
      modifiers: [
        { name: 'Small', price_delta: gbp(0), available: false, is_default: false },
        { name: 'Large', price_delta: gbp(250), available: true, is_default: true },
      ],
    },
  ],
  available: false,
  unavailable_until: '2026-11-21T18:00:00.000Z',
  unavailable_reason: 'sold_out',
  dietary_tags: ['a|b', 'c;d'],
  sku: '-1',
  external_ref: "'=x",
  barcode: '0012345678905',
  stock: 0,
  tax_rate_bps: 1,
  sort_order: 7,
  category_sort: 3,
}

describe('an exported item', () => {
  test('is read back as it was, from CSV and from JSON', async () => {
    expect(draftsOf(readMenu(serializeMenuCsv([LAKSA])))).toEqual([DRAFT])
    expect(
      draftsOf(
        await checkJsonItems(
          readJsonItems(serializeMenuJson([LAKSA])),
          { assumed: 'GBP', store: undefined },
          undefined,
        ),
      ),
    ).toEqual([{ ...DRAFT, allergens: [] }])
  })

  test('starts no formula in a spreadsheet', () => {
    const [row] = readTable(serializeMenuCsv([LAKSA])).rows
    expect(row?.cells).toEqual(
      expect.arrayContaining(["'=Laksa", "'+1 chilli", "'-1", "''=x", "'0012345678905", '12.05']),
    )
  })

  test('to standard output has a guard only where a formula would start, and is read back as it was, too', () => {
    const plain = serializeMenuCsv([{ ...LAKSA, external_ref: "'7" }], 'stdout')
    expect(plain).toContain(",-1,'0012345678905,".replace(/-1,'/, "'-1,"))
    expect(plain).toContain(",''7,")
    expect(draftsOf(readMenu(plain))).toEqual([{ ...DRAFT, external_ref: "'7" }])
  })

  test('of another currency keeps its decimals', () => {
    const dinar = { ...LAKSA, price: { amount: 1205, currency: 'KWD' }, modifier_groups: [] }
    expect(serializeMenuCsv([dinar])).toContain(',1.205,')
    expect(draftsOf(readMenu(serializeMenuCsv([dinar]), {}, 'KWD'))[0]?.price).toEqual(dinar.price)
  })
})

test('an export that lost its last column in a spreadsheet is still a menu', () => {
  const lines = serializeMenuCsv([{ ...LAKSA, name: 'Laksa', external_ref: '2-Jan' }]).split('\r\n')
  const cut = lines.map((line) => line.replace(/,[^,]*$/, '')).join('\n')
  expect(draftsOf(readMenu(cut))).toMatchObject([{ name: 'Laksa', external_ref: '2-Jan' }])
})
