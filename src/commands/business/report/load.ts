import {
  addEarlierRefunds,
  addOrder,
  type OrderSums,
  startOrderTallies,
  toOrderSums,
} from '../../../areas/business/report.ts'
import type { PaymentStatus } from '../../../areas/payments/rules/payment.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { OperationOutput, OperationInput } from '../../../client/operations.ts'
import {
  type BucketUnit,
  bucketUnit,
  splitRange,
  type Period,
  formatTimeRange,
  type TimeRange,
} from '../../../core/period.ts'
import { toTimestamp } from '../../../core/time.ts'
import { oneCurrency } from '../../report/currency.ts'
import { type ListReader, reading, readLists } from '../../report/read.ts'
import { loadStatement, type LoadedStatement } from '../load-statement.ts'

/** A store's report as `--json` prints it. */
export type BusinessReport = {
  report: 'business'
  merchant_id: string | null
  currency: string
  timezone: string
  period: { name: Period['name']; from: string; to: string; open: boolean; unit: BucketUnit }
  before: { from: string; to: string }
  /** Refunds of orders placed before this time are not looked for. */
  refunds_since: string
  /** The number of orders in other currencies, which were omitted. */
  other_currencies: Record<string, number>
  current: OrderSums
  previous: OrderSums
  /** The store's money of the period and of the one before, and nowhere else; null where there is no statement in the currency. */
  statement: LoadedStatement | null
  statement_before: LoadedStatement | null
  /** The orders placed in the period, oldest first, where they were requested. */
  orders?: ReportOrder[]
}

/** An order lives for a few days: one placed longer ago than this has had its refund. */
const REFUND_DAYS = 31
const DAY_MS = 86_400_000

type StoreReportRequest = {
  merchant?: string | undefined
  currency?: string | undefined
  /** Keeps the orders that were placed in the period. */
  orders?: boolean | undefined
}

/** Reads the orders of a period and of the one before it, and adds them up. Throws AppError. */
export async function loadBusinessReport(
  cli: CommandContext,
  period: Period,
  { merchant, currency: asked, orders: keeps = false }: StoreReportRequest,
): Promise<BusinessReport> {
  const unit = bucketUnit(period)
  const { before, timezone } = period
  const books = new Map<string, ReturnType<typeof openBook>>()
  const bookOf = ({ total: { currency } }: ReportOrder) => {
    const book = books.get(currency) ?? openBook(period, unit)
    books.set(currency, book)
    return book
  }
  let merchantId = merchant ?? null
  const kept: ReportOrder[] = []
  const since = before.from - REFUND_DAYS * DAY_MS
  const placed = (stretch: TimeRange, key: 'current' | 'previous') =>
    orders(cli, { merchant }, stretch, (order) => {
      merchantId = order.merchant_id
      const book = bookOf(order)
      book.orders += 1
      addOrder(book[key], order)
      if (keeps && key === 'current') kept.push(order)
    })
  const refunded = (payment_status: PaymentStatus) =>
    orders(cli, { merchant, payment_status }, { from: since, to: period.from }, (order) => {
      const { current, previous } = bookOf(order)
      addEarlierRefunds(current, order)
      if (Date.parse(order.placed_at) < before.from) addEarlierRefunds(previous, order)
    })
  await readLists(cli, 'Loading orders', [
    placed(period, 'current'),
    placed(before, 'previous'),
    refunded('partially_refunded'),
    refunded('refunded'),
    refunded('refund_pending'),
  ])
  const currency = oneCurrency(books.keys(), asked, 'orders')
  const book = books.get(currency) ?? openBook(period, unit)
  const others = [...books].filter(([key, { orders: count }]) => key !== currency && count > 0)
  const client = await cli.client()
  return {
    report: 'business',
    merchant_id: merchantId,
    currency,
    timezone,
    period: { name: period.name, ...formatTimeRange(period), open: period.open, unit },
    before: formatTimeRange(before),
    refunds_since: toTimestamp(since),
    other_currencies: Object.fromEntries(others.map(([key, { orders: count }]) => [key, count])),
    current: toOrderSums(book.current),
    previous: toOrderSums(book.previous),
    ...(keeps && { orders: kept.toSorted((a, b) => (a.placed_at < b.placed_at ? -1 : 1)) }),
    statement: inCurrency(await loadStatement(client, merchant, period), currency),
    statement_before: inCurrency(await loadStatement(client, merchant, before), currency),
  }
}

/** Returns a statement in the currency of the report; null for another one. */
function inCurrency(statement: LoadedStatement | null, currency: string): LoadedStatement | null {
  return statement?.currency === currency ? statement : null
}

/** The counts of both periods, of the orders in one currency. */
function openBook(period: Period, unit: BucketUnit) {
  const { before, timezone } = period
  const days = { kind: period.days, timezone }
  return {
    orders: 0,
    current: startOrderTallies(period, splitRange(period, unit, days)),
    previous: startOrderTallies(before, splitRange(before, unit, days)),
  }
}

export type ReportOrder = OperationOutput<'list_business_orders'>['data'][number]

function orders(
  cli: CommandContext,
  {
    merchant,
    payment_status,
  }: { merchant: string | undefined } & Pick<OperationInput<'list_business_orders'>, 'payment_status'>,
  stretch: TimeRange,
  take: (order: ReportOrder) => void,
): ListReader<unknown> {
  return reading({
    stretch,
    take,
    async page({ from, to, ...page }) {
      const filters = {
        ...(merchant !== undefined && { merchant_id: merchant }),
        ...(payment_status !== undefined && { payment_status }),
      }
      const input = { created_from: from, created_to: to, ...filters, ...page }
      return (await (await cli.client()).call('list_business_orders', input)).value
    },
  })
}
