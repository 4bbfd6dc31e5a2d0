/** Screens of food orders, at three widths and without drawing: no line is wider than the terminal, no price is cut. */
import { describe, expect, test } from 'vitest'
import { foodOrderPresenter } from '../../../src/areas/food/presenter.ts'
import { billText } from '../../../src/cli/output/bill.ts'
import type { RenderOptions } from '../../../src/cli/output/render-options.ts'
import { changeLine, listTrackingChanges, renderTracking } from '../../../src/cli/track/journey.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { menuText } from '../../../src/commands/food/menu-text.ts'
import { presentResource } from '../../../src/core/presenter.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { gbp } from '../../support/money.ts'
import { partialResponse } from '../../support/part.ts'
import { makeRenderOptions, linesBeyond, WIDTHS } from '../../support/screens.ts'

type FoodOrder = OperationOutput<'get_food_order'>
type FoodQuote = OperationOutput<'quote_food_order'>
type Menu = OperationOutput<'get_restaurant_menu'>

const MENU = partialResponse<Menu>({
  merchant_id: 'mer_1',
  currency: 'GBP',
  categories: [
    {
      category_id: 'cat_1',
      name: 'Noodles',
      items: [
        {
          item_id: 'itm_1',
          name: 'Pad Thai',
          description: 'Flat rice noodles, tamarind, egg, beansprouts, crushed peanuts and lime.',
          price: gbp(1150),
          available: true,
          unavailable_until: null,
          dietary_tags: ['dairy_free'],
          allergens: ['eggs', 'peanuts'],
          modifier_groups: [
            {
              modifier_group_id: 'mgr_1',
              name: 'Protein',
              min_selections: 1,
              max_selections: 1,
              allow_repeats: false,
              modifiers: [
                {
                  modifier_id: 'mod_1',
                  name: 'Tofu',
                  price_delta: gbp(0),
                  available: true,
                  is_default: true,
                },
                {
                  modifier_id: 'mod_2',
                  name: 'Prawn',
                  price_delta: gbp(220),
                  available: false,
                  is_default: false,
                },
              ],
            },
          ],
        },
        {
          item_id: 'itm_2',
          name: 'Boat Noodle Soup of the Old Quarter',
          description: null,
          price: gbp(1225),
          available: false,
          unavailable_until: '2026-11-21T14:00:00.000Z',
          dietary_tags: [],
          allergens: [],
          modifier_groups: [],
        },
      ],
    },
  ],
})

const QUOTE = partialResponse<FoodQuote>({
  quote_id: 'quo_1',
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T12:15:00.000Z',
  expires_in_seconds: 900,
  merchant_name: 'Lime Street Noodles',
  fulfillment_type: 'delivery',
  lines: [
    {
      line_id: '1',
      item_id: 'itm_1',
      name: 'Pad Thai',
      quantity: 2,
      unit_price: gbp(1150),
      modifiers: [
        {
          modifier_id: 'mod_1',
          modifier_group_id: 'mgr_1',
          name: 'Chicken',
          quantity: 1,
          price_delta: gbp(80),
        },
      ],
      notes: 'no peanuts',
      total: gbp(2460),
    },
    {
      line_id: '2',
      item_id: 'itm_2',
      name: 'Boat Noodle Soup of the Old Quarter',
      quantity: 1,
      unit_price: gbp(395),
      modifiers: [],
      notes: null,
      total: gbp(395),
    },
  ],
  subtotal: gbp(2855),
  fees: [{ type: 'delivery_fee', label: 'Delivery', amount: gbp(299) }],
  fees_total: gbp(299),
  discounts: [{ type: 'member', label: 'Member discount', amount: gbp(286) }],
  discount_total: gbp(286),
  taxes: [{ name: 'VAT', rate_bps: 2000, taxable_amount: gbp(2868), amount: gbp(478), included: true }],
  tax_total: gbp(478),
  prices_include_tax: true,
  total: gbp(2868),
  dropoff: {
    address: { line1: '12 Finsbury Square', city: 'London', postal_code: 'EC2A 1AN', country_code: 'GB' },
  },
  table: null,
  slot: null,
  estimated_ready_at: '2026-11-20T12:15:00.000Z',
  estimated_delivery_window: { starts_at: '2026-11-20T12:21:00.000Z', ends_at: '2026-11-20T12:31:00.000Z' },
  warnings: [],
})

