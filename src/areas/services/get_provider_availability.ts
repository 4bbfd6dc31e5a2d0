import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { localStart } from '../../core/slots.ts'
import { addDays, resolveLocalTime, toTimestamp } from '../../core/time.ts'
import { assertDateAhead } from './date-ahead.ts'
import { findDuration, findOffer, loadProvider } from './lifecycle/quote.ts'
import { type ServiceJob, listOpenStarts, slotOf } from './lifecycle/slots.ts'
import type { ProviderRecord } from './queries/providers.ts'
import { availability, durationMinutes, providerId, serviceCode } from './schema.ts'
import { whyNoStarts } from './why-no-starts.ts'

export const getProviderAvailability = defineOperation({
  name: 'get_provider_availability',
  area: 'services',
  summary: 'Show a provider’s free start times for a job',
  description:
    'Lists starts at least an hour ahead with enough free time for the whole job. A start is not reserved until it is booked.',
  details: 'Start times change; do not cache them.',
  method: 'GET',
  path: '/v1/services/providers/{provider_id}/slots',
  scope: 'services.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    provider_id: providerId,
    date: Type.String({ format: 'date', description: 'First date, in the provider’s time zone' }),
    duration_minutes: Type.Optional(durationMinutes),
    service_code: Type.Optional(serviceCode),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 14, default: 1, description: 'Number of dates' }),
    ),
    view: Type.Optional(
      Type.Enum(['starts', 'days'] as const, {
        default: 'starts',
        description: 'Grouping; days returns one row per date, with local times',
      }),
    ),
  }),
  output: availability,
  errors: ['provider_not_found', 'service_not_offered', 'duration_not_allowed'],
  brief: {
    long: { view: 'days' },
    rest: 'fewer days with view: starts give each start',
  },
  example: (done) => ({
    provider_id: done['search_service_providers'].data[0].provider_id,
    service_code: 'regular_clean',
    date: '2026-11-21',
  }),
  cli: {
    command: 'services slots',
    danger: 'read',
    columns: [
      { field: 'local_start', label: 'Start' },
      { field: 'duration_minutes', label: 'Minutes' },
      { field: 'starts_at', label: 'Starts at' },
    ],
    details: [
      { field: 'starts_at', label: 'Starts at' },
      { field: 'ends_at', label: 'Ends at' },
      { field: 'duration_minutes', label: 'Minutes' },
    ],
    instead: {
      closed_that_day: '--date {next}',
      too_long: '--date {next}',
      too_soon: '--date {next}',
      fully_booked: '--date {next}',
    },
  },
  touches: ({ provider_id }) => ({ resource: provider_id }),
  async run({ tx, now }, { provider_id, date, days = 1, view, ...asked }) {
    const provider = await loadProvider(tx, provider_id)
    assertDateAhead(date, now, provider.time.timezone)
    const job = findJob(provider, asked)
    const starts = await listOpenStarts({ tx, at: now }, provider, { ...job, date, days })
    const { timezone } = provider.time
    return {
      provider_id,
      timezone,
      granularity_minutes: 30,
      duration_minutes: job.duration_minutes,
      date,
      as_of: toTimestamp(now),
      data:
        view === 'days'
          ? toDays(starts, timezone, { date, days })
          : starts.map((at) => ({
              provider_id,
              starts_at: toTimestamp(at),
              ends_at: toTimestamp(slotOf(at, job).ends_at),
              duration_minutes: job.duration_minutes,
              local_start: localStart(at, timezone),
            })),
      has_more: false as const,
      next_cursor: null,
      ...(starts.length === 0 && { empty: await whyNoStarts(tx, provider, now, { ...job, date, days }) }),
    }
  },
})

type Row = Type.Static<typeof availability>['data'][number]

/** Returns a row for each date, also for one without starts. */
function toDays(
  starts: readonly number[],
  timezone: string,
  { date, days }: { date: string; days: number },
): Row[] {
  const dates = Array.from({ length: days }, (_, index) => addDays(date, index))
  const local = starts.map((at) => localStart(at, timezone))
  const rows = dates.flatMap((each) => {
    const own = local.filter((start) => start.startsWith(each))
    const offsets = Map.groupBy(own.length > 0 ? own : [noonOf(each, timezone)], (start) => start.slice(19))
    return [...offsets].map(([utc_offset, times]) => ({
      date: each,
      utc_offset,
      starts: own.length > 0 ? times.map((start) => start.slice(11, 16)) : [],
    }))
  })
  return rows as unknown as Row[]
}

function noonOf(date: string, timezone: string): string {
  return localStart(resolveLocalTime(date, '12:00', timezone), timezone)
}

/** By duration alone the longest buffer counts, so that what is shown can be booked whatever the service is. */
function findJob(
  provider: ProviderRecord,
  { service_code, duration_minutes }: { service_code?: string; duration_minutes?: number },
): ServiceJob {
  if (service_code !== undefined) {
    const offer = findOffer(provider, service_code, { parameter: 'service_code' })
    const minutes = findDuration(provider, offer, duration_minutes, { parameter: 'duration_minutes' })
    return { duration_minutes: minutes, buffer_minutes: offer.buffer_minutes }
  }
  if (duration_minutes === undefined) {
    const detail = 'duration_minutes is required without service_code'
    throw new AppError('invalid_request', `${detail}.`, {
      errors: [{ parameter: 'duration_minutes', code: 'required', detail }],
    })
  }
  const buffers = provider.doc.services.map(({ buffer_minutes }) => buffer_minutes)
  return { duration_minutes, buffer_minutes: Math.max(0, ...buffers) }
}
