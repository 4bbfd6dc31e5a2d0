import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { BUSINESS_DAY_START, toBusinessInstant } from '../../core/period.ts'
import { businessDayOrDateTime } from '../../core/schema.ts'
import type { Slice } from '../../core/slice.ts'
import { FULFILLMENT_TYPES, type FulfillmentType } from '../merchants/rules.ts'
import {
  listOrdersByDisplayNumber,
  listProblemOrders,
  listStoreOrders,
  type OrderRecord,
  sliceNewestFirst,
  type StoreOrderFilters,
} from '../orders/queries/orders.ts'
import { assertAlone } from '../orders/rules/number-filter.ts'
import { fulfillmentType, merchantId, orderNumber, orderStatus } from '../orders/schema.ts'
import { ACTIVE_ORDER_STATUSES, isOrderOver, ORDER_STATUSES, type OrderStatus } from '../orders/states.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from '../payments/rules/payment.ts'
import { requireBusinessAgreement, loadOwnStore } from './access.ts'
import { makeBusinessOrderSerializer } from './order-views.ts'
import { OWN_STORE_ORDER } from './own-order.ts'
import { businessOrderSummary } from './schema.ts'

export const listBusinessOrders = OWN_STORE_ORDER.list({
  name: 'list_business_orders',
  summary: 'List your store’s orders, newest first',
  description: `With active, leaves out orders that are completed, rejected, cancelled or failed. A date is a business day of the store, which begins at ${BUSINESS_DAY_START}.`,
  details: 'Time ranges include the start and exclude the end.',
  filters: {
    status: Type.Optional(
      Type.Array(orderStatus, { minItems: 1, maxItems: 9, description: 'Statuses to include' }),
    ),
    fulfillment_type: Type.Optional(
      Type.Array(fulfillmentType, { minItems: 1, maxItems: 3, description: 'Fulfilment types to include' }),
    ),
    active: Type.Optional(Type.Boolean({ description: 'Active orders only' })),
    payment_status: Type.Optional(Type.Enum(PAYMENT_STATUSES, { description: 'Payment status' })),
    problem: Type.Optional(
      Type.Enum(['open'] as const, { description: 'Orders with a problem that waits for your answer' }),
    ),
    created_from: Type.Optional(businessDayOrDateTime('Earliest order time, included')),
    created_to: Type.Optional(businessDayOrDateTime('Latest order time, excluded')),
    merchant_id: Type.Optional(merchantId),
    display_number: Type.Optional(orderNumber),
  },
  item: businessOrderSummary,
  errors: ['merchant_not_found'],
  brief: {
    usual:
      'order_id,display_number,status,fulfillment_type,lines.line_id,lines.name,lines.quantity,lines.removed,lines.replaced,lines.modifiers.name,lines.notes,charged,notes,payment.status,table,slot,prep.estimated_ready_at,allowed_actions,accept_by,placed_at,adjustments.kind,adjustments.lines.line_id,adjustments.lines.quantity,adjustments.lines.replacement.line_id,adjustments.lines.replacement.name,adjustments.lines.replacement.modifiers.name,adjustments.lines.replacement.removed,adjustments.lines.replacement.replaced,adjustments.answer_by,adjustments.answer',
  },
  example: () => ({ active: true }),
  cli: {
    command: 'business orders list',
    flags: {
      fulfillment_type: 'fulfillment',
      payment_status: 'payment',
      merchant_id: 'merchant',
      display_number: 'number',
    },
    columns: [
      'display_number',
      { field: 'placed_at', dropOrder: 5 },
      'customer.first_name',
      { field: 'fulfillment_type', dropOrder: 3 },
      'table.table_number',
      'status',
      'payment.status',
      { field: 'total', dropOrder: 4 },
      'charged',
      'prep.estimated_ready_at',
      { field: 'order_id', dropOrder: 2 },
      { field: 'allowed_actions', dropOrder: 1 },
      'table.check.balance',
    ],
    examples: [
      'dray business orders list --active',
      'dray business orders list --status placed --fulfillment delivery',
      'dray business orders list --number 7K2M',
      'dray business orders list --created-from 2026-11-01 --all --output csv',
    ],
  },
  async read(context, filters, slice) {
    assertAlone('display_number', filters, FILTERS)
    assertAlone('problem', filters, FILTERS)
    const { display_number, merchant_id } = filters
    return display_number === undefined
      ? listOfStore(context, filters, slice)
      : listOfNumber(context, display_number, merchant_id, slice)
  },
  makeSerializer: makeBusinessOrderSerializer,
})

type Filters = OrderKindFilter & {
  merchant_id?: string
  problem?: 'open'
  created_from?: string
  created_to?: string
}

async function listOfStore(context: OperationContext, input: Filters, slice: Slice): Promise<OrderRecord[]> {
  const kinds = kindsOf(input)
  const store = await loadOwnStore(context, input.merchant_id, 'parameter')
  const span = {
    created_from: toBusinessInstant(input.created_from, store.timezone),
    created_to: toBusinessInstant(input.created_to, store.timezone),
  }
  const own = { agreement_id: requireBusinessAgreement(context), merchant_id: store.merchant_id }
  return input.problem === undefined
    ? listStoreOrders(context.tx, store.merchant_id, { ...kinds, ...span }, slice)
    : listProblemOrders(context.tx, own, slice)
}

/** A number is looked up in the named store, or else in all stores of the caller. */
async function listOfNumber(
  context: OperationContext,
  number: string,
  merchantId: string | undefined,
  slice: Slice,
): Promise<OrderRecord[]> {
  const agreementId = requireBusinessAgreement(context)
  if (merchantId !== undefined) await loadOwnStore(context, merchantId, 'parameter')
  const alike = await listOrdersByDisplayNumber(context.tx, number.toUpperCase())
  const isOwn = ({ doc, merchant_id }: OrderRecord): boolean =>
    doc.merchant.agreement_id === agreementId && (merchantId === undefined || merchant_id === merchantId)
  return sliceNewestFirst(alike.filter(isOwn), slice)
}

/** A problem and a number go with none of these: few orders have either. */
const FILTERS = [
  'status',
  'fulfillment_type',
  'active',
  'payment_status',
  'problem',
  'created_from',
  'created_to',
]

type OrderKindFilter = {
  status?: OrderStatus[]
  active?: boolean
  fulfillment_type?: FulfillmentType[]
  payment_status?: PaymentStatus
}

/** A filter by payment or fulfillment lists every value of the others: one index holds them together. */
function kindsOf(input: OrderKindFilter): Pick<StoreOrderFilters, 'statuses' | 'kinds'> {
  const statuses = statusesOf(input)
  const { fulfillment_type: types, payment_status } = input
  if (types === undefined && payment_status === undefined) return { statuses }
  const kinds = {
    payment_statuses: payment_status === undefined ? PAYMENT_STATUSES : [payment_status],
    fulfillment_types: types ?? FULFILLMENT_TYPES,
  }
  return { statuses: statuses ?? ORDER_STATUSES, kinds }
}

function statusesOf({ status, active = false }: OrderKindFilter): readonly OrderStatus[] | undefined {
  if (!active) return status
  const over = status?.find(isOrderOver)
  if (over === undefined) return status ?? ACTIVE_ORDER_STATUSES
  const detail = `active leaves out orders that are ${over}`
  throw new AppError('invalid_request', `${detail}: use active or status ${over}, not both.`, {
    errors: [{ parameter: 'status', code: 'mutually_exclusive', detail }],
  })
}
