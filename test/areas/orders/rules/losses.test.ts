/** The goods that a lost order cost its store: one function for board, kitchen page, report and statement. */
import { expect, test } from 'vitest'
import { lossReasonOf, computeViewedStoreLoss, sumLosses } from '../../../../src/areas/orders/rules/losses.ts'
import { gbp } from '../../../support/money.ts'
import { makeStoreOrder, wholeRefund } from '../../../support/orders.ts'

/** The goods of the order that `makeOrder` makes: it costs its customer £27.19 with a fee and the platform's discount. */
const GOODS = gbp(2855)

test('an order that its store gave back cost it the goods: no fee, and no discount of the platform', () => {
  const order = makeStoreOrder('L1', { ...wholeRefund(), status: 'cancelled' })
  expect(order.total).toEqual(gbp(2719))
  expect(computeViewedStoreLoss(order)).toEqual(GOODS)
})

test('a discount of the store lowers what it lost', () => {
  const discounts = [{ type: 'member', label: 'Offer', amount: gbp(286), funded_by: 'store' }] as const
  expect(
    computeViewedStoreLoss(makeStoreOrder('L1', { ...wholeRefund(), status: 'cancelled', discounts })),
  ).toEqual(gbp(2569))
})

test('an unpaid order cost its goods, too', () => {
  const payment = { method: 'cash', status: 'failed', collected_by: 'store', amount: gbp(2719) } as const
  expect(computeViewedStoreLoss(makeStoreOrder('L1', { status: 'rejected', payment }))).toEqual(GOODS)
})

test('the store lost nothing where the platform gave the money back, or where it was kept', () => {
  expect(
    computeViewedStoreLoss(makeStoreOrder('L1', { ...wholeRefund('platform'), status: 'failed' })),
  ).toEqual(gbp(0))
  expect(computeViewedStoreLoss(makeStoreOrder('L1', { status: 'failed' }))).toEqual(gbp(0))
})

test('what went back before the end is no part of the loss', () => {
  const [first] = makeStoreOrder('L1').lines
  const { payment, refunds } = wholeRefund()
  const part = { ...refunds[0], refund_id: 'rfd_0', amount: gbp(376) } as const
  const order = makeStoreOrder('L1', {
    status: 'rejected',
    payment,
    refunds: [part, { ...refunds[0], amount: gbp(2343) }],
    adjustments: [
      {
        kind: 'removed',
        refund_id: 'rfd_0',
        lines: [{ line_id: '2', quantity: 1, amount: gbp(376), goods: gbp(395), replacement: null }],
      },
    ],
  })
  expect(computeViewedStoreLoss(order)).toEqual(first?.total)
})

test('several orders are added up', () => {
  const lost = [
    makeStoreOrder('L1', wholeRefund()),
    makeStoreOrder('L2', wholeRefund('platform')),
    makeStoreOrder('L3', wholeRefund()),
  ]
  expect(sumLosses(lost)).toEqual(gbp(5710))
  expect(sumLosses([])).toBeUndefined()
})

test('an order is lost for one of four reasons', () => {
  const reject = (reason_code: 'too_busy' | 'not_accepted_in_time') =>
    lossReasonOf({ status: 'rejected', rejection: { reason_code } })
  expect([reject('not_accepted_in_time'), reject('too_busy')]).toEqual(['not_accepted_in_time', 'rejected'])
  const ended = (['cancelled', 'failed', 'completed'] as const).map((status) =>
    lossReasonOf({ status, rejection: null }),
  )
  expect(ended).toEqual(['cancelled', 'not_delivered', undefined])
})
