/** From a quote to a ride and its payment, all in one transaction. */
import type { Account } from '../../../core/account.ts'
import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { seededInt } from '../../../core/hash.ts'
import { sandboxId } from '../../../core/ids.ts'
import type { Money } from '../../../core/money.ts'
import type { WorldSettings } from '../../../core/world.ts'
import { nextOrdinal, nextSeq } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockClock } from '../../../db/world.ts'
import { lockAccount } from '../../account/queries/accounts.ts'
import { capturePayment } from '../../payments/lifecycle/payment.ts'
import { isAwaited, type PaymentMethod } from '../../payments/rules/payment.ts'
import { assertExpectedTotal, lockOpenQuote } from '../../quotes/lifecycle.ts'
import { markQuoteUsed } from '../../quotes/queries.ts'
import { listDrivers } from '../queries/drivers.ts'
import {
  hasRideWithStatus,
  insertRide,
  type RideDoc,
  type RideFare,
  type RideQuoteDoc,
  type RideRecord,
} from '../queries/rides.ts'
import { isRideOver, RIDE_STATUSES, type Tier } from '../states.ts'
import { deductBalance } from './balance.ts'
import { listDriversAtWork, findPickupSeconds } from './drivers.ts'
import { RIDE_LIFECYCLE, startSearch } from './ride.ts'
import { MAX_DRIVER_WAIT_MS, SCHEDULED_FROM_MS } from './timeline.ts'

export type RideConfirmation = {
  quoteId: string
  tier: Tier
  passenger: Contact | null
  passengerCount: number | null
  notes: string | null
  method: PaymentMethod
  token: string | undefined
  /** The fare that was shown. */
  expectedTotal: Money | undefined
  scenario: RideDoc['scenario']
  /** True if a customer may have one ride at a time only. */
  oneActiveRide: boolean
}

const ACTIVE = RIDE_STATUSES.filter((status) => !isRideOver(status))

/**
 * Confirms one tier of a quote: checks again what a quote does not hold
 * (docs/rules/rides.md#the-fare-is-final-when-it-is-quoted), takes the money and writes the ride. Whatever
 * rejects leaves the quote open. Locks in one order: quote, account, world.
 */
export async function createRide(
  { tx, world, at: now }: ChangeContext,
  account: Account,
  confirmation: RideConfirmation,
): Promise<RideRecord> {
  const { account_id } = account
  const quote = await lockOpenQuote<RideQuoteDoc>({ tx, at: now }, account_id, 'ride', confirmation.quoteId)
  const fare = findFare(quote.doc, confirmation.tier)
  const count = confirmation.passengerCount ?? quote.doc.passengers ?? 1
  assertCapacity(fare, count)
  assertExpectedTotal(fare.fare, confirmation.expectedTotal)
  await lockAccount(tx, account_id)
  if (confirmation.oneActiveRide) await assertNoActiveRide(tx, account_id)
  await assertAvailable({ tx, world, at: now }, quote.doc, fare)

  const at = await lockClock(tx, now)
  const seq = await nextSeq(tx, at)
  const ordinal = await nextOrdinal(tx, 'ride')
  const ride_id = sandboxId('rid', { seed: world.seed, ordinal, at })
  await deductBalance(tx, at, { account_id, ride_id }, fare.lines)
  const payment = await capturePayment(tx, world, at, {
    kind: 'ride',
    resourceId: ride_id,
    accountId: account_id,
    merchantId: null,
    counterpartyId: null,
    method: confirmation.method,
    token: confirmation.token,
    amount: fare.fare,
  })
  const later = (quote.doc.scheduled_for ?? 0) > at + SCHEDULED_FROM_MS
  const status = later ? 'scheduled' : 'processing'
  const ride: RideRecord = {
    ride_id,
    seq,
    ordinal,
    account_id,
    quote_id: quote.quote_id,
    status,
    tier: fare.tier,
    created_at: at,
    updated_at: at,
    doc: toDoc(quote.doc, fare, confirmation, {
      passenger: toPassenger(account, confirmation, count),
      pin: pickupPin(world, ordinal),
      status,
      at,
    }),
  }
  const scene = { tx, world, at }
  // The search for a driver begins when the card has settled: at `payment_settles`.
  const waits = !later && isAwaited(payment)
  if (!later && !waits) await startSearch(scene, ride)
  await insertRide(tx, ride)
  await markQuoteUsed(tx, quote.quote_id, ride_id)
  if (!waits) await RIDE_LIFECYCLE.scheduleNext(scene, ride)
  await RIDE_LIFECYCLE.emit(scene, ride, { from: null, by: 'rider' })
  return ride
}

