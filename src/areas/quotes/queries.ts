import type { Tx } from '../../core/db.ts'
import { defineTable } from '../../db/table.ts'
import type { QuoteKind } from '../resources.ts'

/** A price that holds until it expires (docs/rules/quotes.md#a-quote-locks-the-price). Times in milliseconds of service time. */
export type QuoteRecord<Doc> = {
  quote_id: string
  account_id: string
  kind: QuoteKind
  created_at: number
  /** Fresh while `now < expires_at`. */
  expires_at: number
  /** The id of the resource that confirmed it. */
  used_by: string | null
  doc: Doc
}

const QUOTES = defineTable<QuoteRecord<unknown>>({
  name: 'quotes',
  key: 'quote_id',
  columns: {
    quote_id: 'text',
    account_id: 'text',
    kind: 'text',
    created_at: 'integer',
    expires_at: 'integer',
    used_by: 'text or null',
    doc: 'json',
  },
})

export async function insertQuote(tx: Tx, quote: QuoteRecord<unknown>): Promise<void> {
  await QUOTES.insert(tx, [quote])
}

/** Locks and reads a quote to confirm it: a second confirm waits until this transaction ends. */
export async function lockQuote(tx: Tx, quoteId: string): Promise<QuoteRecord<unknown> | undefined> {
  return QUOTES.lock(tx, quoteId)
}

/** Records the resource that confirmed a quote. */
export async function markQuoteUsed(tx: Tx, quoteId: string, resourceId: string): Promise<void> {
  await tx.runPipelined('update quotes set used_by = $2 where quote_id = $1', quoteId, resourceId)
}

/** Deletes the account's unused quotes that expired before `before`. */
export async function purgeQuotes(tx: Tx, accountId: string, before: number): Promise<void> {
  await tx.run(
    `delete from quotes where quote_id in (
       select quote_id from quotes where account_id = $1 and expires_at < $2 and used_by is null
       ${tx.forUpdate} ${tx.skipLocked})`,
    accountId,
    before,
  )
}
