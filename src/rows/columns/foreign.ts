/** Headers whose meaning depends on the other headers: words of several languages, halves of a name, house numbers. */
import { isFilled } from '../csv/header.ts'
import { squash } from '../csv/keys.ts'
import type { Table } from '../csv/read.ts'
import type { FileKind, HeaderMatch } from './columns.ts'
import { findLanguages, findShared, findVague, type Language, ownKey, wordKeys } from './dictionary.ts'

/** Returns a function that finds the column of a header by the other headers of its file. */
export function makeForeignMatch<Name extends string>(
  kind: FileKind<Name>,
  table: Table,
): (key: string) => HeaderMatch<Name> | undefined {
  const { dictionary } = kind
  let languages: Language[] | undefined
  const shared = (key: string): Name | undefined => {
    if (findVague(dictionary, key) === undefined) return undefined
    languages ??= findLanguages(dictionary, table.keys)
    return findShared(dictionary, key, languages)
  }
  return (key) => {
    const column = shared(key) ?? shared(withoutUnit(key, kind))
    if (column !== undefined) return { column, how: 'alias', foreign: true }
    const own = ownKey(dictionary, key)
    if (own === undefined) return undefined
    const owned = kind.matchHeader(own)?.column ?? shared(own)
    return owned !== undefined && dictionary.owned.has(owned)
      ? { column: owned, how: 'alias', foreign: true }
      : undefined
  }
}

/** Removes a unit: `largo_cm` and `largo_en_cm` become `largo`, if these are units of any column. */
export function withoutUnit<Name extends string>(
  key: string,
  { columns, unitInHeader }: FileKind<Name>,
): string {
  return columns.some(({ name }) => unitInHeader(key, name) !== undefined)
    ? key.replace(/(?:_(?:in|en))?_[^_]+$/, '')
    : key
}

/** Returns the positions of a first and a last name, if the file has both. */
export function findNameParts<Name extends string>(
  { parts, dictionary }: FileKind<Name>,
  { keys }: Table,
  isFree: (at: number) => boolean,
): [number, number] | undefined {
  const own = keys.map((key) => ownKey(dictionary, key) ?? squash(key))
  const placeOf = (words: readonly string[]): number => {
    const wanted = new Set(words.flatMap(wordKeys))
    return own.findIndex((key, at) => isFree(at) && wanted.has(key))
  }
  for (const { first, last } of parts?.name.pairs ?? []) {
    const found: [number, number] = [placeOf(first), placeOf(last)]
    if (found.every((at) => at !== -1)) return found
  }
  return undefined
}

/**
 * Returns the position of the house number for the street at `street`: under a word for it, or under a word such as
 * `Nr.` directly beside a street without numbers.
 */
export function findHouseNumber<Name extends string>(
  { parts, dictionary }: FileKind<Name>,
  { keys, rows }: Table,
  street: number,
  isFree: (at: number) => boolean,
): number | undefined {
  if (parts === undefined) return undefined
  const sure = new Set(parts.street.numbers.flatMap(wordKeys))
  const at = keys.findIndex((key, place) => isFree(place) && sure.has(ownKey(dictionary, key) ?? squash(key)))
  if (at !== -1) return at
  const vague = new Set(parts.street.vague.flatMap(wordKeys))
  const beside = [street + 1, street - 1].find(
    (place) => isFree(place) && vague.has(squash(keys[place] ?? '')),
  )
  if (beside === undefined) return undefined
  const streets = rows.map(({ cells }) => cells[street] ?? '').filter(isFilled)
  return streets.some((cell) => /\d\s*[a-z]?$/i.test(cell.trim())) ? undefined : beside
}
