/** Merchants, menus, quotes and orders as customers see them. */
import * as Type from 'typebox'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  address,
  writtenBy,
  cancellable,
  strictObject,
  createdAt,
  objectField,
  instant,
  withLabel,
  describeField,
  money,
  component,
  nameField,
  nullable,
  phoneMasked,
  placeField,
  point,
  quoteFields,
  noteField,
  slot,
  statusHistory,
  updatedAt,
} from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { modifierGroup } from '../catalog/schema.ts'
import { FULFILLMENT_TYPES, MERCHANT_KINDS } from '../merchants/rules.ts'
import {
  adjustmentMembers,
  customerTable,
  fulfillmentType,
  ifAbsentShown,
  orderLine,
  orderStatus,
  quotedLine,
  rejection,
  tableSchema,
} from '../orders/schema.ts'
import { CUSTOMER_TIMES, ORDER_CANCEL_REASONS, ORDER_QUOTE_TIMES } from '../orders/states.ts'
import { quoteTermsFields, payment, basketPrice, refundMembers } from '../payments/schema.ts'
import { proofOfDelivery } from '../proofs/schema.ts'

const openingHours = Type.Array(
  strictObject({
    day: Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, {
      meaning: 'Day of the week',
    }),
    opens: Type.String({ meaning: 'Opening time, HH:MM, local' }),
    closes: Type.String({ meaning: 'Closing time, HH:MM, local' }),
  }),
)

export const merchant = component('Merchant', {
  merchant_id: Type.String({ meaning: 'Store' }),
  name: writtenBy('seller', nameField),
  description: writtenBy('seller', nullable('Short description', Type.String())),
  kind: Type.Enum(MERCHANT_KINDS, { meaning: 'Kind' }),
  cuisines: writtenBy('seller', Type.Array(Type.String(), { meaning: 'Cuisines' })),
  address: writtenBy('seller', describeField('Address', address)),
  location: describeField('Location', point),
  timezone: Type.String({ meaning: 'Local time zone (IANA)' }),
  distance_m: Type.Integer({ minimum: 0, meaning: 'Distance from the search place in metres' }),
  is_open: Type.Boolean({ meaning: 'True if it is open now' }),
  open_until: nullable('Next closing time; null while it is closed', instant),
  opens_at: nullable('Next opening time; null while it is open or takes no orders', instant, 'Opens'),
  opening_hours: describeField('Opening hours in local time', openingHours),
  fulfillment_types: Type.Array(Type.Enum(FULFILLMENT_TYPES), { meaning: 'Fulfilment types' }),
  delivery: nullable(
    'Delivery; null for pickup and dine-in',
    strictObject({
      available: Type.Boolean({ meaning: 'True if it is available now' }),
      fee: describeField('Delivery fee', money, 'Delivery'),
      minimum_order: describeField('Minimum order value', money),
      radius_m: Type.Integer({ meaning: 'Delivery radius in metres' }),
      eta_min_minutes: Type.Integer({
        meaning: 'Shortest delivery time in minutes',
        label: 'Delivery minutes',
      }),
      eta_max_minutes: Type.Integer({ meaning: 'Longest delivery time in minutes' }),
    }),
  ),
  prep_time_minutes: Type.Integer({ meaning: 'Prep time in minutes' }),
  rating: nullable('Rating from 1 to 5; null without ratings', Type.Number()),
  rating_count: Type.Integer({ meaning: 'Number of ratings' }),
  price_level: Type.Integer({ minimum: 1, maximum: 4, meaning: 'Price level from 1 (cheapest) to 4' }),
  currency: Type.String({ meaning: 'Currency code (ISO 4217)' }),
})

export const menuItem = component('MenuItem', {
  item_id: Type.String({ meaning: 'Item' }),
  name: writtenBy('seller', nameField),
  description: writtenBy('seller', nullable('Short description', Type.String())),
  price: describeField('Price', money),
  available: Type.Boolean({ meaning: 'True if it is available now' }),
  unavailable_until: nullable('End of the unavailable period; null if unknown', instant),
  image_url: writtenBy('seller', nullable('Image URL', Type.String())),
  dietary_tags: writtenBy('seller', Type.Array(Type.String(), { meaning: 'Dietary tags, such as vegan' })),
  allergens: writtenBy('seller', Type.Array(Type.String(), { meaning: 'Allergens' })),
  modifier_groups: Type.Array(modifierGroup, { meaning: 'Modifier groups' }),
})

