/**
 * Returns the number of repetitions of a test: enough to show a regression in every run, or, in the longer battery
 * (`npm run test:long`), enough to show a rare interleaving.
 */
export function rounds<T = number>(often: T, inTheLongBattery: T): T {
  return process.env['DRAY_LONG'] === '1' ? inTheLongBattery : often
}
