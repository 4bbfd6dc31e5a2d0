import { defineCommand } from '../../cli/define-command.ts'
import { printQuote, requestQuote } from '../../cli/print-quote.ts'
import { JOB_FLAGS, readJob } from './job.ts'
import { PROVIDER } from './providers.ts'

/** `dray services quote PROVIDER --service CODE --to PLACE`: what it costs; books nothing. */
export const servicesQuote = defineCommand({
  words: 'services quote',
  summary: 'Price a home service; valid for 15 minutes',
  description:
    'Books nothing and reserves no slot. `dray services book --quote-id` books at this price until the quote expires. In a terminal, dray asks for missing values.',
  positionals: [PROVIDER],
  flags: JOB_FLAGS,
  examples: [
    'dray services quote "Bright Corner" --service "Deep clean" --to "12 Finsbury Square, London EC2A 1AN"',
    'dray services quote "Live Wire" --service fix_fault --duration 90 --to angel --at "tomorrow 10:00"',
  ],
  run: async (cli, args) =>
    printQuote(
      cli,
      await requestQuote(cli, 'quote_service', await readJob(cli, args, { asksForStart: false })),
      { command: 'services book' },
    ),
})
