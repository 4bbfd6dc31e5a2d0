import * as Type from 'typebox'
import { assertWithinCeiling } from '../../core/ceilings.ts'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { assertPlaces, strictObject, describeField, placeField } from '../../core/schema.ts'
import { describeServiceClock, describePastTime, parseTimestamp } from '../../core/time.ts'
import { ifAbsent } from '../proofs/schema.ts'
import { saveQuote } from '../quotes/lifecycle.ts'
import { priceDelivery } from './lifecycle/quote.ts'
import { deliveryQuoteSchema, parcelRequest, vehicleType } from './schema.ts'
import { serializeDeliveryQuote } from './views.ts'

/** The longest time ahead at which a parcel may become ready. */
const READY_WITHIN_MS = 7 * 86_400_000
/** A request takes its time, and people say hours and minutes. */
const READY_SINCE_MS = 5 * 60_000

export const quoteDelivery = defineOperation({
  name: 'quote_delivery',
  area: 'delivery',
  summary: 'Price a courier delivery between two points',
  description:
    'Returns the price, the vehicle, the courier’s ETA at both ends and a quote_id valid for 5 minutes. Requests nothing and reserves no courier.',
  details:
    'The delivery costs the quoted price. The ETAs include the couriers’ current jobs. If no courier is free within an hour, the quote is rejected.',
  method: 'POST',
  path: '/v1/deliveries/quote',
  scope: 'delivery.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    pickup: describeField('Pickup place', placeField),
    dropoff: describeField('Drop-off place', placeField),
    parcel: describeField('Parcel', parcelRequest),
    pickup_ready_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Earliest pickup time, within 7 days. Default: now',
      }),
    ),
    vehicle_type: Type.Optional(vehicleType),
    if_absent: Type.Optional(ifAbsent),
  }),
  output: deliveryQuoteSchema,
  errors: [
    'address_unresolvable',
    'outside_service_area',
    'pickup_equals_dropoff',
    'distance_limit_exceeded',
    'parcel_limits_exceeded',
    'amount_too_large',
    'prohibited_item',
    'currency_mismatch',
    'no_courier_available',
    'options_conflict',
  ],
  example: () => ({
    pickup: { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' },
    dropoff: {
      address: { line1: '12 Finsbury Square', city: 'London', postal_code: 'EC2A 1AN', country_code: 'GB' },
    },
    parcel: { size: 'small', weight_grams: 300, description: 'A set of keys' },
  }),
  cli: {
    command: 'delivery quote',
    danger: 'read',
    columns: ['quote_id', 'vehicle_type', 'road_distance_m', 'total', 'dropoff_eta_at', 'expires_at'],
  },
  async run({ tx, world, now, account }, input) {
    assertPlaces({ '/pickup': input.pickup, '/dropoff': input.dropoff })
    const { value, requires_id = false, weight_grams } = input.parcel
    assertCurrency(value, world.currency)
    assertWithinCeiling('courier_goods', value, { pointer: '/parcel/value' })
    const doc = await priceDelivery(
      { tx, world, now },
      {
        pickup: input.pickup,
        dropoff: input.dropoff,
        parcel: {
          size: input.parcel.size,
          weight_grams: weight_grams ?? null,
          description: input.parcel.description,
          value: value ?? null,
          requires_id,
        },
        pickup_ready_at: readReady(input.pickup_ready_at, now),
        vehicle_type: input.vehicle_type,
        if_absent: input.if_absent ?? 'return',
      },
    )
    return serializeDeliveryQuote(
      await saveQuote({ tx, world, at: now }, account.account_id, 'delivery', doc),
      account,
    )
  },
})

function assertCurrency(value: { currency: string } | undefined, currency: string): void {
  if (value === undefined || value.currency === currency) return
  const detail = `value must be in ${currency}`
  throw new AppError('currency_mismatch', `${detail}.`, {
    errors: [{ pointer: '/parcel/value/currency', code: 'invalid_enum', detail }],
  })
}

/**
 * Returns the time at which the parcel is ready; null when it is ready now. Throws `invalid_request` when it is too
 * late or past.
 */
function readReady(text: string | undefined, now: number): number | null {
  const at = text === undefined ? undefined : parseTimestamp(text)
  if (at === undefined || (at <= now && at >= now - READY_SINCE_MS)) return null
  if (at > now && at <= now + READY_WITHIN_MS) return at
  const detail =
    at < now
      ? describePastTime('pickup_ready_at', now)
      : `pickup_ready_at must be within the next 7 days: ${describeServiceClock(now)}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/pickup_ready_at', code: 'out_of_range', detail }],
  })
}
