/**
 * The price of a purchase before it is sent: from the quote that this machine has seen, or from the agreement's rates
 * for parcels.
 */
import type { Client } from '../client/client.ts'
import { orIfForbidden } from '../client/fallbacks.ts'
import { priceParcels } from '../client/parcel-prices.ts'
import type { ParcelPrices } from '../client/parcel-prices.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Machine } from '../core/machine.ts'
import { isCurrency, type Money } from '../core/money.ts'
import type { PurchaseSpending } from '../core/spending.ts'
import { toTimestamp } from '../core/time.ts'
import { toCallApprovalId } from '../local-state/approvals.ts'
import type { Actor } from '../local-state/ledger.ts'
import { saveKnownQuote, findKnownQuote, QUOTE_OPERATIONS, findQuoteTotal } from '../local-state/quotes.ts'
import type { Quote } from '../local-state/quotes.ts'

const QUOTES = new Set(Object.values(QUOTE_OPERATIONS))

/** The time for a person to approve parcels. Their price is that of the agreement and does not expire. */
const PARCELS_HOLD_MS = 24 * 3_600_000

type Common = {
  total: Money
  /** The tier of the chosen fare; null except for rides. */
  choice: string | null
  /** The name of the purchase for `dray approve`. */
  approvalId: string
  /** The end of a consent's validity, by the service's clock. */
  expiresAt: string
}

/** A price that a person can be shown and that a purchase names. */
export type ShownPrice = Common &
  (
    | { quote: Quote; parcels?: never; change?: never }
    | { quote?: never; parcels: ParcelPrices; change?: never }
    | { quote?: never; parcels?: never; change: PriceRise }
  )

/** A price that goes up; `before` is undefined where the caller may not see it: then all of the new price counts. */
export type PriceRise = { id: string; before: Money | undefined; after: Money }

type PriceDeps = Pick<Machine, 'paths'>

/** Saves the response of an operation that quotes, for a later confirm. */
export function saveShownPrice(
  deps: PriceDeps,
  { service, account }: Actor,
  { operation, input, answer }: { operation: string; input: Record<string, unknown>; answer: unknown },
): void {
  const { quote_id, expires_at } = answer as Partial<Quote>
  if (!QUOTES.has(operation) || typeof quote_id !== 'string' || typeof expires_at !== 'string') return
  saveKnownQuote(deps, { quote: answer as Quote, operation, input, service, account })
}

/** Returns the seen price for a confirm's quote; undefined when this machine has not seen the quote or the fare. */
export function findShown(
  deps: PriceDeps,
  { service, account }: Actor,
  { quotedBy, fareBy }: Extract<PurchaseSpending, { how: 'quote' }>,
  input: Readonly<Record<string, unknown>>,
): ShownPrice | undefined {
  const { quote_id: quoteId } = input
  const known = typeof quoteId === 'string' ? findKnownQuote(deps, service, quoteId) : undefined
  if (known === undefined || known.account !== account || known.operation !== quotedBy) return undefined
  const { quote } = known
  const choice = fareBy === undefined ? null : String(input[fareBy])
  const total = toMoneyOrUndefined(findQuoteTotal(quote, choice))
  if (total === undefined) return undefined
  return { quote, total, choice, approvalId: quote.quote_id, expiresAt: quote.expires_at }
}

/**
 * Requests the price of parcels from the service; `free` when none would be created. Throws AppError as the service
 * would.
 */
export async function priceNow(
  client: Client,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  now: number,
): Promise<ShownPrice | 'free'> {
  const parcels = await priceParcels(client, operation, input)
  const { total } = parcels
  if (total === null) return 'free'
  const approvalId = toCallApprovalId({ input_sha256: sha256Hex(canonicalJson(input)) })
  return { parcels, total, choice: null, approvalId, expiresAt: toTimestamp(now + PARCELS_HOLD_MS) }
}

/** Returns what a change costs more than before; `free` for one that does not. Throws AppError as the service would. */
export async function priceRise(
  client: Client,
  { seenBy, by }: Extract<PurchaseSpending, { how: 'difference' }>,
  input: Readonly<Record<string, unknown>>,
  now: number,
): Promise<ShownPrice | 'free'> {
  const after = toMoneyOrUndefined(input['expected_total'])
  const id = String(input[by])
  // The service rejects it, and nothing is changed.
  if (after === undefined) return 'free'
  const seen = await orIfForbidden(client.call(seenBy, { [by]: id }), undefined)
  const before = toMoneyOrUndefined(
    (seen?.value as { price?: { total?: unknown } } | undefined)?.price?.total,
  )
  const comparable = before?.currency === after.currency ? before : undefined
  const total = { ...after, amount: after.amount - (comparable?.amount ?? 0) }
  if (total.amount <= 0) return 'free'
  const approvalId = toCallApprovalId({ input_sha256: sha256Hex(canonicalJson(input)) })
  const change = { id, before: comparable, after }
  return { change, total, choice: null, approvalId, expiresAt: toTimestamp(now + PARCELS_HOLD_MS) }
}

/** Validates money in a response; undefined for anything else. */
export function toMoneyOrUndefined(value: unknown): Money | undefined {
  const { amount, currency } = (value ?? {}) as Partial<Money>
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined
  return typeof currency === 'string' && isCurrency(currency) ? { amount, currency } : undefined
}
