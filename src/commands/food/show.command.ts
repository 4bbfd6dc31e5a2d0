import { foodOrderPresenter } from '../../areas/food/presenter.ts'
import { listOpenQuestions, problemNotes } from '../../areas/orders/rules/wrong-words.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { EXIT } from '../../core/errors.ts'
import { PICTURE_FLAGS, presentPictures } from '../proofs/pictures.ts'
import { printWithReceipt, readReceiptOutput, RECEIPT_FLAG } from '../receipt/receipt.ts'
import { orderIdOf } from './find-order.ts'
import { columnsFor } from './show-columns.ts'

/** `dray food show [ORDER]`. */
export const foodShow = defineCommand({
  words: 'food show',
  summary: 'Show one of your orders: status, address, courier, price',
  description:
    'Default: your last order. --save writes the photo of the proof. A terminal that can draw images shows it. --receipt writes the bill with its payment and refunds.',
  positionals: [{ name: 'order_id', description: 'order number or ID. Default: the last order' }],
  flags: [...PICTURE_FLAGS, RECEIPT_FLAG],
  answer: { of: ['get_food_order'] },
  examples: [
    'dray food show',
    'dray food show X7KH',
    'dray food show X7KH --save proof',
    'dray food show X7KH --receipt dinner.pdf',
    'dray food show ord_01m7vkystgfp1b10jk5dh9yvxy --json',
  ],
  async run(cli, args) {
    const wish = readReceiptOutput(args)
    const input = { order_id: await orderIdOf(cli, args.order_id) }
    const client = await cli.client()
    const order = (await client.call('get_food_order', input)).value
    const hints = await loadOperationHints('get_food_order')
    const proofs = [order.proof_of_delivery]
    const isAsked = listOpenQuestions(order).length > 0
    const next = isAsked
      ? 'dray food answer {display_number}'
      : (foodOrderPresenter.openCommand(order) ?? 'dray food track {display_number}')
    const columns = isInteractiveTable(cli) ? columnsFor(order, hints.columns) : hints.columns
    await printWithReceipt(cli, order, {
      story: foodOrderPresenter,
      columns,
      next: args.save === undefined ? next : undefined,
      wish,
      notes: problemNotes(order),
    })
    await presentPictures(cli, args, client, { status: order.status, proofs })
    return EXIT.ok
  },
})
