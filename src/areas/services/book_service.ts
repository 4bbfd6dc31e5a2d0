import * as Type from 'typebox'
import type { ProblemFieldError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { makeQuoteSpending } from '../../core/resource.ts'
import {
  throwIfErrors,
  strictObject,
  contact,
  idParam,
  describeField,
  nonBlankText,
} from '../../core/schema.ts'
import { parseTimestamp } from '../../core/time.ts'
import { expectedTotal, paymentRequest, tokenFaults } from '../payments/schema.ts'
import { createBooking } from './lifecycle/creation.ts'
import { BOOKING_SCENARIOS, readBookingScenario } from './lifecycle/scenario.ts'
import { BOOKING } from './resource.ts'
import { serviceBooking, startsAt } from './schema.ts'
import { serializeBooking } from './views.ts'

export const bookService = defineOperation({
  name: 'book_service',
  area: 'services',
  summary: 'Book a quoted service and pay',
  description:
    'Requires an unexpired quote that the customer has seen, and charges its total. Without a start time, the provider responds within a day. Needs an active membership.',
  details: 'If another customer takes the start first, nothing is charged and the error lists free starts.',
  method: 'POST',
  path: '/v1/services/bookings',
  scope: 'services.book',
  entitlement: 'service_one',
  createsTransaction: true,
  spends: makeQuoteSpending(BOOKING),
  idempotency: 'required',
  status: 201,
  location: '/v1/services/bookings/{booking_id}',
  input: strictObject({
    quote_id: idParam('Quote of quote_service'),
    starts_at: Type.Optional(startsAt),
    preferred_window: Type.Optional(
      strictObject(
        {
          starts_at: Type.String({ format: 'date-time', description: 'Earliest start' }),
          ends_at: Type.String({ format: 'date-time', description: 'Latest start' }),
        },
        { description: 'Preferred window, if starts_at is not set. Default: any time' },
      ),
    ),
    contact: describeField('Contact', contact),
    notes: Type.Optional(nonBlankText(500, { description: 'Notes to the provider' })),
    access_notes: Type.Optional(nonBlankText(300, { description: 'Access notes' })),
    payment: describeField('Payment', paymentRequest),
    expected_total: expectedTotal,
  }),
  output: serviceBooking,
  errors: [
    'quote_not_found',
    'quote_mismatch',
    'quote_expired',
    'quote_already_used',
    'payment_declined',
    'insufficient_funds',
    'payment_method_not_accepted',
    'slot_unavailable',
    'window_invalid',
  ],
  scenarios: BOOKING_SCENARIOS,
  example: (done) => ({
    quote_id: done['quote_service'].quote_id,
    contact: { name: 'Ana Moreau', phone: '+442079460123' },
    payment: { method: 'card', payment_token: 'tok_ok' },
  }),
  cli: {
    command: 'services book',
    danger: 'spend',
    columns: ['booking_id', 'provider.name', 'service_name', 'status', 'slot.starts_at', 'price'],
    details: [
      'booking_id',
      'provider.name',
      'service_name',
      'status',
      'slot.starts_at',
      // Only the end of the window counts for who waits.
      { field: 'arrival_window.ends_at', label: 'ETA' },
      'price',
      'payment.method',
      'payment.status',
    ],
    next: 'dray services track {booking_id}',
  },
  // Due events of this account may refund its wallet.
  touches: (_, { account }) => ({ owner: account.account_id }),
  async run({ tx, world, now, account, scenario }, input) {
    const { payment, preferred_window: window } = input
    assertFits(input)
    const booking = await createBooking({ tx, world, at: now }, account.account_id, {
      quoteId: input.quote_id,
      startsAt: input.starts_at === undefined ? null : instantOf(input.starts_at),
      preferredWindow:
        window === undefined
          ? null
          : { starts_at: instantOf(window.starts_at), ends_at: instantOf(window.ends_at) },
      method: payment.method,
      token: payment.payment_token,
      contact: input.contact,
      notes: input.notes ?? null,
      accessNotes: input.access_notes ?? null,
      expectedTotal: input.expected_total,
      scenario: (hasSlot) => readBookingScenario(scenario, hasSlot),
    })
    return serializeBooking(tx, booking, now)
  },
})

function instantOf(timestamp: string): number {
  return parseTimestamp(timestamp) ?? 0
}

/**
 * Throws `invalid_request` when starts_at comes with preferred_window, or the token does not fit the payment method.
 */
function assertFits({
  payment,
  ...input
}: {
  payment: { method: string; payment_token?: string }
  starts_at?: string
  preferred_window?: object
}): void {
  const errors: ProblemFieldError[] = []
  if (input.starts_at !== undefined && input.preferred_window !== undefined) {
    errors.push({
      pointer: '/preferred_window',
      code: 'mutually_exclusive',
      detail: 'preferred_window goes without starts_at only',
    })
  }
  throwIfErrors([...errors, ...tokenFaults(payment)])
}
