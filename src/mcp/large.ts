/** Amounts within a purchase that are high for their kind: a person is asked about them where nothing else needs one. */
import { type CeilingName, isLarge } from '../core/ceilings.ts'
import type { Money } from '../core/money.ts'
import { toMoneyOrUndefined } from './prices.ts'
import type { ShownPrice } from './prices.ts'

type Input = Readonly<Record<string, unknown>>

/** Returns whether a tip, the goods of a courier, or what a parcel is insured for or collects reaches a fifth of its ceiling. */
export function hasLargeAmount(input: Input, shown: ShownPrice | undefined): boolean {
  return [...listQuotedAmounts(shown), ...rowsOf(input).flatMap(ofParcel)].some(([capped, money, atLeast]) =>
    isLarge(capped, money, atLeast),
  )
}

type Amount = readonly [capped: CeilingName, money: Money, atLeast?: number]

function listQuotedAmounts(shown: ShownPrice | undefined): Amount[] {
  const quote = shown?.quote
  if (quote?.kind === 'delivery')
    return quote.parcel.value === null ? [] : [['courier_goods', quote.parcel.value]]
  if (quote?.kind !== 'food') return []
  const tips = quote.fees.filter(({ type }) => type === 'courier_tip')
  return tips.map(({ amount }) => ['tip', amount, quote.subtotal.amount])
}

/** The rows of a manifest, or the one parcel. */
function rowsOf(input: Input): Input[] {
  const { shipments } = input
  return Array.isArray(shipments) ? shipments.filter((row): row is Input => isObject(row)) : [input]
}

function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null
}

function ofParcel({ parcel, options }: Input): Amount[] {
  const amounts = [
    ['insured', isObject(parcel) ? toMoneyOrUndefined(parcel['declared_value']) : undefined],
    ['cash_on_delivery', isObject(options) ? toMoneyOrUndefined(options['cash_on_delivery']) : undefined],
  ] as const
  return amounts.flatMap(([capped, money]): Amount[] => (money === undefined ? [] : [[capped, money]]))
}
