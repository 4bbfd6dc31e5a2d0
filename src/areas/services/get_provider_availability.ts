import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { localStart } from '../../core/slots.ts'
import { toTimestamp } from '../../core/time.ts'
import { assertDateAhead } from './date-ahead.ts'
import { findDuration, findOffer, loadProvider } from './life/quote.ts'
import { type Job, listOpenStarts, slotOf } from './life/slots.ts'
import { availability, durationMinutes, providerId, serviceCode } from './schema.ts'
import type { ProviderRecord } from './store/providers.ts'

export const getProviderAvailability = defineOperation({
  name: 'get_provider_availability',
  area: 'services',
  summary: 'Show the open starts of a provider for a job',
  description:
    'Only starts from which on the whole job is free, at least an hour from now. Nothing is held until it is booked.',
  details: 'Worked out for each request: never keep them.',
  method: 'GET',
  path: '/v1/services/providers/{provider_id}/slots',
  scope: 'services.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({
    provider_id: providerId,
    date: Type.String({ format: 'date', description: 'First date, where the provider is' }),
    duration_minutes: Type.Optional(durationMinutes),
    service_code: Type.Optional(serviceCode),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 14, default: 1, description: 'How many dates' })),
  }),
  output: availability,
  errors: ['provider_not_found', 'service_not_offered', 'duration_not_allowed'],
  example: (done) => ({
    provider_id: done['search_service_providers'].data[0].provider_id,
    service_code: 'regular_clean',
    date: '2026-11-21',
  }),
  cli: {
    command: 'services slots',
    danger: 'read',
    columns: ['local_start', 'duration_minutes', 'starts_at'],
    details: ['starts_at', 'ends_at', 'duration_minutes'],
  },
  touches: ({ provider_id }) => ({ resource: provider_id }),
  async run({ tx, now }, { provider_id, date, days = 1, ...asked }) {
    const provider = await loadProvider(tx, provider_id)
    assertDateAhead(date, now, provider.time.timezone)
    const job = findJob(provider, asked)
    const starts = await listOpenStarts(tx, provider, now, { ...job, date, days })
    const { timezone } = provider.time
    return {
      provider_id,
      timezone,
      granularity_minutes: 30,
      duration_minutes: job.duration_minutes,
      date,
      as_of: toTimestamp(now),
      data: starts.map((at) => ({
        provider_id,
        starts_at: toTimestamp(at),
        ends_at: toTimestamp(slotOf(at, job).ends_at),
        duration_minutes: job.duration_minutes,
        local_start: localStart(at, timezone),
      })),
      has_more: false as const,
      next_cursor: null,
    }
  },
})

/** By duration alone the longest buffer counts, so that what is shown can be booked whatever the service is. */
function findJob(
  provider: ProviderRecord,
  { service_code, duration_minutes }: { service_code?: string; duration_minutes?: number },
): Job {
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
