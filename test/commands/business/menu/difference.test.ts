import { describe, expect, test } from 'vitest'
import type { CatalogItem } from '../../../../src/client/list-store-items.ts'
import { compareMenu, refuseContradictions } from '../../../../src/commands/business/menu/difference.ts'
import type { MenuOutcome, MenuFileRow } from '../../../../src/commands/business/menu/draft.ts'
import { MENU_ROW_FIELDS, withMenuPrices } from '../../../../src/commands/business/menu/outcomes.ts'
import { formatMenuDifference, repriced } from '../../../../src/commands/business/menu/print.ts'
import { gatherOutcomes } from '../../../../src/tabular/import/outcomes.ts'
import { readMenu } from '../../../support/menus.ts'
import { gbp } from '../../../support/money.ts'
import { partialResponse } from '../../../support/part.ts'

function onMenu(name: string, amount: number, more: Partial<CatalogItem> = {}): CatalogItem {
  return partialResponse<CatalogItem>({
    item_id: `itm_${name}`,
    merchant_id: 'mer_1',
    name,
    description: null,
    price: gbp(amount),
    category: { category_id: 'cat_1', name: 'Soups', sort_order: 1 },
    modifier_groups: [],
    availability: { available: true, until: null, reason: null },
    dietary_tags: [],
    allergens: [],
    image_url: null,
    sort_order: 1,
    sku: null,
    external_ref: null,
    barcode: null,
    cost: null,
    stock: null,
    supplier_id: null,
    tax_rate_bps: null,
    version: 1,
    ...more,
  })
}

const results = (csv: string, catalogue: CatalogItem[]) =>
  compareMenu(readMenu(csv), catalogue).outcomes.map(({ result, reason }) => reason?.code ?? result)

describe('an item is there already', () => {
  test.each([
    ['by its reference, whatever its name', 'Pho,Noodles,8,R1,', 'already_exists'],
    ['by its barcode', 'Pho,Noodles,8,,5012345678900', 'already_exists'],
    ['by its name in its category, in any case and accent', 'LAKSÀ,soups,8,,', 'already_exists'],
    ['not by its name in another category', 'Laksa,Noodles,8,,', 'created'],
    ['not by its barcode when both have a reference', 'Pho,Noodles,8,R2,5012345678900', 'created'],
    ['by its category, named by its id', 'Laksa,cat_1,8,,', 'already_exists'],
  ])('%s', (_, line, result) => {
    const catalogue = [
      onMenu('Laksa', 900, { external_ref: 'R1' }),
      onMenu('Ban', 100, { barcode: '5012345678900', external_ref: 'R3' }),
      onMenu('Bun', 1, { barcode: '5012345678900' }),
    ]
    const known = line.includes('R2') ? catalogue.slice(0, 2) : catalogue
    expect(results(`name,category,price,external_ref,barcode\n${line}`, known)).toEqual([result])
  })

  test('when an earlier row of the file makes it', () => {
    const { outcomes, categories } = compareMenu(
      readMenu('name,category,price\nPho,Noodles,8\npho,NOODLES,9\nBun,Noodles,'),
      [],
    )
    expect(outcomes.map(({ result, reason }) => [result, reason?.code, reason?.duplicate_of_row])).toEqual([
      ['created', undefined, undefined],
      ['duplicate', 'duplicate_in_file', 2],
      ['rejected', 'invalid_row', undefined],
    ])
    expect(categories).toEqual(['Noodles'])
  })
})

