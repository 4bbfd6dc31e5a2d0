import { type NumberProblem, parseDecimal, quoteForError } from './decimal.ts'

/** Integer minor units by the currency's ISO 4217 exponent; never negative on the wire. */
export type Money = { amount: number; currency: string }

export type MoneyProblem = NumberProblem

/** The largest amount with exact products (docs/rules/money.md#amounts-are-whole-minor-units). */
export const MAX_AMOUNT = 99_999_999_999

/** ISO 4217 codes of circulating money, by number of decimals. */
const CURRENCIES_BY_EXPONENT = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
    'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const

/** The currencies of each sign. The first one is meant, unless the default currency is among them. */
const SIGNS: Record<string, readonly string[]> = {
  '£': ['GBP', 'FKP', 'GIP', 'SHP'],
  '€': ['EUR'],
  $: ['USD', 'AUD', 'CAD', 'HKD', 'MXN', 'NZD', 'SGD'],
  '¥': ['JPY', 'CNY'],
}

let exponents: Map<string, number> | undefined

function exponentTable(): Map<string, number> {
  exponents ??= new Map(
    Object.entries(CURRENCIES_BY_EXPONENT).flatMap(([exponent, codes]) =>
      codes.split(' ').map((code): [string, number] => [code, Number(exponent)]),
    ),
  )
  return exponents
}

/** Returns true for an upper-case ISO 4217 code of circulating money (not `XXX`, metals or funds). */
export function isCurrency(code: string): boolean {
  return exponentTable().has(code)
}

/** Returns the decimals of a currency: JPY 0, GBP 2, KWD 3. Throws RangeError for an unknown code. */
export function exponentOf(currency: string): number {
  const exponent = exponentTable().get(currency)
  if (exponent === undefined) throw new RangeError(`${currency} is not a currency`)
  return exponent
}

/**
 * Returns `amount * bps / 10000`, rounded half up, in integers only
 * (docs/rules/money.md#rounding-goes-half-up). Throws RangeError when either is negative or the
 * product is not exact.
 */
export function mulBps(amount: number, bps: number): number {
  const rounded = amount * bps + 5000
  if (!Number.isSafeInteger(rounded) || amount < 0 || bps < 0)
    throw new RangeError(`${amount} × ${bps} bps is not exact`)
  return (rounded - (rounded % 10_000)) / 10_000
}

/** Returns basis points as people read them: `20%`, `12.5%`. */
export function formatBasisPoints(bps: number): string {
  return `${bps / 100}%`
}

/**
 * Returns the tax that a total includes, to the nearest minor unit. It is informative only
 * (docs/rules/money.md#tax-that-a-price-includes-informs-only).
 */
export function computeIncludedTax(total: Money, bps: number): Money {
  const whole = 10_000 + bps
  const twice = 2 * total.amount * 10_000 + whole
  return { ...total, amount: total.amount - (twice - (twice % (2 * whole))) / (2 * whole) }
}

/** Returns the amount with the other sign. */
export function negate({ amount, currency }: Money): Money {
  return { amount: amount === 0 ? 0 : -amount, currency }
}

/** Formats major units for people: `£6.12`, or `6.12 CHF` for a currency without a sign of its own. */
export function formatMoney({ amount, currency }: Money): string {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0')
  const at = digits.length - exponent
  const value = exponent === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
  const minus = amount < 0 ? '-' : ''
  const sign = Object.keys(SIGNS).find((key) => SIGNS[key]?.[0] === currency)
  return sign === undefined ? `${minus}${value} ${currency}` : `${minus}${sign}${value}`
}

/** Returns major units as a number. It is exact, because an amount has at most 11 digits. */
export function majorUnits({ amount, currency }: Money): number {
  return amount / 10 ** exponentOf(currency)
}

/** Returns major units with all decimals of the currency. */
export function formatMajorUnits(money: Money): string {
  return majorUnits(money).toFixed(exponentOf(money.currency))
}

