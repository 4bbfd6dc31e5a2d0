/** From a quote to a delivery and its payment, all in one transaction, and back. */
import type { Contact } from '../../../core/address.ts'
import type { Money } from '../../../core/money.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockClock } from '../../../db/world.ts'
import { lockAccount } from '../../account/queries/accounts.ts'
import { noCourier, promiseArrivals } from '../../couriers/lifecycle/couriers.ts'
import { createDelivery, seekCourier } from '../../couriers/lifecycle/delivery.ts'
import type { DeliveryDoc, DeliveryRecord } from '../../couriers/queries/deliveries.ts'
import type { Verification } from '../../couriers/states.ts'
import {
  assertPaymentMethodAccepted,
  capturePayment,
  refundPayment,
  settleUnpaidPayment,
} from '../../payments/lifecycle/payment.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import {
  countsAsPaid,
  isAwaited,
  PAYMENT_METHODS_BY_KIND,
  type PaymentMethod,
} from '../../payments/rules/payment.ts'
import { assertMayLeave } from '../../proofs/rules/absent.ts'
import { keepsPrice } from '../../proofs/rules/failures.ts'
import { assertExpectedTotal, lockOpenQuote } from '../../quotes/lifecycle.ts'
import { markQuoteUsed } from '../../quotes/queries.ts'
import type { DeliveryQuoteDoc } from './quote.ts'

export type DeliveryConfirmation = {
  quoteId: string
  pickupContact: Contact
  dropoffContact: Contact
  pickupNotes: string | null
  dropoffNotes: string | null
  /** The proofs that the courier must bring back from the door. */
  verification: Verification[]
  method: PaymentMethod
  token: string | undefined
  externalReference: string | null
  /** The total that was shown. */
  expectedTotal: Money | undefined
  scenario: DeliveryDoc['scenario']
}

/**
 * Confirms a quote of an account: takes the money, writes the delivery and looks for a courier, who is not asked before a
 * card that must settle first has. Whatever refuses leaves the quote open. Locks in one order: quote, account, world.
 */
export async function createDeliveryFromQuote(
  { tx, world, at: now }: ChangeContext,
  accountId: string,
  confirmation: DeliveryConfirmation,
): Promise<DeliveryRecord> {
  const { quoteId, method, token, expectedTotal } = confirmation
  const quote = await lockOpenQuote<DeliveryQuoteDoc>({ tx, at: now }, accountId, 'delivery', quoteId)
  assertExpectedTotal(quote.doc.total, expectedTotal)
  assertMayLeave(quote.doc.if_absent, {
    '/verification/dropoff': confirmation.verification.some((each) => each !== 'photo'),
    '/payment/method': method === 'cash',
  })
  assertPaymentMethodAccepted(method, PAYMENT_METHODS_BY_KIND.delivery, 'A delivery')
  // A delivery refers to its account: whoever moves a membership on holds that first and the world second, too.
  await lockAccount(tx, accountId)
  const at = await lockClock(tx, now)
  const { pickup, dropoff, parcel } = quote.doc
  const run = { pickup: pickup.location, dropoff: dropoff.location, size: parcel.size, quoted: quote.doc }
  if ((await promiseArrivals(tx, world, run, at)) === undefined) throw noCourier('pickup_ready_at')
  const scene = { tx, world, at }
  const delivery = await createDelivery(scene, {
    accountId,
    order: null,
    quoteId,
    by: 'customer',
    ...toRun(quote.doc, confirmation),
  })
  const payment = await capturePayment(tx, world, at, {
    kind: 'delivery',
    resourceId: delivery.delivery_id,
    accountId,
    merchantId: null,
    counterpartyId: null,
    method,
    token,
    amount: quote.doc.total,
  })
  await markQuoteUsed(tx, quoteId, delivery.delivery_id)
  if (!isAwaited(payment)) await seekCourier(scene, delivery)
  return delivery
}

/** A card has settled: the search for a courier begins. */
export async function settleDeliveryPayment(scene: ChangeContext, delivery: DeliveryRecord): Promise<void> {
  const payment = await settleUnpaidPayment(scene, delivery.delivery_id)
  if (delivery.status === 'pending' && !isAwaited(payment)) await seekCourier(scene, delivery)
}

/** Settles or pays back the payment of a customer's own delivery: nobody pays for what was not brought, unless nobody opened. */
export async function payForStep(
  { tx, world, at }: ChangeContext,
  { delivery_id, status, doc }: DeliveryRecord,
): Promise<void> {
  // Cash is handed over at the door.
  if (status === 'delivered') await settleUnpaidPayment({ tx, world, at }, delivery_id)
  if (status !== 'cancelled' && status !== 'returned') return
  // A courier who came and waited is paid, and the way back is free.
  if (keepsPrice(doc.undeliverable) && countsAsPaid(await loadPayment(tx, delivery_id))) return
  const reason = doc.undeliverable?.reason_code ?? doc.history.at(-1)?.reason ?? status
  await refundPayment({ tx, world, at }, delivery_id, {
    to: 'original',
    reason,
    kind: 'delivery',
    counterpartyId: null,
  })
}

function toRun(
  quote: DeliveryQuoteDoc,
  confirmation: DeliveryConfirmation,
): Pick<DeliveryDoc, 'pickup' | 'dropoff' | 'parcel' | 'price' | 'quoted' | 'scenario'> {
  const { pickup, dropoff, parcel, total, tax_included } = quote
  return {
    pickup: {
      place: pickup,
      point: pickup.location,
      contact: confirmation.pickupContact,
      notes: confirmation.pickupNotes ?? pickup.address?.access_notes ?? null,
    },
    dropoff: {
      place: dropoff,
      point: dropoff.location,
      contact: confirmation.dropoffContact,
      notes: confirmation.dropoffNotes ?? dropoff.address?.access_notes ?? null,
      verification: confirmation.verification,
      if_absent: quote.if_absent ?? 'return',
    },
    parcel,
    price: total,
    quoted: {
      vehicle_type: quote.vehicle_type,
      road_distance_m: quote.road_distance_m,
      duration_seconds: quote.duration_seconds,
      tax_included,
      lines: quote.lines,
      pickup_ready_at: quote.pickup_ready_at,
      external_reference: confirmation.externalReference,
    },
    scenario: confirmation.scenario,
  }
}
