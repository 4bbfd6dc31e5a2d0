/** The clock of a store: derives the service time from the machine's (docs/rules/simulation.md#the-clock-only-moves-forwards). Pure. */
import { AppError } from './errors.ts'
import { resolveLocalTime, localDate, toTimestamp } from './time.ts'

export type ClockMode = 'real' | 'frozen' | 'scaled' | 'offset'

/**
 * The state of a sandbox clock. `service` is its time when the machine's clock showed `real`; both are milliseconds
 * since the epoch. `high` is the latest service time at which anything was recorded.
 */
export type ClockState = { mode: ClockMode; real: number; service: number; factor: number; high: number }

/** The last instant of a clock. RFC 3339 has years of four digits, and events are planned up to ten years ahead. */
export const MAX_TIMESTAMP = Date.parse('9899-12-31T23:59:59.999Z')

/** Returns the service time at a reading of the machine's clock. It is never before the last recorded instant. */
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
      return Math.min(Math.max(service + elapsed * factor, high), MAX_TIMESTAMP)
  }
}

/**
 * Returns the milliseconds until a stalled clock moves again; 0 for a moving or frozen clock. It stalls when the
 * machine's clock was set back, because service time never goes back.
 */
export function stallOf({ mode, real, service, factor, high }: ClockState, realNow: number): number {
  if (mode === 'frozen') return 0
  if (mode === 'real') return Math.max(0, high - realNow)
  return Math.max(0, real + Math.max(0, high - service) / factor - realNow)
}

/**
 * Returns the clock of a store that a user's first command creates. It starts at local noon, when every store is
 * open.
 */
export function noonClock(realNow: number, timezone: string): ClockState {
  const service = resolveLocalTime(localDate(realNow, timezone), '12:00', timezone)
  return { mode: 'offset', real: realNow, service, factor: 1, high: service }
}

/** Returns a clock that stands still until it is advanced. */
export function frozenClock(at: number): ClockState {
  assertNotBeyondEnd(at)
  return { mode: 'frozen', real: at, service: at, factor: 1, high: at }
}

/**
 * Changes the mode of a clock, from now or from a later instant `at`. The real mode uses the machine's time, so it is
 * rejected while that is behind. Throws `invalid_state` when time would go backwards.
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

/** Advances a clock. A real clock becomes one that runs ahead of the machine's. */
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
  if (target > MAX_TIMESTAMP)
    throw new AppError('invalid_state', `The clock ends at ${toTimestamp(MAX_TIMESTAMP)}.`)
}
