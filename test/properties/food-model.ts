/**
 * The rules of `docs/rules/` for stores, baskets, orders, payments and slots, implemented again
 * in memory. The program is compared with it, so it must not use the program's own rules.
 */
import type { ErrorCode } from '../../src/core/errors.ts'
import { metresBetween } from '../support/distance.ts'
import type { Model, ModelPerson } from '../support/model-calls.ts'
import { ORDER_TRANSITIONS } from '../support/state-tables.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUARTER = 15 * MINUTE
const QUOTE_TTL = 900_000
const ACCEPT_WITHIN = 600_000
/** Fees have the tax rate of the market, whatever the store's rate is. */
const MARKET_VAT_BPS = 2000

export type ModelFulfillmentType = 'delivery' | 'pickup' | 'dine_in'
export type FoodPaymentMethod = 'card' | 'wallet' | 'cash' | 'pay_at_table'
export type FoodModelStatus =
  | 'placed'
  | 'accepted'
  | 'preparing'
  | 'ready'
  | 'out_for_delivery'
  | 'completed'
  | 'rejected'
  | 'cancelled'
  | 'failed'

export type ModelGroup = {
  id: string
  name: string
  min: number
  max: number | null
  repeats: boolean
  modifiers: { id: string; name: string; delta: number; available: boolean }[]
}

export type ModelItem = {
  id: string
  store: ModelStore
  category: ModelCategory
  name: string
  description: string | null
  price: number
  groups: ModelGroup[]
  available: boolean
  until: number | null
  deleted: boolean
  version: number
  updated: number
  ref: string | null
  barcode: string | null
  taxBps: number | null
}

export type ModelCategory = { id: string; name: string }

/** A store of the model. Its hours apply to every day, in a zone that equals UTC in November. */
export type ModelStore = {
  id: string
  name: string
  kind: 'restaurant' | 'grocery' | 'shop'
  owner: string
  point: { latitude: number; longitude: number }
  /** Minutes of the day; a closing time at or before the opening is on the next day. */
  hours: { opens: number; closes: number }
  types: ModelFulfillmentType[]
  methods: FoodPaymentMethod[]
  auto: boolean
  fees: { delivery: number; minimum: number; small: number | null; service: number }
  radius: number
  prep: number
  tax: { included: boolean; bps: number }
  capacity: number
  tables: string[]
  /** Accepts no orders for now, whatever the hour. */
  paused: boolean
  items: ModelItem[]
  categories: ModelCategory[]
  menuVersion: number
}

export type ModelOrderLine = {
  item: ModelItem
  /** The name in the quote. */
  name: string
  quantity: number
  unit: number
  picks: { id: string; delta: number; quantity: number }[]
}

export type ModelPrice = {
  subtotal: number
  fees: Record<string, number>
  fees_total: number
  discount_total: number
  tax_total: number
  total: number
}

export type FoodModelQuote = {
  id: string
  account: string
  kind: 'food' | 'ride'
  expires: number
  usedBy: string | undefined
  store: ModelStore
  type: ModelFulfillmentType
  lines: ModelOrderLine[]
  price: ModelPrice
  scheduled: number | undefined
  table: string | undefined
}

export type ModelOrder = {
  id: string
  account: string
  quote: FoodModelQuote
  status: FoodModelStatus
  history: { status: FoodModelStatus; at: number }[]
  placed: number
  pays: {
    method: FoodPaymentMethod
    status: 'unpaid' | 'paid' | 'refund_pending' | 'refunded' | 'failed'
    processor: boolean
    paidAt: number | undefined
    /** A card payment that is pending. */
    pending: boolean
  }
  refund: { status: 'pending' | 'succeeded'; destination: string; at: number } | undefined
  check: { id: string; open: boolean } | undefined
  /** The part of the store's capacity that the order holds. */
  claim: { starts: number; unit: string } | undefined
  rejection: string | undefined
}

export type FoodModel = Model<ModelPerson & { wallet: number }> & {
  stores: ModelStore[]
  quotes: FoodModelQuote[]
  /** Oldest first. */
  orders: ModelOrder[]
}

// Money.

/** Returns a share in basis points, rounded half away from zero. */
function bps(amount: number, rate: number): number {
  return Math.floor((amount * rate + 5000) / 10_000)
}

/** Returns an amount without the tax in it. */
function net(gross: number, rate: number): number {
  const whole = 10_000 + rate
  return Math.floor((gross * 20_000 + whole) / (2 * whole))
}

export function lineTotal({ quantity, unit, picks }: ModelOrderLine): number {
  return quantity * (unit + picks.reduce((sum, pick) => sum + pick.quantity * pick.delta, 0))
}

