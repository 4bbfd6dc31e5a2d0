import { AppError } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'
import { fileError } from '../csv/file-error.ts'
import { headerKey } from '../csv/keys.ts'
import type { Table } from '../csv/read.ts'
import { type FileKind, findPreset, type HeaderMatch, type Keys, type Preset } from './columns.ts'
import { findVague, wordsOf } from './dictionary.ts'
import { findHouseNumber, findNameParts, makeForeignMatch, withoutUnit } from './foreign.ts'
import {
  type AmbiguousColumn,
  type How,
  mapFlag,
  type Mapped,
  type MissingColumn,
  quoted,
  type SavedMap,
  type Source,
} from './mapping.ts'
import { ownColumns, ownFileKind } from './own-files.ts'

export type MapOptions<Name extends string = string> = {
  /** Headers by column, from `--map` and from answers to questions. */
  map?: Assignments<Name>
  /** Default texts by column, from `--default` and then from the profile. */
  defaults?: Assignments<Name>
  saved?: SavedMap<Name>
  /** Whether an unknown column is an error. */
  strict?: boolean
}

export type Assignments<Name extends string = string> = ReadonlyMap<Name, string>

/** Parses `column=value` flags; a column may be named by an alias. Throws `usage` naming the flag. */
export function readAssignments<Name extends string>(
  { name: file, columns, matchHeader }: FileKind<Name>,
  flag: '--map' | '--default',
  values: readonly string[],
): Assignments<Name> {
  const found = new Map<Name, string>()
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
        columns.map((column) => column.name),
      )
      throw new AppError('usage', `${flag} names a column that ${file}s do not have: ${name}.`, {
        hint:
          guess === undefined
            ? `Columns: ${columns.map((column) => column.name).join(', ')}.`
            : `Did you mean ${guess}?`,
      })
    }
    const text = value.slice(at + 1).trim()
    // In `--default weight_kg=1.2` the alias names a unit, which is added to the cell.
    const unit =
      flag === '--default' && match.how === 'alias' && match.unit !== undefined && /[\d.]$/.test(text)
        ? match.unit
        : ''
    found.set(match.column, `${text}${unit}`)
  }
  return found
}

/**
 * Maps headers to columns: by flags, then the preset of a known export, then the saved map, the exact name and the
 * aliases. Throws `usage` for a `--map` that names no header, `file_error` for a repeated column.
 */
export function mapHeaders<Name extends string, P extends Preset<Name>>(
  kind: FileKind<Name, P>,
  table: Table,
  options: MapOptions<Name> = {},
): Mapped<Name, P> {
  const own = ownColumns(table.header)
  const preset = findPreset(kind.presets, table.keys)
  const sources: Sources<Name> = new Map()
  const ambiguous: AmbiguousColumn<Name>[] = []
  const scope = { kind, table, sources, ambiguous }
  addFlags(scope, options.map ?? new Map())
  if (preset !== undefined) addPreset(scope, preset)
  const found = candidates(scope, own)
  addByName(scope, preset === undefined ? withNameParts(scope, found, own) : found, options.saved)
  if (preset === undefined) {
    addVague(scope, own)
    addHouseNumber(scope, own)
  }

  const used = claimed(sources)
  const asked = new Set(ambiguous.flatMap(({ headers }) => headers))
  const idle = table.header.filter((header, at) => !used.has(at) && !own.has(at) && !asked.has(header))
  const isUnknown = (header: string): boolean =>
    header.trim() !== '' && kind.isReadBeside?.(headerKey(header)) !== true
  const unknown = preset === undefined ? idle.filter(isUnknown) : []
  if (options.strict === true && unknown.length > 0) throw strictError(kind.name, unknown)
  const defaults = options.defaults ?? new Map<Name, string>()
  return {
    mapping: {
      kind,
      preset,
      sources,
      defaults,
      ours: own.size > 0,
      exact: ownFileKind(table.header) === 'export',
    },
    missing: findMissing(scope, defaults, idle),
    ambiguous,
    unknown,
    vague: unknown.flatMap((header) => {
      const columns = findVague(kind.dictionary, headerKey(header))?.columns
      return columns === undefined ? [] : [{ header, columns }]
    }),
  }
}

type Sources<Name extends string> = Map<Name, { how: How; from: Source[] }>

type Scope<Name extends string> = {
  kind: FileKind<Name>
  table: Table
  sources: Sources<Name>
  ambiguous: AmbiguousColumn<Name>[]
}

function addFlags<Name extends string>(scope: Scope<Name>, flags: Assignments<Name>): void {
  const { table, sources } = scope
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
    sources.set(column, { how: 'flag', from: [withUnit(scope, column, at)] })
  }
}

