/** The entries of orders in the books of their stores, as they are stored. Pure; amounts in minor units. */
import type { Collector, Payment, PaymentMethod, Refund } from '../../payments/rules/payment.ts'
import { sum } from '../../payments/rules/price.ts'
import {
  collectedOf,
  type OrderBookEntry,
  toOrderedLineId,
  goodsOf,
  type LineTaken,
  type PricedOrder,
} from './shares.ts'

/** Goods of a capture by their item, or the change of a store's tax by its rate in basis points. */
export type EntryPart = { kind: 'goods' | 'vat'; key: string; net: number; vat: number }

export type StoreEntry = {
  merchant_id: string
  order_id: string
  at: number
  /** An adjustment changed no money after the capture; it moves goods between rates of tax only. */
  kind: 'capture' | 'refund' | 'adjustment'
  refund_id: string | null
  method: PaymentMethod
  collected_by: Collector
  reason: string | null
  borne_by: Refund['borne_by']
  /** False for a payment from before balances were kept: it changed none. */
  is_posted: boolean
  /** The amount that the customer paid or got back. */
  amount: number
  /** The change of the store's part of the order. */
  share: number
  /** The change of what the platform owes the store by money in the store's hands: below 0 for money that it collected. */
  collected: number
  /** The goods that the store gave back. */
  goods_back: number
  /** The changes of the platform's fees, the courier's tip and the platform's discounts. */
  fees: number
  tips: number
  platform_discount: number
  /** The store's own discounts, which count at the capture alone. */
  store_discount: number
  parts: EntryPart[]
}

/** An order, as far as its entries name it. */
export type BookedOrder = { order_id: string; merchant_id: string; doc: PricedOrder }

/** Returns an entry of an order as it is stored. */
export function toStoreEntry(
  { order_id, merchant_id, doc }: BookedOrder,
  payment: Payment,
  entry: OrderBookEntry,
): StoreEntry {
  const { at, amount, before, after, refund } = entry
  const isCapture = entry.kind === 'capture'
  const isGoods = refund !== undefined && refund.borne_by !== 'platform'
  return {
    merchant_id,
    order_id,
    at,
    kind: isCapture ? 'capture' : refund === undefined ? 'adjustment' : 'refund',
    refund_id: refund?.refund_id ?? null,
    method: payment.method,
    collected_by: payment.collected_by,
    reason: refund?.reason ?? null,
    borne_by: refund?.borne_by ?? null,
    is_posted: payment.share !== null,
    amount,
    // None was posted for an adjustment without money.
    share: isCapture || refund !== undefined ? after.store - before.store : 0,
    collected: collectedOf(entry, payment.collected_by),
    goods_back: isGoods ? goodsOf(before) - goodsOf(after) : 0,
    fees: after.fees - before.fees,
    tips: after.courier - before.courier,
    platform_discount: after.discounts.platform - before.discounts.platform,
    store_discount: isCapture ? after.discounts.store : 0,
    parts: [...(isCapture ? goodsSold(doc) : []), ...taxChanges(entry)],
  }
}

/** Returns the goods of an order at its capture. Lines removed before the payment were never sold. */
function goodsSold({ lines, adjustments = [] }: PricedOrder): EntryPart[] {
  const taken = adjustments.flatMap((each) =>
    each.refund_id === null && each.free_at === undefined ? each.lines : [],
  )
  const goods = new Map<string, number>()
  for (const { line_id, item_id, total } of lines) {
    const off = taken.filter((each) => toOrderedLineId(each.line_id) === line_id).map(worthOf)
    goods.set(item_id, (goods.get(item_id) ?? 0) + total.amount - sum(off))
  }
  return [...goods].map(([key, net]) => ({ kind: 'goods', key, net, vat: 0 }))
}

function worthOf({ worth, back }: LineTaken): number {
  return worth - (back?.worth ?? 0)
}

function taxChanges({ before, after }: OrderBookEntry): EntryPart[] {
  const rates = [...new Set([...before.vat.keys(), ...after.vat.keys()])]
  return rates.flatMap((rate) => {
    const [old, now] = [before.vat.get(rate), after.vat.get(rate)]
    const net = (now?.net ?? 0) - (old?.net ?? 0)
    const vat = (now?.tax ?? 0) - (old?.tax ?? 0)
    return net === 0 && vat === 0 ? [] : { kind: 'vat' as const, key: String(rate), net, vat }
  })
}
