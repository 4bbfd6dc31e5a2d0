/** A provider's calendar as one would keep it on paper, against which the service's own is held. Knows none of its code. */
import { isClosedDay } from './bank-holidays.ts'

const HALF_HOUR = 1_800_000
const MINUTE = 60_000
const HOUR = 3_600_000

export type PaperCalendar = {
  /** Whether so many half hours are open from an instant on, to somebody next door to all others. */
  isOpen(at: number, halfHours: number, now: number): boolean
  /** The starts on a date that are open to everybody, ascending. */
  startsOn(date: string, halfHours: number, now: number): number[]
  /** The starts after an instant that are open to somebody next door to all others, ascending. */
  startsAfter(at: number, halfHours: number, now: number, count: number): number[]
  /** A visit of so many minutes; before and after it, the ways take some. */
  take(id: string, at: number, visit: { halfHours: number; minutes: number }): void
  free(id: string): void
  /** Instants that are taken. */
  taken(): number[]
}

/** `ways`: minutes that are kept free before a visit and after its end. */
type Hours = { opens: number; closes: number; ways: { before: number; after: number } }

/** Of somebody in London who works from one full hour of winter to another, on all days but Sundays and bank holidays. */
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
