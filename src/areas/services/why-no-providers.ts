/** The reason why a search finds no provider, from one search more without the wishes about time. */
import type { Tx } from '../../core/db.ts'
import { type EmptyReason, emptyReason } from '../../core/empty-reason.ts'
import { isPointServed } from '../../core/places/service-area.ts'
import { localDate, formatLocalDateTime, toTimestamp } from '../../core/time.ts'
import { isDateAhead } from './date-ahead.ts'
import { findProviders, type ProviderWish } from './find-providers.ts'
import { LOOK_AHEAD_DAYS } from './lifecycle/slots.ts'
import { listProvidersBySeq } from './queries/providers.ts'

export const NO_PROVIDERS = ['outside_area', 'no_match', 'no_open_start', 'nobody_now'] as const

type NoProviders = EmptyReason<(typeof NO_PROVIDERS)[number]>

/**
 * Returns why none was found. `next` is the first date from the wished one on that has a start, within two weeks; for
 * `nobody_now` the instant of the first start.
 */
export async function whyNoProviders(tx: Tx, now: number, wish: ProviderWish): Promise<NoProviders> {
  const { point, category, service_code, q, date } = wish
  const anyTime = {
    ...wish,
    available_now: false,
    sort: 'soonest',
    days: LOOK_AHEAD_DAYS,
    booked_too: true,
  } as const
  const [first] = await findProviders(tx, now, anyTime, { after: undefined, limit: 1 })
  const [provider] = first === undefined ? [] : await listProvidersBySeq(tx, [first.seq])
  if (provider === undefined)
    return (category ?? service_code ?? q) === undefined || !isPointServed(point)
      ? emptyReason('outside_area', 'No provider travels to that point.')
      : emptyReason('no_match', 'No provider who travels to that point offers this.')
  const { timezone } = provider.time
  const at = first?.start
  const day = at === undefined ? undefined : localDate(at, timezone)
  if (at === undefined || day === undefined || !isDateAhead(day, now, timezone))
    return emptyReason(
      'no_open_start',
      `No matching provider has a free start within ${LOOK_AHEAD_DAYS} days of ${date ?? 'now'}.`,
    )
  const firstOf = `The first free start is with ${provider.name} at ${formatLocalDateTime(at, timezone)} local time.`
  return date === undefined || date === day
    ? emptyReason('nobody_now', `No matching provider is available now. ${firstOf}`, toTimestamp(at))
    : emptyReason('no_open_start', `No matching provider has a free start on ${date}. ${firstOf}`, day)
}
