/**
 * Makes a purchase by a quote. An open call is resumed before anything is quoted, and one that was answered under the
 * same key is repeated. Otherwise the price is shown, checked against `--max-total` and confirmed, and exactly that
 * quote is bought. If the price changed, nothing is bought and both prices are shown.
 */
import type { CallResult } from '../client/client.ts'
import type { OperationInput, QuoteOperationName } from '../client/operations.ts'
import { isStoredRefusal } from '../client/outcome.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { type Money, formatGroupedMoney } from '../core/money.ts'
import type { ClaimedCall } from '../local-state/pending-calls.ts'
import type { KnownQuote } from '../local-state/quotes.ts'
import { findAnswered, findOpenCall, makeCall, recordNewCall, rememberAnswered } from './calls/call-once.ts'
import type { CommandContext } from './cli.ts'
import { assertProfileConfirmed } from './confirm.ts'
import { ConfirmationDeclined } from './declined.ts'
import { expired, expiredWords, beforeWords } from './expired-quote.ts'
import { stillHolds } from './held-quote.ts'
import { InterruptedError } from './io.ts'
import { assertPriceWithinLimit, formatPlainAmount } from './max-total.ts'
import { pickField } from './output/fields.ts'
import { isInteractiveTable } from './output/render-options-of.ts'
import { printResult, printSummary } from './print.ts'
import { notConfirmedError, equivalentCommand, type MissingInput, missingInputError } from './prompts.ts'
import {
  isSame,
  type QuotePurchase,
  quoteCommandOf,
  quoteOf,
  type PricedQuote,
  type ShownQuote,
  untilAccepted,
} from './purchase.ts'
import { findQuote, rememberQuote } from './quotes.ts'

/** Buys, or throws the reason why not. Throws AppError with exit code 7 for a changed price. */
export async function confirmQuote<N extends QuoteOperationName>(
  cli: CommandContext,
  purchase: QuotePurchase<N>,
): Promise<number> {
  const { said } = purchase
  const open = cli.globals.dryRun ? undefined : await findOpenCall(cli, said)
  if (open !== undefined) return repeat(cli, purchase, open)
  if (cli.globals.dryRun) return priceOnly(cli, purchase)
  const before = await findAnswered(cli, said)
  if (before !== undefined) return repeat(cli, purchase, before)
  return buyQuoted(cli, purchase, undefined)
}

/** Quotes and buys; `last` is an expired quote; its price is shown beside the new one. */
async function buyQuoted(
  cli: CommandContext,
  purchase: QuotePurchase,
  last: ShownQuote | undefined,
): Promise<number> {
  const { confirm, said } = purchase
  const { shown, input } = await decide(cli, purchase, last).catch(async (error: unknown) => {
    if (error instanceof InterruptedError) await cli.say('Nothing was bought.')
    throw error
  })
  const price = total(shown, purchase)
  const held = await recordNewCall(cli, said, {
    operation: confirm.name,
    input: { ...input, quote_id: shown.quoteId, ...(price !== undefined && { expected_total: price }) },
    total: price,
  })
  return carryOut(cli, purchase, held, async () => {
    // A key of the user's own is for one purchase.
    if (cli.globals.idempotencyKey === undefined && (await mayAskAgain(cli, shown)))
      return buyQuoted(cli, purchase, shown)
    throw await expired(cli, purchase, shown)
  })
}

async function priceOnly(cli: CommandContext, purchase: QuotePurchase): Promise<number> {
  const obtained = await obtain(cli, purchase)
  const shown = await choose(purchase, obtained)
  if (shown === undefined) throw await expired(cli, purchase, obtained)
  const bill = shown.quote !== undefined && isInteractiveTable(cli) && (await purchase.describe(shown.quote))
  if (bill !== false) await cli.io.stdout.write(`${bill}\n`)
  await checkPrice(purchase, shown)
  if (bill === false) await printResult(cli, shown.quote ?? { quote_id: shown.quoteId })
  await cli.say('Dry run: nothing was bought.')
  return EXIT.ok
}

