/** The choice of a courier, and the times at both doors. */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { type Point, roadDistanceMetres } from '../../../core/geometry.ts'
import { sandboxId } from '../../../core/ids.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { travelSeconds, type VehicleType } from '../../../core/travel.ts'
import type { WorldSettings } from '../../../core/world.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import {
  findAssignmentTimes,
  isAssignmentPossible,
  type DispatchJob,
  type DispatchWorker,
  reserveWorker,
  releaseAssignment,
} from '../../dispatch/lifecycle.ts'
import { findAssignment } from '../../dispatch/queries.ts'
import { listCouriers } from '../queries/couriers.ts'
import type { CourierRecord, DeliveryRecord, QuotedRun, ReservedCourier } from '../queries/deliveries.ts'
import { canVehicleCarry, type ParcelSize } from '../rules.ts'
import {
  AHEAD_MS,
  ASSIGNED_MS,
  computeCourierFreeAt,
  EARLY_MS,
  HANDOVER_S,
  isReturned,
  MAX_COURIER_WAIT_MS,
  longest,
  type DeliveryRun,
  readyAt,
  sampleDeliverySeconds,
} from './timeline.ts'

const MIN_COURIER_LEG_S = 60
const SECOND = 1000

type Load = {
  size: ParcelSize
  /** By road. */
  distance: number
  /** A quote was priced for one vehicle. */
  vehicle: VehicleType | undefined
}

function couriersFor(couriers: readonly CourierRecord[], { size, distance, vehicle }: Load): CourierRecord[] {
  return couriers.filter(({ vehicle_type }) =>
    vehicle === undefined ? canVehicleCarry(vehicle_type, size, distance) : vehicle_type === vehicle,
  )
}

/** The rules of every courier's job: when a courier may set out for a parcel that is ready at an instant. */
function runFrom(
  from: number,
  ready: number,
): Pick<DispatchJob, 'crew' | 'from' | 'until' | 'shortestWay'> & Partial<DispatchJob> {
  const later = ready - AHEAD_MS
  return {
    crew: 'courier',
    from,
    until: Math.max(from, later) + MAX_COURIER_WAIT_MS,
    shortestWay: MIN_COURIER_LEG_S,
    ...(later > from && { planned: later }),
    ...(ready > 0 && { arriveFrom: ready - EARLY_MS }),
  }
}

/** As `runFrom` for an order's run: none sets out before the order is ready, and who has time until then goes home. */
function orderRunFrom(from: number): ReturnType<typeof runFrom> {
  return { ...runFrom(from, 0), planned: from }
}

/**
 * Takes the time, from an instant on, of the courier who can be at the pickup first; undefined when none is free before
 * the longest wait has ended.
 */
async function reserveCourier(
  tx: Tx,
  world: WorldSettings,
  delivery: DeliveryRecord,
  from: number,
): Promise<ReservedCourier | undefined> {
  const { delivery_id, order_id } = delivery
  const held = order_id === null ? undefined : await findAssignment(tx, order_id)
  const job = order_id === null ? runFrom(from, readyAt(delivery)) : orderRunFrom(from)
  const until = Math.max(job.until, held?.starts_at ?? 0)
  const found = await reserveRun({ tx, world }, delivery_id, delivery, { ...job, until, held })
  return (
    found &&
    (world.supply === 'unlimited' ? { ...found, courier: hire(world, delivery, found.courier) } : found)
  )
}

