/** A store's report in words: what a screen and a page show. */
import type { OrderSums } from '../../../areas/business/report.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import type { Period } from '../../../core/period.ts'
import type { Breakdown, Figure, Report, ReportRow, Timeline } from '../../report/report.ts'
import {
  beforeName,
  besideWords,
  changeWords,
  formatCountWithNoun,
  isLost,
  moreWords,
  partWords,
  periodWords,
  shareWords,
  formatSeconds,
  humanizeKey,
} from '../../report/words.ts'
import type { BusinessReport } from './load.ts'
import { lossTotal, noStatement, statementSections, unratedWords } from './statement.ts'

/** The items that a screen shows; files and pages have all. */
const SCREEN_ITEMS = 10

/** Returns the report for people. */
export function businessView(report: BusinessReport, period: Period, store: string | undefined): Report {
  const { current, previous, statement } = report
  const isPaid = statement !== null && (statement.payments.length > 0 || (statement.lost ?? []).length > 0)
  const isEmpty =
    current.ordered.orders === 0 && previous.ordered.orders === 0 && current.refunds.count === 0 && !isPaid
  const sections = [
    timeline(report, period),
    items(current),
    states(current),
    rejections(current),
    ways(current),
    payments(current),
    ...statementSections(statement),
  ]
  return {
    title: store === undefined ? 'Sales' : `Sales of ${sanitizeForTerminal(store)}`,
    period: periodWords(period),
    beside: besideWords(period),
    zone: period.timezone,
    headline: headline(report, besideWords(period)),
    figures: isEmpty ? [] : figures(report),
    sections: sections.filter((section) => section !== undefined),
    notes: notes(report),
  }
}

function headline({ current, previous, statement }: BusinessReport, beside: string): string {
  const [now, before] = [current.sales.orders, previous.sales.orders]
  const words = formatCountWithNoun(now, 'order')
  const sold =
    now === 0
      ? `No orders${before === 0 ? `, and none ${beside}` : `; ${formatCountWithNoun(before, 'order')} ${beside}`}`
      : before === 0
        ? `${words}; none ${beside}`
        : `${words}, ${moreWords(now, before, beside)}`
  const hasMoney = statement !== null && (now > 0 || statement.net_sales.amount !== 0)
  return hasMoney ? `${sold}. Net sales ${formatGroupedMoney(statement.net_sales)}.` : `${sold}.`
}

function figures({ current, previous, statement, statement_before }: BusinessReport): Figure[] {
  const amount = (label: string, value: Money, before: Money | undefined): Figure => ({
    label,
    value: formatGroupedMoney(value),
    before: before === undefined ? '–' : formatGroupedMoney(before),
    change: before === undefined ? '' : changeWords(value.amount, before.amount),
  })
  const count = (label: string, value: number, before: number): Figure => ({
    label,
    value: value.toLocaleString('en-GB'),
    before: before.toLocaleString('en-GB'),
    change: changeWords(value, before),
  })
  const span = (label: string, value: number | null, before: number | null): Figure[] =>
    value === null && before === null
      ? []
      : [
          {
            label,
            value: formatSeconds(value) || '–',
            before: formatSeconds(before) || '–',
            change: value === null || before === null ? '' : changeWords(value, before),
          },
        ]
  return [
    ...(statement === null
      ? []
      : [
          amount('Net sales', statement.net_sales, statement_before?.net_sales),
          amount(
            'Lost to the store',
            lossTotal(statement),
            statement_before === null ? undefined : lossTotal(statement_before),
          ),
        ]),
    count('Orders sold', current.sales.orders, previous.sales.orders),
    count('Refunds', current.refunds.count, previous.refunds.count),
    ...span('Median time to accept', current.accept.median_seconds, previous.accept.median_seconds),
    ...span('90% accepted within', current.accept.p90_seconds, previous.accept.p90_seconds),
    ...span('Median time to ready', current.ready.median_seconds, previous.ready.median_seconds),
  ]
}

