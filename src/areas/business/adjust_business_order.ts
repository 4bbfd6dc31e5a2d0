import * as Type from 'typebox'
import { strictObject, describeField, moneyField, nonBlankText } from '../../core/schema.ts'
import { adjustOrder } from '../orders/lifecycle/adjust-order.ts'
import { ADJUSTMENT_KINDS } from '../orders/rules/adjust.ts'
import { adjustmentReason, chosenModifiers, itemId, lineId } from '../orders/schema.ts'
import {
  ORDER_ACTION_LIST_COLUMNS,
  ORDER_ACTION_DETAIL_COLUMNS,
  makeOrderExampleCalls,
} from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const adjustBusinessOrder = OWN_STORE_ORDER.action({
  name: 'adjust_business_order',
  toolset: 'order-help',
  summary: 'Take lines off an order, replace them or refund a part of it',
  description:
    'removed: takes units off before the order leaves; the customer pays less or gets money back. replaced: puts another item in their place, at the lower of both prices, as the customer’s substitutions say: ask waits 5 minutes for an answer, cancel_order ends the order instead. refunded: gives money back within 30 days. The store bears the refund.',
  details:
    'Refunds go the way the order was paid, or to the customer’s wallet where the store collected the money. One unit of three costs a third of the line less its discounts. A replacement with an allergen that the notes name waits for the customer’s answer, too.',
  below: '/adjustments',
  spends: { how: 'refund', amountAt: 'refund.amount' },
  idempotency: 'required',
  repetition: 'makes',
  input: {
    kind: Type.Enum(ADJUSTMENT_KINDS, { description: 'Kind of adjustment' }),
    lines: Type.Array(
      strictObject({
        line_id: lineId,
        quantity: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 999, description: 'Units; all that are left if omitted' }),
        ),
        amount: Type.Optional(moneyField('Amount of a refund, instead of whole units')),
        replacement: Type.Optional(
          describeField(
            'Item in place of the units, with kind replaced',
            strictObject({ item_id: itemId, modifiers: chosenModifiers }),
          ),
        ),
      }),
      { minItems: 1, maxItems: 50, description: 'Lines' },
    ),
    reason_code: adjustmentReason,
    note: Type.Optional(nonBlankText(300, { description: 'Note to the customer' })),
    expected_amount: Type.Optional(
      moneyField('Amount that you have seen; the call fails if another one goes back'),
    ),
  },
  errors: [
    'adjustment_not_allowed',
    'amount_exceeds_paid',
    'item_not_found',
    'item_unavailable',
    'invalid_modifier_selection',
  ],
  exampleNeeds: makeOrderExampleCalls('to_adjust'),
  example: (done) => ({
    order_id: done['order_to_adjust'].order_id,
    kind: 'refunded',
    lines: [{ line_id: 'line_1', quantity: 1 }],
    reason_code: 'missing',
  }),
  cli: {
    command: 'business orders adjust',
    danger: 'destructive',
    flags: { reason_code: 'reason' },
    columns: [...ORDER_ACTION_LIST_COLUMNS, 'payment.amount', 'refunded', 'refund.destination'],
    details: [...ORDER_ACTION_DETAIL_COLUMNS, 'payment.amount'],
  },
  act: (scene, order, { note = null, expected_amount, ...wish }) =>
    adjustOrder(scene, order, { ...wish, note, expected_amount }),
})
