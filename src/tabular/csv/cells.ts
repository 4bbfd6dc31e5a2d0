/** Reads one cell of the kinds that every file has: the value for the wire, or what is wrong with it in words for people. */
import type { FieldErrorCode } from '../../core/errors.ts'
import { hiddenIn } from '../../core/hidden.ts'
import { describePlaceholder } from '../../core/markup.ts'
import { isCurrency, type Money, parseMoney } from '../../core/money.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { MONTH_NAMES, monthOf } from './months.ts'
import { parseBoolean, type QuantityProblem } from './numbers.ts'

export type CellErrorCode =
  | FieldErrorCode
  | 'ambiguous_number'
  | 'ambiguous_date'
  | 'orphan_modifier'
  | 'modifier_group_conflict'

export type CellIssue = { code: CellErrorCode; detail: string; suggestion?: string }

export type ParseResult<T> = { value: T } | { fault: CellIssue }

export function readText(text: string, max: number): ParseResult<string> {
  const hidden = hiddenIn(text)
  if (hidden !== undefined)
    return makeCellIssue(
      'hidden_characters',
      `It has ${hidden}, an invisible character; type the value again.`,
    )
  const placeholder = describePlaceholder(text)
  if (placeholder !== undefined)
    return makeCellIssue('invalid_format', `${placeholder.charAt(0).toUpperCase()}${placeholder.slice(1)}.`)
  // There are never more characters than UTF-16 units.
  const length = text.length > max ? Array.from(text).length : 0
  if (length > max) return makeCellIssue('too_long', `It has ${length} characters; at most ${max} fit.`)
  return { value: text }
}

/** Returns the fault of a long number after a program replaced its digits, as in `4.47701E+11` and `5.01235E12`. */
export function checkShortenedNumber(text: string): { fault: CellIssue } | undefined {
  if (!/^\d(?:(?:[.,]\d+)?E\+\d+|[.,]\d+E\d{2,})$/i.test(text)) return undefined
  return makeCellIssue(
    'invalid_format',
    'A spreadsheet has shortened this number; format its column as text and enter it again.',
  )
}

export function readQuantity<T>(parsed: T | QuantityProblem): ParseResult<T> {
  return isProblem(parsed) ? makeCellIssue(parsed.problem, parsed.detail) : { value: parsed }
}

export function readMoney(text: string, currency: string): ParseResult<Money> {
  const reading = readQuantity(parseMoney(text, currency))
  return 'fault' in reading ? (faultOfAmount(text) ?? reading) : reading
}

/** `Apr 50`, `04. Mai`, `5-Aug`: a day with its month, or a month with its year. */
const NAMED_DATE = new RegExp(
  `^(?:(\\d{1,2})[.\\s-]{1,2})?(${MONTH_NAMES.join('|')})[\\p{L}.]*(?:[\\s-]{1,2}(?:\\d\\d)?(\\d\\d))?$`,
  'iu',
)

/** `01.04.1950`: the first day of a month, as which 4.50 is kept. */
const FIRST_DAY = /^0?1([./-])(\d{1,2})\1(?:19|20)(\d\d)$/

const TAXES = /\d.*\b(?:vat|gst|tax|mwst|ust|tva|iva)\b|\b(?:vat|gst|tax|mwst|ust|tva|iva)\b.*\d/i

/** Returns the fault of an amount that a spreadsheet took for a date, such as 4.50 in a German one, or that has words about tax. */
function faultOfAmount(text: string): { fault: CellIssue } | undefined {
  const [, , first, cents] = FIRST_DAY.exec(text.trim()) ?? []
  const [, day, month = '', year] = NAMED_DATE.exec(text.trim()) ?? []
  const number = month === '' ? 0 : monthOf(month)
  if (first !== undefined || (number > 0 && (day ?? year) !== undefined))
    return makeCellIssue(
      'invalid_format',
      'A spreadsheet has turned this amount into a date; format its column as text and enter it again.',
      first !== undefined ? `${Number(first)}.${cents}` : day === undefined ? `${number}.${year}` : undefined,
    )
  return TAXES.test(text)
    ? makeCellIssue(
        'invalid_format',
        'It has words about tax; write the amount that is paid, with tax, like 8.50.',
      )
    : undefined
}

export function readCurrency(text: string): ParseResult<string> {
  const value = text.toUpperCase()
  return isCurrency(value)
    ? { value }
    : makeCellIssue('invalid_format', 'It is not a currency code such as GBP.')
}

export function readBoolean(text: string): ParseResult<boolean> {
  const value = parseBoolean(text)
  return value === undefined ? makeCellIssue('invalid_format', 'Write yes or no.') : { value }
}

/** Parses one of the words of a list. */
export function readChoice<Word extends string>(text: string, words: readonly Word[]): ParseResult<Word> {
  const value = words.find((word) => word === text)
  return value === undefined
    ? makeCellIssue('invalid_enum', `It is one of ${words.join(', ')}.`, findClosestWord(text, words))
    : { value }
}

/** At most so many characters, the last one `…` when something was cut. */
export function truncate(text: string, max: number): string {
  const chars = Array.from(text)
  return chars.length > max ? `${chars.slice(0, max - 1).join('')}…` : text
}

function isProblem(parsed: unknown): parsed is QuantityProblem {
  return typeof parsed === 'object' && parsed !== null && 'problem' in parsed
}

export function makeCellIssue(
  code: CellErrorCode,
  detail: string,
  suggestion?: string,
): { fault: CellIssue } {
  return { fault: { code, detail, ...(suggestion !== undefined && { suggestion }) } }
}
