/** A quote that expired before it was bought: what it cost, and what it costs now. */
import type { OperationInput, QuoteOperationName } from '../client/operations.ts'
import { AppError } from '../core/errors.ts'
import { type Money, formatGroupedMoney } from '../core/money.ts'
import type { CommandContext } from './cli.ts'
import {
  isSame,
  type PricedQuote,
  type QuotePurchase,
  quoteCommandOf,
  quoteOf,
  type ShownQuote,
} from './purchase.ts'
import { rememberQuote } from './quotes.ts'

/** Returns the price of the quote that expired, to stand behind the new one. */
export function beforeWords(price: Money, before: ShownQuote | undefined): string {
  const old = before?.quote?.total
  if (old === undefined) return ''
  return isSame(old, price) ? ' (as before)' : ` (it was ${formatGroupedMoney(old)})`
}

export function expiredWords(shown: ShownQuote | undefined): string {
  const before = shown?.quote?.total
  return before === undefined
    ? 'The quote has expired'
    : `The quote of ${formatGroupedMoney(before)} has expired`
}

/** Returns the error for an expired quote, with its price and the present price. Quoting again buys nothing. */
export async function expired(
  cli: CommandContext,
  purchase: QuotePurchase,
  shown: ShownQuote | undefined,
): Promise<AppError> {
  const quoteOperation = quoteOf(purchase)
  const before = shown?.quote?.total
  const was = expiredWords(shown)
  const again =
    shown?.input === undefined || before === undefined ? undefined : await requote(cli, purchase, shown.input)
  if (again === undefined) {
    return new AppError('quote_expired', `${was}. Nothing was bought.`, {
      hint: `Get a new quote with \`${await quoteCommandOf(purchase)}\`.`,
      extra: {
        quote_operation: quoteOperation,
        ...(shown !== undefined && { quote_id: shown.quoteId }),
        quoted_total: before ?? null,
      },
    })
  }
  const now = before !== undefined && isSame(before, again.total) ? 'The price is still' : 'The price is'
  return new AppError(
    'quote_expired',
    `${was}. Nothing was bought. ${now} ${formatGroupedMoney(again.total)} now.`,
    {
      hint: `Buy it at that price with --quote-id ${again.quote_id}.`,
      extra: {
        quote_operation: quoteOperation,
        quote_id: shown?.quoteId,
        quoted_total: before ?? null,
        current_total: again.total,
        current_quote_id: again.quote_id,
      },
    },
  )
}

/** Returns the present price; undefined when the service gives none. */
async function requote(
  cli: CommandContext,
  purchase: QuotePurchase,
  input: Readonly<Record<string, unknown>>,
): Promise<(PricedQuote & { total: Money }) | undefined> {
  const operation = quoteOf(purchase)
  try {
    // The same input was quoted before.
    const { value: quote } = await (
      await cli.client()
    ).call(operation, input as OperationInput<QuoteOperationName>)
    rememberQuote(cli, { quote, operation, input })
    const priced: PricedQuote | undefined =
      purchase.choose === undefined ? quote : await purchase.choose(quote, () => Infinity)
    return priced?.total && { ...priced, total: priced.total }
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
