/** Numbers as a spreadsheet shows them, from their value and the format of their cell. */
import { format, getFormatFromId, isDateFormat } from 'numfmt'
import { dayOfSerial } from '../csv/serial-days.ts'

/** Returns the text that a person sees for a number as the file has it. */
export type ShowNumber = (raw: string) => string

/** The look of the cells of one style. */
export type CellFormat = {
  show: ShowNumber
  /** Returns the day that a number is, such as `2026-12-01`; undefined in a format of other numbers. */
  dayOf(raw: string): string | undefined
  isStruck: boolean
  /** True if its texts were typed behind an apostrophe: `=B2` is no formula there. */
  isQuoted: boolean
}

/** Formats that follow the settings of the computer: dates in the one form that cannot be misread. */
const BY_COMPUTER: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm' }

/** The days between the two calendars of spreadsheets. */
const DAYS_UNTIL_1904 = 1462

/**
 * Makes the format of cells: a built-in one by its number, or one of the file's own. Digits are not
 * grouped: `1,234` could be read as a fraction.
 */
export function makeFormat(
  id: number,
  own: string | undefined,
  since1904: boolean,
): Pick<CellFormat, 'show' | 'dayOf'> {
  const pattern = forReading(own ?? BY_COMPUTER[id] ?? getFormatFromId(id))
  if (/^(?:general|@)?$/i.test(pattern) || isScientific(pattern))
    return { show: formatPlainNumber, dayOf: () => undefined }
  // A reference may have more digits than a number can hold.
  if (/^0+$/.test(pattern))
    return {
      show: (raw) =>
        /^\d+$/.test(raw) ? raw.padStart(pattern.length, '0') : formatted(pattern, Number(raw), raw),
      dayOf: () => undefined,
    }
  const isDate = isDateFormat(pattern)
  const added = since1904 && isDate ? DAYS_UNTIL_1904 : 0
  return {
    show: (raw) => formatted(pattern, Number(raw) + added, raw),
    dayOf: (raw) => (isDate ? dayOfSerial(Number(raw) + added) : undefined),
  }
}

function forReading(pattern: string): string {
  if (/\[\$-f800\]/i.test(pattern)) return 'yyyy-mm-dd'
  if (/\[\$-f400\]/i.test(pattern)) return 'hh:mm:ss'
  return pattern.replaceAll(/(?<=[#0?]),(?=[#0?])/g, '')
}

/** Returns whether a format shows a power of ten, `0.00E+00`: it hides most digits of a reference or a telephone number. */
function isScientific(pattern: string): boolean {
  return /[0#?]E[+-][0#?]/i.test(pattern.replaceAll(/"[^"]*"|\\./g, ''))
}

function formatted(pattern: string, value: number, raw: string): string {
  try {
    return format(pattern, value).trim()
  } catch {
    return formatPlainNumber(raw)
  }
}

/** Every digit of a number: without a format, a spreadsheet shows long ones as 1.2E+17. */
export function formatPlainNumber(raw: string): string {
  if (/^-?\d+$/.test(raw)) return raw
  const value = Number(raw)
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString()
  // A spreadsheet computes with 15 digits, so that 0.1 + 0.2 is 0.3.
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : raw
}

/**
 * Returns the text of a number with all its digits, where a cell shows fewer or has decimals: `1.4` of a cell that shows
 * 1, `12.5%` of one that shows 13%, `1.25 kg`. Undefined for a whole number, and for what is no single number, as a date.
 */
export function heldText(raw: string, shown: string): string | undefined {
  const [, before = '', number, after = ''] = /^(\D*?)(\d[\d.]*)(\D*)$/.exec(shown) ?? []
  if (number === undefined) return undefined
  const held = formatPlainNumber(after.includes('%') ? String(Number(raw) * 100) : raw)
  if (held === number && !held.includes('.')) return undefined
  return `${held.startsWith('-') ? before.replace(/[-−(]/, '') : before}${held}${after.replace(')', '')}`
}

/** Returns whether an amount is shown as another one, such as `4` for 3.60. A part of the smallest coin may be rounded away. */
export function isInexact(raw: string, shown: string): boolean {
  if (shown === formatPlainNumber(raw)) return false
  const value = Number(raw)
  const number = Number(shown.replaceAll(/[^\d.]/g, ''))
  const isSigned = /[-−(]/.test(shown)
  return Math.abs(number - Math.abs(value)) > 0.005 + 1e-9 || (value < 0 && !isSigned)
}

/** Returns whether digits of a number were lost: a spreadsheet keeps fifteen and makes zeros of the others. */
export function isRounded(raw: string): boolean {
  const value = Number(raw)
  if (!Number.isInteger(value) || Math.abs(value) < 1e15) return false
  return !/^-?\d+$/.test(raw) || /^-?\d{15}0+$/.test(raw)
}