/** As `reserve`, with the courier who does it; `late` is added to the time that is taken. */
async function reserveRun(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  jobId: string,
  run: DeliveryRun,
  { late = 0, ...job }: ReturnType<typeof runFrom> & { late?: number },
): Promise<ReservedCourier | undefined> {
  const { tx, world } = scene
  const { pickup, dropoff, parcel, quoted, given_up_by = [] } = run.doc
  const able = couriersFor(await listCouriers(tx), {
    size: parcel.size,
    distance: roadDistanceMetres(pickup.point, dropoff.point),
    vehicle: quoted?.vehicle_type,
  })
  const courierOf = (id: string | undefined) => able.find(({ courier_id }) => courier_id === id)
  const slot = await reserveWorker(scene, jobId, able.map(toPerson), {
    ...job,
    site: pickup.point,
    end: isReturned(run) ? pickup.point : dropoff.point,
    doneAt: (arrivesAt, { id }) =>
      computeCourierFreeAt(world.seed, run, arrivesAt, courierOf(id) ?? null) + late,
    without: given_up_by,
  })
  const courier = courierOf(slot?.person_id)
  if (slot === undefined || courier === undefined) return undefined
  const { from, starts_at, sets_off_at, arrives_at } = slot
  return { courier, from, starts_at, sets_off_at, arrives_at }
}

/** Looks for a courier, and takes the time of the one who can be there first, for what is ready later, too. */
export async function seek(
  tx: Tx,
  world: WorldSettings,
  delivery: DeliveryRecord,
  at: number,
): Promise<void> {
  const found = hasScenario(delivery, 'no_courier')
    ? undefined
    : await reserveCourier(tx, world, delivery, at + ASSIGNED_MS)
  delivery.doc.reserved = found ?? null
}

/**
 * Takes, under an order's id, the time of the courier who can be at the store first once the order is ready, in place of
 * what is held already; gives when that courier hands it over. Undefined, with nothing held, when none is free before
 * the longest wait has ended.
 */
export async function reserveOrderCourier(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  orderId: string,
  run: DeliveryRun,
  { at, late, asked, grace }: { at: number; late: number; asked: number; grace: number },
): Promise<number | undefined> {
  const { tx, world } = scene
  const held = await findAssignment(tx, orderId)
  const job = orderRunFrom(at + ASSIGNED_MS)
  const until = job.until + grace
  const found = await reserveRun(scene, orderId, run, { ...job, until, asked, held, late })
  const seconds = (part: Parameters<typeof sampleDeliverySeconds>[2]) =>
    sampleDeliverySeconds(world.seed, run, part, found?.courier) * SECOND
  return found && found.arrives_at + seconds('collect') + seconds('to_dropoff') + seconds('hand_over')
}

/** The courier who was found, or another one where that courier is no longer free. */
export async function confirmOrReplaceCourier(
  tx: Tx,
  world: WorldSettings,
  delivery: DeliveryRecord,
  at: number,
): Promise<ReservedCourier | undefined> {
  const { doc, delivery_id } = delivery
  const { reserved } = doc
  const slot = reserved && {
    ...reserved,
    person_id: reserved.courier.courier_id,
    vehicle: reserved.courier.vehicle_type,
  }
  if (slot && (await isAssignmentPossible(tx, { crew: 'courier', jobId: delivery_id }, slot, at)))
    return reserved
  await releaseAssignment(tx, delivery_id)
  return reserveCourier(tx, world, delivery, at)
}

/** A courier of one delivery's own, like another one. */
function hire(
  { seed }: WorldSettings,
  { doc, created_at }: DeliveryRecord,
  like: CourierRecord,
): CourierRecord {
  const { kind, ordinal } = doc.draws
  return {
    ...like,
    courier_id: sandboxId('cou', { seed, ordinal, at: created_at }, `hired|${kind}|${doc.drops}`),
  }
}

/**
 * Returns the time at which the courier who can be at the pickup first is at both doors, at the latest: a promise that only a courier who
 * gives up, or a delay on the way, can break. Undefined when none is free before the longest wait has ended.
 */
