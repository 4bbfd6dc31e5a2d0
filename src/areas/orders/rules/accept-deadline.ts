const MINUTE = 60_000
/** How long an order waits to be accepted, and how long before its preparation a scheduled one begins to wait. */
const ACCEPT_WITHIN_MS = 10 * MINUTE
const SCHEDULED_AHEAD_MS = 30 * MINUTE

type Waiting = {
  /** When it was placed, or paid if that was later. */
  from: number
  scheduledFor: number | null
  prepMinutes: number
  /** When the store opens next; `from` while it is open. */
  opens: number
}

/** The instant at which an order that nobody accepts is rejected by itself. */
export function acceptDeadline({ from, scheduledFor, prepMinutes, opens }: Waiting): number {
  const asked = scheduledFor === null ? 0 : scheduledFor - prepMinutes * MINUTE - SCHEDULED_AHEAD_MS
  return Math.max(from, asked, opens) + ACCEPT_WITHIN_MS
}
