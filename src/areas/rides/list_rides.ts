import * as Type from 'typebox'
import { dateOrDateTime } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import { OWN_RIDE } from './access.ts'
import { listRidesOf } from './queries/rides.ts'
import { ride, rideStatus } from './schema.ts'
import { makeRideSerializer } from './views.ts'

export const listRides = OWN_RIDE.list({
  name: 'list_rides',
  summary: 'List your rides, newest first',
  description: 'A date begins at midnight in London.',
  details: 'Time ranges include the start and exclude the end.',
  filters: {
    status: Type.Optional(
      Type.Array(rideStatus, { minItems: 1, maxItems: 9, description: 'Statuses to include' }),
    ),
    created_from: Type.Optional(dateOrDateTime('Earliest request time, included')),
    created_to: Type.Optional(dateOrDateTime('Latest request time, excluded')),
  },
  item: ride,
  example: () => ({ limit: 5 }),
  cli: {
    command: 'rides list',
    columns: [
      'ride_id',
      { field: 'created_at', dropOrder: 5 },
      'status',
      { field: 'fare', dropOrder: 4 },
      'dropoff.name',
      { field: 'pickup.name', dropOrder: 3 },
      { field: 'tier', dropOrder: 1 },
      { field: 'payment.status', dropOrder: 2 },
      { field: 'cancellation.balance_due', label: 'Fee owed' },
    ],
    examples: [
      'dray rides list',
      'dray rides list --status in_progress --status accepted',
      'dray rides list --created-from 2026-11-01 --all --output csv',
    ],
  },
  read: ({ tx, account, world }, { status, created_from, created_to }, slice) =>
    listRidesOf(
      tx,
      account.account_id,
      {
        statuses: status,
        created_from: toInstant(created_from, world.timezone),
        created_to: toInstant(created_to, world.timezone),
      },
      slice,
    ),
  makeSerializer: makeRideSerializer,
})
