import { expect, test } from 'vitest'
import { measureTextWidth } from '../../../../src/cli/output/text.ts'
import type { BusinessOrderOutput } from '../../../../src/commands/business/orders/order.ts'
import { formatStoreOrder } from '../../../../src/commands/business/orders/show.ts'
import { formatOrderItems } from '../../../../src/commands/business/orders/words.ts'
import { gbp } from '../../../support/money.ts'
import { makeStoreOrder, problemOrder } from '../../../support/orders.ts'
import { partialResponse } from '../../../support/part.ts'
import { makeRenderOptions } from '../../../support/screens.ts'

const ORDER = makeStoreOrder('7K2M', {
  status: 'rejected',
  notes: 'Ring twice, the bell of the house is broken',
  rejection: { reason_code: 'too_busy', note: 'Sorry' },
  refunds: [{ status: 'pending', destination: 'card_via_store_processor', amount: gbp(2719) }],
  status_history: [
    { status: 'placed', at: '2026-11-20T09:00:00.000Z', by: 'customer', reason: null, note: null },
    { status: 'rejected', at: '2026-11-20T09:02:00.000Z', by: 'store', reason: 'too_busy', note: 'Sorry' },
  ],
})

test('an order shows its basket, its price line by line, its refund and its history', () => {
  expect(formatStoreOrder(ORDER, makeRenderOptions(80))).toBe(`Order 7K2M: rejected
ord_7k2m
pickup, for Ana (3 orders), •••• 0123
placed 20 Nov 2026 09:00 GMT, ready time 20 Nov 2026 09:25 GMT
Note from the customer: "Ring twice, the bell of the house is broken"
Rejected: too busy, "Sorry"
Refund of £27.19 to card via store processor: pending

2 × Pad Thai        £24.60
  Extra prawns
  "no coriander"
1 × Spring rolls     £3.95
Subtotal            £28.55
Service fee          £1.50
Member discount     -£2.86
Total (card, paid)  £27.19
of which VAT 20%     £4.53
Charged              £0.00

20 Nov 2026 09:00 GMT  placed, by the customer
20 Nov 2026 09:02 GMT  rejected, by the store (too busy): "Sorry"`)
})

const OFF = { refund_id: 'rfd_1', reason_code: 'out_of_stock', answer_by: null, answer: null } as const
/** One of two Pad Thai is removed, and the Spring rolls are replaced. */
const CHANGED = makeStoreOrder('7K2M', {
  charged: gbp(1494),
  adjustments: [
    { ...OFF, kind: 'removed', amount: gbp(1107), lines: [{ line_id: '1', quantity: 1, replacement: null }] },
    {
      ...OFF,
      kind: 'replaced',
      amount: gbp(118),
      lines: [
        {
          line_id: '2',
          quantity: 1,
          replacement: {
            line_id: '2.1',
            item_id: 'itm_3',
            name: 'Prawn Crackers',
            modifiers: [],
            allergens: [],
          },
        },
      ],
    },
  ],
})

test('a removed dish is struck, its replacement is below it, and the charge below the total', () => {
  expect(formatStoreOrder(CHANGED, makeRenderOptions(80))).toContain(`
1 × Pad Thai                   £12.30
  Extra prawns
  "no coriander"
1 × Pad Thai, taken off        £12.30
  Extra prawns
1 × Spring rolls, replaced      £3.95
  instead: 1 × Prawn Crackers
Subtotal                       £28.55
Service fee                     £1.50
Member discount                -£2.86
Total (card, paid)             £27.19
of which VAT 20%                £4.53
Charged                        £14.94
`)
  const coloured = formatStoreOrder(CHANGED, { ...makeRenderOptions(80), colour: true })
  expect(coloured).toContain('\x1b[9m1 × Pad Thai, taken off')
  expect(coloured).not.toContain('\x1b[9m1 × Pad Thai  ')
})

test('what a kitchen counts is what it still has to cook', () => {
  expect(formatOrderItems(CHANGED)).toBe('Pad Thai, Prawn Crackers')
  const [, replaced] = CHANGED.adjustments
  const asked = partialResponse<BusinessOrderOutput['adjustments'][number]>({
    ...replaced,
    answer_by: '2026-11-20T09:05:00.000Z',
  })
  // The old dish is out of stock, and the new one is not agreed yet.
  expect(formatOrderItems({ ...CHANGED, adjustments: [asked] })).toBe('2 × Pad Thai')
  const refunded = CHANGED.adjustments.slice(0, 1).map((each) => ({ ...each, kind: 'refunded' as const }))
  expect(formatOrderItems({ ...CHANGED, adjustments: refunded })).toBe('2 × Pad Thai, Spring rolls')
})

test('an order says what a customer complained about, and how the store answered', () => {
  expect(formatStoreOrder(problemOrder('7K2M'), makeRenderOptions(120))).toContain(
    'Problem: 1 × Pad Thai (missing), £11.07, "Only one in the bag": waiting for the store\n',
  )
  const answer = {
    at: '2026-11-20T10:00:00.000Z',
    by: 'store',
    accept: 'none',
    note: 'We packed both',
  } as const
  const late = problemOrder('7K2M', {
    reason_code: 'late',
    lines: [],
    note: null,
    status: 'declined',
    answer,
  })
  expect(formatStoreOrder(late, makeRenderOptions(120))).toContain(
    'Problem: late, £11.07: declined, "We packed both"\n',
  )
})

test('on a narrow terminal nothing is cut off and no line is too long', () => {
  const text = formatStoreOrder(ORDER, makeRenderOptions(40))
  expect(text.split('\n').filter((line) => measureTextWidth(line) > 40)).toEqual([])
  expect(text.replaceAll(/\s+/g, ' ')).toContain('the bell of the house is broken')
})

test('an added tax is before the total', () => {
  const tax = {
    name: 'Sales tax',
    rate_bps: 825,
    taxable_amount: gbp(2719),
    amount: gbp(224),
    included: false,
  }
  const text = formatStoreOrder(makeStoreOrder('7K2M', { taxes: [tax] }), makeRenderOptions(80))
  expect(text).toMatch(/Sales tax 8\.25% +£2\.24\nTotal/)
})

test('an order at a table says which, and whether its check is open', () => {
  const table = { table_number: '4', party_size: 2, check: { status: 'open' as const, balance: gbp(100) } }
  const text = formatStoreOrder(
    makeStoreOrder('7K2M', { fulfillment_type: 'dine_in', table }),
    makeRenderOptions(80),
  )
  expect(text).toContain('dine in at table 4')
  expect(text).toContain('bill open')
})
