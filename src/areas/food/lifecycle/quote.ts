/** Prices a basket at a store and checks that it can be had. Changes nothing. */
import { type Account, isMembershipActive } from '../../../core/account.ts'
import type { Tx } from '../../../core/db.ts'
import { AppError, type ErrorCode } from '../../../core/errors.ts'
import { haversineMetres } from '../../../core/geometry.ts'
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import type { Place, ResolvedPlace } from '../../../core/places/place.ts'
import { locatePlace } from '../../../core/places/words.ts'
import type { TimeWindow } from '../../../core/time.ts'
import type { WorldSettings } from '../../../core/world.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { BENEFITS } from '../../account/rules/membership.ts'
import { assertStocked } from '../../catalog/lifecycle/stock.ts'
import { findItems, type ItemRecord } from '../../catalog/queries/catalog.ts'
import { computeNextAvailableAt, isItemAvailableAt } from '../../catalog/rules/catalog.ts'
import { expectArrival, noCourier } from '../../couriers/lifecycle/couriers.ts'
import { findMerchant, type MerchantRecord } from '../../merchants/queries.ts'
import { computeDeliveryMinutes, type FulfillmentType, type DiningTable } from '../../merchants/rules.ts'
import { assertSlotFree, slotAt } from '../../orders/lifecycle/slots.ts'
import { mostLate } from '../../orders/lifecycle/timeline.ts'
import { type BasketItemRequest, makeLines } from '../../orders/rules/lines.ts'
import type { PaymentMethod } from '../../payments/rules/payment.ts'
import { type IfAbsent, methodsFor } from '../../proofs/rules/absent.ts'
import { type FoodQuoteDoc, priceBasket } from '../rules.ts'
import { acceptedMethods, assertStoreOpen, prepFor, refuseUnavailable } from './creation.ts'

const MINUTE = 60_000

export type FoodQuoteRequest = {
  merchant_id: string
  fulfillment_type: FulfillmentType
  items: BasketItemRequest[]
  /** With delivery, and only then. */
  dropoff: Place | null
  /** Null without delivery. */
  if_absent: IfAbsent | null
  /** With dine_in, and only then. */
  table: DiningTable | null
  scheduled_for: number | null
  tip: Money | null
  /** True if the caller may order: who may not is told of no stock. */
  mayBuy: boolean
}

/**
 * Prices a request of an account as of `now`, and says how its store can be paid; or throws the first reason why it could not
 * be ordered.
 */
export async function priceFoodOrder(
  { tx, world, at: now }: ChangeContext,
  account: Account,
  request: FoodQuoteRequest,
): Promise<{ doc: FoodQuoteDoc; methods: PaymentMethod[] }> {
  const merchant = await loadMerchant(tx, request.merchant_id)
  const items = await loadItems(tx, merchant, request.items)
  assertOffered(merchant, request)
  assertStoreOpen(merchant, now, request.scheduled_for)
  const wanted = request.scheduled_for ?? now
  const missing = [...items.values()].filter((item) => !isItemAvailableAt(item, now, wanted))
  refuseUnavailable(missing.map((item) => ({ ...item, from: computeNextAvailableAt(item, wanted) })))
  assertStocked([...items.values()], request.items, { world, at: now, isTold: request.mayBuy })
  const lines = makeLines(
    new Map([...items].map(([id, { item_id, name, doc }]) => [id, { item_id, name, ...doc }])),
    request.items,
  )
  const dropoff = findDropoff(merchant, request)
  const isMember = isMembershipActive(account.membership, now)
  const subtotal = lines.reduce((sum, { total }) => sum + total.amount, 0)
  const smallOrderFee = findSmallOrderFee(merchant, request, subtotal)
  const basket = priceBasket(lines, {
    currency: merchant.currency,
    prices_include_tax: merchant.doc.prices_include_tax,
    tax_rate_bps: merchant.doc.tax_rate_bps,
    fee_tax_rate_bps: MARKET_TAX_BPS,
    tax_name: merchant.doc.tax_name,
    delivery_fee: request.fulfillment_type === 'delivery' ? charged(merchant.doc.delivery?.fee) : null,
    service_fee: charged(merchant.doc.service_fee),
    small_order_fee: charged(smallOrderFee),
    courier_tip: charged(request.tip),
    discount_bps: isMember ? foodDiscount() : 0,
  })
  await assertSlot(tx, merchant, now, request)
  const doc = {
    ...basket,
    merchant_id: merchant.merchant_id,
    merchant_name: merchant.name,
    fulfillment_type: request.fulfillment_type,
    dropoff,
    if_absent: request.if_absent,
    table: request.table,
    scheduled_for: request.scheduled_for,
    slot: request.scheduled_for === null ? null : slotAt(request.scheduled_for),
    prep_time_minutes: prepFor(merchant, request.scheduled_for ?? now),
    ...(await estimate(tx, world, merchant, { now, scheduledFor: request.scheduled_for, dropoff })),
    tip: request.tip,
    warnings: listWarnings(merchant, smallOrderFee, isMember),
  }
  const accepted = acceptedMethods(merchant, request.fulfillment_type)
  return { doc, methods: methodsFor(request.if_absent, accepted) }
}

