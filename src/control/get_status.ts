import * as Type from 'typebox'
import { closed } from '../operations/schema.ts'
import { countOrders } from '../store/orders.ts'
import { countRides } from '../store/rides.ts'
import { countShipments } from '../store/shipments.ts'
import { countRows } from '../store/status.ts'
import { SCHEMA_VERSION } from '../store/version.ts'
import { viewClock } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'
import { supply } from './set_supply.ts'

const count = Type.Integer({ minimum: 0 })
const byStatus = Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: count })

export const getStatus = defineControl({
  name: 'get_status',
  method: 'GET',
  path: '/sandbox/status',
  summary: 'Show what the sandbox holds and what happens next',
  input: closed({}),
  output: closed({
    environment: Type.Literal('sandbox'),
    store: Type.Enum(['sqlite', 'postgres'] as const),
    schema_version: Type.Integer(),
    seed: Type.String(),
    supply,
    clock,
    counts: closed({
      accounts: count,
      shipments: count,
      shipments_by_status: byStatus,
      orders: count,
      orders_by_status: byStatus,
      rides: count,
      rides_by_status: byStatus,
      events: count,
      timeline: count,
    }),
    due: Type.Integer({ description: 'Events whose time has come and that nobody looked for yet' }),
  }),
  run: ({ db, read }) =>
    read(async (tx, stored, now) => {
      const { accounts, events, timeline, due } = await countRows(tx, now)
      const shipments = await countShipments(tx)
      const orders = await countOrders(tx)
      const rides = await countRides(tx)
      return {
        environment: 'sandbox' as const,
        store: db.kind,
        schema_version: SCHEMA_VERSION,
        seed: stored.world.seed,
        supply: stored.world.supply,
        clock: await viewClock(tx, stored, now),
        counts: {
          accounts,
          shipments: total(shipments),
          shipments_by_status: shipments,
          orders: total(orders),
          orders_by_status: orders,
          rides: total(rides),
          rides_by_status: rides,
          events,
          timeline,
        },
        due,
      }
    }),
})

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0)
}
