/** The people of the sandbox: where each of them is, and does what. */
import { listCouriers } from '../areas/couriers/queries/couriers.ts'
import { findDeliveries } from '../areas/couriers/queries/deliveries.ts'
import type { DeliveryRecord, DeliveryStop } from '../areas/couriers/queries/deliveries.ts'
import { listLastEnds } from '../areas/dispatch/queries.ts'
import { listDrivers } from '../areas/rides/queries/drivers.ts'
import { findRides } from '../areas/rides/queries/rides.ts'
import type { RideRecord } from '../areas/rides/queries/rides.ts'
import { type BookingRecord, findBookings } from '../areas/services/queries/bookings.ts'
import { listProviders } from '../areas/services/queries/providers.ts'
import { listTaskers } from '../areas/tasks/queries/taskers.ts'
import { findTasks } from '../areas/tasks/queries/tasks.ts'
import type { TaskRecord } from '../areas/tasks/queries/tasks.ts'
import { MAX_TIMESTAMP } from '../core/clock.ts'
import type { Tx } from '../core/db.ts'
import type { Point } from '../core/geometry.ts'
import type { PathMotion } from '../core/path.ts'
import { listDueEvents, type TimelineEvent, type TimelineKind } from '../db/timeline.ts'

/** The people who work, by what they do. */
export const CREWS = ['courier', 'driver', 'provider', 'tasker'] as const
export type CrewName = (typeof CREWS)[number]

/** The work of a person that is under way. */
export type CurrentJob = {
  resource_id: string
  kind: TimelineKind
  /** The order that a courier brings. */
  order_id: string | null
  account_id: string
  status: string
  /** The names of the places that it leads from and to. */
  from: string
  to: string
  /** The way that the person is on, or was last on. */
  leg: PathMotion | null
  next: { event: string; due_at: number }
}

export type CrewMember = {
  person_id: string
  crew: CrewName
  name: string
  vehicle: string | null
  /** The place where the person waits, or was before the job. */
  at: Point
  job: CurrentJob | null
}

/** The most planned events that are looked at for work under way. */
const MAX_SCANNED_EVENTS = 400

/**
 * Returns up to `limit` people, those at work first, and how many more there are. All work under way has its next event
 * planned, so the nearest events tell who is at work, however many jobs have ended.
 */
export async function listPeople(
  tx: Tx,
  now: number,
  limit: number,
): Promise<{ people: CrewMember[]; more: number }> {
  const working = await listWorking(tx)
  const all = await listAll(tx, now, limit)
  const known = new Set(all.map(({ person_id }) => person_id))
  const people = [
    ...all.map((person) => ({ ...person, job: working.get(person.person_id)?.job ?? null })),
    // A worker hired for one job is on no list.
    ...[...working.values()].filter(({ person_id }) => !known.has(person_id)),
  ].toSorted((a, b) => Number(b.job !== null) - Number(a.job !== null))
  return { people: people.slice(0, limit), more: Math.max(0, people.length - limit) }
}

/** Returns all workers, without work. */
async function listAll(tx: Tx, now: number, limit: number): Promise<CrewMember[]> {
  const [couriers, drivers] = [await listCouriers(tx), await listDrivers(tx)]
  const ends = new Map([
    ...(await listLastEnds(tx, 'courier', { at: now, limit })),
    ...(await listLastEnds(tx, 'driver', { at: now, limit })),
  ])
  const providers = await listProviders(tx, limit)
  const taskers = await listTaskers(tx)
  const idle = (
    crew: CrewName,
    person_id: string,
    vehicle: string | null,
    { name, home }: { name: string; home: Point },
  ) => ({
    person_id,
    crew,
    name,
    vehicle,
    at: ends.get(person_id) ?? home,
    job: null,
  })
  return [
    ...couriers.map((one) => idle('courier', one.courier_id, one.vehicle_type, one)),
    ...drivers.map((one) => idle('driver', one.driver_id, one.vehicle.vehicle_type, one)),
    ...providers.map((one) =>
      idle('provider', one.provider_id, null, { name: one.name, home: one.location }),
    ),
    ...taskers.map((one) => idle('tasker', one.tasker_id, one.vehicle_type, one)),
  ]
}

