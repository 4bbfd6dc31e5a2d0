import { describe, expect, test } from 'vitest'
import type { ModifierGroup } from '../../../src/areas/catalog/rules/modifiers.ts'
import { type BasketTerms, priceBasket } from '../../../src/areas/food/rules.ts'
import { type BasketItem, type BasketItemRequest, makeLines } from '../../../src/areas/orders/rules/lines.ts'
import { allocateByWeight } from '../../../src/areas/payments/rules/price.ts'
import type { PricedBasket } from '../../../src/areas/payments/rules/price.ts'
import { MAX_AMOUNT, mulBps } from '../../../src/core/money.ts'
import { catchError } from '../../support/caught.ts'
import { gbp } from '../../support/money.ts'
import { fc } from '../../support/properties.ts'

function group(id: string, differences: Partial<ModifierGroup> & { prices?: number[] } = {}): ModifierGroup {
  const { prices = [0, 80, 150], ...rest } = differences
  return {
    modifier_group_id: `mgr_${id}`,
    name: id,
    min_selections: 0,
    max_selections: null,
    allow_repeats: false,
    modifiers: prices.map((price, index) => ({
      modifier_id: `mod_${id}_${index}`,
      name: `${id} ${index}`,
      price_delta: gbp(price),
      available: true,
      is_default: index === 0,
    })),
    ...rest,
  }
}

function item(id: string, price: number, differences: Partial<BasketItem> = {}): BasketItem {
  return { item_id: id, name: id, price: gbp(price), modifier_groups: [], tax_rate_bps: null, ...differences }
}

const ITEMS = new Map(
  [
    item('noodles', 1150, {
      modifier_groups: [
        group('Size', { min_selections: 1, max_selections: 1 }),
        group('Extras', { max_selections: 3, allow_repeats: true }),
        group('Sauces', { max_selections: 2 }),
      ],
    }),
    item('tea', 395),
    item('apples', 250, { tax_rate_bps: 0 }),
    item('soup', 600, { modifier_groups: [group('Bread', { min_selections: 2 })] }),
  ].map((each) => [each.item_id, each]),
)

const TERMS: BasketTerms = {
  currency: 'GBP',
  prices_include_tax: true,
  tax_rate_bps: 2000,
  fee_tax_rate_bps: 2000,
  tax_name: 'VAT',
  delivery_fee: gbp(299),
  service_fee: gbp(150),
  small_order_fee: null,
  courier_tip: null,
  discount_bps: 1000,
}

const price = (requests: BasketItemRequest[], terms: Partial<BasketTerms> = {}) =>
  priceBasket(makeLines(ITEMS, requests), { ...TERMS, ...terms })

const WORKED: BasketItemRequest[] = [
  { item_id: 'noodles', quantity: 2, modifiers: [{ modifier_id: 'mod_Size_1' }] },
  { item_id: 'tea', quantity: 1 },
]

describe('the worked example of the rules', () => {
  test('costs £30.18 in London, of which £5.03 are tax', () => {
    expect(price(WORKED)).toMatchObject({
      lines: [{ total: gbp(2460) }, { total: gbp(395) }],
      subtotal: gbp(2855),
      fees: [
        { type: 'delivery_fee', amount: gbp(299) },
        { type: 'service_fee', amount: gbp(150) },
      ],
      fees_total: gbp(449),
      discounts: [{ type: 'member', amount: gbp(286) }],
      discount_total: gbp(286),
      taxes: [{ name: 'VAT', rate_bps: 2000, taxable_amount: gbp(2515), amount: gbp(503), included: true }],
      tax_total: gbp(503),
      total: gbp(3018),
    })
  })

  test('costs 36.22 where tax is added', () => {
    expect(price(WORKED, { prices_include_tax: false })).toMatchObject({
      taxes: [{ taxable_amount: gbp(3018), amount: gbp(604), included: false }],
      tax_total: gbp(604),
      total: gbp(3622),
    })
  })

  test('costs £33.04 without a membership', () => {
    expect(price(WORKED, { discount_bps: 0 })).toMatchObject({
      discounts: [],
      discount_total: gbp(0),
      total: gbp(3304),
    })
  })
})

