/**
 * How often a test does what it does again and again: so often that a regression shows in every run, or, in the longer
 * battery (`npm run test:long`), so often that a rare interleaving does.
 */
export function rounds(often: number, inTheLongBattery: number): number {
  return process.env['DRAY_LONG'] === '1' ? inTheLongBattery : often
}
