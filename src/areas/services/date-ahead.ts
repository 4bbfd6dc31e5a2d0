import { AppError } from '../../core/errors.ts'
import { addDays, describeServiceClock, describePastTime, localDate } from '../../core/time.ts'
import { MAX_DAYS_AHEAD } from './rules.ts'

/** Returns whether a date is neither past in a time zone nor too far ahead. */
export function isDateAhead(date: string, now: number, timezone: string): boolean {
  const today = localDate(now, timezone)
  return date >= today && date <= addDays(today, MAX_DAYS_AHEAD)
}

/** Throws `invalid_request` for a date that is past in a time zone or too far ahead. */
export function assertDateAhead(date: string, now: number, timezone: string): void {
  if (isDateAhead(date, now, timezone)) return
  const detail =
    date < localDate(now, timezone)
      ? describePastTime('date', now, timezone)
      : `date must be within ${MAX_DAYS_AHEAD} days: ${describeServiceClock(now, timezone)}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'date', code: 'out_of_range', detail }],
  })
}
