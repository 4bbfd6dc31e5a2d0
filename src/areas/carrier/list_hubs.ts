import * as Type from 'typebox'
import { emptyReason, withEmptyReason, paginatedWithReason } from '../../core/empty-reason.ts'
import { AppError } from '../../core/errors.ts'
import { haversineMetres } from '../../core/geometry.ts'
import { defineOperation } from '../../core/operation.ts'
import { findDestination } from '../../core/places/coverage.ts'
import { strictObject, countryField, paginationParams, postalCode } from '../../core/schema.ts'
import { requireCarrierAgreement } from './access.ts'
import { type Hub, listAgreementHubs } from './queries/hubs.ts'
import { hub } from './schema.ts'

const ALL_CLOSED = emptyReason('all_closed', 'All hubs of your agreement are closed now.')

export const listHubs = defineOperation({
  name: 'list_hubs',
  area: 'carrier',
  summary: 'List the hubs that collect your parcels',
  description: 'Lists them in the carrier’s order or, with a postcode, nearest first.',
  method: 'GET',
  path: '/v1/hubs',
  scope: 'coverage.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    postal_code: Type.Optional(postalCode),
    country_code: Type.Optional(countryField),
    active: Type.Optional(
      Type.Boolean({ default: true, description: 'Open hubs only (true) or closed hubs only (false)' }),
    ),
    ...paginationParams,
  }),
  output: paginatedWithReason(hub, ['all_closed']),
  errors: ['invalid_cursor', 'address_unresolvable'],
  example: () => ({}),
  cli: {
    command: 'carrier hubs',
    danger: 'read',
    flags: { country_code: 'country' },
    columns: [
      'code',
      'name',
      'address.postal_code',
      'collection.days',
      'collection.cutoff',
      'service_levels',
    ],
    instead: { all_closed: '--no-active' },
    examples: ['dray carrier hubs', 'dray carrier hubs --postal-code "EC3M 7AW" --country GB'],
  },
  async run(context, { postal_code, country_code, active = true }) {
    const { tx, cursor } = context
    const own = await listAgreementHubs(tx, requireCarrierAgreement(context))
    const hubs = own.filter((each) => each.active === active)
    const distance = distanceFrom(postal_code, country_code)
    const rows = hubs
      .map((each, order) => ({ hub: each, keys: [distance(each), order] as const }))
      .toSorted((a, b) => a.keys[0] - b.keys[0] || a.keys[1] - b.keys[1])
    const start =
      cursor.after === undefined ? 0 : 1 + rows.findIndex(({ keys }) => keys[1] === cursor.after?.[1])
    const shown = cursor.page(
      rows.slice(start, start + cursor.limit + 1),
      ({ keys }) => [...keys],
      (row) => row.hub,
    )
    return withEmptyReason(cursor, shown, () => (active && own.length > 0 ? ALL_CLOSED : undefined))
  },
})

/** Whole metres to a postcode; without one, every hub is equally far. */
function distanceFrom(postalCode: string | undefined, country: string | undefined): (hub: Hub) => number {
  if (postalCode === undefined && country === undefined) return () => 0
  if (postalCode === undefined || country === undefined) {
    const parameter = postalCode === undefined ? 'postal_code' : 'country_code'
    const detail = `${parameter} is required with the other of postal_code and country_code`
    throw new AppError('invalid_request', `${detail}.`, { errors: [{ parameter, code: 'required', detail }] })
  }
  const found = findDestination(country, postalCode)
  if (typeof found !== 'string') return ({ location }) => Math.round(haversineMetres(found.area, location))
  const detail = `The postcode ${postalCode} of ${country} is unknown.`
  throw new AppError('address_unresolvable', detail, {
    errors: [{ parameter: 'postal_code', code: 'invalid_format', detail }],
  })
}
