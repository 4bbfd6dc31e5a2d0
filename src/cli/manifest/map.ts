import { AppError } from '../../errors.ts'
import { fileError } from '../csv/file-error.ts'
import type { LengthUnit, Unit, WeightUnit } from '../csv/numbers.ts'
import { headerKey, type Table } from '../csv/read.ts'
import { nearest } from '../nearest.ts'
import {
  COLUMNS,
  type ColumnName,
  columnOf,
  type HeaderMatch,
  matchHeader,
  SIZES,
  unitInHeader,
} from './columns.ts'
import { ownColumns } from './own-files.ts'
import { findPreset, type Keys, type Preset } from './presets.ts'

/** One or several cells of a row that make a value, by their place in the row. */
export type Source = { at: readonly number[]; join: string; unit?: Unit }

type How = 'flag' | 'preset' | 'exact' | 'saved' | 'alias'

/** Which cells make which column. Of several sources the first that is not blank in a row counts. */
export type Mapping = {
  preset: Preset | undefined
  sources: ReadonlyMap<ColumnName, { how: How; from: readonly Source[] }>
  /** Text for cells that are blank or missing, by column. */
  defaults: ReadonlyMap<ColumnName, string>
  /** The file was written by us: its cells carry formula guards. */
  ours: boolean
}

/** A required column that no header names. `headers` are unused ones that may be meant, `flag` is what may be typed. */
export type MissingColumn = { column: ColumnName; headers: string[]; flag: string }

/** Several headers that may each be meant. */
type AmbiguousColumn = { column: ColumnName; headers: string[] }

export type Mapped = {
  mapping: Mapping
  missing: MissingColumn[]
  ambiguous: AmbiguousColumn[]
  /** Headers that nothing reads; empty under a preset, whose export has dozens. */
  unknown: string[]
}

/** What `--save-map` keeps. Columns name headers as written. */
export type SavedMap = {
  columns: Partial<Record<ColumnName, string>>
  weight_unit?: WeightUnit
  length_unit?: LengthUnit
}

export type MapOptions = {
  /** `--map`, answers to questions: a header by column. */
  map?: Assignments
  /** `--default`, then the profile's default parcel: a text by column. */
  defaults?: Assignments
  saved?: SavedMap
  /** Unknown columns refuse the file. */
  strict?: boolean
}

export type Assignments = ReadonlyMap<ColumnName, string>

/** Reads `column=value` flags; a column may be named by an alias. Throws `usage` naming the flag. */
export function readAssignments(flag: '--map' | '--default', values: readonly string[]): Assignments {
  const found = new Map<ColumnName, string>()
  for (const value of values) {
    const at = value.indexOf('=')
    const name = value.slice(0, Math.max(at, 0)).trim()
    if (name === '')
      throw new AppError(
        'usage',
        `${flag} ${value} is not of the form column=${flag === '--map' ? 'Header' : 'value'}.`,
      )
    const match = matchHeader(headerKey(name))
    if (match === undefined) {
      const guess = nearest(
        name,
        COLUMNS.map((column) => column.name),
      )
      throw new AppError('usage', `${flag} names a column that manifests do not have: ${name}.`, {
        hint:
          guess === undefined
            ? `Columns: ${COLUMNS.map((column) => column.name).join(', ')}.`
            : `Did you mean ${guess}?`,
      })
    }
    const text = value.slice(at + 1).trim()
    // `--default weight_kg=1.2` names a unit by its alias: the cell gets it.
    const unit =
      flag === '--default' && match.how === 'alias' && match.unit !== undefined && /[\d.]$/.test(text)
        ? match.unit
        : ''
    found.set(match.column, `${text}${unit}`)
  }
  return found
}

/**
 * Which header is which column: flags, then the preset of a known export, then the exact name, the saved map and the
 * aliases. Throws `usage` for a `--map` that names no header, `file_error` for a column that stands there twice.
 */
export function mapHeaders(table: Table, options: MapOptions = {}): Mapped {
  const own = ownColumns(table.header)
  const preset = findPreset(table.keys)
  const sources: Sources = new Map()
  const ambiguous: AmbiguousColumn[] = []
  addFlags(sources, table, options.map ?? new Map())
  if (preset !== undefined) addPreset(sources, table, preset)
  addByName(sources, table, candidates(table, sources, own), options.saved, ambiguous)

  const used = new Set([...sources.values()].flatMap(({ from }) => from.flatMap(({ at }) => at)))
  const asked = new Set(ambiguous.flatMap(({ headers }) => headers))
  const idle = table.header.filter((header, at) => !used.has(at) && !own.has(at) && !asked.has(header))
  const unknown = preset === undefined ? idle.filter((header) => header.trim() !== '') : []
  if (options.strict === true && unknown.length > 0) throw strictError(unknown)
  const defaults = options.defaults ?? new Map<ColumnName, string>()
  return {
    mapping: { preset, sources, defaults, ours: own.size > 0 },
    missing: findMissing(sources, defaults, ambiguous, idle),
    ambiguous,
    unknown,
  }
}

