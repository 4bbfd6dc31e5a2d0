/**
 * Makes a purchase by a quote. An open call is resumed before anything is quoted, and one that was answered under the
 * same key is repeated. Otherwise the price is shown, checked against `--max-total` and confirmed, and exactly that
 * quote is bought. If the price changed, nothing is bought and both prices are shown.
 */
import type { CallResult } from '../client/client.ts'
import type { Answer, Input, QuoteName } from '../client/operations.ts'
import { isStoredRefusal } from '../client/outcome.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { type Money, spellMoney } from '../core/money.ts'
import { loadSpec } from '../generated/registry.ts'
import type { OpenCall } from '../journal/intents.ts'
import { type KnownQuote, QUOTED_BY } from '../journal/quotes.ts'
import { findAnswered, findOpenCall, makeCall, openCall, rememberAnswered } from './calls/call-once.ts'
import type { Cli } from './cli.ts'
import type { OperationHints } from './command.ts'
import { confirmProtected } from './confirm.ts'
import { Declined } from './declined.ts'
import { Interrupted } from './io.ts'
import { checkLimit, plain } from './max-total.ts'
import { pick } from './output/fields.ts'
import { isForPeople } from './output/render-options-of.ts'
import { printResult, sameWorld, sayDone } from './print.ts'
import { cannotConfirm, equivalentCommand, type Missing, missingInput } from './prompts.ts'
import { timeLeft } from './questions.ts'
import { findQuote, rememberQuote } from './quotes.ts'

/** A quote; one with several prices also has the chosen total. */
export type Priced<N extends QuoteName = QuoteName> = Answer<N> & { total?: Money }

export type Purchase<N extends QuoteName = QuoteName> = {
  /** The user's arguments, by which an interrupted call is found again. */
  said: unknown
  /** The value of `--quote-id`. */
  quoteId: string | undefined
  /** The value of `--max-total`, or else of DRAY_MAX_TOTAL. */
  limit: string | undefined
  /** Returns the further flags that a script must give. */
  missing(): Missing[]
  /** Returns the input to quote, and asks on a terminal. Not called when there is a quote. */
  priced(): Promise<Input<N>>
  /** Chooses one of a quote's prices. Returns the quote with its total; undefined when it expired before the answer. */
  choose?(quote: Answer<N>, left: () => number): Promise<Priced<N> | undefined>
  /** The operation that confirms, with its columns and messages. */
  confirm: OperationHints
  /**
   * Returns the confirm's input besides the quote, and the payment in words, to end the question: `with the test card
   * tok_ok`.
   */
  rest(): Promise<{ input: Record<string, unknown>; words: string }>
  /** The value of `--expected-total`. */
  expected?: Money | undefined
  /** Returns a sentence on what happens next to the purchase. */
  after?(value: unknown): Promise<string | undefined>
  /** Returns the price item by item, for people. */
  describe(quote: Answer<N>): Promise<string>
  /** The action of a yes: `Place this order`. */
  act: string
}

/** A quote, with the input to request it again. Its price is unknown when only its id is given. */
type Shown = {
  quoteId: string
  quote: Priced | undefined
  input: Readonly<Record<string, unknown>> | undefined
  /** Returns the milliseconds until it expires, by the service's clock. */
  left(): number
}

/** Returns the operation that quotes the purchase. */
function quoteOf({ confirm }: Purchase): QuoteName {
  return QUOTED_BY[confirm.name] as QuoteName
}

/** Returns the command that quotes again: `dray food quote`. */
async function quoteCommandOf(purchase: Purchase): Promise<string> {
  return `dray ${(await loadSpec(quoteOf(purchase)))?.words}`
}

