/** The money that a late or broken run gives back. Pure. */

const MAX_LATE_MS = 15 * 60_000
/** The most that damaged goods give, in minor units of the market's currency. */
const MAX_GOODS_VALUE = 25_000

/** The amount of each reason, in minor units; 0 where the record does not bear it out. */
export type RunWorth = { late: number; damaged: number }

/**
 * Returns what a run gives, by the price that was paid and the value of its goods, in minor units, and its lateness in milliseconds
 * (docs/rules/deliveries.md#a-late-or-broken-run-is-paid-back).
 */
export function findRunWorth({
  price,
  value,
  lateMs,
  isDamaged,
}: {
  price: number
  value: number | null
  lateMs: number
  isDamaged: boolean
}): RunWorth {
  return {
    late: lateMs > MAX_LATE_MS ? price : 0,
    damaged: isDamaged ? Math.min(value ?? price, MAX_GOODS_VALUE) : 0,
  }
}
