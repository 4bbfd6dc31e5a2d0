import { bookingPresenter } from '../../areas/services/presenter.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { EXIT } from '../../core/errors.ts'
import { printWithReceipt, readReceiptOutput, RECEIPT_FLAGS } from '../receipt/receipt.ts'
import { ICS_FLAG, readCalendarOutput, writeCalendar } from './calendar-file.ts'

/** `dray services show [BOOKING]`. */
export const servicesShow = defineCommand({
  words: 'services show',
  summary: 'Show one of your bookings: status, provider, price',
  description:
    'Default: your last booking. --receipt writes the bill with its payment and refunds, --ics a file for calendars. A later file replaces the entry of an earlier one.',
  positionals: [{ name: 'booking_id', description: 'booking ID. Default: the last booking' }],
  flags: [ICS_FLAG, ...RECEIPT_FLAGS],
  answer: { of: ['get_service_booking'] },
  examples: [
    'dray services show',
    'dray services show bkg_01m7vkystgfjrv96q54p9ebqz8 --json',
    'dray services show last --ics visit.ics',
  ],
  async run(cli, args) {
    const wish = readReceiptOutput(args)
    const calendar = readCalendarOutput(args)
    const input = { booking_id: await namedOrLast(cli, args.booking_id, 'booking_id') }
    const { value } = await (await cli.client()).call('get_service_booking', input)
    await printWithReceipt(cli, value, {
      story: bookingPresenter,
      columns: (await loadOperationHints('get_service_booking')).columns,
      next: 'dray services track {booking_id}',
      wish,
    })
    if (calendar !== undefined) await writeCalendar(cli, value, calendar)
    return EXIT.ok
  },
})
