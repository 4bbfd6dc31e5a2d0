/**
 * Reads a header as a phrase: whose, what, which number, in which unit or currency
 * (docs/rules/files.md#a-header-means-what-people-call-it).
 */
import { currencyInText, isCurrency } from '../../core/money.ts'
import { HEADER_WORDS } from '../../generated/header-words.ts'
import { headerKey } from '../csv/keys.ts'
import { type Unit, unitOf } from '../csv/numbers.ts'
import { LANGUAGES, type WORD_MEANINGS } from './words.ts'

/** One of the ways to understand the words of a header. Most headers have one. */
export type HeaderReading = {
  /** Words for persons and things that the rest belongs to. */
  owners: readonly string[]
  /** The parts without the owners: sorted, each once. */
  parts: readonly string[]
  /** The initials of the languages in which all its words have these meanings. */
  languages: string
}

export type HeaderTokens = {
  readings: readonly HeaderReading[]
  /** The number in it, such as that of a line of an address; of several the first. */
  number?: number
  unit?: Unit
  currency?: string
  /** The side of a box that its only letter may stand for: `L (cm)`. */
  side?: 'length' | 'width' | 'height'
  /** Words that the table does not have. */
  unknown: readonly string[]
}

/** A meaning of a word. `in` are the initials of its languages. */
type TokenMeaning = { name: string; isOwner: boolean; in: string }

const INITIALS = LANGUAGES.map((language) => language.charAt(0))

type Words = { words: ReadonlyMap<string, readonly TokenMeaning[]>; fillers: ReadonlySet<string> }

let read: Words | undefined

/** Returns the words of the table. Made on demand: the headers of most files are the columns' own names. */
function allWords(): Words {
  if (read !== undefined) return read
  const { owners, parts, fillers } = JSON.parse(HEADER_WORDS) as typeof WORD_MEANINGS
  const words = new Map<string, TokenMeaning[]>()
  for (const isOwner of [true, false])
    for (const [name, lists] of Object.entries(isOwner ? owners : parts))
      for (const [at, list] of lists.split('|').entries())
        for (const key of list === '' ? [] : list.split(' ')) {
          const known = words.get(key) ?? []
          const same = known.find((each) => each.name === name)
          if (same === undefined) words.set(key, [...known, { name, isOwner, in: INITIALS[at] ?? '' }])
          else same.in += INITIALS[at]
        }
  return (read = { words, fillers: new Set(fillers.flatMap((list) => list.split(' '))) })
}

/** `Kundennummer` has an `n` between its words. */
const LINKS = ['', 's', 'n', 'en', 'es']
/** Short words that end others: `Bestellnr.`, `orderid`. */
const SHORT: ReadonlySet<string> = new Set(['nr', 'no', 'id'])
const MAX_RUN_LENGTH = 5
const MAX_READINGS = 16

/** The form of a date, as a template says: `(DD/MM/YYYY)`, `(TT.MM.JJJJ)`. */
const DATE_FORM =
  /\b(?:d{1,2}|m{1,3}|y{2,4}|t{2}|j{2,4}|a{2,4}|g{2})(?:[./-](?:d{1,2}|m{1,3}|y{2,4}|j{2,4}|a{2,4})){2}\b/gi

/** Words of a header, in lower case without accents: `ShipToAddress2` has four. */
function wordsOf(header: string): string[] {
  const spaced = header
    .replaceAll(DATE_FORM, '')
    .normalize('NFKC')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')
  const key = headerKey(spaced).replaceAll('ß', 'ss')
  return key === '' ? [] : key.split('_')
}

const SIDE: Readonly<Record<string, 'length' | 'width' | 'height'>> = {
  l: 'length',
  w: 'width',
  b: 'width',
  h: 'height',
  d: 'height',
  t: 'height',
}

/** Three sides by their letters: `LxWxH`, `L/B/H`. */
const SIDES = /(?:^|_)l_?x?_?[wbla]_?x?_?[hdta](?=_|$)/

/** Reads a header. Words that are not in the table are left for `unknown`. */
export function parseHeader(header: string): HeaderTokens {
  const key = headerKey(header)
  const words = wordsOf(SIDES.test(key) ? key.replace(SIDES, '_length_width_height') : header)
  const { unit, rest } = withoutUnit(words)
  const ofUnit = unit === undefined ? {} : { unit }
  const side = rest.length <= 2 ? SIDE[rest.at(-1) ?? ''] : undefined
  if (side !== undefined && rest.length === 1) return { readings: [], side, unknown: [], ...ofUnit }
  const { found, numbers, unknown } = findMeanings(side === undefined ? rest : [...rest.slice(0, -1), side])
  const [number] = numbers
  return {
    readings: readingsOf(found),
    ...(number !== undefined && { number }),
    ...ofUnit,
    ...(isCurrencyCode(unknown, rest)
      ? { currency: unknown.join('').toUpperCase(), unknown: [] }
      : { unknown }),
  }
}