/** Buys, or throws the reason why not. Throws AppError with exit code 7 for a changed price. */
export async function buy<N extends QuoteName>(cli: Cli, purchase: Purchase<N>): Promise<number> {
  const { confirm, said } = purchase
  const open = cli.globals.dryRun ? undefined : await findOpenCall(cli, said)
  if (open !== undefined) return carryOut(cli, purchase, open)
  if (cli.globals.dryRun) return priceOnly(cli, purchase)
  const before = await findAnswered(cli, said)
  if (before !== undefined) return carryOut(cli, purchase, before)
  const { shown, input } = await decide(cli, purchase).catch(async (error: unknown) => {
    if (error instanceof Interrupted) await cli.say('Nothing was bought.')
    throw error
  })
  const price = total(shown, purchase)
  const held = await openCall(cli, said, {
    operation: confirm.name,
    input: { ...input, quote_id: shown.quoteId, ...(price !== undefined && { expected_total: price }) },
    total: price,
  })
  return carryOut(cli, purchase, held, shown)
}

async function priceOnly(cli: Cli, purchase: Purchase): Promise<number> {
  const shown = await choose(cli, purchase, await obtain(cli, purchase))
  await checkPrice(purchase, shown)
  if (shown.quote !== undefined && isForPeople(cli))
    await cli.io.stdout.write(`${await purchase.describe(shown.quote)}\n`)
  else await printResult(cli, shown.quote ?? { quote_id: shown.quoteId })
  await cli.say('Dry run: nothing was bought.')
  return EXIT.ok
}

/** Does all steps before the purchase: the price, the payment, and the consent. */
async function decide(
  cli: Cli,
  purchase: Purchase,
): Promise<{ shown: Shown; input: Record<string, unknown> }> {
  await assertCanConfirm(cli, purchase)
  // Without questions, missing values must be reported before anything is sent.
  const early = (await cli.ask()) === undefined ? await purchase.rest() : undefined
  const shown = await choose(cli, purchase, await obtain(cli, purchase))
  await checkPrice(purchase, shown)
  await showPrice(cli, purchase, shown)
  const { input, words } = early ?? (await purchase.rest())
  await agree(cli, purchase, shown, words)
  return { shown, input }
}

async function carryOut(cli: Cli, purchase: Purchase, held: OpenCall, shown?: Shown): Promise<number> {
  const { said } = purchase
  try {
    return await makeCall(cli, held, (answer) => {
      rememberAnswered(cli, said, held)
      return printPurchase(cli, purchase, answer)
    })
  } catch (error) {
    if (isStoredRefusal(error)) rememberAnswered(cli, said, held)
    if (error instanceof AppError && error.code === 'quote_expired')
      throw await expired(cli, purchase, shown ?? knownOf(cli, purchase, held.intent.input['quote_id']))
    throw error
  }
}

async function printPurchase(cli: Cli, { confirm, after }: Purchase, answer: CallResult): Promise<number> {
  const { value, replayed } = answer
  // On a terminal, columns without a value are left out.
  const columnsOf = (result: unknown) =>
    confirm.columns.filter(({ field }) => !cli.io.stdout.isTTY || (pick(result, field) ?? null) !== null)
  const next = isForPeople(cli) ? await after?.(value) : undefined
  const done = [confirm.done, next].filter((text) => text !== undefined).join('\n')
  if (!cli.globals.wait) {
    await printResult(cli, value, { ...confirm, columns: columnsOf(value), replayed, done })
    return EXIT.ok
  }
  const { waitAndPrint } = await import('./track/wait.ts')
  await sayDone(cli, value, done)
  return waitAndPrint(cli, confirm.name, answer, (end) => printResult(cli, end, { columns: columnsOf(end) }))
}

