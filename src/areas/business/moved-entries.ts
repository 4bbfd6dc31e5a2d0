/** The entries in which a statement and the documents of its days differ. */
import type { OperationContext } from '../../core/context.ts'
import {
  toReportDate,
  type ReportDays,
  daysBetween,
  startOfReportDay,
  type TimeRange,
} from '../../core/period.ts'
import { addDays } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { sumPayouts } from '../payments/queries/sales.ts'
import { toBusinessDay } from './days.ts'
import { readLateEntries } from './late-entries.ts'
import { type DayRecord, listDays } from './queries.ts'
import type { StoreStatement } from './statement-schema.ts'

type Reader = Pick<OperationContext, 'tx'>

/** Returns the entries that a statement of this time has and its documents have not, and the other way round. */
export async function findLateEntries(
  reader: Reader,
  store: MerchantRecord,
  { from, to }: TimeRange,
): Promise<Pick<StoreStatement, 'counted_later' | 'from_earlier'>> {
  const { tx } = reader
  const { merchant_id, timezone } = store
  const [last] = await listDays(tx, merchant_id, { limit: 1 })
  const first = nextDay(from, last, timezone)
  const next = nextDay(to, last, timezone)
  const count = last?.number ?? 0
  // An entry counts in the document of its own day, or in the next one.
  const closed = next.number - 1
  const isClosed = closed >= 1 && closed <= count
  const isCounted = first.number > 1 && first.number <= count && first.start < to
  return {
    counted_later: await readLateEntries(reader, store, {
      from: isClosed ? Math.max(from, next.dayBefore) : to,
      to,
      notCountedBy: closed,
      payouts: isClosed ? await payoutsAfter(reader, merchant_id, { number: closed, to }) : 0,
    }),
    from_earlier: await readLateEntries(reader, store, {
      from: isCounted ? first.dayBefore : from,
      to: from,
      countedBy: first.number,
      payouts: isCounted
        ? await payoutsAfter(reader, merchant_id, { number: first.number - 1, to: from })
        : 0,
    }),
  }
}

/** Returns the first business day that begins at an instant or later: the number of its document, and when it and the day before begin. */
function nextDay(at: number, last: DayRecord | undefined, timezone: string) {
  const days: ReportDays = { kind: 'business', timezone }
  const date = toReportDate(at, days)
  const first = startOfReportDay(date, days) === at ? date : addDays(date, 1)
  return {
    number: last === undefined ? 1 : last.number + daysBetween(toBusinessDay(last).date, first),
    start: startOfReportDay(first, days),
    dayBefore: startOfReportDay(addDays(first, -1), days),
  }
}

/** Returns what was paid out before an instant and after the close of a day. */
async function payoutsAfter(
  { tx }: Reader,
  merchantId: string,
  { number, to }: { number: number; to: number },
): Promise<number> {
  const [day] = await listDays(tx, merchantId, { before: number + 1, limit: 1 })
  return Math.max(0, (await sumPayouts(tx, merchantId, { from: 0, to })) - (day?.paid_out ?? 0))
}
