const MINUTE = 60_000
/** The time to accept an order. For a scheduled order it starts this long before its preparation. */
const ACCEPT_WITHIN_MS = 10 * MINUTE
const SCHEDULED_AHEAD_MS = 30 * MINUTE

type UnacceptedOrder = {
  /** The time at which it was placed or paid, whichever was later. */
  from: number
  scheduledFor: number | null
  prepMinutes: number
  /** The time at which the store opens next; equals `from` while it is open. */
  opens: number
}

/**
 * Returns the instant at which an order that is not accepted is rejected automatically
 * (docs/rules/food-and-stores.md#a-store-has-ten-minutes-to-accept).
 */
export function acceptDeadline({ from, scheduledFor, prepMinutes, opens }: UnacceptedOrder): number {
  const asked = scheduledFor === null ? 0 : scheduledFor - prepMinutes * MINUTE - SCHEDULED_AHEAD_MS
  return Math.max(from, asked, opens) + ACCEPT_WITHIN_MS
}
