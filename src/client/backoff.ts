const FIRST_MS = 200
const LONGEST_MS = 8_000

/** How long to wait before try `n + 2`: at most 0.2 s doubling to 8 s, all of it by chance (`chance` from 0 to 1). */
export function backoff(n: number, chance: number): number {
  return chance * Math.min(LONGEST_MS, FIRST_MS * 2 ** n)
}

/**
 * What `Retry-After` asks for, in milliseconds: seconds, or a date, which is measured by the service's own `Date` where it
 * gives one. 0 for what makes no sense.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  if (!/[A-Za-z]/.test(text)) return 0
  const sent = Date.parse(headers['date'] ?? '')
  const wait = Date.parse(text) - (Number.isNaN(sent) ? now : sent)
  return wait > 0 ? wait : 0
}
