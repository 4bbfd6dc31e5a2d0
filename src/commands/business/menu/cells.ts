/** Reads one cell of the kinds that only menus have: the value for the wire, or what is wrong with it in words. */
import { UNAVAILABLE_REASONS, type UnavailableReason } from '../../../areas/catalog/rules/catalog.ts'
import { gtinCheckDigit, isGtin } from '../../../areas/catalog/rules/gtin.ts'
import { decimalToNumber, parseDecimal, quoteForError } from '../../../core/decimal.ts'
import { parseTimestamp, toTimestamp } from '../../../core/time.ts'
import { parseHeader } from '../../../tabular/columns/header-parser.ts'
import {
  makeCellIssue,
  type ParseResult,
  readChoice,
  readText,
  checkShortenedNumber,
} from '../../../tabular/csv/cells.ts'
import { isNoPersonValue } from '../../../tabular/csv/no-value.ts'
import { parseBoolean } from '../../../tabular/csv/numbers.ts'
import { splitUnescaped, withoutEscapes } from './escapes.ts'
import menu from './menu.json' with { type: 'json' }

const MAX_TAGS = 30
const MAX_TAG_LENGTH = 40

/** Words for on sale and off sale that no header has. */
const ON_OR_OFF = new Map(Object.entries(menu.sale_words))

/**
 * Yes and no in the words of menus and tills; a number is how many are left. What several columns say is between
 * strokes, `yes | not no`: an item is on sale where all agree that it is.
 */
export function readAvailability(text: string): ParseResult<boolean> {
  const readings = text.split(' | ').map((part) => {
    const reading = readSale(part.replace(/^not /, ''))
    return part.startsWith('not ') && 'value' in reading ? { value: !reading.value } : reading
  })
  const wrong = readings.find((reading) => 'fault' in reading)
  return wrong ?? { value: readings.every((reading) => 'value' in reading && reading.value) }
}

function readSale(text: string): ParseResult<boolean> {
  const word = text.trim().toLowerCase()
  const { readings, unknown, number } = parseHeader(word)
  const means = (part: string): boolean =>
    number === undefined &&
    unknown.length === 0 &&
    readings.length > 0 &&
    readings.every(({ owners, parts }) => owners.length === 0 && parts.join('+') === part)
  const count = /^-?\d+$/.test(word) ? Number(word) > 0 : undefined
  const value = ON_OR_OFF.get(word) ?? parseBoolean(word) ?? count
  if (value !== undefined) return { value }
  if (means('on sale')) return { value: true }
  return means('off sale')
    ? { value: false }
    : makeCellIssue('invalid_format', 'Write yes or no, active, sold out and the like.')
}

/** Hundredths of a per cent: `20`, `20%` and `0.2` are 2000. A bare 1 can be 1 % or all of it. */
export function readTax(text: string): ParseResult<number> {
  const percent = text.trim().endsWith('%')
  const decimal = parseDecimal(percent ? text.trim().slice(0, -1) : text)
  if ('problem' in decimal) return makeCellIssue(decimal.problem, decimal.detail)
  const value = decimalToNumber(decimal)
  if (!percent && value === 1)
    return makeCellIssue('ambiguous_number', '1 is ambiguous: write 1% or 100%.', '1%')
  const bps = Math.round(value * (percent || value >= 1 ? 100 : 10_000) * 1e6) / 1e6
  if (!Number.isInteger(bps))
    return makeCellIssue('invalid_format', 'A tax rate has at most two decimals, such as 8.25%.')
  return bps > 10_000 ? makeCellIssue('out_of_range', 'A tax rate is at most 100%.') : { value: bps }
}

/** A GTIN; what a spreadsheet made of one is told as that. */
export function readBarcode(text: string): ParseResult<string> {
  const shortened = checkShortenedNumber(text)
  if (shortened !== undefined) return shortened
  const digits = text.replaceAll(/[\s-]/g, '')
  if (isGtin(digits)) return { value: digits }
  if (!/^\d+$/.test(digits))
    return makeCellIssue('invalid_format', 'A barcode is a GTIN of 8, 12, 13 or 14 digits.')
  const padded = [8, 12, 13].map((length) => digits.padStart(length, '0')).find(isGtin)
  if (padded !== undefined)
    return makeCellIssue(
      'invalid_format',
      `It has ${digits.length} digits; leading zeros may be missing.`,
      padded,
    )
  if (![8, 12, 13, 14].includes(digits.length))
    return makeCellIssue(
      'invalid_format',
      `It has ${digits.length} digits; a barcode is a GTIN of 8, 12, 13 or 14 digits.`,
    )
  const body = digits.slice(0, -1)
  return makeCellIssue(
    'invalid_format',
    `The check digit should be ${gtinCheckDigit(body)}; one of the digits is wrong.`,
  )
}

