import * as Type from 'typebox'
import { withEmptyReason, paginatedWithReason } from '../../core/empty-reason.ts'
import { foldForSearch } from '../../core/fold.ts'
import { defineOperation } from '../../core/operation.ts'
import { resolveSearchPoint } from '../../core/places/words.ts'
import { nearParams, strictObject, paginationParams, nonBlankText } from '../../core/schema.ts'
import { assertDateAhead } from './date-ahead.ts'
import { findProviders, PROVIDER_SORTS } from './find-providers.ts'
import { listProvidersBySeq } from './queries/providers.ts'
import { category, durationMinutes, provider, serviceCode } from './schema.ts'
import { serializeServiceProvider } from './views.ts'
import { NO_PROVIDERS, whyNoProviders } from './why-no-providers.ts'

export const searchServiceProviders = defineOperation({
  name: 'search_service_providers',
  area: 'services',
  summary: 'Find providers who come to a place, and their next free times',
  description: 'Lists providers who travel to the point. Availability changes; do not cache it.',
  details: 'With a date, lists providers with a free start on it.',
  method: 'GET',
  path: '/v1/services/providers',
  scope: 'services.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    ...nearParams,
    category: Type.Optional(category),
    service_code: Type.Optional(serviceCode),
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Date on which the provider has a free start, in local time',
      }),
    ),
    duration_minutes: Type.Optional(durationMinutes),
    available_now: Type.Optional(Type.Boolean({ description: 'Providers available now only' })),
    q: Type.Optional(nonBlankText(80, { description: 'Part of a name, category or service' })),
    sort: Type.Optional(Type.Enum(PROVIDER_SORTS, { default: 'distance', description: 'Sort order' })),
    ...paginationParams,
  }),
  output: paginatedWithReason(provider, NO_PROVIDERS, 'worker'),
  errors: ['invalid_cursor', 'address_unresolvable'],
  brief: {
    usual:
      'provider_id,name,categories,services.service_code,services.name,services.pricing.model,services.pricing.price,services.default_duration_minutes,services.slot_required,rating,timezone,distance_m,availability.available_now,availability.next_available_at',
  },
  example: () => ({ latitude: 51.5188, longitude: -0.0814, category: 'cleaning' }),
  cli: {
    command: 'services providers',
    danger: 'read',
    positionals: ['q...'],
    flags: {
      service_code: 'service',
      duration_minutes: 'duration',
      'latitude,longitude': { flag: 'near', required: true },
    },
    columns: [
      'name',
      'categories',
      'distance_m',
      'rating',
      'availability.next_available_at',
      'languages',
      'provider_id',
    ],
    next: 'dray services slots',
    instead: { no_open_start: '--date {next}' },
    examples: [
      'dray services providers --near kings-cross --category cleaning',
      'dray services providers plumber --near 51.5129,-0.0823 --date tomorrow --sort soonest',
    ],
  },
  async run({ tx, world, now, cursor }, { sort = 'distance', q, available_now = false, ...input }) {
    const point = resolveSearchPoint(input)
    const { category: kind, service_code, date, duration_minutes } = input
    if (date !== undefined) assertDateAhead(date, now, world.timezone)
    const wish = {
      point,
      category: kind,
      service_code,
      date,
      duration_minutes,
      available_now,
      q: q === undefined ? undefined : foldForSearch(q),
      sort,
    }
    const found = await findProviders(tx, now, wish, {
      after: cursor.after?.map(Number),
      limit: cursor.limit + 1,
    })
    const records = await listProvidersBySeq(
      tx,
      found.map(({ seq }) => seq),
    )
    const rows = found.flatMap((each, index) => {
      const record = records[index]
      return record === undefined ? [] : [{ ...each, record }]
    })
    const shown = cursor.page(
      rows,
      ({ keys }) => [...keys],
      ({ record, nextAt }) => serializeServiceProvider(record, { point, nextAt, now }),
    )
    return withEmptyReason(cursor, shown, () => whyNoProviders(tx, now, wish))
  },
})
