import type { Row, Tx } from '../../core/db.ts'
import type { QuoteKind } from '../resources.ts'

/** A price that holds until it expires (`contract.md` A8). Times in milliseconds of service time. */
export type QuoteRecord<Doc> = {
  quote_id: string
  account_id: string
  kind: QuoteKind
  created_at: number
  /** Fresh while `now < expires_at`. */
  expires_at: number
  /** What it was confirmed as. */
  used_by: string | null
  doc: Doc
}

const SELECT = 'select quote_id, account_id, kind, created_at, expires_at, used_by, doc from quotes'

export async function insertQuote(tx: Tx, quote: QuoteRecord<unknown>): Promise<void> {
  await tx.insertMany(
    'quotes',
    ['quote_id', 'account_id', 'kind', 'created_at', 'expires_at', 'used_by', 'doc'],
    [
      [
        quote.quote_id,
        quote.account_id,
        quote.kind,
        quote.created_at,
        quote.expires_at,
        quote.used_by,
        JSON.stringify(quote.doc),
      ],
    ],
  )
}

/** Reads a quote to confirm it: a second confirm waits until this transaction ends. */
export async function lockQuote(tx: Tx, quoteId: string): Promise<QuoteRecord<unknown> | undefined> {
  const row = await tx.get(`${SELECT} where quote_id = $1 ${tx.forUpdate}`, quoteId)
  return row && toQuote(row)
}

/** Says what a quote was confirmed as: once. */
export async function useQuote(tx: Tx, quoteId: string, resourceId: string): Promise<void> {
  await tx.run('update quotes set used_by = $2 where quote_id = $1', quoteId, resourceId)
}

/** Forgets the account's quotes that expired before `before`, but those that something was made of. */
export async function purgeQuotes(tx: Tx, accountId: string, before: number): Promise<void> {
  await tx.run(
    `delete from quotes where quote_id in (
       select quote_id from quotes where account_id = $1 and expires_at < $2 and used_by is null
       ${tx.forUpdate} ${tx.skipLocked})`,
    accountId,
    before,
  )
}

function toQuote(row: Row): QuoteRecord<unknown> {
  return {
    quote_id: String(row['quote_id']),
    account_id: String(row['account_id']),
    kind: String(row['kind']) as QuoteKind,
    created_at: Number(row['created_at']),
    expires_at: Number(row['expires_at']),
    used_by: row['used_by'] === null ? null : String(row['used_by']),
    doc: JSON.parse(String(row['doc'])) as unknown,
  }
}
