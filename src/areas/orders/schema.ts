/** The schemas that the customer's view of an order and the store's share (`contract.md` B2, B8). */
import * as Type from 'typebox'
import { closed, instant, money, named, nullable } from '../../core/schema.ts'
import { FULFILLMENT_TYPES } from '../merchants/rules.ts'
import { ORDER_STATUSES } from './states.ts'

export const orderStatus = Type.Enum(ORDER_STATUSES)
export const fulfillmentType = Type.Enum(FULFILLMENT_TYPES, { description: 'How the customer gets it' })
export const orderId = Type.String({ minLength: 1, maxLength: 60, description: 'Order' })
export const merchantId = Type.String({ minLength: 1, maxLength: 60, description: 'Store' })
export const itemId = Type.String({ minLength: 1, maxLength: 60, description: 'Item' })

const line = {
  line_id: Type.String(),
  item_id: Type.String(),
  name: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  unit_price: money,
  modifiers: Type.Array(
    closed({
      modifier_id: Type.String(),
      modifier_group_id: Type.String(),
      name: Type.String(),
      quantity: Type.Integer({ minimum: 1 }),
      price_delta: money,
    }),
  ),
  notes: nullable(Type.String()),
  total: money,
}

export const orderLine = named('OrderLine', line)
/** As the store sees it. */
export const storeOrderLine = named('StoreOrderLine', { ...line, sku: nullable(Type.String()) })

export const table = named('Table', {
  table_number: Type.String(),
  party_size: nullable(Type.Integer({ minimum: 1 })),
})

export const tableCheck = named('TableCheck', {
  check_id: Type.String(),
  status: Type.Enum(['open', 'closed'] as const),
  opened_at: instant,
  closed_at: nullable(instant),
  balance: nullable(money),
})
