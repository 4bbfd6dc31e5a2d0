/**
 * The question to a person before an agent buys. It begins with our own words and figures. Texts by stores and
 * customers are shown as quoted names, each on one line, shortened and without control characters.
 */
import type { ParcelPrices } from '../client/parcel-prices.ts'
import { spellMoney } from '../core/money.ts'
import { type QuotedName, RESOURCES } from '../generated/resources.ts'
import { BOUGHT } from '../journal/quotes.ts'
import type { Quote } from '../journal/quotes.ts'
import { argumentLines } from './arguments-text.ts'
import { plain, quoted } from './plain.ts'
import { readMoney } from './prices.ts'
import type { Shown } from './prices.ts'

const MANY_LINES = 8

const METHODS: Readonly<Record<string, string>> = {
  card: 'by card',
  wallet: 'from the wallet',
  cash: 'in cash',
  pay_at_table: 'at the table',
}

type Asked = {
  operation: string
  shown: Shown
  /** The input as it will be sent. */
  input: Readonly<Record<string, unknown>>
  /** The current time by the service's clock. */
  now: number
  actor: { profile: string; account: string | null }
}

/** Returns `Pay £30.18 for this food order?`, the description, all that the call adds, and how long the price holds. */
export function questionText({ operation, shown, input, now, actor }: Asked): string {
  const { total } = shown
  const who = actor.account === null ? '' : ` as the account ${plain(actor.account)}`
  return [
    `Pay ${spellMoney(total)} for ${whatOf(operation, shown)}?`,
    '',
    ...aboutPurchase(operation, shown, input),
    ...argumentLines(input),
    ...(shown.quote === undefined ? [] : [holds(shown.quote, now)]),
    `Asked by an agent, for the profile ${actor.profile}${who}.`,
  ].join('\n')
}

/** Returns `this ride` or `these 500 parcels`. */
function whatOf(operation: string, { parcels }: Shown): string {
  if (parcels === undefined || parcels.counts.created === 1)
    return `this ${parcels === undefined ? (BOUGHT[operation] ?? 'purchase') : 'parcel'}`
  return `these ${parcels.counts.created} parcels`
}

/** Describes the purchase by item or by service level, and its total with the payment method. */
export function aboutPurchase(
  operation: string,
  { quote, parcels, tier, total }: Shown,
  input: Readonly<Record<string, unknown>>,
): string[] {
  if (quote === undefined) {
    return [
      ...describeParcels(parcels, input),
      `Total: ${spellMoney(total)}, on the invoice of the carrier agreement`,
    ]
  }
  const method = METHODS[String(member(input['payment'], 'method'))]
  return [
    ...describe(operation, quote, tier),
    `Total: ${spellMoney(total)}${method === undefined ? '' : `, ${method}`}`,
  ]
}

function holds({ expires_at }: Quote, now: number): string {
  const expires = Date.parse(expires_at)
  const minutes = Math.max(1, Math.floor((expires - now) / 60_000))
  return `The price holds until ${clock(expires)} UTC, for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} more.`
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
      : [`To: ${quoted(member(member(recipient, 'contact'), 'name'))}, ${place(recipient)}`]),
    ...levels.map(
      ({ level, count, total }) =>
        `${plain(level.replaceAll('_', ' '))}: ${count} ${count === 1 ? 'parcel' : 'parcels'}, ${spellMoney(total)}`,
    ),
    ...(duplicate === 0
      ? []
      : [`${duplicate} more ${duplicate === 1 ? 'exists' : 'exist'} already and cost nothing.`]),
    ...(rejected === 0
      ? []
      : [`${rejected} ${rejected === 1 ? 'row is' : 'rows are'} refused and cost nothing.`]),
  ]
}

type Described = Readonly<Record<string, unknown>>
type Describe = (quote: Described, tier: string | null) => string[]

const DESCRIBE: Readonly<Record<QuotedName, Describe>> = {
  food_order: (quote) => [
    `From: ${quoted(quote['merchant_name'])}`,
    ...items(quote['lines']),
    ...addedTo(quote),
    ...toPlace(quote['dropoff']),
  ],
  ride: (quote, tier) => [`Ride: ${quoted(tier)}, ${routeText(quote)}`],
  delivery: (quote) => [`Courier: ${quoted(member(quote['parcel'], 'description'))}, ${routeText(quote)}`],
  booking: (quote) => [
    `Service: ${quoted(quote['service_name'])} by ${quoted(quote['provider_name'])}${at(quote['starts_at'])}`,
    ...toPlace(quote['place']),
  ],
  task: (quote) => [
    `Task: ${quoted(quote['task_name'])}${at(member(quote['window'], 'starts_at'))}`,
    ...toPlace(quote['place']),
  ],
}

const QUOTED = Object.keys(DESCRIBE) as QuotedName[]

function describe(operation: string, quote: Described, tier: string | null): string[] {
  const known = QUOTED.find((each) => RESOURCES[each].creates.includes(operation))
  return known === undefined ? [] : DESCRIBE[known](quote, tier)
}

/** Describes items: `2 × “Pad Thai”: £21.00`. */
function items(lines: unknown): string[] {
  const all = Array.isArray(lines) ? (lines as unknown[]) : []
  const shown = all.slice(0, MANY_LINES).map((line) => {
    const total = readMoney(member(line, 'total'))
    const price = total === undefined ? '' : `: ${spellMoney(total)}`
    return `${Number(member(line, 'quantity'))} × ${quoted(member(line, 'name'))}${price}`
  })
  const more = all.length - shown.length
  return more > 0 ? [...shown, `and ${more} more ${more === 1 ? 'line' : 'lines'}`] : shown
}

/** Returns the lines between the sum of the items and the total: `Fees: £4.48`, `Discounts: -£1.58`. */
function addedTo(quote: Described): string[] {
  return (
    [
      ['Fees', quote['fees_total'], 1],
      ['Discounts', quote['discount_total'], -1],
      ['Taxes', quote['prices_include_tax'] === true ? undefined : quote['tax_total'], 1],
    ] as const
  ).flatMap(([label, value, sign]) => {
    const money = readMoney(value)
    return money === undefined || money.amount === 0
      ? []
      : [`${label}: ${spellMoney({ ...money, amount: sign * money.amount })}`]
  })
}

function routeText(quote: Readonly<Record<string, unknown>>): string {
  return `from ${place(quote['pickup'])} to ${place(quote['dropoff'])}`
}

function toPlace(value: unknown): string[] {
  return value === null || value === undefined ? [] : [`To: ${place(value)}`]
}

function place(value: unknown): string {
  const address = member(value, 'address')
  const parts = [member(address, 'line1'), member(address, 'postal_code')].filter(
    (part) => typeof part === 'string',
  )
  return quoted(parts.length > 0 ? parts.join(', ') : (member(value, 'name') ?? 'a point on the map'))
}

function at(instant: unknown): string {
  const ms = typeof instant === 'string' ? Date.parse(instant) : Number.NaN
  return Number.isNaN(ms) ? '' : `, ${new Date(ms).toISOString().slice(0, 10)} at ${clock(ms)} UTC`
}

function clock(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(11, 16) : '?'
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
