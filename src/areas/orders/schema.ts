/** The schemas that the customer's view of an order and the store's share (`contract.md` B2, B8). */
import * as Type from 'typebox'
import {
  aside,
  by,
  closed,
  idOf,
  instant,
  means,
  money,
  named,
  nameText,
  nullable,
  remark,
} from '../../core/schema.ts'
import { FULFILLMENT_TYPES } from '../merchants/rules.ts'
import { ORDER_STATUSES, REJECT_REASONS } from './states.ts'

export const orderStatus = Type.Enum(ORDER_STATUSES, { meaning: 'Status' })
export const fulfillmentType = Type.Enum(FULFILLMENT_TYPES, {
  description: 'Fulfilment type',
  label: 'How',
})
export const orderId = idOf('Order')
export const merchantId = idOf('Store')
export const itemId = idOf('Item')

const line = {
  line_id: aside(Type.String({ meaning: 'Line' })),
  item_id: Type.String({ meaning: 'Item of the catalogue' }),
  name: by('seller', nameText),
  quantity: Type.Integer({ minimum: 1, meaning: 'Quantity' }),
  unit_price: means('Price of one', money),
  modifiers: Type.Array(
    closed({
      modifier_id: aside(Type.String({ meaning: 'Choice' })),
      modifier_group_id: aside(Type.String({ meaning: 'Group of choices' })),
      name: by('seller', nameText),
      quantity: Type.Integer({ minimum: 1, meaning: 'Quantity' }),
      price_delta: means('Extra price of the choice', money),
    }),
    { meaning: 'Choices' },
  ),
  notes: by('customer', remark),
  total: means('Total', money),
}

export const orderLine = named('OrderLine', line)
/** As the store sees it. */
export const storeOrderLine = named('StoreOrderLine', {
  ...line,
  sku: nullable(Type.String(), "The store's own number of the item"),
})

export const table = named('Table', {
  table_number: by('customer', Type.String({ meaning: 'Table', label: 'Table' })),
  party_size: nullable(Type.Integer({ minimum: 1 }), 'Number of people'),
})

export const tableCheck = named('TableCheck', {
  check_id: Type.String({ meaning: 'Bill at a table' }),
  status: Type.Enum(['open', 'closed'] as const, { meaning: 'Status', label: 'Check' }),
  opened_at: means('Opening time', instant),
  closed_at: nullable(instant, 'Closing time; null while it is open'),
  balance: nullable(money, 'Balance due', 'To pay'),
})

export const rejection = nullable(
  closed({
    reason_code: Type.Enum([...REJECT_REASONS, 'not_accepted_in_time'] as const, {
      meaning: 'Reason, as a word',
      label: 'Rejected because',
    }),
    note: by('seller', nullable(Type.String(), 'Note', 'Store says')),
    at: means('Time of rejection', instant),
    item_ids: Type.Array(Type.String(), { meaning: 'The items it is about' }),
  }),
  'Rejection by the store; null unless it rejected',
)