/** Returns the price of a basket. */
export function priceOf(
  store: ModelStore,
  type: ModelFulfillmentType,
  lines: readonly ModelOrderLine[],
  { member, tip }: { member: boolean; tip: number },
): ModelPrice {
  const totals = lines.map(lineTotal)
  const subtotal = totals.reduce((sum, total) => sum + total, 0)
  const fees: Record<string, number> = {}
  if (type === 'delivery') {
    fees['delivery_fee'] = store.fees.delivery
    if (subtotal < store.fees.minimum) fees['small_order_fee'] = store.fees.small ?? 0
    fees['courier_tip'] = tip
  }
  fees['service_fee'] = store.fees.service
  for (const [name, amount] of Object.entries(fees)) if (amount === 0) delete fees[name]
  const fees_total = Object.values(fees).reduce((sum, fee) => sum + fee, 0)
  const discount_total = member ? bps(subtotal, 1000) : 0
  const byRate = new Map<number, number>([[MARKET_VAT_BPS, fees_total - (fees['courier_tip'] ?? 0)]])
  for (const [index, part] of spread(discount_total, totals).entries()) {
    const rate = lines[index]?.item.taxBps ?? store.tax.bps
    byRate.set(rate, (byRate.get(rate) ?? 0) + (totals[index] ?? 0) - part)
  }
  const tax_total = [...byRate].reduce(
    (sum, [rate, amount]) => sum + (store.tax.included ? amount - net(amount, rate) : bps(amount, rate)),
    0,
  )
  const total = subtotal + fees_total - discount_total + (store.tax.included ? 0 : tax_total)
  return { subtotal, fees, fees_total, discount_total, tax_total, total }
}

