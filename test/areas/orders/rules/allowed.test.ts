import { describe, expect, test } from 'vitest'
import type { OrderRecord } from '../../../../src/areas/orders/queries/orders.ts'
import {
  allowedActions,
  findRefusal,
  isOrderCancellable,
} from '../../../../src/areas/orders/rules/allowed.ts'
import { ORDER_ACTIONS, ORDER_STATUSES } from '../../../../src/areas/orders/states.ts'
import type { Payment, PaymentMethod, PaymentStatus } from '../../../../src/areas/payments/rules/payment.ts'
import { gbp } from '../../../support/money.ts'

type Case = {
  status?: OrderRecord['status']
  type?: OrderRecord['fulfillment_type']
  check?: 'open' | 'closed'
}

/** Returns an order with the fields that the rules read. */
function order({ status = 'placed', type = 'pickup', check }: Case): OrderRecord {
  const open = check && { check_id: 'chk_1', status: check, opened_at: 0, closed_at: null, balance: gbp(500) }
  const seen = { status, fulfillment_type: type, display_number: 'A1B2', doc: { check: open ?? null } }
  return seen as unknown as OrderRecord
}

const paid = (method: PaymentMethod = 'card', status: PaymentStatus = 'paid') =>
  ({ method, status }) as Payment

describe('the actions that a store may do', () => {
  test.each([
    ['placed', ['accept', 'reject']],
    ['accepted', ['reject', 'preparing', 'ready', 'complete']],
    ['preparing', ['reject', 'ready', 'complete']],
    ['ready', ['reject', 'complete']],
    ['out_for_delivery', []],
    ['completed', []],
    ['rejected', []],
    ['cancelled', []],
    ['failed', []],
  ] as const)('with an order that is %s: %j', (status, actions) => {
    expect(allowedActions(order({ status }), paid())).toEqual(actions)
    const delivered = actions.filter((action) => action !== 'complete')
    expect(allowedActions(order({ status, type: 'delivery' }), paid())).toEqual(delivered)
  })

  test.each(['card', 'wallet'] as const)('is not to accept a %s that has not paid', (method) => {
    for (const status of ['unpaid', 'failed', 'refunded', 'refund_pending'] as const)
      expect(findRefusal('accept', order({}), paid(method, status))?.code).toBe('payment_required')
  })

  test('is to accept and to complete a card of which a part was paid back', () => {
    expect(findRefusal('accept', order({}), paid('card', 'partially_refunded'))).toBeUndefined()
    expect(
      findRefusal('complete', order({ status: 'ready' }), paid('wallet', 'partially_refunded')),
    ).toBeUndefined()
  })

  test.each(['cash', 'pay_at_table'] as const)('is to accept %s before it is paid', (method) => {
    expect(allowedActions(order({}), paid(method, 'unpaid'))).toContain('accept')
  })
})

describe('the first obstacle is the one reported', () => {
  test.each([
    ['the type', { status: 'completed', type: 'delivery', check: 'open' }, 'fulfillment_type_mismatch'],
    ['the state', { status: 'completed', type: 'dine_in', check: 'open' }, 'invalid_state'],
    ['the check', { status: 'ready', type: 'dine_in', check: 'open' }, 'table_check_open'],
    ['the payment', { status: 'ready', type: 'dine_in', check: 'closed' }, 'payment_required'],
  ] as const)('of completing: %s', (_, found, code) => {
    expect(findRefusal('complete', order(found), paid('card', 'unpaid'))?.code).toBe(code)
  })

  test('of accepting: the state before the payment', () => {
    const refusal = findRefusal('accept', order({ status: 'rejected' }), paid('card', 'failed'))
    expect(refusal).toMatchObject({
      code: 'invalid_state',
      message: 'Order A1B2 is rejected: it cannot be accepted now.',
      extra: { current_status: 'rejected', allowed_statuses: ['placed'] },
    })
  })

  test('every error names the order and what to do about it', () => {
    for (const status of ORDER_STATUSES) {
      for (const action of ORDER_ACTIONS)
        expect(findRefusal(action, order({ status }), paid('card', 'unpaid'))?.message ?? 'A1B2').toContain(
          'A1B2',
        )
    }
  })
})

test('a customer may cancel until the store begins', () => {
  expect(ORDER_STATUSES.filter((status) => isOrderCancellable({ status }))).toEqual(['placed', 'accepted'])
})
