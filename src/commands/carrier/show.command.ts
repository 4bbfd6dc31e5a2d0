import { shipmentPresenter } from '../../areas/carrier/presenter.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { PICTURE_FLAGS, presentPictures } from '../proofs/pictures.ts'
import { chooseParcel } from './choose-parcel.ts'
import { resolveTrackingNumber } from './find-parcel.ts'

/** `dray carrier show NUMBER`. */
export const carrierShow = defineCommand({
  words: 'carrier show',
  summary: 'Show one parcel: status, scans, proof of delivery',
  description: '--save writes the photos of the proof. A terminal that can draw images shows them.',
  positionals: [
    {
      name: 'tracking_number',
      description: 'tracking number or reference',
      required: true,
    },
  ],
  flags: PICTURE_FLAGS,
  answer: { of: ['get_shipment'] },
  examples: [
    'dray carrier show ZC968043370GB',
    'dray carrier show ZC968043370GB --save proof',
    'dray carrier show "zc 9680 4337 0 gb" --json',
    'dray carrier show A-1001',
  ],
  async run(cli, args) {
    const typed = args.tracking_number ?? (await chooseParcel(cli, false))
    if (typed === undefined)
      throw new AppError('usage', 'Missing: the parcel. dray carrier show <tracking_number>', {
        hint: '`dray carrier list` shows them.',
      })
    const client = await cli.client()
    const tracking_number = await resolveTrackingNumber(client, typed)
    const { value } = await client.call('get_shipment', { tracking_number })
    const { status, proof_of_delivery } = value
    const proofs = [proof_of_delivery]
    const waits = status === 'pre_transit' ? 'dray carrier label' : 'dray carrier events'
    const next = shipmentPresenter.openCommand(value) ?? `${waits} {tracking_number}`
    const hints = await loadOperationHints('get_shipment')
    await printResult(cli, value, {
      columns: hints.columns,
      ...(args.save === undefined && { next }),
    })
    await presentPictures(cli, args, client, { status, proofs })
    return EXIT.ok
  },
})
