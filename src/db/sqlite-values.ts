/** Values as `node:sqlite` binds them. */
import type { SqlValue } from '../core/db.ts'
import { assertStorable } from './values.ts'

/** Returns the value for an insert unchanged: a STRICT column turns a float without a fraction into an integer. */
export function toColumn(value: SqlValue): SqlValue {
  assertStorable(value)
  return value
}

/**
 * Converts numbers to bigint, because node:sqlite binds numbers as floats, which divide and print differently from
 * PostgreSQL's integers.
 */
export function toBound(value: SqlValue): string | bigint | null | Uint8Array {
  assertStorable(value)
  return typeof value === 'number' ? BigInt(value) : value
}
