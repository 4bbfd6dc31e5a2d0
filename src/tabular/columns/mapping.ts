/** A mapping from headers to columns: the columns that it lacks, how it is shown, and its saved form. */
import { AppError } from '../../core/errors.ts'
import { truncate } from '../csv/cells.ts'
import { fileError } from '../csv/file-error.ts'
import type { LengthUnit, WeightUnit } from '../csv/numbers.ts'
import type { DataTable } from '../csv/read.ts'
import { pluralize } from '../wording.ts'
import { findCellText } from './cell-text.ts'
import type { How, ColumnMapping, Preset, CellSource } from './columns.ts'

/** A required column without a header. `headers` are unused ones that may be meant; `flag` is the one to type. */
export type MissingColumn = {
  column: string
  headers: string[]
  flag: string
  /** First values below each header, where none of several may be proposed. */
  samples?: readonly { header: string; values: readonly string[] }[]
}

/** A column with several possible headers. */
export type AmbiguousColumn = { column: string; headers: string[] }

export type MappingResult<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  mapping: ColumnMapping<Name, P>
  missing: MissingColumn[]
  /** Flags for what the owner of the proposed headers has beside them. */
  further: string[]
  /** Headers that may be the one column that replaces several required ones. */
  whole: string[]
  ambiguous: AmbiguousColumn[]
  /** Headers that are not used; empty under a preset, whose export has dozens. */
  unknown: string[]
  /** Under a preset, headers that are not used though rows differ in them. */
  unread: string[]
  /** Unused headers that may mean several columns. */
  vague: { header: string; columns: readonly string[] }[]
}

/**
 * The map that `--save-map` writes, as settings and pages keep it: headers as written by column, values for words of the
 * files by `column:word`, `weight_unit`, `length_unit`, `_date_order`, `_ignored` with the headers of unread columns in
 * lines, and `_file` for anything but a manifest.
 */
export type SavedMap = Readonly<Record<string, string>>

/** Returns the headers that a saved map names, by their columns. */
export function savedColumns(saved: SavedMap = {}): [column: string, header: string][] {
  return Object.entries(saved).filter(([member]) => !/:|^_|^(?:weight|length)_unit$/.test(member))
}

/** Returns the headers of the columns that a saved map leaves unread. */
export function savedIgnored({ _ignored = '' }: SavedMap = {}): string[] {
  return _ignored.split('\n').filter((header) => header !== '')
}

/** Returns the first three different values below a header. */
export function samplesOf({ header: headers, rows }: DataTable, header: string): string[] {
  const at = headers.indexOf(header)
  const cells = rows.map(({ cells: all }) => all[at]?.trim() ?? '')
  return [...new Set(cells.filter((cell) => cell !== ''))].slice(0, 3)
}

/** Returns headers with their first values, `"Eat in" (7.25, 8.00)`. */
function sampled(table: DataTable, headers: readonly string[]): string {
  const named = headers.map((header) => {
    const values = samplesOf(table, header).map((value) => truncate(value, 20))
    return values.length === 0 ? quoteJson(header) : `${quoteJson(header)} (${values.join(', ')})`
  })
  return named.join(' or ')
}

/** The most unknown headers that an error names. */
const SHOWN_HEADERS = 5

/** Returns the error when no questions can be asked: every missing and ambiguous column at once. */
export function mappingError(
  { missing, further, whole, ambiguous, mapping, unknown }: MappingResult,
  headerRow: number,
): AppError | undefined {
  if (ambiguous.length > 0) {
    const choices = ambiguous.map(
      ({ column, headers }) => `${column} can be ${sampled(mapping.table, headers)}`,
    )
    // A wrong price is sold at: none of several is named.
    const flags = ambiguous.map(({ column, headers }) =>
      mapFlag(column, mapping.kind.columnOf(column).never === undefined ? (headers[0] ?? '') : 'HEADER'),
    )
    return new AppError('usage', `The columns are ambiguous: ${choices.join('; ')}.`, {
      hint: `Say which with ${flags.join(' ')}.`,
      extra: { ambiguous, ...(missing.length > 0 && { missing }) },
    })
  }
  if (missing.length === 0) return undefined
  const names = missing.map(({ column }) => column)
  const flags = [...withWhole({ missing, whole, mapping }).map(({ flag }) => flag), ...further]
  const samples = missing.flatMap(({ column, samples: open = [] }) =>
    open.length === 0
      ? []
      : ` ${column} can be ${sampled(
          mapping.table,
          open.map(({ header }) => header),
        )}.`,
  )
  const remedy = `Add ${flags.join(' ')}, with your own headers and values`
  const guessed = new Set(missing.flatMap(({ headers }) => headers.slice(0, 1)))
  const shown = new Set(missing.flatMap(({ samples: open = [] }) => open.map(({ header }) => header)))
  const isGuessed = (header: string): boolean =>
    guessed.has(header) || shown.has(header) || further.some((flag) => flag.includes(header))
  const unread = unknown.filter((header) => !isGuessed(header)).map(quoteJson)
  return fileError(
    'missing_column',
    pluralize(names.length, '{A required column is|Required columns are} missing: {}.', names.join(', ')),
    {
      missing,
      hint:
        mapping.sources.size === 0 && samples.length === 0
          ? `No header was recognised in row ${headerRow}: is that the header? ${remedy}, or start from what \`${mapping.kind.template}\` writes.`
          : `${remedy}.${samples.join('')}${unread.length === 0 ? '' : ` No column was found in ${listed(unread)}.`}`,
    },
  )
}

