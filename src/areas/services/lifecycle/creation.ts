/** From a quote to a booking and its payment, all in one transaction. */
import type { Contact } from '../../../core/address.ts'
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { sandboxId } from '../../../core/ids.ts'
import type { Money } from '../../../core/money.ts'
import { describeServiceClock, describePastTime, type TimeWindow, toTimestamp } from '../../../core/time.ts'
import { nextOrdinal, nextSeq } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockClock } from '../../../db/world.ts'
import { lockAccount } from '../../account/queries/accounts.ts'
import { assertPaymentMethodAccepted, capturePayment } from '../../payments/lifecycle/payment.ts'
import { PAYMENT_METHODS_BY_KIND, type PaymentMethod } from '../../payments/rules/payment.ts'
import { assertExpectedTotal, lockOpenQuote } from '../../quotes/lifecycle.ts'
import { type QuoteRecord, markQuoteUsed } from '../../quotes/queries.ts'
import { type BookingDoc, type BookingRecord, insertBooking } from '../queries/bookings.ts'
import type { ProviderRecord } from '../queries/providers.ts'
import type { ServiceQuoteDoc } from '../rules.ts'
import { MAX_DAYS_AHEAD } from '../rules.ts'
import { BOOKING_LIFECYCLE, giveSlot } from './booking.ts'
import { loadProvider } from './quote.ts'
import { claimStart, LOOK_AHEAD_DAYS } from './slots.ts'
import { longestWaySeconds } from './visit-ways.ts'

const DAY_MS = 86_400_000

export type BookingConfirmation = {
  quoteId: string
  startsAt: number | null
  preferredWindow: TimeWindow | null
  method: PaymentMethod
  token: string | undefined
  contact: Contact
  notes: string | null
  accessNotes: string | null
  /** The total that was shown. */
  expectedTotal: Money | undefined
  /** Read once it is known whether there is a slot. */
  scenario(hasSlot: boolean): BookingDoc['scenario']
}

/**
 * Confirms a quote of an account: with a start takes its half hours, without one asks the provider; takes the money and
 * writes the booking. Whatever refuses leaves the quote open. Locks in one order: quote,
 * account, world.
 */
export async function createBooking(
  { tx, world, at: now }: ChangeContext,
  accountId: string,
  confirmation: BookingConfirmation,
): Promise<BookingRecord> {
  const asked = { tx, at: now }
  const quote = await lockOpenQuote<ServiceQuoteDoc>(asked, accountId, 'service', confirmation.quoteId)
  assertExpectedTotal(quote.doc.total, confirmation.expectedTotal)
  const startsAt = chooseStart(quote.doc, confirmation)
  if (startsAt === null) assertWindow(quote.doc, confirmation.preferredWindow, now)
  const { method } = confirmation
  assertPaymentMethodAccepted(method, PAYMENT_METHODS_BY_KIND.booking, 'A booking')
  const provider = await loadProvider(tx, quote.doc.provider_id)
  const scenario = confirmation.scenario(startsAt !== null)

  // A booking refers to its account: whoever moves a membership on holds that first and the world second, too.
  await lockAccount(tx, accountId)
  const at = await lockClock(tx, now)
  const ordinal = await nextOrdinal(tx, 'booking')
  const booking_id = sandboxId('bkg', { seed: world.seed, ordinal, at })
  if (startsAt !== null) await claimStart(asked, provider, quote.doc, { startsAt, bookingId: booking_id })
  await capturePayment(tx, world, at, {
    kind: 'booking',
    resourceId: booking_id,
    accountId,
    merchantId: null,
    counterpartyId: null,
    method,
    token: confirmation.token,
    amount: quote.doc.total,
  })
  const status = startsAt === null ? 'requested' : 'confirmed'
  const booking: BookingRecord = {
    booking_id,
    seq: await nextSeq(tx, at),
    ordinal,
    account_id: accountId,
    provider_id: provider.provider_id,
    quote_id: quote.quote_id,
    status,
    created_at: at,
    updated_at: at,
    doc: {
      ...toDoc(provider, quote, confirmation),
      history: [{ status, at, by: 'customer', reason: null }],
      scenario,
    },
  }
  if (startsAt !== null) giveSlot(booking, startsAt)
  await insertBooking(tx, booking)
  await markQuoteUsed(tx, quote.quote_id, booking_id)
  const scene = { tx, world, at }
  await BOOKING_LIFECYCLE.emit(scene, booking, { from: null, by: 'customer' })
  await BOOKING_LIFECYCLE.scheduleNext(scene, booking)
  return booking
}

