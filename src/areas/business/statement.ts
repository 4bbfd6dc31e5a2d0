/**
 * A store's statement of a stretch of time
 * (docs/rules/money.md#one-statement-for-every-reader): what it sold, the tax in it, what it holds for others, who
 * collected it, and what it is due. Pure; amounts are in minor units. A sale counts when its payment is captured
 * (docs/rules/money.md#a-sale-counts-when-it-is-paid), a refund
 * when it is made.
 */
import type { Money } from '../../core/money.ts'
import { formatTimeRange, type TimeRange } from '../../core/period.ts'
import type { EntrySum, EntrySums } from '../orders/queries/store-entries.ts'
import type { Payment } from '../payments/rules/payment.ts'
import { sum } from '../payments/rules/price.ts'
import type { DayStatement } from './statement-schema.ts'

/** The name of the section of an item that is not known any more. */
const NO_SECTION = 'Other'

type MoneyOf = (amount: number) => Money

type Frame = {
  stretch: TimeRange
  merchant_id: string
  currency: string
  /** The balances of the ledger before the stretch, and at its end. */
  opening: number
  closing: number
  payouts: number
  unpaid: DayStatement['unpaid']
}

/** Returns the statement of entries by their sums; `sections` are those of the menu by the items of the sums. */
export function makeStatement(
  { entries, parts }: EntrySums,
  sections: ReadonlyMap<string, string>,
  { stretch, merchant_id, currency, unpaid, ...ledger }: Frame,
): DayStatement {
  const money = (amount: number): Money => ({ amount, currency })
  const total = (
    column: 'amount' | 'fees' | 'tips' | 'platform_discount' | 'store_discount',
    of = entries,
  ): number => sum(of.map((each) => each[column]))
  const dueOf = (of: readonly EntrySum[]): number => sum(of.map(({ share, collected }) => share + collected))
  const refunds = entries.filter(({ kind }) => kind === 'refund')
  const own = refunds.filter(({ borne_by }) => borne_by !== 'platform')
  const goods = sumBy(
    parts.filter(({ kind }) => kind === 'goods'),
    ({ key }) => sections.get(key) ?? NO_SECTION,
    ({ net }) => net,
  )
  const back = sumBy(
    own,
    ({ reason }) => reason ?? 'other',
    ({ goods_back }) => goods_back,
  )
  const discounts = { platform: total('platform_discount'), store: total('store_discount') }
  const net = sum([...goods.values()]) - discounts.store - sum([...back.values()])
  return {
    merchant_id,
    ...formatTimeRange(stretch),
    currency,
    orders: sum(entries.map((each) => (each.kind === 'capture' ? each.entries : 0))),
    opening: money(ledger.opening),
    gross_goods: [...goods].map(([section, amount]) => ({ section, amount: money(amount) })),
    discounts: { platform: money(discounts.platform), store: money(discounts.store) },
    refunded_goods: [...back].map(([reason, amount]) => ({ reason, amount: money(amount) })),
    net_sales: money(net),
    vat: taxesOf(parts, money),
    held: { fees: money(total('fees')), tips: money(total('tips')) },
    borne_by_platform: money(
      total(
        'amount',
        refunds.filter(({ borne_by }) => borne_by === 'platform'),
      ),
    ),
    payments: paymentsOf(entries, money),
    unpaid,
    payouts: money(ledger.payouts),
    earlier: money(dueOf(entries.filter(({ is_posted }) => !is_posted))),
    due: money(ledger.opening + dueOf(entries.filter(({ is_posted }) => is_posted)) - ledger.payouts),
    closing: money(ledger.closing),
  }
}

function taxesOf(parts: EntrySums['parts'], money: MoneyOf): DayStatement['vat'] {
  return parts
    .filter(({ kind, net, vat }) => kind === 'vat' && (net !== 0 || vat !== 0))
    .map(({ key, net, vat }) => ({
      rate_bps: Number(key),
      net: money(net),
      vat: money(vat),
      gross: money(net + vat),
    }))
    .toSorted((a, b) => b.rate_bps - a.rate_bps)
}

function paymentsOf(entries: readonly EntrySum[], money: MoneyOf): DayStatement['payments'] {
  const moved = entries.filter(({ kind }) => kind !== 'adjustment')
  const keyOf = ({ method, collected_by }: EntrySum): string => `${method} ${collected_by}`
  const captured = sumBy(moved, keyOf, ({ kind, amount }) => (kind === 'capture' ? amount : 0))
  const refunded = sumBy(moved, keyOf, ({ kind, amount }) => (kind === 'refund' ? amount : 0))
  return [...captured].map(([key, amount]) => {
    const [method, collected_by] = key.split(' ') as [Payment['method'], Payment['collected_by']]
    return { method, collected_by, captured: money(amount), refunded: money(refunded.get(key) ?? 0) }
  })
}

/** Returns sums by a key, in the order of the keys. */
function sumBy<T>(
  all: readonly T[],
  keyOf: (each: T) => string,
  amountOf: (each: T) => number,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const each of all) sums.set(keyOf(each), (sums.get(keyOf(each)) ?? 0) + amountOf(each))
  return new Map([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
