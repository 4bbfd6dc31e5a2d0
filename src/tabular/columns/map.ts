/** Finds the column of each header: by flags, the preset of a known export, a saved map, and the words of the header. */
import { AppError } from '../../core/errors.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { fileError } from '../csv/file-error.ts'
import { headerKey } from '../csv/keys.ts'
import { haveDecimalCommas, NUMERIC } from '../csv/numbers.ts'
import type { DataTable } from '../csv/read.ts'
import {
  type HeaderCandidate,
  type FileKind,
  findPreset,
  type How,
  type ColumnMapping,
  type Preset,
  type CellSource,
  type CellSources,
} from './columns.ts'
import { findLanguages, parseHeader } from './header-parser.ts'
import { type MappingResult, quoteJson, savedColumns, savedIgnored, type SavedMap } from './mapping.ts'
import { findColumn, unitInHeader } from './match.ts'
import { findMissingColumns, type UnmappedFile } from './missing.ts'
import { ownColumns, ownFileKind } from './own-files.ts'

export type MapOptions = {
  /** Headers by column, from `--map` and from answers to questions. */
  map?: Assignments
  /** Default texts by column, from `--default` and then from the profile. */
  defaults?: Assignments
  saved?: SavedMap
  /** Values for words of the file, from `--map-value`. */
  values?: ReadonlyMap<string, string>
  /** Headers of columns that are not read, from `--ignore` and from answers to questions. */
  ignore?: readonly string[]
  /** True if an unknown column is an error. */
  strict?: boolean
}

export type Assignments = ReadonlyMap<string, string>

/** Parses `column=value` flags; a column may be named by another header. Throws `usage` naming the flag. */
export function readAssignments(
  kind: FileKind,
  flag: '--map' | '--default',
  values: readonly string[],
): Assignments {
  const found = new Map<string, string>()
  for (const value of values) {
    const at = value.indexOf('=')
    const name = value.slice(0, Math.max(at, 0)).trim()
    if (name === '')
      throw new AppError(
        'usage',
        `${flag} ${value} is not of the form column=${flag === '--map' ? 'Header' : 'value'}.`,
      )
    const match = columnNamed(kind, flag, name)
    const text = value.slice(at + 1).trim()
    // In `--default weight_kg=1.2` the header names a unit, which is added to the cell.
    const unit =
      flag === '--default' && match.how === 'alias' && /[\d.]$/.test(text) ? (match.unit ?? '') : ''
    found.set(match.column, `${text}${unit}`)
  }
  return found
}

/** Parses `--map-value column:word=value`. Throws `usage`. */
export function readValues(kind: FileKind, given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((value): [string, string] => {
      const [, name, word, meaning] = /^([^:=]+):([^=]+)=(.+)$/.exec(value) ?? []
      if (name === undefined || word === undefined || meaning === undefined)
        throw new AppError('usage', `--map-value ${value} is not of the form column:word=value.`, {
          hint: 'Such as --map-value "service_level:Y=next_day".',
        })
      const { column } = columnNamed(kind, '--map-value', name.trim())
      return [`${column}:${word.trim().toLowerCase()}`, meaning.trim()]
    }),
  )
}

/** Returns the column that a flag names. Throws `usage`. */
function columnNamed(kind: FileKind, flag: string, name: string) {
  const { match } = findColumn(kind, name)
  if (match !== undefined) return match
  const names = kind.columns.flatMap((column) => (column.helps === undefined ? [column.name] : []))
  const guess = findClosestWord(name, names)
  throw new AppError('usage', `${flag} names a column that ${kind.name}s do not have: ${name}.`, {
    hint: guess === undefined ? `Columns: ${names.join(', ')}.` : `Did you mean ${guess}?`,
  })
}

/**
 * Maps headers to columns: by flags, then the preset of a known export, then the saved map, the exact name and the words
 * of the headers. Throws `usage` for a `--map` that names no header, `file_error` for a repeated column.
 */
