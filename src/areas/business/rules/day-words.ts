/** Words about business days before a close: a terminal and agents use the same. */
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import { BUSINESS_DAY_START } from '../../../core/period.ts'
import { addDays } from '../../../core/time.ts'
import type { BusinessDay } from '../days.ts'

/** `2026-11-29, 05:00 to 05:00: 12 orders, net sales £231.40, VAT £38.57, cash expected £96.20, unpaid: 7K2M £12.40` */
export function dayWords({ date, day_starts, statement, cash, late }: BusinessDay): string {
  const { orders, net_sales, vat, unpaid, currency } = statement
  const tax: Money = { amount: vat.reduce((sum, each) => sum + each.vat.amount, 0), currency }
  const open = unpaid.map(({ display_number, amount }) => `${display_number} ${formatGroupedMoney(amount)}`)
  return [
    `${date}, ${day_starts} to ${day_starts}: ${orders} ${orders === 1 ? 'order' : 'orders'}`,
    `net sales ${formatGroupedMoney(net_sales)}${lateWords(late)}`,
    `VAT ${formatGroupedMoney(tax)}`,
    `cash expected ${formatGroupedMoney(cash.expected)}`,
    ...(open.length === 0 ? ['nothing unpaid'] : [`unpaid: ${open.join(', ')}`]),
  ].join(', ')
}

/** ` (of it £12.30 from before: 7K2M, X7KH)`; empty where the day before was not closed early. */
function lateWords(late: BusinessDay['late']): string {
  if (late === undefined || late.entries.length === 0) return ''
  const numbers = [...new Set(late.entries.map(({ display_number }) => display_number))]
  return ` (of it ${formatGroupedMoney(late.net_sales)} from the day before, after its close: ${numbers.join(', ')})`
}

/** `the business day 2026-11-29`, `3 business days, 2026-11-27 to 2026-11-29` */
export function namedDays(dates: readonly string[]): string {
  return dates.length === 1
    ? `the business day ${dates[0] ?? ''}`
    : `${dates.length} business days, ${dates[0] ?? ''} to ${dates.at(-1) ?? ''}`
}

/** Says what it means to close a day that has not ended; undefined where all have. */
export function earlyWords({ data, not_ended }: { data: readonly BusinessDay[]; not_ended: number }) {
  const last = data.at(-1)
  if (last === undefined || not_ended === 0) return undefined
  return `${last.date} has not ended: what is paid until ${BUSINESS_DAY_START} on ${addDays(last.date, 1)} counts in the next day.`
}

/** `Counted £91.20, £5.00 less than expected.`; undefined for cash that was not counted. */
export function countedWords({ counted, difference }: BusinessDay['cash']): string | undefined {
  if (counted === null || difference === null) return undefined
  const { amount } = difference
  const than = `${formatGroupedMoney({ ...difference, amount: Math.abs(amount) })} ${amount < 0 ? 'less' : 'more'} than`
  return `Counted ${formatGroupedMoney(counted)}, ${amount === 0 ? 'as' : than} expected.`
}
