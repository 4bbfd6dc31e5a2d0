import { cellText } from './cell.ts'
import type { Manner } from './manner.ts'

/** The time of day of an instant; with its date when that is not the date of `today`. */
export function hourOf(at: string, today: string, manner: Manner): string {
  const [date, hour] = split(at, manner)
  return date === split(today, manner)[0] ? hour : `${date} ${hour}`
}

function split(at: string, manner: Manner): [date: string, hour: string] {
  const text = cellText(at, 'at', { ...manner, tty: true })
  const [, date = '', hour = text] = /^(.*) (\d\d:\d\d) \S+$/.exec(text) ?? []
  return [date, hour]
}
