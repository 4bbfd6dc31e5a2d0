/** The reason why a search finds no store, from what it has read and at most one search more. */
import type { Tx } from '../../core/db.ts'
import type { Empty } from '../../core/empty.ts'
import { isServed } from '../../core/places/service-area.ts'
import { localText, toTimestamp } from '../../core/time.ts'
import { listMerchantsBySeq } from '../merchants/store.ts'
import { findStores, type StoreWish } from './find-stores.ts'

export const NO_STORES = ['outside_area', 'none_near', 'no_delivery', 'no_match', 'closed_now'] as const

type NoStores = Empty<(typeof NO_STORES)[number]>

/** The nearest closed stores of which one may say when it opens. */
const LOOKS = 25

/** Returns why no store was found, with the next opening of the nearest one that matches. */
export async function whyNoStores(tx: Tx, wish: StoreWish): Promise<NoStores> {
  const { point, radius_m, kind, cuisine, q, fulfillment_type, include_closed = false } = wish
  const closed = include_closed ? undefined : await findClosed(tx, wish)
  if (closed !== undefined) return closed
  const isAny = (kind ?? cuisine ?? q ?? fulfillment_type) === undefined
  const none = (reason: NoStores['reason'], detail: string): NoStores => ({ reason, detail, next: null })
  if (!isServed(point))
    return none('outside_area', 'No store is there: the point is outside the area of the service.')
  if (isAny) return none('none_near', `No store is within ${radius_m} m of that point.`)
  return fulfillment_type === 'delivery' && (kind ?? cuisine ?? q) === undefined
    ? none('no_delivery', `No store within ${radius_m} m delivers to that point.`)
    : none('no_match', `No store within ${radius_m} m of that point matches.`)
}

/** Returns when the nearest of the stores that match opens; undefined when none matches. */
async function findClosed(tx: Tx, wish: StoreWish): Promise<NoStores | undefined> {
  const { clock } = wish
  const all = { ...wish, include_closed: true, sort: 'distance', isFew: true } as const
  const { shown } = await findStores(tx, all, { after: undefined, limit: LOOKS })
  if (shown.length === 0) return undefined
  const records = await listMerchantsBySeq(
    tx,
    shown.map(({ seq }) => seq),
  )
  const openings = records.flatMap(({ name, week, timezone, paused }) => {
    const opens = paused ? undefined : clock.nextOpening(week, timezone)
    return opens === undefined ? [] : [{ name, opens, local: localText(opens, timezone) }]
  })
  const [nearest] = openings
  const reason = 'closed_now'
  return nearest === undefined
    ? { reason, detail: 'No store that matches takes orders now, and none says when it will.', next: null }
    : {
        reason,
        detail: `No store that matches is open now: ${nearest.name} opens at ${nearest.local}, by the clock there.`,
        next: toTimestamp(nearest.opens),
      }
}