const ORDER = partialResponse<FoodOrder>({
  order_id: 'ord_1',
  display_number: 'K7QF',
  merchant: { name: 'Lime Street Noodles' },
  status: 'out_for_delivery',
  fulfillment_type: 'delivery',
  total: gbp(2868),
  payment: { method: 'card', status: 'paid', amount: gbp(2868) },
  refunds: [],
  problems: [],
  courier: {
    name: 'Priya N.',
    vehicle_type: 'bicycle',
    location: null,
    status: 'picked_up',
    eta_at: '2026-11-20T12:31:00.000Z',
  },
  status_history: [
    { status: 'placed', at: '2026-11-20T12:00:00.000Z', by: 'customer', reason: null },
    { status: 'accepted', at: '2026-11-20T12:01:00.000Z', by: 'store', reason: null },
    { status: 'ready', at: '2026-11-20T12:15:00.000Z', by: 'store', reason: null },
    { status: 'out_for_delivery', at: '2026-11-20T12:20:00.000Z', by: 'courier', reason: null },
  ],
  dropoff: null,
  slot: null,
  proof_of_delivery: null,
  refund: null,
  estimated_ready_at: '2026-11-20T12:15:00.000Z',
  estimated_delivery_at: '2026-11-20T12:31:00.000Z',
})
/** The same order while the courier can be seen. */
const SEEN = partialResponse<FoodOrder>({
  ...ORDER,
  merchant: {
    name: 'Lime Street Noodles',
    address: { line1: '8 Lime Street', city: 'London', postal_code: 'EC3M 7AA', country_code: 'GB' },
  },
  dropoff: { name: 'Tate Modern', location: { latitude: 51.5076, longitude: -0.0994 } },
  courier: { ...ORDER.courier, location: { latitude: 51.509, longitude: -0.09 } },
})
const NOW = Date.parse('2026-11-20T12:27:00Z')
const orderText = (order: FoodOrder, now: number, renderOptions: RenderOptions) =>
  renderTracking(presentResource(foodOrderPresenter, order, NOW), now, renderOptions)

const quoteText = (quote: OperationOutput<'quote_food_order'>, renderOptions: RenderOptions) =>
  billText(foodOrderPresenter.price(quote, null), renderOptions)

describe.each(WIDTHS)('at %i columns', (columns) => {
  const screens = {
    menu: menuText(MENU, 'Lime Street Noodles', makeRenderOptions(columns)),
    bill: quoteText(QUOTE, makeRenderOptions(columns)),
    order: orderText(ORDER, NOW, makeRenderOptions(columns)),
    map: orderText(SEEN, NOW, makeRenderOptions(columns)),
  }

  test.each(Object.entries(screens))('the %s fits', (_, screen) => {
    expect(linesBeyond(columns, screen)).toEqual([])
  })

  test('every price is at the end of its line', () => {
    expect(screens.menu).toMatch(/Pad Thai +£11\.50$/m)
    expect(screens.menu).toMatch(/ £12\.25$/m)
    expect(screens.bill).toMatch(/^2 × Pad Thai +£24\.60$/m)
    expect(screens.bill).toMatch(/^Member discount +-£2\.86$/m)
    expect(screens.bill).toMatch(/^Total +£28\.68$/m)
  })

  test('sold out items are marked, with the time of their return', () => {
    expect(screens.menu.replaceAll(/\s+/g, ' ')).toContain('available from 21 Nov 2026 14:00 GMT')
    expect(screens.menu.replaceAll(/\s+/g, ' ')).toContain('Protein, choose 1: Tofu, Prawn +£2.20 (sold out)')
  })
})

test('the bill says how it comes, and what was chosen', () => {
  const bill = quoteText(QUOTE, makeRenderOptions(80))
  expect(bill.replaceAll('\n', ' ')).toContain(
    'Delivery to 12 Finsbury Square, London EC2A 1AN, GB, between 12:21 and 12:31',
  )
  expect(bill).toContain('    Chicken +£0.80, “no peanuts”')
  expect(bill).toMatch(/ {2}of which VAT 20% +£4\.78$/m)
  const pickup = quoteText(
    { ...QUOTE, fulfillment_type: 'pickup', estimated_delivery_window: null },
    makeRenderOptions(80),
  )
  expect(pickup).toContain('Pickup, ready about 12:15')
  const table = { table_number: '7', party_size: 2 }
  const slot = { starts_at: '2026-11-21T19:00:00.000Z', ends_at: '2026-11-21T19:15:00.000Z' }
  const dineIn = quoteText({ ...QUOTE, fulfillment_type: 'dine_in', table, slot }, makeRenderOptions(80))
  expect(dineIn).toContain('Table 7 for 2, for 21 Nov 2026 19:00')
})

