/** From a quote to an order and its payment, all in one transaction. */
import type { Account } from '../../../core/account.ts'
import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import { displayNumber } from '../../../core/display-number.ts'
import { AppError } from '../../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import type { Money } from '../../../core/money.ts'
import { NO_END, makeOpeningClock } from '../../../core/opening-hours.ts'
import { localDate, formatLocalDateTime, toTimestamp } from '../../../core/time.ts'
import { newIds, nextOrdinal, nextSeq } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockClock } from '../../../db/world.ts'
import { lockAccounts } from '../../account/queries/accounts.ts'
import { reserveStock } from '../../catalog/lifecycle/stock.ts'
import { findItems, type ItemRecord } from '../../catalog/queries/catalog.ts'
import { computeNextAvailableAt, isItemAvailableAt } from '../../catalog/rules/catalog.ts'
import { noCourier } from '../../couriers/lifecycle/couriers.ts'
import { lockMerchant, type MerchantRecord } from '../../merchants/queries.ts'
import { type FulfillmentType, computePrepMinutes } from '../../merchants/rules.ts'
import { enterCapture } from '../../orders/lifecycle/books.ts'
import { refreshCourierReservation } from '../../orders/lifecycle/courier.ts'
import { acceptOrWait, ORDER_LIFECYCLE } from '../../orders/lifecycle/order.ts'
import { claimSlot } from '../../orders/lifecycle/slots.ts'
import { nextOrderEvent } from '../../orders/lifecycle/timeline.ts'
import {
  countOrdersOf,
  isDisplayNumberTaken,
  insertOrder,
  type OrderDoc,
  type OrderRecord,
} from '../../orders/queries/orders.ts'
import { computeOrderParts } from '../../orders/rules/shares.ts'
import type { Substitution } from '../../orders/rules/substitution.ts'
import { assertPaymentMethodAccepted, capturePayment } from '../../payments/lifecycle/payment.ts'
import type { Payment, PaymentMethod } from '../../payments/rules/payment.ts'
import { assertMayLeave } from '../../proofs/rules/absent.ts'
import { assertExpectedTotal, lockOpenQuote } from '../../quotes/lifecycle.ts'
import { markQuoteUsed } from '../../quotes/queries.ts'
import type { FoodQuoteDoc } from '../rules.ts'

const MINUTE = 60_000

export type Confirmation = {
  quoteId: string
  method: PaymentMethod
  token: string | undefined
  contact: Contact | null
  notes: string | null
  substitutions: Substitution | undefined
  /** The total that was shown. */
  expectedTotal: Money | undefined
  scenario: OrderDoc['scenario']
}

/**
 * Confirms a quote of an account: checks again what a quote does not hold, claims the slot
 * (docs/rules/quotes.md#a-quote-does-not-lock-availability), takes the money and writes
 * the order. Whatever refuses leaves the quote open
 * (docs/rules/quotes.md#a-refused-confirm-leaves-the-quote-open). Locks in one order: quote, account, store, world.
 */
