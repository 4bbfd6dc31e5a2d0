/** The quote commands of all areas price an input, keep the quote for its purchase, and print it. */
import type { OperationInput, OperationOutput, QuoteOperationName } from '../client/operations.ts'
import { EXIT } from '../core/errors.ts'
import type { CommandContext } from './cli.ts'
import { isInteractiveTable, renderOptionsOf } from './output/render-options-of.ts'
import { isWholeResponsePrinted, printResult } from './print.ts'
import { quoteText } from './quote-text.ts'
import { printQuotePrice, rememberQuote } from './quotes.ts'

/** Prices an input and remembers the quote, so that a purchase after it expired can price the same again. */
export async function requestQuote<N extends QuoteOperationName>(
  cli: CommandContext,
  operation: N,
  input: OperationInput<N>,
): Promise<OperationOutput<N>> {
  const { scenario } = cli.globals
  const client = await cli.client()
  // The types of a call by a name that is not known yet do not meet those of its input and answer.
  const { value } = await client.call<string>(operation, input, scenario === undefined ? {} : { scenario })
  const quote = value as OperationOutput<N>
  rememberQuote(cli, { quote, operation, input })
  return quote
}

/**
 * Prints a quote and returns the exit code: for people the bill, with the command that confirms it, whose words are
 * `command`; else the response, or the rows of one with several prices.
 */
export async function printQuote<N extends QuoteOperationName>(
  cli: CommandContext,
  quote: OperationOutput<N>,
  { command, rows }: { command: string; rows?: { columns: { field: string }[]; data: object[] } },
): Promise<number> {
  if (isInteractiveTable(cli)) {
    const text = await quoteText(quote, null, renderOptionsOf(cli, 'stdout'))
    await printQuotePrice(cli, quote, { text, command })
  } else if (rows === undefined || isWholeResponsePrinted(cli)) await printResult(cli, quote)
  else {
    const { data, columns } = rows
    await printResult(cli, { data, has_more: false, next_cursor: null }, { columns })
  }
  return EXIT.ok
}