test('tax that is added is added before the total', () => {
  const taxes = QUOTE.taxes.map((tax) => ({ ...tax, included: false }))
  expect(quoteText({ ...QUOTE, taxes }, makeRenderOptions(80))).toMatch(/VAT 20% +£4\.78\nTotal/)
})

test('the order shows what has happened, what comes, and who brings it when', () => {
  expect(orderText(ORDER, NOW, makeRenderOptions(80))).toBe(`Lime Street Noodles, order K7QF, £28.68

✔ Placed           12:00
✔ Accepted         12:01
✔ Ready            12:15
● On its way       12:20
○ Delivered        about 12:31

Courier: Priya N., bicycle
Arrives about 12:31, in 4 minutes`)
})

test('the courier of an order is on a map with the river, the store and the door', () => {
  const screen = orderText(SEEN, NOW, makeRenderOptions(80))
  expect(screen).toMatch(/│.*·←.*│/)
  expect(screen).toMatch(/~~~/)
  expect(screen).toMatch(
    /└─ ~ the Thames ─.*┘\nA Lime Street Noodles   B Tate Modern\n← Priya N\., \d+ m from B$/,
  )
  const waiting = { ...SEEN, courier: { ...SEEN.courier, status: 'assigned' } } as FoodOrder
  expect(orderText(waiting, NOW, makeRenderOptions(80))).toMatch(/Priya N\., [\d.]+ k?m from A$/)
  expect(orderText(SEEN, NOW, makeRenderOptions(80, { accessible: true }))).not.toMatch(/[│~]/)
})

test('an order that was rejected shows why, what is paid back, and nothing to come', () => {
  const rejected = partialResponse<FoodOrder>({
    ...ORDER,
    status: 'rejected',
    courier: null,
    status_history: [
      ...ORDER.status_history.slice(0, 1),
      { status: 'rejected', at: '2026-11-20T12:03:00.000Z', by: 'store', reason: 'too_busy' },
    ],
    refund: { status: 'succeeded', amount: gbp(2868), destination: 'platform_wallet' },
    refunds: [{ status: 'succeeded', amount: gbp(2868), destination: 'platform_wallet' }],
  })
  const screen = orderText(rejected, NOW, makeRenderOptions(80))
  expect(screen).toContain('● Not accepted by the store 12:03  The store is too busy.')
  expect(screen).toContain('Refund of £28.68 to platform wallet: succeeded')
  expect(screen).not.toContain('○')
})

test('changes are one line each, and a courier is news once', () => {
  const first = listTrackingChanges(
    presentResource(foodOrderPresenter, ORDER, NOW),
    2,
    null,
    '2026-11-20T12:27:00.000Z',
  )
  expect(first.map((change) => changeLine(change, { ...makeRenderOptions(80), tty: false }))).toEqual([
    '2026-11-20T12:15:00.000+00:00\tready\tby store',
    '2026-11-20T12:20:00.000+00:00\tout_for_delivery\tby courier',
    '2026-11-20T12:27:00.000+00:00\tPriya N., bicycle\tcourier',
  ])
  expect(
    listTrackingChanges(
      presentResource(foodOrderPresenter, ORDER, NOW),
      4,
      'Priya N., bicycle',
      '2026-11-20T12:27:00.000Z',
    ),
  ).toEqual([])
})

test('without drawing there are no lines, dots or gaps', () => {
  const renderOptions = makeRenderOptions(80, { accessible: true })
  expect(quoteText(QUOTE, renderOptions)).toContain('Total: £28.68')
  expect(quoteText(QUOTE, renderOptions)).not.toMatch(/─| {5}/)
  expect(menuText(MENU, undefined, renderOptions)).toContain('  Pad Thai, £11.50')
})

test.each(HOSTILE)('names from elsewhere cannot draw: %j', (hostile) => {
  const menu = partialResponse<Menu>({
    ...MENU,
    categories: MENU.categories.map((section) => ({
      ...section,
      name: hostile,
      items: section.items.map((item) => ({ ...item, name: hostile, description: hostile })),
    })),
  })
  const lines = QUOTE.lines.map((line) => ({ ...line, name: hostile, notes: hostile }))
  for (const screen of [
    menuText(menu, hostile, makeRenderOptions(80)),
    quoteText({ ...QUOTE, merchant_name: hostile, lines }, makeRenderOptions(80)),
    orderText(
      { ...ORDER, ...partialResponse<FoodOrder>({ merchant: { name: hostile } }) },
      NOW,
      makeRenderOptions(80),
    ),
  ]) {
    expect(screen).not.toMatch(FORBIDDEN)
  }
})
