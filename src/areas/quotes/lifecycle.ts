/** The lifecycle that quotes of every area share (docs/rules/quotes.md#a-quote-is-fresh-until-it-expires). */
import { AppError } from '../../core/errors.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import type { ProblemMember } from '../../core/problem-members.ts'
import type { Resource } from '../../core/resource.ts'
import { toTimestamp } from '../../core/time.ts'
import { newIds } from '../../db/counters.ts'
import type { ChangeContext } from '../../db/lifecycle.ts'
import { type QuoteKind, RESOURCES } from '../resources.ts'
import { insertQuote, lockQuote, purgeQuotes, type QuoteRecord } from './queries.ts'

/** The time that a quote that expired is remembered. */
const KEPT_MS = 86_400_000

type QuotedResource = Extract<(typeof RESOURCES)[keyof typeof RESOURCES], { held: unknown }>

/** The resource of a kind of quote. */
function resourceOf(kind: QuoteKind): QuotedResource {
  const found = Object.values<Resource>(RESOURCES).find(({ held }) => held?.kind === kind)
  if (found === undefined) throw new Error(`no resource is quoted as ${kind}`)
  return found as QuotedResource
}

/**
 * Keeps a price for an account, and deletes those that no call can read any more. Writes nothing else
 * (docs/rules/quotes.md#a-quote-changes-nothing).
 */
export async function saveQuote<Doc>(
  scene: ChangeContext,
  accountId: string,
  kind: QuoteKind,
  doc: Doc,
): Promise<QuoteRecord<Doc>> {
  const { tx, at: now } = scene
  await purgeQuotes(tx, accountId, now - KEPT_MS)
  const [quote_id = ''] = await newIds(scene, 'quo')
  const quote: QuoteRecord<Doc> = {
    quote_id,
    account_id: accountId,
    kind,
    created_at: now,
    expires_at: now + resourceOf(kind).held.ms,
    used_by: null,
    doc,
  }
  await insertQuote(tx, quote)
  return quote
}

/**
 * Locks an open, fresh quote of the account and kind
 * (docs/rules/quotes.md#a-quote-belongs-to-its-account-and-kind). Throws `quote_not_found`, `quote_mismatch`, `quote_already_used`
 * (docs/rules/quotes.md#a-quote-is-used-once)
 * with what was made of it, or `quote_expired`.
 */
export async function lockOpenQuote<Doc>(
  { tx, at: now }: Pick<ChangeContext, 'tx' | 'at'>,
  accountId: string,
  kind: QuoteKind,
  quoteId: string,
): Promise<QuoteRecord<Doc>> {
  const quote = await lockQuote(tx, quoteId)
  const wanted = resourceOf(kind).quote
  if (quote === undefined || quote.account_id !== accountId) {
    throw new AppError('quote_not_found', `Quote ${quoteId.slice(0, 60)} not found.`, {
      extra: { operations: [wanted] },
      hint: `Get a quote with ${wanted} and use its quote_id.`,
    })
  }
  const { quote: operation, id } = resourceOf(quote.kind)
  if (quote.kind !== kind) {
    throw new AppError('quote_mismatch', `${quoteId} is a quote of ${operation}, not of ${wanted}.`, {
      extra: { operations: [operation, wanted] },
    })
  }
  if (quote.used_by !== null) {
    const made: ProblemMember = id
    throw new AppError('quote_already_used', `This quote was already used for ${quote.used_by}.`, {
      extra: { [made]: quote.used_by, operations: [operation] },
      hint: `See ${quote.used_by}. To buy again, get a new quote with ${operation}.`,
    })
  }
  if (now >= quote.expires_at) {
    throw new AppError('quote_expired', `${quoteId} expired at ${toTimestamp(quote.expires_at)}.`, {
      extra: { quote_operation: operation, operations: [operation] },
      hint: `Call ${operation} again and show the new price.`,
    })
  }
  return quote as QuoteRecord<Doc>
}

/**
 * Rejects a confirm of another price than the quoted one (docs/rules/quotes.md#a-confirm-can-name-the-price-that-was-shown).
 * Throws `quote_mismatch`.
 */
export function assertExpectedTotal(total: Money, expected: Money | undefined): void {
  if (expected === undefined) return
  if (expected.amount === total.amount && expected.currency === total.currency) return
  throw new AppError('quote_mismatch', `The quoted total is ${formatMoney(total)}, not the expected total.`, {
    extra: { total },
    hint: 'Show the quoted price and send it as expected_total.',
  })
}
