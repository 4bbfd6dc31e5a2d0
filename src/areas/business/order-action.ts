/** The input and columns shared by the five actions of a store on an order. */
import * as Type from 'typebox'
import type { ExampleCall } from '../../core/operation.ts'
import { nonBlankText } from '../../core/schema.ts'

export const internalNote = Type.Optional(nonBlankText(300, { description: 'Internal note' }))

export const prepTimeMinutes = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 180, description: 'Prep time in minutes' }),
)

/** The calls of a customer who leaves an order to the store, for the example of what the store does with it. */
export function makeOrderExampleCalls(name: string): ExampleCall[] {
  return [
    { operation: 'quote_food_order', name: `quote_${name}` },
    {
      operation: 'place_food_order',
      name: `order_${name}`,
      input: (done) => ({
        quote_id: done[`quote_${name}`].quote_id,
        payment: { method: 'card', payment_token: 'tok_ok' },
      }),
    },
  ]
}

/** The columns with which the command line shows an order that was acted on. */
export const ORDER_ACTION_LIST_COLUMNS = [
  'display_number',
  'order_id',
  'status',
  'fulfillment_type',
  'payment.status',
  'prep.estimated_ready_at',
  'allowed_actions',
] as const

/** The columns with which the command of an action shows the order. */
export const ORDER_ACTION_DETAIL_COLUMNS = [
  'display_number',
  'order_id',
  'status',
  // The action is done for this way to the customer.
  'fulfillment_type',
  'charged',
  'payment.status',
  'prep.estimated_ready_at',
]
