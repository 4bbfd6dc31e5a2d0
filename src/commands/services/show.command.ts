import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { hintsOf } from '../../cli/hints-of.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'

/** `dray services show [BOOKING]`. */
export const servicesShow = defineCommand({
  words: 'services show',
  summary: 'Show one of your bookings: status, provider, price',
  description: 'Default: your last booking.',
  positionals: [{ name: 'booking_id', description: 'booking ID. Default: the last booking' }],
  examples: ['dray services show', 'dray services show bkg_01m7vkystgfjrv96q54p9ebqz8 --json'],
  async run(cli, args) {
    const input = { booking_id: await namedOrLast(cli, args.booking_id, 'booking_id') }
    const { value } = await (await cli.client()).call('get_service_booking', input)
    await printResult(cli, value, {
      ...(await hintsOf('get_service_booking')),
      next: 'dray services track {booking_id}',
    })
    return EXIT.ok
  },
})
