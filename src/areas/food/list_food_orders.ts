import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginated, paginationParams, dateOrDateTime } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import {
  listCustomerOrders,
  listNumberedOrders,
  type OrderRecord,
  sliceNewestFirst,
} from '../orders/queries/orders.ts'
import { assertAlone } from '../orders/rules/number-filter.ts'
import { merchantId, orderNumber, orderStatus } from '../orders/schema.ts'
import { ORDER_STATUSES } from '../orders/states.ts'
import { foodOrder } from './schema.ts'
import { makeFoodOrderSerializer } from './views.ts'

export const listFoodOrders = defineOperation({
  name: 'list_food_orders',
  area: 'food',
  summary: 'List your orders, newest first',
  description: 'A date begins at midnight in London.',
  details: 'Time ranges include the start and exclude the end.',
  method: 'GET',
  path: '/v1/food/orders',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    status: Type.Optional(
      Type.Array(orderStatus, { minItems: 1, maxItems: 9, description: 'Statuses to include' }),
    ),
    merchant_id: Type.Optional(merchantId),
    display_number: Type.Optional(orderNumber),
    created_from: Type.Optional(dateOrDateTime('Earliest order time, included')),
    created_to: Type.Optional(dateOrDateTime('Latest order time, excluded')),
    ...paginationParams,
  }),
  output: paginated(foodOrder),
  errors: ['invalid_cursor'],
  brief: {
    usual:
      'order_id,display_number,merchant.name,status,fulfillment_type,lines.line_id,lines.name,lines.quantity,lines.removed,lines.replaced,charged,payment.status,cancellable,created_at,slot,estimated_ready_at,estimated_delivery_at,completed_at,adjustments.adjustment_id,adjustments.kind,adjustments.lines.line_id,adjustments.lines.quantity,adjustments.lines.replacement.line_id,adjustments.lines.replacement.name,adjustments.lines.replacement.removed,adjustments.lines.replacement.replaced,adjustments.answer_by,adjustments.answer',
  },
  example: () => ({ status: ['placed', 'accepted'], limit: 5 }),
  cli: {
    command: 'food list',
    danger: 'read',
    flags: { merchant_id: 'merchant', display_number: 'number' },
    columns: [
      'display_number',
      'merchant.name',
      'status',
      { field: 'total', dropOrder: 5 },
      'charged',
      { field: 'created_at', dropOrder: 4 },
      { field: 'fulfillment_type', dropOrder: 3 },
      { field: 'payment.status', dropOrder: 2 },
      { field: 'order_id', dropOrder: 1 },
    ],
    examples: [
      'dray food list',
      'dray food list --status placed --status accepted',
      'dray food list --number X7KH',
      'dray food list --created-from 2026-11-01 --all --output csv',
    ],
  },
  touches: (_input, { account }) => ({ owner: account.account_id }),
  async run({ tx, account, world, now, cursor }, input) {
    const { status, merchant_id, display_number, created_from, created_to } = input
    assertAlone('display_number', input, ['status', 'created_from', 'created_to'])
    const [created_at, seq] = cursor.after ?? []
    const slice = {
      after: seq === undefined ? undefined : { created_at: Number(created_at), seq: Number(seq) },
      limit: cursor.limit + 1,
    }
    const isOwn = (order: OrderRecord): boolean =>
      order.account_id === account.account_id &&
      (merchant_id === undefined || order.merchant_id === merchant_id)
    const filters = {
      statuses: status ?? (merchant_id === undefined ? undefined : ORDER_STATUSES),
      merchant_id,
      created_from: toInstant(created_from, world.timezone),
      created_to: toInstant(created_to, world.timezone),
    }
    const orders =
      display_number === undefined
        ? await listCustomerOrders(tx, account.account_id, filters, slice)
        : sliceNewestFirst((await listNumberedOrders(tx, display_number.toUpperCase())).filter(isOwn), slice)
    const view = await makeFoodOrderSerializer(tx, orders, now)
    return cursor.page(orders, (order) => [order.created_at, order.seq], view)
  },
})