test('a tip is charged and carries no tax', () => {
  const without = price(WORKED)
  const tipped = price(WORKED, { courier_tip: gbp(200) })
  expect(tipped.total).toEqual(gbp(3218))
  expect(tipped.taxes).toEqual(without.taxes)
})

test('items are taxed at their own rates, fees at the market’s, each rate once', () => {
  const mixed = price(
    [
      { item_id: 'apples', quantity: 4 },
      { item_id: 'tea', quantity: 2 },
    ],
    { prices_include_tax: false },
  )
  // The discount of 179 on 1790 is shared 100 to 79.
  expect(mixed.taxes).toMatchObject([
    { rate_bps: 2000, taxable_amount: gbp(790 - 79 + 449), amount: gbp(232) },
    { rate_bps: 0, taxable_amount: gbp(900), amount: gbp(0) },
  ])
})

test('a line keeps names, prices and notes as they are now', () => {
  const [line] = price([
    {
      item_id: 'noodles',
      quantity: 3,
      notes: 'no coriander',
      modifiers: [
        { modifier_id: 'mod_Extras_1', quantity: 2 },
        { modifier_id: 'mod_Size_2' },
        { modifier_id: 'mod_Extras_1' },
      ],
    },
  ]).lines
  expect(line).toEqual({
    line_id: 'line_1',
    item_id: 'noodles',
    name: 'noodles',
    quantity: 3,
    unit_price: gbp(1150),
    modifiers: [
      {
        modifier_id: 'mod_Size_2',
        modifier_group_id: 'mgr_Size',
        name: 'Size 2',
        quantity: 1,
        price_delta: gbp(150),
      },
      {
        modifier_id: 'mod_Extras_1',
        modifier_group_id: 'mgr_Extras',
        name: 'Extras 1',
        quantity: 3,
        price_delta: gbp(80),
      },
    ],
    notes: 'no coriander',
    total: gbp(3 * (1150 + 150 + 240)),
    tax_rate_bps: 2000,
  })
})

