/** Which column a header names, by its own name or by what its words mean. */
import type { Expected } from '../csv/header.ts'
import { headerKey, squash } from '../csv/keys.ts'
import { type Unit, unitsOf } from '../csv/numbers.ts'
import { type Column, type FileKind, findPreset, type Match } from './columns.ts'
import { foreignWords, type Phrase, type Reading, readPhrase } from './phrase.ts'
import type { Language } from './words.ts'

/** The meaning of a header: a column, or one of several that only a person can tell apart. */
export type Found = { match?: Match; vague?: readonly string[] }

type Part = {
  column: Column
  owners: readonly string[]
  tier: number
  parts: string
}

type Index = {
  /** Headers of a declaration that hold words which no meaning has. */
  literal: ReadonlyMap<string, Part>
  /** By the meanings, without their owners. */
  parts: ReadonlyMap<string, readonly Part[]>
  /** The meanings of which each column's headers are made. */
  meanings: Map<string, { heads: ReadonlySet<string>; all: ReadonlySet<string> }>
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
  ({ columns }): ReadonlyMap<string, Match> =>
    new Map(
      columns
        .filter(({ helps }) => helps === undefined)
        .map(({ name, read }) => {
          const unit = read === 'weight' ? 'g' : read === 'length' ? 'mm' : undefined
          return [squash(name), { column: name, how: 'exact', rank: 0, ...(unit !== undefined && { unit }) }]
        }),
    ),
)

const indexOf = once((kind): Index => {
  const literal = new Map<string, Part>()
  const parts = new Map<string, Part[]>()
  const meanings: Index['meanings'] = new Map()
  for (const column of kind.columns) {
    const own = partsOf(column, column.part)
    for (const part of own) {
      if ('literal' in part) literal.set(part.literal, part)
      else parts.set(part.parts, [...(parts.get(part.parts) ?? []), part])
    }
    const lists = own.flatMap((part) => (part.parts === '' ? [] : [part.parts.split('+')]))
    const heads = new Set(lists.filter((list) => list.length === 1).flat())
    meanings.set(column.name, { heads, all: new Set(lists.flat()) })
  }
  // A name means what other headers of its words do, unless a column is declared for these.
  for (const [part] of kind.columns.map((column) => partsOf(column, column.name.replaceAll('_', ' ')))) {
    if (part === undefined || 'literal' in part) continue
    const others = parts.get(part.parts) ?? []
    if (others.every(({ owners }) => owners.join('+') !== part.owners.join('+')))
      parts.set(part.parts, [...others, part])
  }
  return { literal, parts, meanings }
})

/** The headers of a declaration, as what they mean. */
function partsOf(column: Column, headers: string): (Part | (Part & { literal: string }))[] {
  return headers.split(';').flatMap((texts, tier) =>
    texts
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text) => {
        const { readings, unknown } = readPhrase(text)
        const english = readings.find(({ languages }) => languages.has('English')) ?? readings[0]
        const { owners = [], parts = [] } = english ?? {}
        const part = { column, owners, tier, parts: parts.join('+') }
        const isLiteral = unknown.length > 0 || text.startsWith('"')
        return isLiteral ? { ...part, parts: '', literal: squash(headerKey(text)) } : part
      }),
  )
}

/**
 * Returns what a header may be. `languages` are those of the other headers, which decide between the meanings of a word;
 * `cells` are those below it.
 */
export function findColumn(
  kind: FileKind,
  header: string,
  {
    languages = new Set(),
    cells = () => [],
  }: { languages?: ReadonlySet<Language>; cells?: () => readonly string[] } = {},
): Found {
  const exact = exactOf(kind).get(squash(headerKey(header)))
  if (exact !== undefined) return { match: exact }
  const phrase = readPhrase(header)
  const { literal } = indexOf(kind)
  const listed = literal.get(squash(headerKey(header)))
  if (listed !== undefined) return { match: toMatch(listed, phrase, 0) }
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
    [...spokenIn].some((each) => languages.has(each)),
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
  { owners, parts, languages }: Reading,
  phrase: Phrase,
): (Match & { languages: ReadonlySet<Language> })[] {
  return (indexOf(kind).parts.get(parts.join('+')) ?? []).flatMap((part) => {
    if (!part.owners.every((owner) => owners.includes(owner))) return []
    const others = owners.filter((owner) => !part.owners.includes(owner))
    if (!others.every((owner) => acceptedBy(kind, part.column).includes(owner))) return []
    const match = toMatch(part, phrase, languages.has('English') ? 0 : 1)
    const isOwned =
      part.column.of === undefined || owners.some((owner) => owner === 'recipient' || owner === 'delivery')
    return fits(part.column, phrase) ? [{ ...match, rank: match.rank + (isOwned ? 0 : 100), languages }] : []
  })
}