type QuoteDecision = { shown: ShownQuote; input: Record<string, unknown> }

/**
 * Does all steps before the purchase: the price, the payment, and the consent. At a terminal, a quote that expires before
 * the answer is replaced by a new one, and the question is asked again with both prices.
 */
async function decide(
  cli: CommandContext,
  purchase: QuotePurchase,
  last: ShownQuote | undefined,
): Promise<QuoteDecision> {
  await assertCanConfirm(cli, purchase)
  // Without questions, missing values must be reported before anything is sent.
  let payment = (await cli.ask()) === undefined ? await purchase.rest() : undefined
  let before = last
  for (;;) {
    const obtained = before === undefined ? await obtain(cli, purchase) : await renew(cli, purchase, before)
    // A new quote that has expired already would be renewed for ever.
    const isOver = before !== undefined && obtained.left() <= 0
    const shown = await choose(purchase, obtained)
    if (shown !== undefined) {
      await printPrice(cli, purchase, shown)
      await checkPrice(purchase, shown)
      payment ??= await purchase.rest()
      if (await agree(cli, purchase, { shown, before }, payment.words)) return { shown, input: payment.input }
    }
    const ended = shown ?? obtained
    if (isOver || !(await mayAskAgain(cli, ended))) throw await expired(cli, purchase, ended)
    before = ended
  }
}

/** Returns whether a user can be asked about another price, and it is known what to quote. */
async function mayAskAgain(cli: CommandContext, { input }: ShownQuote): Promise<boolean> {
  return input !== undefined && !cli.settings.yes && (await cli.ask()) !== undefined
}

/** Quotes once more what has expired, and says so. Throws AppError('quote_expired') when the service does not. */
async function renew(cli: CommandContext, purchase: QuotePurchase, last: ShownQuote): Promise<ShownQuote> {
  await cli.say(`${expiredWords(last)}. Nothing was bought.`)
  deleteConsent(cli, purchase)
  try {
    // The same input was quoted before.
    return await quoteNow(cli, quoteOf(purchase), last.input as OperationInput<QuoteOperationName>)
  } catch (error) {
    if (error instanceof AppError) throw await expired(cli, purchase, { ...last, input: undefined })
    throw error
  }
}

/** The answers to questions that are asked again with each quote. */
const ASKED_AGAIN = new Set(['--tier', '--yes', '--max-total'])

/** Drops the answers that end with a quote: all of them, where the command that was typed names it. */
function deleteConsent({ answered }: CommandContext, { quoteId }: QuotePurchase): void {
  const kept = quoteId === undefined ? answered.filter(({ flag }) => !ASKED_AGAIN.has(flag)) : []
  answered.splice(0, answered.length, ...kept)
}

/** Repeats a call that was sent before. */
function repeat(cli: CommandContext, purchase: QuotePurchase, held: ClaimedCall): Promise<number> {
  return carryOut(cli, purchase, held, async () => {
    throw await expired(cli, purchase, knownOf(cli, purchase, held.intent.input['quote_id']))
  })
}

async function carryOut(
  cli: CommandContext,
  purchase: QuotePurchase,
  held: ClaimedCall,
  onExpired: () => Promise<number>,
): Promise<number> {
  const { said } = purchase
  try {
    return await makeCall(cli, held, (answer) => {
      rememberAnswered(cli, said, held)
      return printPurchase(cli, purchase, answer)
    })
  } catch (error) {
    if (isStoredRefusal(error)) rememberAnswered(cli, said, held)
    if (error instanceof AppError && error.code === 'quote_expired') return onExpired()
    throw error
  }
}

