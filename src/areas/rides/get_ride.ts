import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { loadOwnRide } from './access.ts'
import { ride, rideId } from './schema.ts'
import { serializeRide } from './views.ts'

export const getRide = defineOperation({
  name: 'get_ride',
  area: 'rides',
  summary: 'Show one of your rides: status, driver, car location',
  method: 'GET',
  path: '/v1/rides/{ride_id}',
  scope: 'rides.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ ride_id: rideId }),
  output: ride,
  errors: ['ride_not_found'],
  example: (done) => ({ ride_id: done['request_ride'].ride_id }),
  cli: {
    command: 'rides show',
    danger: 'read',
    columns: [
      'ride_id',
      'tier',
      'status',
      'pickup',
      'stops',
      'dropoff',
      'scheduled_for',
      'passenger.name',
      'passenger.count',
      'fare',
      'payment.method',
      'payment.status',
      'driver.name',
      'driver.rating',
      'vehicle.licence_plate',
      'vehicle.colour',
      'vehicle.make',
      'vehicle.model',
      'pickup_pin',
      'pickup_eta_seconds',
      'dropoff_eta_at',
      'completed_at',
      'receipt.charged',
      'cancellation.reason_code',
      'cancellation.fee',
      'cancellation.balance_due',
      'refunded',
      'refund.status',
      'cancellable',
      'cancellation_fee',
    ],
  },
  touches: ({ ride_id }) => ({ resource: ride_id }),
  async run(context, { ride_id }) {
    return serializeRide(context.tx, await loadOwnRide(context, ride_id), context.now)
  },
})
