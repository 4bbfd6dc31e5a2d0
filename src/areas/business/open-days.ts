/** The business days of a store that are not closed yet, and which of them have ended. */
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { lastClosingIn } from '../../core/opening-hours.ts'
import { businessDateOf, businessDayRange, BUSINESS_DAY_START } from '../../core/period.ts'
import { addDays, toTimestamp } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { listStoreOrders } from '../orders/queries/orders.ts'
import { findFirstStoreEntry } from '../orders/queries/store-entries.ts'
import { ACTIVE_ORDER_STATUSES } from '../orders/states.ts'
import { findFirstLedgerEntry } from '../payments/queries/sales.ts'
import { promisedAt } from './books.ts'

type Reader = Pick<OperationContext, 'tx'>

/** The days that a close takes. */
export type OpenDays = {
  /** In order, without a gap. */
  dates: string[]
  /** The number of all open days that have ended. */
  ended: number
  /** The last of `dates`, if it has not ended. */
  running: string | undefined
}

type OpenDaysRequest = {
  at: number
  /** The last day to close; undefined for those that have ended. */
  through: string | undefined
  /** The last closed day; undefined before the first. */
  last: string | undefined
}

/** Returns the open days up to the wanted one. Throws for a day that is closed or has not begun, and where none has ended. */
export async function findOpenDays(
  { tx }: Reader,
  store: MerchantRecord,
  { at, through, last }: OpenDaysRequest,
): Promise<OpenDays> {
  const { merchant_id, timezone } = store
  const today = businessDateOf(at, timezone)
  if (last !== undefined && (through ?? today) <= last) throw closedAlready(through ?? today, last)
  const first =
    last === undefined
      ? businessDateOf((await findFirst({ tx }, merchant_id)) ?? at, timezone)
      : addDays(last, 1)
  if (through !== undefined) assertOpen(through, { first, today })
  const hasEnded = await hasDayEnded({ tx }, store, { date: today, at })
  const ended = hasEnded ? today : addDays(today, -1)
  const end = through ?? ended
  if (end < first) throw stillRunning(today, timezone)
  return {
    dates: datesOf(first, end),
    ended: datesOf(first, ended).length,
    running: end > ended ? end : undefined,
  }
}

/** Returns the time of a store's first payment, refund or payout; undefined before any. */
async function findFirst({ tx }: Reader, merchantId: string): Promise<number | undefined> {
  const times = [await findFirstStoreEntry(tx, merchantId), await findFirstLedgerEntry(tx, merchantId)]
  return times.reduce((first, at) => (first === undefined || (at !== undefined && at < first) ? at : first))
}

/** Returns the dates from one to another, both included; none where the second is earlier. */
function datesOf(first: string, last: string): string[] {
  const dates: string[] = []
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date)
  return dates
}

/**
 * Returns whether the present business day has ended before its time: its last opening hours have ended, and no order that is
 * promised for it is open. A day without opening hours ends with the next one.
 */
async function hasDayEnded(
  reader: Reader,
  store: MerchantRecord,
  { date, at }: { date: string; at: number },
): Promise<boolean> {
  const stretch = businessDayRange(date, store.timezone)
  const closing = lastClosingIn(store.week, store.timezone, stretch)
  if (closing === undefined || at < closing) return false
  return !(await hasOpenOrder(reader, store.merchant_id, stretch.to))
}

/** The open orders that are read at once. */
const PAGE = 100

/** Returns whether an order that is promised before an instant is open, paid or not. */
async function hasOpenOrder({ tx }: Reader, merchantId: string, promisedBefore: number): Promise<boolean> {
  const filter = { statuses: ACTIVE_ORDER_STATUSES }
  for (let after: { created_at: number; seq: number } | undefined; ;) {
    const orders = await listStoreOrders(tx, merchantId, filter, { after, limit: PAGE })
    if (orders.some((order) => promisedAt(order) < promisedBefore)) return true
    if (orders.length < PAGE) return false
    after = orders.at(-1)
  }
}

function closedAlready(date: string, last: string): AppError {
  return new AppError('invalid_state', `The business day ${date} is closed: ${last} is the last one.`, {
    hint: 'Payments and refunds that come later count in the next day.',
  })
}

function stillRunning(date: string, timezone: string): AppError {
  const { to } = businessDayRange(date, timezone)
  const end = `${BUSINESS_DAY_START} on ${addDays(date, 1)}`
  return new AppError(
    'invalid_state',
    `The business day ${date} has not ended: it runs until ${end} at the store.`,
    {
      hint: `To close it now, name it: \`dray business day close --through ${date}\`, or \`through\` over HTTP. What is paid later counts in the next day.`,
      extra: { business_day: date, day_ends_at: toTimestamp(to) },
    },
  )
}

/** Throws for a last day before the first open one, or in the future. */
function assertOpen(through: string, { first, today }: { first: string; today: string }): void {
  if (through >= first && through <= today) return
  const detail =
    through > today
      ? `through must be ${today} or earlier: that is the present business day at the store`
      : `through must be ${first} or later: no earlier day has a payment`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/through', code: 'out_of_range', detail }],
  })
}