function findHeader(table: Table, header: string): number | undefined {
  const written = table.header.indexOf(header)
  if (written !== -1) return written
  const key = headerKey(header)
  const at = key === '' ? -1 : table.keys.indexOf(key)
  return at === -1 ? undefined : at
}

function withUnit<Name extends string>({ kind, table }: Scope<Name>, column: Name, at: number): Source {
  const key = table.keys[at] ?? ''
  const match = kind.matchHeader(key)
  const unit = match?.column === column ? match.unit : kind.unitInHeader(key, column)
  return { at: [at], join: '', ...(unit !== undefined && { unit }) }
}

function addPreset<Name extends string>(scope: Scope<Name>, preset: Preset<Name>): void {
  const { sources } = scope
  for (const [column, choices] of Object.entries(preset.sources) as [Name, readonly Keys[]][]) {
    if (sources.has(column)) continue
    const from = choices.flatMap((keys) => presetSource(scope, column, keys))
    if (from.length > 0) sources.set(column, { how: 'preset', from })
  }
}

function presetSource<Name extends string>(scope: Scope<Name>, column: Name, keys: Keys): Source[] {
  const { table } = scope
  const names = typeof keys === 'string' ? [keys] : keys.join
  const at = names.flatMap((key) => {
    const found = positions(table.keys, key)
    if (found.length > 1) throw duplicate(table, column, found)
    return found
  })
  const [first] = at
  if (first === undefined) return []
  if (typeof keys === 'string') return [withUnit(scope, column, first)]
  return [{ at, join: keys.with }]
}

function positions(keys: readonly string[], key: string): number[] {
  return keys.flatMap((other, at) => (other === key ? [at] : []))
}

/** A header for a column. The cells of `with`, a second header, are appended to those of the first. */
type Candidate<Name extends string> = HeaderMatch<Name> & { at: number; with?: number }

/** Returns the unused headers that name a column. */
function candidates<Name extends string>(
  { kind, table, sources }: Scope<Name>,
  own: ReadonlySet<number>,
): Candidate<Name>[] {
  const used = claimed(sources)
  const foreign = makeForeignMatch(kind, table)
  return table.keys.flatMap((key, at) => {
    const match = used.has(at) || own.has(at) ? undefined : (kind.matchHeader(key) ?? foreign(key))
    return match === undefined || sources.has(match.column) ? [] : [{ ...match, at }]
  })
}

/** Returns the positions of used headers. */
function claimed<Name extends string>(sources: Sources<Name>): Set<number> {
  return new Set([...sources.values()].flatMap(({ from }) => from.flatMap(({ at }) => at)))
}

/** Joins a first and a last name, unless a flag says otherwise. */
function withNameParts<Name extends string>(
  { kind, table, sources }: Scope<Name>,
  found: readonly Candidate<Name>[],
  own: ReadonlySet<number>,
): readonly Candidate<Name>[] {
  const column = kind.parts?.name.column
  const isNamed = found.some((each) => each.column === column && each.how === 'exact')
  if (column === undefined || sources.has(column) || isNamed) return found
  const used = claimed(sources)
  const parts = findNameParts(kind, table, (at) => !used.has(at) && !own.has(at))
  if (parts === undefined) return found
  const [at, last] = parts
  return [
    ...found.filter((each) => !parts.includes(each.at)),
    { column, how: 'alias', foreign: true, at, with: last },
  ]
}

/** Assigns an ambiguous word to the column that no other header names. */
function addVague<Name extends string>(scope: Scope<Name>, own: ReadonlySet<number>): void {
  const { kind, table, sources, ambiguous } = scope
  for (const [at, key] of table.keys.entries()) {
    if (own.has(at) || claimed(sources).has(at)) continue
    const vague = findVague(kind.dictionary, key) ?? findVague(kind.dictionary, withoutUnit(key, kind))
    if (vague?.whenLeft !== true) continue
    const open = vague.columns.filter(
      (column) => !sources.has(column) && ambiguous.every((each) => each.column !== column),
    )
    const [only] = open
    if (only !== undefined && open.length === 1)
      sources.set(only, { how: 'alias', from: [withUnit(scope, only, at)] })
  }
}

/** Joins a house number in its own column to the street, on the same side as in the file. */
function addHouseNumber<Name extends string>(
  { kind, table, sources }: Scope<Name>,
  own: ReadonlySet<number>,
): void {
  const column = kind.parts?.street.column
  const source = column === undefined ? undefined : sources.get(column)
  const [street] = source?.from.length === 1 ? (source.from[0]?.at ?? []) : []
  if (column === undefined || source === undefined || street === undefined) return
  const used = claimed(sources)
  const isFree = (at: number): boolean => !used.has(at) && !own.has(at)
  const number = table.keys.some((_, at) => isFree(at))
    ? findHouseNumber(kind, table, street, isFree)
    : undefined
  if (number === undefined) return
  const at = number < street ? [number, street] : [street, number]
  sources.set(column, { how: source.how, from: [{ at, join: ' ' }] })
}

