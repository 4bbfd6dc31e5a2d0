import { AppError } from '../../core/errors.ts'
import { inThePast, localDate } from '../../core/time.ts'

/** Throws `invalid_request` for a date that is over in a zone: nothing is open on it. */
export function assertDateAhead(date: string, now: number, timezone: string): void {
  if (date >= localDate(now, timezone)) return
  const detail = inThePast('date', now, timezone)
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'date', code: 'out_of_range', detail }],
  })
}