export async function promiseArrivals(
  tx: Tx,
  world: WorldSettings,
  {
    pickup,
    dropoff,
    size,
    quoted,
  }: {
    pickup: Point
    dropoff: Point
    size: ParcelSize
    quoted: Pick<QuotedRun, 'vehicle_type' | 'road_distance_m' | 'duration_seconds' | 'pickup_ready_at'>
  },
  at: number,
): Promise<{ pickup_eta_at: number; dropoff_eta_at: number } | undefined> {
  const { vehicle_type, road_distance_m, duration_seconds, pickup_ready_at } = quoted
  const load = { size, distance: road_distance_m, vehicle: vehicle_type }
  const ready = pickup_ready_at ?? 0
  const slot = await findAssignmentTimes(tx, world, couriersFor(await listCouriers(tx), load).map(toPerson), {
    ...runFrom(at + ASSIGNED_MS, ready),
    site: pickup,
    end: dropoff,
    doneAt: (arrivesAt) => latestDropoff(arrivesAt, ready, duration_seconds) + longest(HANDOVER_S),
  })
  return (
    slot && {
      pickup_eta_at: slot.arrives_at,
      dropoff_eta_at: latestDropoff(slot.arrives_at, ready, duration_seconds),
    }
  )
}

/**
 * Returns the time at which goods that are ready at an instant, or so much later, are handed over, brought as orders are: by the courier who can be
 * at the store first once it is ready. Undefined when none is free before the longest wait has ended.
 */
export async function expectArrival(
  { tx, world }: Pick<ChangeContext, 'tx' | 'world'>,
  { pickup, dropoff }: { pickup: Point; dropoff: Point },
  ready: number,
  late: number,
): Promise<number | undefined> {
  const load = { size: 'small', distance: roadDistanceMetres(pickup, dropoff), vehicle: undefined } as const
  const slot = await findAssignmentTimes(tx, world, couriersFor(await listCouriers(tx), load).map(toPerson), {
    ...orderRunFrom(ready + ASSIGNED_MS),
    site: pickup,
    end: dropoff,
    doneAt: (arrivesAt, { vehicle }) =>
      arrivesAt + late + (2 * HANDOVER_S + travelSeconds(pickup, dropoff, vehicle)) * SECOND,
  })
  return slot && slot.ends_at - late
}

/** The latest arrival at the drop-off of a courier who is at the pickup at an instant. */
function latestDropoff(arrivesAt: number, ready: number, seconds: number): number {
  return Math.max(arrivesAt + longest(HANDOVER_S), ready) + longest(seconds)
}

/** Returns the arrival before the courier has accepted; for an order only once a courier is found. */
export async function promise(
  tx: Tx,
  world: WorldSettings,
  delivery: DeliveryRecord,
  at: number,
): Promise<void> {
  const { doc } = delivery
  const { quoted, pickup, dropoff, parcel, reserved } = doc
  const secondsBy = (vehicle: VehicleType) =>
    quoted?.duration_seconds ?? travelSeconds(pickup.point, dropoff.point, vehicle)
  const arrivals = reserved
    ? {
        pickup_eta_at: reserved.arrives_at,
        dropoff_eta_at: latestDropoff(
          reserved.arrives_at,
          readyAt(delivery),
          secondsBy(reserved.courier.vehicle_type),
        ),
      }
    : quoted &&
      (await promiseArrivals(
        tx,
        world,
        { pickup: pickup.point, dropoff: dropoff.point, size: parcel.size, quoted },
        at,
      ))
  doc.pickup_eta_at = arrivals?.pickup_eta_at ?? null
  doc.dropoff_eta_at = arrivals?.dropoff_eta_at ?? null
}

function toPerson({ courier_id, home, vehicle_type }: CourierRecord): DispatchWorker {
  return { id: courier_id, home, vehicle: vehicle_type }
}

/** All suitable couriers are busy for longer than a run waits, or no vehicle can carry it. */
export function noCourier(later: 'pickup_ready_at' | 'scheduled_for'): AppError {
  return new AppError('no_courier_available', 'No courier is free within an hour of the requested time.', {
    hint: `Try again later, or choose a later ${later}.`,
  })
}