async function loadMerchant(tx: Tx, merchantId: string): Promise<MerchantRecord> {
  const merchant = await findMerchant(tx, merchantId)
  if (merchant !== undefined) return merchant
  throw new AppError('merchant_not_found', `No store ${merchantId.slice(0, 60)}.`, {
    extra: { operations: ['search_restaurants'] },
    hint: 'search_restaurants finds the stores near a point.',
  })
}

/** The items of the basket by id. All of them must be the store's. */
async function loadItems(
  tx: Tx,
  { merchant_id, name }: MerchantRecord,
  requests: readonly BasketItemRequest[],
): Promise<Map<string, ItemRecord>> {
  const found = await findItems(
    tx,
    requests.map(({ item_id }) => item_id),
  )
  const items = new Map(
    found.filter((item) => item.merchant_id === merchant_id).map((item) => [item.item_id, item]),
  )
  const missing = requests.filter(({ item_id }) => !items.has(item_id)).map(({ item_id }) => item_id)
  const [first] = missing
  if (first === undefined) return items
  throw new AppError('item_not_found', `${name} has no item ${first.slice(0, 60)}.`, {
    extra: { item_ids: [...new Set(missing)], operations: ['get_restaurant_menu'] },
    hint: 'get_restaurant_menu lists its items.',
  })
}

function assertOffered({ name, currency, doc }: MerchantRecord, request: FoodQuoteRequest): void {
  const { fulfillment_type: type, table, tip } = request
  const offered = doc.fulfillment_types.filter((each) => each !== 'delivery' || doc.delivery !== null)
  if (!offered.includes(type)) {
    const detail = `${name} offers ${offered.join(', ')}, but not ${type}`
    throw refuse('fulfillment_not_offered', '/fulfillment_type', detail)
  }
  if (table !== null && !doc.tables.includes(table.table_number)) {
    const detail = `table_number must be one of ${doc.tables.join(', ')}`
    throw refuse('invalid_request', '/table/table_number', detail)
  }
  if (tip !== null && tip.currency !== currency) {
    throw refuse(
      'currency_mismatch',
      '/tip/currency',
      `tip must be in the currency of the store, ${currency}`,
    )
  }
}

function findDropoff(
  { name, location, doc }: MerchantRecord,
  { dropoff }: FoodQuoteRequest,
): ResolvedPlace | null {
  if (dropoff === null) return null
  const place = locatePlace(dropoff, '/dropoff')
  const reach = doc.delivery?.radius_m ?? 0
  const distance = Math.round(haversineMetres(location, place.location))
  if (distance <= reach) return place
  const detail = `${name} delivers up to ${reach} m away; dropoff is ${distance} m away`
  throw refuse('outside_delivery_area', '/dropoff', detail, 'out_of_range')
}

