/** The close of a store's business days: one document for each, which never changes and holds the hash of the one before. */
import type { Static } from 'typebox'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { OperationContext } from '../../core/context.ts'
import { sha256Hex } from '../../core/hash.ts'
import type { Money } from '../../core/money.ts'
import { businessDayRange, BUSINESS_DAY_START, formatTimeRange } from '../../core/period.ts'
import { toTimestamp } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { closeStoreEntries } from '../orders/queries/store-entries.ts'
import { sumDue, sumPayouts } from '../payments/queries/sales.ts'
import { readStatement } from './books.ts'
import type { businessDaySchema } from './day-schema.ts'
import { readLateEntries } from './late-entries.ts'
import { type DayRecord, insertDay } from './queries.ts'
import type { DayStatement } from './statement-schema.ts'

export type BusinessDay = Static<typeof businessDaySchema>

/** The hash before the first document. */
const NO_HASH = '0'.repeat(64)

type Reader = Pick<OperationContext, 'tx' | 'account'>

type Close = {
  store: MerchantRecord
  dates: readonly string[]
  at: number
  /** The latest document; undefined before the first. */
  last: DayRecord | undefined
  counted: Money | undefined
}

/** Returns the documents that a close of these days would make now, in order. Writes nothing. */
export async function draftDays(
  reader: Reader,
  { dates, last: latest, ...close }: Close,
): Promise<DayRecord[]> {
  const days: DayRecord[] = []
  let from = 0
  for (const date of dates) {
    days.push(await draftDay(reader, { ...close, date, from, last: days.at(-1) ?? latest }))
    from = businessDayRange(date, close.store.timezone).to
  }
  return days
}

/** Closes days, in order. The caller holds the world's row. */
export async function closeDays(reader: Reader, { dates, ...close }: Close): Promise<DayRecord[]> {
  const { merchant_id, timezone } = close.store
  const days = await draftDays(reader, { dates, ...close })
  for (const [at, day] of days.entries()) {
    const { to } = businessDayRange(dates[at] ?? '', timezone)
    await closeStoreEntries(reader.tx, merchant_id, { number: day.number, from: 0, to })
    await insertDay(reader.tx, day)
  }
  return days
}

type DayDraft = Omit<Close, 'dates'> & { date: string; from: number }

/**
 * Returns the document of one day. It counts all that no earlier document has and that came before the end of the day;
 * `from` is the end of the day before it, where that one is not closed yet.
 */
async function draftDay(
  { tx, account }: Reader,
  { store, date, from, at, last, counted }: DayDraft,
): Promise<DayRecord> {
  const { merchant_id, timezone } = store
  const stretch = businessDayRange(date, timezone)
  const before = last && toBusinessDay(last)
  const number = (last?.number ?? 0) + 1
  // A payout that came after an earlier day was closed counts here, as every entry does.
  const paidOut = await sumPayouts(tx, merchant_id, { from: 0, to: stretch.to })
  const lateOut = await sumPayouts(tx, merchant_id, { from: 0, to: stretch.from })
  const { statement } = await readStatement({ tx }, store, {
    stretch,
    entries: { from, to: stretch.to, isUnclosed: true },
    opening: before?.statement.closing.amount ?? 0,
    closing: await sumDue(tx, merchant_id, { from: 0, to: stretch.to }),
    payouts: paidOut - (last?.paid_out ?? 0),
  })
  const doc = {
    number,
    merchant_id,
    date,
    timezone,
    day_starts: BUSINESS_DAY_START,
    ...formatTimeRange(stretch),
    closed_at: toTimestamp(at),
    closed_by: account.handle,
    statement,
    // Earlier unclosed days are closed first: what is left from before was made after an early close.
    late: await readLateEntries({ tx }, store, {
      from,
      to: last === undefined ? from : stretch.from,
      isUnclosed: true,
      payouts: last === undefined ? 0 : lateOut - last.paid_out,
    }),
    cash: countCash(statement, counted),
    previous_hash: before?.hash ?? NO_HASH,
  }
  const closed = { ...doc, hash: sha256Hex(canonicalJson(doc)) } satisfies BusinessDay
  return { merchant_id, number, paid_out: paidOut, doc: closed }
}

/** Returns the document of a closed day, as it was made. */
export function toBusinessDay({ doc }: DayRecord): BusinessDay {
  return doc as BusinessDay
}

/** The cash that the store itself was handed. What is refunded of it goes to the customer's wallet, and not out of the till. */
function countCash({ payments, currency }: DayStatement, counted: Money | undefined): BusinessDay['cash'] {
  const own = payments.filter((each) => each.method === 'cash' && each.collected_by === 'store')
  const amount = own.reduce((sum, { captured }) => sum + captured.amount, 0)
  return {
    expected: { amount, currency },
    counted: counted ?? null,
    difference: counted === undefined ? null : { amount: counted.amount - amount, currency },
  }
}
