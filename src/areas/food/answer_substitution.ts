import * as Type from 'typebox'
import { defineOperation, type ExampleCall } from '../../core/operation.ts'
import { strictObject, idParam } from '../../core/schema.ts'
import { answerSubstitutionQuestion } from '../orders/lifecycle/adjust-order.ts'
import { orderId } from '../orders/schema.ts'
import { loadCustomerOrder } from './access.ts'
import { foodOrder } from './schema.ts'
import { serializeFoodOrder } from './views.ts'

/** The calls after which a customer is asked: the store offers another dish for one of two. */
const ASKED: ExampleCall[] = [
  { operation: 'quote_food_order', name: 'quote_to_ask' },
  {
    operation: 'place_food_order',
    name: 'order_to_ask',
    input: (done) => ({
      quote_id: done['quote_to_ask'].quote_id,
      payment: { method: 'card', payment_token: 'tok_ok' },
      substitutions: 'ask',
    }),
  },
  {
    operation: 'adjust_business_order',
    name: 'ask',
    input: (done) => ({
      order_id: done['order_to_ask'].order_id,
      kind: 'replaced',
      lines: [
        {
          line_id: 'line_1',
          quantity: 1,
          replacement: { item_id: done['get_restaurant_menu'].categories[0].items[1].item_id },
        },
      ],
      reason_code: 'out_of_stock',
    }),
  },
]

export const answerSubstitution = defineOperation({
  name: 'answer_substitution',
  area: 'food',
  toolset: 'order-help',
  summary: 'Answer a question about a replacement',
  description:
    'Within 5 minutes, and before the order is ready. true takes the replacement; false, or no answer, takes the units off and refunds them. An order of which nothing is left is rejected.',
  method: 'POST',
  path: '/v1/food/orders/{order_id}/adjustments/{adjustment_id}/answer',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    order_id: orderId,
    adjustment_id: idParam('Adjustment'),
    accept: Type.Boolean({ description: 'True to accept the replacement' }),
  }),
  output: foodOrder,
  errors: ['order_not_found', 'adjustment_not_found', 'adjustment_not_allowed'],
  exampleNeeds: ASKED,
  example: (done) => ({
    order_id: done['ask'].order_id,
    adjustment_id: done['ask'].adjustments[0].adjustment_id,
    accept: true,
  }),
  cli: {
    command: 'food answer',
    danger: 'write',
    positionals: ['order_id', 'adjustment_id'],
    columns: ['display_number', 'merchant.name', 'status', 'adjustments', 'payment.amount', 'refunded'],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id, adjustment_id, accept }) {
    const { tx, world, now } = context
    const order = await loadCustomerOrder(context, order_id, { lock: true })
    await answerSubstitutionQuestion({ tx, world, at: now }, order, adjustment_id, accept)
    return serializeFoodOrder(tx, order, now)
  },
})