/** A whole number from 0 on. */
export function readCount(text: string, most: number): ParseResult<number> {
  const decimal = parseDecimal(text)
  if ('problem' in decimal) {
    const isNone = decimal.problem === 'invalid_format'
    return makeCellIssue(
      decimal.problem,
      isNone ? `${quoteForError(text)} is not a whole number.` : decimal.detail,
    )
  }
  const value = decimalToNumber(decimal)
  if (!Number.isInteger(value))
    return makeCellIssue('invalid_format', 'It has a fraction; write a whole number.')
  return value > most ? makeCellIssue('out_of_range', `It is at most ${most}.`) : { value }
}

/** The least of a group: a number, or yes for one that must be chosen from. */
export function readLeast(text: string): ParseResult<number> {
  const required = /^(?:y|yes|true|required)$/i.test(text)
  if (required || /^(?:n|no|false|optional)$/i.test(text)) return { value: required ? 1 : 0 }
  return readCount(text, 50)
}

/** The most of a group; null is no limit. */
export function readMost(text: string): ParseResult<number | null> {
  if (/^(?:\*|none|no limit|unlimited|any)$/i.test(text)) return { value: null }
  const reading = readCount(text, 50)
  return 'value' in reading && reading.value === 0
    ? makeCellIssue('out_of_range', 'The maximum must be at least 1; leave it empty for no maximum.')
    : reading
}

/** Signs between tags, besides commas; `w/o` is a word. */
const SIGNS = /\s*(?:(?<!\bw)\/|[&+])\s*/i

/** Returns the texts between `|` or `;`; in a file of others between commas and other signs, and without words for none. */
export function readTags(text: string, exact = false): ParseResult<string[]> {
  const parts = splitUnescaped(text, exact || /[|;]/.test(text) ? '|;' : ',\n')
    .map((part) => withoutEscapes(part).trim())
    .filter((tag) => tag !== '')
  const tags = exact
    ? parts
    : parts.flatMap((part) => (isNoPersonValue(part) && !/^x+$/i.test(part) ? [] : part.split(SIGNS)))
  const long = tags.find((tag) => Array.from(tag).length > MAX_TAG_LENGTH)
  if (long !== undefined)
    return makeCellIssue(
      'too_long',
      `Each is at most ${MAX_TAG_LENGTH} characters; put | or ; or a comma between them.`,
    )
  return tags.length > MAX_TAGS
    ? makeCellIssue('too_many', `At most ${MAX_TAGS} are allowed.`)
    : { value: [...new Set(tags)] }
}

/** The words for the 14 allergens of EU law, Annex II of Regulation 1169/2011. */
const ALLERGENS: ReadonlySet<string> = new Set(menu.allergens.split(' '))

/** A list of allergens may be without commas, and may say which ones a dish is free from. */
export function readAllergens(text: string, exact: boolean): ParseResult<string[]> {
  const reading = readTags(text, exact)
  if (exact || 'fault' in reading) return reading
  const isKnown = (words: readonly string[]): boolean => words.every((word) => ALLERGENS.has(word))
  const wordsOf = (tag: string): string[] => tag.toLowerCase().split(/[\s-]+/)
  const absent = reading.value.filter((tag) => ABSENT.test(tag))
  const isClear =
    absent.length === reading.value.length &&
    absent.every((tag) => isKnown(wordsOf(tag).filter((word) => !ABSENT_WORDS.has(word))))
  if (absent.length > 0 && !isClear)
    return makeCellIssue(
      'invalid_format',
      'It says what is not in the dish; list only the allergens that it has, or empty the cell.',
    )
  const named = absent.length > 0 ? [] : reading.value
  return { value: named.flatMap((tag) => (isKnown(wordsOf(tag)) ? tag.split(/\s+/) : [tag])) }
}

/** `NO NUTS`, `free from milk`, `nut-free`, `none known`. */
const ABSENT = /^(?:no|not|none|without|w\/o|free (?:from|of))\b|[\s-]free$/i
const ABSENT_WORDS: ReadonlySet<string> = new Set(
  'no none without w/o free from of known allergens allergen or and'.split(' '),
)

export function parseUrlCell(text: string, max: number, exact: boolean): ParseResult<string> {
  return /^https?:\/\//.test(text)
    ? exact
      ? { value: text }
      : readText(text, max)
    : makeCellIssue('invalid_format', 'A URL starts with http:// or https://.')
}

export function readReason(text: string): ParseResult<UnavailableReason> {
  return readChoice(text.toLowerCase().replaceAll(/[\s-]+/g, '_'), UNAVAILABLE_REASONS)
}

export function parseTimestampCell(text: string): ParseResult<string> {
  const ms = parseTimestamp(text)
  return ms === undefined
    ? makeCellIssue('invalid_format', 'Write a time with its UTC offset, such as 2026-11-21T17:00:00Z.')
    : { value: toTimestamp(ms) }
}
