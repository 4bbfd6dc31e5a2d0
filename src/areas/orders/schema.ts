/** The schemas that the customer's view of an order and the store's share (`contract.md` B2, B8). */
import * as Type from 'typebox'
import {
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

export const orderStatus = Type.Enum(ORDER_STATUSES, { meaning: 'Where it stands' })
export const fulfillmentType = Type.Enum(FULFILLMENT_TYPES, {
  description: 'How the customer gets it',
  label: 'How',
})
export const orderId = idOf('Order')
export const merchantId = idOf('Store')
export const itemId = idOf('Item')

const line = {
  line_id: Type.String({ meaning: 'Line' }),
  item_id: Type.String({ meaning: 'Item of the catalogue' }),
  name: by('seller', nameText),
  quantity: Type.Integer({ minimum: 1, meaning: 'How many' }),
  unit_price: means('Price of one', money),
  modifiers: Type.Array(
    closed({
      modifier_id: Type.String({ meaning: 'Choice' }),
      modifier_group_id: Type.String({ meaning: 'Group of choices' }),
      name: by('seller', nameText),
      quantity: Type.Integer({ minimum: 1, meaning: 'How many' }),
      price_delta: means('What the choice adds to the price', money),
    }),
    { meaning: 'Choices' },
  ),
  notes: by('customer', remark),
  total: means('What it all comes to', money),
}

export const orderLine = named('OrderLine', line)
/** As the store sees it. */
export const storeOrderLine = named('StoreOrderLine', {
  ...line,
  sku: nullable(Type.String(), "The store's own number of the item"),
})

export const table = named('Table', {
  table_number: by('customer', Type.String({ meaning: 'Table', label: 'Table' })),
  party_size: nullable(Type.Integer({ minimum: 1 }), 'How many people'),
})

export const tableCheck = named('TableCheck', {
  check_id: Type.String({ meaning: 'Bill at a table' }),
  status: Type.Enum(['open', 'closed'] as const, { meaning: 'Where it stands', label: 'Check' }),
  opened_at: means('When it was opened', instant),
  closed_at: nullable(instant, 'When it was closed; null while it is open'),
  balance: nullable(money, 'What is still to be paid', 'To pay'),
})

export const rejection = nullable(
  closed({
    reason_code: Type.Enum([...REJECT_REASONS, 'not_accepted_in_time'] as const, {
      meaning: 'Why, as a word',
      label: 'Rejected because',
    }),
    note: by('seller', nullable(Type.String(), 'What was said about it', 'Store says')),
    at: means('When', instant),
    item_ids: Type.Array(Type.String(), { meaning: 'The items it is about' }),
  }),
  'Why the store refused it; null unless it did',
)
