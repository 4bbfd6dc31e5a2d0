/**
 * The lifecycle of a courier delivery: the only writer of its status. It knows of no orders: what a step means for the one
 * that it brings is in `order-delivery.ts`.
 */
import type { Point } from '../../../core/geometry.ts'
import { seededInt } from '../../../core/hash.ts'
import { sandboxId } from '../../../core/ids.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { toTimestamp } from '../../../core/time.ts'
import { extendTrail, computeLastPosition } from '../../../core/travel.ts'
import { nextOrdinal, nextSeq } from '../../../db/counters.ts'
import {
  defineLifecycle,
  type Lifecycle,
  type Transition,
  type ChangeContext,
  type Steps,
} from '../../../db/lifecycle.ts'
import { releaseJob, releaseWorker } from '../../dispatch/lifecycle.ts'
import { makeProof } from '../../proofs/lifecycle.ts'
import type { IfAbsent } from '../../proofs/rules/absent.ts'
import type { Undeliverable } from '../../proofs/rules/failures.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import {
  type DeliveryDoc,
  type DeliveryRecord,
  insertDelivery,
  type Leg,
  lockDeliveries,
  lockDelivery,
  updateDelivery,
} from '../queries/deliveries.ts'
import { canMoveDelivery, type DeliveryStatus, type Verification } from '../states.ts'
import { confirmOrReplaceCourier, promise, seek } from './couriers.ts'
import {
  attemptsOf,
  type DeliveryStep,
  delayedUntil,
  isLastCourierOffer,
  isLeft,
  lapsesAt,
  readyAt,
  sampleDeliverySeconds,
  undeliverableReason,
  nextDeliveryEvent,
} from './timeline.ts'

/** A run that is requested; one of a customer's own then waits until `seekCourier`. */
export type DeliveryRequest = {
  accountId: string
  /** The order that it brings, with the agreement of its store, or the quote that a customer confirmed. */
  order: { order_id: string; ordinal: number; agreement_id: string | null } | null
  quoteId: string | null
  by: 'customer' | 'store'
} & Pick<DeliveryDoc, 'pickup' | 'dropoff' | 'parcel' | 'price' | 'quoted' | 'scenario'>

const SECOND = 1000

/** Creates a delivery; that of an order, whose row the caller holds, looks for a courier at once. */
export async function createDelivery(
  scene: ChangeContext,
  { accountId, order, quoteId, by, ...request }: DeliveryRequest,
): Promise<DeliveryRecord> {
  const { tx, world, at } = scene
  const seq = await nextSeq(tx, at)
  const ordinal = await nextOrdinal(tx, 'delivery')
  const { seed } = world
  const draws: DeliveryDoc['draws'] =
    order === null ? { kind: 'delivery', ordinal } : { kind: 'order', ordinal: order.ordinal }
  const pinned = request.dropoff.verification.includes('pincode')
  const delivery: DeliveryRecord = {
    delivery_id: sandboxId('dlv', { seed, ordinal: draws.ordinal, at }, `${draws.kind}|dlv`),
    seq,
    ordinal,
    account_id: accountId,
    order_id: order?.order_id ?? null,
    quote_id: quoteId,
    status: 'pending',
    created_at: at,
    updated_at: at,
    delivered_at: null,
    doc: {
      ...request,
      dropoff_pincode: pinned
        ? String(1000 + seededInt(9000, seed, [draws.kind, draws.ordinal, 0, 'pincode']))
        : null,
      courier: null,
      leg: null,
      offers: 1,
      drops: 0,
      delayed: false,
      pickup_eta_at: null,
      dropoff_eta_at: null,
      pickup_proof: null,
      proof_of_delivery: null,
      undeliverable: null,
      history: [{ status: 'pending', at, by, reason: null }],
      trail: [],
      draws,
    },
  }
  if (order !== null) {
    await seek(tx, world, delivery, at)
    await promise(tx, world, delivery, at)
  }
  await insertDelivery(tx, delivery)
  const next = order === null ? undefined : nextDeliveryEvent(seed, delivery, at)
  if (order !== null && next !== undefined)
    await DELIVERIES.scheduleNext(scene, delivery, {
      ...next,
      counterparty_id: order.agreement_id ?? undefined,
    })
  await DELIVERIES.emit(scene, delivery, { from: null, by })
  return delivery
}

