const FIRST_MS = 200
const MAX_BACKOFF_MS = 8_000

/** Returns the milliseconds to wait before attempt `n + 2`: at most 0.2 s, doubling to 8 s, times `chance` (0 to 1). */
export function backoff(n: number, fraction: number): number {
  return fraction * Math.min(MAX_BACKOFF_MS, FIRST_MS * 2 ** n)
}

/**
 * Returns the delay of `Retry-After` in milliseconds. It may be seconds, or a date, which is measured by the
 * service's own `Date` header if there is one. Returns 0 for an invalid value.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  if (!/[A-Za-z]/.test(text)) return 0
  const sent = Date.parse(headers['date'] ?? '')
  const wait = Date.parse(text) - (Number.isNaN(sent) ? now : sent)
  return wait > 0 ? wait : 0
}
