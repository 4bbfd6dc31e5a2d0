import { expect, test } from 'vitest'
import {
  netPaid,
  countsAsPaid,
  PAYMENT_STATUSES,
  refundable,
  statusWithRefunds,
} from '../../../../src/areas/payments/rules/payment.ts'
import { gbp } from '../../../support/money.ts'

test('a payment of which something is kept counts as paid, and no other one', () => {
  expect(PAYMENT_STATUSES.filter((status) => countsAsPaid({ status }))).toEqual([
    'paid',
    'partially_refunded',
  ])
})

test.each([
  [1200, 1200, 'succeeded', 'refunded', 0],
  [1200, 1200, 'pending', 'refund_pending', 0],
  [1200, 1199, 'succeeded', 'partially_refunded', 1],
  [1200, 1, 'pending', 'partially_refunded', 1199],
  [1200, 900, 'failed', 'paid', 1200],
  [0, 0, 'succeeded', 'refunded', 0],
] as const)('of %i, a refund of %i that %s leaves it %s with %i kept', (paid, back, status, left, kept) => {
  const payment = { amount: gbp(paid) }
  const refunds = [{ amount: gbp(back), status }]
  expect(statusWithRefunds(payment, refunds)).toBe(left)
  expect(netPaid({ payment, refunds })).toEqual(gbp(kept))
  expect(netPaid({ payment, refunds: [] })).toEqual(gbp(paid))
})

test.each([
  [['succeeded', 'succeeded'], 500, 'partially_refunded', 200],
  [['pending', 'succeeded'], 600, 'refund_pending', 0],
  [['succeeded', 'pending'], 600, 'refund_pending', 0],
  [['succeeded', 'succeeded'], 600, 'refunded', 0],
  [['failed', 'succeeded'], 600, 'partially_refunded', 600],
] as const)('refunds that %s, each of half or less, leave 1200 %i each: %s', (each, back, left, kept) => {
  const payment = { amount: gbp(1200) }
  const refunds = each.map((status) => ({ amount: gbp(back), status }))
  expect(statusWithRefunds(payment, refunds)).toBe(left)
  expect(netPaid({ payment, refunds })).toEqual(gbp(kept))
})

test('all that is kept goes back, and nothing where nothing was paid or nothing is kept', () => {
  const amount = gbp(1200)
  const refunds = [{ amount: gbp(200), status: 'succeeded' as const }]
  const back = PAYMENT_STATUSES.filter((status) => refundable({ payment: { amount, status }, refunds: [] }))
  expect(back).toEqual(['paid', 'partially_refunded'])
  expect(refundable({ payment: { amount, status: 'paid' }, refunds: [] })).toEqual(amount)
  expect(refundable({ payment: { amount, status: 'partially_refunded' }, refunds })).toEqual(gbp(1000))
  expect(refundable({ payment: { amount, status: 'refunded' }, refunds })).toBeUndefined()
})

test('a service that sends only its latest refund has gone back that much', () => {
  const refund = { amount: gbp(500), status: 'succeeded' as const }
  const payment = { amount: gbp(1500), status: 'partially_refunded' as const }
  expect(netPaid({ payment, refund })).toEqual(gbp(1000))
  expect(refundable({ payment, refund: null })).toEqual(gbp(1500))
})
