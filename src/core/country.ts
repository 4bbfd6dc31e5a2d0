import countries from '../reference-data/countries.json' with { type: 'json' }
import { findClosestWord } from './nearest.ts'

/**
 * ISO 3166-1: alpha-2, alpha-3, calling code, then the English names by which people and exports know the country.
 * Names are written as `countryCode` compares them: lower case, no accents, words separated by one space.
 */
export const COUNTRIES: readonly string[] = countries

let codes: Map<string, string> | undefined
let callingCodes: Map<string, string> | undefined

/**
 * Returns the ISO 3166-1 alpha-2 code for an alpha-2 code, an alpha-3 code, an English name (`UK`, `Great Britain`,
 * `Korea, Republic of`), several of them for one country (`United Kingdom (UK)`, `England, UK`), or a part of a country
 * by ISO 3166-2 (`GB-NIR`). Undefined for anything else, and for words that mean two countries.
 */
export function findCountryCode(text: string): string | undefined {
  codes ??= indexCodes()
  return codes.get(compareForm(text)) ?? codeOfPart(text) ?? codeOfSeveral(text, codes)
}

function codeOfPart(text: string): string | undefined {
  const code = /^([A-Z]{2})-[A-Z0-9]{1,3}$/.exec(text.trim().toUpperCase())?.[1]
  return code !== undefined && isCountryCode(code) ? code : undefined
}

function codeOfSeveral(text: string, known: ReadonlyMap<string, string>): string | undefined {
  const words = text.split(/[(),;:/|]|\s[-\u2010-\u2015]\s/).map(compareForm)
  const found = new Set(words.filter((word) => word !== '').map((word) => known.get(word)))
  return found.size === 1 ? [...found][0] : undefined
}

/** Returns the English name of the country that a misspelt one most likely means. */
export function nearestCountry(text: string): string | undefined {
  codes ??= indexCodes()
  const word = compareForm(text)
  // A few letters are near to a code of any country.
  if (word.length < 4) return undefined
  const found = findClosestWord(
    word,
    [...codes.keys()].filter((key) => key.length > 3),
  )
  return found === undefined ? undefined : countryName(codes.get(found) ?? '')
}

let names: Intl.DisplayNames | undefined

/** Returns the English name of a country by its alpha-2 code, such as `Ireland`. */
export function countryName(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'region' })
  return names.of(code) ?? code
}

/** Returns true for an alpha-2 code of ISO 3166-1 in upper case. */
export function isCountryCode(code: string): boolean {
  return callingCodeOf(code) !== undefined
}

/** Returns the calling code without the plus sign, by alpha-2 code. */
export function callingCodeOf(code: string): string | undefined {
  callingCodes ??= new Map(
    COUNTRIES.map((row): [string, string] => [row.slice(0, 2), row.split(' ')[2] ?? '']),
  )
  return callingCodes.get(code)
}

function indexCodes(): Map<string, string> {
  const index = new Map<string, string>()
  for (const row of COUNTRIES) {
    const [alpha2 = '', alpha3 = '', , ...names] = row.split(' ')
    for (const key of [alpha2.toLowerCase(), alpha3.toLowerCase(), ...names.join(' ').split('|')])
      index.set(key, alpha2)
  }
  return index
}

/**
 * Returns the form in which names are compared: lower case, no accents, dots or apostrophes, `&` as `and`, one space
 * between words, no article in front.
 */
function compareForm(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f.'’`]/g, '')
    .replace(/&/g, ' and ')
    .toLowerCase()
  return plain
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replace(/^the /, '')
}
