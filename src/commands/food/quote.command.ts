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
  summary: 'What a basket costs, item by item; holds for a quarter of an hour',
  description:
    'Buys nothing. `dray food order --quote-id` buys it at this price until it expires. On a terminal what is missing is asked for.',
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
