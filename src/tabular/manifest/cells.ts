/** Reads one cell of each kind: the value for the wire, or what is wrong with it in words for the clerk. */
import { SERVICE_LEVELS } from '../../areas/carrier/rules/rates.ts'
import { findCountryCode, countryName, isCountryCode, nearestCountry } from '../../core/country.ts'
import { foldForSearch } from '../../core/fold.ts'
import type { Money } from '../../core/money.ts'
import { findClosestWord } from '../../core/nearest.ts'
import {
  findPostcodeArea,
  formatPostcode,
  normalizePostcode,
  findForeignPostcodePlace,
} from '../../core/places/postcode.ts'
import { COUNTRY_NAMES } from '../../generated/country-names.ts'
import { makeCellIssue, type ParseResult, readText, checkShortenedNumber } from '../csv/cells.ts'
import { wordKeys } from '../csv/keys.ts'
import { parseBoolean } from '../csv/numbers.ts'
import manifest from './manifest.json' with { type: 'json' }

export type HubCode = { hub_id: string; code: string }

/** A whole British postcode without its space, with the letters that BS 7666 allows in each place. */
const POSTCODE = /^(?:[A-Z]{1,2}\d{1,2}|[A-Z]\d[A-HJKPSTUW]|[A-Z]{2}\d[ABEHMNPRVWXY])\d[ABD-HJLNP-UW-Z]{2}$/

/** Countries with postcodes of the British shape. */
const BRITISH = new Set(['GB', 'IM', 'JE', 'GG'])

/** Reads a country by its code or a usual name. `postcode` is that of the row. */
export function readCountry(text: string, postcode = ''): ParseResult<string> {
  const value = isCountryCode(text) ? text : (findCountryCode(text) ?? countryByName(text))
  if (value !== undefined) return { value }
  // They are two countries, between which the postcode decides.
  if (manifest.channel_islands.includes(foldForSearch(text))) {
    const area = findPostcodeArea(postcode)?.area
    if (area === 'JE') return { value: 'JE' }
    if (area === 'GY') return { value: 'GG' }
    return makeCellIssue('invalid_format', 'It is two countries; write Jersey or Guernsey.')
  }
  return makeCellIssue(
    'invalid_format',
    'Unknown country; use a name or a code such as GB.',
    nearestCountry(text),
  )
}

/** The alpha-2 code of a country by its German, French, Spanish, Italian or Polish name, in any case and without accents. */
function countryByName(name: string): string | undefined {
  const lines = wordKeys(name).map((key) => new RegExp(`^([A-Z]{2}) (?:.* )?${key}(?: |$)`, 'm'))
  return lines.flatMap((line) => line.exec(COUNTRY_NAMES)?.[1] ?? [])[0]
}

export function refuseUnserved(country: string): ParseResult<never> {
  return makeCellIssue('invalid_enum', `Parcels do not go to ${countryName(country)} (not served).`)
}

/** `country` is undefined when the row's country could not be read: then only the length is checked. */
export function readPostcode(text: string, country: string | undefined, max: number): ParseResult<string> {
  if (country !== undefined && BRITISH.has(country)) {
    const compact = normalizePostcode(text)
    if (POSTCODE.test(compact)) return { value: `${compact.slice(0, -3)} ${compact.slice(-3)}` }
    // The service rejects it, and names the place.
    if (findForeignPostcodePlace(text) !== undefined) return { value: formatPostcode(text) }
    const suggestion = suggestPostcode(text)
    return makeCellIssue(
      'invalid_format',
      'The postcode is incomplete or wrong; enter it in full, such as SW1A 1AA.',
      suggestion,
    )
  }
  const value = formatPostcode(text)
  return /^[A-Z0-9][A-Z0-9 -]*$/.test(value)
    ? readText(value, max)
    : makeCellIssue('invalid_format', 'It is not a postcode: only letters, digits, spaces and hyphens.')
}

/**
 * Reads a reference. Several long numbers may be shortened to the same text, so that none may name a new parcel; one of
 * `known` names a parcel that was made with it before.
 */
export function readReference(text: string, max: number, known: ReadonlySet<string>): ParseResult<string> {
  return (known.has(text) ? undefined : checkShortenedNumber(text)) ?? readText(text, max)
}

/** Returns the place where a parcel may be left: a place in words, or yes for any; undefined for no. */
export function readSafePlace(text: string, max: number): ParseResult<string | undefined> {
  const answer = parseBoolean(text)
  if (answer === undefined) return readText(text, max)
  return { value: answer ? 'Any safe place' : undefined }
}

const NONE: ReadonlySet<string> = new Set(['none', 'n/a', 'na', '-', '0.00'])

function isNone(text: string): boolean {
  return parseBoolean(text) === false || NONE.has(text.toLowerCase())
}

/** Reads cash to be taken on delivery; undefined for none, which exports write as 0.00. */
export function readCash(
  text: string,
  read: (text: string) => ParseResult<Money>,
): ParseResult<Money | undefined> {
  if (isNone(text)) return { value: undefined }
  const reading = read(text)
  return 'value' in reading && reading.value.amount === 0 ? { value: undefined } : reading
}

/** Rejects a cell that asks for a service that is not offered, or for several parcels; undefined for one that does not ask. */
export function readRefused(text: string, service: string | undefined): ParseResult<undefined> {
  if (isNone(text) || (service === undefined && /^0*1(?:\.0+)?$/.test(text))) return { value: undefined }
  return service === undefined
    ? makeCellIssue('out_of_range', 'A row is one parcel; give each parcel its own row and reference.')
    : makeCellIssue('invalid_enum', `${service} not offered; empty the cell to send it without.`)
}