function addByName<Name extends string>(
  scope: Scope<Name>,
  found: readonly Candidate<Name>[],
  saved: SavedMap<Name> | undefined,
): void {
  const { kind, table, sources } = scope
  for (const { name } of kind.columns) {
    if (sources.has(name)) continue
    const exact = found.filter(({ column, how }) => column === name && how === 'exact')
    const savedHeader = saved?.columns[name]
    const savedAt = savedHeader === undefined ? undefined : findHeader(table, savedHeader)
    const named = found.filter(({ column, how }) => column === name && how === 'alias')
    const english = named.filter(({ foreign }) => foreign !== true)
    const aliases = english.length > 0 ? english : named
    // A person who saved another header than the one with the column's name meant it.
    const isOther = savedAt !== undefined && exact.every(({ at }) => at !== savedAt)
    if (exact.length > 0 && !isOther) setOne(scope, name, exact, 'exact')
    else if (savedAt !== undefined)
      sources.set(name, { how: 'saved', from: [withUnit(scope, name, savedAt)] })
    else if (aliases.length > 0) setOne(scope, name, aliases, 'alias')
  }
}

function setOne<Name extends string>(
  scope: Scope<Name>,
  column: Name,
  found: readonly Candidate<Name>[],
  how: How,
): void {
  const { table, sources, ambiguous } = scope
  const at = found.map((candidate) => candidate.at)
  if (new Set(at.map((index) => table.keys[index])).size < at.length || (how === 'exact' && at.length > 1)) {
    throw duplicate(table, column, at)
  }
  const [first] = found
  if (at.length > 1) ambiguous.push({ column, headers: at.map((index) => table.header[index] ?? '') })
  else if (first?.with !== undefined)
    sources.set(column, { how, from: [{ at: [first.at, first.with], join: ' ' }] })
  else sources.set(column, { how, from: [withUnit(scope, column, at[0] ?? 0)] })
}

function duplicate(table: Table, column: string, at: readonly number[]): AppError {
  const headers = at.map((index) => `${quoted(table.header[index] ?? '')} (column ${index + 1})`)
  return fileError('duplicate_column', `Several columns are ${column}: ${headers.join(', ')}.`, {
    column,
    headers: at.map((index) => table.header[index]),
    hint: 'Rename or remove all but one.',
  })
}

function strictError(file: string, unknown: readonly string[]): AppError {
  return fileError(
    'unknown_column',
    `--strict: the file has columns that a ${file} does not: ${unknown.map(quoted).join(', ')}.`,
    {
      headers: unknown,
      hint: 'Remove them, name them with --map column=Header, or leave out --strict to ignore them.',
    },
  )
}

function findMissing<Name extends string>(
  { kind, sources, ambiguous }: Scope<Name>,
  defaults: Assignments<Name>,
  idle: readonly string[],
): MissingColumn<Name>[] {
  const { whole, columns } = kind
  const known = new Set<Name>([
    ...sources.keys(),
    ...defaults.keys(),
    ...ambiguous.map(({ column }) => column),
  ])
  if (whole !== undefined && known.has(whole.by)) for (const part of whole.parts) known.add(part)
  return columns
    .filter(({ name, required }) => required && !known.has(name))
    .map(({ name, sample }) => {
      const headers = likely(kind, name, idle)
      const flag =
        headers[0] !== undefined || sample === undefined
          ? mapFlag(name, headers[0] ?? 'HEADER')
          : `--default ${name}=${sample}`
      return { column: name, headers, flag }
    })
}

/** Returns the unused headers that may be the column, or that share a word with it or its aliases. */
function likely<Name extends string>(kind: FileKind<Name>, name: Name, idle: readonly string[]): string[] {
  // Foreign names of several words are left out: most of their words are in many names.
  const foreign = wordsOf(kind.dictionary, name).map(headerKey)
  const names = [name, ...kind.columnOf(name).aliases, ...foreign.filter((word) => !word.includes('_'))]
  const words = new Set(
    names.flatMap((each) => each.split('_')).filter((word) => word.length > 2 && !kind.vague.has(word)),
  )
  const isVague = (key: string): boolean => findVague(kind.dictionary, key)?.columns.includes(name) === true
  return idle
    .filter((header) => {
      const key = headerKey(header)
      return isVague(key) || key.split('_').some((word) => words.has(word))
    })
    .slice(0, 5)
}
