import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { rememberQuote, printQuotePrice } from '../../cli/quotes.ts'
import { EXIT } from '../../core/errors.ts'
import { readRun, RUN_FLAGS, type RunFlags } from './run.ts'

/** `dray delivery quote --from … --to … --what …`: what a courier costs; sends nobody. */
export const deliveryQuote = defineCommand({
  words: 'delivery quote',
  summary: 'Price a courier delivery; valid for 5 minutes',
  description:
    'Requests nothing. `dray delivery request --quote-id` requests the delivery at this price until the quote expires. In a terminal, dray asks for missing values.',
  flags: RUN_FLAGS,
  examples: [
    'dray delivery quote --from kings-cross --to "12 Finsbury Square, London EC2A 1AN" --what "A set of keys"',
    'dray delivery quote --from 51.5129,-0.0823 --to shoreditch --what "A cake" --size medium --vehicle car --json',
  ],
  run: quote,
})

async function quote(cli: CommandContext, flags: RunFlags): Promise<number> {
  const input = await readRun(cli, flags)
  const { value: priced } = await (await cli.client()).call('quote_delivery', input)
  rememberQuote(cli, { quote: priced, operation: 'quote_delivery', input })
  if (isInteractiveTable(cli)) {
    await printQuotePrice(cli, priced, {
      text: await quoteText(priced, null, renderOptionsOf(cli, 'stdout')),
      command: 'delivery request',
    })
    return EXIT.ok
  }
  await printResult(cli, priced)
  return EXIT.ok
}
