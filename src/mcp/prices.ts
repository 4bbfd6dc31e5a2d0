/** What a confirm costs: as the quote said that was shown on this machine. */
import { keepQuote, lookUpQuote, QUOTED_BY } from '../client/quotes.ts'
import type { Quote } from '../client/quotes.ts'
import { isCurrency, type Money } from '../domain/money.ts'
import type { Runtime } from '../runtime.ts'
import type { Actor } from './ledger.ts'

const QUOTES = new Set(Object.values(QUOTED_BY))

/** A quote that was made here, and the price that a confirm agrees to. */
export type Shown = {
  quote: Quote
  total: Money
  /** Of a ride: the fare that was chosen. */
  tier: string | null
}

type Parts = Pick<Runtime, 'paths'>

/** Keeps the answer of an operation that quotes, for the confirm that may follow. */
export function keepShown(
  parts: Parts,
  { service, account }: Actor,
  operation: string,
  input: Record<string, unknown>,
  answer: unknown,
): void {
  const { quote_id, expires_at } = answer as Partial<Quote>
  if (!QUOTES.has(operation) || typeof quote_id !== 'string' || typeof expires_at !== 'string') return
  keepQuote(parts, { quote: answer as Quote, operation, input, service, account })
}

/** What was shown of the quote that a confirm names; undefined when nobody here has seen it, or not that fare. */
export function findShown(
  parts: Parts,
  { service, account }: Actor,
  operation: string,
  input: Readonly<Record<string, unknown>>,
): Shown | undefined {
  const { quote_id: quoteId, tier } = input
  const known = typeof quoteId === 'string' ? lookUpQuote(parts, service, quoteId) : undefined
  if (known === undefined || known.account !== account || known.operation !== QUOTED_BY[operation])
    return undefined
  const { quote } = known
  const ride = operation === 'request_ride'
  const total = readMoney(ride ? fareOf(quote, tier) : quote.total)
  if (total === undefined) return undefined
  return { quote, total, tier: ride ? String(tier) : null }
}

function fareOf(quote: Quote, tier: unknown): unknown {
  const { fares } = quote
  const all = Array.isArray(fares) ? (fares as Record<string, unknown>[]) : []
  return all.find((fare) => fare['tier'] === tier)?.['fare']
}

/** Money as a service sends it; undefined for anything else. */
export function readMoney(value: unknown): Money | undefined {
  const { amount, currency } = (value ?? {}) as Partial<Money>
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined
  return typeof currency === 'string' && isCurrency(currency) ? { amount, currency } : undefined
}