/** The error for a script that cannot be asked: every missing and ambiguous column at once. */
export function mappingError({ missing, ambiguous, mapping }: Mapped): AppError | undefined {
  if (ambiguous.length > 0) {
    const lines = ambiguous.map(
      ({ column, headers }) => `${column} can be ${headers.map(quoted).join(' or ')}`,
    )
    const flags = ambiguous.map(({ column, headers }) => mapFlag(column, headers[0] ?? ''))
    return new AppError('usage', `It is not clear which columns are meant: ${lines.join('; ')}.`, {
      hint: `Say which with ${flags.join(' ')}.`,
      extra: { ambiguous, ...(missing.length > 0 && { missing }) },
    })
  }
  if (missing.length === 0) return undefined
  const names = missing.map(({ column }) => column)
  return fileError(
    'missing_column',
    `${names.length === 1 ? 'A required column is' : 'Required columns are'} missing: ${names.join(', ')}.`,
    {
      missing,
      hint:
        mapping.sources.size === 0
          ? 'No header was recognised: is the first line the header? `dray carrier template` writes one.'
          : `Add ${withOneSize(missing)
              .map(({ flag }) => flag)
              .join(' ')}, with your own headers and values.`,
    },
  )
}

/** What `--save-map` writes: columns that one header makes, as it is written. */
export function toSavedMap(
  table: Table,
  mapping: Mapping,
  units: { weight?: WeightUnit; length?: LengthUnit } = {},
): SavedMap {
  const columns: Partial<Record<ColumnName, string>> = {}
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

export type MappedColumn = { column: ColumnName; header: string; how: How | 'default'; sample: string }

/** One line per column for `--map-only`: where it comes from, how that was found, and its first value. */
export function listMapping(table: Table, mapping: Mapping): MappedColumn[] {
  return COLUMNS.flatMap(({ name }): MappedColumn[] => {
    const source = mapping.sources.get(name)
    if (source === undefined) {
      const value = mapping.defaults.get(name)
      return value === undefined ? [] : [{ column: name, header: '', how: 'default', sample: value }]
    }
    const at = source.from.flatMap((from) => from.at)
    const sample = table.rows
      .flatMap(({ cells }) => at.map((index) => cells[index]?.trim() ?? ''))
      .find((cell) => cell !== '')
    const header = source.from
      .map((from) => from.at.map((index) => table.header[index]).join(' + '))
      .join(', or ')
    return [{ column: name, header, how: source.how, sample: sample ?? '' }]
  })
}

type Sources = Map<ColumnName, { how: How; from: Source[] }>

function addFlags(sources: Sources, table: Table, flags: Assignments): void {
  for (const [column, header] of flags) {
    const at = findHeader(table, header)
    if (at === undefined) {
      const guess = nearest(header, table.header)
      throw new AppError('usage', `--map ${column}=${header}: the file has no column ${quoted(header)}.`, {
        hint:
          guess === undefined
            ? `Its columns: ${table.header.map(quoted).join(', ')}.`
            : `Did you mean ${quoted(guess)}?`,
      })
    }
    sources.set(column, { how: 'flag', from: [withUnit(table, column, at)] })
  }
}

function findHeader(table: Table, header: string): number | undefined {
  const written = table.header.indexOf(header)
  if (written !== -1) return written
  const key = headerKey(header)
  const at = key === '' ? -1 : table.keys.indexOf(key)
  return at === -1 ? undefined : at
}

function withUnit(table: Table, column: ColumnName, at: number): Source {
  const key = table.keys[at] ?? ''
  const match = matchHeader(key)
  const unit = match?.column === column ? match.unit : unitInHeader(key, columnOf(column).kind)
  return { at: [at], join: '', ...(unit !== undefined && { unit }) }
}

function addPreset(sources: Sources, table: Table, preset: Preset): void {
  for (const [column, choices] of Object.entries(preset.sources) as [ColumnName, readonly Keys[]][]) {
    if (sources.has(column)) continue
    const from = choices.flatMap((keys) => presetSource(table, column, keys))
    if (from.length > 0) sources.set(column, { how: 'preset', from })
  }
}

function presetSource(table: Table, column: ColumnName, keys: Keys): Source[] {
  const names = typeof keys === 'string' ? [keys] : keys.join
  const at = names.flatMap((key) => {
    const found = positions(table.keys, key)
    if (found.length > 1) throw duplicate(table, column, found)
    return found
  })
  const [first] = at
  if (first === undefined) return []
  if (typeof keys === 'string') return [withUnit(table, column, first)]
  return [{ at, join: keys.with }]
}

function positions(keys: readonly string[], key: string): number[] {
  return keys.flatMap((other, at) => (other === key ? [at] : []))
}

type Candidate = HeaderMatch & { at: number }

/** Headers that nothing has claimed yet and that name a column. */
function candidates(table: Table, sources: Sources, own: ReadonlySet<number>): Candidate[] {
  const claimed = new Set([...sources.values()].flatMap(({ from }) => from.flatMap(({ at }) => at)))
  return table.keys.flatMap((key, at) => {
    const match = claimed.has(at) || own.has(at) ? undefined : matchHeader(key)
    return match === undefined || sources.has(match.column) ? [] : [{ ...match, at }]
  })
}

function addByName(
  sources: Sources,
  table: Table,
  found: readonly Candidate[],
  saved: SavedMap | undefined,
  ambiguous: AmbiguousColumn[],
): void {
  for (const { name } of COLUMNS) {
    if (sources.has(name)) continue
    const exact = found.filter(({ column, how }) => column === name && how === 'exact')
    const savedHeader = saved?.columns[name]
    const savedAt = savedHeader === undefined ? undefined : findHeader(table, savedHeader)
    const aliases = found.filter(({ column, how }) => column === name && how === 'alias')
    if (exact.length > 0) setOne(sources, table, name, exact, 'exact', ambiguous)
    else if (savedAt !== undefined)
      sources.set(name, { how: 'saved', from: [withUnit(table, name, savedAt)] })
    else if (aliases.length > 0) setOne(sources, table, name, aliases, 'alias', ambiguous)
  }
}

function setOne(
  sources: Sources,
  table: Table,
  column: ColumnName,
  found: readonly Candidate[],
  how: How,
  ambiguous: AmbiguousColumn[],
): void {
  const at = found.map((candidate) => candidate.at)
  if (new Set(at.map((index) => table.keys[index])).size < at.length || (how === 'exact' && at.length > 1)) {
    throw duplicate(table, column, at)
  }
  if (at.length > 1) ambiguous.push({ column, headers: at.map((index) => table.header[index] ?? '') })
  else sources.set(column, { how, from: [withUnit(table, column, at[0] ?? 0)] })
}

function duplicate(table: Table, column: ColumnName, at: readonly number[]): AppError {
  const headers = at.map((index) => `${quoted(table.header[index] ?? '')} (column ${index + 1})`)
  return fileError('duplicate_column', `Several columns are ${column}: ${headers.join(', ')}.`, {
    column,
    headers: at.map((index) => table.header[index]),
    hint: 'Rename or remove all but one.',
  })
}

function strictError(unknown: readonly string[]): AppError {
  return fileError(
    'unknown_column',
    `--strict: the file has columns that a manifest does not: ${unknown.map(quoted).join(', ')}.`,
    {
      headers: unknown,
      hint: 'Remove them, name them with --map column=Header, or leave out --strict to ignore them.',
    },
  )
}

function findMissing(
  sources: Sources,
  defaults: Assignments,
  ambiguous: readonly AmbiguousColumn[],
  idle: readonly string[],
): MissingColumn[] {
  const known = new Set<ColumnName>([
    ...sources.keys(),
    ...defaults.keys(),
    ...ambiguous.map(({ column }) => column),
  ])
  if (known.has('dimensions')) for (const size of SIZES) known.add(size)
  return COLUMNS.filter(({ name, required }) => required && !known.has(name)).map(({ name, sample }) => {
    const headers = likely(name, idle)
    const flag =
      headers[0] !== undefined || sample === undefined
        ? mapFlag(name, headers[0] ?? 'HEADER')
        : `--default ${name}=${sample}`
    return { column: name, headers, flag }
  })
}

/** The three sizes, where no header may be one of them, as the one column that makes them. */
export function withOneSize(missing: readonly MissingColumn[]): MissingColumn[] {
  const isSize = ({ column, headers }: MissingColumn): boolean =>
    headers.length === 0 && SIZES.some((size) => size === column)
  const rest = missing.filter((each) => !isSize(each))
  if (missing.length - rest.length < SIZES.length) return [...missing]
  const { name, sample = '' } = columnOf('dimensions')
  return [...rest, { column: name, headers: [], flag: `--default ${name}=${sample}` }]
}

/** Words that headers of any column hold. */
const COMMON = new Set(['code', 'customer', 'delivery', 'goods', 'item', 'number', 'order', 'shipment'])

/** Unused headers that share a word with the column or its aliases. */
function likely(name: ColumnName, idle: readonly string[]): string[] {
  const names = [name, ...columnOf(name).aliases]
  const words = new Set(
    names.flatMap((each) => each.split('_')).filter((word) => word.length > 2 && !COMMON.has(word)),
  )
  return idle
    .filter((header) =>
      headerKey(header)
        .split('_')
        .some((word) => words.has(word)),
    )
    .slice(0, 5)
}

function mapFlag(column: ColumnName, header: string): string {
  return `--map ${/^[\w.-]+$/.test(header) ? `${column}=${header}` : `"${column}=${header}"`}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