async function assertNoActiveRide(tx: Tx, accountId: string): Promise<void> {
  if (!(await hasRideWithStatus(tx, accountId, ACTIVE))) return
  throw new AppError('active_ride_exists', 'You already have an active ride.', {
    hint: 'Wait until it ends, or cancel it.',
  })
}

function toPassenger(
  { name }: Account,
  { passenger }: RideConfirmation,
  count: number,
): RideDoc['passenger'] {
  return { name: passenger?.name ?? name, phone: passenger?.phone ?? null, count }
}

function pickupPin({ seed }: WorldSettings, ordinal: number): string {
  return String(1000 + seededInt(9000, seed, ['ride', ordinal, 0, 'pin']))
}

function toDoc(
  quote: RideQuoteDoc,
  fare: RideFare,
  { notes, scenario }: RideConfirmation,
  {
    passenger,
    pin,
    status,
    at,
  }: { passenger: RideDoc['passenger']; pin: string; status: RideRecord['status']; at: number },
): RideDoc {
  return {
    ...tripOf(quote),
    ...priceOf(fare),
    passenger,
    notes,
    driver: null,
    accepted_at: null,
    leg: null,
    dropoff_eta_at: null,
    dispatch: { attempt: 0, candidates_tried: 0, last_offer_at: null },
    pickup_pin: pin,
    cancellation: null,
    receipt: null,
    completed_at: null,
    history: [{ status, at, by: 'rider', reason: null }],
    scenario,
  }
}

function tripOf(quote: RideQuoteDoc) {
  const { pickup, dropoff, stops, scheduled_for, road_distance_m, driving_time_seconds, path } = quote
  return { pickup, dropoff, stops, scheduled_for, road_distance_m, driving_time_seconds, path }
}

function priceOf({ fare, tax_included, lines }: RideFare) {
  return { fare, tax_included, lines }
}

function findFare({ fares }: RideQuoteDoc, tier: Tier): RideFare {
  const fare = fares.find((each) => each.tier === tier)
  if (fare !== undefined) return fare
  const quoted = fares.map((each) => each.tier)
  const detail = `The quote has no fare for ${tier}; it has ${quoted.length === 0 ? 'none' : quoted.join(', ')}`
  throw new AppError('tier_not_quoted', `${detail}.`, {
    errors: [{ pointer: '/tier', code: 'invalid_enum', detail }],
  })
}

function assertCapacity({ name, capacity }: RideFare, count: number): void {
  if (count <= capacity) return
  const detail = `${name} takes ${capacity} passengers, not ${count}`
  throw new AppError('capacity_exceeded', `${detail}.`, {
    extra: { limit: capacity },
    errors: [{ pointer: '/passenger_count', code: 'out_of_range', detail }],
  })
}

/** Throws unless a driver can come now, or is at work at the time that it is for. */
async function assertAvailable(
  { tx, world, at: now }: ChangeContext,
  { pickup, scheduled_for }: RideQuoteDoc,
  { tier, name }: RideFare,
): Promise<void> {
  const at = Math.max(now, scheduled_for ?? 0)
  const drivers = await listDrivers(tx)
  const found =
    scheduled_for === null
      ? await findPickupSeconds(tx, world, drivers, { tier, point: pickup.location, at })
      : listDriversAtWork(drivers, world, { tier, at })[0]
  if (found !== undefined) return
  const why =
    scheduled_for === null
      ? `No ${name} driver is free within ${MAX_DRIVER_WAIT_MS / 60_000} minutes`
      : `No ${name} driver is available at that time`
  throw new AppError('tier_unavailable', `${why}.`, {
    hint: 'Choose another tier of the same quote, or another time.',
  })
}
