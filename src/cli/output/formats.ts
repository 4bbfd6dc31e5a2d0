/**
 * Renders a result in the requested format: `table`, `json`, `ndjson`, `csv` or `yaml`, complete or selected fields.
 */
import { project } from '../../core/fields.ts'
import type { Column } from '../../core/operation.ts'
import { isRecord } from '../../core/record.ts'
import type { Format } from '../globals.ts'
import { cellText } from './cell.ts'
import type { SpreadsheetCsv } from './csv.ts'
import { assertFields, fieldsOf, parseFields } from './fields.ts'
import { toJson } from './json.ts'
import type { RenderOptions } from './render-options.ts'
import { sanitizeForTerminal } from './text.ts'

export type FormatOptions = {
  format: Format
  /** For the format `csv`: it is for people. */
  sheet?: SpreadsheetCsv | undefined
  /** The fields as typed: `a,b.c`, or `help` to list them. */
  fields?: string | undefined
  /** A JMESPath expression over the whole document; `fields` then applies to its result. */
  query?: string | undefined
  /** The columns of a list, or the lines of one resource, with their headings, for people. */
  columns?: readonly Column[] | undefined
  /** Returns the fields that the answer may have, for fields that no row has. */
  declared?: (() => Promise<readonly string[]>) | undefined
}

export type OutputPage = {
  data: unknown[]
  has_more: boolean
  /** Absent where a search has no further pages. */
  next_cursor?: string | null
  /** The position of the last event that was looked at. */
  last?: number
  /** The reason why it has no rows. */
  empty?: { reason: string; detail: string; next: string | null }
}

/** Returns the text for stdout with a final line break; empty when there is none. Throws AppError('usage'). */
export async function render(
  value: unknown,
  form: FormatOptions,
  renderOptions: RenderOptions,
): Promise<string> {
  const { format, query, sheet } = form
  const found = query === undefined ? value : (await import('./query.ts')).applyQuery(value, query)
  // the result of a query has no description
  const columns = query === undefined ? form.columns : undefined
  const declare = async () => (query === undefined ? await form.declared?.() : undefined) ?? []
  if (form.fields?.trim() === 'help') {
    const declared = await declare()
    return formatFieldList(declared.length > 0 ? declared : fieldsOf(rowsOf(found)), format)
  }
  if (form.fields === undefined) return toText(found, format, renderOptions, { columns, sheet })
  const fields = parseFields(form.fields)
  await assertFields(fields, rowsOf(found), declare)
  const labelled = fields.map((field) => columns?.find((column) => column.field === field) ?? { field })
  const rows = isPage(found) ? found.data : onlyRowsOf(found)
  const isOfRows = rows !== undefined && !fields.some((field) => /^data(?:\.|$)/.test(field))
  const projected = isOfRows
    ? { ...(found as object), data: project(rows, fields, 'null') }
    : project(found, fields, 'null')
  return toText(projected, format, renderOptions, { columns: labelled, fields, sheet })
}

/** Returns the text of `--fields help`. */
export function formatFieldList(names: readonly string[], format: Format): string {
  const fields = names.filter((name) => !name.endsWith('.*'))
  if (format === 'json') return `${toJson(fields, 2)}\n`
  return fields
    .map((field) => `${format === 'ndjson' ? toJson(field) : sanitizeForTerminal(field)}\n`)
    .join('')
}

/** Returns true for the envelope of a list. */
export function isPage(value: unknown): value is OutputPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as Partial<OutputPage>).data) &&
    'has_more' in value
  )
}

type ShownFields = {
  columns: readonly Column[] | undefined
  fields?: readonly string[]
  sheet?: SpreadsheetCsv | undefined
}

async function toText(
  value: unknown,
  format: Format,
  renderOptions: RenderOptions,
  { columns, fields, sheet }: ShownFields,
): Promise<string> {
  switch (format) {
    case 'json':
      return `${toJson(value, 2)}\n`
    case 'ndjson':
      return rowsOf(value)
        .map((row) => `${toJson(row)}\n`)
        .join('')
    case 'csv':
      return (await import('./csv.ts')).valuesToCsv(rowsOf(value), fields, sheet)
    case 'yaml':
      return (await import('./yaml.ts')).toYaml(value)
    case 'table': {
      const text = await forPeople(value, renderOptions, columns, fields !== undefined)
      return text === '' ? '' : `${text}\n`
    }
  }
}

async function forPeople(
  value: unknown,
  renderOptions: RenderOptions,
  columns: readonly Column[] | undefined,
  chosen: boolean,
): Promise<string> {
  const isList = isPage(value) || Array.isArray(value)
  // An answer that is nothing but its rows and their counts: the declared columns are those of a row.
  const bare = columns === undefined || isList ? undefined : onlyRowsOf(value)
  if (!isList && bare === undefined && isRecord(value))
    return (await import('./record.ts')).record(value, renderOptions, columns)
  const rows = bare ?? rowsOf(value)
  if (rows.every((row) => isRecord(row))) {
    const { inferColumns, renderTextTable } = await import('./table.ts')
    return renderTextTable(rows, columns ?? inferColumns(rows), renderOptions, { chosen })
  }
  // what a query made of it: values, or lists of values
  return rows
    .map((row) =>
      (Array.isArray(row) ? row : [row]).map((cell) => cellText(cell, '', renderOptions)).join('\t'),
    )
    .join('\n')
}

/** Returns the rows of a list without the fields of a page, which may have counts beside; undefined for anything else. */
function onlyRowsOf(value: unknown): unknown[] | undefined {
  if (!isRecord(value)) return undefined
  const { data, ...beside } = value
  return Array.isArray(data) && Object.values(beside).every((each) => typeof each === 'number')
    ? data
    : undefined
}

function rowsOf(value: unknown): unknown[] {
  if (isPage(value)) return value.data
  return Array.isArray(value) ? value : [value]
}
