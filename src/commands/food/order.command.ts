import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { confirmQuote } from '../../cli/confirm-quote.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import {
  assertContact,
  choosePayment,
  PRICE_FLAGS,
  PURCHASE_GLOBAL_FLAGS,
  TABLE_PAY_FLAGS,
  readPrice,
} from '../../cli/payment.ts'
import { quoteText } from '../../cli/quote-text.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { spec as placeFoodOrder } from '../../generated/specs/place_food_order.ts'
import {
  type Basket,
  BASKET_FLAGS,
  findMissingBasketInputs,
  readBasket,
  readBasketInput,
  repeatOnce,
} from './basket.ts'
import { STORE_OR_ORDER } from './merchants.ts'
import { nextStepOf } from './next-step.ts'

type FoodOrder = OperationOutput<'get_food_order'>

const FIELDS = pickOperationFlags(placeFoodOrder, {
  name: { field: 'contact.name', description: 'recipient' },
  phone: { field: 'contact.phone', value: '+44…', description: 'telephone of who receives it' },
  notes: 'notes',
  substitutions: 'substitutions',
})

const FLAGS = [
  ...BASKET_FLAGS,
  ...PRICE_FLAGS,
  ...TABLE_PAY_FLAGS,
  ...FIELDS,
] as const satisfies readonly Flag[]

/** `dray food order`: from a basket, or a quote, to an order that is paid for. */
export const foodOrder = defineCommand({
  words: 'food order',
  summary: 'Place a food order',
  description:
    'With --quote-id it buys that quote. Otherwise it shows a price and how long the price is valid, and buys nothing until you confirm. Without a terminal --yes needs a --quote-id or a --max-total. If the price has changed or the quote has expired or was used, nothing is bought (exit 7). --again repeats an order; without a terminal it fails (exit 7) if an item is gone or has changed. After a crash, the same command resumes that order; --new places another order.',
  danger: 'spend',
  takes: PURCHASE_GLOBAL_FLAGS,
  answer: { of: ['place_food_order'] },
  positionals: [STORE_OR_ORDER],
  flags: FLAGS,
  examples: [
    'dray food order',
    'dray food order "Lime Street Noodles" --item "Pad Thai x2 + Chicken + Hot" --fulfillment pickup',
    'dray food order --basket lunch.json --yes --max-total 30.00',
    'dray food order --quote-id quo_01m7vkystge8kbcf2tpy8vep2a --pay wallet --yes',
    'dray food order --again',
    'dray food order --again K7QX --yes --max-total 30.00',
  ],
  run: order,
})

async function order(
  cli: CommandContext,
  args: FlagValues<typeof FLAGS, [typeof STORE_OR_ORDER]>,
): Promise<number> {
  const { quoteId, limit, expected, wanted } = readPrice(cli.settings, args)
  const said = await readBasketInput(cli, args)
  const named = BASKET_FLAGS.find(({ flag }) => args[flag] !== undefined)
  if (quoteId !== undefined && (named !== undefined || args.merchant !== undefined)) {
    const what = named === undefined ? 'the store' : `--${named.flag}`
    throw new AppError('usage', `--quote-id already has the basket: leave out ${what}.`)
  }
  const missing = () => (quoteId === undefined ? findMissingBasketInputs(args, said) : [])
  const repeated = repeatOnce(cli, args, said)
  let notes = args.notes
  let mend: Basket['mend'] | undefined
  return confirmQuote<'quote_food_order'>(cli, {
    said: [wanted, said],
    quoteId,
    limit,
    expected,
    missing,
    async priced() {
      const repeats = await repeated()
      const basket = await readBasket(cli, args, repeats)
      if (notes === undefined && repeats.order?.notes)
        await cli.say(`Note to the store: ${JSON.stringify(repeats.order.notes)}`)
      if (notes === undefined && missing().length > 0)
        notes = await (await import('./ask-basket.ts')).askNotes(cli)
      mend = basket.mend
      return basket.input
    },
    mend: async (error, input) => mend?.(error, input),
    confirm: {
      ...(await loadOperationHints('place_food_order')),
      done: 'Placed order {display_number} with {merchant.name}: {total}.',
    },
    after: async (order) => nextStepOf(await cli.client(), order as FoodOrder),
    act: 'Place this order',
    describe: (quote) => quoteText(quote, null, renderOptionsOf(cli, 'stderr')),
    async rest() {
      const { request, words } = await choosePayment(cli, args)
      assertContact(args)
      const given = await readInputFromFlags(cli, FIELDS, args)
      const note = notes ?? (await repeated()).order?.notes ?? undefined
      return { input: { payment: request, ...given, ...(note !== undefined && { notes: note }) }, words }
    },
  })
}
