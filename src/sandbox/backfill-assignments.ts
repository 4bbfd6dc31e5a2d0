/** Adds to a store of an older schema the reserved time of people whose work is under way in it. */
import { listDeliveriesIn } from '../areas/couriers/queries/deliveries.ts'
import {
  type AssignmentRecord,
  type WorkerKind,
  findAssignment,
  insertAssignment,
  listAssignments,
  minuteAfter,
} from '../areas/dispatch/queries.ts'
import { refreshCourierReservation } from '../areas/orders/lifecycle/courier.ts'
import { listOrdersIn, updateOrder } from '../areas/orders/queries/orders.ts'
import { loadPayment } from '../areas/payments/queries/ledger.ts'
import { listRidesIn } from '../areas/rides/queries/rides.ts'
import { listWayCells, longestWaySeconds } from '../areas/services/lifecycle/visit-ways.ts'
import { insertWayCells } from '../areas/services/queries/booked-cells.ts'
import { listBookingsIn, updateBooking } from '../areas/services/queries/bookings.ts'
import { findProvider } from '../areas/services/queries/providers.ts'
import { listTasksIn } from '../areas/tasks/queries/tasks.ts'
import type { Tx } from '../core/db.ts'
import type { Point } from '../core/geometry.ts'
import type { WorldSettings } from '../core/world.ts'

const MINUTE = 60_000
/** The rest of a task, in minutes, where its duration was not asked for. */
const TASK_MINUTES = 30

/** Reserves whoever is on a ride, a delivery or a task, so that no worker gets a second job in the meantime. */
export async function reserveUnderWay(tx: Tx, world: WorldSettings, now: number): Promise<void> {
  // An unlimited supply has a person for every job, so it reserves none.
  if (world.supply === 'unlimited') return
  for (const job of await listUnderWay(tx, now)) await reserveUntil(tx, job, now)
}

/** Holds a courier for each order that is still cooked: earlier programs looked for one when it was ready. */
export async function reserveOrderCouriers(tx: Tx, world: WorldSettings): Promise<void> {
  for (const order of await listOrdersIn(tx, ['placed', 'accepted', 'preparing'])) {
    order.doc.courier_held_for = null
    const payment = await loadPayment(tx, order.order_id)
    if ((await refreshCourierReservation({ tx, world }, order, payment)) === 'held')
      await updateOrder(tx, order)
  }
}

/** Keeps free the ways to and from visits that are still to come. */
export async function reserveVisitTravel(tx: Tx, now: number): Promise<void> {
  for (const booking of await listBookingsIn(tx, ['confirmed', 'en_route', 'arrived', 'in_progress'])) {
    const { booking_id, provider_id, doc } = booking
    const provider = await findProvider(tx, provider_id)
    if (provider === undefined || doc.slot === null || doc.slot.ends_at < now) continue
    doc.longest_way_seconds = longestWaySeconds(provider, doc.place)
    await updateBooking(tx, booking)
    await insertWayCells(tx, provider_id, listWayCells(provider, doc, doc.slot.starts_at), booking_id)
  }
}

type UnderWay = {
  job_id: string
  crew: WorkerKind
  person_id: string | undefined
  ends_at: number
  end: Point
}

/** Each job that a worker does, and when it should end. */
async function listUnderWay(tx: Tx, now: number): Promise<UnderWay[]> {
  const rides = await listRidesIn(tx, ['accepted', 'arriving', 'arrived', 'in_progress'])
  const deliveries = await listDeliveriesIn(tx, [
    ...(['assigned', 'arrived_at_pickup', 'picked_up'] as const),
    ...(['arrived_at_dropoff', 'returning'] as const),
  ])
  const tasks = await listTasksIn(tx, ['assigned', 'en_route', 'in_progress', 'under_review'])
  return [
    ...rides.map(({ ride_id, doc }) => ({
      job_id: ride_id,
      crew: 'driver' as const,
      person_id: doc.driver?.driver_id,
      ends_at: doc.dropoff_eta_at ?? doc.leg?.ends_at ?? now,
      end: doc.dropoff.location,
    })),
    ...deliveries.map(({ delivery_id, status, doc }) => ({
      job_id: delivery_id,
      crew: 'courier' as const,
      person_id: doc.courier?.courier_id,
      ends_at: Math.max(doc.dropoff_eta_at ?? 0, doc.leg?.ends_at ?? 0),
      end: status === 'returning' ? doc.pickup.point : doc.dropoff.point,
    })),
    ...tasks.map(({ task_id, doc }) => ({
      job_id: task_id,
      crew: 'tasker' as const,
      person_id: doc.provider?.tasker_id,
      ends_at: Math.max(doc.eta_at ?? 0, now) + (doc.work_minutes ?? TASK_MINUTES) * MINUTE,
      end: doc.provider?.home ?? doc.place.location,
    })),
  ]
}

/** From now on, or from the end of another job that the same person was given. */
async function reserveUntil(tx: Tx, { person_id, ...job }: UnderWay, now: number): Promise<void> {
  if (person_id === undefined || (await findAssignment(tx, job.job_id)) !== undefined) return
  const others = (await listAssignments(tx, job.crew)).get(person_id) ?? []
  const starts_at = Math.max(now, ...others.map(({ ends_at }) => minuteAfter(ends_at) * MINUTE))
  const ends_at = Math.max(job.ends_at, now + MINUTE)
  if (starts_at >= ends_at) return
  const taken: AssignmentRecord = { ...job, person_id, starts_at, ends_at }
  await insertAssignment(tx, taken)
}