/** Throws AppError('not_confirmed') before anything is quoted when nobody can confirm the price. */
async function assertCanConfirm(cli: Cli, { act, quoteId, limit, missing }: Purchase): Promise<void> {
  await confirmProtected(cli)
  if ((await cli.ask()) !== undefined) return
  const limited = quoteId !== undefined || limit !== undefined
  const unsaid = missing()
  if (cli.settings.yes && limited && unsaid.length === 0) return
  const detail = cli.settings.yes
    ? `${act} at any price? --yes needs a --quote-id or a --max-total here. Nothing was sent.`
    : `${act}? This could not be asked here. Nothing was sent.`
  const lacking: Missing[] = [
    ...(cli.settings.yes ? [] : [{ flag: '--yes', description: 'to buy without being asked' }]),
    ...(limited ? [] : [{ flag: '--max-total', value: '25.00', description: 'pay no more than this' }]),
  ]
  if (unsaid.length > 0) throw missingInput(cli.argv, [...unsaid, ...lacking])
  throw new AppError('not_confirmed', detail, {
    hint: `Confirm it with ${lacking.map(({ flag }) => flag).join(' and ')}: ${equivalentCommand(cli.argv, lacking)}`,
  })
}

async function obtain(cli: Cli, purchase: Purchase): Promise<Shown> {
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
  const client = await cli.client()
  const operation = quoteOf(purchase)
  const { value: quote, serviceTime } = await client.call(operation, input)
  rememberQuote(cli, { quote, operation, input })
  return {
    quoteId: quote.quote_id,
    quote,
    input,
    left: countdown(cli, quote, serviceTime.now, serviceTime.frozen),
  }
}

/** Chooses one of the quoted prices. */
async function choose(cli: Cli, purchase: Purchase, shown: Shown): Promise<Shown> {
  if (purchase.choose === undefined || shown.quote === undefined) return shown
  const quote = await purchase.choose(shown.quote, shown.left)
  if (quote === undefined) throw await expired(cli, purchase, shown)
  return { ...shown, quote }
}

/** Returns a quote of this kind that was made on this machine. */
function recall(cli: Cli, purchase: Purchase, quoteId: string): KnownQuote | undefined {
  const known = findQuote(cli, quoteId)
  return known?.operation === quoteOf(purchase) ? known : undefined
}

function knownOf(cli: Cli, purchase: Purchase, quoteId: unknown): Shown | undefined {
  if (typeof quoteId !== 'string') return undefined
  const known = recall(cli, purchase, quoteId)
  return { quoteId, quote: known?.quote, input: known?.input, left: () => 0 }
}

/** Returns a function for the milliseconds left, which stay the same on a frozen clock. */
function countdown({ runtime }: Cli, quote: Priced | undefined, now: number, frozen: boolean): () => number {
  const start = runtime.elapsed()
  const ends = quote === undefined ? Infinity : Date.parse(quote.expires_at)
  return () => ends - now - (frozen ? 0 : runtime.elapsed() - start)
}

function total({ quote }: Shown, { expected }: Purchase): Money | undefined {
  return quote?.total ?? expected
}

/** Throws AppError('quote_mismatch' | 'price_above_limit') when the price is not acceptable. */
async function checkPrice(purchase: Purchase, shown: Shown): Promise<void> {
  const price = total(shown, purchase)
  const { expected } = purchase
  if (price !== undefined && expected !== undefined && !isSame(price, expected)) {
    throw new AppError(
      'quote_mismatch',
      `The price is ${spellMoney(price)}, not ${spellMoney(expected)}. Nothing was bought.`,
      {
        hint: `Look at it with \`${await quoteCommandOf(purchase)}\`, or give --expected-total ${plain(price)}.`,
        extra: { expected_total: expected, current_total: price },
      },
    )
  }
  if (purchase.limit === undefined) return
  if (price === undefined) {
    throw new AppError(
      'price_above_limit',
      `What ${shown.quoteId} costs is not known here, so it cannot be held against --max-total. Nothing was bought.`,
      { hint: 'Give the price that was quoted with --expected-total: another one is refused.' },
    )
  }
  checkLimit(price, purchase.limit, 'Nothing was bought.', { quote_id: shown.quoteId })
}

function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency
}

