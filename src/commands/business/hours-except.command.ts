import { askValues } from '../../cli/ask-values.ts'
import { type CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { requireMoment } from '../../cli/moment.ts'
import { AppError } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { addDays, isDate, localDate } from '../../core/time.ts'
import { readTimes, sendHours } from './hours/times.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** The most days that one command sets; the service keeps no more. */
const MAX_EXCEPTION_DAYS = 100

/** `dray business hours except DATE closed`: hours of a single day, or of some days in a row. */
export const businessHoursExcept = defineCommand({
  words: 'business hours except',
  summary: 'Set the opening hours of single days',
  description:
    'Up to a year ahead, in local time of the store. The hours replace those of the week on that day: periods (10-14,18-22), closed, or usual for the weekly hours again. --to gives all days up to another date the same hours.',
  danger: 'write',
  answer: { of: ['set_store_hours'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'date', description: 'date, such as 2026-12-25 or tomorrow' },
    { name: 'hours', repeat: true, description: 'periods such as 10-14, closed, or usual' },
  ],
  flags: [
    { flag: 'to', kind: 'text', value: 'DATE', description: 'last day, for several days' },
    MERCHANT_FLAG,
  ],
  examples: [
    'dray business hours except 2026-12-25 closed',
    'dray business hours except 2026-12-24 10-14',
    'dray business hours except 2026-12-24 closed --to 2027-01-01',
    'dray business hours except 2026-12-24 usual',
  ],
  async run(cli, { date, hours = [], to, merchant }) {
    const asked = await askValues(cli, [
      ...(date === undefined ? [DATE] : []),
      ...(hours.length === 0 ? [HOURS] : []),
    ])
    const typed = hours.length === 0 ? [asked.hours ?? ''] : hours
    const words = typed.flatMap((text) => text.toLowerCase().split(/\s+/))
    const spans = words.join('') === 'usual' ? null : readTimes(words)
    const first = await readDate(cli, date ?? asked.date ?? '', 'DATE')
    const last = to === undefined ? first : await readDate(cli, to, '--to')
    const days = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1
    if (days < 1 || days > MAX_EXCEPTION_DAYS)
      throw new AppError(
        'usage',
        `--to must be at most ${MAX_EXCEPTION_DAYS - 1} days after ${first}, not ${last}.`,
      )
    const dates = Array.from({ length: days }, (_, more) => ({ date: addDays(first, more), spans }))
    return sendHours(cli, { dates }, merchant)
  },
})

const DATE = {
  key: 'date',
  flag: 'DATE',
  value: '2026-12-25',
  description: 'date, such as 2026-12-25 or tomorrow',
} as const

const HOURS = {
  key: 'hours',
  flag: 'HOURS',
  value: 'closed',
  description: 'periods such as 10-14, closed, or usual',
} as const

async function readDate(cli: CommandContext, typed: string, flag: string): Promise<string> {
  if (isDate(typed)) return typed
  const at = await requireMoment(cli, typed, { flag, examples: '2026-12-25 or tomorrow' })
  return localDate(at, MARKET_TIMEZONE)
}
