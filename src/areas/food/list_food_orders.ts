import * as Type from 'typebox'
import { dateOrDateTime } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import {
  listCustomerOrders,
  listOrdersByDisplayNumber,
  type OrderRecord,
  sliceNewestFirst,
} from '../orders/queries/orders.ts'
import { assertAlone } from '../orders/rules/number-filter.ts'
import { merchantId, orderNumber, orderStatus } from '../orders/schema.ts'
import { ORDER_STATUSES } from '../orders/states.ts'
import { OWN_FOOD_ORDER } from './access.ts'
import { foodOrder } from './schema.ts'
import { makeFoodOrderSerializer } from './views.ts'

export const listFoodOrders = OWN_FOOD_ORDER.list({
  name: 'list_food_orders',
  summary: 'List your orders, newest first',
  description: 'A date begins at midnight in London.',
  details: 'Time ranges include the start and exclude the end.',
  filters: {
    status: Type.Optional(
      Type.Array(orderStatus, { minItems: 1, maxItems: 9, description: 'Statuses to include' }),
    ),
    merchant_id: Type.Optional(merchantId),
    display_number: Type.Optional(orderNumber),
    created_from: Type.Optional(dateOrDateTime('Earliest order time, included')),
    created_to: Type.Optional(dateOrDateTime('Latest order time, excluded')),
  },
  item: foodOrder,
  brief: {
    usual:
      'order_id,display_number,merchant.name,status,fulfillment_type,lines.line_id,lines.name,lines.quantity,lines.removed,lines.replaced,charged,payment.status,cancellable,created_at,slot,estimated_ready_at,estimated_delivery_at,completed_at,adjustments.adjustment_id,adjustments.kind,adjustments.lines.line_id,adjustments.lines.quantity,adjustments.lines.replacement.line_id,adjustments.lines.replacement.name,adjustments.lines.replacement.removed,adjustments.lines.replacement.replaced,adjustments.answer_by,adjustments.answer',
  },
  example: () => ({ status: ['placed', 'accepted'], limit: 5 }),
  cli: {
    command: 'food list',
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
  async read({ tx, account, world }, input, slice) {
    const { status, merchant_id, display_number, created_from, created_to } = input
    assertAlone('display_number', input, ['status', 'created_from', 'created_to'])
    if (display_number !== undefined) {
      const isOwn = (order: OrderRecord): boolean =>
        order.account_id === account.account_id &&
        (merchant_id === undefined || order.merchant_id === merchant_id)
      return sliceNewestFirst(
        (await listOrdersByDisplayNumber(tx, display_number.toUpperCase())).filter(isOwn),
        slice,
      )
    }
    const filters = {
      statuses: status ?? (merchant_id === undefined ? undefined : ORDER_STATUSES),
      merchant_id,
      created_from: toInstant(created_from, world.timezone),
      created_to: toInstant(created_to, world.timezone),
    }
    return listCustomerOrders(tx, account.account_id, filters, slice)
  },
  makeSerializer: makeFoodOrderSerializer,
})
