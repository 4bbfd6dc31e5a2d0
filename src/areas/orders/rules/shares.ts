/**
 * The parts of an order's money (`after-the-sale.md` 1): those of store, platform and courier, and the share of each in a refund.
 * Pure, in minor units of the order's currency. The parts add up to what the customer pays.
 */
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import type { Collector, Payment, Refund } from '../../payments/rules/payment.ts'
import { type PricedBasket, spread, sum, taxOn } from '../../payments/rules/price.ts'

/** The units that an adjustment took of a line, their cost to the customer, and their worth to the store. */
export type LineTaken = {
  line_id: string
  quantity: number
  cost: number
  worth: number
  /** The part of it that a replacement puts back, at the rate of its own tax. */
  back?: { cost: number; worth: number; tax_rate_bps: number }
}

/** An adjustment, as far as sums need it; without a refund it came before the payment. */
type Adjusted = { lines: readonly LineTaken[]; refund_id: string | null }

export type Sold = Omit<PricedBasket, 'subtotal' | 'tax_total'> & { adjustments?: readonly Adjusted[] }

type LineMoney = {
  line_id: string
  quantity: number
  tax_rate_bps: number
  /** The line less its share of all discounts: the customer's. */
  cost: number
  /** The line less its share of the store's own discounts: the store's. */
  worth: number
}

/** The parts of an order, as they are now. */
export type Parts = {
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

/** Returns what each line costs its customer, and what it is worth to its store, before anything was taken off. */
function lineMoney({ lines, discounts }: Pick<Sold, 'lines' | 'discounts'>): LineMoney[] {
  const totals = lines.map(({ total }) => total.amount)
  const shares = (funders: readonly string[]): number[] =>
    spread(
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

/** Returns the parts of an order from which some of its lines were taken. */
export function partsOf(sold: Sold, taken: readonly LineTaken[]): Parts {
  const included = sold.prices_include_tax
  const goods = new Map<number, number>()
  const costs = new Map<number, number>()
  const add = (rate: number, { cost, worth }: { cost: number; worth: number }, sign: 1 | -1 = 1): void => {
    goods.set(rate, (goods.get(rate) ?? 0) + sign * worth)
    costs.set(rate, (costs.get(rate) ?? 0) + sign * cost)
  }
  const lines = lineMoney(sold)
  const rates = new Map(lines.map(({ line_id, tax_rate_bps }) => [line_id, tax_rate_bps]))
  for (const line of lines) add(line.tax_rate_bps, line)
  for (const { line_id, back, ...off } of taken) {
    add(rates.get(line_id) ?? 0, off, -1)
    if (back !== undefined) add(back.tax_rate_bps, back)
  }
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
export function totalOf({ store, platform, courier }: Parts): number {
  return store + platform + courier
}

/** The parts of an order that came to nothing. */
const NOTHING: Parts = {
  store: 0,
  platform: 0,
  courier: 0,
  goods: new Map(),
  vat: new Map(),
  fees: 0,
  discounts: { platform: 0, store: 0 },
}

/** A capture adds the parts of an order, and a refund takes some of them. */
export type Entry = {
  at: number
  kind: 'capture' | 'refund'
  /** The amount that the customer paid or got back. */
  amount: number
  before: Parts
  after: Parts
  refund?: Refund
}

type Paid = Pick<Payment, 'amount' | 'paid_at' | 'refunds' | 'collected_by'>

/**
 * Returns the entries of an order in the books of its store, in the order of their time. A refund takes the lines of its
 * adjustment, or else all that is left. What the platform bears leaves goods and tax of the store as they are.
 */
export function entriesOf(sold: Sold, payment: Paid): Entry[] {
  if (payment.paid_at === null) return []
  const adjustments = sold.adjustments ?? []
  const taken = adjustments.flatMap(({ refund_id, lines }) => (refund_id === null ? lines : []))
  let now = partsOf(sold, taken)
  const entries: Entry[] = [
    { at: payment.paid_at, kind: 'capture', amount: payment.amount.amount, before: NOTHING, after: now },
  ]
  for (const refund of payment.refunds.filter(({ status }) => status !== 'failed')) {
    const before = now
    const adjusted = adjustments.find(({ refund_id }) => refund_id === refund.refund_id)
    taken.push(...(adjusted?.lines ?? []))
    now = partsAfter(sold, before, refund, adjusted && taken)
    entries.push({
      at: refund.created_at,
      kind: 'refund',
      amount: refund.amount.amount,
      before,
      after: now,
      refund,
    })
  }
  return entries
}

/** `taken` are the lines that the order has lost by then; nothing is left of one that was given back as a whole. */
function partsAfter(
  sold: Sold,
  before: Parts,
  { borne_by, amount }: Refund,
  taken: readonly LineTaken[] | undefined,
): Parts {
  if (borne_by === 'platform') return { ...before, platform: before.platform - amount.amount }
  if (taken === undefined) return NOTHING
  const next = partsOf(sold, taken)
  // The platform keeps the refunds that it bore earlier.
  return { ...next, platform: totalOf(before) - amount.amount - next.store - next.courier }
}

/**
 * Returns by how much an entry changes what the platform owes the store: by the change of the store's part, less what the store
 * itself collected, and plus what its processor gave back.
 */
export function dueOf({ kind, amount, before, after, refund }: Entry, collectedBy: Collector): number {
  const share = after.store - before.store
  if (kind === 'capture') return share - (collectedBy === 'platform' ? 0 : amount)
  return share + (refund?.destination === 'card_via_store_processor' ? amount : 0)
}

/** Returns the parts of an order that are left: as quoted, less what was taken off and went back. */
export function partsLeft(sold: Sold, payment: Paid): Parts {
  const taken = (sold.adjustments ?? []).flatMap(({ lines }) => lines)
  return entriesOf(sold, payment).at(-1)?.after ?? partsOf(sold, taken)
}
