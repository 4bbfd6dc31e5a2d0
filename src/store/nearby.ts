/** Finds rows around a point by an index, and words in a column. */
import type { Row, Value } from '../core/db.ts'
import type { Box, Point } from '../core/geometry.ts'

/** The height of a band in millionths of a degree: about 2.2 km. */
export const BAND_E6 = 20_000

/** Returns the band, a strip of latitude, that contains a row. */
export function bandOf(latitude: number): number {
  return Math.floor(toE6(latitude) / BAND_E6)
}

/** Converts degrees to whole millionths of a degree, as columns store them. */
export function toE6(degrees: number): number {
  return Math.round(degrees * 1e6)
}

/** Declares a field whose value is a point from two columns. */
export function pointOf(latitude = 'latitude_e6', longitude = 'longitude_e6'): { from: (row: Row) => Point } {
  return {
    from: (row) => ({ latitude: Number(row[latitude]) / 1e6, longitude: Number(row[longitude]) / 1e6 }),
  }
}

/** Returns conditions for rows of the table `alias` in a box; an index on (band, longitude_e6) serves them. */
export function isWithin(alias: string, box: Box, place: (value: Value) => string): string[] {
  const bands = listBands(box).map(place)
  return [
    `${alias}.band in (${bands.join(', ')})`,
    `${alias}.longitude_e6 between ${place(toE6(box.west))} and ${place(toE6(box.east))}`,
    `${alias}.latitude_e6 between ${place(toE6(box.south))} and ${place(toE6(box.north))}`,
  ]
}

/**
 * Returns a condition for a column that contains a text. `like` would treat some characters as patterns, and the
 * engines differ in its case folding.
 */
export function contains(column: string, part: string): string {
  return `replace(${column}, ${part}, '') <> ${column}`
}

/** Joins words so that `contains` finds only whole ones. */
export function toWords(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}

function listBands({ south, north }: Box): number[] {
  const [first, last] = [bandOf(south), bandOf(north)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
