/** The close of a store's business days: one document for each, which never changes and holds the hash of the one before. */
import type { Static } from 'typebox'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { Context } from '../../core/context.ts'
import { sha256Hex } from '../../core/hash.ts'
import type { Money } from '../../core/money.ts'
import { businessDay as stretchOf, DAY_STARTS, showStretch } from '../../core/period.ts'
import { toTimestamp } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/store.ts'
import { sumDue, sumPayouts, takeUnclosed } from '../payments/store/sales.ts'
import { fillBook, findUnpaid } from './books.ts'
import type { businessDay } from './day-schema.ts'
import { closeBook, openBook, type StoreStatement } from './statement.ts'
import { type DayRecord, insertDay } from './store.ts'

export type BusinessDay = Static<typeof businessDay>

/** The hash before the first document. */
const NO_HASH = '0'.repeat(64)

type Close = {
  store: MerchantRecord
  date: string
  at: number
  /** The document of the day before; undefined for the first. */
  last: DayRecord | undefined
  counted: Money | undefined
}

/**
 * Closes one day: counts all that no earlier document has and that came before the end of the day. The caller holds the
 * world's row, and closes days in order.
 */
export async function closeDay(
  { tx, account }: Pick<Context, 'tx' | 'account'>,
  { store, date, at, last, counted }: Close,
): Promise<DayRecord> {
  const { merchant_id, timezone } = store
  const stretch = stretchOf(date, timezone)
  const before = last && dayOf(last)
  const number = (last?.number ?? 0) + 1
  const entries = await takeUnclosed(tx, merchant_id, { number, before: stretch.to })
  const keys = new Set(entries.map(({ order_id, refund_id }) => refund_id ?? order_id))
  const book = openBook(stretch, (orderId, { refund }) => keys.has(refund?.refund_id ?? orderId))
  await fillBook({ tx }, book, [...new Set(entries.map(({ order_id }) => order_id))])
  // A payout that came after an earlier day was closed counts here, as every entry does.
  const paidOut = await sumPayouts(tx, merchant_id, { from: 0, to: stretch.to })
  const statement = closeBook(book, {
    ...store,
    opening: before?.statement.closing.amount ?? 0,
    closing: await sumDue(tx, merchant_id, stretch.to),
    payouts: paidOut - (last?.paid_out ?? 0),
    unpaid: await findUnpaid({ tx }, merchant_id, stretch.to),
  })
  const doc = {
    number,
    merchant_id,
    date,
    timezone,
    day_starts: DAY_STARTS,
    ...showStretch(stretch),
    closed_at: toTimestamp(at),
    closed_by: account.handle,
    statement,
    cash: countCash(statement, counted),
    previous_hash: before?.hash ?? NO_HASH,
  }
  const closed = { ...doc, hash: sha256Hex(canonicalJson(doc)) } satisfies BusinessDay
  const day = { merchant_id, number, paid_out: paidOut, doc: closed }
  await insertDay(tx, day)
  return day
}

/** Returns the document of a closed day, as it was made. */
export function dayOf({ doc }: DayRecord): BusinessDay {
  return doc as BusinessDay
}

/** The cash that the store itself was handed. What goes back of it goes to the customer's wallet, and not out of the till. */
function countCash({ payments, currency }: StoreStatement, counted: Money | undefined): BusinessDay['cash'] {
  const own = payments.filter((each) => each.method === 'cash' && each.collected_by === 'store')
  const amount = own.reduce((sum, { captured }) => sum + captured.amount, 0)
  return {
    expected: { amount, currency },
    counted: counted ?? null,
    difference: counted === undefined ? null : { amount: counted.amount - amount, currency },
  }
}
