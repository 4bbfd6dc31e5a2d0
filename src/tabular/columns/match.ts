/** Finds the column that a header names, by its own name or by the meaning of its words. */
import type { ExpectedHeader } from '../csv/header.ts'
import { headerKey, stripUnderscores } from '../csv/keys.ts'
import { type Unit, unitsOf } from '../csv/numbers.ts'
import { type FileColumn, type FileKind, findPreset, type HeaderMatch } from './columns.ts'
import { type HeaderTokens, type HeaderReading, parseHeader } from './header-parser.ts'

/** The meaning of a header: a column, or one of several that only a person can tell apart. */
export type HeaderMeaning = { match?: HeaderMatch; vague?: readonly string[] }

/** A header of a declaration: the owners in it, and its place among those that count only where none before is there. */
export type HeaderPart = { column: string; owners: readonly string[]; tier: number }

/** The headers of a kind of file, made by the build. */
export type PartIndex = {
  /** Headers of a declaration that hold words which no meaning has. */
  literal: Record<string, HeaderPart>
  /** By the meanings, without their owners. */
  parts: Record<string, HeaderPart[]>
  /** The meanings of which each column's headers are made; `heads` are enough alone. */
  meanings: Record<string, { heads: readonly string[]; all: readonly string[] }>
}

/** Makes something of a kind of file once, when it is first needed: the headers of most files are the columns' own names. */
function once<T>(make: (kind: FileKind) => T): (kind: FileKind) => T {
  const made = new WeakMap<FileKind, T>()
  return (kind) => {
    const value = made.get(kind) ?? make(kind)
    made.set(kind, value)
    return value
  }
}

/** The columns by exactly their names. */
const exactOf = once(
  ({ columns }): ReadonlyMap<string, HeaderMatch> =>
    new Map(
      columns
        .filter(({ helps }) => helps === undefined)
        .map(({ name, read }) => {
          const unit = read === 'weight' ? 'g' : read === 'length' ? 'mm' : undefined
          return [
            stripUnderscores(name),
            { column: name, how: 'exact', rank: 0, ...(unit !== undefined && { unit }) },
          ]
        }),
    ),
)

const indexOf = once(({ headers }) => JSON.parse(headers) as PartIndex)

/**
 * Returns what a header may be. `languages` are those of the other headers, which decide between the meanings of a word;
 * `cells` are those below it.
 */
export function findColumn(
  kind: FileKind,
  header: string,
  { languages = '', cells = () => [] }: { languages?: string; cells?: () => readonly string[] } = {},
): HeaderMeaning {
  const exact = exactOf(kind).get(stripUnderscores(headerKey(header)))
  if (exact !== undefined) return { match: exact }
  const phrase = parseHeader(header)
  const { literal } = indexOf(kind)
  const key = stripUnderscores(headerKey(header))
  const listed = Object.hasOwn(literal, key) ? literal[key] : undefined
  if (listed !== undefined) return { match: toMatch(kind, listed, phrase, 0) }
  if (phrase.unknown.length > 0 || phrase.readings.length === 0) return {}
  const all = phrase.readings.flatMap((reading) => matchesOf(kind, reading, phrase))
  const isOne = all.every(({ column }) => column === all[0]?.column)
  const held = all.filter(({ column }) => {
    const { holds } = kind.columnOf(column)
    return isOne || holds === undefined || holdsAll(cells(), holds)
  })
  // Cells that only one kind of column has decide.
  const certain = held.filter(({ column }) => kind.columnOf(column).holds !== undefined)
  const matches = certain.length > 0 ? certain : held
  const spoken = matches.filter(({ languages: spokenIn }) =>
    Array.from(languages).some((each) => spokenIn.includes(each)),
  )
  for (const list of [matches, spoken]) {
    const best = list.toSorted((a, b) => a.rank - b.rank)[0]
    if (best !== undefined && list.every(({ column }) => column === best.column)) {
      const { languages: _, ...match } = best
      return { match }
    }
  }
  return matches.length === 0 ? {} : { vague: [...new Set(matches.map(({ column }) => column))] }
}

function holdsAll(cells: readonly string[], holds: (cell: string) => boolean): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return filled.length > 0 && filled.every((cell) => holds(cell))
}

function matchesOf(
  kind: FileKind,
  { owners, parts, languages }: HeaderReading,
  phrase: HeaderTokens,
): (HeaderMatch & { languages: string })[] {
  return (indexOf(kind).parts[parts.join('+')] ?? []).flatMap((part) => {
    const column = kind.columnOf(part.column)
    if (!part.owners.every((owner) => owners.includes(owner)) || !fits(column, phrase, parts)) return []
    const others = owners.filter((owner) => !part.owners.includes(owner))
    if (!others.every((owner) => acceptedBy(kind, column).includes(owner))) return []
    const isOwned =
      column.of !== 'recipient' || owners.some((each) => ['recipient', 'delivery'].includes(each))
    const rank = (languages.includes('E') ? 0 : 1) + (isOwned ? 0 : 100)
    return [{ ...toMatch(kind, part, phrase, rank), languages }]
  })
}

