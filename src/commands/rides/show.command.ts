import { ridePresenter } from '../../areas/rides/presenter.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { EXIT } from '../../core/errors.ts'
import { printWithReceipt, readReceiptOutput, RECEIPT_FLAGS } from '../receipt/receipt.ts'

/** `dray rides show [RIDE]`. */
export const ridesShow = defineCommand({
  words: 'rides show',
  summary: 'Show one of your rides: status, driver, car location',
  description: 'Default: your last ride. --receipt writes the fare with its payment and refunds.',
  positionals: [{ name: 'ride_id', description: 'ride ID. Default: the last ride' }],
  flags: RECEIPT_FLAGS,
  answer: { of: ['get_ride'] },
  examples: [
    'dray rides show',
    'dray rides show rid_01m7vkystgfx5vsa9mkvef9ews --json',
    'dray rides show --receipt ride.pdf',
  ],
  async run(cli, args) {
    const wish = readReceiptOutput(args)
    const input = { ride_id: await namedOrLast(cli, args.ride_id, 'ride_id') }
    const { value } = await (await cli.client()).call('get_ride', input)
    await printWithReceipt(cli, value, {
      story: ridePresenter,
      columns: (await loadOperationHints('get_ride')).columns,
      next: 'dray rides track {ride_id}',
      wish,
    })
    return EXIT.ok
  },
})
