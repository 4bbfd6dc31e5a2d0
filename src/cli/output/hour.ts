import { cellText } from './cell.ts'
import type { RenderOptions } from './render-options.ts'

/** Returns the time of day of an instant, with its date if that differs from `today`. */
export function formatTimeOfDay(at: string, today: string, renderOptions: RenderOptions): string {
  const [date, hour] = split(at, renderOptions)
  return date === split(today, renderOptions)[0] ? hour : `${date} ${hour}`
}

function split(at: string, renderOptions: RenderOptions): [date: string, hour: string] {
  const text = cellText(at, 'at', { ...renderOptions, tty: true })
  const [, date = '', hour = text] = /^(.*) (\d\d:\d\d) \S+$/.exec(text) ?? []
  return [date, hour]
}
