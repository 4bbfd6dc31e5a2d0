import { AppError } from '../../core/errors.ts'
import { truncate, type CellIssue, type ParseResult } from '../csv/cells.ts'
import { headerOf, type CellText } from './cell-text.ts'
import type { FileColumn, ColumnMapping, CellSource } from './columns.ts'
import type { CellError } from './outcomes.ts'

/** Reads a text. Without a source the text is a default. */
export type CellParser<T> = (text: string, source: CellSource | undefined) => ParseResult<T>

/** Reads a column of one row: returns the value, or undefined after adding an error. */
export type CellReader<Name extends string> = <T>(
  column: Name,
  read: CellParser<T>,
  required?: boolean,
) => T | undefined

/** The text of a column in the lines of a row. `fault` is a contradiction between lines. */
export type ColumnText = CellText & { fault?: CellIssue }

/**
 * Makes the reader of a row, which adds to `errors`. Reading throws `usage` when a default (`--default`) is itself
 * invalid.
 */
export function makeRowReader<Name extends string>(
  mapping: ColumnMapping<Name>,
  errors: CellError[],
  find: (column: Name) => ColumnText | undefined,
): CellReader<Name> {
  const { columnOf } = mapping.kind
  const report = (
    column: Name,
    source: CellSource | undefined,
    shown: string,
    fault: CellIssue,
  ): undefined => {
    const header = headerOf(mapping, column, source)
    errors.push({ column: header, pointer: columnOf(column).pointer, value: truncate(shown, 40), ...fault })
  }
  const missing = <T>(column: Name, read: CellParser<T>, required?: boolean): T | undefined => {
    const fallback = mapping.defaults.get(column) ?? ''
    if (fallback !== '') return readDefault(column, fallback, read)
    return (required ?? columnOf(column).required)
      ? report(column, undefined, '', { code: 'required', detail: `${column} is required.` })
      : undefined
  }
  return (column, read, required) => {
    const { orElse } = columnOf(column)
    const found = find(column) ?? (orElse === undefined ? undefined : find(orElse as Name))
    if (found === undefined) return missing(column, read, required)
    const { text, source, shown = text } = found
    if (found.fault !== undefined) return report(column, source, shown, found.fault)
    const reading = read(text, source)
    return 'value' in reading ? reading.value : report(column, source, shown, reading.fault)
  }
}

/** Sets the fields that the pointers of columns name, as far as `read` returns their values; creates the objects above them. */
export function fillBody<Name extends string>(
  body: Record<string, unknown>,
  columns: readonly FileColumn<Name>[],
  read: (column: FileColumn<Name>) => unknown,
): void {
  for (const column of columns) {
    const value = read(column)
    if (value === undefined || value === '' || column.pointer === '') continue
    let object = body
    let name = ''
    for (const next of column.path) {
      if (name !== '') object = (object[name] ??= {}) as Record<string, unknown>
      name = next
    }
    object[name] = value
  }
}

function readDefault<T>(column: string, value: string, read: CellParser<T>): T {
  const reading = read(value, undefined)
  if ('value' in reading) return reading.value
  throw new AppError(
    'usage',
    `The default for ${column} cannot be used (${value}): ${reading.fault.detail}`,
    {
      hint: `Give another with --default ${column}=….`,
    },
  )
}