export async function createOrder(
  asked: ChangeContext,
  account: Account,
  confirmation: Confirmation,
): Promise<{ order: OrderRecord; payment: Payment }> {
  const { tx, world } = asked
  const quote = await lockOpenQuote<FoodQuoteDoc>(asked, account.account_id, 'food', confirmation.quoteId)
  assertExpectedTotal(quote.doc.total, confirmation.expectedTotal)
  // An order refers to its account: whoever moves a membership on holds that first and the world second, too.
  const { merchant, items, earlier } = await lockAccountAndStore(
    asked,
    quote.doc,
    confirmation.method,
    account,
  )
  const at = await lockClock(tx, asked.at)
  const scene = { tx, world, at }
  const reserved = await reserveStock(scene, merchant.merchant_id, items, quote.doc.lines)
  const [order_id = ''] = await newIds(scene, 'ord')
  await claim(asked, merchant, quote.doc, order_id)
  const ordinal = await nextOrdinal(tx, 'order')
  const [names, payment] = await Promise.all([
    nameForPeople(tx, merchant, ordinal, at),
    captureOrderPayment(scene, order_id, { account, merchant, quote: quote.doc, confirmation }),
  ])
  const customer = {
    name: account.name,
    phone: confirmation.contact?.phone ?? null,
    orders_count: earlier + 1,
  }
  const order: OrderRecord = {
    order_id,
    seq: await nextSeq(tx, at),
    ordinal,
    account_id: account.account_id,
    merchant_id: merchant.merchant_id,
    quote_id: quote.quote_id,
    status: 'placed',
    fulfillment_type: quote.doc.fulfillment_type,
    ...names,
    delivery_id: null,
    created_at: at,
    updated_at: at,
    doc: { ...toDoc({ at, customer, merchant, quote: quote.doc, items, confirmation }), reserved },
  }
  if ((await refreshCourierReservation(scene, order, payment)) === 'nobody') throw noCourier('scheduled_for')
  setLatestDelivery(order.doc, quote.doc)
  await addOrder(scene, order, payment)
  await markQuoteUsed(tx, quote.quote_id, order_id)
  const data = { merchant_id: merchant.merchant_id, quote_id: quote.quote_id, total: quote.doc.total }
  await ORDER_LIFECYCLE.emit(scene, order, { from: null, by: 'customer', data })
  await acceptOrWait(scene, order, async () =>
    ORDER_LIFECYCLE.scheduleNext(scene, order, await nextOrderEvent(scene, order, payment)),
  )
  return { order, payment }
}

type OrderPurchase = {
  account: Account
  merchant: MerchantRecord
  quote: FoodQuoteDoc
  confirmation: Confirmation
}

/** Takes the money of an order from its customer. */
async function captureOrderPayment(
  { tx, world, at }: ChangeContext,
  orderId: string,
  { account, merchant, quote, confirmation }: OrderPurchase,
): Promise<Payment> {
  return capturePayment(tx, world, at, {
    kind: 'order',
    resourceId: orderId,
    accountId: account.account_id,
    merchantId: merchant.merchant_id,
    isAtStore: quote.fulfillment_type !== 'delivery',
    storePart: computeOrderParts(quote, []).store,
    counterpartyId: merchant.agreement_id,
    method: confirmation.method,
    token: cardOf(confirmation),
    amount: quote.total,
  })
}

/** Writes an order, and the entry of its payment in the books of its store. */
async function addOrder(scene: ChangeContext, order: OrderRecord, payment: Payment): Promise<void> {
  await insertOrder(scene.tx, order, payment.status)
  await enterCapture(scene, order, payment)
}

/**
 * Locks the account and the store, and checks that the store sells what was quoted. Counts the account's `earlier` orders
 * there: the lock of the account lets no other call add one.
 */
async function lockAccountAndStore(
  { tx, at: now }: Pick<ChangeContext, 'tx' | 'at'>,
  quote: FoodQuoteDoc,
  method: PaymentMethod,
  { account_id }: Account,
): Promise<{ merchant: MerchantRecord; items: readonly ItemRecord[]; earlier: number }> {
  const itemIds = quote.lines.map(({ item_id }) => item_id)
  const [, merchant, items, earlier] = await Promise.all([
    lockAccounts(tx, [account_id], { skipLocked: false }),
    loadMerchant(tx, quote.merchant_id),
    findItems(tx, itemIds),
    countOrdersOf(tx, account_id, quote.merchant_id),
  ])
  const { fulfillment_type: served } = quote
  assertMayLeave(quote.if_absent, { '/payment/method': method === 'cash' })
  assertPaymentMethodAccepted(
    method,
    acceptedMethods(merchant, served),
    `An order for ${served} from ${merchant.name}`,
  )
  assertStoreOpen(merchant, now, quote.scheduled_for)
  assertObtainable(items, now, quote)
  return { merchant, items, earlier }
}

