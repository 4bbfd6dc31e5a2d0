import type { Row, Value } from './db.ts'

/**
 * A parameter, checked: an integer that JavaScript holds exactly. NaN would be stored as null and a fraction
 * rounded or refused, differently on each engine.
 */
export function assertStorable(value: Value): void {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} cannot be stored: numbers of a store are integers of at most 53 bits`)
  }
}

/** The one number that a statement such as `select count(*) as count …` gives. */
export function toInteger(row: Row | undefined, column: string): number {
  const value = row?.[column]
  if (typeof value !== 'number') throw new TypeError(`${column} is not a number`)
  return value
}
