/** Opening hours as people type them: `mon-fri 11-15,17:30-23 sat 12-02 sun closed`. */
import type { CommandContext } from '../../../cli/cli.ts'
import { assertProfileConfirmed } from '../../../cli/confirm.ts'
import { loadOperationHints } from '../../../cli/hints-of.ts'
import { AppError } from '../../../core/errors.ts'
import type { DayTimes, OpeningHours } from '../../../core/opening-hours.ts'
import { type Weekday, WEEKDAYS } from '../../../core/time.ts'
import { callOperation } from '../../operation.ts'

/** Returns the periods of words such as `11-15,17:30-23`, none for `closed`. Throws AppError('usage'). */
export function readTimes(words: readonly string[]): DayTimes[] {
  if (words.join('') === 'closed') return []
  return words
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '')
    .map((word) => {
      const [opens, closes, more] = word.split('-').map(readTime)
      if (opens === undefined || closes === undefined || more !== undefined || opens === '24:00')
        throw wrong(word, 'opening hours such as 11:00-15:00, or closed')
      return { opens, closes: closes === '24:00' ? '00:00' : closes }
    })
}

function readTime(text: string): string | undefined {
  const [, hour = '', minute = '00'] = /^([01]?\d|2[0-4])(?::([0-5]\d))?$/.exec(text) ?? []
  const time = `${hour.padStart(2, '0')}:${minute}`
  return hour === '' || time > '24:00' ? undefined : time
}

/** Returns the weekly hours that the words give; each day must be named. Throws AppError('usage'). */
export function readWeek(typed: readonly string[]): OpeningHours[] {
  const week = readDayTimes(typed)
  const missing = WEEKDAYS.filter((day) => !week.has(day))
  if (missing.length > 0)
    throw new AppError('usage', `Each day needs its hours. Missing: ${missing.join(', ')}.`, {
      hint: `For a day without hours add \`${missing[0]} closed\`.`,
    })
  return toHours(week)
}

/** Returns the weekly periods that the words give; a day that they do not name has none. Throws AppError('usage'). */
export function readSpans(typed: readonly string[]): OpeningHours[] {
  const spans = toHours(readDayTimes(typed))
  if (spans.length > 0) return spans
  throw new AppError('usage', 'Give days with their times, such as mon-fri 11:00-15:00, or --always.')
}

function toHours(week: ReadonlyMap<Weekday, readonly DayTimes[]>): OpeningHours[] {
  return WEEKDAYS.flatMap((day) => (week.get(day) ?? []).map((times) => ({ day, ...times })))
}

function readDayTimes(typed: readonly string[]): Map<Weekday, DayTimes[]> {
  const week = new Map<Weekday, DayTimes[]>()
  const words = typed.flatMap((text) =>
    text
      .toLowerCase()
      .replaceAll(/\s*,\s*/g, ',')
      .split(/\s+/),
  )
  for (let at = 0; at < words.length;) {
    const days = readDays(words[at] ?? '')
    const end = words.findIndex((word, index) => index > at && /^[a-z]/.test(word) && word !== 'closed')
    const times = words.slice(at + 1, end === -1 ? words.length : end)
    if (days === undefined) throw wrong(words[at] ?? '', 'days such as mon-fri, sat or daily')
    if (times.length === 0) throw wrong(words[at] ?? '', 'days with their hours, such as mon-fri 11-23')
    for (const day of days) {
      if (week.has(day)) throw new AppError('usage', `${day} is given twice.`)
      week.set(day, readTimes(times))
    }
    at += 1 + times.length
  }
  return week
}

/** Returns the days of a word such as `mon-fri`, `sat,sun`, `friday` or `daily`. */
function readDays(word: string): Weekday[] | undefined {
  if (word === 'daily') return [...WEEKDAYS]
  const ranges = word.split(',').map((part) => part.split('-').map(dayOf))
  const days = ranges.map(([first, last = first, more]) => {
    if (first === undefined || last === undefined || more !== undefined) return []
    const [from, to] = [WEEKDAYS.indexOf(first), WEEKDAYS.indexOf(last)]
    return Array.from(
      { length: ((to - from + 7) % 7) + 1 },
      (_, more) => WEEKDAYS[(from + more) % 7] ?? first,
    )
  })
  return days.some((each) => each.length === 0) ? undefined : days.flat()
}

const FULL_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function dayOf(name: string): Weekday | undefined {
  return WEEKDAYS.find((day, index) => name === day || name === FULL_NAMES[index])
}

function wrong(word: string, what: string): AppError {
  return new AppError('usage', `${JSON.stringify(word.slice(0, 40))} must be ${what}.`)
}

/** Sets hours of the store and shows all of them. */
export async function sendHours(
  cli: CommandContext,
  input: Record<string, unknown>,
  merchant?: string,
): Promise<number> {
  if (!cli.globals.dryRun) await assertProfileConfirmed(cli)
  const operation = {
    ...(await loadOperationHints('set_store_hours')),
    ...(await loadOperationHints('get_store_hours')),
  }
  const whole = { ...input, ...(merchant !== undefined && { merchant_id: merchant }) }
  return callOperation(
    cli,
    { ...operation, name: 'set_store_hours', read: false },
    { input: whole, said: whole },
  )
}
