/** The reason why a search finds no store, from what it has read and at most one search more. */
import type { Tx } from '../../core/db.ts'
import { type EmptyReason, emptyReason } from '../../core/empty-reason.ts'
import { isPointServed } from '../../core/places/service-area.ts'
import { formatLocalDateTime, toTimestamp } from '../../core/time.ts'
import { listMerchantsBySeq } from '../merchants/queries.ts'
import { findStores, type StoreWish } from './find-stores.ts'

export const NO_STORES = ['outside_area', 'none_near', 'no_delivery', 'no_match', 'closed_now'] as const

type NoStores = EmptyReason<(typeof NO_STORES)[number]>

/** The nearest closed stores of which one may say when it opens. */
const LOOKS = 25

/** Returns why no store was found, with the next opening of the nearest one that matches. */
export async function whyNoStores(tx: Tx, wish: StoreWish): Promise<NoStores> {
  const { point, radius_m, kind, cuisine, q, fulfillment_type, include_closed = false } = wish
  const closed = include_closed ? undefined : await findClosed(tx, wish)
  if (closed !== undefined) return closed
  if (!isPointServed(point))
    return emptyReason('outside_area', 'No stores there: the point is outside the service area.')
  const isNarrowed = (kind ?? cuisine ?? q) !== undefined
  if (!isNarrowed && fulfillment_type === undefined)
    return emptyReason('none_near', `No store is within ${radius_m} m of that point.`)
  if (!isNarrowed && fulfillment_type === 'delivery')
    return emptyReason('no_delivery', `No store within ${radius_m} m delivers to that point.`)
  return emptyReason('no_match', `No stores within ${radius_m} m of that point match.`)
}

/** Returns when the nearest of the stores that match opens; undefined when none matches. */
async function findClosed(tx: Tx, wish: StoreWish): Promise<NoStores | undefined> {
  const all = { ...wish, include_closed: true, sort: 'distance', isFew: true } as const
  const { shown } = await findStores(tx, all, { after: undefined, limit: LOOKS })
  if (shown.length === 0) return undefined
  const records = await listMerchantsBySeq(
    tx,
    shown.map(({ seq }) => seq),
  )
  for (const { name, week, timezone, paused_until } of records) {
    const opens = wish.clock.nextOpening(week, timezone, paused_until)
    if (opens === undefined) continue
    const detail = `No matching store is open now: ${name} opens at ${formatLocalDateTime(opens, timezone)} local time.`
    return emptyReason('closed_now', detail, toTimestamp(opens))
  }
  return emptyReason('closed_now', 'No matching store takes orders now, and none has a known opening time.')
}
