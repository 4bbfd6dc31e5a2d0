import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { defineOperation, type ExampleCall } from '../../core/operation.ts'
import { identifierText, moneyField, strictObject } from '../../core/schema.ts'
import { formatLocalDateTime, toTimestamp } from '../../core/time.ts'
import { lockWorld } from '../../db/world.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { settleTableChecks } from '../orders/lifecycle/check.ts'
import { lockOrders, type OrderRecord } from '../orders/queries/orders.ts'
import {
  divideTableBill,
  splitTableBill,
  sumTableBill,
  type TableBillOrder,
  type TableShare,
} from '../orders/rules/table-shares.ts'
import { lineId, merchantId, orderId } from '../orders/schema.ts'
import { serializeTableShares } from '../orders/views.ts'
import { BUSINESS_AGREEMENT, loadOwnStore } from './access.ts'
import { tableSettlement } from './table-schema.ts'
import { assertTable, isOnTableBill, listOrdersByTable, toTableBillOrder } from './tables.ts'

/** The shares that one bill may be divided into. */
const MAX_SHARES = 100

export const settleTable = defineOperation({
  name: 'settle_table',
  area: 'business',
  toolset: 'store-day',
  summary: 'Record that a table has paid all its bills',
  description:
    'Pays and closes the open bills of all orders at the table in one step, or none of them. Send the total that you have shown as expected_total: the call fails if an order was added since. split or by_lines divides the sum into shares, which are recorded. Moves no money by itself: the store has collected it.',
  details:
    'split gives equal shares, rounded down; the last takes the rest. by_lines names every unit of every line in exactly one share; the fees follow in proportion. Each order keeps its own payment and refunds.',
  method: 'POST',
  path: '/v1/business/tables/{table_number}/settle',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  locksSeveral: true,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({
    table_number: identifierText(20, 'Table number'),
    expected_total: Type.Optional(
      moneyField('Sum that you have shown; the call fails if the bill has another one'),
    ),
    split: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_SHARES, description: 'Number of equal shares' }),
    ),
    by_lines: Type.Optional(
      Type.Array(
        Type.Array(
          strictObject({
            order_id: orderId,
            line_id: lineId,
            quantity: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 999, description: 'Units; all that are left if omitted' }),
            ),
          }),
          { minItems: 1, maxItems: 500 },
        ),
        { minItems: 1, maxItems: MAX_SHARES, description: 'Lines of each share, instead of split' },
      ),
    ),
    merchant_id: Type.Optional(merchantId),
  }),
  output: tableSettlement,
  errors: ['merchant_not_found', 'table_not_found', 'invalid_state', 'quote_mismatch', 'invalid_shares'],
  exampleNeeds: seatGuests(),
  example: () => ({ table_number: '4', split: 3 }),
  cli: {
    command: 'business table',
    danger: 'write',
    positionals: ['table_number'],
    flags: { merchant_id: 'merchant' },
    columns: ['table_number', 'settled_at', 'total', 'orders.display_number', 'shares.amount'],
    done: 'Table {table_number} is paid.',
    examples: ['dray business table 7', 'dray business table 7 --pay --split 3'],
  },
  touches: BUSINESS_AGREEMENT.touches,
  async run(context, { table_number, expected_total, split, by_lines, merchant_id }) {
    const { tx, world, now: at } = context
    if (split !== undefined && by_lines !== undefined) throw twoDivisions()
    const store = await loadOwnStore(context, merchant_id, 'pointer')
    const guests = await lockGuests(context, store, table_number)
    const open = guests.filter(isOnTableBill)
    if (open.length === 0) throw noOpenBill(store, table_number, guests)
    const bill = open.map(toTableBillOrder)
    assertBillTotal(expected_total, { store, table_number, open })
    const shares = by_lines === undefined ? splitTableBill(bill, split ?? 1) : divideTableBill(bill, by_lines)
    const settled = await settleTableChecks({ tx, world, at }, open, shares)
    return serializeSettlement(store, { table_number, settled, shares, open, bill })
  },
})

/** Returns the calls of a customer at a table whose order was accepted, for the example. */
function seatGuests(): ExampleCall[] {
  return [
    {
      operation: 'quote_food_order',
      name: 'quote_to_settle',
      input: ({ get_restaurant_menu: menu }) => ({
        merchant_id: menu.merchant_id,
        fulfillment_type: 'dine_in',
        table: { table_number: '4' },
        items: [{ item_id: menu.categories[0].items[0].item_id, quantity: 2 }],
      }),
    },
    {
      operation: 'place_food_order',
      name: 'order_to_settle',
      scenario: 'store_manual',
      input: (done) => ({
        quote_id: done['quote_to_settle'].quote_id,
        payment: { method: 'pay_at_table' },
      }),
    },
    {
      operation: 'accept_business_order',
      name: 'accept_to_settle',
      input: (done) => ({ order_id: done['order_to_settle'].order_id }),
    },
  ]
}

