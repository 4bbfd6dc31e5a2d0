/** Reads days, as spreadsheets of all countries write them. */
import { makeCellIssue, type ParseResult } from '../csv/cells.ts'
import { monthOf } from '../csv/months.ts'
import { dayOfSerial } from '../csv/serial-days.ts'

/** Which of two numbers between strokes is the day. */
export type DateOrder = 'day' | 'month'

/** Two numbers and perhaps a year between strokes or hyphens: `24/12/2026`, `1-12-26`, `01/12`. */
const STROKES = /^(\d{1,2})([/-])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/
/** The start of a day, which some programs write behind each. */
const MIDNIGHT = /[T\s]+0{1,2}:00(?::00(?:\.0+)?)?\s*(?:am|Z|[+-]00:?00)?$/i

/** The days of a spreadsheet that begin in the years 2000 to 2099: a bare number of them may be one. */
const [FIRST_DAY, LAST_DAY] = [36_526, 73_050]

/** Returns which number is the day in a column: some of its cells can be read in one way only. Undefined for none, or both ways. */
export function findDateOrder(cells: readonly string[]): DateOrder | undefined {
  const orders = new Set(
    cells.flatMap((cell): DateOrder[] => {
      const [, first, , second] = STROKES.exec(partOf(cell)) ?? []
      const [one, two] = [Number(first), Number(second)]
      if (one > 12 && two <= 12) return ['day']
      return two > 12 && one <= 12 ? ['month'] : []
    }),
  )
  return orders.size === 1 ? [...orders][0] : undefined
}

/** Returns the first cell of a column that can mean two days; undefined where each has one meaning, or its order is known. */
export function findOpenDate(cells: readonly string[], order: DateOrder | undefined): string | undefined {
  return cells.find((cell) => {
    const reading = readDate(cell, order)
    return 'fault' in reading && reading.fault.code === 'ambiguous_date' && STROKES.test(partOf(cell))
  })
}

/** Returns a cell without blanks around it and the time of midnight. */
function partOf(cell: string): string {
  return cell.trim().replace(MIDNIGHT, '')
}

/** Reads a day: in the form of ISO 8601, with the name of its month, or in numbers, whose order `order` says where they leave it open. */
export function readDate(text: string, order: DateOrder | undefined): ParseResult<string> {
  const own = partOf(text)
  const serial = /^\d{5}$/.test(own) ? Number(own) : 0
  if (serial >= FIRST_DAY && serial <= LAST_DAY) {
    const day = dayOfSerial(serial)
    return makeCellIssue(
      'ambiguous_date',
      `A spreadsheet counts days so: ${own} may be ${day}. Write the day.`,
      day,
    )
  }
  const found = STROKES.exec(own)
  return found === null ? toDay(namedParts(own) ?? partsOf(own)) : readNumbers(found, order)
}

function readNumbers(
  [, first = '', , second = '', year]: readonly string[],
  order: DateOrder | undefined,
): ParseResult<string> {
  const [one, two] = [Number(first), Number(second)]
  const isOpen = one <= 12 && two <= 12 && one !== two && one * two > 0
  if (isOpen && order === undefined)
    return makeCellIssue(
      'ambiguous_date',
      `It can mean ${nameOf(one, two, year)} or ${nameOf(two, one, year)}; say which with --date-order day|month, or write it like 2026-11-30.`,
    )
  const isDayFirst = isOpen ? order === 'day' : one > 12 || two <= 12
  return toDay(isDayFirst ? [year, second, first] : [year, first, second])
}

type Parts = readonly [year: string | undefined, month: string, day: string]

/** Years first, or days first between points. */
function partsOf(text: string): Parts | undefined {
  const [, year, , month, day] = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? []
  if (month !== undefined && day !== undefined) return [year, month, day]
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/.exec(text)
  return dotted === null ? undefined : [dotted[3], dotted[2] ?? '', dotted[1] ?? '']
}

/** A day with the name of its month, on either side of it, and perhaps the name of the day before both. */
function namedParts(text: string): Parts | undefined {
  const own = text.replace(/^\p{L}{2,10}[.,]?\s+(?=\d|\p{L})/u, (word) => (monthOf(word) === 0 ? '' : word))
  const named =
    /^(?<day>\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]+(?:de\s+)?(?<month>\p{L}{3,10})\.?,?[\s-]+(?:de\s+)?(?<year>\d{4}|\d{2})$/iu.exec(
      own,
    ) ??
    /^(?<month>\p{L}{3,10})\.?[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(?<year>\d{4}|\d{2})$/iu.exec(own)
  const { day = '', month = '', year } = named?.groups ?? {}
  const place = month === '' ? 0 : monthOf(month)
  return place === 0 ? undefined : [year, String(place), day]
}

function toDay(parts: Parts | undefined): ParseResult<string> {
  const [year = '', month = '', day = ''] = parts ?? []
  const value = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${value}T00:00:00Z`)
  const isDay = year !== '' && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
  return isDay ? { value } : makeCellIssue('invalid_format', 'It is not a day; write it like 2026-11-30.')
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

function nameOf(day: number, month: number, year: string | undefined): string {
  const whole = year?.length === 2 ? ` 20${year}` : year === undefined ? '' : ` ${year}`
  return `${day} ${MONTHS[month - 1]}${whole}`
}
