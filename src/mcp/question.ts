/**
 * The question to a person before an agent buys. It begins with our own words and figures. Texts by stores and
 * customers are shown as quoted names, each on one line, shortened and without control characters.
 */
import { PRESENTERS } from '../areas/presenters.ts'
import type { ParcelPrices } from '../client/parcel-prices.ts'
import { type Money, formatGroupedMoney } from '../core/money.ts'
import type { Bill, BillLine, Piece, RichText } from '../core/presenter.ts'
import { type LivingName, RESOURCES } from '../generated/resources.ts'
import { PURCHASE_NOUNS } from '../local-state/quotes.ts'
import type { Quote } from '../local-state/quotes.ts'
import { argumentLines } from './arguments-text.ts'
import type { PriceRise, ShownPrice } from './prices.ts'
import { sanitizeForPrompt, quoteUntrusted } from './sanitize.ts'

const MANY_LINES = 8

const METHODS: Readonly<Record<string, string>> = {
  card: 'by card',
  wallet: 'from the wallet',
  cash: 'in cash',
  pay_at_table: 'at the table',
}

type PurchaseQuestion = {
  operation: string
  shown: ShownPrice
  /** The lines of `aboutPurchase`. */
  about: readonly string[]
  /** The input as it will be sent. */
  input: Readonly<Record<string, unknown>>
  /** The current time by the service's clock. */
  now: number
  actor: { profile: string; account: string | null }
}

/** Returns `Pay £30.18 for this food order?`, the description, all that the call adds, and how long the price is valid. */
export function questionText({ operation, shown, about, input, now, actor }: PurchaseQuestion): string {
  const { total } = shown
  const who = actor.account === null ? '' : ` as the account ${sanitizeForPrompt(actor.account)}`
  return [
    `Pay ${formatGroupedMoney(total)} for ${whatOf(operation, shown)}?`,
    '',
    ...about,
    ...argumentLines(input),
    ...(shown.quote === undefined ? [] : [validity(shown.quote, now)]),
    `Asked by an agent, for the profile ${actor.profile}${who}.`,
  ].join('\n')
}

/** Returns `this ride` or `these 500 parcels`. */
function whatOf(operation: string, { parcels }: ShownPrice): string {
  if (parcels === undefined || parcels.counts.created === 1)
    return `this ${parcels === undefined ? (PURCHASE_NOUNS[operation] ?? 'purchase') : 'parcel'}`
  return `these ${parcels.counts.created} parcels`
}

/** Describes the purchase by item or by service level, and its total with the payment method. */
export async function aboutPurchase(
  operation: string,
  { quote, parcels, change, choice, total }: ShownPrice,
  input: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  if (change !== undefined) return describeRise(change, total, input)
  if (quote === undefined) {
    return [
      ...describeParcels(parcels, input),
      `Total: ${formatGroupedMoney(total)}, on the invoice of the carrier agreement`,
    ]
  }
  const method = METHODS[String(member(input['payment'], 'method'))]
  return [
    ...(await describe(operation, quote, choice)),
    `Total: ${formatGroupedMoney(total)}${method === undefined ? '' : `, ${method}`}`,
  ]
}

/** Describes a parcel with a higher price: `Parcel ZC…: £10.75 → £17.29`. */
function describeRise(
  { id, before, after }: PriceRise,
  total: Money,
  input: Readonly<Record<string, unknown>>,
): string[] {
  const recipient = input['recipient']
  return [
    `Parcel ${sanitizeForPrompt(id)}: ${before === undefined ? 'another price' : formatGroupedMoney(before)} → ${formatGroupedMoney(after)}`,
    `To: ${quoteUntrusted(member(member(recipient, 'contact'), 'name'))}, ${place(recipient)}`,
    `Total: ${formatGroupedMoney(total)} more, on the invoice of the carrier agreement`,
  ]
}

function validity({ expires_at }: Quote, now: number): string {
  const expires = Date.parse(expires_at)
  const minutes = Math.max(1, Math.floor((expires - now) / 60_000))
  return `The price is valid until ${clock(expires)} UTC, for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} more.`
}

/** Describes parcels by service level, and the rows of a manifest that create none. */
function describeParcels(
  { levels, counts }: ParcelPrices,
  input: Readonly<Record<string, unknown>>,
): string[] {
  const { duplicate, rejected } = counts
  const recipient = input['recipient']
  return [
    ...(recipient === undefined
      ? []
      : [`To: ${quoteUntrusted(member(member(recipient, 'contact'), 'name'))}, ${place(recipient)}`]),
    ...levels.map(
      ({ level, count, total }) =>
        `${sanitizeForPrompt(level.replaceAll('_', ' '))}: ${count} ${count === 1 ? 'parcel' : 'parcels'}, ${formatGroupedMoney(total)}`,
    ),
    ...(duplicate === 0
      ? []
      : [`${duplicate} more ${duplicate === 1 ? 'exists' : 'exist'} already and cost nothing.`]),
    ...(rejected === 0
      ? []
      : [`${rejected} ${rejected === 1 ? 'row is' : 'rows are'} rejected and cost nothing.`]),
  ]
}

/** Describes a quote by its story. A quote that a broken service made is not described. */
async function describe(operation: string, quote: Quote, choice: string | null): Promise<string[]> {
  const names = Object.keys(PRESENTERS) as LivingName[]
  const known = names.find((each) => RESOURCES[each].creates.includes(operation))
  if (known === undefined) return []
  const { price } = await PRESENTERS[known]()
  try {
    return billLines(price(quote, choice))
  } catch {
    return ['The service sent no readable description of this quote.']
  }
}

function billLines({ head, about, lines, added, notes }: Bill): string[] {
  const shown = lines.slice(0, MANY_LINES)
  const more = lines.length - shown.length
  return [
    textOf(head),
    ...about.map(textOf),
    ...shown.map(lineOf),
    ...(more > 0 ? [`and ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
    ...added.map(lineOf),
    ...notes.map(textOf),
  ]
}

/** Returns `2 × “Pad Thai”: £21.00`. Throws TypeError for what is no amount. */
function lineOf({ label, amount }: BillLine): string {
  if (!Number.isSafeInteger(amount.amount)) throw new TypeError('not an amount')
  return `${textOf(label)}: ${formatGroupedMoney(amount)}`
}

/** Characters that end a line or hide: figures of a broken service may hold them. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu

function textOf(text: RichText): string {
  const pieces = typeof text === 'string' ? [text] : text
  return pieces.map(pieceOf).join('')
}

function pieceOf(piece: Piece): string {
  if (typeof piece === 'string') return piece.replaceAll(UNSEEN, ' ')
  if ('name' in piece) return quoteUntrusted(piece.name)
  return 'at' in piece ? moment(piece.at) : place(piece.place)
}

function place(value: unknown): string {
  const address = member(value, 'address')
  const parts = [member(address, 'line1'), member(address, 'postal_code')].filter(
    (part) => typeof part === 'string',
  )
  return quoteUntrusted(parts.length > 0 ? parts.join(', ') : (member(value, 'name') ?? 'a point on the map'))
}

/** Returns `2026-11-21 09:00 UTC`. */
function moment(instant: string): string {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? '?' : `${new Date(ms).toISOString().slice(0, 10)} ${clock(ms)} UTC`
}

function clock(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(11, 16) : '?'
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
