/**
 * How often a test does what it does again and again: so often that a regression shows in every run, or, in the longer
 * battery (`npm run test:long`), so often that a rare interleaving does.
 */
export function rounds<T = number>(often: T, inTheLongBattery: T): T {
  return process.env['DRAY_LONG'] === '1' ? inTheLongBattery : often
}
