import { deliveryStory } from '../../areas/delivery/story.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { hintsOf } from '../../cli/hints-of.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { PICTURE_FLAGS, showPictures } from '../proofs/pictures.ts'

/** `dray delivery show [DELIVERY]`. */
export const deliveryShow = defineCommand({
  words: 'delivery show',
  summary: 'Show one of your deliveries: its state, its courier, its proof',
  description:
    'The last delivery without an id. Those that bring your food orders can be shown, too: `dray food show` names them. --save writes the pictures of the proofs; on a terminal that draws pictures they are shown.',
  positionals: [{ name: 'delivery_id', description: 'the delivery; the last one without it' }],
  flags: PICTURE_FLAGS,
  answer: { of: ['get_delivery'] },
  examples: ['dray delivery show', 'dray delivery show dlv_01m7vkystgef7a5n56tabvem4j --save proof'],
  async run(cli, args) {
    const input = { delivery_id: await namedOrLast(cli, args.delivery_id, 'delivery_id') }
    const client = await cli.client()
    const { value } = await client.call('get_delivery', input)
    const { status, pickup_proof, proof_of_delivery } = value
    const proofs = [pickup_proof, proof_of_delivery]
    const next = deliveryStory.open(value) ?? 'dray delivery track {delivery_id}'
    const hints = await hintsOf('get_delivery')
    await printResult(cli, value, { ...hints, ...(args.save === undefined && { next }) })
    await showPictures(cli, args, client, { status, proofs })
    return EXIT.ok
  },
})
