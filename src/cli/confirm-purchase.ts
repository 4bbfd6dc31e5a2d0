/**
 * Confirms a purchase that the operation's own command makes: shows its price, checks it against `--max-total` and
 * asks. The price is that of the agreement's rates, or of the quote that the input names.
 */
import { priceParcels } from '../client/parcel-prices.ts'
import { AppError } from '../core/errors.ts'
import { type Money, formatGroupedMoney } from '../core/money.ts'
import { canCost, purchasingOf } from '../core/spending.ts'
import { SPENDING } from '../generated/spending.ts'
import { PURCHASE_NOUNS, findQuoteTotal } from '../local-state/quotes.ts'
import type { CommandContext } from './cli.ts'
import { type Args, readTextArgument } from './command.ts'
import { assertProfileConfirmed } from './confirm.ts'
import { ConfirmationDeclined } from './declined.ts'
import { assertPriceWithinLimit, formatPlainAmount } from './max-total.ts'
import { equivalentCommand } from './prompts.ts'
import { findQuote } from './quotes.ts'

type Input = Readonly<Record<string, unknown>>

/** The price of a purchase, as far as it is known; `free` for a call that creates nothing with a cost. */
export type PurchasePrice = { total: Money | undefined; what: string; lines: string[] } | 'free'

/** Returns the accepted total, if it is known. Throws AppError('not_confirmed' | 'price_above_limit' | 'usage'). */
export async function confirmPurchase(
  cli: CommandContext,
  operation: string,
  input: Input,
  args: Args,
): Promise<Money | undefined> {
  const purchasing = purchasingOf({ spends: SPENDING[operation] })
  if (purchasing?.how === 'difference') return confirmNewTotal(cli, input, args)
  if (!canCost(purchasing, input)) return undefined
  return confirmPurchases(cli, args, { operation, input, price: () => priceOf(cli, operation, input) })
}

/**
 * Confirms the new price of something bought before, and holds it against the limit; without `expected_total` the price stays.
 * Returns and throws the same as `confirmPurchase`.
 */
async function confirmNewTotal(cli: CommandContext, input: Input, args: Args): Promise<Money | undefined> {
  await assertProfileConfirmed(cli)
  const limit = readTextArgument(args, 'max-total') ?? cli.settings.maxTotal
  const total = (input['expected_total'] ?? undefined) as Money | undefined
  if (total === undefined) return undefined
  if (limit !== undefined) assertPriceWithinLimit(total, limit, 'Nothing was changed.')
  if (cli.settings.yes) return total
  const ask = await cli.ask()
  if (ask === undefined)
    throw new AppError(
      'not_confirmed',
      `Change it to ${formatGroupedMoney(total)}? Confirmation required, but this is not a terminal. Nothing was sent.`,
      { hint: `Confirm it with --yes: ${equivalentCommand(cli.argv, [{ flag: '--yes' }])}` },
    )
  if (!(await ask.confirm({ message: `Change it? It costs ${formatGroupedMoney(total)} then.` })))
    throw new ConfirmationDeclined('Not confirmed; nothing was changed.')
  cli.answered.push({ flag: '--yes' })
  return total
}

/** A purchase that is to be confirmed: `price` is requested only where it is shown. `what` names several. */
type Purchase = { operation: string; input: Input; what?: string; price: () => Promise<PurchasePrice> }

/** Confirms a purchase of several calls with a price from the caller. Returns and throws the same as `confirmPurchase`. */
export async function confirmPurchases(
  cli: CommandContext,
  args: Args,
  purchase: Purchase,
): Promise<Money | undefined> {
  const { operation, input, price: findPrice } = purchase
  await assertProfileConfirmed(cli)
  const limit = readTextArgument(args, 'max-total') ?? cli.settings.maxTotal
  const isAsked = !cli.settings.yes && (await cli.ask()) !== undefined
  await assertCanConfirm(cli, purchase, limit)
  // With --yes and without a limit the price is not shown.
  if (!isAsked && limit === undefined) return knownTotal(cli, operation, input)
  const price = await findPrice()
  if (price === 'free') return undefined
  if (isAsked && price.lines.length > 0) await cli.say(price.lines.join('\n'))
  if (limit !== undefined) assertWithin(price.total, limit)
  if (isAsked) await agree(cli, price, limit !== undefined)
  return price.total
}

