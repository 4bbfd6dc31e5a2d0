import { URGENT_MS, computeMsLeftToAccept } from '../../areas/orders/rules/waiting.ts'
/** The sounds of the wall: for new orders until each is accepted or silenced, and for a lost connection. Pure. */
import type { Order } from './order.ts'

/** Two rising tones for a new order, three low ones where it is nearly lost, and a long one for a lost connection. */
export type Sound = 'news' | 'urgent' | 'lost'

export type SoundMemory = {
  /** The time at which each sounded last, by a monotonic clock in milliseconds. */
  news: number
  urgent: number
  /** The orders that have sounded. */
  announced: ReadonlySet<string>
  /** True once the present loss of the connection has sounded. */
  isLossSaid: boolean
}

export const NO_SOUND_YET: SoundMemory = {
  news: -Infinity,
  urgent: -Infinity,
  announced: new Set(),
  isLossSaid: false,
}

const NEWS_AGAIN_MS = 15_000
const URGENT_AGAIN_MS = 10_000
const LOSS_AFTER_MS = 20_000

export type SoundScene = {
  orders: readonly Order[]
  silenced: ReadonlySet<string>
  /** The service's clock, which decides how much is left. */
  now: number
  /** A monotonic clock, which never stands still. */
  elapsed: number
  /** The time since when there is no connection, by the monotonic clock. */
  lostSince: number | undefined
}

/** Returns the orders that sound: new ones that wait for the store and are not silenced. */
function listSounding({ orders, silenced }: Pick<SoundScene, 'orders' | 'silenced'>): Order[] {
  return orders.filter(
    ({ status, accept_by, order_id }) => status === 'placed' && accept_by !== null && !silenced.has(order_id),
  )
}

/** Returns the sound that is due, if any, and what is remembered from now on. */
export function planSound(
  scene: SoundScene,
  memory: SoundMemory,
): { sound: Sound | undefined; memory: SoundMemory } {
  const { now, elapsed, lostSince } = scene
  const sounding = listSounding(scene)
  const announced = new Set(sounding.map(({ order_id }) => order_id))
  const next = { ...memory, announced, isLossSaid: lostSince !== undefined && memory.isLossSaid }
  const isUrgent = sounding.some((order) => (computeMsLeftToAccept(order, now) ?? Infinity) <= URGENT_MS)
  const isNew = sounding.some(({ order_id }) => !memory.announced.has(order_id))
  if (lostSince !== undefined && !memory.isLossSaid && elapsed - lostSince >= LOSS_AFTER_MS)
    return { sound: 'lost', memory: { ...next, isLossSaid: true } }
  if (isUrgent && elapsed - memory.urgent >= URGENT_AGAIN_MS)
    return { sound: 'urgent', memory: { ...next, urgent: elapsed } }
  if (sounding.length > 0 && (isNew || (!isUrgent && elapsed - memory.news >= NEWS_AGAIN_MS)))
    return { sound: 'news', memory: { ...next, news: elapsed } }
  return { sound: undefined, memory: next }
}
