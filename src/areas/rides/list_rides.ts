import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginated, paginationParams, dateOrDateTime } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import { listRidesOf } from './queries/rides.ts'
import { ride, rideStatus } from './schema.ts'
import { makeRideSerializer } from './views.ts'

export const listRides = defineOperation({
  name: 'list_rides',
  area: 'rides',
  summary: 'List your rides, newest first',
  description: 'A date begins at midnight in London.',
  details: 'Time ranges include the start and exclude the end.',
  method: 'GET',
  path: '/v1/rides',
  scope: 'rides.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    status: Type.Optional(
      Type.Array(rideStatus, { minItems: 1, maxItems: 9, description: 'Statuses to include' }),
    ),
    created_from: Type.Optional(dateOrDateTime('Earliest request time, included')),
    created_to: Type.Optional(dateOrDateTime('Latest request time, excluded')),
    ...paginationParams,
  }),
  output: paginated(ride),
  errors: ['invalid_cursor'],
  example: () => ({ limit: 5 }),
  cli: {
    command: 'rides list',
    danger: 'read',
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
  touches: (_input, { account }) => ({ owner: account.account_id }),
  async run({ tx, account, world, now, cursor }, { status, created_from, created_to }) {
    const [created_at, seq] = cursor.after ?? []
    const rides = await listRidesOf(
      tx,
      account.account_id,
      {
        statuses: status,
        created_from: toInstant(created_from, world.timezone),
        created_to: toInstant(created_to, world.timezone),
      },
      {
        after: seq === undefined ? undefined : { created_at: Number(created_at), seq: Number(seq) },
        limit: cursor.limit + 1,
      },
    )
    const view = await makeRideSerializer(tx, rides, now)
    return cursor.page(rides, (record) => [record.created_at, record.seq], view)
  },
})
