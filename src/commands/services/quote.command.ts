import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { rememberQuote, printQuotePrice } from '../../cli/quotes.ts'
import { EXIT } from '../../core/errors.ts'
import { JOB_FLAGS, type JobArgs, readJob } from './job.ts'
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
  run: quote,
})

async function quote(cli: CommandContext, args: JobArgs): Promise<number> {
  const input = await readJob(cli, args, { asksForStart: false })
  const { value: priced } = await (await cli.client()).call('quote_service', input)
  rememberQuote(cli, { quote: priced, operation: 'quote_service', input })
  if (!isInteractiveTable(cli)) {
    await printResult(cli, priced)
    return EXIT.ok
  }
  await printQuotePrice(cli, priced, {
    text: await quoteText(priced, null, renderOptionsOf(cli, 'stdout')),
    command: 'services book',
  })
  return EXIT.ok
}
