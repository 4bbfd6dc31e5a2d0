import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { makeQuoteSpending } from '../../core/resource.ts'
import {
  strictObject,
  contact,
  objectField,
  idParam,
  describeField,
  nonBlankText,
} from '../../core/schema.ts'
import { PAYMENT_METHODS_BY_KIND } from '../payments/rules/payment.ts'
import { assertPaymentToken, expectedTotal, paymentToken } from '../payments/schema.ts'
import { createRide } from './lifecycle/creation.ts'
import { readRideScenario, RIDE_SCENARIOS } from './lifecycle/scenario.ts'
import { RIDE } from './resource.ts'
import { passengerCount, ride, tier } from './schema.ts'
import { serializeRide } from './views.ts'

export const requestRide = defineOperation({
  name: 'request_ride',
  area: 'rides',
  summary: 'Request a quoted ride and pay',
  description:
    'Requires an unexpired quote that the customer has seen and the chosen tier, and charges the quoted fare. Needs an active membership.',
  details: 'Checks driver availability again.',
  method: 'POST',
  path: '/v1/rides',
  scope: 'rides.request',
  entitlement: 'service_one',
  createsTransaction: true,
  spends: makeQuoteSpending(RIDE, 'tier'),
  idempotency: 'required',
  status: 201,
  location: '/v1/rides/{ride_id}',
  input: strictObject({
    quote_id: idParam('Quote of quote_ride'),
    tier,
    passenger: Type.Optional(describeField('Passenger, if not the account holder', contact)),
    passenger_count: Type.Optional(passengerCount),
    notes: Type.Optional(nonBlankText(200, { description: 'Notes to the driver' })),
    payment: objectField('Payment', {
      method: Type.Enum(PAYMENT_METHODS_BY_KIND.ride, { description: 'Payment method' }),
      payment_token: paymentToken,
    }),
    expected_total: expectedTotal,
  }),
  output: ride,
  errors: [
    'quote_not_found',
    'quote_mismatch',
    'quote_expired',
    'quote_already_used',
    'payment_declined',
    'insufficient_funds',
    'tier_not_quoted',
    'tier_unavailable',
    'capacity_exceeded',
    'active_ride_exists',
  ],
  scenarios: RIDE_SCENARIOS,
  example: (done) => ({
    quote_id: done['quote_ride'].quote_id,
    tier: 'economy',
    payment: { method: 'card', payment_token: 'tok_ok' },
  }),
  cli: {
    command: 'rides request',
    danger: 'spend',
    columns: ['ride_id', 'tier', 'status', 'fare'],
    details: [
      'ride_id',
      'tier',
      'status',
      'pickup.name',
      'dropoff.name',
      'scheduled_for',
      'fare',
      'payment.method',
      'payment.status',
      'pickup_pin',
    ],
    next: 'dray rides track {ride_id}',
  },
  // Due events of this account may refund its wallet.
  touches: (_, { account }) => ({ owner: account.account_id }),
  async run(context, { quote_id, payment, passenger, passenger_count, notes, expected_total, ...input }) {
    const { tx, world, now, account } = context
    assertPaymentToken(payment)
    const record = await createRide({ tx, world, at: now }, account, {
      quoteId: quote_id,
      tier: input.tier,
      passenger: passenger ?? null,
      passengerCount: passenger_count ?? null,
      notes: notes ?? null,
      method: payment.method,
      token: payment.payment_token,
      expectedTotal: expected_total,
      scenario: readRideScenario(context.scenario),
      oneActiveRide: context.rules.oneActiveRide,
    })
    return serializeRide(tx, record, now)
  },
})
