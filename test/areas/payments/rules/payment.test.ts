import { expect, test } from 'vitest'
import {
  keptOf,
  countsAsPaid,
  PAYMENT_STATUSES,
  refundable,
  statusWithRefund,
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
  const refund = { amount: gbp(back), status }
  expect(statusWithRefund(payment, refund)).toBe(left)
  expect(keptOf({ payment, refund })).toEqual(gbp(kept))
  expect(keptOf({ payment, refund: null })).toEqual(gbp(paid))
})

test('all that was paid goes back, and nothing where nothing was paid or a refund exists', () => {
  const amount = gbp(1200)
  const refund = { amount: gbp(200), status: 'succeeded' }
  const back = PAYMENT_STATUSES.filter((status) => refundable({ payment: { amount, status }, refund: null }))
  expect(back).toEqual(['paid', 'partially_refunded'])
  expect(refundable({ payment: { amount, status: 'paid' }, refund: null })).toEqual(amount)
  expect(refundable({ payment: { amount, status: 'partially_refunded' }, refund })).toBeUndefined()
  expect(
    refundable({ payment: { amount, status: 'paid' }, refund: { ...refund, status: 'failed' } }),
  ).toBeUndefined()
})