/** Beside codes and names: the hours and days that shippers say. */
const SERVICE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:24(?:h|hrs?|hours?)?|1day|tracked24)$/, 'next_day'],
  [/^(?:48(?:h|hrs?|hours?)?|2day|tracked48)$/, 'two_day'],
]

/** Words beside a level, such as an hour, which no level keeps. */
const FURTHER =
  /\d\s*(?:am|pm|noon|uhr)\b|\d[:.]\d\d|\b(?:before|by|until|pre|saturday|sat|sunday|weekend|noon|timed)\b/i

/** Phrases that name a level within a longer text: `DPD Next Day`, `Royal Mail Tracked 48`. */
const SERVICE_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bsame[\s-]?day\b/i, 'same_day'],
  [
    /\bnext[\s-](?:working |business )?day\b|\b(?:tracked|express)[\s-]?24\b|\b24\s?h(?:ours?|rs?)?\b/i,
    'next_day',
  ],
  [
    /\b(?:two|2)[\s-](?:working |business )?days?\b|\b(?:tracked|express)[\s-]?48\b|\b48\s?h(?:ours?|rs?)?\b/i,
    'two_day',
  ],
]

/** A span of days, as in `Free Shipping (3-5 days)`. */
const DAYS = /\b(\d{1,2})\s*(?:-|–|to)\s*(\d{1,2})\s*(?:working |business )?days?\b/i

/** Returns the one level that a longer text names, or whose days hold those that it says. */
function levelWithin(text: string): string | undefined {
  if (FURTHER.test(text)) return undefined
  const [span, from, to] = DAYS.exec(text) ?? []
  const held = SERVICE_LEVELS.find(
    ({ transit_days_min: min, transit_days_max: max }) => Number(from) >= min && Number(to) <= max,
  )
  const rest = span === undefined ? text : text.replace(span, '')
  const named = SERVICE_PHRASES.flatMap(([phrase, code]) => (phrase.test(rest) ? [code] : []))
  const all = [...new Set([...named, ...(span === undefined ? [] : [held?.code ?? ''])])]
  return all.length === 1 && all[0] !== '' ? all[0] : undefined
}

/**
 * Reads a service level by its code, name or usual word, also within a longer text; `own` are the words of the tool that wrote
 * the file, as patterns.
 */
export function readServiceLevel(
  text: string,
  own: Readonly<Record<string, string>> = {},
): ParseResult<string> {
  const ownLevel = Object.entries(own).find(([pattern]) =>
    new RegExp(`^(?:${pattern})$`, 'i').test(text),
  )?.[1]
  if (ownLevel !== undefined) return { value: ownLevel }
  if (SERVICE_LEVELS.some(({ code }) => code === text)) return { value: text }
  const word = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^royalmail/, '')
    .replace(/(?:delivery|service|shipping)$/, '')
  const level =
    SERVICE_LEVELS.find(({ code }) => code.replace('_', '') === word)?.code ??
    SERVICE_WORDS.find(([pattern]) => pattern.test(word))?.[1] ??
    levelWithin(text)
  if (level !== undefined) return { value: level }
  const codes = SERVICE_LEVELS.map(({ code }) => code)
  return makeCellIssue(
    'invalid_enum',
    `It is not a service level; use ${codes.join(', ')}.`,
    findClosestWord(text.toLowerCase(), codes),
  )
}

/** Without a list of hubs the service decides, which takes codes too. */
export function readHub(text: string, hubs: readonly HubCode[] | undefined): ParseResult<string> {
  if (hubs === undefined) return readText(text, 40)
  const found = hubs.find(({ hub_id, code }) => hub_id === text || code.toUpperCase() === text.toUpperCase())
  if (found !== undefined) return { value: found.hub_id }
  const codes = hubs.map(({ code }) => code)
  const known = codes.length === 0 ? '' : `; yours are ${codes.join(', ')}`
  return makeCellIssue(
    'invalid_enum',
    `Not a hub of your agreement${known}.`,
    findClosestWord(text.toUpperCase(), codes),
  )
}

/** Postcodes by class of character: A is a letter, 9 a digit. */
const SHAPES: readonly string[] = ['A99AA', 'A999AA', 'AA99AA', 'AA999AA', 'A9A9AA', 'AA9A9AA']
const AS_DIGIT: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', Z: '2', S: '5', B: '8' }
const AS_LETTER: Readonly<Record<string, string>> = { '0': 'O', '1': 'I', '5': 'S', '8': 'B' }

/** Cyrillic and Greek letters that look like those of postcodes, and these in the same order. */
const [LOOKALIKES, LATIN] = ['АВЕКМНОРСТУХЅІЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEKMHOPCTYXSIJABEZHIKMNOPTYX']

/** The postcode that was meant where letters and digits that look alike were mixed up, also those of other alphabets. */
function suggestPostcode(text: string): string | undefined {
  const compact = Array.from(normalizePostcode(text.normalize('NFKC')), (char) => {
    const at = LOOKALIKES.indexOf(char)
    return at < 0 ? char : LATIN.charAt(at)
  })
    .join('')
    .replaceAll(/[^A-Z0-9]/g, '')
  const candidates = SHAPES.filter((shape) => shape.length === compact.length).flatMap((shape) => {
    const fixed = compact.split('').map((char, at) => asClass(char, shape[at] === '9'))
    if (fixed.includes(undefined) || !POSTCODE.test(fixed.join(''))) return []
    const changes = fixed.filter((char, at) => char !== compact[at]).length
    return [{ postcode: formatPostcode(fixed.join('')), changes }]
  })
  return candidates.sort((a, b) => a.changes - b.changes)[0]?.postcode
}

function asClass(char: string, digit: boolean): string | undefined {
  if (/\d/.test(char) === digit) return char
  return (digit ? AS_DIGIT : AS_LETTER)[char]
}
