import { expect, test } from 'vitest'
import {
  chargedFor,
  countsAsPaid,
  PAYMENT_STATUSES,
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
  expect(chargedFor({ payment, refund })).toEqual(gbp(kept))
  expect(chargedFor({ payment, refund: null })).toEqual(gbp(paid))
})