/** Looks for a courier for a customer's own delivery, which is paid for or will be at the door. */
export async function seekCourier(scene: ChangeContext, delivery: DeliveryRecord): Promise<void> {
  const { tx, world, at } = scene
  await seek(tx, world, delivery, at)
  await promise(tx, world, delivery, at)
  delivery.doc.promised_delivery_at ??= delivery.doc.dropoff_eta_at
  await DELIVERIES.touch(scene, delivery)
  await DELIVERIES.scheduleNext(scene, delivery)
}

/** Removes the courier from the delivery of a cancelled order, unless the parcel was collected already. */
export async function releaseDelivery(
  scene: ChangeContext,
  delivery: DeliveryRecord,
  reason: string,
): Promise<void> {
  if (!canMoveDelivery(delivery.status, 'cancelled')) return
  await releaseWorker(scene.tx, delivery.delivery_id, scene.at, whereIs(delivery.doc, scene.at))
  await DELIVERIES.transition(scene, delivery, { to: 'cancelled', by: 'system', reason })
}

type DeliveryActor = DeliveryDoc['history'][number]['by']
type DeliveryMove = Transition<DeliveryStatus, DeliveryActor, DeliveryStep>

const STEPS: Steps<DeliveryRecord, DeliveryStatus, DeliveryActor, DeliveryStep> = {
  assigned: { from: ['pending'], apply: assign },
  offer_lapses: {
    from: ['pending'],
    async apply({ tx, world, at }, delivery) {
      if (isLastCourierOffer(delivery))
        return { to: 'cancelled', by: 'system', reason: 'no_courier_available' }
      delivery.doc.offers += 1
      await seek(tx, world, delivery, at)
      await promise(tx, world, delivery, at)
      return { by: 'system' }
    },
  },
  unassigned: { from: ['assigned', 'arrived_at_pickup'], apply: giveBack },
  arrived_at_pickup: {
    from: ['assigned'],
    apply: (_, delivery) => arrive(delivery, 'arrived_at_pickup'),
  },
  picked_up: {
    from: ['arrived_at_pickup'],
    async apply(scene, delivery) {
      const { world, at } = scene
      const { doc } = delivery
      doc.pickup_proof = await prove(scene, delivery, 'pickup')
      doc.leg = legFrom(
        doc.pickup.point,
        doc.dropoff.point,
        at,
        sampleDeliverySeconds(world.seed, delivery, 'to_dropoff'),
      )
      doc.dropoff_eta_at = doc.leg.ends_at
      return { to: 'picked_up', by: 'courier' }
    },
  },
  delayed: { from: ['picked_up'], apply: delay },
  arrived_at_dropoff: {
    from: ['picked_up'],
    apply: (_, delivery) => arrive(delivery, 'arrived_at_dropoff'),
  },
  delivered: {
    from: ['arrived_at_dropoff'],
    async apply(scene, delivery) {
      const { doc, delivery_id } = delivery
      if (isLeft(delivery)) doc.undeliverable = missed(delivery, scene.at, 'leave')
      doc.proof_of_delivery = await prove(scene, delivery, 'dropoff')
      delivery.delivered_at = scene.at
      await releaseWorker(scene.tx, delivery_id, scene.at, doc.dropoff.point)
      const damage = hasScenario(delivery, 'goods_damaged') ? 'damaged' : undefined
      return { to: 'delivered', by: 'courier', reason: doc.undeliverable?.reason_code ?? damage }
    },
  },
  attempted: {
    from: ['arrived_at_dropoff'],
    apply({ at }, delivery) {
      const reason = undeliverableReason(delivery)
      delivery.doc.history.push({ status: 'arrived_at_dropoff', at, by: 'courier', reason })
      return { by: 'courier', reason, eventName: 'attempted' }
    },
  },
  returning: {
    from: ['arrived_at_dropoff'],
    apply({ world, at }, delivery) {
      const { doc } = delivery
      doc.undeliverable = missed(delivery, at, 'return')
      doc.leg = legFrom(
        doc.dropoff.point,
        doc.pickup.point,
        at,
        sampleDeliverySeconds(world.seed, delivery, 'return'),
      )
      doc.dropoff_eta_at = null
      return { to: 'returning', by: 'courier', reason: doc.undeliverable.reason_code }
    },
  },
  returned: {
    from: ['returning'],
    async apply(scene, delivery) {
      const { doc, delivery_id } = delivery
      const move = arrive(delivery, 'returned')
      await releaseWorker(scene.tx, delivery_id, scene.at, doc.pickup.point)
      doc.proof_of_delivery = await prove(scene, delivery, 'return')
      return move
    },
  },
}

