/** Problems with a ride, a run or a visit, which its record decides at once. Pure. */
import { AppError } from '../../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import type { Money } from '../../../core/money.ts'
import { formatLocalDateTime, toTimestamp } from '../../../core/time.ts'

const HOUR_MS = 3_600_000
/** The time in which a problem may be reported. */
const REPORT_HOURS = 48

/** A problem that was paid for. Times in milliseconds. */
export type ReportedProblem = {
  problem_id: string
  at: number
  reason_code: string
  note: string | null
  /** All that was given for it: the refund, and the goodwill. */
  amount: Money
  refund_id: string | null
  /** The gift to the wallet beyond what was paid. */
  goodwill: Money | null
}

/** A resource about which a problem is reported: its name, such as `Ride rid_1`, and where it stands. */
type ProblemSubject = { name: string; status: string; problems: readonly ReportedProblem[] }

/** Returns the refusal of a problem. `why` is the sentence without its end. */
export function refuseProblem(
  { status }: Pick<ProblemSubject, 'status'>,
  why: string,
  extra: object = {},
): AppError {
  return new AppError('adjustment_not_allowed', `${why}.`, { extra: { current_status: status, ...extra } })
}

/**
 * Throws `problem_window_over` later than 48 hours after an instant (milliseconds), which `since` names, and `adjustment_not_allowed`
 * for a second report.
 */
export function assertReportInTime(
  subject: ProblemSubject,
  now: number,
  { at, since }: { at: number; since: string },
): void {
  const { name, status, problems } = subject
  const [before] = problems
  if (before !== undefined)
    throw refuseProblem(subject, `${name} was reported already`, { problem_id: before.problem_id })
  if (now > at + REPORT_HOURS * HOUR_MS)
    throw new AppError('problem_window_over', `${name} ${since} more than ${REPORT_HOURS} hours ago.`, {
      extra: { current_status: status },
    })
}

/** Returns the error for a worker who came in time: with the promised time, and the time of arrival. */
export function refuseInTime(
  subject: ProblemSubject,
  { promised, came, grace }: { promised: number | null; came: number | null; grace: string },
): AppError {
  const said = (at: number): string => formatLocalDateTime(at, MARKET_TIMEZONE)
  const why =
    promised === null
      ? `${subject.name} has no recorded promise`
      : `${subject.name} was promised for ${said(promised)} and ${came === null ? 'has no recorded arrival' : `came at ${said(came)}`}: ${grace}`
  return refuseProblem(subject, why, {
    ...(promised !== null && { promised_at: toTimestamp(promised) }),
    ...(came !== null && { came_at: toTimestamp(came) }),
  })
}
