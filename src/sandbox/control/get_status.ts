import * as Type from 'typebox'
import { countShipmentsByStatus } from '../../areas/carrier/queries/shipments.ts'
import { countOrdersByStatus } from '../../areas/orders/queries/orders.ts'
import { countRides } from '../../areas/rides/queries/rides.ts'
import { strictObject, objectField, describeField, nullable } from '../../core/schema.ts'
import { readOrdinals } from '../../db/counters.ts'
import { countStoreRows } from '../../db/status.ts'
import { SCHEMA_VERSION } from '../../db/version.ts'
import { serializeClock } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'
import { supply } from './set_supply.ts'

const count = Type.Integer({ minimum: 0 })
/** Up to this number, rows are counted in some hundredths of a second; ten million would hold up all other callers. */
const MAX_COUNTED_ROWS = 100_000
const atMost = (what: string) =>
  Type.Integer({ minimum: 0, description: `${what}, counted up to ${MAX_COUNTED_ROWS}` })
const byStatus = (what: string) =>
  nullable(
    `${what} by status; null if there are more than ${MAX_COUNTED_ROWS}`,
    Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: count }),
    `${what} by status`,
  )

export const getStatus = defineControl({
  name: 'get_status',
  method: 'GET',
  path: '/sandbox/status',
  summary: 'Show the contents, clock and next events of the sandbox',
  input: strictObject({}),
  output: strictObject({
    environment: Type.Literal('sandbox', { meaning: 'Environment: sandbox' }),
    store: Type.Enum(['sqlite', 'postgres'] as const, { meaning: 'Engine of the store' }),
    schema_version: Type.Integer({ meaning: 'Version of the tables of the store' }),
    seed: Type.String({ meaning: 'Seed from which everything random is drawn' }),
    supply,
    clock: describeField('Clock', clock),
    counts: objectField('Contents of the store', {
      accounts: atMost('Accounts'),
      shipments: describeField('Number of parcels', count, 'Parcels'),
      shipments_by_status: byStatus('Parcels'),
      orders: describeField('Number of orders', count),
      orders_by_status: byStatus('Orders'),
      rides: describeField('Number of rides', count),
      rides_by_status: byStatus('Rides'),
      events: describeField('Number of status changes', count, 'Events'),
      timeline: atMost('Planned events'),
    }),
    due: Type.Integer({
      minimum: 0,
      description: `Due events that have not run yet, counted up to ${MAX_COUNTED_ROWS}`,
      label: 'Due events',
    }),
  }),
  cli: {
    command: 'sandbox status',
    danger: 'read',
    columns: [
      'clock.now',
      'clock.mode',
      'clock.next_due_at',
      'due',
      'supply',
      'counts.accounts',
      'counts.shipments',
      'counts.shipments_by_status',
      'counts.orders',
      'counts.orders_by_status',
      'counts.rides',
      'counts.rides_by_status',
      'counts.events',
      'seed',
      'store',
    ],
    next: 'dray sandbox clock advance 2h',
    examples: ['dray sandbox status', 'dray sandbox status --json'],
  },
  run: ({ db, read }) =>
    read(async (tx, stored, now) => {
      const { accounts, timeline, due } = await countStoreRows(tx, now, MAX_COUNTED_ROWS)
      const ordinals = await readOrdinals(tx)
      const created = (kind: string): number => ordinals.get(kind) ?? 0
      const [shipments, orders, rides] = [created('shipment'), created('order'), created('ride')]
      return {
        environment: 'sandbox' as const,
        store: db.kind,
        schema_version: SCHEMA_VERSION,
        seed: stored.world.seed,
        supply: stored.world.supply,
        clock: await serializeClock(tx, stored, now),
        counts: {
          accounts,
          shipments,
          shipments_by_status: shipments > MAX_COUNTED_ROWS ? null : await countShipmentsByStatus(tx),
          orders,
          orders_by_status: orders > MAX_COUNTED_ROWS ? null : await countOrdersByStatus(tx),
          rides,
          rides_by_status: rides > MAX_COUNTED_ROWS ? null : await countRides(tx),
          events: created('event'),
          timeline,
        },
        due,
      }
    }),
})
