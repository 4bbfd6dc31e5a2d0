/** A price, a payment and a refund as their owner sees them. */
import { expect, test } from 'vitest'
import { serializePayment, serializePrice, serializeRefunds } from '../../../src/areas/payments/views.ts'
import { gbp } from '../../support/money.ts'

test('a price is shown with all its sums, without its lines and without anything else', () => {
  const price = {
    subtotal: gbp(1000),
    fees: [{ type: 'delivery_fee' as const, label: 'Delivery', amount: gbp(250) }],
    fees_total: gbp(250),
    discounts: [
      { type: 'member' as const, label: 'Member', amount: gbp(50), funded_by: 'platform' as const },
    ],
    discount_total: gbp(50),
    taxes: [{ name: 'VAT', rate_bps: 2000, taxable_amount: gbp(1000), amount: gbp(200), included: true }],
    tax_total: gbp(200),
    prices_include_tax: true,
    total: gbp(1200),
  }
  const quoted = { ...price, lines: [], quote_id: 'quo_1' }
  expect(serializePrice(quoted)).toEqual(price)
})

test('a payment is shown without its account and its times', () => {
  const shown = {
    payment_id: 'pay_1',
    method: 'card',
    status: 'paid',
    collected_by: 'platform',
    amount: gbp(1200),
  } as const
  const kept = {
    resource_id: 'rid_1',
    account_id: 'acc_1',
    merchant_id: null,
    share: null,
    created_at: 1,
    paid_at: 2,
    refunds: [],
  }
  expect(serializePayment({ ...shown, ...kept })).toEqual(shown)
})

test('refunds are shown with their times, the latest beside all of them', () => {
  const refund = {
    refund_id: 'rfd_1',
    status: 'pending',
    destination: 'platform_wallet',
    amount: gbp(200),
    reason: 'too_busy',
    borne_by: null,
    created_at: 0,
    settled_at: null,
  } as const
  const first = { ...refund, created_at: '1970-01-01T00:00:00.000Z' }
  const second = { ...first, refund_id: 'rfd_2', settled_at: '1970-01-01T00:01:00.000Z' }
  expect(serializeRefunds({ refunds: [{ ...refund, share: -5 }] })).toEqual({
    refund: first,
    refunds: [first],
    refunded: refund.amount,
  })
  expect(
    serializeRefunds({
      refunds: [
        { ...refund, share: null },
        { ...refund, share: null, refund_id: 'rfd_2', settled_at: 60_000 },
      ],
    }),
  ).toEqual({
    refund: second,
    refunds: [first, second],
    refunded: { amount: 400, currency: 'GBP' },
  })
  expect(serializeRefunds({ refunds: [] })).toEqual({ refund: null, refunds: [], refunded: null })
})
