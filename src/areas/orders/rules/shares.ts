/**
 * The parts of an order's money
 * (docs/rules/money.md#an-order-has-three-parts): those of store, platform and courier, and the share of each in a refund.
 * Pure, in minor units of the order's currency. The parts add up to what the customer pays.
 */
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import type { Collector, Payment, Refund } from '../../payments/rules/payment.ts'
import { type PricedBasket, allocateByWeight, sum, taxOn } from '../../payments/rules/price.ts'

/** The units that an adjustment took of a line, their cost to the customer, and their worth to the store. */
export type LineTaken = {
  line_id: string
  quantity: number
  cost: number
  worth: number
  /** The replacement: a line of its own, at the rate of its own tax. */
  back?: { line_id: string; cost: number; worth: number; tax_rate_bps: number }
}

/** An adjustment, as far as sums need it. Without a refund it came before the payment, or, with `free_at`, changed no money. */
type PricedAdjustment = { lines: readonly LineTaken[]; refund_id: string | null; free_at?: number }

export type PricedOrder = Omit<PricedBasket, 'subtotal' | 'tax_total'> & {
  adjustments?: readonly PricedAdjustment[]
}

export type LineMoney = {
  line_id: string
  quantity: number
  tax_rate_bps: number
  /** The line less its share of all discounts: the customer's. */
  cost: number
  /** The line less its share of the store's own discounts: the store's. */
  worth: number
}

/** The parts of an order, as they are now. */
export type OrderParts = {
  store: number
  platform: number
  courier: number
  /** The goods of the store, without tax where it is added, by the rate of their tax. */
  goods: ReadonlyMap<number, number>
  /** The store's tax, by rate. */
  vat: ReadonlyMap<number, { net: number; tax: number }>
  fees: number
  /** The discounts of each party on the goods that are left. */
  discounts: { platform: number; store: number }
}

/** Returns the cost of each line to its customer and its worth to its store, before anything was removed. */
function lineMoney({ lines, discounts }: Pick<PricedOrder, 'lines' | 'discounts'>): LineMoney[] {
  const totals = lines.map(({ total }) => total.amount)
  const shares = (funders: readonly string[]): number[] =>
    allocateByWeight(
      sum(discounts.flatMap(({ funded_by, amount }) => (funders.includes(funded_by) ? amount.amount : []))),
      totals,
    )
  const [all, own] = [shares(['platform', 'store']), shares(['store'])]
  return lines.map(({ line_id, quantity, tax_rate_bps, total: { amount } }, at) => ({
    line_id,
    quantity,
    tax_rate_bps,
    cost: amount - (all[at] ?? 0),
    worth: amount - (own[at] ?? 0),
  }))
}

/** Returns the lines from which units can be taken: those of the order, and their replacements. */
export function linesOf(sold: Pick<PricedOrder, 'lines' | 'discounts' | 'adjustments'>): LineMoney[] {
  const replaced = takenOf(sold).flatMap(({ quantity, back }) => (back ? [{ quantity, ...back }] : []))
  return [...lineMoney(sold), ...replaced]
}

/** Returns the line as ordered for one that replaces it: `line_1` for `line_1.2`. */
export function toOrderedLineId(lineId: string): string {
  return lineId.split('.', 1)[0] ?? lineId
}

/** Returns all that the adjustments of an order took. */
export function takenOf({ adjustments = [] }: Pick<PricedOrder, 'adjustments'>): LineTaken[] {
  return adjustments.flatMap(({ lines }) => lines)
}

/** Returns the parts of an order from which some of its lines were taken. */
export function computeOrderParts(sold: PricedOrder, taken: readonly LineTaken[]): OrderParts {
  const included = sold.prices_include_tax
  const goods = new Map<number, number>()
  const costs = new Map<number, number>()
  const add = (rate: number, { cost, worth }: { cost: number; worth: number }, sign: 1 | -1 = 1): void => {
    goods.set(rate, (goods.get(rate) ?? 0) + sign * worth)
    costs.set(rate, (costs.get(rate) ?? 0) + sign * cost)
  }
  const lines = lineMoney(sold)
  const backs = taken.flatMap(({ back }) => back ?? [])
  const rates = new Map([...lines, ...backs].map(({ line_id, tax_rate_bps }) => [line_id, tax_rate_bps]))
  for (const line of [...lines, ...backs]) add(line.tax_rate_bps, line)
  for (const { line_id, ...off } of taken) add(rates.get(line_id) ?? 0, off, -1)
  const cost = sum([...costs.values()])
  const worth = sum([...goods.values()])
  const tip = sum(sold.fees.flatMap(({ type, amount }) => (type === 'courier_tip' ? amount.amount : [])))
  const fees = sum(sold.fees.map(({ amount }) => amount.amount)) - tip
  const vat = new Map([...goods].map(([rate, base]) => [rate, taxOn(base, rate, included)]))
  const storeTax = included ? 0 : sum([...vat.values()].map(({ tax }) => tax))
  const store = worth + storeTax
  const total = cost + fees + tip + (included ? 0 : customerTax(costs, fees))
  const listed = sum(sold.lines.map((line) => line.total.amount))
  const own = listed - sum(lines.map((line) => line.worth))
  return {
    store,
    platform: total - store - tip,
    courier: tip,
    goods,
    vat,
    fees,
    discounts: { platform: worth - cost, store: own },
  }
}

