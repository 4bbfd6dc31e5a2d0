import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { untilAccepted } from '../../cli/purchase.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { rememberQuote, printQuotePrice } from '../../cli/quotes.ts'
import { EXIT } from '../../core/errors.ts'
import { BASKET_FLAGS, type BasketArgs, readBasket, readBasketInput, repeatOnce } from './basket.ts'
import { STORE_OR_ORDER } from './merchants.ts'

/** `dray food quote MERCHANT --item …`: what a basket costs; buys nothing. */
export const foodQuote = defineCommand({
  words: 'food quote',
  summary: 'Price a basket; valid for 15 minutes',
  description:
    'Buys nothing. `dray food order --quote-id` buys the basket at this price until the quote expires. In a terminal, dray asks for missing values.',
  positionals: [STORE_OR_ORDER],
  flags: BASKET_FLAGS,
  examples: [
    'dray food quote "Lime Street Noodles" --item "Pad Thai x2 + Chicken + Hot" --item "Prawn Crackers" --fulfillment pickup',
    'dray food quote "Lime Street Noodles" --item "Green Curry" --fulfillment delivery --to "12 Finsbury Square, London EC2A 1AN"',
    'dray food quote --basket lunch.json --json',
    'dray food quote --again',
  ],
  run: quote,
})

async function quote(cli: CommandContext, args: BasketArgs): Promise<number> {
  const said = await readBasketInput(cli, args)
  const basket = await readBasket(cli, args, await repeatOnce(cli, args, said)())
  const client = await cli.client()
  const priced = await untilAccepted(basket, async (input) => {
    const { value: quote } = await client.call('quote_food_order', input)
    rememberQuote(cli, { quote, operation: 'quote_food_order', input })
    return quote
  })
  if (isInteractiveTable(cli)) {
    await printQuotePrice(cli, priced, {
      text: await quoteText(priced, null, renderOptionsOf(cli, 'stdout')),
      command: 'food order',
    })
    return EXIT.ok
  }
  await printResult(cli, priced)
  return EXIT.ok
}