/** Returns who is at work, by their ids. */
async function listWorking(tx: Tx): Promise<Map<string, CrewMember>> {
  const planned = await listDueEvents(tx, MAX_TIMESTAMP, { sharing: true }, MAX_SCANNED_EVENTS)
  const next = new Map<string, TimelineEvent>()
  for (const event of planned) if (!next.has(event.resource_id)) next.set(event.resource_id, event)
  const ids = (kind: TimelineKind): string[] =>
    [...next.values()].filter((event) => event.kind === kind).map(({ resource_id }) => resource_id)
  const deliveries = await findDeliveries(tx, ids('delivery'))
  const rides = await findRides(tx, ids('ride'))
  const bookings = await findBookings(tx, ids('booking'))
  const tasks = await findTasks(tx, ids('task'))
  const found = [...next.values()].map((event) => {
    const { resource_id } = event
    const run = deliveries.get(resource_id)
    if (run !== undefined) return courierOf(run, event)
    const ride = rides.get(resource_id)
    if (ride !== undefined) return driverOf(ride, event)
    const booking = bookings.get(resource_id)
    if (booking !== undefined) return providerOf(booking, event)
    const task = tasks.get(resource_id)
    return task && taskerOf(task, event)
  })
  const working = new Map<string, CrewMember>()
  for (const person of found)
    if (person !== undefined && !working.has(person.person_id)) working.set(person.person_id, person)
  return working
}

function courierOf(
  { delivery_id, order_id, account_id, status, doc }: DeliveryRecord,
  event: TimelineEvent,
): CrewMember | undefined {
  const { courier, leg, pickup, dropoff } = doc
  if (courier === null) return undefined
  return {
    person_id: courier.courier_id,
    crew: 'courier',
    name: courier.name,
    vehicle: courier.vehicle_type,
    at: leg?.from ?? courier.home,
    job: {
      ...jobOf(event, delivery_id, account_id, status),
      order_id,
      from: stopName(pickup),
      to: stopName(dropoff),
      leg: leg && straight(leg),
    },
  }
}

function driverOf(
  { ride_id, account_id, status, doc }: RideRecord,
  event: TimelineEvent,
): CrewMember | undefined {
  const { driver, leg, pickup, dropoff } = doc
  if (driver === null) return undefined
  return {
    person_id: driver.driver_id,
    crew: 'driver',
    name: driver.name,
    vehicle: driver.vehicle.vehicle_type,
    at: leg?.path[0] ?? driver.home,
    job: { ...jobOf(event, ride_id, account_id, status), from: pickup.name, to: dropoff.name, leg },
  }
}

function providerOf(
  { booking_id, account_id, provider_id, status, doc }: BookingRecord,
  event: TimelineEvent,
): CrewMember | undefined {
  const { provider, leg, place } = doc
  if (leg === null) return undefined
  return {
    person_id: provider_id,
    crew: 'provider',
    name: provider.name,
    vehicle: null,
    at: provider.base,
    job: {
      ...jobOf(event, booking_id, account_id, status),
      from: doc.service_name,
      to: place.name,
      leg: straight(leg),
    },
  }
}

function taskerOf(
  { task_id, account_id, status, doc }: TaskRecord,
  event: TimelineEvent,
): CrewMember | undefined {
  const { provider, leg, place, task_name } = doc
  if (provider === null) return undefined
  return {
    person_id: provider.tasker_id,
    crew: 'tasker',
    name: provider.name,
    vehicle: provider.vehicle_type,
    at: leg?.from ?? provider.home,
    job: {
      ...jobOf(event, task_id, account_id, status),
      from: task_name,
      to: place.name,
      leg: leg && straight(leg),
    },
  }
}

function jobOf(
  { kind, event, due_at }: TimelineEvent,
  resource_id: string,
  account_id: string,
  status: string,
): Pick<CurrentJob, 'resource_id' | 'kind' | 'order_id' | 'account_id' | 'status' | 'next'> {
  return { resource_id, kind, order_id: null, account_id, status, next: { event, due_at } }
}

function straight({ from, to, ...times }: { from: Point; to: Point; starts_at: number; ends_at: number }) {
  return { ...times, path: [from, to] }
}

function stopName({ place, contact }: DeliveryStop): string {
  return place.name ?? place.address?.line1 ?? contact?.name ?? 'a place on the map'
}
