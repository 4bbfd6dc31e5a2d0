/** Guards text that a spreadsheet changes when it opens and saves a file: `000456`, `1/2`, `1E5`, `2-Jan`, ` a`. */
import { isCurrency } from '../../core/money.ts'
import type { OwnFileKind } from '../columns/own-files.ts'
import { describeError } from './no-value.ts'
import { escapeFormula, unescapeFormula } from './write.ts'

/** Beginnings of the months' names in the languages of our files. */
const MONTH =
  /^(?:jan|ene|gen|feb|f[eé]v|m[aä]r|mrz|mrt|maa|apr|avr|abr|ma[ijy]|mei|mag|jun|jui|giu|jul|lug|aug|ago|ao[uû]|sep|set|oct|okt|ott|out|nov|d[eé][cz]|dic)/i
const TRUTH = /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|waar|onwaar|prawda|fałsz)$/i
/** Halves of a day, and the units of Chinese and Japanese dates. */
const PART = /^(?:[ap]m|[年月日時时分秒])$/i
/** The letters of `1e5` and `2026-11-21T17:00:00Z`. */
const WITHIN = /(?<=\d)(?:e(?=[+-]?\d)|t(?=\d)|z$)/gi
/** An integer that every spreadsheet shows as it is written. */
const SAFE = /^(?:0|[1-9]\d{0,14})$/

/** Text without a formula (see `guard`) that no spreadsheet changes: `'` before what one would take for another value. */
export function escapeCoercion(text: string): string {
  return isChanged(text) || isUndone(text) ? `'${escapeFormula(text)}` : escapeFormula(text)
}

/** A day, a time or a rate of tax as this program writes it. */
const OWN_VALUE = /^(?:\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?|\d{1,3}(?:\.\d+)?%)$/

/** As `keep`, for rows of this program's own: a spreadsheet takes their days, times and rates for such, as it should. */
export function escapeInSheet(text: string): string {
  return OWN_VALUE.test(text) ? text : escapeCoercion(text)
}

/** Returns the text that `keep` was given, also where a user wrote more behind it. */
export function unescapeCoercion(text: string): string {
  return unescapeFormula(isUndone(text) ? text.slice(1) : text)
}

/** Returns the text of a cell that this program wrote; of any other file, the cell. */
export function unescapeOwnCell(cell: string, file: OwnFileKind | undefined): string {
  return file === undefined ? cell : unescapeCoercion(cell)
}

/** Returns `written`, which stands for a text, unless `unkeep` makes another text of it. */
export function escapeAmbiguous(written: string, text: string): string {
  return unescapeCoercion(written) === text ? written : escapeCoercion(text)
}

/** Returns whether a spreadsheet may take it for a number, a date, a time or a truth value and show that in its own form. */
export function isChanged(text: string): boolean {
  if (SAFE.test(text)) return false
  const first = text.charAt(0)
  if (isFormula(first) || first === "'") return false
  if (/\s/.test(first) || TRUTH.test(text)) return true
  if (first === '#' && describeError(text) !== undefined) return true
  return /\p{N}/u.test(text) && (text.replaceAll(WITHIN, '').match(/\p{L}+/gu) ?? []).every(isPart)
}

/** Returns whether its apostrophe is one that `keep` writes. That of `'t Hof` belongs to its word. */
function isUndone(text: string): boolean {
  const [, word, sign = ''] = /^'+(?:(\p{L}+)|([^'])|$)/u.exec(text) ?? []
  return word === undefined ? sign !== '' && !isFormula(sign) : isPart(word) || TRUTH.test(word)
}

function isFormula(sign: string): boolean {
  return /[=+\-@\t\r＝＋－＠]/.test(sign)
}

function isPart(word: string): boolean {
  return PART.test(word) || MONTH.test(word) || isCurrency(word)
}
