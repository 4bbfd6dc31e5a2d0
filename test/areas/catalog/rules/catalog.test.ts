import { describe, expect, test } from 'vitest'
import {
  type ValidatedFields,
  countNewModifierIds,
  isItemAvailableAt,
  validateItem,
  type ModifierGroupRequest,
  type ItemKeys,
  makeMatcher,
  MAX_PRICE,
  toModifierGroups,
} from '../../../../src/areas/catalog/rules/catalog.ts'
import type { ModifierGroup } from '../../../../src/areas/catalog/rules/modifiers.ts'
import { gbp } from '../../../support/money.ts'

const eur = (amount: number) => ({ amount, currency: 'EUR' })

function group(over: Partial<ModifierGroupRequest> = {}): ModifierGroupRequest {
  return { name: 'Extras', modifiers: [{ name: 'Cheese' }, { name: 'Bacon' }], ...over }
}

function faultsOf(item: ValidatedFields, ownIds?: ReadonlySet<string>): string[] {
  return validateItem(item, 'GBP', ownIds).map(({ code, error }) => `${code} ${error.pointer} ${error.code}`)
}

const UNCOUNTED = {
  stock: null,
  restock: null,
  stock_day: null,
  schedule: null,
  category: { schedule: null },
}

describe('an item of a store that counts in pounds', () => {
  test('is valid with only the required members', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ price: gbp(0), cost: gbp(MAX_PRICE + 1), barcode: '5012345678900' })).toEqual([])
    expect(faultsOf({ price: gbp(MAX_PRICE), modifier_groups: [] })).toEqual([])
  })

  test.each<[string, ValidatedFields, string]>([
    ['in another currency', { price: eur(1) }, 'currency_mismatch /price/currency invalid_enum'],
    ['too dear', { price: gbp(MAX_PRICE + 1) }, 'invalid_request /price/amount out_of_range'],
    ['bought in another currency', { cost: eur(1) }, 'currency_mismatch /cost/currency invalid_enum'],
    ['with a barcode that is none', { barcode: '12' }, 'invalid_barcode /barcode invalid_format'],
    ['with a wrong check digit', { barcode: '5012345678901' }, 'invalid_barcode /barcode invalid_format'],
    [
      'on sale until',
      { available: true, unavailable_until: '2026-11-21T09:00:00Z' },
      'invalid_request /unavailable_until mutually_exclusive',
    ],
    [
      'with until alone',
      { unavailable_until: '2026-11-21T09:00:00Z' },
      'invalid_request /unavailable_until mutually_exclusive',
    ],
  ])('is refused %s', (_, item, expected) => {
    expect(faultsOf(item)).toEqual([expected])
  })

  test('gets all its faults reported at once', () => {
    expect(faultsOf({ price: eur(MAX_PRICE + 1), barcode: 'x' })).toHaveLength(3)
  })
})

describe('a modifier group', () => {
  test.each<[string, Partial<ModifierGroupRequest>]>([
    ['nothing about numbers', {}],
    ['at least one', { min_selections: 1 }],
    ['any number up to all', { min_selections: 0, max_selections: 2 }],
    ['no upper limit', { min_selections: 2, max_selections: null }],
    ['more than there are, with repeats', { min_selections: 3, max_selections: 6, allow_repeats: true }],
    ['as many defaults as are allowed', { max_selections: 1, modifiers: [{ name: 'A', is_default: true }] }],
  ])('may say %s', (_, over) => {
    expect(faultsOf({ modifier_groups: [group(over)] })).toEqual([])
  })

  test.each<[string, Partial<ModifierGroupRequest>, string]>([
    [
      'a minimum above the maximum',
      { min_selections: 2, max_selections: 1 },
      '/modifier_groups/0 out_of_range',
    ],
    ['a minimum above what there is', { min_selections: 3 }, '/modifier_groups/0 out_of_range'],
    ['a maximum above what there is', { max_selections: 3 }, '/modifier_groups/0 out_of_range'],
    [
      'more defaults than may be chosen',
      { max_selections: 1, modifiers: ['A', 'B'].map((name) => ({ name, is_default: true })) },
      '/modifier_groups/0 out_of_range',
    ],
    [
      'one name twice, however it is written',
      { modifiers: [{ name: 'Crème' }, { name: ' CREME ' }] },
      '/modifier_groups/0/modifiers/1/name mutually_exclusive',
    ],
    [
      'an extra that costs too much',
      { modifiers: [{ name: 'A', price_delta: gbp(MAX_PRICE + 1) }] },
      '/modifier_groups/0/modifiers/0/price_delta/amount out_of_range',
    ],
    [
      'the id of a group that is not of this item',
      { modifier_group_id: 'mgr_9' },
      '/modifier_groups/0/modifier_group_id invalid_enum',
    ],
    [
      'the id of a modifier that is not of this item',
      { modifiers: [{ name: 'A', modifier_id: 'mod_9' }] },
      '/modifier_groups/0/modifiers/0/modifier_id invalid_enum',
    ],
  ])('is refused with %s', (_, over, expected) => {
    expect(faultsOf({ modifier_groups: [group(over)] })).toEqual([`invalid_modifier_group ${expected}`])
  })

  test('is rejected in another currency than the store counts in', () => {
    const foreign = group({ modifiers: [{ name: 'A', price_delta: eur(1) }] })
    expect(faultsOf({ modifier_groups: [foreign] })).toEqual([
      'currency_mismatch /modifier_groups/0/modifiers/0/price_delta/currency invalid_enum',
    ])
  })

  test('is rejected with the name of another group of the item', () => {
    expect(faultsOf({ modifier_groups: [group(), group({ name: 'EXTRAS' })] })).toEqual([
      'invalid_modifier_group /modifier_groups/1/name mutually_exclusive',
    ])
  })

  test('keeps the ids that the item has, each once', () => {
    const own = new Set(['mgr_1', 'mod_1'])
    const modifiers = [{ name: 'A', modifier_id: 'mod_1' }]
    expect(faultsOf({ modifier_groups: [group({ modifier_group_id: 'mgr_1', modifiers })] }, own)).toEqual([])
    const twice = [group({ modifiers }), group({ name: 'Other', modifiers })]
    expect(faultsOf({ modifier_groups: twice }, own)).toEqual([
      'invalid_modifier_group /modifier_groups/1/modifiers/0/modifier_id mutually_exclusive',
    ])
  })

  test('gets defaults for missing members, and ids for new ones', () => {
    const requests = [
      group({ name: ' Extras ', modifier_group_id: 'mgr_1', max_selections: 2 }),
      group({
        name: 'Size',
        min_selections: 1,
        allow_repeats: true,
        modifiers: [
          { name: ' L ', modifier_id: 'mod_1', price_delta: gbp(50), available: false, is_default: true },
        ],
      }),
    ]
    expect(countNewModifierIds(requests)).toEqual({ groups: 1, modifiers: 2 })
    let made = 0
    const ids = { groupId: () => `new_mgr_${++made}`, modifierId: () => `new_mod_${++made}` }
    const plain = { price_delta: gbp(0), available: true, is_default: false }
    expect(toModifierGroups(requests, 'GBP', ids)).toEqual([
      {
        modifier_group_id: 'mgr_1',
        name: 'Extras',
        min_selections: 0,
        max_selections: 2,
        allow_repeats: false,
        modifiers: [
          { modifier_id: 'new_mod_1', name: 'Cheese', ...plain },
          { modifier_id: 'new_mod_2', name: 'Bacon', ...plain },
        ],
      },
      {
        modifier_group_id: 'new_mgr_3',
        name: 'Size',
        min_selections: 1,
        max_selections: null,
        allow_repeats: true,
        modifiers: [
          { modifier_id: 'mod_1', name: 'L', price_delta: gbp(50), available: false, is_default: true },
        ],
      },
    ])
  })
})

