import * as Type from 'typebox'
import { loadAccount } from '../../areas/account/store.ts'
import { isTrackingNumber, normalizeTrackingNumber } from '../../areas/carrier/rules/tracking-number.ts'
import { findShipment } from '../../areas/carrier/store/shipments.ts'
import { findDelivery } from '../../areas/couriers/store/deliveries.ts'
import { DELIVERY } from '../../areas/delivery/resource.ts'
import { FOOD_ORDER } from '../../areas/food/resource.ts'
import { findOrder } from '../../areas/orders/store/orders.ts'
import { RIDE } from '../../areas/rides/resource.ts'
import { findRide } from '../../areas/rides/store/rides.ts'
import { TASK } from '../../areas/tasks/resource.ts'
import { findTask } from '../../areas/tasks/store/tasks.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { isId, type Resource } from '../../core/resource.ts'
import { closed, instant } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { drainDue, stepResource as step } from '../drain.ts'
import { defineControl } from './control.ts'

export const stepResource = defineControl({
  name: 'step_resource',
  method: 'POST',
  path: '/sandbox/resources/{resource_id}/step',
  summary: 'Make the next thing happen to one parcel, order, ride or membership, now',
  description:
    'Whatever is planned next for it happens at once; the clock stays where it is. An order’s courier is its own next thing.',
  input: closed({
    resource_id: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'tracking number, order, ride, delivery, task or account',
    }),
  }),
  output: closed({ resource_id: Type.String({ label: 'What' }), event: Type.String(), at: instant }),
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
      const id = await findResource(tx, resource_id)
      // Due events happen at their own time first, as for every caller.
      await drainDue(tx, world, now, { resource: id })
      const { event } = await step(tx, world, now, id)
      return { resource_id: id, event, at: toTimestamp(now) }
    }),
})

/** The resources that can be stepped by their id, beside parcels and accounts. */
const STEPPED: readonly (readonly [Resource, (tx: Tx, id: string) => Promise<object | undefined>])[] = [
  [FOOD_ORDER, findOrder],
  [RIDE, findRide],
  [DELIVERY, findDelivery],
  [TASK, findTask],
]

async function findResource(tx: Tx, text: string): Promise<string> {
  for (const [resource, find] of STEPPED) {
    if (!isId(resource, text)) continue
    if ((await find(tx, text)) !== undefined) return text
    throw new AppError(resource.notFound, `There is no ${text.slice(0, 40)}.`, {
      hint: '`dray sandbox events` lists everything that happened, with its ids.',
    })
  }
  const number = normalizeTrackingNumber(text)
  if (!isTrackingNumber(number)) return (await loadAccount(tx, text)).account_id
  if ((await findShipment(tx, number)) === undefined) {
    throw new AppError('shipment_not_found', `There is no parcel ${number}.`, {
      hint: '`dray carrier list` shows your parcels.',
    })
  }
  return number
}
