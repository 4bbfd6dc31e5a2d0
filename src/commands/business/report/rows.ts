/** A store's report as one table: a line for each count and each figure of the statement, beside the one of the period before. */
import type { OrderSums } from '../../../areas/business/report.ts'
import { AppError } from '../../../core/errors.ts'
import type { Money } from '../../../core/money.ts'
import type { ReportTableRow } from '../../report/report.ts'
import type { LoadedStatement } from '../load-statement.ts'
import type { BusinessReport } from './load.ts'
import { orderRow } from './orders.ts'

export { blankWords, ORDER_COLUMNS } from './orders.ts'
import { noStatement, statementLines, statementRows } from './statement.ts'

type Figures = {
  orders?: number
  quantity?: number
  rate?: number
  net?: Money
  vat?: Money
  amount?: Money
  seconds?: number | null
}

type Choice = { orders?: boolean | undefined; statement?: boolean | undefined }

/** Returns the rows that were requested. Throws AppError('usage') for the statement of a service that has none. */
export function chosenRows(
  report: BusinessReport,
  { statement, orders }: Choice,
  timezone: string,
): ReportTableRow[] {
  if (orders === true) return (report.orders ?? []).map((order) => orderRow(order, timezone))
  if (statement !== true) return businessRows(report)
  if (report.statement === null) throw new AppError('usage', noStatement(report.currency))
  return statementRows(report.statement)
}

/** Returns the activity and the statement as rows; figures of the period before are those of the same name. */
function businessRows({ current, previous, statement, statement_before }: BusinessReport): ReportTableRow[] {
  const earlier = listed(previous, statement_before)
  const before = new Map(earlier.map((line) => [`${line.section} ${line.key}`, line]))
  const now = listed(current, statement)
  const known = new Set(now.map(({ section, key }) => `${section} ${key}`))
  const gone = earlier
    .filter(({ section, key }) => section !== 'time' && !known.has(`${section} ${key}`))
    .map((line): Line => ({ ...line, figures: {} }))
  return [...now, ...gone].map(({ section, name, key, figures }) => {
    const past: Figures = before.get(`${section} ${key}`)?.figures ?? {}
    return {
      section,
      name,
      orders: figures.orders ?? null,
      quantity: figures.quantity ?? null,
      rate: figures.rate ?? null,
      net: figures.net ?? null,
      vat: figures.vat ?? null,
      amount: figures.amount ?? null,
      seconds: figures.seconds ?? null,
      before_orders: past.orders ?? null,
      before_quantity: past.quantity ?? null,
      before_amount: past.amount ?? null,
      before_seconds: past.seconds ?? null,
    }
  })
}

type Line = { section: string; name: string; key: string; figures: Figures }

function listed(sums: OrderSums, statement: LoadedStatement | null): Line[] {
  const { ordered, sales, refunds, accept, ready } = sums
  const line = (section: string, name: string, figures: Figures, key = name): Line => ({
    section,
    name,
    key,
    figures,
  })
  return [
    line('total', 'ordered', ordered),
    line('total', 'sales', sales),
    line('total', 'refunds', { orders: refunds.count }),
    line('accept', 'median', { orders: accept.orders, seconds: accept.median_seconds }),
    line('accept', 'p90', { orders: accept.orders, seconds: accept.p90_seconds }),
    line('ready', 'median', { orders: ready.orders, seconds: ready.median_seconds }),
    line('ready', 'p90', { orders: ready.orders, seconds: ready.p90_seconds }),
    ...sums.by_status.map(({ status, orders }) => line('status', status, { orders })),
    ...sums.rejected.map(({ reason_code, orders }) => line('rejected', reason_code, { orders })),
    ...sums.by_fulfillment.map((each) => line('fulfillment', each.fulfillment_type, { orders: each.orders })),
    ...sums.by_payment.map(({ method, orders }) => line('payment', method, { orders })),
    ...sums.items.map(({ item_id, name, quantity }) => line('item', name, { quantity }, item_id)),
    ...sums.timeline.map(({ from, orders }, at) => line('time', from, { orders }, String(at))),
    ...(statement === null ? [] : statementLines(statement)).map(({ section, name, ...figures }) =>
      line(section, name, figures),
    ),
  ]
}