describe('whether an item can be had', () => {
  const choice = (min_selections: number, ...available: boolean[]): ModifierGroup => ({
    modifier_group_id: 'mgr_1',
    name: 'Size',
    min_selections,
    max_selections: null,
    allow_repeats: false,
    modifiers: available.map((each, index) => ({
      modifier_id: `mod_${index}`,
      name: `${index}`,
      price_delta: gbp(0),
      available: each,
      is_default: false,
    })),
  })

  test.each([
    ['on sale', true, null, [], true],
    ['off sale', false, null, [], false],
    ['off sale for longer', false, 1001, [], false],
    ['off sale until now', false, 1000, [], true],
    ['off sale until a moment ago', false, 999, [], true],
    ['on sale, one of what must be chosen left', true, null, [choice(1, false, true)], true],
    ['on sale, none of what must be chosen left', true, null, [choice(1, false, false)], false],
    ['on sale, none of what may be chosen left', true, null, [choice(0, false)], true],
    [
      'back on sale, none of what must be chosen left',
      false,
      999,
      [choice(0, true), choice(2, false)],
      false,
    ],
  ] as const)('%s', (_, available, unavailable_until, modifier_groups, expected) => {
    expect(
      isItemAvailableAt({ ...UNCOUNTED, available, unavailable_until, doc: { modifier_groups } }, 1000),
    ).toBe(expected)
  })
})

describe('an item of the store is found again', () => {
  type Known = ItemKeys & { id: string }
  const known = (id: string, over: Partial<ItemKeys> = {}): Known => ({
    id,
    external_ref: null,
    barcode: null,
    category_key: 'drinks',
    name_key: id,
    ...over,
  })
  const cola = known('cola', { external_ref: 'R1', barcode: 'B1' })
  const water = known('water', { barcode: 'B2' })
  const tea = known('tea')
  const matcher = makeMatcher([cola, water, tea])
  const find = (over: Partial<ItemKeys>) => {
    const match = matcher.find(known('new', over))
    return match && `${match.item.id} by ${match.by}`
  }

  test.each<[string, Partial<ItemKeys>, string | undefined]>([
    [
      'by its reference, whatever else differs',
      { external_ref: 'R1', barcode: 'B2', name_key: 'tea' },
      'cola by external_ref',
    ],
    ['by its barcode', { barcode: 'B2' }, 'water by barcode'],
    [
      'by its barcode though only one has a reference',
      { external_ref: 'R7', barcode: 'B2' },
      'water by barcode',
    ],
    ['not by a barcode of another reference', { external_ref: 'R7', barcode: 'B1' }, undefined],
    [
      'by its name, when the barcode is of another reference',
      { external_ref: 'R7', barcode: 'B1', name_key: 'tea' },
      'tea by name',
    ],
    ['by its name in the category', { name_key: 'tea' }, 'tea by name'],
    ['not by its name in another category', { name_key: 'tea', category_key: 'hot' }, undefined],
    ['not by nothing', {}, undefined],
  ])('%s', (_, over, expected) => {
    expect(find(over)).toBe(expected)
  })

  test('once it is added', () => {
    const growing = makeMatcher<Known>()
    expect(growing.find(tea)).toBeUndefined()
    growing.add(tea)
    expect(growing.find(tea)?.item).toBe(tea)
  })
})
