/** A new price that moves by more than half is probably a typing error. */
import { describe, expect, test } from 'vitest'
import {
  listItemChanges,
  type ItemNow,
  type ItemWanted,
} from '../../../../src/areas/catalog/rules/item-changes.ts'
import { gbp } from '../../../support/money.ts'

function itemOf(amount: number, delta: number): ItemNow {
  const pot = { modifier_id: 'mod_1', name: 'Pot', price_delta: gbp(delta), available: true }
  const size = {
    modifier_group_id: 'grp_1',
    name: 'Size',
    min_selections: 1,
    max_selections: 1,
    modifiers: [pot],
  }
  return {
    name: 'Tea',
    description: null,
    price: gbp(amount),
    category: { category_id: 'cat_1', name: 'Drinks' },
    modifier_groups: [size],
  } as unknown as ItemNow
}

/** Returns whether each price that changes is a steep one. */
function steepOf(item: ItemNow, wanted: ItemWanted): (boolean | string)[] {
  return listItemChanges(item, wanted).flatMap(({ field, steep, to }) =>
    typeof to === 'object' ? [field, steep] : [],
  )
}

describe('the price of an item', () => {
  test.each([
    [1000, 500, false],
    [1000, 499, true],
    [1000, 1500, false],
    [1000, 1501, true],
    [5, 3, false],
    [5, 2, true],
    [5, 7, false],
    [5, 8, true],
    [1, 0, true],
    // A free item has no price to be half of.
    [0, 1, true],
  ])('of %i that becomes %i: steep is %s', (from, to, steep) => {
    expect(steepOf(itemOf(from, 100), { price: gbp(to) })).toEqual(['price', steep])
  })

  test('that stays is no change', () => {
    expect(listItemChanges(itemOf(1000, 100), { price: gbp(1000) })).toEqual([])
  })
})

describe('the price of a choice', () => {
  const to = (delta: number): ItemWanted => ({
    modifier_groups: [
      {
        name: 'Size',
        min_selections: 1,
        max_selections: 1,
        modifiers: [{ name: 'Pot', price_delta: gbp(delta) }],
      },
    ],
  })

  test.each([
    [200, 100, false],
    [200, 99, true],
    [200, 300, false],
    [200, 301, true],
    // A free one is compared with the item.
    [0, 500, false],
    [0, 501, true],
  ])('of an item of 1000, from %i to %i: steep is %s', (from, delta, steep) => {
    expect(steepOf(itemOf(1000, from), to(delta))).toEqual(['Size: Pot', steep])
  })
})