async function printPurchase(
  cli: CommandContext,
  { confirm, after }: QuotePurchase,
  answer: CallResult,
): Promise<number> {
  const { value, replayed } = answer
  // On a terminal, columns without a value are omitted.
  const columnsOf = (result: unknown) =>
    confirm.columns.filter(({ field }) => !cli.io.stdout.isTTY || (pickField(result, field) ?? null) !== null)
  const next = isInteractiveTable(cli) ? await after?.(value) : undefined
  const done = [confirm.done, next].filter((text) => text !== undefined).join('\n')
  if (!cli.globals.wait) {
    await printResult(cli, value, { ...confirm, columns: columnsOf(value), replayed, done })
    return EXIT.ok
  }
  const { waitAndPrint } = await import('./track/wait.ts')
  await printSummary(cli, value, done)
  return waitAndPrint(cli, confirm.name, answer, (end) => printResult(cli, end, { columns: columnsOf(end) }))
}

/** Throws AppError('not_confirmed') before anything is quoted when no user can confirm the price. */
async function assertCanConfirm(cli: CommandContext, purchase: QuotePurchase): Promise<void> {
  const { act, quoteId, limit, missing } = purchase
  await assertProfileConfirmed(cli)
  if ((await cli.ask()) !== undefined) return
  const limited = quoteId !== undefined || limit !== undefined
  const unsaid = missing()
  if (cli.settings.yes && limited && unsaid.length === 0) return
  const detail = cli.settings.yes
    ? `${act} at any price? --yes needs a --quote-id or a --max-total here. Nothing was sent.`
    : `${act}? Confirmation required, but this is not a terminal. Nothing was sent.`
  const lacking: MissingInput[] = [
    ...(cli.settings.yes ? [] : [{ flag: '--yes', description: 'to buy without being asked' }]),
    ...(limited
      ? []
      : [{ flag: '--max-total', value: '25.00', description: 'maximum total; a higher price fails' }]),
  ]
  if (unsaid.length > 0) throw missingInputError(cli.argv, [...unsaid, ...lacking])
  await assertKnown(purchase)
  throw new AppError('not_confirmed', detail, {
    hint: `Confirm it with ${lacking.map(({ flag }) => flag).join(' and ')}: ${equivalentCommand(cli.argv, lacking)}`,
  })
}

/** Throws for an unknown place, dish or store, which no confirmation fixes. A service that does not answer throws nothing. */
async function assertKnown({ quoteId, priced }: QuotePurchase): Promise<void> {
  if (quoteId !== undefined) return
  try {
    await priced()
  } catch (error) {
    if (!(error instanceof AppError) || BY_INPUT.has(error.entry.exit)) throw error
  }
}

const BY_INPUT: ReadonlySet<string> = new Set(['usage', 'not_found', 'rejected', 'conflict'])

async function obtain(cli: CommandContext, purchase: QuotePurchase): Promise<ShownQuote> {
  if (purchase.quoteId !== undefined) {
    const known = recall(cli, purchase, purchase.quoteId)
    const { now, frozen } = await (await cli.client()).serviceTime()
    return {
      quoteId: purchase.quoteId,
      quote: known?.quote,
      input: known?.input,
      left: countdown(cli, known?.quote, now, frozen),
    }
  }
  const input = await purchase.priced()
  const mend: NonNullable<QuotePurchase['mend']> = async (error, refused) =>
    cli.settings.yes ? undefined : purchase.mend?.(error, refused)
  return untilAccepted({ input, mend }, (mended) => quoteNow(cli, quoteOf(purchase), mended))
}

async function quoteNow(
  cli: CommandContext,
  operation: QuoteOperationName,
  input: OperationInput<QuoteOperationName>,
): Promise<ShownQuote> {
  const { value: quote, serviceTime } = await (await cli.client()).call(operation, input)
  rememberQuote(cli, { quote, operation, input })
  return {
    quoteId: quote.quote_id,
    quote,
    input,
    left: countdown(cli, quote, serviceTime.now, serviceTime.frozen),
  }
}

/** Chooses one of the quoted prices; undefined when the quote expired before. */
async function choose(purchase: QuotePurchase, shown: ShownQuote): Promise<ShownQuote | undefined> {
  if (purchase.choose === undefined || shown.quote === undefined) return shown
  const quote = await purchase.choose(shown.quote, shown.left)
  return quote && { ...shown, quote }
}

