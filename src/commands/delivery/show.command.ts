import { deliveryPresenter } from '../../areas/delivery/presenter.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { EXIT } from '../../core/errors.ts'
import { PICTURE_FLAGS, presentPictures } from '../proofs/pictures.ts'
import { printWithReceipt, readReceiptOutput, RECEIPT_FLAG } from '../receipt/receipt.ts'

/** `dray delivery show [DELIVERY]`. */
export const deliveryShow = defineCommand({
  words: 'delivery show',
  summary: 'Show one of your deliveries: status, courier, proof',
  description:
    'Default: your last delivery. The deliveries of your food orders can also be shown: `dray food show` has their IDs. --save writes the photos of the proofs. A terminal that can draw images shows them. --receipt writes the bill with its payment and refunds.',
  positionals: [{ name: 'delivery_id', description: 'delivery ID. Default: the last delivery' }],
  flags: [...PICTURE_FLAGS, RECEIPT_FLAG],
  answer: { of: ['get_delivery'] },
  examples: ['dray delivery show', 'dray delivery show dlv_01m7vkystgef7a5n56tabvem4j --save proof'],
  async run(cli, args) {
    const wish = readReceiptOutput(args)
    const input = { delivery_id: await namedOrLast(cli, args.delivery_id, 'delivery_id') }
    const client = await cli.client()
    const { value } = await client.call('get_delivery', input)
    const { status, pickup_proof, proof_of_delivery } = value
    const proofs = [pickup_proof, proof_of_delivery]
    const next = deliveryPresenter.openCommand(value) ?? 'dray delivery track {delivery_id}'
    const hints = await loadOperationHints('get_delivery')
    await printWithReceipt(cli, value, {
      story: deliveryPresenter,
      columns: hints.columns,
      next: args.save === undefined ? next : undefined,
      wish,
    })
    await presentPictures(cli, args, client, { status, proofs })
    return EXIT.ok
  },
})
