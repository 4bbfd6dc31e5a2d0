import { appendFileSync } from 'node:fs'

/** A shorter battery does this part of each count: `npm run battery -- NAME --part 0.1`. */
const part = Number(process.env['DRAY_PART'] ?? 1)

/**
 * Returns the number of repetitions of a test: enough to show a regression in every run, or, in the longer battery
 * (`npm run test:long`), enough to show a rare interleaving.
 */
export function iterations<T = number>(often: T, inTheLongBattery: T): T {
  const most = limit(often, inTheLongBattery)
  return typeof often === 'number' ? (Math.max(often, Math.round(Number(most) * part)) as T) : most
}

/** Returns what a shorter battery does not divide: a limit in time, a seed. */
export function limit<T>(often: T, inTheLongBattery: T): T {
  return process.env['DRAY_LONG'] === '1' ? inTheLongBattery : often
}

/** A count of what a test of a battery tried. Where none of a battery counts, each test is one try. */
export type TestTally = {
  /** The calls, kills, runs or files of the test. */
  tries: number
  /** The answered changes that are gone, or the calls that were not answered as promised. */
  lost?: number
  /** The changes that took effect twice. */
  doubled?: number
  /** All else that is not as promised. A failed test counts as one without it. */
  broken?: number
  /** The measurement, in words, such as `longest gap 310 ms`. */
  note?: string
}

/**
 * Counts what a test tried, for the line of its battery (`npm run battery`). Call it before the expectations, so that
 * what they reject is counted too.
 */
export function recordTally(tally: TestTally): void {
  const file = process.env['DRAY_BATTERY']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tally)}\n`)
}

/** The seed of what a battery draws: that of `npm run battery -- --seed N`, or a new one. A failed run names it. */
export const seed = Number(process.env['DRAY_TEST_SEED'] ?? Math.floor(Math.random() * 1e9))
