import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'

const COLUMNS = [
  { field: 'booking_id' },
  { field: 'service_name', label: 'Service' },
  { field: 'provider.name', label: 'Provider' },
  { field: 'provider.phone_masked', label: 'Phone' },
  { field: 'status' },
  { field: 'slot.starts_at', label: 'Start' },
  { field: 'duration_minutes', label: 'Minutes' },
  { field: 'preferred_window.starts_at', label: 'Wished from' },
  { field: 'preferred_window.ends_at', label: 'Wished until' },
  { field: 'eta_at', label: 'There at' },
  { field: 'place.address', label: 'Where' },
  { field: 'place.name', label: 'Place' },
  { field: 'price' },
  { field: 'payment.method', label: 'Paid by' },
  { field: 'payment.status', label: 'Payment' },
  { field: 'refund.amount', label: 'Refund' },
  { field: 'refund.status', label: 'Refund status' },
  { field: 'started_at' },
  { field: 'completed_at' },
  { field: 'completion.summary', label: 'Done' },
  { field: 'cancellation.reason_code', label: 'Off because' },
]

/** `dray services show [BOOKING]`. */
export const servicesShow = defineCommand({
  words: 'services show',
  summary: 'Show one of your bookings: its state, its provider, its price',
  description: 'The last booking without an id.',
  positionals: [{ name: 'booking_id', description: 'the booking; the last one without it' }],
  examples: ['dray services show', 'dray services show bkg_01m7vkystgfjrv96q54p9ebqz8 --json'],
  async run(cli, args) {
    const input = { booking_id: await namedOrLast(cli, args.booking_id, 'booking_id') }
    const { value } = await (await cli.client()).call('get_service_booking', input)
    await printResult(cli, value, { columns: COLUMNS, next: 'dray services track {booking_id}' })
    return EXIT.ok
  },
})
