/**
 * The price of a courier delivery (docs/rules/deliveries.md#the-price-is-base-distance-and-size). Pure; the quote and the
 * charge use the same function.
 */
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import { type Money, computeIncludedTax } from '../../../core/money.ts'
import type { ParcelSize, RunLine } from '../../couriers/rules.ts'

export type RunPrice = {
  lines: RunLine[]
  /** The sum of the lines, tax included. */
  total: Money
  tax_included: Money
}

/** The price list, in minor units. */
const BASE = 350
const PER_KM = 95
const BY_SIZE: Readonly<Record<ParcelSize, number>> = { small: 0, medium: 150, large: 300, xl: 600 }

/** Prices a delivery: each component is rounded half up, and a size without a surcharge has no line. */
export function priceRun(metres: number, size: ParcelSize, currency: string): RunPrice {
  const distance = Math.floor((PER_KM * metres + 500) / 1000)
  const parts = [
    { type: 'base', amount: BASE },
    { type: 'distance', amount: distance },
    ...(BY_SIZE[size] === 0 ? [] : [{ type: 'size' as const, amount: BY_SIZE[size] }]),
  ] as const
  const total = { amount: parts.reduce((sum, { amount }) => sum + amount, 0), currency }
  return {
    lines: parts.map(({ type, amount }) => ({ type, amount: { amount, currency } })),
    total,
    tax_included: computeIncludedTax(total, MARKET_TAX_BPS),
  }
}
