/** A purchase by a quote, as a command describes it. */
import type { OperationOutput, OperationInput, QuoteOperationName } from '../client/operations.ts'
import { AppError } from '../core/errors.ts'
import { type Money } from '../core/money.ts'
import { loadSpec } from '../generated/registry.ts'
import { QUOTE_OPERATIONS } from '../local-state/quotes.ts'
import type { OperationHints } from './command.ts'
import type { MissingInput } from './prompts.ts'

/** A quote; one with several prices also has the chosen total. */
export type PricedQuote<N extends QuoteOperationName = QuoteOperationName> = OperationOutput<N> & {
  total?: Money
}

export type QuotePurchase<N extends QuoteOperationName = QuoteOperationName> = {
  /** The user's arguments, by which an interrupted call is found again. */
  said: unknown
  /** The value of `--quote-id`. */
  quoteId: string | undefined
  /** The value of `--max-total`, or else of DRAY_MAX_TOTAL. */
  limit: string | undefined
  /** Returns the further flags that a script must give. */
  missing(): MissingInput[]
  /** Returns the input to quote, and asks on a terminal. Not called when there is a quote. */
  priced(): Promise<OperationInput<N>>
  /** Asks again for the answer that the service rejected; undefined where nothing was asked for it. */
  mend?(error: AppError, input: OperationInput<N>): Promise<OperationInput<N> | undefined>
  /** Chooses one of a quote's prices. Returns the quote with its total; undefined when it expired before the answer. */
  choose?(quote: OperationOutput<N>, left: () => number): Promise<PricedQuote<N> | undefined>
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
  describe(quote: OperationOutput<N>): Promise<string>
  /** The action of a yes: `Place this order`. */
  act: string
}

/** A quote, with the input to request it again. Its price is unknown when only its id is given. */
export type ShownQuote = {
  quoteId: string
  quote: PricedQuote | undefined
  input: Readonly<Record<string, unknown>> | undefined
  /** Returns the milliseconds until it expires, by the service's clock. */
  left(): number
}

/** Returns the operation that quotes the purchase. */
export function quoteOf({ confirm }: QuotePurchase): QuoteOperationName {
  return QUOTE_OPERATIONS[confirm.name] as QuoteOperationName
}

/** Returns the command that quotes again: `dray food quote`. */
export async function quoteCommandOf(purchase: QuotePurchase): Promise<string> {
  return `dray ${(await loadSpec(quoteOf(purchase)))?.words}`
}

export function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency
}

/** Calls until the service accepts the input, with the answers that `mend` asks for again. Throws what it asks nothing for. */
export async function untilAccepted<I, T>(
  { input, mend }: { input: I; mend(error: AppError, input: I): Promise<I | undefined> },
  call: (input: I) => Promise<T>,
): Promise<T> {
  try {
    return await call(input)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const mended = await mend(error, input)
    if (mended === undefined) throw error
    return untilAccepted({ input: mended, mend }, call)
  }
}