export function mapHeaders<Name extends string, P extends Preset<Name>>(
  kind: FileKind<Name, P>,
  table: DataTable,
  options: MapOptions = {},
): MappingResult<Name, P> {
  const ignored = findIgnored(table, options)
  const own = ownColumns(table.header).union(ignored)
  const preset = findPreset(kind.presets, table.keys)
  const scope: UnmappedFile = { kind, table, sources: new Map(), ambiguous: [], vague: [] }
  const { sources, ambiguous, vague } = scope
  addFlags(scope, options.map ?? new Map())
  if (preset !== undefined) addPreset(scope, preset)
  const candidates = findCandidates(scope, own, preset)
  addSaved(scope, candidates, options.saved)
  const how = preset === undefined ? 'alias' : 'preset'
  const open = unused(scope, candidates)
  addByName(
    scope,
    unused(scope, scope.kind.combine?.({ table, sources, how, candidates: open, closed: own }) ?? open),
    how,
  )
  addLastSide(scope)

  const used = collectUsedPositions(sources)
  const asked = new Set(ambiguous.flatMap(({ headers }) => headers))
  const isIdle = (header: string, at: number): boolean => !used.has(at) && !own.has(at) && !asked.has(header)
  const idle = table.header.filter(isIdle)
  const isBeside = (header: string): boolean => kind.isReadBeside?.(headerKey(header)) === true
  const unread = table.header.filter(
    (header, at) => header.trim() !== '' && isIdle(header, at) && !isBeside(header),
  )
  const unknown = preset === undefined ? unread : []
  if (options.strict === true && unknown.length > 0) throw strictError(kind.name, unknown)
  const defaults = options.defaults ?? new Map<string, string>()
  return {
    mapping: {
      kind,
      table,
      preset,
      sources: inOrder(kind, sources),
      defaults: defaults as ColumnMapping<Name, P>['defaults'],
      values: new Map([
        ...Object.entries(options.saved ?? {}).filter(([member]) => member.includes(':')),
        ...(options.values ?? []),
      ]),
      ours: ownFileKind(table.header),
      ignored,
      decimalCommas: hasDecimalCommas(scope),
    },
    ...findMissingColumns(scope, defaults, idle),
    ambiguous,
    unknown,
    unread: preset === undefined ? [] : unread.filter((header) => differs(table, header, preset.reads)),
    vague: vague.flatMap(({ at, columns }) =>
      used.has(at) || preset !== undefined ? [] : [{ header: table.header[at] ?? '', columns }],
    ),
  }
}

/** Returns the positions of columns that are to be left unread. Throws `usage` for a flag that names no header. */
function findIgnored(table: DataTable, { ignore = [], saved }: MapOptions): Set<number> {
  const places = ignore.map((header) => {
    const at = findHeader(table, header)
    if (at !== undefined) return at
    const guess = findClosestWord(header, table.header)
    throw new AppError('usage', `--ignore ${header}: the file has no column ${quoteJson(header)}.`, {
      hint: guess === undefined ? 'Leave it out.' : `Did you mean ${quoteJson(guess)}?`,
    })
  })
  return new Set([...places, ...savedIgnored(saved).flatMap((header) => findHeader(table, header) ?? [])])
}

/** Errors and reports follow the order of the columns. */
function inOrder<Name extends string>({ columns }: FileKind<Name>, sources: CellSources): CellSources<Name> {
  return new Map(
    columns.flatMap(({ name }) => {
      const entry = sources.get(name)
      return entry === undefined ? [] : [[name, entry] as const]
    }),
  )
}

/** Returns whether the rows of a file have different texts below a header, unless a preset reads these. */
function differs(
  { header: headers, keys, rows }: DataTable,
  header: string,
  reads: string | undefined,
): boolean {
  const at = headers.indexOf(header)
  if (reads !== undefined && new RegExp(reads).test(keys[at] ?? '')) return false
  return new Set(rows.map(({ cells }) => cells[at]?.trim() ?? '')).size > 1
}