function toDoc(
  provider: ProviderRecord,
  { doc: quote }: QuoteRecord<ServiceQuoteDoc>,
  { preferredWindow, contact, notes, accessNotes }: BookingConfirmation,
): Omit<BookingDoc, 'history' | 'scenario'> {
  const { name, location, doc } = provider
  return {
    provider: { name, phone: doc.phone, photo_url: doc.photo_url, base: location },
    service_code: quote.service_code,
    service_name: quote.service_name,
    duration_minutes: quote.duration_minutes,
    buffer_minutes: quote.buffer_minutes,
    slot: null,
    preferred_window: preferredWindow,
    arrival_window: null,
    place: quote.place,
    contact,
    notes: notes ?? quote.notes,
    access_notes: accessNotes ?? quote.place.address?.access_notes ?? null,
    price: quote.total,
    lines: quote.lines,
    tax_included: quote.tax_included,
    longest_way_seconds: longestWaySeconds(provider, quote.place),
    leg: null,
    looks: 0,
    en_route_at: null,
    arrived_at: null,
    started_at: null,
    completed_at: null,
    completion: null,
    cancellation: null,
  }
}

/** The start that is booked: the one of the quote, which no other may contradict, or the one named now. */
function chooseStart(
  quote: ServiceQuoteDoc,
  { startsAt, preferredWindow }: BookingConfirmation,
): number | null {
  if (quote.starts_at === null) return startsAt
  if (preferredWindow === null && (startsAt === null || startsAt === quote.starts_at)) return quote.starts_at
  const quoted = toTimestamp(quote.starts_at)
  throw new AppError('quote_mismatch', `The quote is for the start time ${quoted}.`, {
    extra: { starts_at: quoted },
    hint: 'Leave starts_at and preferred_window out, or quote again for another start.',
  })
}

/** Throws `window_invalid`. */
function assertWindow(quote: ServiceQuoteDoc, window: TimeWindow | null, now: number): void {
  const fault = findWindowFault(quote, window, now)
  if (fault === undefined) return
  throw new AppError('window_invalid', `${fault.detail}.`, {
    errors: [fault],
    extra: quote.slot_required ? { operations: ['get_provider_availability'] } : {},
  })
}

function findWindowFault(
  { service_name, slot_required }: ServiceQuoteDoc,
  window: TimeWindow | null,
  now: number,
): ProblemFieldError | undefined {
  if (slot_required) {
    const detail = `${service_name} needs a start time: choose one of get_provider_availability`
    return { pointer: '/starts_at', code: 'required', detail }
  }
  if (window === null) return undefined
  const { starts_at, ends_at } = window
  const pointer = '/preferred_window'
  const out = (detail: string): ProblemFieldError => ({ pointer, code: 'out_of_range', detail })
  if (ends_at <= starts_at) return out('preferred_window must end after it starts')
  if (ends_at <= now) return out(describePastTime('preferred_window', now))
  if (ends_at - starts_at > LOOK_AHEAD_DAYS * DAY_MS)
    return out(`preferred_window can be at most ${LOOK_AHEAD_DAYS} days long`)
  if (starts_at > now + MAX_DAYS_AHEAD * DAY_MS)
    return out(`preferred_window must begin within ${MAX_DAYS_AHEAD} days: ${describeServiceClock(now)}`)
  return undefined
}
