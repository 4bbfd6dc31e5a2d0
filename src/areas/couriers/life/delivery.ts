/**
 * The life of a courier delivery: the only writer of its status. It knows of no orders: what a step means for the one
 * that it brings is in `order-delivery.ts`.
 */
import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import { drawBelow } from '../../../core/hash.ts'
import { sandboxId } from '../../../core/ids.ts'
import { toTimestamp } from '../../../core/time.ts'
import { extendTrail, positionAt } from '../../../core/travel.ts'
import type { World } from '../../../core/world.ts'
import { nextOrdinal, nextSeq } from '../../../store/counters.ts'
import { appendEvents } from '../../../store/events.ts'
import { schedule, unschedule } from '../../../store/timeline.ts'
import { giveUp, release } from '../../dispatch/life.ts'
import { makeProof } from '../../proofs/life.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import { canMoveDelivery, type DeliveryStatus, type Verification } from '../states.ts'
import {
  type DeliveryDoc,
  type DeliveryRecord,
  insertDelivery,
  type Leg,
  updateDelivery,
} from '../store/deliveries.ts'
import { keepOrReplace, promise, seek } from './couriers.ts'
import {
  type DeliveryStep,
  delaySeconds,
  isLastOffer,
  lapsesAt,
  readyAt,
  secondsOf,
  undeliverableReason,
  whatFollows,
} from './timeline.ts'

