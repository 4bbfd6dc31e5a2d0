/** Prices a ride. Pure; the amounts of a tariff are in minor units. */
import { type Money, mulBps, computeIncludedTax } from '../../core/money.ts'

/** The price list of one tier. */
export type Tariff = { base_fare: number; per_km: number; per_minute: number; minimum_fare: number }

export const FARE_LINES = [
  'base',
  'distance',
  'time',
  'booking_fee',
  'surge',
  'minimum_topup',
  'balance_due',
] as const
export type FareLineType = (typeof FARE_LINES)[number]

export type Fare = {
  /** The final price, tax included: the sum of the lines. */
  fare: Money
  tax_included: Money
  lines: { type: FareLineType; amount: Money }[]
}

/** Lines that are shown even when they are zero. */
const ALWAYS: readonly FareLineType[] = ['base', 'distance', 'time']

/** The surge factor in basis points without a surge. */
export const PLAIN_BPS = 10_000

type Terms = {
  surge_bps: number
  tax_bps: number
  currency: string
  /** The rider's debt from earlier rides; surge and minimum fare do not apply to it. */
  balance?: number
}

/**
 * Rounds each component, multiplies their sum by the surge, and adds the rest to the minimum fare
 * (docs/rules/rides.md#how-a-fare-is-computed). The fare includes
 * the tax; it is shown, not added.
 */
export function priceRide(
  { base_fare, per_km, per_minute, minimum_fare }: Tariff,
  { road_distance_m, driving_time_seconds }: { road_distance_m: number; driving_time_seconds: number },
  { surge_bps, tax_bps, currency, balance = 0 }: Terms,
): Fare {
  const distance = divide(per_km * road_distance_m, 1000)
  const time = divide(per_minute * driving_time_seconds, 60)
  const sum = base_fare + distance + time
  const surged = mulBps(sum, surge_bps)
  const ride = Math.max(surged, minimum_fare)
  const total = ride + balance
  const amounts: readonly (readonly [type: FareLineType, amount: number])[] = [
    ['base', base_fare],
    ['distance', distance],
    ['time', time],
    ['surge', surged - sum],
    ['minimum_topup', ride - surged],
    ['balance_due', balance],
  ]
  const money = (amount: number): Money => ({ amount, currency })
  return {
    fare: money(total),
    tax_included: computeIncludedTax(money(total), tax_bps),
    lines: amounts
      .filter(([type, amount]) => amount > 0 || ALWAYS.includes(type))
      .map(([type, amount]) => ({ type, amount: money(amount) })),
  }
}

/**
 * The fee of a late cancellation or a no-show, in minor units, and the free time after the driver accepted
 * (docs/rules/rides.md#a-rider-who-does-not-come-pays-the-fee).
 */
const MAX_FEE_MINOR_UNITS = 500
const FREE_FOR_MS = 120_000

/**
 * Returns the cancellation fee: zero before a driver accepts and for two minutes after, then `min(500, fare)`
 * (docs/rules/rides.md#cancelling-is-free-for-two-minutes).
 */
export function cancellationFee(fare: number, acceptedAt: number | null, now: number): number {
  return acceptedAt === null || now <= acceptedAt + FREE_FOR_MS ? 0 : noShowFee(fare)
}

export function noShowFee(fare: number): number {
  return Math.min(MAX_FEE_MINOR_UNITS, fare)
}

/** Divides and rounds half up, in integers; both must be at least 0. */
function divide(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor))
}

const MINUTE = 60_000

/**
 * Returns what goes back of a fare, in minor units, for a driver who came so many milliseconds after the promised time
 * (docs/rules/rides.md#a-late-driver-gives-part-of-the-fare-back).
 */
export function computeLateRefund(fare: number, late: number): number {
  const percent = late > 20 * MINUTE ? 50 : late > 10 * MINUTE ? 20 : 0
  return Math.floor((fare * percent) / 100)
}
