import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { assertPlaces, strictObject, describeField, placeField, nonBlankText } from '../../core/schema.ts'
import { parseTimestamp } from '../../core/time.ts'
import { saveQuote } from '../quotes/lifecycle.ts'
import { priceBooking } from './lifecycle/quote.ts'
import { durationMinutes, providerId, serviceCode, serviceQuoteSchema, startsAt } from './schema.ts'
import { serializeServiceQuote } from './views.ts'

export const quoteService = defineOperation({
  name: 'quote_service',
  area: 'services',
  summary: 'Price a home service at a place',
  description:
    'Returns labour, call-out and travel, tax included, and a quote_id valid for 15 minutes. Show the price to the customer, then book. Books nothing and reserves no slot.',
  method: 'POST',
  path: '/v1/services/bookings/quote',
  scope: 'services.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    provider_id: providerId,
    service_code: serviceCode,
    place: describeField('Service address', placeField),
    duration_minutes: Type.Optional(durationMinutes),
    starts_at: Type.Optional(startsAt),
    notes: Type.Optional(nonBlankText(500, { description: 'Notes to the provider' })),
  }),
  output: serviceQuoteSchema,
  errors: [
    'provider_not_found',
    'slot_unavailable',
    'service_not_offered',
    'duration_not_allowed',
    'outside_service_area',
    'address_unresolvable',
  ],
  example: (done) => ({
    provider_id: done['search_service_providers'].data[0].provider_id,
    service_code: 'regular_clean',
    place: { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' },
    starts_at: done['get_provider_availability'].data[0].starts_at,
  }),
  cli: {
    command: 'services quote',
    danger: 'read',
    columns: ['quote_id', 'provider_name', 'service_name', 'total', 'expires_at'],
  },
  touches: ({ provider_id }) => ({ resource: provider_id }),
  async run({ tx, world, now, account }, { starts_at, notes, duration_minutes, ...input }) {
    assertPlaces({ '/place': input.place })
    const doc = await priceBooking(tx, now, {
      ...input,
      duration_minutes,
      starts_at: starts_at === undefined ? null : (parseTimestamp(starts_at) ?? 0),
      notes: notes ?? null,
    })
    return serializeServiceQuote(
      await saveQuote({ tx, world, at: now }, account.account_id, 'service', doc),
      account,
    )
  },
})
