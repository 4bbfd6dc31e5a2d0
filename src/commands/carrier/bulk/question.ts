/** Words about a set of parcels. */
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import type { Parcel } from './parcels.ts'

/** The names that a question shows of a set. */
const SHOWN = 3

export function formatParcelCount(count: number): string {
  return count === 1 ? '1 parcel' : `${count} parcels`
}

/** Returns the first names of parcels, and how many there are more. */
export function namesOf(parcels: readonly Parcel[]): string {
  const names = parcels.slice(0, SHOWN).map(({ reference, tracking_number }) => reference ?? tracking_number)
  const more = parcels.length > SHOWN ? [`${parcels.length - SHOWN} more`] : []
  return [...names, ...more].join(', ')
}

/** Returns the prices of parcels, in each currency. */
export function formatPriceTotals(parcels: readonly { price: { total: Money } }[]): string {
  const currencies = Map.groupBy(parcels, ({ price }) => price.total.currency)
  return [...currencies]
    .map(([currency, each]) =>
      formatGroupedMoney({ amount: each.reduce((sum, { price }) => sum + price.total.amount, 0), currency }),
    )
    .join(' and ')
}
