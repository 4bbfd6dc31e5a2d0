/** The mapping from a file's cells to columns, with its reports, its errors and its saved form. */
import { AppError } from '../../core/errors.ts'
import { fileError } from '../csv/file-error.ts'
import type { LengthUnit, Unit, WeightUnit } from '../csv/numbers.ts'
import type { Table } from '../csv/read.ts'
import type { FileKind, Preset } from './columns.ts'

/** One or several cells of a row that make a value, by position. */
export type Source = { at: readonly number[]; join: string; unit?: Unit }

export type How = 'flag' | 'preset' | 'exact' | 'saved' | 'alias'

/** The cells of each column. Of several sources, a row uses the first that is not blank. */
export type Mapping<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  kind: FileKind<Name, P>
  preset: P | undefined
  sources: ReadonlyMap<Name, { how: How; from: readonly Source[] }>
  /** Text for blank or missing cells, by column. */
  defaults: ReadonlyMap<Name, string>
  /** Whether this program wrote the file, so that its cells have formula guards. */
  ours: boolean
  /** Whether this program exported the file, so that its texts equal the service's, including spaces. */
  exact: boolean
}

/** A required column without a header. `headers` are unused ones that may be meant; `flag` is the one to type. */
export type MissingColumn<Name extends string = string> = { column: Name; headers: string[]; flag: string }

/** A column with several possible headers. */
export type AmbiguousColumn<Name extends string = string> = { column: Name; headers: string[] }

export type Mapped<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  mapping: Mapping<Name, P>
  missing: MissingColumn<Name>[]
  ambiguous: AmbiguousColumn<Name>[]
  /** Headers that are not used; empty under a preset, whose export has dozens. */
  unknown: string[]
  /** Unused headers that may mean several columns. */
  vague: { header: string; columns: readonly Name[] }[]
}

/** The map that `--save-map` writes. Columns name headers as written. */
export type SavedMap<Name extends string = string> = {
  columns: Partial<Record<Name, string>>
  weight_unit?: WeightUnit
  length_unit?: LengthUnit
}

/** The most unknown headers that an error names. */
const SHOWN_HEADERS = 5

/** Returns the error when no questions can be asked: every missing and ambiguous column at once. */
export function mappingError<Name extends string>(
  { missing, ambiguous, mapping, unknown }: Mapped<Name>,
  headerRow: number,
): AppError | undefined {
  if (ambiguous.length > 0) {
    const choices = ambiguous.map(
      ({ column, headers }) => `${column} can be ${headers.map(quoted).join(' or ')}`,
    )
    const flags = ambiguous.map(({ column, headers }) => mapFlag(column, headers[0] ?? ''))
    return new AppError('usage', `It is not clear which columns are meant: ${choices.join('; ')}.`, {
      hint: `Say which with ${flags.join(' ')}.`,
      extra: { ambiguous, ...(missing.length > 0 && { missing }) },
    })
  }
  if (missing.length === 0) return undefined
  const names = missing.map(({ column }) => column)
  const flags = withWhole(missing, mapping.kind).map(({ flag }) => flag)
  const remedy = `Add ${flags.join(' ')}, with your own headers and values`
  const guessed = new Set(missing.flatMap(({ headers }) => headers.slice(0, 1)))
  const unread = unknown.filter((header) => !guessed.has(header)).map(quoted)
  return fileError(
    'missing_column',
    `${names.length === 1 ? 'A required column is' : 'Required columns are'} missing: ${names.join(', ')}.`,
    {
      missing,
      hint:
        mapping.sources.size === 0
          ? `No header was recognised in row ${headerRow}: is that the header? ${remedy}, or start from what \`${mapping.kind.template}\` writes.`
          : `${remedy}.${unread.length === 0 ? '' : ` No column was found in ${listed(unread)}.`}`,
    },
  )
}

function listed(headers: readonly string[]): string {
  const rest = headers.length - SHOWN_HEADERS
  return rest > 0 ? `${headers.slice(0, SHOWN_HEADERS).join(', ')} and ${rest} more` : headers.join(', ')
}

/** Returns the map for `--save-map`: the columns that have exactly one header, as written. */
export function toSavedMap<Name extends string>(
  table: Table,
  mapping: Mapping<Name>,
  units: { weight?: WeightUnit; length?: LengthUnit } = {},
): SavedMap<Name> {
  const columns: Partial<Record<Name, string>> = {}
  for (const [column, { from }] of mapping.sources) {
    const [first] = from
    const at = first?.at[0]
    if (from.length === 1 && first?.at.length === 1 && at !== undefined)
      columns[column] = table.header[at] ?? ''
  }
  return {
    columns,
    ...(units.weight !== undefined && { weight_unit: units.weight }),
    ...(units.length !== undefined && { length_unit: units.length }),
  }
}

/** Returns a saved map as settings and pages keep it: flat, and a map of anything but a manifest says so. */
export function flattenMap(
  kind: string,
  { columns, weight_unit, length_unit }: SavedMap,
): Record<string, string> {
  return {
    ...(columns as Record<string, string>),
    ...(weight_unit && { weight_unit }),
    ...(length_unit && { length_unit }),
    ...(kind !== 'manifest' && { _file: kind }),
  }
}

export type MappedColumn = { column: string; header: string; how: How | 'default'; sample: string }

/** Returns one entry per column for `--map-only`: its header, how it was found, and its first value. */
export function listMapping(table: Table, mapping: Mapping): MappedColumn[] {
  return mapping.kind.columns.flatMap(({ name }): MappedColumn[] => {
    const source = mapping.sources.get(name)
    if (source === undefined) {
      const value = mapping.defaults.get(name)
      return value === undefined ? [] : [{ column: name, header: '', how: 'default', sample: value }]
    }
    const sample = table.rows
      .flatMap(({ cells }) => source.from.map((from) => joined(cells, from)))
      .find((text) => text !== '')
    const header = source.from
      .map((from) => from.at.map((index) => table.header[index]).join(' + '))
      .join(', or ')
    return [{ column: name, header, how: source.how, sample: sample ?? '' }]
  })
}

function joined(cells: readonly string[], { at, join }: Source): string {
  return at
    .map((index) => cells[index]?.trim() ?? '')
    .filter((cell) => cell !== '')
    .join(join)
}

/** Replaces missing columns by the one column that makes all of them, unless a header may be one of them. */
export function withWhole<Name extends string>(
  missing: readonly MissingColumn<Name>[],
  kind: FileKind<Name>,
): MissingColumn<Name>[] {
  const { whole } = kind
  if (whole === undefined) return [...missing]
  const isPart = ({ column, headers }: MissingColumn<Name>): boolean =>
    headers.length === 0 && whole.parts.includes(column)
  const rest = missing.filter((each) => !isPart(each))
  if (missing.length - rest.length < whole.parts.length) return [...missing]
  const { name, sample = '' } = kind.columnOf(whole.by)
  return [...rest, { column: name, headers: [], flag: `--default ${name}=${sample}` }]
}

/** Returns the `--map` flag that assigns a header to a column, quoted for a shell. */
export function mapFlag(column: string, header: string): string {
  return `--map ${/^[\w.-]+$/.test(header) ? `${column}=${header}` : `"${column}=${header}"`}`
}

export function quoted(text: string): string {
  return JSON.stringify(text)
}
