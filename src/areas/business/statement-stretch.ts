import { AppError } from '../../core/errors.ts'
import { type TimeRange, toBusinessInstant } from '../../core/period.ts'

const DAY_MS = 86_400_000
export const MAX_STATEMENT_DAYS = 366

/**
 * Returns the stretch of time of a statement; a date is a business day of the store. Throws `invalid_request` for one that is empty
 * or too long.
 */
export function toStatementStretch(asked: { from: string; to: string }, timezone: string): TimeRange {
  const [from, to] = [
    toBusinessInstant(asked.from, timezone) ?? 0,
    toBusinessInstant(asked.to, timezone) ?? 0,
  ]
  const detail =
    from >= to
      ? 'to must be after from'
      : to - from > (MAX_STATEMENT_DAYS + 1) * DAY_MS
        ? `to must be within ${MAX_STATEMENT_DAYS} days after from`
        : undefined
  if (detail === undefined) return { from, to }
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'to', code: 'out_of_range', detail }],
  })
}