/** Null where none is due; throws where the store takes no order as small as this. */
function findSmallOrderFee(
  { name, doc: { delivery } }: MerchantRecord,
  { fulfillment_type }: FoodQuoteRequest,
  subtotal: number,
): Money | null {
  if (fulfillment_type !== 'delivery' || delivery === null) return null
  const { minimum_order, small_order_fee } = delivery
  if (subtotal >= minimum_order.amount) return null
  if (small_order_fee !== null) return small_order_fee
  const missing = formatMoney({ ...minimum_order, amount: minimum_order.amount - subtotal })
  const detail = `The minimum order of ${name} for delivery is ${formatMoney(minimum_order)}; ${missing} are missing`
  throw new AppError('minimum_order_not_met', `${detail}.`, {
    extra: { minimum_order },
    errors: [{ pointer: '/items', code: 'out_of_range', detail }],
  })
}

async function assertSlot(
  tx: Tx,
  merchant: MerchantRecord,
  now: number,
  { fulfillment_type, table, scheduled_for }: FoodQuoteRequest,
): Promise<void> {
  if (scheduled_for === null) return
  await assertSlotFree(tx, merchant, now, { fulfillment_type, table, scheduled_for })
}

/** A scheduled order is at the door, at the counter or on the table in its slot; any other one as soon as can be. */
async function estimate(
  tx: Tx,
  world: WorldSettings,
  merchant: MerchantRecord,
  { now, scheduledFor, dropoff }: { now: number; scheduledFor: number | null; dropoff: ResolvedPlace | null },
): Promise<{ estimated_ready_at: number; estimated_delivery_window: TimeWindow | null }> {
  const { location } = merchant
  const prep = prepFor(merchant, scheduledFor ?? now)
  const soonest = now + prep * MINUTE
  if (dropoff === null)
    return { estimated_ready_at: Math.max(soonest, scheduledFor ?? 0), estimated_delivery_window: null }
  const usual = computeDeliveryMinutes(0, location, dropoff.location)
  const run = { pickup: location, dropoff: dropoff.location }
  const cooked = Math.max(soonest, (scheduledFor ?? 0) - usual.eta_min_minutes * MINUTE)
  const arrives = await expectArrival({ tx, world }, run, cooked, mostLate(prep))
  if (arrives === undefined) throw noCourier('scheduled_for')
  const ride = arrives - cooked
  const ready = Math.max(soonest, (scheduledFor ?? 0) - ride)
  const ends = ready + ride + (usual.eta_max_minutes - usual.eta_min_minutes) * MINUTE
  return {
    estimated_ready_at: ready,
    estimated_delivery_window: { starts_at: ready + ride, ends_at: ends },
  }
}

function charged(fee: Money | null | undefined): Money | null {
  return fee === null || fee === undefined || fee.amount === 0 ? null : fee
}

function foodDiscount(): number {
  return BENEFITS.find(({ code }) => code === 'food_discount')?.discount_bps ?? 0
}

function listWarnings({ doc: { delivery } }: MerchantRecord, fee: Money | null, isMember: boolean): string[] {
  return [
    ...(fee === null || delivery === null
      ? []
      : [
          `Below ${formatMoney(delivery.minimum_order)} a small order fee of ${formatMoney(fee)} is charged.`,
        ]),
    ...(isMember ? [] : ['Placing this order needs an active membership.']),
  ]
}

function refuse(
  code: ErrorCode,
  pointer: string,
  detail: string,
  kind: 'invalid_enum' | 'invalid_format' | 'out_of_range' = 'invalid_enum',
): AppError {
  return new AppError(code, `${detail}.`, { errors: [{ pointer, code: kind, detail }] })
}