export const menu = strictObject({
  merchant_id: Type.String({ meaning: 'Store' }),
  currency: Type.String({ meaning: 'Currency code (ISO 4217)' }),
  menu_version: Type.Integer({ meaning: 'Menu version; increases with each change' }),
  updated_at: updatedAt,
  categories: Type.Array(
    strictObject({
      category_id: Type.String({ meaning: 'Menu category' }),
      name: writtenBy('seller', nameField),
      sort_order: Type.Integer({ meaning: 'Sort order, smallest first' }),
      items: Type.Array(menuItem, { meaning: 'Items in the category' }),
    }),
    { meaning: 'Categories in menu order' },
  ),
})

export const foodQuoteSchema = strictObject({
  ...quoteFields('food'),
  merchant_id: Type.String({ meaning: 'Store' }),
  merchant_name: writtenBy('seller', Type.String({ meaning: 'Name of the store', label: 'Store' })),
  fulfillment_type: fulfillmentType,
  lines: Type.Array(quotedLine, { meaning: 'Order lines' }),
  ...basketPrice,
  dropoff: nullable('Drop-off place', placeField),
  if_absent: ifAbsentShown,
  table: nullable('Table, with dine_in', tableSchema),
  slot: nullable('Reserved slot', slot),
  estimated_ready_at: describeField('Estimated ready time', instant),
  estimated_delivery_window: nullable('Estimated delivery window', slot),
  warnings: Type.Array(Type.String(), { meaning: 'Warnings before ordering' }),
  ...quoteTermsFields,
  ...makeLocalTimeFields(ORDER_QUOTE_TIMES),
})

export const orderCancelReason = Type.Enum(ORDER_CANCEL_REASONS, {
  description: 'Reason',
  label: 'Reason',
})

const actor = Type.Enum(['customer', 'store', 'courier', 'system'] as const)

export const foodOrder = component('FoodOrder', {
  order_id: Type.String({ meaning: 'Order', label: 'ID' }),
  display_number: Type.String({ meaning: 'Four-character order number', label: 'Order' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  merchant: objectField('Store', {
    merchant_id: Type.String({ meaning: 'Store' }),
    name: writtenBy('seller', withLabel('From', nameField)),
    phone: nullable('Phone number', Type.String()),
    address: writtenBy('seller', nullable('Address', address, 'Store address')),
  }),
  status: orderStatus,
  fulfillment_type: fulfillmentType,
  lines: Type.Array(orderLine, { meaning: 'Order lines' }),
  ...basketPrice,
  payment: describeField('Payment', payment),
  ...refundMembers,
  ...adjustmentMembers,
  courier: nullable(
    'Courier; null until one is assigned',
    strictObject({
      courier_id: Type.String({ meaning: 'Courier' }),
      name: writtenBy('worker', withLabel('Courier', nameField)),
      vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Vehicle type', label: 'Vehicle' }),
      phone_masked: phoneMasked,
      location: nullable('Location', point),
      status: Type.String({ meaning: 'Status' }),
      eta_at: nullable('Estimated time of arrival', instant, 'ETA'),
    }),
  ),
  delivery_id: nullable('Delivery', Type.String()),
  proof_of_delivery: nullable('Proof of delivery; null until it is handed over', proofOfDelivery),
  table: nullable('Table, with dine_in', customerTable),
  slot: nullable('Reserved slot', slot),
  dropoff: nullable('Drop-off place', placeField, 'Deliver to'),
  if_absent: ifAbsentShown,
  notes: noteField,
  cancellable,
  status_history: statusHistory(orderStatus, actor),
  cancellation: nullable(
    'Cancellation; null if not cancelled',
    strictObject({
      by: describeField('Actor', actor),
      reason_code: orderCancelReason,
      note: noteField,
      at: describeField('Time of cancellation', instant),
    }),
  ),
  rejection,
  created_at: withLabel('Placed', createdAt),
  updated_at: updatedAt,
  estimated_ready_at: describeField('Estimated ready time', instant, 'Ready time'),
  estimated_delivery_at: nullable('Estimated time of delivery', instant, 'Delivery ETA'),
  latest_delivery_at: nullable(
    'Latest delivery time promised at the order; later is late; null without delivery',
    instant,
  ),
  completed_at: nullable('Completion time; null until then', instant),
  ...makeLocalTimeFields(CUSTOMER_TIMES),
})