export const DELIVERIES: Lifecycle<DeliveryRecord, DeliveryStatus, DeliveryActor, DeliveryStep> =
  defineLifecycle({
    kind: 'delivery',
    name: 'delivery',
    lock: lockDelivery,
    lockMany: lockDeliveries,
    write: updateDelivery,
    audience: ({ delivery_id, account_id, order_id }, { event }) => ({
      resource_id: delivery_id,
      owner_id: account_id,
      link_id: order_id ?? undefined,
      // The store of the order sees this event as it saw the one before.
      counterparty_id: event?.counterparty_id,
    }),
    canMove: canMoveDelivery,
    steps: STEPS,
    cancelsSchedule: (status) => status === 'cancelled',
    enter(_, { doc }, entry) {
      doc.history.push(entry)
    },
    next: ({ world, at }, delivery) => nextDeliveryEvent(world.seed, delivery, at),
    data: ({ order_id }) => ({ order_id }),
  })

/** The courier who was found accepts. Where that courier is no longer free then, another one is looked for. */
async function assign({ tx, world, at }: ChangeContext, delivery: DeliveryRecord): Promise<DeliveryMove> {
  const { doc } = delivery
  const found = await confirmOrReplaceCourier(tx, world, delivery, at)
  doc.reserved = found ?? null
  if (found === undefined)
    return { by: 'system', next: { event: 'offer_lapses', due_at: lapsesAt(delivery, at) } }
  if (found.starts_at > at) {
    await promise(tx, world, delivery, at)
    return { by: 'system' }
  }
  const { courier, from, sets_off_at = found.starts_at } = found
  const way = found.arrives_at - sets_off_at
  const arrives_at = Math.max(found.arrives_at, at + way)
  const seconds = (part: Parameters<typeof sampleDeliverySeconds>[2]) =>
    sampleDeliverySeconds(world.seed, delivery, part, courier)
  doc.reserved = null
  doc.courier = courier
  doc.leg = { from, to: doc.pickup.point, starts_at: arrives_at - way, ends_at: arrives_at }
  doc.trail = extendTrail([], from)
  doc.pickup_eta_at = arrives_at
  const collected = Math.max(arrives_at + seconds('collect') * SECOND, readyAt(delivery))
  doc.dropoff_eta_at = collected + seconds('to_dropoff') * SECOND
  return { to: 'assigned', by: 'courier' }
}

async function giveBack({ tx, world, at }: ChangeContext, delivery: DeliveryRecord): Promise<DeliveryMove> {
  const { doc, delivery_id } = delivery
  doc.given_up_by = [...(doc.given_up_by ?? []), doc.courier?.courier_id ?? '']
  await releaseJob(tx, delivery_id, at, whereIs(doc, at))
  doc.courier = null
  doc.leg = null
  doc.trail = []
  doc.drops += 1
  await seek(tx, world, delivery, at)
  await promise(tx, world, delivery, at)
  return { to: 'pending', by: 'courier', reason: 'courier_unassigned' }
}