/** Formats money with grouped thousands: `£2,725.00`. */
export function formatGroupedMoney(money: Money): string {
  return formatMoney(money).replace(/\d(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, '$&,')
}

/**
 * Parses major units: `8.50` (in the default currency), `£8.50`, `8.50 GBP`, `GBP 1,234.50`. Returns a problem for
 * other text.
 */
export function parseMoney(text: string, defaultCurrency?: string): Money | MoneyProblem {
  const { number, code, sign } = splitMoneyText(text.trim())
  // Text without a digit has no currency: `abc` and `ten` are words.
  if (!/\d/.test(number)) return notAnAmount(text, defaultCurrency)
  const meant = code ?? (sign === undefined ? defaultCurrency : currencyOfSign(sign, defaultCurrency))
  if (meant === undefined) return invalid('An amount needs its currency; write it like 8.50 GBP.')
  if (!isCurrency(meant)) return invalid(`${meant} is not a currency; use an ISO 4217 code such as GBP.`)
  if (code !== undefined && sign !== undefined && !SIGNS[sign]?.includes(code)) {
    return invalid(`${sign} and ${code} are different currencies; keep one of them.`)
  }
  const decimal = parseDecimal(number)
  if (!('problem' in decimal)) return scale(decimal.whole, decimal.fraction, meant)
  return decimal.problem === 'invalid_format' ? notAnAmount(text, meant) : decimal
}

function notAnAmount(text: string, currency = 'GBP'): MoneyProblem {
  const exponent = exponentOf(currency)
  const number = exponent === 0 ? '850' : '8.5'.padEnd(exponent + 2, '0')
  const forms = [number, formatMoney({ amount: Number(number.replace('.', '')), currency })]
  const ways = [...new Set([...forms, `${number} ${currency}`])]
  return invalid(
    `${quoteForError(text)} is not an amount; write it like ${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}.`,
  )
}

function scale(whole: string, fraction: string, currency: string): Money | MoneyProblem {
  const exponent = exponentOf(currency)
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > exponent) {
    const decimals = exponent === 0 ? 'no decimals' : `${exponent} decimals at most`
    return invalid(`${whole}.${fraction} is too precise; ${currency} has ${decimals}.`)
  }
  // Three digits are how thousands are grouped in most of Europe: no price may become a thousandth of what is meant.
  if (fraction.length === 3 && exponent < 3 && /^[1-9]\d{0,2}$/.test(whole)) {
    const decimal = kept === '' ? whole : `${whole}.${kept.padEnd(exponent, '0')}`
    return {
      problem: 'ambiguous_number',
      detail: `${quoteForError(`${whole}.${fraction}`)} can mean ${whole}${fraction} or ${decimal}; write one of these.`,
    }
  }
  const amount = Number(whole + kept.padEnd(exponent, '0'))
  if (amount <= MAX_AMOUNT) return { amount, currency }
  return {
    problem: 'out_of_range',
    detail: `At most ${formatGroupedMoney({ amount: MAX_AMOUNT, currency })} is accepted.`,
  }
}

/** Splits text into number, three-letter code and sign, each before or after the number. */
function splitMoneyText(text: string): {
  number: string
  code: string | undefined
  sign: string | undefined
} {
  let number = text
  const code = /^([a-z]{3})(?![a-z])|(?<![a-z])([a-z]{3})$/i.exec(number)?.[0]
  if (code !== undefined) number = number.replace(code, '').trim()
  const sign = Object.keys(SIGNS).find((key) => number.startsWith(key) || number.endsWith(key))
  if (sign !== undefined) number = number.replace(sign, '').trim()
  return { number, code: code?.toUpperCase(), sign }
}

/** Returns the currency of the first sign in a text, such as a header; undefined for a text without one. */
export function currencyInText(text: string, preferred: string): string | undefined {
  const sign = Object.keys(SIGNS).find((key) => text.includes(key))
  return sign === undefined ? undefined : currencyOfSign(sign, preferred)
}

function currencyOfSign(sign: string, preferred: string | undefined): string | undefined {
  const meanings = SIGNS[sign] ?? []
  return preferred !== undefined && meanings.includes(preferred) ? preferred : meanings[0]
}

function invalid(detail: string): MoneyProblem {
  return { problem: 'invalid_format', detail }
}
