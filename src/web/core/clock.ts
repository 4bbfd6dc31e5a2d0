/** The service's clock on a page: it goes on between two answers as fast as it does there, and a frozen one stands. */
import type { ServiceTime } from './call.ts'

export type Clock = {
  /** Sets it by the header of an answer, which tells no speed. */
  set(time: ServiceTime | undefined): void
  /** Sets it by what the service says of its clock. */
  tell(time: { now: number; rate: number } | null): void
  now(): number
  isFrozen(): boolean
}

/** Makes a clock. `elapsed` is a monotonic clock in milliseconds. */
export function makeClock(elapsed: () => number = () => performance.now()): Clock {
  let base = 0
  let at = elapsed()
  let rate = 0
  const put = (now: number, speed: number): void => {
    base = now
    at = elapsed()
    rate = speed
  }
  return {
    set: (time) => time && put(time.now, time.frozen ? 0 : rate || 1),
    tell: (time) => time && put(time.now, time.rate),
    now: () => Math.floor(base + (elapsed() - at) * rate),
    isFrozen: () => rate === 0,
  }
}