describe('a selection is rejected', () => {
  const size = { modifier_id: 'mod_Size_0' }
  test.each<[string, string, BasketItemRequest['modifiers'], string, string]>([
    ['that is not on the menu', 'noodles', [size, { modifier_id: 'mod_x' }], '/1/modifier_id', 'not_in_menu'],
    ['that is of another item', 'tea', [size], '/0/modifier_id', 'not_in_menu'],
    ['that leaves out what must be chosen, with fewer defaults', 'soup', [], '', 'min_selections'],
    ['of fewer than needed', 'soup', [{ modifier_id: 'mod_Bread_0' }], '', 'min_selections'],
    ['of two where one goes', 'noodles', [size, { modifier_id: 'mod_Size_1' }], '', 'max_selections'],
    ['of one twice where one goes', 'noodles', [{ ...size, quantity: 2 }], '', 'max_selections'],
    ['of the same again', 'noodles', [size, size], '', 'max_selections'],
    [
      'of one twice where it goes once',
      'noodles',
      [size, { modifier_id: 'mod_Sauces_1', quantity: 2 }],
      '',
      'max_selections',
    ],
    [
      'of four where three go',
      'noodles',
      [size, { modifier_id: 'mod_Extras_1', quantity: 4 }],
      '',
      'max_selections',
    ],
  ])('%s', (_what, item_id, modifiers, pointer, code) => {
    const requests = [
      { item_id: 'tea', quantity: 1 },
      { item_id, quantity: 1, ...(modifiers && { modifiers }) },
    ]
    const error = catchError(() => makeLines(ITEMS, requests))
    expect(error.code).toBe('invalid_modifier_selection')
    expect(error.errors.map((each) => `${each.pointer} ${each.code}`)).toEqual([
      `/items/1/modifiers${pointer} ${code}`,
    ])
  })

  test('that cannot be had now', () => {
    const [first, ...rest] = group('Milk').modifiers
    const gone = group('Milk', { modifiers: [...(first ? [{ ...first, available: false }] : []), ...rest] })
    const items = new Map([['flat', item('flat', 300, { modifier_groups: [gone] })]])
    const ask = (modifier_id: string) => () =>
      makeLines(items, [{ item_id: 'flat', quantity: 1, modifiers: [{ modifier_id }] }])
    expect(catchError(ask('mod_Milk_0')).errors[0]).toMatchObject({
      code: 'not_in_menu',
      detail: 'Milk 0 is not available with flat now',
    })
    expect(ask('mod_Milk_1')()).toHaveLength(1)
  })

  test('with everything that is wrong with every line', () => {
    const error = catchError(() =>
      makeLines(ITEMS, [
        { item_id: 'noodles', quantity: 1, modifiers: [{ modifier_id: 'mod_x' }] },
        { item_id: 'soup', quantity: 1 },
      ]),
    )
    expect(error.errors.map(({ pointer, code, detail }) => [pointer, code, detail])).toEqual([
      ['/items/0/modifiers/0/modifier_id', 'not_in_menu', 'noodles has no option mod_x'],
      ['/items/1/modifiers', 'min_selections', 'Bread of soup needs at least 2 choices'],
    ])
    expect(error.message).toBe('noodles has no option mod_x.')
  })
})

test('a basket that costs more than money can be is rejected', () => {
  const items = new Map([['gold', item('gold', MAX_AMOUNT)]])
  const lines = makeLines(items, [{ item_id: 'gold', quantity: 1 }])
  expect(priceBasket(lines, { ...TERMS, delivery_fee: null, service_fee: null }).subtotal.amount).toBe(
    MAX_AMOUNT,
  )
  expect(catchError(() => priceBasket(lines, TERMS))).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/items', code: 'out_of_range' }],
  })
  expect(catchError(() => makeLines(items, [{ item_id: 'gold', quantity: 2 }])).code).toBe('invalid_request')
})

describe('shares', () => {
  test('go to the largest remainder first, among equals to the first', () => {
    expect(allocateByWeight(10, [1, 1, 1])).toEqual([4, 3, 3])
    expect(allocateByWeight(286, [2460, 395])).toEqual([246, 40])
    expect(allocateByWeight(5, [0, 0])).toEqual([0, 0])
    expect(allocateByWeight(0, [3, 4])).toEqual([0, 0])
  })

  test('add up, and none is a whole unit from its part', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: MAX_AMOUNT }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: MAX_AMOUNT }), (weights, amount) => {
        const whole = weights.reduce((all, weight) => all + weight, 0)
        fc.pre(whole > 0)
        const shares = allocateByWeight(amount, weights)
        expect(shares.reduce((all, share) => all + share, 0)).toBe(amount)
        for (const [index, share] of shares.entries()) {
          const exact = BigInt(amount) * BigInt(weights[index] ?? 0)
          const distance = BigInt(share) * BigInt(whole) - exact
          expect(distance < BigInt(whole) && distance > -BigInt(whole)).toBe(true)
        }
      }),
    )
  })
})

const basket = fc.record({
  lines: fc.array(
    fc.record({
      price: fc.integer({ min: 0, max: 1_000_000 }),
      rate: fc.constantFrom(null, 0, 500, 2000, 2125),
      quantity: fc.integer({ min: 1, max: 99 }),
      extras: fc.array(fc.record({ price: fc.integer({ min: 0, max: 5000 }), quantity: fc.nat(3) }), {
        maxLength: 4,
      }),
    }),
    { minLength: 1, maxLength: 50 },
  ),
  fees: fc.array(fc.option(fc.integer({ min: 0, max: 2000 })), { minLength: 4, maxLength: 4 }),
  included: fc.boolean(),
  rate: fc.constantFrom(0, 500, 2000),
  discount: fc.constantFrom(0, 1000, 333),
})

