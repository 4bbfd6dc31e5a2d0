import { describe, expect, test } from 'vitest'
import {
  resolveQuoteItems,
  type Menu,
  type MenuItem,
  readItem,
  formatRequestedItem,
} from '../../src/commands/items.ts'
import { catchError } from '../support/caught.ts'
import { gbp } from '../support/money.ts'
import { partialResponse } from '../support/part.ts'

function makeGroup(name: string, min: number, max: number | null, ...names: string[]) {
  return {
    modifier_group_id: `mgr_${name}`,
    name,
    min_selections: min,
    max_selections: max,
    allow_repeats: false,
    modifiers: names.map((each) => ({
      modifier_id: `mod_${name}_${each.replace('*', '')}`,
      name: each.replace('*', ''),
      price_delta: gbp(0),
      available: true,
      is_default: each.startsWith('*'),
    })),
  }
}

function makeItem(name: string, modifier_groups: MenuItem['modifier_groups'] = []): MenuItem {
  return {
    item_id: `itm_${name}`,
    name,
    description: null,
    price: gbp(1000),
    available: true,
    unavailable_until: null,
    image_url: null,
    dietary_tags: [],
    allergens: [],
    modifier_groups,
  }
}

const MENU = partialResponse<Menu>({
  merchant_id: 'mer_1',
  currency: 'GBP',
  categories: [
    {
      category_id: 'cat_1',
      name: 'All',
      items: [
        makeItem('Pad Thai', [
          makeGroup('Protein', 1, 1, '*Tofu', 'Chicken'),
          makeGroup('Spice', 1, 1, 'Mild', '*Hot'),
          makeGroup('Side', 0, 2, 'Tofu', 'Egg'),
        ]),
        makeItem('Gỏi Cuốn'),
        makeItem('Pad See Ew'),
        makeItem('Pad'),
      ],
    },
  ],
})

describe('a typed item', () => {
  test.each([
    ['Pad Thai', { item: 'Pad Thai', quantity: 1, modifiers: [], notes: undefined }],
    ['Pad Thai x2', { item: 'Pad Thai', quantity: 2, modifiers: [], notes: undefined }],
    ['2 x Pad Thai', { item: 'Pad Thai', quantity: 2, modifiers: [], notes: undefined }],
    ['3× Pad Thai', { item: 'Pad Thai', quantity: 3, modifiers: [], notes: undefined }],
    [
      'Pad Thai x2 + Chicken + Egg x2 # no peanuts, please',
      {
        item: 'Pad Thai',
        quantity: 2,
        modifiers: [
          { modifier: 'Chicken', quantity: 1 },
          { modifier: 'Egg', quantity: 2 },
        ],
        notes: 'no peanuts, please',
      },
    ],
    ['Mix xl', { item: 'Mix xl', quantity: 1, modifiers: [], notes: undefined }],
  ])('%s', (typed, wanted) => {
    expect(readItem(typed)).toEqual(wanted)
    expect(readItem(formatRequestedItem(readItem(typed)))).toEqual(wanted)
  })
})

describe('an item of the menu', () => {
  const find = (...typed: string[]) => resolveQuoteItems(MENU, typed.map(readItem))

  test('goes by its name, without accents or capitals, by a part of it, or by its id', () => {
    for (const typed of ['gỏi cuốn', 'goi cuon', 'CUON', 'itm_Gỏi Cuốn']) {
      expect(find(typed)).toEqual([{ item_id: 'itm_Gỏi Cuốn', quantity: 1, modifiers: [] }])
    }
    expect(find('pad')).toMatchObject([{ item_id: 'itm_Pad' }])
    expect(find('thai')).toMatchObject([{ item_id: 'itm_Pad Thai' }])
  })

  test('has the choices that were typed; the service takes the default of a required one', () => {
    expect(find('Pad Thai')).toMatchObject([{ modifiers: [] }])
    expect(find('Pad Thai + chicken + Mild + egg x2')).toMatchObject([
      {
        modifiers: [
          { modifier_id: 'mod_Protein_Chicken', quantity: 1 },
          { modifier_id: 'mod_Spice_Mild', quantity: 1 },
          { modifier_id: 'mod_Side_Egg', quantity: 2 },
        ],
      },
    ])
  })

  test('tells choices of two groups apart by the group', () => {
    expect(find('Pad Thai + Side: Tofu')[0]?.modifiers).toContainEqual({
      modifier_id: 'mod_Side_Tofu',
      quantity: 1,
    })
  })

  test('is reported with all others at once if it is missing or ambiguous', () => {
    const error = catchError(() => find('Sushi', 'Pad T + Tofu', 'ad', 'Pad See + Wasabi'))
    expect(error).toMatchObject({ code: 'usage', hint: '`dray food menu mer_1` shows it.' })
    expect(error.errors.map(({ detail }) => detail)).toEqual([
      '"Sushi" is not on the menu',
      '"Tofu" may be Tofu, Tofu',
      '"ad" may be Pad Thai, Pad See Ew, Pad',
      '"Wasabi" is not among the options of Pad See Ew',
    ])
  })

  test('gets a suggestion if it is misspelt', () => {
    expect(catchError(() => find('Pad Se Ew')).errors[0]?.detail).toBe(
      '"Pad Se Ew" is not on the menu; did you mean Pad See Ew?',
    )
  })
})
