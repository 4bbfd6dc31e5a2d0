import { listOpenQuestions, questionWords } from '../../areas/orders/rules/wrong-words.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { changeOrder } from '../order-lines.ts'
import { orderIdOf } from './find-order.ts'

/** `dray food answer ORDER --accept`. */
export const foodAnswer = defineCommand({
  words: 'food answer',
  summary: 'Answer a question about a replacement',
  description:
    'The store asks when an item is missing and you ordered with --substitutions ask, or when your notes name an allergen of the new item. Without an answer within 5 minutes the item is refunded.',
  danger: 'write',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'order', description: 'order ID or number; the last one if omitted' },
    { name: 'adjustment', description: 'adjustment ID, if several questions are open' },
  ],
  flags: [
    { flag: 'accept', kind: 'boolean', description: 'take the replacement' },
    { flag: 'decline', kind: 'boolean', description: 'take the item off and have it refunded' },
  ],
  answer: { of: ['answer_substitution'] },
  examples: ['dray food answer X7KH --accept', 'dray food answer --decline'],
  async run(cli, { order, adjustment, accept, decline }) {
    if (accept === true && decline === true)
      throw new AppError('usage', 'Give --accept or --decline, not both.')
    const said = accept === true ? true : decline === true ? false : undefined
    const order_id = await orderIdOf(cli, order)
    return changeOrder(cli, {
      said: ['answer', order_id, adjustment, said],
      done: 'Answered the store about order {display_number}.',
      prepare: async () => {
        const { value } = await (await cli.client()).call('get_food_order', { order_id })
        const asked = findQuestion(value, adjustment)
        const words = `Replace ${sanitizeForTerminal(questionWords(value, asked))}?`
        const input = {
          order_id,
          adjustment_id: asked.adjustment_id,
          accept: said ?? (await askCustomer(cli, words)),
        }
        return { operation: 'answer_substitution', input, note: words }
      },
    })
  },
})

type FoodOrder = OperationOutput<'get_food_order'>

function findQuestion(order: FoodOrder, named: string | undefined): FoodOrder['adjustments'][number] {
  const open = listOpenQuestions(order)
  const [found, second] = named === undefined ? open : open.filter((each) => each.adjustment_id === named)
  if (found !== undefined && second === undefined) return found
  const name = `Order ${order.display_number}`
  if (found === undefined) throw new AppError('adjustment_not_found', `${name} has no open question.`)
  const all = open
    .map((each) => `${each.adjustment_id} (${sanitizeForTerminal(questionWords(order, each))})`)
    .join(', ')
  throw new AppError('usage', `${name} has several open questions; name one of them: ${all}.`)
}

async function askCustomer(cli: CommandContext, message: string): Promise<boolean> {
  const ask = await cli.ask()
  const description = `or --decline. ${message}`
  if (ask === undefined) throw missingInputError(cli.argv, [{ flag: '--accept', description }])
  const accept = await ask.select({
    message,
    choices: [
      { value: true, name: 'Yes, replace it' },
      { value: false, name: 'No, take it off and refund it' },
    ],
  })
  cli.answered.push({ flag: accept ? '--accept' : '--decline' })
  return accept
}