function hasDecimalCommas({ kind, table, sources }: UnmappedFile): boolean {
  const columns = [...sources].filter(([name]) => NUMERIC.has(kind.columnOf(name).read))
  const at = [...new Set(columns.flatMap(([, { from }]) => from.flatMap((source) => source.at)))]
  return haveDecimalCommas(
    table.rows.flatMap(({ cells, held }) =>
      at.flatMap((index) => (held?.has(index) === true ? [] : (cells[index] ?? ''))),
    ),
  )
}

function addFlags(scope: UnmappedFile, flags: Assignments): void {
  const { table, sources } = scope
  for (const [column, header] of flags) {
    const source = sourceOf(scope, column, header)
    if (source === undefined) {
      const guess = findClosestWord(header, table.header)
      throw new AppError('usage', `--map ${column}=${header}: the file has no column ${quoteJson(header)}.`, {
        hint:
          guess === undefined
            ? `Its columns: ${table.header.map(quoteJson).join(', ')}.`
            : `Did you mean ${quoteJson(guess)}?`,
      })
    }
    sources.set(column, { how: 'flag', from: [source] })
  }
}

/** Returns the source that a flag or a saved map names: one header, or several as in `Street 2 + Street 3`. */
function sourceOf(scope: UnmappedFile, column: string, header: string): CellSource | undefined {
  const at = findHeader(scope.table, header)
  if (at !== undefined) return withUnit(scope, column, at)
  const parts = header.split(' + ').map((part) => findHeader(scope.table, part))
  const found = parts.flatMap((part) => part ?? [])
  if (found.length < 2 || found.length < parts.length) return undefined
  const { read } = scope.kind.columnOf(column)
  const units = found.flatMap((each) => withUnit(scope, column, each).unit ?? [])
  if (read === 'weight' && units.length === found.length) return { at: found, join: ' + ', units }
  return { at: found, join: read === 'line' ? ', ' : ' ' }
}

function findHeader(table: DataTable, header: string): number | undefined {
  const written = table.header.indexOf(header)
  if (written !== -1) return written
  const key = headerKey(header)
  const at = key === '' ? -1 : table.keys.indexOf(key)
  return at === -1 ? undefined : at
}

function withUnit({ kind, table }: UnmappedFile, column: string, at: number): CellSource {
  const header = table.header[at] ?? ''
  const { match } = findColumn(kind, header)
  const unit = match?.column === column ? match.unit : unitInHeader(header, kind.columnOf(column))
  return { at: [at], join: '', ...(unit !== undefined && { unit }) }
}

function addPreset(scope: UnmappedFile, preset: Preset): void {
  const { table, sources } = scope
  for (const [column, keys = []] of Object.entries(preset.sources)) {
    const from = keys.flatMap((key): CellSource[] => {
      const [at, ...others] = table.keys.flatMap((each, place) => (each === key ? [place] : []))
      if (others.length > 0) throw duplicate(table, column, [at ?? 0, ...others])
      return at === undefined ? [] : [withUnit(scope, column, at)]
    })
    if (from.length > 0 && !sources.has(column)) sources.set(column, { how: 'preset', from })
  }
}

/** Returns the unused headers that name a column of a file. Those that may name several are kept as vague. */
function findCandidates(
  scope: UnmappedFile,
  own: ReadonlySet<number>,
  { without = [] }: Pick<Preset, 'without'> = {},
): HeaderCandidate[] {
  const { kind, table, sources, vague } = scope
  const used = collectUsedPositions(sources)
  const free = table.header.flatMap((header, at) => (used.has(at) || own.has(at) ? [] : [{ header, at }]))
  const cellsAt = (at: number) => (): string[] => table.rows.map(({ cells }) => cells[at] ?? '')
  const first = free.map(({ header, at }) => ({
    header,
    at,
    ...findColumn(kind, header, { cells: cellsAt(at) }),
  }))
  const languages = first.some((each) => each.vague !== undefined)
    ? findLanguages(table.header.map(parseHeader))
    : undefined
  return first.flatMap((found) => {
    const { header, at } = found
    const settled =
      found.vague === undefined || languages === undefined
        ? found
        : findColumn(kind, header, { languages, cells: cellsAt(at) })
    if (settled.vague !== undefined) vague.push({ at, columns: settled.vague })
    const { match } = settled
    return match === undefined || without.includes(match.column) ? [] : [{ ...match, at }]
  })
}

