/** The clock of a store: how service time follows the machine's. Pure. */
import { AppError } from './errors.ts'
import { atLocal, localDate, toTimestamp } from './time.ts'

export type ClockMode = 'real' | 'frozen' | 'scaled' | 'offset'

/**
 * How service time follows the machine's. `service` is what the clock showed when the machine's showed `real`
 * (both milliseconds since the epoch); `high` is the latest service time at which anything was recorded.
 */
export type ClockState = { mode: ClockMode; real: number; service: number; factor: number; high: number }

/** The last instant a clock shows. RFC 3339 writes years of four digits, and what is planned lies up to ten years ahead. */
export const LAST_INSTANT = Date.parse('9899-12-31T23:59:59.999Z')

/** Service time at a reading of the machine's clock. Never before the last recorded instant, whatever the machine says. */
export function serviceNow({ mode, real, service, factor, high }: ClockState, realNow: number): number {
  const elapsed = Math.max(0, realNow - real)
  switch (mode) {
    case 'real':
      return Math.max(realNow, high)
    case 'frozen':
      return Math.max(service, high)
    case 'offset':
      return Math.max(service + elapsed, high)
    case 'scaled':
      return Math.min(Math.max(service + elapsed * factor, high), LAST_INSTANT)
  }
}

/**
 * Milliseconds until a running clock moves again; 0 for one that moves or is frozen. It stands still when the machine's
 * clock was ahead for a while, because service time never goes back.
 */
export function stallOf({ mode, real, service, factor, high }: ClockState, realNow: number): number {
  if (mode === 'frozen') return 0
  if (mode === 'real') return Math.max(0, high - realNow)
  return Math.max(0, real + Math.max(0, high - service) / factor - realNow)
}

/** The clock of a store that a user gets by the first command: it starts at noon of the day, when everything is open. */
export function noonClock(realNow: number, timezone: string): ClockState {
  const service = atLocal(localDate(realNow, timezone), '12:00', timezone)
  return { mode: 'offset', real: realNow, service, factor: 1, high: service }
}

/** A clock that stands still until it is advanced. */
export function frozenClock(at: number): ClockState {
  assertNotBeyondEnd(at)
  return { mode: 'frozen', real: at, service: at, factor: 1, high: at }
}

/**
 * Another way to run, from now or from a later instant `at`. The real mode takes the machine's own time, so it is
 * refused while that is behind. Refuses to go backwards with `invalid_state`.
 */
export function changeClock(
  state: ClockState,
  realNow: number,
  { mode, at, factor = 1 }: { mode: ClockMode; at?: number | undefined; factor?: number | undefined },
): ClockState {
  const now = serviceNow(state, realNow)
  const target = mode === 'real' ? realNow : (at ?? now)
  assertForwards(now, target)
  return {
    mode,
    real: realNow,
    service: target,
    factor: mode === 'scaled' ? factor : 1,
    high: Math.max(state.high, target),
  }
}

/** The same clock, further on. A real clock becomes one that runs ahead of the machine's. */
export function advanceTo(state: ClockState, realNow: number, at: number): ClockState {
  return changeClock(state, realNow, {
    mode: state.mode === 'real' ? 'offset' : state.mode,
    at,
    factor: state.factor,
  })
}

function assertForwards(now: number, target: number): void {
  if (target < now) {
    throw new AppError(
      'invalid_state',
      `The clock shows ${toTimestamp(now)} and only runs forwards; ${toTimestamp(target)} is before that.`,
    )
  }
  assertNotBeyondEnd(target)
}

function assertNotBeyondEnd(target: number): void {
  if (target > LAST_INSTANT)
    throw new AppError('invalid_state', `The clock ends at ${toTimestamp(LAST_INSTANT)}.`)
}