/** A run that is asked for; one of a customer's own then waits until `seekCourier`. */
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
  tx: Tx,
  world: World,
  at: number,
  { accountId, order, quoteId, by, ...request }: DeliveryRequest,
): Promise<DeliveryRecord> {
  const seq = await nextSeq(tx, at)
  const ordinal = await nextOrdinal(tx, 'delivery')
  const { seed } = world
  const draws: DeliveryDoc['draws'] =
    order === null ? { kind: 'delivery', ordinal } : { kind: 'order', ordinal: order.ordinal }
  const pinned = request.dropoff.verification.includes('pincode')
  const delivery: DeliveryRecord = {
    delivery_id: sandboxId('dlv', seed, draws.ordinal, at, `${draws.kind}|dlv`),
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
        ? String(1000 + drawBelow(9000, seed, draws.kind, draws.ordinal, 0, 'pincode'))
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
  if (order !== null) await plan(tx, world, delivery, at, order.agreement_id ?? undefined)
  await tell(tx, world, delivery, { what: 'pending', from: null, at, by })
  return delivery
}

/** Looks for a courier for a customer's own delivery, which is paid for or will be at the door. */
export async function seekCourier(tx: Tx, world: World, at: number, delivery: DeliveryRecord): Promise<void> {
  delivery.updated_at = at
  await seek(tx, world, delivery, at)
  await promise(tx, world, delivery, at)
  await updateDelivery(tx, delivery)
  await plan(tx, world, delivery, at, undefined)
}

/** Takes the courier off a delivery whose order is off. Nothing that was collected can be stood down. */
export async function releaseDelivery(
  tx: Tx,
  world: World,
  at: number,
  delivery: DeliveryRecord,
  reason: string,
): Promise<void> {
  if (!canMoveDelivery(delivery.status, 'cancelled')) return
  await unschedule(tx, delivery.delivery_id)
  await release(tx, delivery.delivery_id, at, whereIs(delivery.doc, at))
  const from = enter(delivery, 'cancelled', { at, by: 'system', reason })
  await updateDelivery(tx, delivery)
  await tell(tx, world, delivery, { what: 'cancelled', from, at, by: 'system', reason })
}

/**
 * Takes a planned step at its time, and plans what follows; false when it no longer fits. The caller holds the row that
 * locks the delivery, and the step has been taken off the timeline.
 */
export async function advanceDelivery(
  tx: Tx,
  world: World,
  delivery: DeliveryRecord,
  { step, at, agreementId }: { step: DeliveryStep; at: number; agreementId: string | undefined },
): Promise<boolean> {
  if (!STEPS[step].from.includes(delivery.status)) return false
  const from = delivery.status
  const outcome = await STEPS[step].take({ tx, world, delivery, at })
  if (outcome.to !== undefined) enter(delivery, outcome.to, { at, by: outcome.by, reason: outcome.reason })
  delivery.updated_at = at
  await updateDelivery(tx, delivery)
  await plan(tx, world, delivery, at, agreementId, outcome.next)
  if (outcome.to !== undefined || step === 'delayed')
    await tell(tx, world, delivery, { what: outcome.to ?? step, from, at, ...outcome })
  return true
}

type Effect = { tx: Tx; world: World; delivery: DeliveryRecord; at: number }
type Outcome = {
  /** Left out where the status stays. */
  to?: DeliveryStatus
  by: 'courier' | 'system'
  reason?: string
  /** What follows instead of the usual. */
  next?: { event: DeliveryStep; due_at: number }
}
type Step = { from: readonly DeliveryStatus[]; take: (effect: Effect) => Promise<Outcome> | Outcome }

const STEPS: Readonly<Record<DeliveryStep, Step>> = {
  assigned: { from: ['pending'], take: assign },
  offer_lapses: {
    from: ['pending'],
    async take({ tx, world, delivery, at }) {
      if (isLastOffer(delivery)) return { to: 'cancelled', by: 'system', reason: 'no_courier_available' }
      delivery.doc.offers += 1
      await seek(tx, world, delivery, at)
      await promise(tx, world, delivery, at)
      return { by: 'system' }
    },
  },
  unassigned: { from: ['assigned', 'arrived_at_pickup'], take: giveBack },
  arrived_at_pickup: {
    from: ['assigned'],
    take: ({ delivery }) => arrive(delivery, 'arrived_at_pickup'),
  },
  picked_up: {
    from: ['arrived_at_pickup'],
    async take(effect) {
      const { world, delivery, at } = effect
      const { doc } = delivery
      doc.pickup_proof = await prove(effect, 'pickup')
      doc.leg = legFrom(
        doc.pickup.point,
        doc.dropoff.point,
        at,
        secondsOf(world.seed, delivery, 'to_dropoff'),
      )
      doc.dropoff_eta_at = doc.leg.ends_at
      return { to: 'picked_up', by: 'courier' }
    },
  },
  delayed: { from: ['picked_up'], take: delay },
  arrived_at_dropoff: {
    from: ['picked_up'],
    take: ({ delivery }) => arrive(delivery, 'arrived_at_dropoff'),
  },
  delivered: {
    from: ['arrived_at_dropoff'],
    async take(effect) {
      effect.delivery.doc.proof_of_delivery = await prove(effect, 'dropoff')
      const { tx, delivery, at } = effect
      delivery.delivered_at = at
      await release(tx, delivery.delivery_id, at, delivery.doc.dropoff.point)
      return { to: 'delivered', by: 'courier' }
    },
  },
  returning: {
    from: ['arrived_at_dropoff'],
    take({ world, delivery, at }) {
      const { doc } = delivery
      const reason = undeliverableReason(delivery)
      doc.undeliverable = { reason_code: reason, action: 'return' }
      doc.leg = legFrom(doc.dropoff.point, doc.pickup.point, at, secondsOf(world.seed, delivery, 'return'))
      doc.dropoff_eta_at = null
      return { to: 'returning', by: 'courier', reason }
    },
  },
  returned: {
    from: ['returning'],
    async take(effect) {
      const { doc } = effect.delivery
      arrive(effect.delivery, 'returned')
      await release(effect.tx, effect.delivery.delivery_id, effect.at, doc.pickup.point)
      doc.proof_of_delivery = await prove(effect, 'return')
      return { to: 'returned', by: 'courier' }
    },
  },
}

/** The courier who was found accepts. Where that courier is no longer free then, another one is looked for. */
async function assign({ tx, world, delivery, at }: Effect): Promise<Outcome> {
  const { doc } = delivery
  const found = await keepOrReplace(tx, world, delivery, at)
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
  const seconds = (part: Parameters<typeof secondsOf>[2]) => secondsOf(world.seed, delivery, part, courier)
  doc.reserved = null
  doc.courier = courier
  doc.leg = { from, to: doc.pickup.point, starts_at: arrives_at - way, ends_at: arrives_at }
  doc.trail = extendTrail([], from)
  doc.pickup_eta_at = arrives_at
  const collected = Math.max(arrives_at + seconds('collect') * SECOND, readyAt(delivery))
  doc.dropoff_eta_at = collected + seconds('to_dropoff') * SECOND
  return { to: 'assigned', by: 'courier' }
}

async function giveBack({ tx, world, delivery, at }: Effect): Promise<Outcome> {
  const { doc, delivery_id } = delivery
  doc.given_up_by = [...(doc.given_up_by ?? []), doc.courier?.courier_id ?? '']
  await giveUp(tx, delivery_id, at, whereIs(doc, at))
  doc.courier = null
  doc.leg = null
  doc.trail = []
  doc.drops += 1
  await seek(tx, world, delivery, at)
  await promise(tx, world, delivery, at)
  return { to: 'pending', by: 'courier', reason: 'courier_unassigned' }
}

/** Where the courier is before the parcel is collected. */
function whereIs({ leg, pickup }: DeliveryDoc, at: number): Point {
  return leg === null ? pickup.point : positionAt(leg, at)
}

/** The rest of the way takes longer. */
function delay({ delivery, at }: Effect): Outcome {
  const { doc } = delivery
  if (doc.leg !== null) {
    const here = positionAt(doc.leg, at)
    const ends_at = Math.max(at, doc.leg.ends_at) + delaySeconds(delivery) * SECOND
    doc.leg = { from: here, to: doc.leg.to, starts_at: at, ends_at }
    doc.trail = extendTrail(doc.trail, here)
    doc.dropoff_eta_at = ends_at
  }
  doc.delayed = true
  return { by: 'courier', reason: 'courier_delay' }
}

function arrive({ doc }: DeliveryRecord, to: DeliveryStatus): Outcome {
  if (doc.leg !== null) doc.trail = extendTrail(doc.trail, doc.leg.to)
  return { to, by: 'courier' }
}

function legFrom(from: Point, to: Point, starts_at: number, seconds: number): Leg {
  return { from, to, starts_at, ends_at: starts_at + seconds * SECOND }
}

/** What shows that it was collected, handed over or brought back: all that was asked for, each with its picture. */
async function prove(effect: Effect, waypoint: Proof['waypoint']): Promise<Proof> {
  const { delivery, at } = effect
  const { doc, delivery_id } = delivery
  const asked: readonly Verification[] = waypoint === 'dropoff' ? doc.dropoff.verification : ['photo']
  const method = STRICTEST.find((each) => asked.includes(each)) ?? 'photo'
  const target = waypoint === 'dropoff' ? doc.dropoff.point : doc.pickup.point
  const handed = waypoint === 'dropoff' && (method !== 'photo' || doc.parcel.requires_id)
  const take = (kind: string, what: string) =>
    makeProof(effect.tx, effect.world, {
      kind: `${doc.draws.kind}|${kind}`,
      ordinal: doc.draws.ordinal,
      step: doc.history.length,
      holder: doc.courier?.courier_id ?? delivery_id,
      ownerId: delivery.account_id,
      at,
      method,
      waypoint,
      target,
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
/** What there is to see of. */
const PICTURES = ['photo', 'signature'] as const

function handoverNotes({ dropoff, parcel }: DeliveryDoc): string | null {
  const notes = [...(parcel.requires_id ? ['Identity document checked.'] : []), dropoff.notes ?? '']
  return notes.join(' ').trim() || null
}

/** Moves the delivery; gives where it was. */
function enter(
  delivery: DeliveryRecord,
  to: DeliveryStatus,
  { at, by, reason }: { at: number; by: DeliveryDoc['history'][number]['by']; reason?: string | undefined },
): DeliveryStatus {
  const { status: from, doc } = delivery
  if (!canMoveDelivery(from, to)) throw new Error(`a delivery that is ${from} cannot become ${to}`)
  delivery.status = to
  delivery.updated_at = at
  doc.history.push({ status: to, at, by, reason: reason ?? null })
  return from
}

async function plan(
  tx: Tx,
  { seed }: World,
  delivery: DeliveryRecord,
  at: number,
  agreementId: string | undefined,
  next = whatFollows(seed, delivery, at),
): Promise<void> {
  if (next === undefined) return
  const { delivery_id, account_id, order_id } = delivery
  await schedule(tx, at, [
    {
      due_at: next.due_at,
      kind: 'delivery',
      resource_id: delivery_id,
      owner_id: account_id,
      link_id: order_id ?? undefined,
      counterparty_id: agreementId,
      event: next.event,
      payload: {},
    },
  ])
}

async function tell(
  tx: Tx,
  world: World,
  delivery: DeliveryRecord,
  {
    what,
    from,
    at,
    by,
    reason,
  }: { what: string; from: string | null; at: number; by: string; reason?: string | undefined },
): Promise<void> {
  const { delivery_id, account_id, order_id, status } = delivery
  await appendEvents(tx, world, at, [
    {
      type: `delivery.${what}`,
      resource_id: delivery_id,
      owner_id: account_id,
      occurred_at: at,
      from,
      to: status,
      by,
      data: { order_id, ...(reason !== undefined && { reason }) },
    },
  ])
}
