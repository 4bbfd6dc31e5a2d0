import { defineOperation } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { loadOwnRide } from './own.ts'
import { ride, rideId } from './schema.ts'
import { viewRide } from './views.ts'

export const getRide = defineOperation({
  name: 'get_ride',
  area: 'rides',
  summary: 'Show one of your rides: its state, its driver, where the car is',
  method: 'GET',
  path: '/v1/rides/{ride_id}',
  scope: 'rides.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({ ride_id: rideId }),
  output: ride,
  errors: ['ride_not_found'],
  example: (done) => ({ ride_id: done['request_ride'].ride_id }),
  cli: {
    command: 'rides show',
    danger: 'read',
    positionals: ['ride_id'],
    last: true,
    columns: [
      { field: 'ride_id' },
      { field: 'tier' },
      { field: 'status' },
      { field: 'pickup', label: 'From' },
      { field: 'stops', label: 'Over' },
      { field: 'dropoff', label: 'To' },
      { field: 'scheduled_for', label: 'For' },
      { field: 'passenger.name', label: 'Passenger' },
      { field: 'passenger.count', label: 'Passengers' },
      { field: 'fare' },
      { field: 'payment.method', label: 'Paid by' },
      { field: 'payment.status', label: 'Payment' },
      { field: 'driver.name', label: 'Driver' },
      { field: 'driver.rating' },
      { field: 'vehicle.licence_plate', label: 'Plate' },
      { field: 'vehicle.colour' },
      { field: 'vehicle.make' },
      { field: 'vehicle.model' },
      { field: 'pickup_pin', label: 'PIN at pickup' },
      { field: 'pickup_eta_seconds', label: 'There in' },
      { field: 'dropoff_eta_at', label: 'Arrives about' },
      { field: 'completed_at' },
      { field: 'receipt.charged' },
      { field: 'cancellation.reason_code', label: 'Cancelled because' },
      { field: 'cancellation.fee', label: 'Fee kept' },
      { field: 'cancellation.balance_due', label: 'Due with the next ride' },
      { field: 'refund.amount', label: 'Refund' },
      { field: 'refund.status', label: 'Refund status' },
      { field: 'cancellable', label: 'Can be cancelled' },
      { field: 'cancellation_fee', label: 'Cancelling costs' },
    ],
    next: 'dray rides track {ride_id}',
    examples: [
      'dray rides show rid_01m7vkystgfx5vsa9mkvef9ews',
      'dray rides show rid_01m7vkystgfx5vsa9mkvef9ews --json',
    ],
  },
  touches: ({ ride_id }) => ({ resource: ride_id }),
  async run(context, { ride_id }) {
    return viewRide(context.tx, await loadOwnRide(context, ride_id), context.now)
  },
})