/** Returns a quote of this kind that was made on this machine. */
function recall(cli: CommandContext, purchase: QuotePurchase, quoteId: string): KnownQuote | undefined {
  const known = findQuote(cli, quoteId)
  return known?.operation === quoteOf(purchase) ? known : undefined
}

function knownOf(cli: CommandContext, purchase: QuotePurchase, quoteId: unknown): ShownQuote | undefined {
  if (typeof quoteId !== 'string') return undefined
  const known = recall(cli, purchase, quoteId)
  return { quoteId, quote: known?.quote, input: known?.input, left: () => 0 }
}

/** Returns a function for the milliseconds left, which stay the same on a frozen clock. */
function countdown(
  { runtime }: CommandContext,
  quote: PricedQuote | undefined,
  now: number,
  frozen: boolean,
): () => number {
  const start = runtime.elapsed()
  const ends = quote === undefined ? Infinity : Date.parse(quote.expires_at)
  return () => ends - now - (frozen ? 0 : runtime.elapsed() - start)
}

function total({ quote }: ShownQuote, { expected }: QuotePurchase): Money | undefined {
  return quote?.total ?? expected
}

/** Throws AppError('quote_mismatch' | 'price_above_limit') when the price is not acceptable. */
async function checkPrice(purchase: QuotePurchase, shown: ShownQuote): Promise<void> {
  const price = total(shown, purchase)
  const { expected } = purchase
  if (price !== undefined && expected !== undefined && !isSame(price, expected)) {
    throw new AppError(
      'quote_mismatch',
      `The price is ${formatGroupedMoney(price)}, not ${formatGroupedMoney(expected)}. Nothing was bought.`,
      {
        hint: `See it with \`${await quoteCommandOf(purchase)}\`, or give --expected-total ${formatPlainAmount(price)}.`,
        extra: { expected_total: expected, current_total: price },
      },
    )
  }
  if (purchase.limit === undefined) return
  if (price === undefined) {
    throw new AppError(
      'price_above_limit',
      `dray does not know the price of ${shown.quoteId}, so it cannot check --max-total. Nothing was bought.`,
      { hint: 'Give the quoted price with --expected-total; the command fails if the price differs.' },
    )
  }
  assertPriceWithinLimit(price, purchase.limit, 'Nothing was bought.', { quote_id: shown.quoteId })
}

/** Shows people the price before the question; a script reads it in the response. */
async function printPrice(
  { io, globals, settings }: CommandContext,
  { describe }: QuotePurchase,
  { quote }: ShownQuote,
): Promise<void> {
  if (quote === undefined || globals.quiet || settings.format !== 'table' || !io.stderr.isTTY) return
  await io.stderr.write(`${await describe(quote)}\n\n`)
}

/** Asks for consent; false when the quote expired before the answer. Throws AppError('not_confirmed'). */
async function agree(
  cli: CommandContext,
  purchase: QuotePurchase,
  { shown, before }: { shown: ShownQuote; before: ShownQuote | undefined },
  words: string,
): Promise<boolean> {
  const price = total(shown, purchase)
  if (shown.quote !== undefined && shown.left() <= 0) return false
  if (cli.settings.yes) return true
  const ask = await cli.ask()
  const message = `${purchase.act}${price === undefined ? '' : ` for ${formatGroupedMoney(price)}${beforeWords(price, before)}`} ${words}?`
  if (ask === undefined) throw notConfirmedError(cli.argv, { question: message, flags: [{ flag: '--yes' }] })
  const agreed =
    shown.quote === undefined
      ? await ask.confirm({ message })
      : await ask.confirmWithin({ message, left: shown.left })
  if (agreed === undefined) return false
  if (!agreed)
    throw new ConfirmationDeclined(
      'Not confirmed; nothing was bought.',
      await stillHolds(cli, purchase, shown),
    )
  cli.answered.push({ flag: '--yes' })
  if (purchase.quoteId === undefined && price !== undefined && purchase.limit === undefined)
    cli.answered.push({ flag: '--max-total', value: formatPlainAmount(price) })
  return true
}