function timeline(
  { current, previous, period: { unit } }: BusinessReport,
  period: Period,
): Timeline | undefined {
  if (current.sales.orders === 0 && previous.sales.orders === 0) return undefined
  const length = Math.max(current.timeline.length, previous.timeline.length)
  const parts = Array.from({ length }, (_, at) => {
    const [part, before] = [current.timeline[at], previous.timeline[at]]
    const span = part ?? before ?? { from: '', to: '' }
    const [value, was] = [part?.orders ?? 0, before?.orders ?? 0]
    return {
      ...partWords({ from: Date.parse(span.from), to: Date.parse(span.to) }, unit, period),
      value,
      text: formatCountWithNoun(value, 'order'),
      before: was,
      beforeText: formatCountWithNoun(was, 'order'),
    }
  })
  return { kind: 'timeline', title: `Orders by ${unit}`, parts, beforeName: beforeName(period) }
}

function items({ items: sold }: OrderSums): Breakdown | undefined {
  if (sold.length === 0) return undefined
  const units = sold.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    kind: 'breakdown',
    title: 'Items',
    headings: ['Items', 'Sold', 'Share'],
    rows: sold.map(({ name, quantity }) => ({
      label: sanitizeForTerminal(name),
      value: quantity,
      cells: [quantity.toLocaleString('en-GB'), shareWords(quantity, units)],
    })),
    total: { label: 'All items', cells: [units.toLocaleString('en-GB'), ''] },
    screenRows: SCREEN_ITEMS,
  }
}

function states({ by_status, ordered }: OrderSums): Breakdown | undefined {
  return counted('Orders by status', by_status, ({ status }) => humanizeKey(status), {
    label: 'All orders',
    ...ordered,
  })
}

function rejections({ rejected }: OrderSums): Breakdown | undefined {
  return counted('Rejections by reason', rejected, ({ reason_code }) => humanizeKey(reason_code))
}

function ways({ by_fulfillment }: OrderSums): Breakdown | undefined {
  const used = by_fulfillment.filter(({ orders }) => orders > 0)
  return used.length < 2
    ? undefined
    : counted('Orders by fulfilment', used, (each) => humanizeKey(each.fulfillment_type))
}

function payments({ by_payment }: OrderSums): Breakdown | undefined {
  const used = by_payment.filter(({ orders }) => orders > 0)
  return used.length < 2 ? undefined : counted('Orders by payment', used, ({ method }) => humanizeKey(method))
}

type OrderCount = { orders: number }

function counted<T extends OrderCount>(
  title: string,
  counts: readonly T[],
  name: (count: T) => string,
  total?: OrderCount & { label: string },
): Breakdown | undefined {
  const rows = counts.filter(({ orders }) => orders > 0)
  if (rows.length === 0) return undefined
  const cells = ({ orders }: OrderCount) => [orders.toLocaleString('en-GB')]
  return {
    kind: 'breakdown',
    title,
    headings: [title, 'Orders'],
    rows: rows.map((each): ReportRow => ({
      label: name(each),
      ...(rows.length > 1 && { value: each.orders, isLost: isLost(each) }),
      cells: cells(each),
    })),
    ...(total !== undefined && rows.length > 1 && { total: { label: total.label, cells: cells(total) } }),
  }
}

function notes({ current, currency, other_currencies, statement }: BusinessReport): string[] {
  const { rejected, refunds } = current
  const missed = rejected.find(({ reason_code }) => reason_code === 'not_accepted_in_time')
  const earlier = refunds.of_earlier_orders
  return [
    ...(missed === undefined
      ? []
      : [`${formatCountWithNoun(missed.orders, 'order')} expired: not accepted in time.`]),
    ...(statement === null ? [noStatement(currency)] : []),
    ...[unratedWords(statement)].filter((words) => words !== undefined),
    ...(earlier.count === 0
      ? []
      : [
          `${earlier.count.toLocaleString('en-GB')} of the refunds ${earlier.count === 1 ? 'is' : 'are'} for orders placed earlier.`,
        ]),
    ...Object.entries(other_currencies).map(
      ([currency, orders]) => `${formatCountWithNoun(orders, 'order')} in ${currency} left out.`,
    ),
  ]
}
