/** A simple model of a provider's calendar, to compare with the service. It uses none of the service's code. */
import { isClosedDay } from './bank-holidays.ts'

const HALF_HOUR = 1_800_000
const MINUTE = 60_000
const HOUR = 3_600_000

export type PaperCalendar = {
  /** Returns whether `halfHours` are open from an instant on, for a customer next door to all others. */
  isOpen(at: number, halfHours: number, now: number): boolean
  /** Returns the open starts on a date for any customer, ascending. */
  startsOn(date: string, halfHours: number, now: number): number[]
  /** Returns the open starts after an instant for a customer next door to all others, ascending. */
  startsAfter(at: number, halfHours: number, now: number, count: number): number[]
  /** Books a visit, with travel time before and after it. */
  take(id: string, at: number, visit: { halfHours: number; minutes: number }): void
  free(id: string): void
  /** Returns the booked instants. */
  taken(): number[]
}

/** The opening hours. `ways` are the minutes of travel before and after a visit. */
type Hours = { opens: number; closes: number; ways: { before: number; after: number } }

/**
 * Makes the calendar of a provider in London who works the same full winter hours on all days except Sundays and bank
 * holidays.
 */
export function paperCalendar({ opens, closes, ways }: Hours): PaperCalendar {
  const held = new Map<number, string>()
  const onTheWay = new Map<string, { from: number; until: number }>()
  const isOnTheWay = (at: number): boolean =>
    [...onTheWay.values()].some(({ from, until }) => at < until && at + HALF_HOUR > from)
  const works = (at: number): boolean => {
    const date = new Date(at)
    const hour = date.getUTCHours() + date.getUTCMinutes() / 60
    if (isClosedDay(date.toISOString().slice(0, 10))) return false
    return at % HALF_HOUR === 0 && date.getUTCDay() !== 0 && hour >= opens && hour < closes
  }
  const isOpen = (at: number, halfHours: number, now: number, isFree = (_at: number) => true): boolean => {
    if (at < now + HOUR) return false
    for (let index = 0; index < halfHours; index++) {
      const each = at + index * HALF_HOUR
      if (!works(each) || held.has(each) || !isFree(each)) return false
    }
    return true
  }
  return {
    isOpen,
    startsOn(date, halfHours, now) {
      const midnight = Date.parse(`${date}T00:00:00Z`)
      const all = Array.from({ length: 48 }, (_, index) => midnight + index * HALF_HOUR)
      return all.filter((at) => isOpen(at, halfHours, now, (each) => !isOnTheWay(each)))
    },
    startsAfter(after, halfHours, now, count) {
      const found: number[] = []
      const first = Math.floor(Math.max(after, now + HOUR - 1) / HALF_HOUR) * HALF_HOUR + HALF_HOUR
      for (let at = first; found.length < count; at += HALF_HOUR)
        if (isOpen(at, halfHours, now)) found.push(at)
      return found
    },
    take(id, at, { halfHours, minutes }) {
      onTheWay.set(id, { from: at - ways.before * MINUTE, until: at + (minutes + ways.after) * MINUTE })
      for (let index = 0; index < halfHours; index++) {
        const each = at + index * HALF_HOUR
        if (held.has(each)) throw new Error(`${id} takes what ${held.get(each)} has: ${each}`)
        held.set(each, id)
      }
    },
    free(id) {
      onTheWay.delete(id)
      for (const [at, holder] of held) if (holder === id) held.delete(at)
    },
    taken: () => [...held.keys()].toSorted((a, b) => a - b),
  }
}
