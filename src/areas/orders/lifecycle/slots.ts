/**
 * A store's capacity by quarters of an hour (docs/rules/food-and-stores.md#a-scheduled-order-takes-one-place): one of the
 * kitchen's places, or the table.
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { NO_END, makeOpeningClock } from '../../../core/opening-hours.ts'
import { businessDateOf, businessDayRange } from '../../../core/period.ts'
import { formatLocalDateTime, type TimeWindow, toTimestamp } from '../../../core/time.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockWorld } from '../../../db/world.ts'
import type { MerchantRecord } from '../../merchants/queries.ts'
import type { FulfillmentType, DiningTable } from '../../merchants/rules.ts'
import { deleteClaims, insertClaim, listClaims } from '../queries/slots.ts'

const SLOT_MS = 900_000
/** The longest time ahead for which an order can be scheduled. */
export const SCHEDULE_AHEAD_MS = 7 * 86_400_000

const ALTERNATIVES = 3

/** An order takes this of its store at a time. */
export type SlotWish = { fulfillment_type: FulfillmentType; table: DiningTable | null; scheduled_for: number }

type Store = Pick<MerchantRecord, 'merchant_id' | 'name' | 'week' | 'timezone' | 'paused_until' | 'doc'>

/** The quarter of an hour that begins at an instant. */
export function slotAt(startsAt: number): TimeWindow {
  return { starts_at: startsAt, ends_at: startsAt + SLOT_MS }
}

/** True iff a slot can begin at the instant: every zone's quarters of an hour are those of UTC. */
export function isSlotStart(instant: number): boolean {
  return instant % SLOT_MS === 0
}

/** Throws `slot_unavailable` with what is free instead, unless the slot could be claimed now. Takes nothing. */
export async function assertSlotFree(tx: Tx, store: Store, now: number, wish: SlotWish): Promise<void> {
  await chooseUnit(tx, store, now, wish)
}

/**
 * Takes a unit of the slot for an order, or throws `slot_unavailable` with what is free instead. The caller holds the
 * world's row, under which alone slots are taken and given back.
 */
export async function claimSlot(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  store: Store,
  wish: SlotWish,
  orderId: string,
): Promise<void> {
  const { tx, at: now } = scene
  const unit = await chooseUnit(tx, store, now, wish)
  if (
    !(await insertClaim(tx, { merchantId: store.merchant_id, startsAt: wish.scheduled_for, unit, orderId }))
  )
    throw await refuse(scene, store, wish, 'it is taken')
}

/** Gives back what an order had claimed, if anything. */
export async function releaseSlots(tx: Tx, orderId: string): Promise<void> {
  await lockWorld(tx)
  await deleteClaims(tx, orderId)
}

/**
 * The slots nearest to the wish in which it could be had, in order of time. Those of its business day, after the wish and then
 * before it, come before those of the days after.
 */
export async function findAlternatives(tx: Tx, store: Store, now: number, wish: SlotWish): Promise<number[]> {
  const day = businessDateOf(wish.scheduled_for, store.timezone)
  const later = await findLater(tx, store, now, wish)
  const count = ALTERNATIVES - later.filter((at) => businessDateOf(at, store.timezone) === day).length
  const starts = Math.max(now + 1, businessDayRange(day, store.timezone).from)
  const earlier: number[] = []
  for (let at = alignUp(wish.scheduled_for) - SLOT_MS; at >= starts && earlier.length < count; at -= SLOT_MS)
    if (await isFree(tx, store, at, wish)) earlier.unshift(at)
  return [...earlier, ...later].slice(0, ALTERNATIVES)
}

async function findLater(tx: Tx, store: Store, now: number, wish: SlotWish): Promise<number[]> {
  const found: number[] = []
  let startsAt = alignUp(Math.max(wish.scheduled_for, now) + 1)
  while (found.length < ALTERNATIVES && startsAt <= now + SCHEDULE_AHEAD_MS) {
    const clock = makeOpeningClock(startsAt)
    if (!clock.isOpen(store.week, store.timezone, knownPause(store))) {
      const opens = clock.nextOpening(store.week, store.timezone, knownPause(store))
      if (opens === undefined) break
      startsAt = alignUp(opens)
      continue
    }
    if ((await findFreeUnit(tx, store, startsAt, wish)) !== undefined) found.push(startsAt)
    startsAt += SLOT_MS
  }
  return found
}

async function isFree(tx: Tx, store: Store, startsAt: number, wish: SlotWish): Promise<boolean> {
  const isOpen = makeOpeningClock(startsAt).isOpen(store.week, store.timezone, knownPause(store))
  return isOpen && (await findFreeUnit(tx, store, startsAt, wish)) !== undefined
}

/** A pause without an end allows an order for later. */
function knownPause({ paused_until }: Store): number | null {
  return paused_until === NO_END ? null : paused_until
}

/** The unit that the wish would get. Throws `slot_unavailable`. */
async function chooseUnit(tx: Tx, store: Store, now: number, wish: SlotWish): Promise<string> {
  const { scheduled_for: startsAt } = wish
  if (startsAt <= now) throw await refuse({ tx, at: now }, store, wish, 'it is past')
  if (!makeOpeningClock(startsAt).isOpen(store.week, store.timezone, knownPause(store)))
    throw await refuse({ tx, at: now }, store, wish, 'it is closed then')
  const unit = await findFreeUnit(tx, store, startsAt, wish)
  if (unit === undefined) throw await refuse({ tx, at: now }, store, wish, 'it is taken')
  return unit
}

async function findFreeUnit(
  tx: Tx,
  { merchant_id, doc }: Store,
  startsAt: number,
  { fulfillment_type, table }: SlotWish,
): Promise<string | undefined> {
  const taken = new Set(await listClaims(tx, merchant_id, startsAt))
  const units =
    fulfillment_type === 'dine_in' && table !== null
      ? [`table:${table.table_number}`]
      : Array.from({ length: doc.slot_capacity }, (_, index) => `kitchen:${index + 1}`)
  return units.find((unit) => !taken.has(unit))
}

async function refuse(
  { tx, at: now }: Pick<ChangeContext, 'tx' | 'at'>,
  store: Store,
  wish: SlotWish,
  why: string,
): Promise<AppError> {
  const free = await findAlternatives(tx, store, now, wish)
  const alternatives = free.map(toTimestamp)
  const { timezone } = store
  const local = (at: number): string => formatLocalDateTime(at, timezone)
  const what = wish.table === null ? 'no slot' : `no table ${wish.table.table_number}`
  return new AppError(
    'slot_unavailable',
    `${store.name} has ${what} at ${local(wish.scheduled_for)}: ${why}.`,
    {
      extra: { alternatives },
      ...(alternatives.length > 0 && {
        hint: `Free times, in ${timezone}: ${free.map(local).join(', ')}.`,
      }),
    },
  )
}

function alignUp(instant: number): number {
  return Math.ceil(instant / SLOT_MS) * SLOT_MS
}
