import { defineCommand } from '../../cli/define-command.ts'
import { printQuote, requestQuote } from '../../cli/print-quote.ts'
import { readRun, RUN_FLAGS } from './run.ts'

/** `dray delivery quote --from … --to … --what …`: what a courier costs; sends none. */
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
  run: async (cli, flags) =>
    printQuote(cli, await requestQuote(cli, 'quote_delivery', await readRun(cli, flags)), {
      command: 'delivery request',
    }),
})
