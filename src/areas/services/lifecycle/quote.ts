/** The price of a service at a place, and whether it could be had. Changes nothing. */
import type { Tx } from '../../../core/db.ts'
import { AppError, type ErrorCode } from '../../../core/errors.ts'
import { haversineMetres } from '../../../core/geometry.ts'
import { computeIncludedTax } from '../../../core/money.ts'
import type { Place, ResolvedPlace } from '../../../core/places/place.ts'
import { locatePlace } from '../../../core/places/words.ts'
import { findProvider, type ProviderRecord } from '../queries/providers.ts'
import { durationFault, priceService, type ServiceOffer, type ServiceQuoteDoc } from '../rules.ts'
import { assertStartOpen } from './slots.ts'

export type ServiceQuoteRequest = {
  provider_id: string
  service_code: string
  place: Place
  duration_minutes: number | undefined
  starts_at: number | null
  notes: string | null
}

/** Prices a request as of `now`, or throws the first reason why it could not be booked. */
export async function priceBooking(
  tx: Tx,
  now: number,
  request: ServiceQuoteRequest,
): Promise<ServiceQuoteDoc> {
  const provider = await loadProvider(tx, request.provider_id)
  const offer = findOffer(provider, request.service_code)
  const minutes = findDuration(provider, offer, request.duration_minutes)
  const place = findPlace(provider, request.place)
  const { doc } = provider
  const distance_m = Math.round(haversineMetres(provider.location, place.location))
  const { lines, total } = priceService(offer, doc.travel, { minutes, distance_m })
  const { buffer_minutes } = offer
  if (request.starts_at !== null)
    await assertStartOpen(
      { tx, at: now },
      provider,
      { duration_minutes: minutes, buffer_minutes, place },
      request.starts_at,
    )
  return {
    provider_id: provider.provider_id,
    provider_name: provider.name,
    service_code: offer.service_code,
    service_name: offer.name,
    duration_minutes: minutes,
    buffer_minutes,
    slot_required: offer.slot_required,
    place,
    starts_at: request.starts_at,
    notes: request.notes,
    lines,
    total,
    tax_included: computeIncludedTax(total, doc.tax_rate_bps),
  }
}

/** Throws `provider_not_found`. */
export async function loadProvider(tx: Tx, providerId: string): Promise<ProviderRecord> {
  const provider = await findProvider(tx, providerId)
  if (provider !== undefined) return provider
  throw new AppError('provider_not_found', `No provider ${providerId.slice(0, 60)}.`, {
    extra: { operations: ['search_service_providers'] },
    hint: 'search_service_providers finds providers for a place.',
  })
}

/** Throws `service_not_offered`; `parameter` where the code was no field of a body. */
export function findOffer(
  { name, doc }: ProviderRecord,
  serviceCode: string,
  where: { pointer: string } | { parameter: string } = { pointer: '/service_code' },
): ServiceOffer {
  const offer = doc.services.find(({ service_code }) => service_code === serviceCode)
  if (offer !== undefined) return offer
  const codes = doc.services.map(({ service_code }) => service_code).join(', ')
  const detail = `${name} offers ${codes}, but not ${serviceCode.slice(0, 60)}`
  throw new AppError('service_not_offered', `${detail}.`, {
    errors: [{ ...where, code: 'invalid_enum', detail }],
  })
}

/** The minutes that a job takes. Throws `duration_not_allowed`. */
export function findDuration(
  { name }: ProviderRecord,
  offer: ServiceOffer,
  minutes: number | undefined,
  where: { pointer: string } | { parameter: string } = { pointer: '/duration_minutes' },
): number {
  if (minutes === undefined) return offer.default_duration_minutes
  const fault = durationFault(offer, minutes)
  if (fault === undefined) return minutes
  const detail = `${name} does not do ${offer.service_code} in ${minutes} minutes: ${fault}`
  throw new AppError('duration_not_allowed', `${detail}.`, {
    errors: [{ ...where, code: 'out_of_range', detail }],
  })
}

function findPlace({ name, location, doc }: ProviderRecord, asked: Place): ResolvedPlace {
  const place = locatePlace(asked, '/place')
  const distance = Math.round(haversineMetres(location, place.location))
  const { radius_m } = doc.travel
  if (distance <= radius_m) return place
  const detail = `${name} travels up to ${radius_m} m; place is ${distance} m away`
  throw refuse('outside_service_area', detail, 'out_of_range')
}

function refuse(code: ErrorCode, detail: string, kind: 'invalid_format' | 'out_of_range'): AppError {
  return new AppError(code, `${detail}.`, { errors: [{ pointer: '/place', code: kind, detail }] })
}
