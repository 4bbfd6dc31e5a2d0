import * as Type from 'typebox'
import { findAccount, requireAccount } from '../../areas/account/queries/accounts.ts'
import { findShipment } from '../../areas/carrier/queries/shipments.ts'
import { isTrackingNumber, normalizeTrackingNumber } from '../../areas/carrier/rules/tracking-number.ts'
import { findDelivery } from '../../areas/couriers/queries/deliveries.ts'
import { DELIVERY } from '../../areas/delivery/resource.ts'
import { FOOD_ORDER } from '../../areas/food/resource.ts'
import { findOrder } from '../../areas/orders/queries/orders.ts'
import { findRide } from '../../areas/rides/queries/rides.ts'
import { RIDE } from '../../areas/rides/resource.ts'
import { findBooking } from '../../areas/services/queries/bookings.ts'
import { BOOKING } from '../../areas/services/resource.ts'
import { findTask } from '../../areas/tasks/queries/tasks.ts'
import { TASK } from '../../areas/tasks/resource.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { hasIdPrefix, type Resource } from '../../core/resource.ts'
import { strictObject, instant, describeField, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { runDueEvents, runNextEvent } from '../due-events.ts'
import { defineControl } from './control.ts'
import { handleOf, findAgreementHolderHandle } from './holders.ts'
import { findNumberedOrder } from './named-order.ts'
import { noParcel } from './named-parcel.ts'

/** The resources that can be stepped by their id, beside parcels and accounts. */
const STEPPED: readonly (readonly [
  Resource,
  (tx: Tx, id: string) => Promise<{ account_id: string } | undefined>,
])[] = [
  [FOOD_ORDER, findOrder],
  [RIDE, findRide],
  [DELIVERY, findDelivery],
  [TASK, findTask],
  [BOOKING, findBooking],
]

export const stepResource = defineControl({
  name: 'step_resource',
  method: 'POST',
  path: '/sandbox/resources/{resource_id}/step',
  summary: 'Run the next event of one parcel, order, ride or membership',
  description:
    'Runs its next planned event at once; the clock does not change. The courier of an order is a separate resource.',
  input: strictObject({
    resource_id: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'tracking number, order by id or number, ride, delivery, task, booking or account',
    }),
  }),
  output: strictObject({
    resource_id: Type.String({ meaning: 'Parcel, order, ride, delivery, task or account', label: 'ID' }),
    event: Type.String({ meaning: 'Event that took place' }),
    at: describeField('Time of the event', instant),
    account: nullable('Account to which it belongs', Type.String()),
  }),
  errors: [
    'shipment_not_found',
    ...STEPPED.map(([resource]) => resource.notFound),
    'account_not_found',
    'invalid_state',
  ],
  example: (done) => ({ resource_id: done['create_shipment'].tracking_number }),
  cli: {
    command: 'sandbox step',
    danger: 'write',
    positionals: ['resource_id'],
    flags: { resource_id: 'resource' },
    columns: ['resource_id', 'event', 'at'],
    done: '{resource_id}: {event}.',
    examples: [
      'dray sandbox step ZC968043370GB',
      'dray sandbox step ord_01m7vkystgfp1b10jk5dh9yvxy',
      'dray sandbox step member',
    ],
  },
  run: ({ write }, { resource_id }) =>
    write(async (tx, { world }, now) => {
      const { id, account } = await findResource(tx, resource_id)
      // Due events happen at their own time first, as for every caller.
      await runDueEvents({ tx, world, at: now }, { resource: id })
      const { event } = await runNextEvent(tx, world, now, id)
      return { resource_id: id, event, at: toTimestamp(now), account: await account() }
    }),
})

type StepTarget = { id: string; account: () => Promise<string | null> }

/** Returns the id of what a text names, and its owner. Throws the error of its kind when there is none. */
async function findResource(tx: Tx, text: string): Promise<StepTarget> {
  for (const [resource, find] of STEPPED) {
    if (!hasIdPrefix(resource, text)) continue
    const found = await find(tx, text)
    if (found !== undefined) return { id: text, account: () => handleOf(tx, found.account_id) }
    throw new AppError(resource.notFound, `${text.slice(0, 40)} does not exist.`, {
      hint: '`dray sandbox events` lists all events with their IDs.',
    })
  }
  const number = normalizeTrackingNumber(text)
  if (!isTrackingNumber(number)) return findAccountOrOrder(tx, text)
  const shipment = await findShipment(tx, number)
  if (shipment === undefined) throw noParcel(number)
  return { id: number, account: () => findAgreementHolderHandle(tx, shipment.agreement_id) }
}

/** A short name comes before the number of an order, which may look like one. */
async function findAccountOrOrder(tx: Tx, text: string): Promise<StepTarget> {
  const account = await findAccount(tx, text)
  const order = account === undefined ? await findNumberedOrder(tx, text) : undefined
  if (order !== undefined) return { id: order.order_id, account: () => handleOf(tx, order.account_id) }
  const { account_id, handle } = await requireAccount(tx, account, text)
  return { id: account_id, account: async () => handle }
}
