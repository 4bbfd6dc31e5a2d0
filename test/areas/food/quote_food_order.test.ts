import { beforeAll, describe, expect, test } from 'vitest'
import type { ItemRecord } from '../../../src/areas/catalog/queries/catalog.ts'
import {
  CARD,
  changeStore,
  findStore,
  makeBasketLine,
  makeBasket,
  makePickup,
  NEAR,
  newKey,
} from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

/** Returns a modifier of an item by its name. */
function choiceOf({ doc }: ItemRecord, name: string): { modifier_id: string } {
  const found = doc.modifier_groups.flatMap(({ modifiers }) => modifiers).find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return { modifier_id: found.modifier_id }
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeAll(async () => {
    world = await openTestSandbox({ engine })
  })

  async function worked(over: Record<string, unknown> = {}) {
    const store = await findStore(world)
    const padThai = store.item('Pad Thai')
    const modifiers = [choiceOf(padThai, 'Chicken'), choiceOf(padThai, 'Hot')]
    return makeBasket(world, {
      items: [
        { item_id: padThai.item_id, quantity: 2, modifiers, notes: 'no peanuts' },
        makeBasketLine(store.item('Summer Rolls')),
      ],
      ...over,
    })
  }

  test('prices the basket of the rules for a member', async () => {
    const quote = await world.ok('quote_food_order', await worked(), { as: 'member' })
    expect(quote).toMatchObject({
      kind: 'food',
      status: 'open',
      created_at: '2026-11-20T09:00:00.000Z',
      expires_at: '2026-11-20T09:15:00.000Z',
      expires_in_seconds: 900,
      merchant_name: 'Lime Street Noodles',
      lines: [
        {
          name: 'Pad Thai',
          quantity: 2,
          unit_price: gbp(1150),
          modifiers: [{ name: 'Chicken', price_delta: gbp(80), quantity: 1 }, { name: 'Hot' }],
          notes: 'no peanuts',
          total: gbp(2460),
        },
        { name: 'Summer Rolls', total: gbp(395) },
      ],
      subtotal: gbp(2855),
      fees_total: gbp(449),
      discount_total: gbp(286),
      tax_total: gbp(503),
      total: gbp(3018),
      estimated_ready_at: '2026-11-20T09:15:00.000Z',
      slot: null,
      warnings: [],
    })
    expect(quote.quote_id).toMatch(/^quo_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  })

  test('adds the tax where prices come without', async () => {
    const { merchant_id } = await findStore(world)
    await changeStore(world, merchant_id, { prices_include_tax: false })
    const quote = await world.ok('quote_food_order', await worked(), { as: 'member' })
    await changeStore(world, merchant_id, { prices_include_tax: true })
    expect(quote).toMatchObject({
      prices_include_tax: false,
      taxes: [{ rate_bps: 2000, taxable_amount: gbp(3018), amount: gbp(604), included: false }],
      tax_total: gbp(604),
      total: gbp(3622),
    })
  })

  test('charges VAT on the fees of a store even if its goods carry none', async () => {
    const store = await findStore(world, 'Goosefoot Grocer Spitalfields')
    const items = [makeBasketLine(store.item('Sourdough Loaf'), 3)]
    const quote = await world.ok(
      'quote_food_order',
      await makeBasket(world, { merchant_id: store.merchant_id, items }),
    )
    // 199 for the delivery and 99 for the service; the member's discount of 126 comes off the bread.
    expect(quote.fees_total).toEqual(gbp(298))
    expect(quote.taxes).toEqual([
      { name: 'VAT', rate_bps: 2000, taxable_amount: gbp(248), amount: gbp(50), included: true },
      { name: 'VAT', rate_bps: 0, taxable_amount: gbp(1134), amount: gbp(0), included: true },
    ])
    expect(quote.total).toEqual(gbp(1260 + 298 - 126))
  })

  test('prices the same without a membership but without its discount, and says so', async () => {
    const quote = await world.ok('quote_food_order', await worked(), { as: 'guest' })
    expect(quote).toMatchObject({ discounts: [], total: gbp(3304) })
    expect(quote.warnings).toEqual(['Placing this order needs an active membership.'])
  })

  test('gives no discount after the membership ended', async () => {
    expect((await world.ok('quote_food_order', await worked(), { as: 'lapsed' })).total).toEqual(gbp(3304))
  })

  test('charges no courier for pickup', async () => {
    const quote = await world.ok('quote_food_order', await makePickup(world))
    expect(quote.fees.map(({ type }) => type)).toEqual(['service_fee'])
    expect(quote).toMatchObject({ dropoff: null, estimated_delivery_window: null })
  })

  test('adds a tip without tax', async () => {
    const plain = await world.ok('quote_food_order', await worked())
    const tipped = await world.ok('quote_food_order', await worked({ tip: gbp(200) }))
    expect(tipped.fees.at(-1)).toMatchObject({ type: 'courier_tip', amount: gbp(200) })
    expect(tipped.total.amount).toBe(plain.total.amount + 200)
    expect(tipped.tax_total).toEqual(plain.tax_total)
  })

  test('takes a tip of 100 and no more, or as much as the order costs', async () => {
    const { subtotal } = await world.ok('quote_food_order', await worked({ tip: gbp(10_000) }))
    expect(subtotal.amount).toBeLessThan(10_000)
    expect(await world.refused('quote_food_order', await worked({ tip: gbp(10_001) }))).toMatchObject({
      code: 'amount_too_large',
      limit: 10_000,
      errors: [{ pointer: '/tip', code: 'out_of_range' }],
    })
  })

  test('finds the point of an address and says where that is', async () => {
    const address = {
      line1: '1 Leadenhall Street',
      city: 'London',
      postal_code: 'EC3V 1AB',
      country_code: 'GB',
    }
    const { dropoff } = await world.ok('quote_food_order', await worked({ dropoff: { address } }))
    expect(dropoff).toMatchObject({ address, location: { latitude: expect.any(Number) } })
  })

  test('adds a fee below the minimum where the store takes small orders, and warns', async () => {
    const store = await findStore(world, 'Forno Santa Rosa')
    const quote = await world.ok(
      'quote_food_order',
      await makeBasket(world, {
        merchant_id: store.merchant_id,
        items: [makeBasketLine(store.item('Focaccia'))],
      }),
    )
    expect(quote.fees.map(({ type }) => type)).toContain('small_order_fee')
    expect(quote.warnings).toEqual(['Below £12.00 a small order fee of £1.50 is charged.'])
  })

  test('books a table and the time for later, without taking either', async () => {
    const store = await findStore(world, 'Kettle & Cumin')
    const basket = {
      merchant_id: store.merchant_id,
      fulfillment_type: 'dine_in',
      items: [makeBasketLine(store.items.find(({ available }) => available) ?? store.item('nothing'))],
      table: { table_number: 'A2', party_size: 4 },
      scheduled_for: '2026-11-20T20:15:00+01:00',
    }
    for (const _ of [1, 2]) {
      expect(await world.ok('quote_food_order', basket)).toMatchObject({
        table: { table_number: 'A2', party_size: 4 },
        slot: { starts_at: '2026-11-20T19:15:00.000Z', ends_at: '2026-11-20T19:30:00.000Z' },
        estimated_ready_at: '2026-11-20T19:15:00.000Z',
      })
    }
  })

  test('arrives in its slot when it is scheduled', async () => {
    const quote = await world.ok(
      'quote_food_order',
      await worked({ scheduled_for: '2026-11-20T18:30:00Z', dropoff: NEAR }),
    )
    expect(quote.estimated_delivery_window?.starts_at).toBe('2026-11-20T18:30:00.000Z')
    expect(Date.parse(quote.estimated_ready_at)).toBeLessThan(Date.parse('2026-11-20T18:30:00Z'))
  })

  test('lets a closed store take orders for later only', async () => {
    const store = await findStore(world, 'Quán Sen')
    const basket = {
      merchant_id: store.merchant_id,
      fulfillment_type: 'pickup',
      items: [makeBasketLine(store.items.find(({ available }) => available) ?? store.item('nothing'))],
    }
    expect(await world.refused('quote_food_order', basket)).toMatchObject({
      status: 409,
      code: 'merchant_closed',
      retryable: true,
    })
    await world.ok('quote_food_order', { ...basket, scheduled_for: '2026-11-20T12:30:00Z' })
    const between = await world.refused('quote_food_order', {
      ...basket,
      scheduled_for: '2026-11-20T14:45:00Z',
      items: [...basket.items, { item_id: 'itm_none', quantity: 1 }],
    })
    expect(between.code).toBe('item_not_found')
    const shut = await world.refused('quote_food_order', { ...basket, scheduled_for: '2026-11-20T16:00:00Z' })
    expect(shut).toMatchObject({
      code: 'slot_unavailable',
      alternatives: ['2026-11-20T17:30:00.000Z', '2026-11-20T17:45:00.000Z', '2026-11-20T18:00:00.000Z'],
    })
  })

  test('rejects a store that has paused', async () => {
    const store = await findStore(world, 'Casa Marigold')
    const items = [makeBasketLine(store.items.find(({ available }) => available) ?? store.item('nothing'))]
    const problem = await world.refused(
      'quote_food_order',
      await makeBasket(world, { merchant_id: store.merchant_id, items }),
    )
    expect(problem.code).toBe('merchant_closed')
  })

  test('names everything that is sold out', async () => {
    const store = await findStore(world)
    const soup = store.item('Boat Noodle Soup')
    const problem = await world.refused(
      'quote_food_order',
      await makeBasket(world, {
        items: [makeBasketLine(soup), makeBasketLine(soup), makeBasketLine(store.item('Corn Fritters'))],
      }),
    )
    expect(problem).toMatchObject({
      status: 409,
      code: 'item_unavailable',
      item_ids: [soup.item_id],
      detail: 'Boat Noodle Soup is not available now. Available from 2026-11-21 11:00 local time.',
    })
  })

  test('may contain an item that is available again by its date', async () => {
    const later = await openTestSandbox({ engine })
    await later.advanceTo('2026-11-21T11:00:00Z')
    const soup = (await findStore(later)).item('Boat Noodle Soup')
    const { lines } = await later.ok(
      'quote_food_order',
      await makeBasket(later, { items: [makeBasketLine(soup)] }),
    )
    expect(lines).toMatchObject([{ name: 'Boat Noodle Soup' }])
  })

  test('takes the default of a required choice that a line leaves out, at its price', async () => {
    const own = await openTestSandbox({ engine })
    const size = (over: object) => ({
      name: 'Size',
      min_selections: 1,
      max_selections: 1,
      modifiers: [
        { name: 'Small', price_delta: gbp(0) },
        { name: 'Large', price_delta: gbp(150), is_default: true },
      ],
      ...over,
    })
    const make = async (name: string, groups: object[]) =>
      own.ok('create_catalog_item', { name, category: 'Soups', price: gbp(900), modifier_groups: groups })
    const quote = (item: { item_id: string; merchant_id: string }, modifiers?: object[]) => {
      const line = { item_id: item.item_id, quantity: 2, ...(modifiers && { modifiers }) }
      return { merchant_id: item.merchant_id, fulfillment_type: 'pickup', items: [line] }
    }
    const laksa = await make('Laksa', [size({})])
    const [small] = laksa.modifier_groups[0]?.modifiers ?? []
    for (const none of [undefined, []])
      expect(await own.ok('quote_food_order', quote(laksa, none))).toMatchObject({
        lines: [{ modifiers: [{ name: 'Large', quantity: 1 }], total: gbp(2100) }],
        subtotal: gbp(2100),
      })
    const chosen = await own.ok('quote_food_order', quote(laksa, [{ modifier_id: small?.modifier_id }]))
    expect(chosen).toMatchObject({ lines: [{ modifiers: [{ name: 'Small' }] }], subtotal: gbp(1800) })

    // A choice that is not required, has no default, or whose default is sold out, is made for nobody.
    const optional = await make('Ramen', [size({ min_selections: 0 })])
    expect(await own.ok('quote_food_order', quote(optional))).toMatchObject({ lines: [{ modifiers: [] }] })
    const sizes = [{ name: 'Small' }, { name: 'Large', is_default: true, available: false }]
    for (const [name, modifiers] of [
      ['Pho', [{ name: 'Small' }]],
      ['Udon', sizes],
    ] as const)
      expect(
        await own.refused('quote_food_order', quote(await make(name, [size({ modifiers })]))),
      ).toMatchObject({ code: 'invalid_modifier_selection', errors: [{ code: 'min_selections' }] })
  })

  test('reports for each wrong selection which, where and why', async () => {
    const store = await findStore(world)
    const padThai = store.item('Pad Thai')
    const problem = await world.refused(
      'quote_food_order',
      await makeBasket(world, {
        items: [
          makeBasketLine(store.item('Corn Fritters'), 3),
          {
            item_id: padThai.item_id,
            quantity: 1,
            modifiers: [
              choiceOf(padThai, 'Hot'),
              choiceOf(padThai, 'Mild'),
              choiceOf(padThai, 'Morning glory'),
            ],
          },
        ],
      }),
    )
    expect(problem).toMatchObject({ status: 422, code: 'invalid_modifier_selection', retryable: false })
    expect(problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/items/1/modifiers/2/modifier_id not_in_menu',
      '/items/1/modifiers max_selections',
    ])
  })

  const address = { line1: '1 Rue X', city: 'Paris', postal_code: '75001', country_code: 'FR' }
  test.each<[string, Record<string, unknown>, string, number, string | undefined]>([
    ['of a store that is none', { merchant_id: 'mer_none' }, 'merchant_not_found', 404, undefined],
    [
      'of an item that is none',
      { items: [{ item_id: 'itm_none', quantity: 1 }] },
      'item_not_found',
      404,
      undefined,
    ],
    [
      'at a table of a counter',
      { fulfillment_type: 'dine_in', dropoff: undefined, table: { table_number: '1' } },
      'fulfillment_not_offered',
      422,
      '/fulfillment_type',
    ],
    [
      'to a place out of reach',
      { dropoff: { location: { latitude: 51.6, longitude: -0.08 } } },
      'outside_delivery_area',
      422,
      '/dropoff',
    ],
    ['to an address that nobody knows', { dropoff: { address } }, 'address_unresolvable', 422, '/dropoff'],
    [
      'with a tip in other money',
      { tip: { amount: 100, currency: 'EUR' } },
      'currency_mismatch',
      422,
      '/tip/currency',
    ],
    ['without a place to deliver to', { dropoff: undefined }, 'invalid_request', 400, '/dropoff'],
    ['to a place that is none', { dropoff: { name: 'Home' } }, 'address_unresolvable', 422, '/dropoff/name'],
    [
      'for pickup with a place to deliver to',
      { fulfillment_type: 'pickup' },
      'invalid_request',
      400,
      '/dropoff',
    ],
    ['for delivery to a table', { table: { table_number: '1' } }, 'invalid_request', 400, '/table'],
    [
      'for pickup with a tip',
      { fulfillment_type: 'pickup', dropoff: undefined, tip: gbp(1) },
      'invalid_request',
      400,
      '/tip',
    ],
    ['for now', { scheduled_for: '2026-11-20T09:00:00Z' }, 'invalid_request', 400, '/scheduled_for'],
    ['for next month', { scheduled_for: '2026-12-20T12:00:00Z' }, 'invalid_request', 400, '/scheduled_for'],
    [
      'for ten past twelve',
      { scheduled_for: '2026-11-20T12:10:00Z' },
      'invalid_request',
      400,
      '/scheduled_for',
    ],
    ['of nothing', { items: [] }, 'invalid_request', 400, '/items'],
    ['with a price of its own', { total: gbp(1) }, 'invalid_request', 400, '/total'],
  ])('refuses a basket %s', async (_what, over, code, status, pointer) => {
    const basket = JSON.parse(JSON.stringify(await makeBasket(world, over))) as Record<string, unknown>
    const problem = await world.refused('quote_food_order', basket)
    expect({ code: problem.code, status: problem.status }).toEqual({ code, status })
    expect(problem.errors[0]?.pointer).toBe(pointer)
  })

  test('rejects a table that the store does not have, and names those it has', async () => {
    const store = await findStore(world, 'Forno Santa Rosa')
    const problem = await world.refused('quote_food_order', {
      merchant_id: store.merchant_id,
      fulfillment_type: 'dine_in',
      items: [makeBasketLine(store.item('Focaccia'))],
      table: { table_number: '99' },
    })
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/table/table_number' }] })
  })

  test('rejects an item of another store', async () => {
    const other = await findStore(world, 'Forno Santa Rosa')
    const item = other.item('Focaccia')
    const problem = await world.refused(
      'quote_food_order',
      await makeBasket(world, { items: [makeBasketLine(item)] }),
    )
    expect(problem).toMatchObject({ code: 'item_not_found', item_ids: [item.item_id] })
  })

  test('rejects a basket below the minimum, and names the missing amount', async () => {
    const store = await findStore(world)
    const problem = await world.refused(
      'quote_food_order',
      await makeBasket(world, { items: [makeBasketLine(store.item('Summer Rolls'))] }),
    )
    expect(problem).toMatchObject({
      status: 422,
      code: 'minimum_order_not_met',
      minimum_order: gbp(1000),
      detail: 'The minimum order of Lime Street Noodles for delivery is £10.00; £6.05 are missing.',
    })
    await world.ok(
      'quote_food_order',
      await makePickup(world, { items: [makeBasketLine(store.item('Summer Rolls'))] }),
    )
  })

  test('rejects a slot that is taken, with the next free ones', async () => {
    const store = await findStore(world)
    await changeStore(world, store.merchant_id, { slot_capacity: 1 })
    const scheduled = await makePickup(world, { scheduled_for: '2026-11-20T12:00:00Z' })
    const { quote_id } = await world.ok('quote_food_order', scheduled)
    await world.ok('place_food_order', { quote_id, payment: CARD }, { key: newKey() })
    const problem = await world.refused('quote_food_order', scheduled)
    expect(problem).toMatchObject({
      status: 409,
      code: 'slot_unavailable',
      alternatives: ['2026-11-20T12:15:00.000Z', '2026-11-20T12:30:00.000Z', '2026-11-20T12:45:00.000Z'],
    })
  })

  test('is deleted a day after it expired, unless it was confirmed', async () => {
    const own = await openTestSandbox({ engine })
    const kept = async () =>
      (await own.db.read((tx) => tx.all('select quote_id from quotes order by quote_id'))).length
    const used = await own.ok('quote_food_order', await makePickup(own))
    await own.ok('place_food_order', { quote_id: used.quote_id, payment: CARD }, { key: newKey() })
    await own.ok('quote_food_order', await makePickup(own))
    await own.ok('quote_food_order', await makePickup(own), { as: 'member' })
    await own.advance(900_000 + 24 * 3_600_000)
    await own.ok('quote_food_order', await makePickup(own))
    expect(await kept()).toBe(4)
    await own.advance(1)
    await own.ok('quote_food_order', await makePickup(own))
    expect(await kept()).toBe(4)
  })
})