function toMatch({ column, tier }: Part, { unit, number }: Phrase, rank: number): Match {
  return {
    column:
      number !== undefined && number > 1 ? ((column.more as string | undefined) ?? column.name) : column.name,
    how: 'alias',
    rank: rank + tier * 10,
    ...(unit !== undefined && { unit }),
    ...(number !== undefined && { number }),
  }
}

/** Whether a unit, a currency or a number in the header makes sense there. */
function fits({ read, more }: Column, { unit, currency, number = 1 }: Phrase): boolean {
  if (unit !== undefined && !unitsOf(read).includes(unit)) return false
  if (currency !== undefined && read !== 'money') return false
  return number === 1 || more !== undefined
}

/** Returns the unit in a header, if a column that is read so can have it. */
export function unitInHeader(header: string, { read }: Column): Unit | undefined {
  const { unit } = readPhrase(header)
  return unit !== undefined && unitsOf(read).includes(unit) ? unit : undefined
}

function acceptedBy({ owners }: FileKind, { of }: Column): readonly string[] {
  return of === 'recipient' ? owners.recipient : owners.other
}

/**
 * Returns whether an unknown header may be meant for a column: its known words are words of the column, and none names
 * another owner.
 */
export function isLikely(kind: FileKind, header: string, column: Column): boolean {
  const { readings, unit, unknown, number = 1 } = readPhrase(header)
  // `Address 2` can only be a further line.
  const first = kind.columns.find(({ more }) => more === column.name)
  if (number > 1 && column.more !== undefined) return false
  const meant = number > 1 && first !== undefined ? first : column
  const { heads = new Set(), all = new Set() } = indexOf(kind).meanings.get(meant.name) ?? {}
  if (unit !== undefined && unitsOf(column.read).length > 0 && !unitsOf(column.read).includes(unit))
    return false
  // The weight of one item is better than a weight that somebody made up; the name of one is no name of a recipient.
  const accepted = [
    ...acceptedBy(kind, column),
    ...(column.read === 'weight' ? ['item', 'product', 'unit', 'variant'] : []),
  ]
  // A number or a code alone may be that of the order.
  const isReference = column.read === 'reference'
  return readings.some(
    ({ owners, parts }) =>
      owners.every((owner) => accepted.includes(owner)) &&
      parts.every((part) => all.has(part)) &&
      (parts.some((part) => heads.has(part)) || (isReference && unknown.length === 0 && parts.length > 0)),
  )
}

/** Returns the words for a column in languages other than English: those of its first header of one meaning. */
export function foreignNames(kind: FileKind, name: string): string[] {
  const column = kind.columnOf(name)
  const own = partsOf(column, `${name.replaceAll('_', ' ')}, ${column.part}`).find(
    ({ parts, owners, tier }) => tier === 0 && parts !== '' && !parts.includes('+') && owners.length === 0,
  )
  return own === undefined ? [] : foreignWords(own.parts)
}

/** Returns the words of a header that no meaning has: headers with the same ones are of the same owner. */
export function unknownWords(header: string): string {
  return readPhrase(header).unknown.join(' ')
}

/**
 * Returns the rules that recognise the header of this kind of file. `mapped` are keys of headers that flags and saved
 * maps name.
 */
export function expectedHeader(kind: FileKind, mapped: ReadonlySet<string> = new Set()): Expected {
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

/** The header below a word for a person. A column that is nobody's, such as a weight, keeps its own. */
function groupedHeader(kind: FileKind, group: string, header: string): string | undefined {
  const { readings, unknown, number } = readPhrase(group)
  const reading = readings.find(({ owners }) => owners.length > 0)
  const [owner] = reading?.owners ?? []
  if (owner === undefined || unknown.length > 0 || number !== undefined) return undefined
  if (!reading?.parts.every((part) => HEADINGS.has(part))) return undefined
  const whole = `${reading.parts.length === 0 ? group : owner} ${header}`
  const { match } = findColumn(kind, header)
  const isNobodys = match !== undefined && kind.columnOf(match.column).of === undefined
  return isNobodys && findColumn(kind, whole).match === undefined ? header : whole
}
