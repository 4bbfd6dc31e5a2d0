/**
 * Working days: the days on which the carrier collects and delivers
 * (docs/rules/time-and-places.md#working-days-leave-out-bank-holidays).
 */
import { isHoliday } from './bank-holidays.ts'
import { addDays, toWeekdayNumber } from './time.ts'

/** Returns true for Monday to Friday, and for Saturday if `saturday` is set; never on a bank holiday. */
export function isWorkingDay(date: string, { saturday = false }: { saturday?: boolean } = {}): boolean {
  return toWeekdayNumber(date) <= (saturday ? 6 : 5) && !isHoliday(date)
}

/** Returns the date that is a number of working days later. */
export function addWorkingDays(date: string, days: number, options: { saturday?: boolean } = {}): string {
  let later = date
  for (let day = 0; day < days; day++) later = nextWorkingDay(later, options)
  return later
}

/** Returns the first working day after a date. */
export function nextWorkingDay(date: string, options: { saturday?: boolean } = {}): string {
  let next = addDays(date, 1)
  while (!isWorkingDay(next, options)) next = addDays(next, 1)
  return next
}
