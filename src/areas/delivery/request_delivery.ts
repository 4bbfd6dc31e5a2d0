import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { makeQuoteSpending } from '../../core/resource.ts'
import {
  strictObject,
  identifierText,
  contact,
  objectField,
  idParam,
  describeField,
  nonBlankText,
} from '../../core/schema.ts'
import { DELIVERY_SCENARIOS, readDeliveryScenario } from '../couriers/lifecycle/scenario.ts'
import { assertPaymentToken, expectedTotal, paymentRequest } from '../payments/schema.ts'
import { createDeliveryFromQuote } from './lifecycle/request.ts'
import { DELIVERY } from './resource.ts'
import { delivery, verification } from './schema.ts'
import { serializeDelivery } from './views.ts'

export const requestDelivery = defineOperation({
  name: 'request_delivery',
  area: 'delivery',
  summary: 'Request a quoted delivery and pay',
  description:
    'Requires an unexpired quote that the customer has seen, and charges its total. Needs an active membership. The response has the drop-off PIN: give it to the recipient.',
  details:
    'The search for a courier starts at once. If none is found within 15 minutes, the payment is refunded in full.',
  method: 'POST',
  path: '/v1/deliveries',
  scope: 'delivery.request',
  entitlement: 'service_one',
  createsTransaction: true,
  spends: makeQuoteSpending(DELIVERY),
  idempotency: 'required',
  status: 201,
  location: '/v1/deliveries/{delivery_id}',
  input: strictObject({
    quote_id: idParam('Quote of quote_delivery'),
    pickup_contact: describeField('Pickup contact', contact),
    dropoff_contact: describeField('Recipient contact', contact),
    pickup_notes: Type.Optional(nonBlankText(300, { description: 'Pickup notes' })),
    dropoff_notes: Type.Optional(nonBlankText(300, { description: 'Notes to the courier' })),
    verification: Type.Optional(
      objectField('Proof required at handover', { dropoff: Type.Optional(verification) }),
    ),
    payment: describeField('Payment', paymentRequest),
    external_reference: Type.Optional(identifierText(64, 'Your own reference')),
    expected_total: expectedTotal,
  }),
  output: delivery,
  errors: [
    'quote_not_found',
    'quote_mismatch',
    'quote_expired',
    'quote_already_used',
    'payment_declined',
    'insufficient_funds',
    'payment_method_not_accepted',
    'no_courier_available',
    'options_conflict',
  ],
  scenarios: DELIVERY_SCENARIOS,
  example: (done) => ({
    quote_id: done['quote_delivery'].quote_id,
    pickup_contact: { name: 'Ana Moreau', phone: '+442079460123' },
    dropoff_contact: { name: 'Ravi Shah', phone: '+442079460188' },
    payment: { method: 'card', payment_token: 'tok_ok' },
  }),
  cli: {
    command: 'delivery request',
    danger: 'spend',
    columns: ['delivery_id', 'status', 'price', 'dropoff_pincode', 'dropoff_eta_at'],
    details: [
      'delivery_id',
      'status',
      'price',
      'payment.method',
      'payment.status',
      // The customer has to pass it on.
      { field: 'dropoff_pincode', label: 'PIN for the recipient' },
      'pickup_eta_at',
      'dropoff_eta_at',
    ],
    next: 'dray delivery track {delivery_id}',
  },
  // Due events of this account may refund its wallet.
  touches: (_, { account }) => ({ owner: account.account_id }),
  async run(context, input) {
    const { tx, world, now, account } = context
    assertPaymentToken(input.payment)
    const record = await createDeliveryFromQuote({ tx, world, at: now }, account.account_id, {
      quoteId: input.quote_id,
      pickupContact: input.pickup_contact,
      dropoffContact: input.dropoff_contact,
      pickupNotes: input.pickup_notes ?? null,
      dropoffNotes: input.dropoff_notes ?? null,
      verification: input.verification?.dropoff ?? ['photo'],
      method: input.payment.method,
      token: input.payment.payment_token,
      externalReference: input.external_reference ?? null,
      expectedTotal: input.expected_total,
      scenario: readDeliveryScenario(context.scenario, input.payment.method),
    })
    return serializeDelivery(tx, record, now)
  },
})