function unused({ sources }: UnmappedFile, candidates: readonly HeaderCandidate[]): HeaderCandidate[] {
  const used = collectUsedPositions(sources)
  return candidates.filter(({ at, column }) => !used.has(at) && !sources.has(column))
}

/** Returns the positions of used headers. */
export function collectUsedPositions(sources: CellSources): Set<number> {
  const all = [...sources.values()].flatMap(({ from }) => from)
  return new Set(
    all.flatMap(({ at, unitAt, timesAt }) => [...at, ...[unitAt, timesAt].flatMap((each) => each ?? [])]),
  )
}

/** A person who saved another header than the one with the column's name meant it. */
function addSaved(
  scope: UnmappedFile,
  candidates: readonly HeaderCandidate[],
  saved: SavedMap | undefined,
): void {
  for (const [column, header] of savedColumns(saved)) {
    const source = scope.sources.has(column) ? undefined : sourceOf(scope, column, header)
    const isExact = candidates.some(
      (each) => each.column === column && each.how === 'exact' && each.at === source?.at[0],
    )
    if (source !== undefined && !isExact) scope.sources.set(column, { how: 'saved', from: [source] })
  }
}

function addByName(scope: UnmappedFile, found: readonly HeaderCandidate[], how: How): void {
  for (const { name, helps, read } of scope.kind.columns) {
    const best = bestOf(found, name)
    const [first] = best
    if (first === undefined || (helps !== undefined && read !== 'refused')) continue
    setOne(scope, name, best, first.how === 'exact' ? 'exact' : how)
  }
}

/** Returns the headers that name a column best; those with exactly its name go before all others. */
export function bestOf<Name extends string>(
  candidates: readonly HeaderCandidate<Name>[],
  column: Name,
): HeaderCandidate<Name>[] {
  const named = candidates.filter((each) => each.column === column)
  const exact = named.filter(({ how }) => how === 'exact')
  const best = Math.min(...named.map(({ rank }) => rank))
  return exact.length > 0 ? exact : named.filter(({ rank }) => rank === best)
}

function setOne(scope: UnmappedFile, column: string, found: readonly HeaderCandidate[], how: How): void {
  const { table, sources, ambiguous } = scope
  const at = found.map((candidate) => candidate.at)
  if (new Set(at.map((index) => table.keys[index])).size < at.length || (how === 'exact' && at.length > 1)) {
    throw duplicate(table, column, at)
  }
  if (at.length > 1) ambiguous.push({ column, headers: at.map((index) => table.header[index] ?? '') })
  else sources.set(column, { how, from: [withUnit(scope, column, at[0] ?? 0)] })
}

/** A depth is the side that no other header names. */
function addLastSide(scope: UnmappedFile): void {
  const { kind, sources, ambiguous, vague } = scope
  for (const { at, columns } of vague) {
    const isOpen = (column: string): boolean =>
      !sources.has(column) && ambiguous.every((each) => each.column !== column)
    const [only, ...others] = columns.filter(isOpen)
    if (
      only !== undefined &&
      others.length === 0 &&
      columns.every((each) => kind.columnOf(each).read === 'length')
    )
      sources.set(only, { how: 'alias', from: [withUnit(scope, only, at)] })
  }
}

function duplicate(table: DataTable, column: string, at: readonly number[]): AppError {
  const headers = at.map((index) => `${quoteJson(table.header[index] ?? '')} (column ${index + 1})`)
  return fileError('duplicate_column', `Several columns are ${column}: ${headers.join(', ')}.`, {
    column,
    headers: at.map((index) => table.header[index]),
    hint: 'Rename or remove all but one.',
  })
}

function strictError(file: string, unknown: readonly string[]): AppError {
  return fileError(
    'unknown_column',
    `--strict: the file has columns that a ${file} does not: ${unknown.map(quoteJson).join(', ')}.`,
    {
      headers: unknown,
      hint: 'Remove them, name them with --map column=Header, or leave out --strict to ignore them.',
    },
  )
}
