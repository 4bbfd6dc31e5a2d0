/** The open starts of some days as a grid: a column for each day, a row for each half hour. Pure. */
import { makePaint } from '../../cli/output/colour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { truncateToWidth, pad } from '../../cli/output/text.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { addDays, WEEKDAYS, toWeekdayNumber } from '../../core/time.ts'

type Slot = OperationOutput<'get_provider_availability'>['data'][number]

const HALF_HOUR = 30
/** `09:00` and a space. */
const MARGIN = 6
/** `Sat 21` and a space. */
const COLUMN = 7

export type AvailableDays = {
  /** The first date, where the provider is, and how many follow it. */
  date: string
  days: number
  slots: readonly Slot[]
}

/** Lines of the grid: as many days beside each other as fit, the others below. */
export function gridText({ date, days, slots }: AvailableDays, renderOptions: RenderOptions): string {
  const dates = Array.from({ length: days }, (_, index) => addDays(date, index))
  const open = Map.groupBy(slots, ({ local_start }) => local_start.slice(0, 10))
  if (renderOptions.accessible === true)
    return dates.map((day) => spoken(day, open.get(day) ?? [])).join('\n')
  const across = Math.max(1, Math.floor((renderOptions.width - MARGIN) / COLUMN))
  const blocks: string[] = []
  for (let start = 0; start < dates.length; start += across)
    blocks.push(block(dates.slice(start, start + across), open, renderOptions))
  return blocks.join('\n\n')
}

type Open = ReadonlyMap<string, readonly Slot[]>

function block(dates: readonly string[], open: Open, renderOptions: RenderOptions): string {
  const style = makePaint(renderOptions.colour)
  const head = style.bold(`${' '.repeat(MARGIN)}${dates.map((date) => pad(heading(date), COLUMN)).join('')}`)
  const starts = new Set(dates.flatMap((date) => (open.get(date) ?? []).map(timeOf)))
  const rows = listTimes([...starts].toSorted()).map((time) => {
    const cells = dates.map((date) => {
      const isOpen = (open.get(date) ?? []).some((slot) => timeOf(slot) === time)
      const mark = pad(isOpen ? '●' : '·', COLUMN)
      return isOpen ? style.green(mark) : style.dim(mark)
    })
    return `${time} ${cells.join('')}`
  })
  const none =
    rows.length === 0 ? [truncateToWidth(`${' '.repeat(MARGIN)}no free starts`, renderOptions.width)] : []
  return [head, ...rows, ...none].map((line) => line.trimEnd()).join('\n')
}

/** Every half hour from the first to the last, so that what is taken shows as a gap. */
function listTimes(sorted: readonly string[]): string[] {
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const times = new Set(sorted)
  for (let minute = minutesOf(first); minute <= minutesOf(last); minute += HALF_HOUR)
    times.add(`${two(Math.floor(minute / 60))}:${two(minute % 60)}`)
  return [...times].toSorted()
}

/** `Sat 21` */
export function heading(date: string): string {
  const day = WEEKDAYS[toWeekdayNumber(date) - 1] ?? ''
  return `${day.charAt(0).toUpperCase()}${day.slice(1)} ${date.slice(8)}`
}

export function timeOf({ local_start }: Slot): string {
  return local_start.slice(11, 16)
}

function spoken(date: string, slots: readonly Slot[]): string {
  return `${heading(date)}: ${slots.length === 0 ? 'no free starts' : slots.map(timeOf).join(', ')}`
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