test('every amount is a whole number of the currency, and they add up', () => {
  fc.assert(
    fc.property(basket, ({ lines, fees, included, rate, discount }) => {
      const items = lines.map(({ price: own, rate: tax_rate_bps, extras }, index) =>
        item(`item ${index}`, own, {
          tax_rate_bps,
          modifier_groups: [group('X', { allow_repeats: true, prices: extras.map((each) => each.price) })],
        }),
      )
      const requests = lines.map(({ quantity, extras }, index) => ({
        item_id: `item ${index}`,
        quantity,
        modifiers: extras.flatMap((each, place) =>
          each.quantity === 0 ? [] : [{ modifier_id: `mod_X_${place}`, quantity: each.quantity }],
        ),
      }))
      const [delivery_fee, service_fee, small_order_fee, courier_tip] = fees.map((fee) =>
        fee === null ? null : gbp(fee),
      )
      const priced = priceBasket(makeLines(new Map(items.map((each) => [each.item_id, each])), requests), {
        currency: 'GBP',
        prices_include_tax: included,
        tax_rate_bps: rate,
        fee_tax_rate_bps: 2000,
        tax_name: 'VAT',
        delivery_fee: delivery_fee ?? null,
        service_fee: service_fee ?? null,
        small_order_fee: small_order_fee ?? null,
        courier_tip: courier_tip ?? null,
        discount_bps: discount,
      })
      for (const { amount, currency } of moneyIn(priced)) {
        expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
        expect(currency).toBe('GBP')
      }
      assertIdentities(priced)
      assertTaxes(priced, courier_tip?.amount ?? 0)
    }),
  )
})

function assertIdentities(priced: PricedBasket): void {
  const { lines, subtotal, fees, fees_total, discounts, discount_total, taxes, tax_total, total } = priced
  for (const line of lines) {
    const extras = sumOf(line.modifiers.map(({ quantity, price_delta }) => quantity * price_delta.amount))
    expect(line.total.amount).toBe(line.quantity * (line.unit_price.amount + extras))
  }
  expect(subtotal.amount).toBe(sumOf(lines.map((line) => line.total.amount)))
  expect(fees_total.amount).toBe(sumOf(fees.map(({ amount }) => amount.amount)))
  expect(discount_total.amount).toBe(sumOf(discounts.map(({ amount }) => amount.amount)))
  expect(tax_total.amount).toBe(sumOf(taxes.map(({ amount }) => amount.amount)))
  const added = priced.prices_include_tax ? 0 : tax_total.amount
  expect(total.amount).toBe(subtotal.amount + fees_total.amount - discount_total.amount + added)
}

/** Checks that every amount is taxed once, each rate has one line, and the tax fits the rate. */
function assertTaxes({ taxes, total }: PricedBasket, tip: number): void {
  expect(new Set(taxes.map(({ rate_bps }) => rate_bps)).size).toBe(taxes.length)
  const gross = sumOf(taxes.map(({ taxable_amount, amount }) => taxable_amount.amount + amount.amount))
  expect(gross + tip).toBe(total.amount)
  for (const { taxable_amount, amount, rate_bps, included } of taxes) {
    const distance = Math.abs(amount.amount - mulBps(taxable_amount.amount, rate_bps))
    expect(distance).toBeLessThanOrEqual(included ? 1 : 0)
  }
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

function moneyIn(value: unknown): { amount: number; currency: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if ('currency' in value && 'amount' in value) return [value as { amount: number; currency: string }]
  return Object.values(value).flatMap(moneyIn)
}