/** A store that is paused or shut takes orders for later only (docs/rules/food-and-stores.md#a-pause-stops-new-orders-only). */
export function assertStoreOpen(
  { name, paused_until: pausedUntil, week, timezone }: MerchantRecord,
  now: number,
  scheduledFor: number | null,
): void {
  if (scheduledFor !== null) return
  const clock = makeOpeningClock(now)
  if (clock.isOpen(week, timezone, pausedUntil)) return
  const opens = clock.nextOpening(week, timezone, pausedUntil)
  const isPaused = pausedUntil !== null && pausedUntil > now && pausedUntil !== NO_END
  const why = isPaused
    ? `${name} has paused its orders until ${formatLocalDateTime(pausedUntil, timezone)} local time.`
    : `${name} is not taking orders now.`
  throw new AppError('merchant_closed', why, {
    hint:
      opens === undefined
        ? 'Choose another store, or quote with scheduled_for within its opening hours.'
        : `Choose another store, or quote with scheduled_for ${toTimestamp(opens)} or later, when it is open.`,
  })
}

/** An item that cannot be had, and when it is on sale; null if unknown. */
type Unavailable = { item_id: string; name: string; from: number | null }

/** Throws `item_unavailable` with all of the items; with the time from which all are on sale, if it is known. */
export function refuseUnavailable(items: readonly Unavailable[]): void {
  if (items.length === 0) return
  const known = items.flatMap(({ from }) => from ?? [])
  const from = known.length < items.length ? undefined : Math.max(...known)
  const unique = [...new Map(items.map((item) => [item.item_id, item])).values()]
  const names = unique.map(({ name }) => name).join(', ')
  const when =
    from === undefined ? '' : ` Available from ${formatLocalDateTime(from, MARKET_TIMEZONE)} local time.`
  const what = unique.length === 1 ? `${names} is not available now.` : `Not available now: ${names}.`
  throw new AppError('item_unavailable', `${what}${when}`, {
    extra: {
      item_ids: unique.map(({ item_id }) => item_id),
      ...(from !== undefined && { available_from: toTimestamp(from) }),
    },
    hint: 'Leave out what is sold out and quote again.',
  })
}

async function loadMerchant(tx: Tx, merchantId: string): Promise<MerchantRecord> {
  const merchant = await lockMerchant(tx, merchantId)
  if (merchant === undefined) throw new Error(`${merchantId} is gone`)
  return merchant
}

/** Returns the methods that pay a store for an order that is served so. */
export function acceptedMethods(
  { doc }: Pick<MerchantRecord, 'doc'>,
  served: FulfillmentType,
): PaymentMethod[] {
  return doc.payment_methods.filter((each) => each !== 'pay_at_table' || served === 'dine_in')
}

/** Throws `item_unavailable` unless all items of the quote are on sale with what was chosen. Prices no longer matter. */
function assertObtainable(
  found: readonly ItemRecord[],
  now: number,
  { lines, scheduled_for }: FoodQuoteDoc,
): void {
  const wanted = scheduled_for ?? now
  const items = new Map(found.map((item) => [item.item_id, item]))
  const gone = lines.filter((line) => {
    const item = items.get(line.item_id)
    if (item === undefined || !isItemAvailableAt(item, now, wanted)) return true
    const onSale = item.doc.modifier_groups
      .flatMap(({ modifiers }) => modifiers)
      .filter(({ available }) => available)
    return line.modifiers.some(
      (chosen) => !onSale.some(({ modifier_id }) => modifier_id === chosen.modifier_id),
    )
  })
  refuseUnavailable(
    gone.map(({ item_id, name }) => {
      const item = items.get(item_id)
      return { item_id, name, from: item === undefined ? null : computeNextAvailableAt(item, wanted) }
    }),
  )
}

/** Keeps the end of the quoted window, moved as the expected delivery is; of a slot its end. None without delivery. */
function setLatestDelivery(doc: OrderDoc, { slot, estimated_delivery_window: window }: FoodQuoteDoc): void {
  const { estimated_delivery_at: expected } = doc
  doc.latest_delivery_at =
    window === null || expected === null
      ? null
      : (slot?.ends_at ?? window.ends_at + expected - window.starts_at)
}

async function claim(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  merchant: MerchantRecord,
  { fulfillment_type, table, scheduled_for }: FoodQuoteDoc,
  orderId: string,
): Promise<void> {
  if (scheduled_for === null) return
  await claimSlot(scene, merchant, { fulfillment_type, table, scheduled_for }, orderId)
}