/** Shows people the price before the question; a script reads it in the response. */
async function showPrice(
  { io, globals, settings }: Cli,
  { describe }: Purchase,
  { quote }: Shown,
): Promise<void> {
  if (quote === undefined || globals.quiet || settings.format !== 'table' || !io.stderr.isTTY) return
  await io.stderr.write(`${await describe(quote)}\n\n`)
}

/** Asks for consent. Throws AppError('not_confirmed' | 'quote_expired'). */
async function agree(cli: Cli, purchase: Purchase, shown: Shown, words: string): Promise<void> {
  const price = total(shown, purchase)
  if (shown.quote !== undefined && shown.left() <= 0) throw await expired(cli, purchase, shown)
  if (cli.settings.yes) return
  const ask = await cli.ask()
  const message = `${purchase.act}${price === undefined ? '' : ` for ${spellMoney(price)}`} ${words}?`
  if (ask === undefined) throw cannotConfirm(cli.argv, { question: message, flag: '--yes' })
  const agreed =
    shown.quote === undefined
      ? await ask.confirm({ message })
      : await ask.confirmWithin({ message, left: shown.left })
  if (agreed === undefined) throw await expired(cli, purchase, shown)
  if (!agreed) throw new Declined('Not confirmed; nothing was bought.', stillHolds(cli, shown))
  cli.answered.push({ flag: '--yes' })
  if (purchase.quoteId === undefined && price !== undefined && purchase.limit === undefined)
    cli.answered.push({ flag: '--max-total', value: plain(price) })
}

/** Returns the command that still buys at the shown price; undefined when the quote has expired. */
function stillHolds({ spec, globals }: Cli, { quote, quoteId, left }: Shown): string | undefined {
  if (quote === undefined || left() <= 0) return undefined
  const command = `dray ${spec.words} --quote-id ${quoteId}${sameWorld(globals)}`
  return `The price holds for ${timeLeft(left())} minutes:\n  ${command}`
}

/** Returns the error for an expired quote, with its price and the present price. Quoting again buys nothing. */
async function expired(cli: Cli, purchase: Purchase, shown: Shown | undefined): Promise<AppError> {
  const quoteOperation = quoteOf(purchase)
  const before = shown?.quote?.total
  const was =
    before === undefined ? 'The quote has expired' : `The quote of ${spellMoney(before)} has expired`
  const again =
    shown?.input === undefined || before === undefined ? undefined : await requote(cli, purchase, shown.input)
  if (again === undefined) {
    return new AppError('quote_expired', `${was}. Nothing was bought.`, {
      hint: `Ask for the price again with \`${await quoteCommandOf(purchase)}\`.`,
      extra: {
        quote_operation: quoteOperation,
        ...(shown !== undefined && { quote_id: shown.quoteId }),
        quoted_total: before ?? null,
      },
    })
  }
  const now = before !== undefined && isSame(before, again.total) ? 'It still costs' : 'It costs'
  return new AppError('quote_expired', `${was}. Nothing was bought. ${now} ${spellMoney(again.total)} now.`, {
    hint: `Buy it at that price with --quote-id ${again.quote_id}.`,
    extra: {
      quote_operation: quoteOperation,
      quote_id: shown?.quoteId,
      quoted_total: before ?? null,
      current_total: again.total,
      current_quote_id: again.quote_id,
    },
  })
}

/** Returns the present price; undefined when the service gives none. */
async function requote(
  cli: Cli,
  purchase: Purchase,
  input: Readonly<Record<string, unknown>>,
): Promise<(Priced & { total: Money }) | undefined> {
  const operation = quoteOf(purchase)
  try {
    // The same input was quoted before.
    const { value: quote } = await (await cli.client()).call(operation, input as Input<QuoteName>)
    rememberQuote(cli, { quote, operation, input })
    const priced: Priced | undefined =
      purchase.choose === undefined ? quote : await purchase.choose(quote, () => Infinity)
    return priced?.total && { ...priced, total: priced.total }
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
