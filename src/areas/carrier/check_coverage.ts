import * as Type from 'typebox'
import { AppError, type FieldErrorCode } from '../../core/errors.ts'
import { roundPoint } from '../../core/geometry.ts'
import { defineOperation } from '../../core/operation.ts'
import {
  type CoverageRefusal,
  type Destination,
  findDestination,
  findDestinationAt,
} from '../../core/places/coverage.ts'
import { formatPostcode } from '../../core/places/postcode.ts'
import {
  strictObject,
  countryField,
  date,
  latitude,
  longitude,
  describeField,
  nullable,
  point,
  postalCode,
} from '../../core/schema.ts'
import { requireCarrierAgreement } from './access.ts'
import { makePlanner, type Planner } from './lifecycle/plan.ts'
import { SERVICE_LEVELS, type ServiceLevelCode } from './rules/rates.ts'
import { serviceLevel, serviceLevelCode, zone } from './schema.ts'

export const checkCoverage = defineOperation({
  name: 'check_coverage',
  area: 'carrier',
  summary: 'Check delivery coverage for a postcode or point',
  description: 'Takes a postcode with its country, or a point.',
  details:
    'Returns the service levels that go there with their delivery dates, or the reason if the place is not covered.',
  method: 'GET',
  path: '/v1/coverage',
  scope: 'coverage.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    postal_code: Type.Optional(postalCode),
    country_code: Type.Optional(countryField),
    latitude: Type.Optional(latitude),
    longitude: Type.Optional(longitude),
    service_level: Type.Optional(serviceLevelCode),
  }),
  output: strictObject({
    deliverable: Type.Boolean({ meaning: 'True if the address is covered' }),
    country_code: nullable('Country code (ISO 3166-1)', Type.String()),
    postal_code: nullable('Postcode', Type.String(), 'Postcode'),
    location: nullable('Location', point),
    zone: nullable('Price zone, A to D', zone),
    hub_id: nullable('Hub', Type.String()),
    service_levels: Type.Array(
      strictObject({
        ...serviceLevel.properties,
        estimated_delivery_date: describeField('Estimated delivery date', date),
      }),
      { meaning: 'Available service levels' },
    ),
    restrictions: Type.Array(Type.Enum(['no_saturday', 'islands_surcharge', 'po_box_refused'] as const), {
      meaning: 'Delivery restrictions',
    }),
    reason_code: nullable(
      'Reason code',
      Type.Enum(['not_served', 'remote_area', 'embargoed', 'unknown_postcode'] as const),
      'Reason',
    ),
  }),
  errors: [],
  example: () => ({ postal_code: 'SW1A 1AA', country_code: 'GB' }),
  cli: {
    command: 'carrier coverage',
    danger: 'read',
    flags: { country_code: 'country', service_level: 'service' },
    columns: ['deliverable', 'postal_code', 'zone', 'service_levels', 'restrictions', 'reason_code'],
    next: 'dray carrier rates',
    examples: [
      'dray carrier coverage --postal-code "SW1A 1AA" --country GB',
      'dray carrier coverage --point 51.5014,-0.1406 --service same_day',
    ],
  },
  async run(context, input) {
    const { postal_code, country_code, latitude: north, longitude: east } = readPlace(input)
    const planner = await makePlanner(context.tx, requireCarrierAgreement(context), context.now)
    const found =
      postal_code === undefined
        ? findDestinationAt({ latitude: north, longitude: east })
        : findDestination(country_code, postal_code)
    const place = {
      country_code: country_code ?? (typeof found === 'string' ? null : found.country_code),
      postal_code: postal_code === undefined ? null : formatPostcode(postal_code),
      location: postal_code === undefined ? roundPoint({ latitude: north, longitude: east }) : null,
    }
    return { ...place, ...toAnswer(planner, found, input.service_level) }
  },
})

type Place =
  | { postal_code: string; country_code: string; latitude?: never; longitude?: never }
  | { postal_code?: never; country_code?: never; latitude: number; longitude: number }

type Input = { postal_code?: string; country_code?: string; latitude?: number; longitude?: number }

/** Exactly one of a postcode with its country, and a point. */
function readPlace({ postal_code, country_code, latitude: north, longitude: east }: Input): Place {
  const byPoint = north !== undefined || east !== undefined
  if (byPoint && (postal_code !== undefined || country_code !== undefined)) {
    throw wrong('mutually_exclusive', [
      postal_code === undefined ? 'country_code' : 'postal_code',
      'latitude',
    ])
  }
  if (byPoint) {
    if (north === undefined || east === undefined)
      throw wrong('required', [north === undefined ? 'latitude' : 'longitude'])
    return { latitude: north, longitude: east }
  }
  if (postal_code === undefined)
    throw wrong('required', ['postal_code', ...(country_code === undefined ? ['country_code'] : [])])
  if (country_code === undefined) throw wrong('required', ['country_code'])
  return { postal_code, country_code }
}

function wrong(code: FieldErrorCode & ('required' | 'mutually_exclusive'), parameters: string[]): AppError {
  const detail = 'Use postal_code with country_code, or latitude with longitude.'
  const what =
    code === 'required' ? 'is required' : 'cannot be given together with the other way to name a place'
  return new AppError('invalid_request', detail, {
    errors: parameters.map((parameter) => ({ parameter, code, detail: `${parameter} ${what}` })),
  })
}

function toAnswer(
  planner: Planner,
  found: Destination | CoverageRefusal,
  wanted: ServiceLevelCode | undefined,
) {
  const nowhere = { deliverable: false, zone: null, hub_id: null, service_levels: [], restrictions: [] }
  if (typeof found === 'string') return { ...nowhere, reason_code: found }
  // The lightest parcel there is: what does not take that does not go there.
  const parcel = { weight_grams: 1, length_mm: 1, width_mm: 1, height_mm: 1 }
  const rates = SERVICE_LEVELS.filter(({ code }) => wanted === undefined || code === wanted).flatMap(
    (level) => planner.rate(level, { parcel, destination: found }) ?? [],
  )
  const [first] = rates
  if (first === undefined) return { ...nowhere, zone: found.zone, reason_code: 'not_served' as const }
  return {
    deliverable: true,
    zone: found.zone,
    hub_id: first.hub.hub_id,
    service_levels: rates.map(({ level, estimate }) => ({
      ...level,
      estimated_delivery_date: estimate.estimated_delivery_date,
    })),
    restrictions: found.restrictions,
    reason_code: null,
  }
}
