import type { SqlRow, SqlValue } from '../core/db.ts'
import { AppError } from '../core/errors.ts'

/**
 * Throws for a value that the engines would change. NaN would become null, a fraction would be rounded or rejected,
 * and PostgreSQL rejects the NUL character in text.
 */
export function assertStorable(value: SqlValue): void {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} cannot be stored: numbers of a store are integers of at most 53 bits`)
  }
  if (typeof value === 'string' && value.includes('\0')) {
    throw new AppError('invalid_request', 'Text must not contain the NUL character (U+0000).')
  }
}

/** Returns the number in a column of a row, as from `select count(*) as count …`. */
export function readIntegerColumn(row: SqlRow | undefined, column: string): number {
  const value = row?.[column]
  if (typeof value !== 'number') throw new TypeError(`${column} is not a number`)
  return value
}