function toMatch(
  kind: FileKind,
  { column, tier }: HeaderPart,
  { unit, number }: HeaderTokens,
  rank: number,
): HeaderMatch {
  return {
    column: ((number ?? 1) > 1 ? kind.columnOf(column).more : undefined) ?? column,
    how: 'alias',
    rank: rank + tier * 10,
    ...(unit !== undefined && { unit }),
    ...(number !== undefined && { number }),
  }
}

/** Returns whether a unit, a currency or a number in the header makes sense there. */
function fits(
  { read, more, numbered }: FileColumn,
  { unit, currency, number = 1 }: HeaderTokens,
  parts: readonly string[],
): boolean {
  if (unit !== undefined && !unitsOf(read).includes(unit)) return false
  if (currency !== undefined && read !== 'money') return false
  // `Address Line 3 - City` is a town.
  return number === 1 || numbered === true || more !== undefined || parts.includes('line')
}

/** Returns the unit in a header, if a column that is read so can have it. */
export function unitInHeader(header: string, { read }: FileColumn): Unit | undefined {
  const { unit } = parseHeader(header)
  return unit !== undefined && unitsOf(read).includes(unit) ? unit : undefined
}

/** Returns whether a header says that it is no such thing as a column needs, such as a price of yesterday. */
export function isExcluded({ never }: FileColumn, header: string): boolean {
  return never !== undefined && new RegExp(`(?:^|_)(?:${never})(?:_|$)`).test(headerKey(header))
}

/** Returns whether a header has no word beside those of a column that says whose, or of which day it is. */
export function isCertain({ certain = '' }: FileColumn, header: string): boolean {
  const { unknown, readings } = parseHeader(header)
  const known = new Set(certain.split('|'))
  return unknown.every((word) => known.has(word)) && readings.some(({ owners }) => owners.length === 0)
}

function acceptedBy({ owners }: FileKind, { of }: FileColumn): readonly string[] {
  return of === 'recipient' ? owners.recipient : owners.other
}

/**
 * Returns whether an unknown header may be meant for a column: its known words are words of the column, and none names
 * another owner.
 */
export function isLikely(kind: FileKind, header: string, column: FileColumn): boolean {
  const { readings, unit, unknown, number = 1 } = parseHeader(header)
  // `Address 2` can only be a further line.
  const first = kind.columns.find(({ more }) => more === column.name)
  if (number > 1 && column.more !== undefined) return false
  const meant = number > 1 && first !== undefined ? first : column
  const { heads = [], all = [] } = indexOf(kind).meanings[meant.name] ?? {}
  if (unit !== undefined && unitsOf(column.read).length > 0 && !unitsOf(column.read).includes(unit))
    return false
  // The weight of one item is better than an invented weight; the name of one is no name of a recipient.
  const accepted = [
    ...acceptedBy(kind, column),
    ...(column.read === 'weight' ? ['item', 'product', 'unit', 'variant'] : []),
  ]
  // A number or a code alone may be that of the order.
  const isReference = column.read === 'reference'
  return readings.some(
    ({ owners, parts }) =>
      (column.never !== undefined || owners.every((owner) => accepted.includes(owner))) &&
      parts.every((part) => all.includes(part)) &&
      (parts.some((part) => heads.includes(part)) ||
        (isReference && unknown.length === 0 && parts.length > 0)),
  )
}

/** Returns the words of a header that no meaning has: headers with the same ones are of the same owner. */
export function unknownWords(header: string): string {
  return parseHeader(header).unknown.join(' ')
}

/**
 * Returns the rules that recognise the header of this kind of file. `mapped` are keys of headers that flags and saved
 * maps name.
 */
export function makeExpectedHeader(kind: FileKind, mapped: ReadonlySet<string> = new Set()): ExpectedHeader {
  return {
    row: kind.row,
    template: kind.template,
    required: kind.columns.flatMap(({ name, required }) => (required ? [name] : [])),
    columnsOf(cells) {
      const keys = cells.map(headerKey)
      const preset = findPreset(kind.presets, keys)
      const known = new Set(Object.values(preset?.sources ?? {}).flatMap((choices = []) => choices))
      return cells.map((cell, at) => {
        const key = keys[at] ?? ''
        if (key === '') return undefined
        const { match, vague } = findColumn(kind, cell)
        return match?.column ?? (known.has(key) || mapped.has(key) || vague !== undefined ? key : undefined)
      })
    },
    grouped: (group, header) => groupedHeader(kind, group, header),
  }
}

/** Words beside which a word of an owner may stand where it heads several columns: `Delivery address`, `Sender details`. */
const HEADINGS: ReadonlySet<string> = new Set(['address', 'contact', 'description'])

/** The header below a word for a person. A column of no person, such as a weight, keeps its own. */
function groupedHeader(kind: FileKind, group: string, header: string): string | undefined {
  const { readings, unknown, number } = parseHeader(group)
  const reading = readings.find(({ owners }) => owners.length > 0)
  const [owner] = reading?.owners ?? []
  if (owner === undefined || unknown.length > 0 || number !== undefined) return undefined
  if (!reading?.parts.every((part) => HEADINGS.has(part))) return undefined
  const whole = `${reading.parts.length === 0 ? group : owner} ${header}`
  const { match } = findColumn(kind, header)
  const isNobodys = match !== undefined && kind.columnOf(match.column).of !== 'recipient'
  return isNobodys && findColumn(kind, whole).match === undefined ? header : whole
}