/** Splits an amount pro rata by largest remainder: whole parts that add up. */
function spread(amount: number, over: readonly number[]): number[] {
  const whole = over.reduce((sum, each) => sum + each, 0)
  if (whole === 0) return over.map(() => 0)
  const parts = over.map((each) => Math.floor((amount * each) / whole))
  const left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = over
    .map((each, index) => ({ index, remainder: (amount * each) % whole }))
    .toSorted((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1
  return parts
}

// Stores.

export function isOpen(store: ModelStore, at: number): boolean {
  return !store.paused && isWithinHours(store, at)
}

function isWithinHours({ hours: { opens, closes } }: ModelStore, at: number): boolean {
  const minute = (at % DAY) / MINUTE
  return closes > opens ? minute >= opens && minute < closes : minute >= opens || minute < closes
}

/** Returns when the store opens next; `at` itself while it is open. */
function opensAt(store: ModelStore, at: number): number {
  if (isWithinHours(store, at)) return at
  const today = at - (at % DAY) + store.hours.opens * MINUTE
  return today > at ? today : today + DAY
}

/** Returns whether an item can be ordered now: by its switch or its date, and with every required choice possible. */
export function isOnSale({ available, until, groups, deleted }: ModelItem, now: number): boolean {
  const on = available || (until !== null && until <= now)
  const choosable = groups.every(
    ({ min, modifiers }) => min === 0 || modifiers.some((each) => each.available),
  )
  return !deleted && on && choosable
}

export function foldModelName(name: string): string {
  return name.trim().toLowerCase()
}

export function living(store: ModelStore): ModelItem[] {
  return store.items.filter(({ deleted }) => !deleted)
}

// Quotes.

export type ModelQuoteRequest = {
  account: string
  store: ModelStore | undefined
  type: ModelFulfillmentType
  lines: { item: ModelItem | undefined; quantity: number; picks: { id: string; quantity: number }[] }[]
  dropoff: { latitude: number; longitude: number } | 'nowhere' | undefined
  table: string | undefined
  scheduled: number | undefined
}

/** Returns the possible errors of a basket; empty when it gets a price. */
export function judgeQuote(model: FoodModel, ask: ModelQuoteRequest): ErrorCode[] {
  const { store, type, lines, dropoff } = ask
  if (store === undefined) return ['merchant_not_found']
  if (lines.some(({ item }) => item === undefined || item.deleted || item.store !== store))
    return ['item_not_found']
  const found: ErrorCode[] = []
  if (!store.types.includes(type)) found.push('fulfillment_not_offered')
  if (lines.some(({ item }) => item !== undefined && !isOnSale(item, model.now)))
    found.push('item_unavailable')
  if (lines.some(({ item, picks }) => item !== undefined && !isSelectionRight(item, picks)))
    found.push('invalid_modifier_selection')
  if (dropoff === 'nowhere') found.push('address_unresolvable')
  else if (dropoff !== undefined && metresBetween(dropoff, store.point) > store.radius)
    found.push('outside_delivery_area')
  if (type === 'delivery' && store.fees.small === null && subtotalOf(ask) < store.fees.minimum)
    found.push('minimum_order_not_met')
  return [...found, ...judgeTime(model, store, ask), ...judgeCourier(model, type)]
}

function subtotalOf({ lines }: ModelQuoteRequest): number {
  return toLines(lines).reduce((sum, line) => sum + lineTotal(line), 0)
}

export function toLines(lines: ModelQuoteRequest['lines']): ModelOrderLine[] {
  return lines.flatMap(({ item, quantity, picks }) => {
    if (item === undefined) return []
    const known = new Map(item.groups.flatMap(({ modifiers }) => modifiers.map((each) => [each.id, each])))
    const chosen = picks.map((pick) => ({ ...pick, delta: known.get(pick.id)?.delta ?? 0 }))
    return [{ item, name: item.name, quantity, unit: item.price, picks: chosen }]
  })
}

/** Returns the errors of a scheduled time: outside the hours, or without capacity. */
function judgeTime(
  model: FoodModel,
  store: ModelStore,
  { type, table, scheduled }: Pick<ModelQuoteRequest, 'type' | 'table' | 'scheduled'>,
): ErrorCode[] {
  if (scheduled === undefined) return isOpen(store, model.now) ? [] : ['merchant_closed']
  // The contract leaves open which of the two applies when the store will be closed.
  if (!isWithinHours(store, scheduled)) return ['merchant_closed', 'slot_unavailable']
  return freeUnit(model, store, { type, table, scheduled }) === undefined ? ['slot_unavailable'] : []
}

/** A delivery needs a courier; there are more couriers than deliveries, unless all of them are away. */
function judgeCourier({ couriersAway }: FoodModel, type: ModelFulfillmentType): ErrorCode[] {
  return type === 'delivery' && couriersAway.length > 0 ? ['no_courier_available'] : []
}

/** Returns the capacity that a store would reserve for an order: a table, or a place of the kitchen. */
export function freeUnit(
  model: FoodModel,
  store: ModelStore,
  { type, table, scheduled }: { type: ModelFulfillmentType; table: string | undefined; scheduled: number },
): { starts: number; unit: string } | undefined {
  const starts = scheduled - (scheduled % QUARTER)
  const taken = new Set(
    model.orders
      .filter(({ quote, claim }) => quote.store === store && claim?.starts === starts)
      .map(({ claim }) => claim?.unit),
  )
  const units =
    type === 'dine_in'
      ? [`table:${table ?? ''}`]
      : Array.from({ length: store.capacity }, (_, index) => `kitchen:${index + 1}`)
  const unit = units.find((each) => !taken.has(each))
  return unit === undefined ? undefined : { starts, unit }
}

function isSelectionRight(
  { groups }: ModelItem,
  picks: ModelQuoteRequest['lines'][number]['picks'],
): boolean {
  const known = new Set(groups.flatMap(({ modifiers }) => modifiers.map(({ id }) => id)))
  if (picks.some(({ id }) => !known.has(id))) return false
  return groups.every(({ modifiers, min, max, repeats }) => {
    const own = picks.filter(({ id }) => modifiers.some((each) => each.id === id))
    const count = own.reduce((sum, { quantity }) => sum + quantity, 0)
    if (own.some(({ id }) => modifiers.find((each) => each.id === id)?.available === false)) return false
    if (!repeats && own.some(({ quantity }) => quantity > 1)) return false
    return count >= min && (max === null || count <= max)
  })
}

// Orders.

export type ModelConfirmation = {
  account: string
  quote: FoodModelQuote | undefined
  method: FoodPaymentMethod
  token: string | undefined
  expected: number | undefined
}

/** Returns the possible errors of a confirm. */
export function judgePlace(
  model: FoodModel,
  { account, quote, method, token, expected }: ModelConfirmation,
): ErrorCode[] {
  if (quote === undefined || quote.account !== account) return ['quote_not_found']
  if (quote.kind !== 'food') return ['quote_mismatch']
  if (quote.usedBy !== undefined) return ['quote_already_used']
  // An unused quote is deleted a day later, sooner or later.
  if (model.now >= quote.expires + DAY) return ['quote_expired', 'quote_not_found']
  if (model.now >= quote.expires) return ['quote_expired']
  const mismatch: ErrorCode[] =
    expected !== undefined && expected !== quote.price.total ? ['quote_mismatch'] : []
  const missing: ErrorCode[] = quote.lines.some((line) => !canStillBeHad(line, model.now))
    ? ['item_unavailable']
    : []
  const wallet = model.people.get(account)?.wallet ?? 0
  return [
    ...mismatch,
    ...missing,
    ...judgeTime(model, quote.store, quote),
    // nobody is looked for before the payment has settled
    ...(token === 'tok_pending' ? [] : judgeCourier(model, quote.type)),
    ...judgePayment(quote, { method, token, wallet }),
  ]
}

function judgePayment(
  { store, type, price }: FoodModelQuote,
  { method, token, wallet }: { method: FoodPaymentMethod; token: string | undefined; wallet: number },
): ErrorCode[] {
  const found: ErrorCode[] = []
  if (!store.methods.includes(method) || (method === 'pay_at_table' && type !== 'dine_in'))
    found.push('payment_method_not_accepted')
  if (token === 'tok_declined') found.push('payment_declined')
  if (method === 'wallet' && wallet < price.total) found.push('insufficient_funds')
  return found
}

function canStillBeHad({ item, picks }: ModelOrderLine, now: number): boolean {
  const known = item.groups.flatMap(({ modifiers }) => modifiers)
  return (
    isOnSale(item, now) && picks.every(({ id }) => known.some((each) => each.id === id && each.available))
  )
}

/** Returns when an order that is not accepted is rejected. */
export function modelAcceptDeadline({ quote, placed, pays }: ModelOrder): number {
  const { store, scheduled } = quote
  const base = Math.max(
    pays.paidAt ?? placed,
    opensAt(store, placed),
    scheduled === undefined ? 0 : scheduled - store.prep * MINUTE - 30 * MINUTE,
  )
  return base + ACCEPT_WITHIN
}

export type ModelStoreAction = 'accept' | 'preparing' | 'ready' | 'complete' | 'reject'

const FROM: Readonly<Record<ModelStoreAction, readonly FoodModelStatus[]>> = {
  accept: ['placed'],
  preparing: ['accepted'],
  ready: ['accepted', 'preparing'],
  complete: ['accepted', 'preparing', 'ready'],
  reject: ['placed', 'accepted', 'preparing', 'ready'],
}

/** Returns the error of the store's action: the first that applies (docs/rules/food-and-stores.md#the-order-of-the-errors-of-a-store). */
export function judgeAction(
  { status, quote, pays, check }: ModelOrder,
  action: ModelStoreAction,
): ErrorCode[] {
  const prepaid = pays.method === 'card' || pays.method === 'wallet'
  if (action === 'complete' && quote.type === 'delivery') return ['fulfillment_type_mismatch']
  if (!FROM[action].includes(status)) return ['invalid_state']
  if (action === 'complete' && check?.open === true) return ['table_check_open']
  if ((action === 'accept' || action === 'complete') && prepaid && pays.status !== 'paid')
    return ['payment_required']
  return []
}

export function isCancellableOrder({ status }: ModelOrder): boolean {
  return status === 'placed' || status === 'accepted'
}

export function hasOrderEnded({ status }: ModelOrder): boolean {
  return ORDER_TRANSITIONS[status]?.length === 0
}

export function move(order: ModelOrder, status: FoodModelStatus, at: number): void {
  if (ORDER_TRANSITIONS[order.status]?.includes(status) !== true)
    throw new Error(`${order.status} never leads to ${status}`)
  order.status = status
  order.history.push({ status, at })
}

/** Ends an order without its goods: the money is refunded once, and its capacity is released. */
export function returnOrderStock(
  model: FoodModel,
  order: ModelOrder,
  how: 'rejected' | 'called off',
  at: number,
): void {
  const { pays } = order
  order.claim = undefined
  if (order.check !== undefined) order.check.open = false
  if (pays.status === 'unpaid') pays.status = 'failed'
  if (pays.status !== 'paid') return
  if (pays.processor) {
    order.refund = { status: 'pending', destination: 'card_via_store_processor', at }
    pays.status = 'refund_pending'
    return
  }
  // The platform cannot give back cash that the store has.
  const isStores = pays.method !== 'card' && pays.method !== 'wallet' && order.quote.type !== 'delivery'
  const destination = how === 'rejected' || isStores ? 'platform_wallet' : 'original_method'
  order.refund = { status: 'succeeded', destination, at }
  pays.status = 'refunded'
  const person = model.people.get(order.account)
  const toWallet = how === 'rejected' || isStores || pays.method === 'wallet'
  if (person !== undefined && toWallet) person.wallet += order.quote.price.total
}

export function quoteExpiry(created: number): number {
  return created + QUOTE_TTL
}