function listed(headers: readonly string[]): string {
  const rest = headers.length - SHOWN_HEADERS
  return rest > 0 ? `${headers.slice(0, SHOWN_HEADERS).join(', ')} and ${rest} more` : headers.join(', ')
}

/** How the numbers of a file are read, where their headers do not say it. */
type Forms = { units?: { weight?: WeightUnit; length?: LengthUnit }; dateOrder?: 'day' | 'month' }

/** Returns the map for `--save-map`, with the columns that are of the same headers in each row. */
export function toSavedMap(
  { kind, table, sources, values, ignored }: ColumnMapping,
  { units = {}, dateOrder }: Forms = {},
): SavedMap {
  const columns = [...sources].flatMap(
    ([
      column,
      {
        from: [first, ...others],
      },
    ]) =>
      first === undefined || others.length > 0 ? [] : [[column, headersOf(table, { at: first.at })] as const],
  )
  return {
    ...Object.fromEntries([...columns, ...values]),
    ...(units.weight !== undefined && { weight_unit: units.weight }),
    ...(units.length !== undefined && { length_unit: units.length }),
    ...(dateOrder !== undefined && { _date_order: dateOrder }),
    ...(ignored.size > 0 && { _ignored: [...ignored].map((at) => table.header[at]).join('\n') }),
    ...(kind.name !== 'manifest' && { _file: kind.name }),
  }
}

export type MappedColumn = { column: string; header: string; how: How | 'default'; sample: string }

/** Returns one entry per column for `--map-only`: its header, how it was found, and its first value. */
export function listMappedColumns(mapping: ColumnMapping): MappedColumn[] {
  const { table } = mapping
  return mapping.kind.columns.flatMap(({ name, helps }): MappedColumn[] => {
    const source = mapping.sources.get(name)
    if (helps !== undefined) return []
    if (source === undefined) {
      const value = mapping.defaults.get(name)
      return value === undefined ? [] : [{ column: name, header: '', how: 'default', sample: value }]
    }
    const header = source.from.map((from) => headersOf(table, from)).join(', or ')
    const row = table.rows.find((each) => findCellText(each, name, mapping) !== undefined)
    const found = row && findCellText(row, name, mapping)
    return [{ column: name, header, how: source.how, sample: found?.shown ?? found?.text ?? '' }]
  })
}

/** `First name + Last name`, `Quantity × Item weight`, `Weight (Unit)`. */
function headersOf({ header }: DataTable, { at, unitAt, timesAt }: Omit<CellSource, 'join'>): string {
  const own = at.map((index) => header[index] ?? '').join(' + ')
  const counted = timesAt === undefined ? own : `${header[timesAt]} × ${own}`
  return unitAt === undefined ? counted : `${counted} (${header[unitAt]})`
}

/** Replaces missing columns by the one column that makes all of them, unless a header may be one of them. */
export function withWhole({
  missing,
  whole: headers,
  mapping: { kind },
}: Pick<MappingResult, 'missing' | 'whole' | 'mapping'>): MissingColumn[] {
  const { whole } = kind
  if (whole === undefined) return [...missing]
  const isPart = (each: MissingColumn): boolean =>
    each.headers.length === 0 && whole.parts.includes(each.column)
  const rest = missing.filter((each) => !isPart(each))
  if (missing.length - rest.length < whole.parts.length) return [...missing]
  const { name, sample = '' } = kind.columnOf(whole.by)
  const [header] = headers
  const flag = header === undefined ? `--default ${name}=${sample}` : mapFlag(name, header)
  return [...rest, { column: name, headers, flag }]
}

/** Returns the `--map` flag that assigns a header to a column, quoted for a shell. */
export function mapFlag(column: string, header: string): string {
  return `--map ${/^[\w.-]+$/.test(header) ? `${column}=${header}` : `"${column}=${header}"`}`
}

export function quoteJson(text: string): string {
  return JSON.stringify(text)
}
