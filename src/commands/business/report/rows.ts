/** A store's report as one table: a line for each figure, beside the one of the period before. */
import type { OrderSums } from '../../../areas/business/report.ts'
import { AppError } from '../../../core/errors.ts'
import type { Money } from '../../../core/money.ts'
import type { Row } from '../../report/report.ts'
import type { BusinessReport } from './load.ts'
import { orderRow } from './orders.ts'

export { ORDER_COLUMNS } from './orders.ts'
import { noStatement, statementRows } from './statement.ts'

type Figures = { orders?: number; quantity?: number; total?: Money | null; seconds?: number | null }

type Choice = { orders?: boolean | undefined; statement?: boolean | undefined }

/** Returns the rows that were asked for. Throws AppError('usage') for the statement of a service that has none. */
export function chosenRows(report: BusinessReport, { statement, orders }: Choice, timezone: string): Row[] {
  if (orders === true) return (report.orders ?? []).map((order) => orderRow(order, timezone))
  if (statement !== true) return businessRows(report)
  if (report.statement === null) throw new AppError('usage', noStatement(report.currency))
  return statementRows(report.statement)
}

/** Returns the rows; figures of the period before are those of the same name. */
function businessRows({ current, previous }: BusinessReport): Row[] {
  const before = new Map(listed(previous).map((line) => [`${line.section} ${line.key}`, line]))
  const now = listed(current)
  const known = new Set(now.map(({ section, key }) => `${section} ${key}`))
  const gone = listed(previous)
    .filter(({ section, key }) => section !== 'time' && !known.has(`${section} ${key}`))
    .map((line): Line => ({ ...line, figures: {} }))
  return [...now, ...gone].map(({ section, name, key, figures }) => {
    const earlier: Figures = before.get(`${section} ${key}`)?.figures ?? {}
    return {
      section,
      name,
      orders: figures.orders ?? null,
      quantity: figures.quantity ?? null,
      amount: figures.total ?? null,
      seconds: figures.seconds ?? null,
      before_orders: earlier.orders ?? null,
      before_quantity: earlier.quantity ?? null,
      before_amount: earlier.total ?? null,
      before_seconds: earlier.seconds ?? null,
    }
  })
}

type Line = { section: string; name: string; key: string; figures: Figures }

function listed(sums: OrderSums): Line[] {
  const { ordered, sales, lost, refunds, accept, ready } = sums
  const line = (section: string, name: string, figures: Figures, key = name): Line => ({
    section,
    name,
    key,
    figures,
  })
  return [
    line('total', 'ordered', ordered),
    line('total', 'sales', { orders: sales.orders, total: sales.total }),
    line('total', 'average', { total: sales.average }),
    line('total', 'goods', { total: sales.goods }),
    line('total', 'fees', { total: sales.fees }),
    line('total', 'discounts', { total: sales.discounts }),
    line('total', 'tax_added', { total: sales.tax_added }),
    line('total', 'lost', lost),
    line('total', 'refunds', { orders: refunds.count, total: refunds.total }),
    line('accept', 'median', { orders: accept.orders, seconds: accept.median_seconds }),
    line('accept', 'p90', { orders: accept.orders, seconds: accept.p90_seconds }),
    line('ready', 'median', { orders: ready.orders, seconds: ready.median_seconds }),
    line('ready', 'p90', { orders: ready.orders, seconds: ready.p90_seconds }),
    ...sums.by_status.map((each) => line('status', each.status, each)),
    ...sums.rejected.map((each) => line('rejected', each.reason_code, each)),
    ...sums.by_fulfillment.map((each) => line('fulfillment', each.fulfillment_type, each)),
    ...sums.by_payment.map((each) => line('payment', each.method, each)),
    ...sums.items.map(({ item_id, name, quantity, total }) =>
      line('item', name, { quantity, total }, item_id),
    ),
    ...sums.timeline.map((each, at) => line('time', each.from, each, String(at))),
  ]
}
