/**
 * The arguments of a purchase, line by line, for the person who is asked: what the call adds to its quote. Our own
 * words begin each line; values by the agent stand in quotation marks.
 */
import { formatGroupedMoney } from '../core/money.ts'
import type { Money } from '../core/money.ts'
import { toMoneyOrUndefined } from './prices.ts'
import { sanitizeForPrompt, quoteUntrusted } from './sanitize.ts'

type Input = Readonly<Record<string, unknown>>

/** Arguments that the description of the purchase and its total show. */
const SHOWN_ELSEWHERE = new Set(['quote_id', 'tier', 'expected_total', 'payment', 'shipments'])
const LONG_TEXT = 300
const MANY_VALUES = 30
const MANY_PARCELS = 5

/** Describes every argument that the quote and the total do not show: `Notes: “Ring twice”`. */
export function argumentLines(input: Input): string[] {
  return [...parcelLines(input['shipments']), ...Object.entries(input).flatMap(argumentLine)]
}

function argumentLine([name, value]: [string, unknown]): string[] {
  if (SHOWN_ELSEWHERE.has(name) || value === undefined) return []
  const label = words(name)
  const texts = valueTexts(value)
  const more = texts.length - MANY_VALUES
  const shown = texts.slice(0, MANY_VALUES).join(', ')
  return [
    `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${shown}${more > 0 ? ` and ${more} more values` : ''}`,
  ]
}

/** Returns the values within an argument, each with the name of its field: `name “Alex Morgan”`. */
function valueTexts(value: unknown): string[] {
  if (typeof value === 'string') return [long(value)]
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  if (typeof value !== 'object' || value === null) return [String(value)]
  const members = Object.entries(value)
  const money = members.length === 2 ? toMoneyOrUndefined(value) : undefined
  if (money !== undefined) return [formatGroupedMoney(money)]
  if (members.length === 0) return ['none']
  return members.flatMap(([name, member]) => {
    const [first = '', ...rest] = valueTexts(member)
    return [Array.isArray(value) ? first : `${words(name)} ${first}`, ...rest]
  })
}

/** Quotes a text. One that is cut says how long it is: all of it is bought. */
function long(text: string): string {
  const isCut = sanitizeForPrompt(text, Infinity).length > LONG_TEXT
  return `${quoteUntrusted(text, LONG_TEXT)}${isCut ? ` (the beginning of ${text.length} characters)` : ''}`
}

function words(name: string): string {
  return sanitizeForPrompt(name.replaceAll('_', ' ').replace(/(?<=\D)(?=\d)/, ' '))
}

/** Describes the parcels of a manifest: the first of them, where they go, and what is collected or insured. */
function parcelLines(shipments: unknown): string[] {
  const rows = Array.isArray(shipments) ? (shipments as unknown[]) : []
  if (rows.length === 0) return []
  const more = rows.length - MANY_PARCELS
  const countries = Object.entries(
    Object.groupBy(rows, (row) => sanitizeForPrompt(String(at(row, 'recipient', 'address', 'country_code')))),
  ).map(([country, those = []]) => `${country} ${those.length}`)
  return [
    ...rows.slice(0, MANY_PARCELS).map(rowText),
    ...(more > 0 ? [`and ${more} more ${more === 1 ? 'parcel' : 'parcels'}`] : []),
    `Countries: ${countries.slice(0, MANY_VALUES).join(', ')}`,
    ...sumLine('Cash on delivery', rows, ['options', 'cash_on_delivery']),
    ...sumLine('Declared value', rows, ['parcel', 'declared_value']),
  ]
}

/** Returns `“R-1” to “Grace Okoro”, “12 Friar Street, RG1 1DB”`. */
function rowText(row: unknown): string {
  const address = [at(row, 'recipient', 'address', 'line1'), at(row, 'recipient', 'address', 'postal_code')]
  const lines = address.filter((line) => typeof line === 'string')
  const name = at(row, 'recipient', 'contact', 'name')
  return `${quoteUntrusted(at(row, 'reference'))} to ${quoteUntrusted(name)}, ${quoteUntrusted(lines.join(', '))}`
}

/** Returns `Cash on delivery: £1,250.00 for 12 parcels`, for each currency. */
function sumLine(label: string, rows: readonly unknown[], path: readonly string[]): string[] {
  const amounts = rows.flatMap((row) => toMoneyOrUndefined(at(row, ...path)) ?? [])
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, those]) => {
    const sum: Money = { amount: those.reduce((total, { amount }) => total + amount, 0), currency }
    return `${label}: ${formatGroupedMoney(sum)} for ${those.length} ${those.length === 1 ? 'parcel' : 'parcels'}`
  })
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? (found as Input)[name]
        : undefined,
    value,
  )
}
