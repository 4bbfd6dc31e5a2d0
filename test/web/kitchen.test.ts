import { expect, test } from 'vitest'
import { changeWords, type MenuChange } from '../../src/web/kitchen/change-words.ts'
import type { CatalogItem } from '../../src/web/kitchen/items.ts'
import { phraseOf, planOf } from '../../src/web/kitchen/plan.ts'
import { placeTestSale } from '../support/adjusting.ts'
import { findStore } from '../support/food.ts'
import { gbp } from '../support/money.ts'
import { performAction, FORNO } from '../support/order-life.ts'
import { openTestSandbox } from '../support/world.ts'

const SHUT = { available: false, until: null, reason: null }
const OPEN = { available: true, until: null, reason: null }

test.each<[string, Pick<MenuChange, 'change' | 'replaced' | 'values'>]>([
  ['created', { change: 'created', replaced: null, values: { price: gbp(340) } }],
  ['deleted', { change: 'deleted', replaced: {}, values: {} }],
  [
    'price £3.40 → £3.60, description',
    {
      change: 'updated',
      replaced: { price: gbp(340), description: null },
      values: { price: gbp(360), description: 'Hot' },
    },
  ],
  ['name, before Pho', { change: 'updated', replaced: { name: 'Pho' }, values: { name: 'Big Pho' } }],
  [
    'unavailable',
    { change: 'availability_changed', replaced: { availability: OPEN }, values: { availability: SHUT } },
  ],
  ['modifiers', { change: 'updated', replaced: { modifier_groups: [] }, values: { modifier_groups: [] } }],
])('a change of the menu reads: %s', (words, change) => {
  expect(changeWords(change)).toBe(words)
})

const TAKEN_OFF = { lineId: 'line_1', units: 1, swap: undefined }

test.each([
  ['refund', 'Take off 1 × Focaccia', '£4.45 goes back to the customer by card.'],
  ['cancel_order', /^Reject \w{4}$/, /the order is rejected, and £15\.11 goes back\.$/],
])(
  'what is taken off costs what the service gives back, where the customer said %s',
  async (wish, phrase, money) => {
    const world = await openTestSandbox()
    const { order_id } = await placeTestSale(world, { over: { substitutions: wish } })
    const order = await world.ok('get_business_order', { order_id })
    const plan = planOf(order, [], TAKEN_OFF)
    expect(phraseOf(order, plan)).toMatch(phrase)
    expect('words' in plan && plan.words.money).toMatch(money)
    expect(planOf(order, [], { ...TAKEN_OFF, lineId: undefined })).toEqual({
      why: 'Choose an item of the order.',
    })
  },
)

test('the last units are not taken off, and a customer is not asked about an order that is ready', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world, { over: { substitutions: 'ask' } })
  const { merchant_id } = await findStore(world, FORNO)
  const { data } = await world.ok('list_catalog_items', { merchant_id, q: 'Burrata' })
  const swap = { itemId: data[0]?.item_id ?? '', chosen: new Map() }
  const read = () => world.ok('get_business_order', { order_id })
  const plan = planOf(await read(), data, { ...TAKEN_OFF, swap })
  expect('words' in plan && plan.words.money).toMatch(/^The customer is asked first, for 5 minutes\./)
  expect(planOf(await read(), data as CatalogItem[], { ...TAKEN_OFF, units: 3 })).toMatchObject({
    why: expect.stringMatching(/^Nothing would be left of order/) as string,
    mayReject: true,
  })
  await performAction(world, order_id, ['accept', 'ready'])
  const late = {
    why: 'The order is ready: it is too late to ask the customer. Choose another item or take it off.',
  }
  expect(planOf(await read(), data, { ...TAKEN_OFF, swap })).toEqual(late)
})
