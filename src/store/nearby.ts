/** How rows that stand on the map are found around a point, and how lists of words in a column are searched. */
import type { Row, Value } from '../core/db.ts'
import type { Box, Point } from '../core/geometry.ts'

/** How high a band is, in millionths of a degree: about 2.2 km. */
export const BAND_E6 = 20_000

/** The strip of latitude that a row is in. */
export function bandOf(latitude: number): number {
  return Math.floor(toE6(latitude) / BAND_E6)
}

export function toE6(degrees: number): number {
  return Math.round(degrees * 1e6)
}

/** A field of a table that is the point of two columns. */
export function pointOf(latitude = 'latitude_e6', longitude = 'longitude_e6'): { from: (row: Row) => Point } {
  return {
    from: (row) => ({ latitude: Number(row[latitude]) / 1e6, longitude: Number(row[longitude]) / 1e6 }),
  }
}

/** Conditions that rows of the table `alias` in a box meet, by an index on (band, longitude_e6). */
export function isWithin(alias: string, box: Box, place: (value: Value) => string): string[] {
  const bands = listBands(box).map(place)
  return [
    `${alias}.band in (${bands.join(', ')})`,
    `${alias}.longitude_e6 between ${place(toE6(box.west))} and ${place(toE6(box.east))}`,
    `${alias}.latitude_e6 between ${place(toE6(box.south))} and ${place(toE6(box.north))}`,
  ]
}

/** `like` would take some characters of the text for patterns, and each engine folds it in its own way. */
export function contains(column: string, part: string): string {
  return `replace(${column}, ${part}, '') <> ${column}`
}

/** Words that `contains` finds whole. */
export function toWords(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}

function listBands({ south, north }: Box): number[] {
  const [first, last] = [bandOf(south), bandOf(north)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
