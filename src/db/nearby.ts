/** Finds rows around a point by an index, and words in a column. */
import type { SqlRow, SqlValue } from '../core/db.ts'
import type { BoundingBox, Point } from '../core/geometry.ts'

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

/** Declares a field with a point from two columns. */
export function pointColumns(
  latitude = 'latitude_e6',
  longitude = 'longitude_e6',
): { from: (row: SqlRow) => Point } {
  return {
    from: (row) => ({ latitude: Number(row[latitude]) / 1e6, longitude: Number(row[longitude]) / 1e6 }),
  }
}

/** Returns conditions for rows of the table `alias` in a box; an index on (band, longitude_e6) serves them. */
export function boxConditions(alias: string, box: BoundingBox, place: (value: SqlValue) => string): string[] {
  const bands = listBands(box).map(place)
  return [
    `${alias}.band in (${bands.join(', ')})`,
    `${alias}.longitude_e6 between ${place(toE6(box.west))} and ${place(toE6(box.east))}`,
    `${alias}.latitude_e6 between ${place(toE6(box.south))} and ${place(toE6(box.north))}`,
  ]
}

/** The sides of a snapped box lie on a grid of this many millionths of a degree: about 550 m from south to north. */
const GRID_E6 = 5000

/**
 * Returns the smallest box on the grid that contains a box, so that boxes of one neighbourhood become the same. A box at the date
 * line stays as it is: the other half of its circle begins there.
 */
export function snap(box: BoundingBox): BoundingBox {
  const { south, north, west, east } = box
  if (west === -180 || east === 180) return box
  return {
    south: toGrid(south, Math.floor),
    north: toGrid(north, Math.ceil),
    west: toGrid(west, Math.floor),
    east: toGrid(east, Math.ceil),
  }
}

function toGrid(degrees: number, round: (value: number) => number): number {
  return (round(toE6(degrees) / GRID_E6) * GRID_E6) / 1e6
}

/**
 * Returns a condition for a column that contains a text. `like` would treat some characters as patterns, and the
 * engines differ in its case folding.
 */
export function contains(column: string, part: string): string {
  return `replace(${column}, ${part}, '') <> ${column}`
}

/** Joins words so that `contains` finds only whole ones. */
export function joinSearchWords(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}

function listBands({ south, north }: BoundingBox): number[] {
  const [first, last] = [bandOf(south), bandOf(north)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