/** Returns the currency that a header names by its code or its sign; a sign of several means `usual` where it can. */
export function currencyInHeader(header: string, usual: string): string | undefined {
  return parseHeader(header).currency ?? currencyInText(header, usual)
}

/** Returns whether the only unknown word is a currency behind the others. */
function isCurrencyCode([word = '', ...others]: readonly string[], words: readonly string[]): boolean {
  return others.length === 0 && word === words.at(-1) && isCurrency(word.toUpperCase())
}

/** The meanings of words in their order, longest runs first; numbers and unknown words apart. */
function findMeanings(words: readonly string[]) {
  const found: (readonly TokenMeaning[])[] = []
  const unknown: string[] = []
  const numbers: number[] = []
  for (let at = 0; at < words.length;) {
    const run = longestRun(words, at)
    const word = words[at] ?? ''
    if (run !== undefined) found.push(run.meanings)
    else if (/^\d+$/.test(word)) numbers.push(Number(word))
    else if (!allWords().fillers.has(word)) {
      const pieces = split(word)
      if (pieces === undefined) unknown.push(word)
      else found.push(...pieces)
    }
    at += run?.length ?? 1
  }
  return { found, unknown, numbers }
}

function withoutUnit(words: readonly string[]): { unit?: Unit; rest: readonly string[] } {
  const last = words.at(-1) ?? ''
  const unit = unitOf(last)
  if (unit === undefined || !/^[a-z]+$/.test(last)) return { rest: words }
  // A column of grams or pounds can only be the weight.
  if (words.length === 1) return { unit, rest: unitOf(last, 'weight') === undefined ? [] : ['weight'] }
  // `L in cm` is the side L.
  return { unit, rest: words.slice(0, words.at(-2) === 'in' ? -2 : -1) }
}

function longestRun(
  words: readonly string[],
  at: number,
): { length: number; meanings: readonly TokenMeaning[] } | undefined {
  for (let length = Math.min(MAX_RUN_LENGTH, words.length - at); length > 0; length--) {
    const meanings = allWords().words.get(words.slice(at, at + length).join(''))
    if (meanings !== undefined) return { length, meanings }
  }
  return undefined
}

/** Splits a word into words of the table: `lieferadresse`, `firstname`. Undefined where a piece is none. */
function split(word: string): (readonly TokenMeaning[])[] | undefined {
  const { words } = allWords()
  for (let end = word.length - 2; end >= 3; end--) {
    const first = words.get(word.slice(0, end))
    if (first === undefined) continue
    for (const link of LINKS) {
      if (!word.startsWith(link, end)) continue
      const rest = word.slice(end + link.length)
      const whole = words.get(rest)
      const others =
        rest.length < 3 && !SHORT.has(rest) ? undefined : whole === undefined ? split(rest) : [whole]
      if (others !== undefined) return [first, ...others]
    }
  }
  return undefined
}

function readingsOf(found: readonly (readonly TokenMeaning[])[]): HeaderReading[] {
  let readings: TokenMeaning[][] = [[]]
  for (const meanings of found) {
    const next = readings.flatMap((reading) => meanings.map((meaning) => [...reading, meaning]))
    readings = next.slice(0, MAX_READINGS)
  }
  return readings.map((reading) => {
    const namesOf = (isOwner: boolean): string[] =>
      [...new Set(reading.flatMap((each) => (each.isOwner === isOwner ? [each.name] : [])))].toSorted()
    const languages = INITIALS.filter((language) => reading.every((each) => each.in.includes(language)))
    return { owners: namesOf(true), parts: namesOf(false), languages: languages.join('') }
  })
}

/** Returns the initials of the languages, other than English, of most of these headers; several when they are equally likely. */
export function findLanguages(phrases: readonly HeaderTokens[]): string {
  const counts = INITIALS.slice(1).map((initial) => {
    const speaks = ({ languages }: HeaderReading): boolean => languages.includes(initial)
    return { initial, count: phrases.filter(({ readings }) => readings.some(speaks)).length }
  })
  const most = Math.max(1, ...counts.map(({ count }) => count))
  return counts.flatMap(({ initial, count }) => (count === most ? [initial] : [])).join('')
}
