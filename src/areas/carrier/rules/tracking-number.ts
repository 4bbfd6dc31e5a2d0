/** Tracking numbers of the shape of UPU S10 (docs/rules/parcels.md#a-tracking-number-checks-itself). */
import { normalizeIdentifier } from '../../../core/identifiers.ts'

const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7] as const
const SERIALS = 100_000_000
/** Coprime to the number of serials: every serial occurs once, and adding 1 does not give the next one. */
const MULTIPLIER = 76_543_217
const OFFSET = 20_261_120
/** The indicators that S10 reserves for domestic use, in the order of their use. */
const INDICATORS = 'ZC ZA ZB ZD ZE ZF ZG ZH ZI ZJ ZK ZL ZM ZN ZO ZP ZQ ZR ZS ZT ZU ZV ZW ZX ZY ZZ'.split(' ')
const COUNTRY = 'GB'

/**
 * Returns the tracking number at a counter position (from 1). A position without a usable serial gets the next usable
 * one. Do not add 1 to the counter: `generateTrackingNumbers` returns the next position.
 */
export function makeTrackingNumber(position: number): string {
  const [number = ''] = generateTrackingNumbers(position, 1).numbers
  return number
}

/**
 * The first `count` tracking numbers at or after counter position `n`, and the position from which the next call goes
 * on. Calls that chain `next` never repeat a number.
 */
export function generateTrackingNumbers(n: number, count: number): { numbers: string[]; next: number } {
  const numbers: string[] = []
  let next = n
  while (numbers.length < count) {
    const number = numberAt(next)
    if (number !== undefined) numbers.push(number)
    next += 1
  }
  return { numbers, next }
}

/**
 * Returns the form in which numbers are stored and compared: no spaces or hyphens, upper case. The barcode of a later label
 * gives the number of its parcel.
 */
export function normalizeTrackingNumber(text: string): string {
  return parseLabelBarcode(text).number
}

/** Returns the text of a barcode: the number and, from the second label on, the number of the label. */
export function barcodeOf(number: string, label = 1): string {
  return label === 1 ? number : `${number}-${label}`
}

/** Returns the parcel's number and the number of its label, from a barcode or as typed. */
export function parseLabelBarcode(text: string): { number: string; label: number } {
  const code = normalizeIdentifier(text).replace(/[\s-]/g, '').toUpperCase()
  const [number, label] = [code.slice(0, 13), code.slice(13)]
  return isTrackingNumber(number) && /^[1-9]\d{0,3}$/.test(label)
    ? { number, label: Number(label) }
    : { number: code, label: 1 }
}

/** Returns true also for a number with a wrong digit: that is no one's reference. */
export function looksLikeTrackingNumber(normalized: string): boolean {
  return /^[A-Z]{2}\d{9}[A-Z]{2}$/.test(normalized)
}

/** Returns true if a normalized number has the right shape and check digit. It may never have been issued. */
export function isTrackingNumber(normalized: string): boolean {
  return looksLikeTrackingNumber(normalized) && checkDigit(normalized.slice(2, 10)) === normalized.charAt(10)
}

function numberAt(position: number): string | undefined {
  const indicator = INDICATORS[Math.floor((position - 1) / SERIALS)]
  if (indicator === undefined) throw new RangeError('All tracking numbers are used')
  // The position is reduced first, so the product stays an exact integer.
  const serial = String(((position % SERIALS) * MULTIPLIER + OFFSET) % SERIALS).padStart(8, '0')
  const check = checkDigit(serial)
  return check === undefined ? undefined : `${indicator}${serial}${check}${COUNTRY}`
}

/**
 * Returns the S10 check digit of eight digits. Returns undefined for the serials (one in eleven) whose digit 5 is
 * ambiguous: without them every single wrong digit is detected.
 */
function checkDigit(serial: string): string | undefined {
  let sum = 0
  for (let index = 0; index < 8; index++) sum += Number(serial.charAt(index)) * (WEIGHTS[index] ?? 0)
  const remainder = sum % 11
  if (remainder === 0) return undefined
  return remainder === 1 ? '0' : String(11 - remainder)
}
