/** The flags of reports, and the period that they mean. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, Positional } from '../../cli/command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import { requireMoment, fetchServiceTime } from '../../cli/moment.ts'
import { AppError } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { isCurrency } from '../../core/money.ts'
import {
  toReportDate,
  type DayKind,
  type ReportDays,
  namedPeriod,
  type Period,
  PERIOD_NAMES,
  rangePeriod,
  startOfReportDay,
} from '../../core/period.ts'
import { addDays, describeServiceClock, isDate, localDate } from '../../core/time.ts'

export const PERIOD = {
  name: 'period',
  description: 'Default: today; a week begins on Monday',
  choices: PERIOD_NAMES,
} as const satisfies Positional

export const REPORT_FLAGS = [
  { flag: 'from', kind: 'text', value: 'TIME', description: 'first day, or a start time: 2026-11-01' },
  { flag: 'to', kind: 'text', value: 'TIME', description: 'last day, included; or an end time, excluded' },
  {
    flag: 'timezone',
    kind: 'text',
    value: 'ZONE',
    description: `time zone of days. Default: ${MARKET_TIMEZONE}`,
  },
  {
    flag: 'currency',
    kind: 'text',
    value: 'CODE',
    description: 'currency to report on, such as GBP',
  },
  {
    flag: 'csv',
    kind: 'boolean',
    description: 'rows for a spreadsheet, with amounts such as 12.50; --output csv is for programs',
  },
  {
    flag: 'html',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'write',
    description: 'also write a page with charts; - for standard output',
  },
  FORCE_FLAG,
] as const satisfies readonly Flag[]

/** The most days of a report: every order or parcel of them is read. */
const MAX_REPORT_DAYS = 366
const DAY_MS = 86_400_000

type PeriodArgs = {
  period?: string | undefined
  from?: string | undefined
  to?: string | undefined
  timezone?: string | undefined
  currency?: string | undefined
}

/** Returns the period of a report in days of a kind, by the service's clock, and its present time. Throws AppError('usage'). */
export async function readPeriod(
  cli: CommandContext,
  given: PeriodArgs,
  kind: DayKind,
): Promise<{ period: Period; now: number }> {
  const timezone = given.timezone ?? MARKET_TIMEZONE
  assertZone(timezone)
  const days = { kind, timezone }
  if (given.currency !== undefined && !isCurrency(given.currency.toUpperCase()))
    throw new AppError('usage', `--currency ${JSON.stringify(given.currency.slice(0, 40))} is no currency.`, {
      hint: 'Give an ISO 4217 code such as GBP.',
    })
  const name = PERIOD_NAMES.find((each) => each === (given.period ?? 'today'))
  if (name === undefined)
    throw new AppError('usage', `Unknown period ${JSON.stringify(given.period?.slice(0, 40))}.`, {
      hint: `Use ${PERIOD_NAMES.join(', ')}, or --from and --to.`,
    })
  if (given.from === undefined && given.to === undefined) {
    const now = await fetchServiceTime(await cli.client())
    return { period: namedPeriod(name, now, days), now }
  }
  if (given.period !== undefined)
    throw new AppError('usage', `Give ${given.period}, or --from and --to, not both.`)
  if (given.from === undefined)
    throw new AppError('usage', '--to needs --from.', {
      hint: 'For example --from 2026-11-01 --to 2026-11-07.',
    })
  return readRange(cli, { from: given.from, to: given.to, days })
}

async function readRange(
  cli: CommandContext,
  { days, ...given }: { from: string; to: string | undefined; days: ReportDays },
): Promise<{ period: Period; now: number }> {
  const { timezone } = days
  const now = await fetchServiceTime(await cli.client())
  const moment = (typed: string, flag: string) =>
    requireMoment(cli, typed, { flag, zone: timezone, now: async () => now, examples: '2026-11-01 or -7d' })
  const [first, last] = [dayNamed(given.from, now, days), dayNamed(given.to ?? '', now, days)]
  const from = first === undefined ? await moment(given.from, '--from') : startOfReportDay(first, days)
  // A day counts whole: its report ends when the next one begins.
  const to =
    given.to === undefined
      ? now + 1
      : last === undefined
        ? await moment(given.to, '--to')
        : startOfReportDay(addDays(last, 1), days)
  if (from > now)
    throw new AppError('usage', `--from is in the future: ${describeServiceClock(now, timezone)}.`)
  if (from >= to) throw new AppError('usage', '--from must be before --to.')
  if (Math.min(to, now) - from > (MAX_REPORT_DAYS + 1) * DAY_MS)
    throw new AppError('usage', `A report covers at most ${MAX_REPORT_DAYS} days.`, {
      hint: 'Make one report per year.',
    })
  return { period: rangePeriod({ from, to }, now, days), now }
}

/** Returns the date that a text names, as a date or a word; undefined for a time. */
function dayNamed(typed: string, now: number, days: ReportDays): string | undefined {
  const word = typed.trim().toLowerCase()
  if (isDate(word)) return word
  const today = toReportDate(now, days)
  return word === 'today' ? today : word === 'yesterday' ? addDays(today, -1) : undefined
}

function assertZone(timezone: string): void {
  try {
    localDate(0, timezone)
  } catch {
    throw new AppError('usage', `--timezone ${JSON.stringify(timezone.slice(0, 40))} is no time zone.`, {
      hint: 'Time zones have names such as Europe/London or America/New_York.',
    })
  }
}
