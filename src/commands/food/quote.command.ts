import type { Cli } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isForPeople, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { rememberQuote, showPrice } from '../../cli/quotes.ts'
import { EXIT } from '../../core/errors.ts'
import { BASKET_FLAGS, type BasketArgs, readBasket, readSaid } from './basket.ts'
import { MERCHANT } from './merchants.ts'

/** `dray food quote MERCHANT --item …`: what a basket costs; buys nothing. */
export const foodQuote = defineCommand({
  words: 'food quote',
  summary: 'Price a basket; valid for 15 minutes',
  description:
    'Buys nothing. `dray food order --quote-id` buys the basket at this price until the quote expires. In a terminal, dray asks for missing values.',
  positionals: [MERCHANT],
  flags: BASKET_FLAGS,
  examples: [
    'dray food quote "Lime Street Noodles" --item "Pad Thai x2 + Chicken + Hot" --item "Prawn Crackers" --fulfillment pickup',
    'dray food quote "Lime Street Noodles" --item "Green Curry" --fulfillment delivery --to "12 Finsbury Square, London EC2A 1AN"',
    'dray food quote --basket lunch.json --json',
  ],
  run: quote,
})

async function quote(cli: Cli, args: BasketArgs): Promise<number> {
  const input = await readBasket(cli, args, await readSaid(cli, args))
  const { value: priced } = await (await cli.client()).call('quote_food_order', input)
  rememberQuote(cli, { quote: priced, operation: 'quote_food_order', input })
  if (isForPeople(cli)) {
    await showPrice(cli, priced, {
      text: await quoteText(priced, null, renderOptionsOf(cli, 'stdout')),
      command: 'food order',
    })
    return EXIT.ok
  }
  await printResult(cli, priced)
  return EXIT.ok
}