describe('the difference in words', () => {
  test('says both prices of what it does not change', () => {
    const csv = 'name,category,price\nLaksa,Soups,12\nPho,Soups,8.50\nRamen,Noodles,11\nUdon,Noodles,x\n'
    expect(
      formatMenuDifference(compareMenu(readMenu(csv), [onMenu('Laksa', 1150), onMenu('Pho', 850)])),
    ).toBe(
      [
        '1 item is new.',
        '1 category will be created: Noodles.',
        '2 items are already on the menu; they keep their values and price.',
        'One price differs; without --update, an import never changes a price:',
        '  Laksa: £11.50 on the menu, £12.00 in the file',
        '1 row will not be sent:',
        '  price: "x" is not an amount; write it like 8.50, £8.50 or 8.50 GBP. (row 5)',
      ].join('\n'),
    )
  })

  test('of nothing new says so', () => {
    const text = formatMenuDifference(
      compareMenu(readMenu('name,category,price\nLaksa,Soups,9'), [onMenu('Laksa', 900)]),
    )
    expect(text).toBe(
      'Nothing in the file is new.\n1 item is already on the menu; it keeps its values and price.',
    )
  })
})

test('the import words the responses of the service in terms of the file', async () => {
  const file = readMenu(
    'Dish,category,price,VAT\nLaksa,Soups,9,20\nPho,Soups,8,\nBun,Soups,7,\nBan,Soups,,\nUdon,Soups,5,',
  )
  const good = file.rows.filter(({ draft }) => draft !== undefined)
  const results = [
    { row: 1, result: 'duplicate' as const, item_id: 'itm_Laksa', reason: { code: 'already_exists' } },
    { row: 2, result: 'created' as const, item_id: 'itm_new' },
    {
      row: 3,
      result: 'rejected' as const,
      reason: {
        code: 'invalid_row',
        errors: [{ pointer: '/tax_rate_bps', code: 'out_of_range', detail: 'too much' }],
      },
    },
  ]
  const gathered = gatherOutcomes<MenuFileRow, MenuOutcome>(MENU_ROW_FIELDS, file, [
    { rows: good.slice(0, 3), results },
  ])
  const outcomes = withMenuPrices(gathered, [onMenu('Laksa', 1150)])
  expect(outcomes).toMatchObject([
    { row: 2, result: 'duplicate', item_id: 'itm_Laksa', price: gbp(900), menu_price: gbp(1150) },
    { row: 3, result: 'created', item_id: 'itm_new' },
    { row: 4, result: 'rejected', reason: { errors: [{ column: 'VAT', detail: 'too much' }] } },
    { row: 5, result: 'rejected', reason: { errors: [{ column: 'price', code: 'required' }] } },
    { row: 6, result: 'not_sent' },
  ])
  expect(repriced(outcomes)).toContain('Laksa: £11.50 on the menu, £9.00 in the file')
  expect(file.results(outcomes).split('\r\n')).toEqual([
    '\uFEFFDish,category,price,VAT,row,result,item_id,menu_price,reason',
    'Laksa,Soups,9,20,2,duplicate,itm_Laksa,11.50,already_exists: Skipped: already on the menu.',
    'Pho,Soups,8,,3,created,itm_new,,',
    'Bun,Soups,7,,4,rejected,,,invalid_row: VAT: too much',
    'Ban,Soups,,,5,rejected,,,invalid_row: price is required.',
    'Udon,Soups,5,,6,not_sent,,,',
    '',
  ])
  expect(String(await file.errors(outcomes)).split('\r\n')[0]).toBe(
    '\uFEFFDish,category,price,VAT,_row,_column,_code,_message,_suggestion',
  )
})

test('a row that is rejected keeps its reference: no other row of it is created or changes the item', () => {
  const csv =
    'name,category,price,external_ref\nPho,Soups,x,S-1\nLaksa,Soups,9,S-1\nRamen,Soups,8,S-2\nUdon,Soups,7,S-3\nBun,Soups,y,S-3\n'
  const { rows } = refuseContradictions(readMenu(csv), [])
  expect(rows.map(({ draft, errors }) => draft?.name ?? errors[0]?.detail)).toEqual([
    expect.stringContaining('is not an amount'),
    'S-1 is also the reference of row 2, which is rejected. Correct that first, or give one of them its own reference.',
    'Ramen',
    'S-3 is also the reference of row 6, which is rejected. Correct that first, or give one of them its own reference.',
    expect.stringContaining('is not an amount'),
  ])
})