function cardOf({ method, token, scenario }: Confirmation): string | undefined {
  return method === 'card' && scenario?.name === 'payment_pending' ? 'tok_pending' : token
}

async function nameForPeople(
  tx: Tx,
  { merchant_id, timezone }: MerchantRecord,
  ordinal: number,
  at: number,
): Promise<Pick<OrderRecord, 'display_day' | 'display_number'>> {
  const display_day = localDate(at, timezone)
  let position = ordinal
  while (await isDisplayNumberTaken(tx, merchant_id, display_day, displayNumber(position))) position += 1
  return { display_day, display_number: displayNumber(position) }
}

type OrderCreation = {
  at: number
  customer: OrderDoc['customer']
  merchant: MerchantRecord
  quote: FoodQuoteDoc
  items: readonly ItemRecord[]
  confirmation: Confirmation
}

function toDoc({ at, customer, merchant, quote, items, confirmation }: OrderCreation): OrderDoc {
  const { contact, notes, substitutions = 'refund', scenario } = confirmation
  const { doc } = merchant
  const prep = prepFor(merchant, quote.scheduled_for ?? at)
  // The kitchen begins now, not when the price was requested.
  const readyAt = Math.max(quote.estimated_ready_at, at + prep * MINUTE)
  const later = readyAt - quote.estimated_ready_at
  const arrival = quote.estimated_delivery_window?.starts_at
  return {
    lines: quote.lines,
    subtotal: quote.subtotal,
    fees: quote.fees,
    fees_total: quote.fees_total,
    discounts: quote.discounts,
    discount_total: quote.discount_total,
    taxes: quote.taxes,
    tax_total: quote.tax_total,
    prices_include_tax: quote.prices_include_tax,
    total: quote.total,
    merchant: {
      name: merchant.name,
      phone: doc.phone,
      location: merchant.location,
      place: { address: doc.address, location: merchant.location, name: merchant.name },
      timezone: merchant.timezone,
      agreement_id: merchant.agreement_id,
    },
    customer,
    contact,
    notes,
    substitutions,
    ...itemFacts(items),
    dropoff: quote.dropoff,
    if_absent: quote.if_absent ?? null,
    table: quote.table,
    scheduled_for: quote.scheduled_for,
    slot: quote.slot,
    prep_time_minutes: prep,
    accepted_at: null,
    preparing_at: null,
    ready_at: null,
    estimated_ready_at: readyAt,
    estimated_delivery_at: arrival === undefined ? null : arrival + later,
    completed_at: null,
    collection_instructions: null,
    collected_by_name: null,
    history: [{ status: 'placed', at, by: 'customer', reason: null, note: null }],
    check: null,
    cancellation: null,
    rejection: null,
    proof_of_delivery: null,
    auto: playsStore(merchant, scenario?.name),
    scenario,
  }
}

/** Returns what the store keeps of the items as they are at the order. */
function itemFacts(items: readonly ItemRecord[]): Pick<OrderDoc, 'skus' | 'allergens' | 'categories'> {
  return {
    skus: Object.fromEntries(
      items.flatMap(({ item_id, doc: { sku } }) => (sku === null ? [] : [[item_id, sku]])),
    ),
    allergens: Object.fromEntries(
      items.flatMap(({ item_id, doc }) => (doc.allergens.length === 0 ? [] : [[item_id, doc.allergens]])),
    ),
    categories: Object.fromEntries(items.map(({ item_id, category }) => [item_id, category.category_id])),
  }
}

/** Returns the minutes that a store needs for an order that is asked for now, or for an instant later. */
export function prepFor(merchant: MerchantRecord, at: number): number {
  return computePrepMinutes({ ...merchant, prep_time_minutes: merchant.doc.prep_time_minutes }, at)
}

function playsStore({ doc }: MerchantRecord, scenario: string | undefined): boolean {
  if (scenario === 'store_auto') return true
  return scenario !== 'store_manual' && doc.auto_accept
}