/** Throws AppError('not_confirmed') before anything is priced when no user can confirm. */
async function assertCanConfirm(
  cli: CommandContext,
  { operation, input, what = `this ${PURCHASE_NOUNS[operation] ?? 'purchase'}` }: Purchase,
  limit: string | undefined,
): Promise<void> {
  if ((await cli.ask()) !== undefined) return
  const limited = limit !== undefined || input['quote_id'] !== undefined || cli.spec.danger === 'bulk'
  if (cli.settings.yes && limited) return
  const lacking = [
    ...(cli.settings.yes ? [] : [{ flag: '--yes' }]),
    ...(limited ? [] : [{ flag: '--max-total', value: '25.00' }]),
  ]
  throw new AppError(
    'not_confirmed',
    cli.settings.yes
      ? `Buy ${what} at any price? --yes needs a --max-total here. Nothing was sent.`
      : `Buy ${what}? Confirmation required, but this is not a terminal. Nothing was sent.`,
    {
      hint: `Confirm it with ${lacking.map(({ flag }) => flag).join(' and ')}: ${equivalentCommand(cli.argv, lacking)}`,
    },
  )
}

async function priceOf(cli: CommandContext, operation: string, input: Input): Promise<PurchasePrice> {
  if (SPENDING[operation]?.how === 'quote')
    return { total: knownTotal(cli, operation, input), what: `this ${PURCHASE_NOUNS[operation]}`, lines: [] }
  const { total, levels, counts } = await priceParcels(await cli.client(), operation, input)
  if (total === null) return 'free'
  const lines = levels.map(
    ({ level, count, total: sum }) =>
      `${level}   ${count} ${count === 1 ? 'parcel' : 'parcels'}   ${formatGroupedMoney(sum)}`,
  )
  const what = counts.created === 1 ? 'this parcel' : `these ${counts.created} parcels`
  return { total, what, lines }
}

/** Returns the price of the quote in the input, or else the expected total, since the service rejects any other. */
function knownTotal(cli: CommandContext, operation: string, input: Input): Money | undefined {
  const spends = SPENDING[operation]
  if (spends?.how !== 'quote') return undefined
  const { quote_id: quoteId, expected_total: expected } = input
  const quote = typeof quoteId === 'string' ? findQuote(cli, quoteId)?.quote : undefined
  if (quote === undefined) return (expected ?? undefined) as Money | undefined
  return findQuoteTotal(quote, spends.fareBy === undefined ? null : String(input[spends.fareBy]))
}

/** Throws AppError('price_above_limit' | 'usage') for a total above the limit. */
function assertWithin(total: Money | undefined, limit: string): void {
  if (total !== undefined) return assertPriceWithinLimit(total, limit, 'Nothing was bought.')
  throw new AppError(
    'price_above_limit',
    'dray does not know the price of this quote, so it cannot check --max-total. Nothing was bought.',
    { hint: 'Give the quoted price as expected_total; the call fails if the price differs.' },
  )
}

/** Asks for consent. Throws AppError('not_confirmed'). */
async function agree(
  cli: CommandContext,
  { total, what }: Exclude<PurchasePrice, 'free'>,
  limited: boolean,
): Promise<void> {
  const price = total === undefined ? '' : ` for ${formatGroupedMoney(total)}`
  const agreed = await (await cli.ask())?.confirm({ message: `Buy ${what}${price}?` })
  if (agreed !== true) throw new ConfirmationDeclined('Not confirmed; nothing was bought.')
  cli.answered.push({ flag: '--yes' })
  if (total !== undefined && !limited)
    cli.answered.push({ flag: '--max-total', value: formatPlainAmount(total) })
}
