/** The context in which the cells of a menu are read, and how those of each column are. */
import { readAmount } from '../../../tabular/columns/amount.ts'
import type { FileColumn, CellSource } from '../../../tabular/columns/columns.ts'
import type { CellReader } from '../../../tabular/columns/read-cell.ts'
import {
  type ParseResult,
  readBoolean,
  readCurrency,
  readText,
  checkShortenedNumber,
} from '../../../tabular/csv/cells.ts'
import * as cells from './cells.ts'
import { getMenuColumn, columnsAt, type MenuColumn } from './columns.ts'
import { type MenuMapping } from './kind.ts'
import { parseModifierGroups, readSurcharge } from './modifiers.ts'

export type MenuRowScope = {
  mapping: MenuMapping
  /** The currency of amounts without one. */
  currency: string
  /** The currency that the row says in a column of its own. */
  stated?: string | undefined
  /** The store's, where it is known: the service rejects amounts in another one. */
  store: string | undefined
}

/** `exact`: files that dray wrote hold values as they are stored. */
type Place = {
  column: FileColumn<MenuColumn>
  scope: MenuRowScope
  source: CellSource | undefined
  exact: boolean
}

type ReadPlace = (text: string, place: Place) => ParseResult<unknown>

/** The readers of the cells of each kind. */
const READERS: Readonly<Record<string, ReadPlace>> = {
  text: readWords,
  // The surcharge of a modifier may have a plus.
  money: (value, { column: { name }, scope: { mapping, currency: usual, stated }, source }) =>
    readAmount(
      mapping,
      name,
      { usual, stated },
      name === 'modifier_price' ? readSurcharge : undefined,
    )(value, source),
  currency: readCurrency,
  groups: (value, { scope }) => parseModifierGroups(value, scope.currency),
  least: cells.readLeast,
  most: cells.readMost,
  boolean: readBoolean,
  availability: cells.readAvailability,
  instant: cells.parseTimestampCell,
  reason: cells.readReason,
  barcode: cells.readBarcode,
  count: (value, { column: { max = 0 } }) => cells.readCount(value, max),
  tax: cells.readTax,
  list: (value, { column: { name }, exact }) =>
    name === 'allergens' ? cells.readAllergens(value, exact) : cells.readTags(value, exact),
  url: (value, { column: { max = 0 }, exact }) =>
    cells.parseUrlCell(exact ? value : value.trim(), max, exact),
}

/** Reads a text. Several long numbers may be shortened to the same code; a stored text may hold control characters. */
function readWords(value: string, { column: { code, max = 0 }, exact }: Place): ParseResult<string> {
  const shortened = code === true ? checkShortenedNumber(value.trim()) : undefined
  if (shortened !== undefined) return shortened
  return exact && Array.from(value).length <= max ? { value } : readText(exact ? value : value.trim(), max)
}

/** Returns the value of a column, or undefined after adding an error. */
export function readCell<T>(
  take: CellReader<MenuColumn>,
  name: MenuColumn,
  scope: MenuRowScope,
  required?: boolean,
): T | undefined {
  const column = getMenuColumn(name)
  const exact = scope.mapping.ours === 'export'
  const read = (text: string, source: CellSource | undefined): ParseResult<unknown> =>
    READERS[column.read]?.(text, { column, scope, source, exact }) ?? { value: undefined }
  return take(name, read, required) as T | undefined
}

/** Returns the fields of the object at a pointer that columns fill, without those of other columns' readers. */
export function readMembers(
  pointer: string,
  take: CellReader<MenuColumn>,
  scope: MenuRowScope,
  apart: ReadonlySet<MenuColumn> = new Set(),
): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const {
    column,
    path: [member = '', ...rest],
  } of columnsAt(pointer)) {
    const value = rest.length > 0 || apart.has(column.name) ? undefined : readCell(take, column.name, scope)
    if (value !== undefined) members[member] = value
  }
  return members
}
