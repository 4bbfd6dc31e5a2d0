/** Quotes that were shown on this machine, with price and input. The interface has no call that reads them again. */
import { join } from 'node:path'
import type { OperationOutput, QuoteOperationName } from '../client/operations.ts'
import type { Machine } from '../core/machine.ts'
import type { Money } from '../core/money.ts'
import { purchasingOf } from '../core/spending.ts'
import { SPENDING } from '../generated/spending.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'

export type Quote = OperationOutput<QuoteOperationName>

export type KnownQuote = {
  quote: Quote
  /** The operation that made it, and its input. */
  operation: string
  input: Record<string, unknown>
  /** The address of the service, or the store; never with a password. */
  service: string
  account: string | null
}

/** Returns the price of a quote; for a ride, the fare of the chosen tier. Undefined where there is none. */
export function findQuoteTotal(quote: Quote, choice: string | null): Money | undefined {
  return quote.kind === 'ride' ? quote.fares.find((fare) => fare.tier === choice)?.fare : quote.total
}

/** The purchase that each operation makes, in plain words. */
export const PURCHASE_NOUNS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SPENDING).flatMap(([name, spends]) => {
    const purchasing = purchasingOf({ spends })
    return purchasing === undefined ? [] : [[name, purchasing.buys]]
  }),
)

/** The operation that makes the quote, for each operation that confirms one. */
export const QUOTE_OPERATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SPENDING).flatMap(([name, spends]) =>
    spends.how === 'quote' ? [[name, spends.quotedBy]] : [],
  ),
)

type QuoteDeps = Pick<Machine, 'paths'>

/** Saves a quote. Ignores a failed write. */
export function saveKnownQuote(deps: QuoteDeps, entry: KnownQuote): void {
  appendEntry(fileOf(deps), entry)
}

/** Returns the quote with this id, if it was made on this machine at that service. */
export function findKnownQuote(deps: QuoteDeps, service: string, quoteId: string): KnownQuote | undefined {
  return readEntries<KnownQuote>(fileOf(deps)).findLast(
    (entry) => entry.quote.quote_id === quoteId && entry.service === service,
  )
}

/** Forgets the quotes of a service that was reset. */
export function deleteKnownQuotes(deps: QuoteDeps, service: string): void {
  removeEntries<KnownQuote>(fileOf(deps), (entry) => entry.service !== service)
}

/** The limit: a quote with fifty lines takes 20 kB. */
function fileOf({ paths }: QuoteDeps): LogFile {
  return { path: join(paths.state, 'quotes.ndjson'), kept: 50, maxBytes: 1_000_000 }
}
