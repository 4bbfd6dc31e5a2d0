import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { identifierText, paginated, paginationParams, strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { BUSINESS_AGREEMENT, loadOwnStore } from './access.ts'
import { tableBill } from './table-schema.ts'
import {
  assertTable,
  isOnTableBill,
  listOrdersByTable,
  listTableNumbers,
  makeTableSerializer,
} from './tables.ts'

export const listTables = defineOperation({
  name: 'list_tables',
  area: 'business',
  toolset: 'store-day',
  summary: 'List your store’s tables with their bills',
  description:
    'Each table has its active orders and the sum of their open bills. The bill of an order opens when you accept it, if its guests pay at the table.',
  method: 'GET',
  path: '/v1/business/tables',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    table_number: Type.Optional(identifierText(20, 'Table number, for one table')),
    open: Type.Optional(Type.Boolean({ description: 'Tables with an open bill only' })),
    merchant_id: Type.Optional(merchantId),
    ...paginationParams,
  }),
  output: paginated(tableBill),
  errors: ['invalid_cursor', 'merchant_not_found', 'table_not_found'],
  brief: {
    usual:
      'table_number,open_since,total,orders.order_id,orders.display_number,orders.status,orders.to_pay,orders.lines.line_id,orders.lines.name,orders.lines.quantity',
  },
  example: () => ({ open: true }),
  cli: {
    command: 'business tables',
    danger: 'read',
    flags: { merchant_id: 'merchant', table_number: 'table' },
    columns: ['table_number', 'open_since', 'total', 'orders.display_number'],
    empty: 'No table has an open bill.',
    examples: ['dray business tables', 'dray business tables --open --json'],
  },
  touches: BUSINESS_AGREEMENT.touches,
  async run(context, { table_number, open = false, merchant_id }) {
    const { tx, cursor } = context
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const orders = await listOrdersByTable(tx, store.merchant_id)
    if (table_number !== undefined) assertTable(store, table_number, orders)
    const numbers = listTableNumbers(store, orders).map((number, index) => ({ number, index }))
    const from = Number(cursor.after?.[0] ?? -1)
    const page = numbers
      .filter(({ number, index }) => index > from && (table_number ?? number) === number)
      .filter(({ number }) => !open || orders.get(number)?.some(isOnTableBill) === true)
      .slice(0, cursor.limit + 1)
    const guests = page.flatMap(({ number }) => orders.get(number) ?? [])
    const serialize = await makeTableSerializer(tx, store, guests)
    return cursor.page(
      page,
      ({ index }) => [index],
      ({ number }) => serialize(number, orders.get(number) ?? []),
    )
  },
})
