/** The times at which an item is on sale: within the weekly periods of its own, and of its section. Pure; local time of the market. */
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { makeOpeningClock } from '../../../core/opening-hours.ts'

/** The packed weeks of an item and of its section; null: at any time. */
export type ItemSchedule = { schedule: string | null; category: { schedule: string | null } }

const DAY_MS = 86_400_000
/** Two schedules that do not meet within so many days never do. */
const DAYS_AHEAD = 22

/** Returns whether both schedules of an item have this instant in one of their periods. */
export function isScheduled(item: ItemSchedule, at: number): boolean {
  return weeksOf(item).every((week) => isWithinWeek(week, at))
}

/** Returns whether a week has an instant in one of its periods. */
export function isWithinWeek(week: string | null, at: number): boolean {
  return week === null || makeOpeningClock(at).isOpen(week, MARKET_TIMEZONE)
}

/** Returns the first instant from `at` on that both schedules have in a period; undefined if they never meet. */
export function scheduledFrom(item: ItemSchedule, at: number): number | undefined {
  const weeks = weeksOf(item)
  for (let from = at; from <= at + DAYS_AHEAD * DAY_MS;) {
    const clock = makeOpeningClock(from)
    const opens = weeks.map((week) => clock.nextOpening(week, MARKET_TIMEZONE) ?? Infinity)
    const next = Math.max(from, ...opens)
    if (next === from) return from
    from = next
  }
  return undefined
}

/** Returns an instant until which no schedule of the item begins or ends a period: Infinity without one. */
export function scheduleHoldsUntil(item: ItemSchedule, at: number): number {
  const clock = makeOpeningClock(at)
  const ends = weeksOf(item).map((week) =>
    clock.isOpen(week, MARKET_TIMEZONE)
      ? clock.closesAt(week, MARKET_TIMEZONE)
      : clock.nextOpening(week, MARKET_TIMEZONE),
  )
  return Math.min(...ends.map((end) => end ?? Infinity))
}

function weeksOf({ schedule, category }: ItemSchedule): string[] {
  return [schedule, category.schedule].filter((week) => week !== null)
}
