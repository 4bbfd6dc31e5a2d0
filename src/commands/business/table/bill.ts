/** The bill of a table as people read it. Pure. */
import type { TableShare } from '../../../areas/orders/rules/table-shares.ts'
import { makePaint } from '../../../cli/output/colour.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import type { OperationOutput } from '../../../client/operations.ts'
import { formatGroupedMoney, type Money } from '../../../core/money.ts'
import { layOutPrices } from '../orders/show.ts'
import { type BasketLine, humanizeName } from '../orders/words.ts'

export type TableBillOutput = OperationOutput<'list_tables'>['data'][number]
type TableOrder = TableBillOutput['orders'][number]

/** A table's bill once it is paid. */
export type SharedBill = OperationOutput<'settle_table'>

/** Returns whether the bill of an order is open. */
export function isOnBill({ check }: Pick<TableOrder, 'check'>): boolean {
  return check?.status === 'open'
}

/** Returns the bill of a table: its orders with their lines, and those that are not on it. Without a final line break. */
export function formatTable(
  { table_number, total, orders }: TableBillOutput,
  { width, colour }: { width: number; colour: boolean },
): string {
  const open = orders.filter(isOnBill)
  const number = sanitizeForTerminal(table_number)
  const head = open.length === 0 ? 'no open bill' : `${formatGroupedMoney(total)} to pay`
  return [
    makePaint(colour).bold(`Table ${number}: ${head}`),
    ...layOutPrices(open.flatMap(billLines), width),
    ...orders.filter((order) => !isOnBill(order)).map(formatOffBill),
  ].join('\n')
}

function billLines({ display_number, first_name, status, to_pay, lines }: TableOrder): BasketLine[] {
  const goods = lines.reduce((sum, { amount }) => sum + amount.amount, 0)
  const fees: Money = { ...to_pay, amount: to_pay.amount - goods }
  return [
    {
      text: `${sanitizeForTerminal(display_number)}, ${sanitizeForTerminal(first_name)}, ${humanizeName(status)}`,
      amount: formatGroupedMoney(to_pay),
      indent: 0,
    },
    ...lines.map(({ line_id, name, quantity, amount }) => ({
      text: `${line_id.replace(/^line_/, '')}: ${quantity} × ${sanitizeForTerminal(name)}`,
      amount: formatGroupedMoney(amount),
      indent: 1,
    })),
    ...(lines.length === 0 || fees.amount === 0
      ? []
      : [{ text: 'Fees', amount: formatGroupedMoney(fees), indent: 1 }]),
  ]
}

/** `Not on the bill: 3XQ2, placed, pay at table`; an order opens its bill when it is accepted. */
function formatOffBill({ display_number, status, payment_method, payment_status }: TableOrder): string {
  const paid = payment_status === 'unpaid' ? '' : `, ${humanizeName(payment_status)}`
  return `Not on the bill: ${sanitizeForTerminal(display_number)}, ${humanizeName(status)}, ${humanizeName(payment_method)}${paid}`
}

type OrderNumbers = { orders: readonly { order_id: string; display_number: string }[]; total: Money }

/** Returns a line for each share, with the orders that it pays for; none for a bill that is not divided. */
export function formatShares(shares: readonly TableShare[], { orders, total }: OrderNumbers): string[] {
  if (shares.length < 2) return []
  const numbers = new Map(orders.map(({ order_id, display_number }) => [order_id, display_number]))
  const money = (amount: number): string => formatGroupedMoney({ ...total, amount })
  return shares.map((share, at) => {
    const parts = share.orders.map(
      ({ order_id, amount }) => `${sanitizeForTerminal(numbers.get(order_id) ?? order_id)} ${money(amount)}`,
    )
    const of = parts.length === 0 ? '' : ` (${parts.join(', ')})`
    return `Share ${at + 1} of ${shares.length}: ${money(share.amount)}${of}`
  })
}

/** Returns a paid bill with its shares. Without a final line break. */
export function formatSettlement(settled: SharedBill, width: number): string {
  const lines = settled.orders.map(({ display_number, amount }) => ({
    text: `Order ${sanitizeForTerminal(display_number)}`,
    amount: formatGroupedMoney(amount),
    indent: 0,
  }))
  const shares = settled.shares.map(({ amount, orders }) => ({
    amount: amount.amount,
    orders: orders.map((order) => ({ ...order, amount: order.amount.amount })),
  }))
  return [...layOutPrices(lines, width), ...formatShares(shares, settled)].join('\n')
}