/** Returns why no recipient takes it at the door, how long the courier has waited, and what becomes of it. */
function missed(delivery: DeliveryRecord, at: number, action: IfAbsent): Undeliverable {
  const { arrived, attempts } = attemptsOf(delivery)
  const waited_seconds = Math.floor((at - arrived) / SECOND)
  return { reason_code: undeliverableReason(delivery), action, attempts, waited_seconds }
}

/** Returns the place where the courier is before the parcel is collected. */
function whereIs({ leg, pickup }: DeliveryDoc, at: number): Point {
  return leg === null ? pickup.point : computeLastPosition(leg, at)
}

/** The rest of the way takes longer. */
function delay({ world, at }: ChangeContext, delivery: DeliveryRecord): DeliveryMove {
  const { doc } = delivery
  if (doc.leg !== null) {
    const here = computeLastPosition(doc.leg, at)
    const ends_at = Math.max(at, delayedUntil(world.seed, delivery, doc.leg.ends_at))
    doc.leg = { from: here, to: doc.leg.to, starts_at: at, ends_at }
    doc.trail = extendTrail(doc.trail, here)
    doc.dropoff_eta_at = ends_at
  }
  doc.delayed = true
  return { by: 'courier', reason: 'courier_delay', eventName: 'delayed' }
}

function arrive({ doc }: DeliveryRecord, to: DeliveryStatus): DeliveryMove {
  if (doc.leg !== null) doc.trail = extendTrail(doc.trail, doc.leg.to)
  return { to, by: 'courier' }
}

function legFrom(from: Point, to: Point, starts_at: number, seconds: number): Leg {
  return { from, to, starts_at, ends_at: starts_at + seconds * SECOND }
}

/** Proves that it was collected, handed over or brought back: all that was requested, each with its picture. */
async function prove(
  { tx, world, at }: ChangeContext,
  delivery: DeliveryRecord,
  waypoint: Proof['waypoint'],
): Promise<Proof> {
  const { doc, delivery_id } = delivery
  const asked: readonly Verification[] = waypoint === 'dropoff' ? doc.dropoff.verification : ['photo']
  const method = STRICTEST.find((each) => asked.includes(each)) ?? 'photo'
  const { point: target, place } = waypoint === 'dropoff' ? doc.dropoff : doc.pickup
  const handed = waypoint === 'dropoff' && (method !== 'photo' || doc.parcel.requires_id)
  const take = (kind: string, what: string) =>
    makeProof(tx, world, {
      kind: `${doc.draws.kind}|${kind}`,
      ordinal: doc.draws.ordinal,
      step: doc.history.length,
      holder: doc.courier?.courier_id ?? delivery_id,
      ownerId: delivery.account_id,
      at,
      method,
      waypoint,
      target,
      precision: place.precision,
      recipientName: handed ? (doc.dropoff.contact?.name ?? null) : null,
      relationship: handed ? 'recipient' : null,
      notes: waypoint === 'dropoff' ? handoverNotes(doc) : null,
      lines: [delivery_id, `${waypoint} ${toTimestamp(at)}`, what],
    })
  const [first = method, ...others] = PICTURES.filter((each) => asked.includes(each))
  const proof = await take('delivery', first)
  for (const other of others) proof.media.push(...(await take(`delivery_${other}`, other)).media)
  return asked.includes('pincode') ? { ...proof, pincode_verified: true } : proof
}

const STRICTEST = ['pincode', 'signature', 'photo'] as const
/** Methods that leave a picture. */
const PICTURES = ['photo', 'signature'] as const

function handoverNotes({ dropoff, parcel, undeliverable }: DeliveryDoc): string | null {
  const left = undeliverable === null ? [] : ['Left at the door: nobody was there.']
  const notes = [...left, ...(parcel.requires_id ? ['ID checked.'] : []), dropoff.notes ?? '']
  return notes.join(' ').trim() || null
}
