/** A store's report in words: what a screen and a page show. */
import type { OrderSums } from '../../../areas/business/report.ts'
import { clean } from '../../../cli/output/text.ts'
import { type Money, spellMoney } from '../../../core/money.ts'
import type { Period } from '../../../core/period.ts'
import type { Breakdown, Figure, Report, ReportRow, Timeline } from '../../report/report.ts'
import {
  beforeName,
  besideWords,
  changeWords,
  countWords,
  isLost,
  moreWords,
  partWords,
  periodWords,
  shareWords,
  spanWords,
  word,
} from '../../report/words.ts'
import type { BusinessReport } from './load.ts'
import { noStatement, statementSections } from './statement.ts'

/** The items that a screen shows; files and pages have all. */
const SCREEN_ITEMS = 10

/** Returns the report for people. */
export function businessView(report: BusinessReport, period: Period, store: string | undefined): Report {
  const { current, previous } = report
  const isEmpty = current.ordered.orders === 0 && previous.ordered.orders === 0 && current.refunds.count === 0
  const sections = [
    timeline(report, period),
    items(current),
    states(current),
    rejections(current),
    ways(current),
    payments(current),
    ...statementSections(report.statement),
  ]
  return {
    title: store === undefined ? 'Sales' : `Sales of ${clean(store)}`,
    period: periodWords(period),
    beside: besideWords(period),
    zone: period.timezone,
    headline: headline(current, previous, besideWords(period)),
    figures: isEmpty ? [] : figures(report),
    sections: sections.filter((section) => section !== undefined),
    notes: notes(report),
  }
}

function headline({ sales, ordered }: OrderSums, previous: OrderSums, beside: string): string {
  if (ordered.orders === 0) {
    const before = previous.sales.orders
    if (before === 0) return `No orders, and none ${beside}.`
    return `No orders; ${spellMoney(previous.sales.total)} from ${countWords(before, 'order')} ${beside}.`
  }
  const said = `${spellMoney(sales.total)} from ${countWords(sales.orders, 'order')}`
  const before = previous.sales.total.amount
  if (before === 0) return `${said}; no sales ${beside}.`
  return `${said}, ${moreWords(sales.total.amount, before, beside)}.`
}

function figures({ current, previous, statement, statement_before }: BusinessReport): Figure[] {
  const amount = (label: string, value: Money | null, before: Money | null): Figure => ({
    label,
    value: value === null ? '–' : spellMoney(value),
    before: before === null ? '–' : spellMoney(before),
    change: value === null || before === null ? '' : changeWords(value.amount, before.amount),
  })
  const span = (label: string, value: number | null, before: number | null): Figure[] =>
    value === null && before === null
      ? []
      : [
          {
            label,
            value: spanWords(value) || '–',
            before: spanWords(before) || '–',
            change: value === null || before === null ? '' : changeWords(value, before),
          },
        ]
  return [
    ...(statement === null
      ? []
      : [amount('Net sales', statement.net_sales, statement_before?.net_sales ?? null)]),
    amount('Order totals', current.sales.total, previous.sales.total),
    {
      label: 'Orders sold',
      value: current.sales.orders.toLocaleString('en-GB'),
      before: previous.sales.orders.toLocaleString('en-GB'),
      change: changeWords(current.sales.orders, previous.sales.orders),
    },
    amount('Average order', current.sales.average, previous.sales.average),
    amount('Lost orders', current.lost.total, previous.lost.total),
    amount('Refunds', current.refunds.total, previous.refunds.total),
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
  const zero = { orders: 0, total: { amount: 0, currency: current.ordered.total.currency } }
  const parts = Array.from({ length }, (_, at) => {
    const [part, before] = [current.timeline[at], previous.timeline[at]]
    const { total, orders } = part ?? zero
    const span = part ?? before ?? { from: '', to: '' }
    return {
      ...partWords({ from: Date.parse(span.from), to: Date.parse(span.to) }, unit, period),
      value: total.amount,
      text: spellMoney(total),
      detail: countWords(orders, 'order'),
      before: (before ?? zero).total.amount,
      beforeText: spellMoney((before ?? zero).total),
    }
  })
  return { kind: 'timeline', title: `Order totals by ${unit}`, parts, beforeName: beforeName(period) }
}

function items({ items: sold, sales }: OrderSums): Breakdown | undefined {
  if (sold.length === 0) return undefined
  const { goods, fees, discounts, tax_added, total } = sales
  const parts = [
    `${spellMoney(goods)} for items`,
    ...(fees.amount === 0 ? [] : [`+ ${spellMoney(fees)} fees and tips`]),
    ...(tax_added.amount === 0 ? [] : [`+ ${spellMoney(tax_added)} tax`]),
    ...(discounts.amount === 0 ? [] : [`- ${spellMoney(discounts)} discounts`]),
  ]
  return {
    kind: 'breakdown',
    title: 'Items',
    headings: ['Items', 'Sold', 'Amount', 'Share'],
    rows: sold.map(({ name, quantity, total: each }) => ({
      label: clean(name),
      value: each.amount,
      cells: [quantity.toLocaleString('en-GB'), spellMoney(each), shareWords(each.amount, goods.amount)],
    })),
    total: {
      label: 'All items',
      cells: [
        sold.reduce((sum, { quantity }) => sum + quantity, 0).toLocaleString('en-GB'),
        spellMoney(goods),
      ],
    },
    screenRows: SCREEN_ITEMS,
    note: `${parts.join(' ')} = ${spellMoney(total)} sales`,
  }
}

function states({ by_status, ordered }: OrderSums): Breakdown | undefined {
  return counted('Orders by status', by_status, ({ status }) => word(status), {
    label: 'All orders',
    ...ordered,
  })
}

function rejections({ rejected }: OrderSums): Breakdown | undefined {
  return counted('Rejections by reason', rejected, ({ reason_code }) => word(reason_code))
}

function ways({ by_fulfillment }: OrderSums): Breakdown | undefined {
  const used = by_fulfillment.filter(({ orders }) => orders > 0)
  return used.length < 2
    ? undefined
    : counted('Order totals by fulfilment', used, (each) => word(each.fulfillment_type))
}

function payments({ by_payment }: OrderSums): Breakdown | undefined {
  const used = by_payment.filter(({ orders }) => orders > 0)
  return used.length < 2 ? undefined : counted('Order totals by payment', used, ({ method }) => word(method))
}

type Count = { orders: number; total: Money }

function counted<T extends Count>(
  title: string,
  counts: readonly T[],
  name: (count: T) => string,
  total?: Count & { label: string },
): Breakdown | undefined {
  const rows = counts.filter(({ orders }) => orders > 0)
  if (rows.length === 0) return undefined
  const cells = ({ orders, total: amount }: Count) => [orders.toLocaleString('en-GB'), spellMoney(amount)]
  return {
    kind: 'breakdown',
    title,
    headings: [title, 'Orders', 'Amount'],
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
      : [
          `${countWords(missed.orders, 'order')} of ${spellMoney(missed.total)} expired: not accepted in time.`,
        ]),
    ...(statement === null ? [noStatement(currency)] : []),
    ...(earlier.count === 0
      ? []
      : [`${spellMoney(earlier.total)} of the refunds are for orders placed earlier.`]),
    ...Object.entries(other_currencies).map(
      ([currency, orders]) => `${countWords(orders, 'order')} in ${currency} left out.`,
    ),
  ]
}
