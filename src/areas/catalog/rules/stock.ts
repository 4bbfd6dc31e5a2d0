/** The stock of an item. An item of the fixture is filled up at the start of each business day. */
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { BUSINESS_DAY_START } from '../../../core/period.ts'
import { localDate, localTime } from '../../../core/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type Stock = {
  /** The count on `stock_day`; null where stock is not counted. */
  stock: number | null
  /** The count at the start of each day; null for an item whose owner counts it. */
  restock: number | null
  /** The business day of the count, in days since 1970; null without `restock`. */
  stock_day: number | null
}

/** Returns the business day of an instant, in days since 1970. */
export function computeStockDay(now: number): number {
  const day = Date.parse(localDate(now, MARKET_TIMEZONE)) / DAY_MS
  return localTime(now, MARKET_TIMEZONE) < BUSINESS_DAY_START ? day - 1 : day
}

/** Returns the count of an item at an instant; null where stock is not counted. */
export function stockAt({ stock, restock, stock_day: day }: Stock, now: number): number | null {
  return restock !== null && day !== null && day < computeStockDay(now) ? restock : stock
}

/** Returns the next instant at which a sold-out item may be filled up: an hour ahead at most, as the day may begin then. */
export function looksAgainAt(item: Stock, now: number): number {
  return item.restock !== null && stockAt(item, now) === 0 ? now + HOUR_MS - (now % HOUR_MS) : Infinity
}