/** The tax that is added for the customer, on goods and fees together. */
function customerTax(costs: ReadonlyMap<number, number>, fees: number): number {
  const bases = new Map(costs)
  bases.set(MARKET_TAX_BPS, (bases.get(MARKET_TAX_BPS) ?? 0) + fees)
  return sum([...bases].map(([rate, base]) => taxOn(base, rate, false).tax))
}

/** Returns what the customer pays for the parts. */
export function sumOrderParts({ store, platform, courier }: OrderParts): number {
  return store + platform + courier
}

/** Returns the goods of the store, without tax where it is added. */
export function goodsOf({ goods }: Pick<OrderParts, 'goods'>): number {
  return sum([...goods.values()])
}

/** The parts of an order that came to nothing. */
const NOTHING: OrderParts = {
  store: 0,
  platform: 0,
  courier: 0,
  goods: new Map(),
  vat: new Map(),
  fees: 0,
  discounts: { platform: 0, store: 0 },
}

/** A capture adds the parts of an order, and a refund takes some of them. */
export type OrderBookEntry = {
  at: number
  kind: 'capture' | 'refund'
  /** The amount that the customer paid or got back. */
  amount: number
  before: OrderParts
  after: OrderParts
  refund?: Refund
}

type CollectedPayment = Pick<Payment, 'amount' | 'paid_at' | 'refunds' | 'collected_by'>

/**
 * Returns the entries of an order in the books of its store, in the order of their time. A refund takes the lines of its
 * adjustment, or else all that is left. The platform's refunds leave goods and tax of the store as they are.
 */
export function listOrderBookEntries(sold: PricedOrder, payment: CollectedPayment): OrderBookEntry[] {
  if (payment.paid_at === null) return []
  const adjustments = sold.adjustments ?? []
  const unpaid = adjustments.filter(({ refund_id, free_at }) => refund_id === null && free_at === undefined)
  const taken = takenOf({ adjustments: unpaid })
  let now = computeOrderParts(sold, taken)
  const entries: OrderBookEntry[] = [
    { at: payment.paid_at, kind: 'capture', amount: payment.amount.amount, before: NOTHING, after: now },
  ]
  for (const { at, refund, adjusted } of changesOf(adjustments, payment.refunds)) {
    const before = now
    if (refund?.borne_by !== 'platform') taken.push(...(adjusted?.lines ?? []))
    const amount = refund?.amount.amount ?? 0
    now = partsAfter(sold, before, { amount, borne_by: refund?.borne_by }, adjusted && taken)
    entries.push({ at, kind: 'refund', amount, before, after: now, ...(refund !== undefined && { refund }) })
  }
  return entries
}

type Change = { at: number; refund?: Refund; adjusted?: PricedAdjustment | undefined }

/** Returns the changes after the payment, in the order of their time: refunds, and adjustments that changed no money. */
function changesOf(adjustments: readonly PricedAdjustment[], refunds: readonly Refund[]): Change[] {
  const free = adjustments.flatMap((adjusted) =>
    adjusted.free_at === undefined ? [] : [{ at: adjusted.free_at, adjusted }],
  )
  const paid = refunds
    .filter(({ status }) => status !== 'failed')
    .map((refund) => ({
      at: refund.created_at,
      refund,
      adjusted: adjustments.find(({ refund_id }) => refund_id === refund.refund_id),
    }))
  // At one time, the refund of the whole order comes last.
  return [...free, ...paid].toSorted((a, b) => a.at - b.at)
}

/** `taken` are the lines that the order has lost by then; nothing is left of one that was given back as a whole. */
function partsAfter(
  sold: PricedOrder,
  before: OrderParts,
  { borne_by, amount }: { amount: number; borne_by: Refund['borne_by'] | undefined },
  taken: readonly LineTaken[] | undefined,
): OrderParts {
  if (borne_by === 'platform') return { ...before, platform: before.platform - amount }
  if (taken === undefined) return NOTHING
  const next = computeOrderParts(sold, taken)
  // The platform keeps the refunds that it bore earlier.
  return { ...next, platform: sumOrderParts(before) - amount - next.store - next.courier }
}

/**
 * Returns by how much an entry changes what the platform owes the store
 * (docs/rules/money.md#what-the-platform-owes-a-store): by the change of the store's part, less what the store
 * itself collected, and plus what its processor gave back.
 */
export function dueOf(entry: OrderBookEntry, collectedBy: Collector): number {
  return entry.after.store - entry.before.store + collectedOf(entry, collectedBy)
}

/** Returns the part of `dueOf` by money in the store's own hands: below 0 for what it collected. */
export function collectedOf({ kind, amount, refund }: OrderBookEntry, collectedBy: Collector): number {
  if (kind === 'capture') return collectedBy === 'platform' ? 0 : -amount
  return refund?.destination === 'card_via_store_processor' ? amount : 0
}

/** Returns the parts of an order that are left: as quoted, less what was removed and went back. */
export function partsLeft(sold: PricedOrder, payment: CollectedPayment): OrderParts {
  return listOrderBookEntries(sold, payment).at(-1)?.after ?? computeOrderParts(sold, takenOf(sold))
}
