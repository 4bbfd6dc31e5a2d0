/** Tracking numbers of the shape of UPU S10 (`contract.md` A2). */

const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7] as const
const SERIALS = 100_000_000
/** Coprime to the number of serials: the walk meets every serial once, and the next one cannot be guessed by adding 1. */
const MULTIPLIER = 76_543_217
const OFFSET = 20_261_120
/** The indicators S10 leaves to domestic use, in the order in which they are spent. */
const INDICATORS = 'ZC ZA ZB ZD ZE ZF ZG ZH ZI ZJ ZK ZL ZM ZN ZO ZP ZQ ZR ZS ZT ZU ZV ZW ZX ZY ZZ'.split(' ')
const COUNTRY = 'GB'

/**
 * The tracking number at a counter position (from 1). Positions whose serial cannot be used stand for the next usable
 * one, so a counter must not simply be raised by one: `trackingNumbers` says where it goes on.
 */
export function trackingNumber(position: number): string {
  const [number = ''] = trackingNumbers(position, 1).numbers
  return number
}

/**
 * The first `count` tracking numbers at or after counter position `n`, and the position from which the next call goes
 * on. Calls that chain `next` never repeat a number.
 */
export function trackingNumbers(n: number, count: number): { numbers: string[]; next: number } {
  const numbers: string[] = []
  let next = n
  while (numbers.length < count) {
    const number = numberAt(next)
    if (number !== undefined) numbers.push(number)
    next += 1
  }
  return { numbers, next }
}

/** The form in which numbers are stored and compared: no spaces or hyphens, upper case. */
export function normalizeTrackingNumber(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase()
}

/** True iff a normalised number has the shape and its check digit is right; whether it was issued is another question. */
export function isTrackingNumber(normalized: string): boolean {
  return (
    /^[A-Z]{2}\d{9}[A-Z]{2}$/.test(normalized) &&
    checkDigit(normalized.slice(2, 10)) === normalized.charAt(10)
  )
}

function numberAt(position: number): string | undefined {
  const indicator = INDICATORS[Math.floor((position - 1) / SERIALS)]
  if (indicator === undefined) throw new RangeError('All tracking numbers are used')
  // the position is reduced first so that the product stays an exact integer
  const serial = String(((position % SERIALS) * MULTIPLIER + OFFSET) % SERIALS).padStart(8, '0')
  const check = checkDigit(serial)
  return check === undefined ? undefined : `${indicator}${serial}${check}${COUNTRY}`
}

/**
 * The S10 check digit of eight digits. Undefined for the eleventh of all serials that would get the digit 5 although
 * another remainder has it too: without them every single wrong digit is caught.
 */
function checkDigit(serial: string): string | undefined {
  let sum = 0
  for (let index = 0; index < 8; index++) sum += Number(serial.charAt(index)) * (WEIGHTS[index] ?? 0)
  const remainder = sum % 11
  if (remainder === 0) return undefined
  return remainder === 1 ? '0' : String(11 - remainder)
}
