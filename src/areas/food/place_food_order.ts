import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { makeQuoteSpending } from '../../core/resource.ts'
import { strictObject, contact, idParam, describeField, nonBlankText } from '../../core/schema.ts'
import { ORDER_SCENARIOS, readOrderScenario } from '../orders/lifecycle/scenario.ts'
import { substitutions } from '../orders/schema.ts'
import { assertPaymentToken, expectedTotal, paymentRequest } from '../payments/schema.ts'
import { createOrder } from './lifecycle/creation.ts'
import { FOOD_ORDER } from './resource.ts'
import { foodOrder } from './schema.ts'
import { toFoodOrder } from './views.ts'

/** A new order is under its id, and its number beside it; later ones under their numbers. */
const NEW_ORDER = [
  { field: 'order_id', label: 'Order' },
  { field: 'display_number', label: 'Number' },
]

export const placeFoodOrder = defineOperation({
  name: 'place_food_order',
  area: 'food',
  summary: 'Place a quoted order and pay',
  description:
    'Requires an unexpired quote that the customer has seen, and charges the quoted total. Needs an active membership.',
  details:
    'Checks again that the store is open, the items are available, the slot is free and a courier can come. A delivery order reserves its courier while it is prepared.',
  method: 'POST',
  path: '/v1/food/orders',
  scope: 'food.order',
  entitlement: 'service_one',
  createsTransaction: true,
  spends: makeQuoteSpending(FOOD_ORDER),
  idempotency: 'required',
  status: 201,
  location: '/v1/food/orders/{order_id}',
  input: strictObject({
    quote_id: idParam('Quote of quote_food_order'),
    payment: describeField('Payment', paymentRequest),
    contact: Type.Optional(describeField('Contact', contact)),
    notes: Type.Optional(nonBlankText(500, { description: 'Notes to the store' })),
    substitutions: Type.Optional(substitutions),
    expected_total: expectedTotal,
  }),
  output: foodOrder,
  errors: [
    'quote_not_found',
    'quote_mismatch',
    'quote_expired',
    'quote_already_used',
    'payment_declined',
    'insufficient_funds',
    'payment_method_not_accepted',
    'item_unavailable',
    'merchant_closed',
    'slot_unavailable',
    'no_courier_available',
    'options_conflict',
  ],
  scenarios: ORDER_SCENARIOS,
  example: (done) => ({
    quote_id: done['quote_food_order'].quote_id,
    payment: { method: 'card', payment_token: 'tok_ok' },
    expected_total: done['quote_food_order'].total,
  }),
  cli: {
    command: 'food order',
    danger: 'spend',
    columns: [...NEW_ORDER, { field: 'merchant.name', label: 'Store' }, 'status', 'total'],
    details: [
      ...NEW_ORDER,
      'merchant.name',
      'status',
      'total',
      'payment.method',
      'payment.status',
      // The store has not accepted yet.
      'estimated_ready_at',
      { field: 'estimated_delivery_at', label: 'ETA' },
    ],
    next: 'dray food track {display_number}',
  },
  // Due events of this account may refund its wallet.
  touches: (_, { account }) => ({ owner: account.account_id }),
  async run(context, { quote_id, payment, contact: who, notes, substitutions: wish, expected_total }) {
    const { tx, world, now, account } = context
    assertPaymentToken(payment)
    const { order, payment: paid } = await createOrder({ tx, world, at: now }, account, {
      quoteId: quote_id,
      method: payment.method,
      token: payment.payment_token,
      contact: who ?? null,
      notes: notes ?? null,
      substitutions: wish,
      expectedTotal: expected_total,
      scenario: readOrderScenario(context.scenario, payment.method),
    })
    // A new order has no delivery yet.
    return toFoodOrder(order, paid, undefined, now)
  },
})
