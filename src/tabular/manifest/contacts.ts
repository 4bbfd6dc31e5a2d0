/**
 * Reads telephone numbers and e-mail addresses. Both are optional: a parcel is never rejected for one. A cell with more
 * than one, or with other words, gives its first; one that cannot be read is skipped, and both are said.
 */
import { toE164 } from '../../core/phone.ts'
import { checkShortenedNumber } from '../csv/cells.ts'
import { isNoPersonValue } from '../csv/no-value.ts'

/** `value` is undefined where the cell is skipped; `isDoubtful` says that the cell held more than its value. */
export type ContactCell = { value: string | undefined; isDoubtful: boolean }

const NOTHING: ContactCell = { value: undefined, isDoubtful: false }
const UNREADABLE: ContactCell = { value: undefined, isDoubtful: true }

/** Digits with what is between them in a number, and the plus sign before them. */
const NUMBER = /\+?\(?\d[\d\s().\-\u2010-\u2013]*\d/g

/** A letter beside digits makes another word of them (`9OO123`), but for the mark of an extension. */
const EXTENSION = /^\s*(?:x|ext|extension|app|poste|interno|int|durchwahl|dw)\b|^\s*(?:x|ext)\.?\s*\d|^\s*#/i

/** A British number of these kinds that lacks a digit: another one might have it. */
const SHORT = /^\+44[237]\d{8}$/

function numberOf(text: string, country: string): string | undefined {
  const number = toE164(text, country)
  return number === undefined || SHORT.test(number) ? undefined : number
}

/** Reads a telephone number as E.164; one without a country code is completed for this country (alpha-2). */
export function readPhone(text: string, country: string): ContactCell {
  const shown = cleaned(text).replace(/^(\d{9,15})\.0$/, '$1')
  if (isNoPersonValue(shown)) return NOTHING
  const whole = numberOf(shown, country)
  if (whole !== undefined) return { value: whole, isDoubtful: false }
  if (checkShortenedNumber(shown) !== undefined) return UNREADABLE
  const value = numbersIn(shown).flatMap((number) => numberOf(number, country) ?? [])[0]
  return { value, isDoubtful: true }
}

/** Returns the numbers in a text, without those that a letter touches. */
function numbersIn(text: string): string[] {
  return text.split(/[;,/|]/).flatMap((part) =>
    [...part.matchAll(NUMBER)].flatMap(([number], index, all) => {
      const at = all[index]?.index ?? 0
      const after = part.slice(at + number.length)
      const isWhole = !/\p{L}$/u.test(part.slice(0, at)) && (!/^\p{L}/u.test(after) || EXTENSION.test(after))
      return isWhole ? [number.trim()] : []
    }),
  )
}

const ADDRESS = /[^\s@,;<>()"']+@[^\s@,;<>()"'.]+(?:\.[^\s@,;<>()"'.]+)+/g

/** Reads an e-mail address of at most `max` characters. */
export function readEmail(text: string, max: number): ContactCell {
  const shown = cleaned(text).replace(/^mailto:/i, '')
  if (isNoPersonValue(shown)) return NOTHING
  const [value] = (shown.match(ADDRESS) ?? []).filter((address) => address.length <= max)
  return { value, isDoubtful: value !== shown }
}

/** Returns a text in the digits and letters of ASCII where they are meant, without characters that show nothing. */
function cleaned(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.trim()
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .trim()
}