/**
 * Locks the orders of a table whose bills are open, and returns all active orders there. The rows of orders come before the
 * world's row. A bill that another call opened in between is locked afterwards, without waiting for whoever holds it.
 */
async function lockGuests(
  { tx }: Pick<OperationContext, 'tx'>,
  store: MerchantRecord,
  tableNumber: string,
): Promise<OrderRecord[]> {
  const read = async (): Promise<{ guests: OrderRecord[]; open: string[] }> => {
    const orders = await listOrdersByTable(tx, store.merchant_id)
    assertTable(store, tableNumber, orders)
    const guests = orders.get(tableNumber) ?? []
    return { guests, open: guests.filter(isOnTableBill).map(({ order_id }) => order_id) }
  }
  const before = await read()
  const locked = await lockOrders(tx, before.open, { skipLocked: false })
  // A call that opens a bill records an event, and events need this row: from here on no bill is added.
  await lockWorld(tx)
  const { guests, open } = await read()
  const added = open.filter((id) => !locked.has(id))
  if ((await lockOrders(tx, added, { skipLocked: true })).size === added.length) return guests
  throw new AppError(
    'service_unavailable',
    `Another call changes an order of table ${tableNumber}. Try again.`,
  )
}

function twoDivisions(): AppError {
  const detail = 'give split or by_lines, not both'
  return new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/by_lines', code: 'mutually_exclusive', detail }],
  })
}

function noOpenBill(
  { timezone }: MerchantRecord,
  tableNumber: string,
  guests: readonly OrderRecord[],
): AppError {
  const paid = guests.filter(({ doc }) => doc.check?.status === 'closed')
  const last = Math.max(...paid.map(({ doc }) => doc.check?.closed_at ?? 0))
  const before =
    paid.length === 0
      ? ''
      : `: ${namesOf(paid)} ${paid.length === 1 ? 'was' : 'were'} paid at ${formatLocalDateTime(last, timezone)}`
  return new AppError('invalid_state', `Table ${tableNumber} has no open bill${before}.`, {
    hint: 'A bill opens when you accept an order whose guests pay at the table.',
  })
}

type ExpectedBill = { store: MerchantRecord; table_number: string; open: readonly OrderRecord[] }

/** Throws `quote_mismatch` for another sum than the bill has, with the orders that were added since. */
function assertBillTotal(expected: Money | undefined, { store, table_number, open }: ExpectedBill): void {
  const total = { amount: sumTableBill(open.map(toTableBillOrder)), currency: store.currency }
  if (expected === undefined) return
  if (expected.amount === total.amount && expected.currency === total.currency) return
  const added = findAdded(open, expected)
  const changed = added.length > 0 ? added : open
  const amounts = changed.map((order) => `${order.display_number} (${formatMoney(balanceOf(order))})`)
  const why =
    added.length > 0 ? `it was opened for ${amounts.join(', ')} since` : `it is for ${amounts.join(', ')}`
  throw new AppError(
    'quote_mismatch',
    `The bill of table ${table_number} is ${formatMoney(total)}, not ${formatMoney(expected)}: ${why}.`,
    {
      extra: {
        total,
        orders: changed.map(({ order_id, display_number }) => ({ order_id, display_number })),
      },
      hint: 'Show the new bill and send its total as expected_total.',
    },
  )
}

function balanceOf({ doc }: OrderRecord): Money {
  return doc.check?.balance ?? { ...doc.total, amount: 0 }
}

/** Returns the orders whose bills were opened last, if the others come to the expected sum; none otherwise. */
function findAdded(open: readonly OrderRecord[], expected: Money): OrderRecord[] {
  const byOpening = open.toSorted((a, b) => (a.doc.check?.opened_at ?? 0) - (b.doc.check?.opened_at ?? 0))
  let seen = 0
  for (const [at, order] of byOpening.entries()) {
    if (seen === expected.amount && at > 0) return byOpening.slice(at)
    seen += balanceOf(order).amount
  }
  return []
}

function namesOf(orders: readonly OrderRecord[]): string {
  return orders.map(({ display_number }) => display_number).join(', ')
}

type PaidBill = {
  table_number: string
  settled: number
  shares: readonly TableShare[]
  open: readonly OrderRecord[]
  bill: readonly TableBillOrder[]
}

function serializeSettlement(
  { merchant_id, currency }: MerchantRecord,
  { table_number, settled, shares, open, bill }: PaidBill,
): Type.Static<typeof tableSettlement> {
  return {
    merchant_id,
    table_number,
    settled_at: toTimestamp(settled),
    total: { amount: sumTableBill(bill), currency },
    shares: serializeTableShares(shares, { currency }),
    orders: open.map(({ order_id, display_number, status }, at) => ({
      order_id,
      display_number,
      status,
      amount: { amount: bill[at]?.amount ?? 0, currency },
    })),
  }
}
