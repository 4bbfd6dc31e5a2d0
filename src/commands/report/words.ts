/** The words of reports for periods, changes and spans of time. */
import { isBad } from '../../cli/output/colour.ts'
import {
  type BucketUnit,
  toReportDate,
  type ReportDays,
  type Period,
  startOfReportDay,
  type TimeRange,
} from '../../core/period.ts'
import { localDate, localTime, toWeekdayNumber } from '../../core/time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Returns the period with its dates: `Today, Fri 20 Nov 2026, until 14:32`. */
export function periodWords(period: Period): string {
  const { name, timezone, open, from, to } = period
  const days = daysOf(period)
  const until = open ? `, until ${localTime(to - 1, timezone)}` : ''
  const names = { today: 'Today', yesterday: 'Yesterday', week: 'This week', month: 'This month', range: '' }
  const named = names[name] === '' ? '' : `${names[name]}, `
  if (isDayStart(from, days) && (open || isDayStart(to, days)))
    return `${named}${daysWords({ from, to }, days)}${until}`
  return `${momentWords(from, timezone)} to ${momentWords(open ? to - 1 : to, timezone)}`
}

/** Returns the name of the time before: `yesterday until 14:32`. */
export function besideWords(period: Period): string {
  const { name, timezone, open, to, before } = period
  const days = daysOf(period)
  const until = open ? ` until ${localTime(to - 1, timezone)}` : ''
  switch (name) {
    case 'today':
      return `yesterday${until}`
    case 'yesterday':
      return 'the day before'
    case 'week':
      return `last week until ${weekday(toReportDate(before.to - 1, days))}${until.slice(6)}`
    case 'month':
      return `last month until ${dayWords(toReportDate(before.to - 1, days))}${until.replace(' until', '')}`
    case 'range':
      return isDayStart(before.from, days) && isDayStart(before.to, days)
        ? daysWords(before, days)
        : `${momentWords(before.from, timezone)} to ${momentWords(before.to, timezone)}`
  }
}

/** Returns a short name for the time before, which fits beside a chart. */
export function beforeName({ name }: Period): string {
  if (name === 'today') return 'yesterday'
  return name === 'week' || name === 'month' ? `last ${name}` : 'before'
}

/** Returns the name of a part of a timeline below its axis, and in full. */
export function partWords(
  part: TimeRange,
  unit: BucketUnit,
  period: Period,
): { label: string; name: string } {
  const { timezone } = period
  const days = daysOf(period)
  // An hour after midnight has the date of the calendar, though its business day began before.
  const date = unit === 'hour' ? localDate(part.from, timezone) : toReportDate(part.from, days)
  const [day, month] = [Number(date.slice(8)), MONTHS[Number(date.slice(5, 7)) - 1] ?? '']
  const short = `${day} ${month}`
  switch (unit) {
    case 'hour': {
      const time = localTime(part.from, timezone)
      const isOneDay = toReportDate(period.from, days) === toReportDate(period.to - 1, days)
      return { label: time.slice(0, 2), name: isOneDay ? time : `${short} ${time}` }
    }
    case 'day': {
      const name = `${weekday(date)} ${short}`
      if (period.name === 'week') return { label: weekday(date), name }
      return { label: period.name === 'month' ? String(day) : short, name }
    }
    case 'week':
      return { label: short, name: `week of ${short}` }
    case 'month':
      return { label: month, name: `${month} ${date.slice(0, 4)}` }
  }
}

/** Returns a change: `+18%`, `-2%`, `same`, `new`; empty where nothing was before and nothing is. */
export function changeWords(value: number, before: number): string {
  if (before === 0) return value === 0 ? '' : 'new'
  const change = Math.round(((value - before) / before) * 100)
  if (value === before) return 'same'
  if (change === 0) return value > before ? '+0%' : '-0%'
  return `${change > 0 ? '+' : '-'}${Math.abs(change).toLocaleString('en-GB')}%`
}

/** Returns a change within a sentence: `18% more than yesterday`. */
export function moreWords(value: number, before: number, beside: string): string {
  const change = Math.round((Math.abs(value - before) / before) * 100)
  if (value === before) return `as much as ${beside}`
  const much = change === 0 ? 'a little' : `${change.toLocaleString('en-GB')}%`
  return `${much} ${value > before ? 'more' : 'less'} than ${beside}`
}

/** Returns a share of a whole: `39%`. */
export function shareWords(value: number, whole: number): string {
  if (whole === 0) return ''
  // Rounded down: all but one on time is not 100%.
  const share = Math.floor((value * 100) / whole)
  return value > 0 && share === 0 ? 'under 1%' : `${share}%`
}

/** Returns a span: `40 s`, `2 min 10 s`, `14 min`, `2 h 5 min`. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return ''
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10 && seconds % 60 > 0) return `${minutes} min ${seconds % 60} s`
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Returns a count with its noun: `1 order`, `2,310 orders`. */
export function formatCountWithNoun(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns a word of the interface as people write it: `out for delivery`. */
export function humanizeKey(name: string): string {
  return name.replaceAll('_', ' ')
}

function daysOf({ days, timezone }: Period): ReportDays {
  return { kind: days, timezone }
}

function daysWords({ from, to }: TimeRange, days: ReportDays): string {
  const [first, last] = [toReportDate(from, days), toReportDate(to - 1, days)]
  if (first === last) return `${weekday(first)} ${dayWords(first)} ${first.slice(0, 4)}`
  const start = first.slice(0, 7) === last.slice(0, 7) ? String(Number(first.slice(8))) : dayWords(first)
  const year = first.slice(0, 4) === last.slice(0, 4) ? '' : ` ${first.slice(0, 4)}`
  return `${start}${year} to ${dayWords(last)} ${last.slice(0, 4)}`
}

function dayWords(date: string): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1] ?? ''}`
}

function momentWords(at: number, timezone: string): string {
  const date = localDate(at, timezone)
  return `${dayWords(date)} ${date.slice(0, 4)} ${localTime(at, timezone)}`
}

function weekday(date: string): string {
  return DAYS[toWeekdayNumber(date) - 1] ?? ''
}

function isDayStart(at: number, days: ReportDays): boolean {
  return at === startOfReportDay(toReportDate(at, days), days)
}

/** Returns whether a count is of what was lost: of such a state, or rejected for a reason. */
export function isLost(count: object): boolean {
  return 'reason_code' in count || ('status' in count && isBad(String(count.status)))
}
