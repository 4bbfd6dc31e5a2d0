/** Days as spreadsheets count them. */

const DAY_MS = 86_400_000

/** Returns the day that a spreadsheet counts so (from 1 March 1900 on), as `2026-12-01`. */
export function dayOfSerial(serial: number): string {
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10)
}
