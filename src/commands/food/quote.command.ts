import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printQuote, requestQuote } from '../../cli/print-quote.ts'
import { untilAccepted } from '../../cli/purchase.ts'
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
  run: quoteBasket,
})

async function quoteBasket(cli: CommandContext, args: BasketArgs): Promise<number> {
  const said = await readBasketInput(cli, args)
  const basket = await readBasket(cli, args, await repeatOnce(cli, args, said)())
  const quote = await untilAccepted(basket, (input) => requestQuote(cli, 'quote_food_order', input))
  return printQuote(cli, quote, { command: 'food order' })
}
