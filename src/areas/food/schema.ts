/** Merchants, menus, quotes and orders as customers see them (`contract.md` B2). */
import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
  address,
  by,
  cancellable,
  closed,
  createdAt,
  group,
  instant,
  labelled,
  means,
  money,
  named,
  nameText,
  nullable,
  phoneMasked,
  place,
  point,
  quoteFields,
  remark,
  slot,
  statusHistory,
  updatedAt,
} from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { modifierGroup } from '../catalog/schema.ts'
import { FULFILLMENT_TYPES, MERCHANT_KINDS } from '../merchants/rules.ts'
import { fulfillmentType, orderLine, orderStatus, rejection, table } from '../orders/schema.ts'
import { CUSTOMER_TIMES, ORDER_CANCEL_REASONS, ORDER_QUOTE_TIMES } from '../orders/states.ts'
import { confirmTerms, payment, price, refund } from '../payments/schema.ts'
import { proofOfDelivery } from '../proofs/schema.ts'

const openingHours = Type.Array(
  closed({
    day: Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, {
      meaning: 'Day of the week',
    }),
    opens: Type.String({ meaning: 'Opening time of day there, HH:MM' }),
    closes: Type.String({ meaning: 'Closing time of day there, HH:MM' }),
  }),
)

export const merchant = named('Merchant', {
  merchant_id: Type.String({ meaning: 'Store' }),
  name: by('seller', nameText),
  description: by('seller', nullable(Type.String(), 'In a few words')),
  kind: Type.Enum(MERCHANT_KINDS, { meaning: 'Of which kind' }),
  cuisines: by('seller', Type.Array(Type.String(), { meaning: 'What is cooked' })),
  address: by('seller', means('Where, as an address', address)),
  location: means('Where, as a point', point),
  timezone: Type.String({ meaning: 'Time zone there (IANA)' }),
  distance_m: Type.Integer({ minimum: 0, meaning: 'Distance from the place asked about, in metres' }),
  is_open: Type.Boolean({ meaning: 'Whether it is open now' }),
  open_until: nullable(instant, 'When it closes next; null while it is closed'),
  opens_at: nullable(instant, 'When it opens next; null while it is open or takes no orders', 'Opens'),
  opening_hours: means('When it is open, by the clock there', openingHours),
  fulfillment_types: Type.Array(Type.Enum(FULFILLMENT_TYPES), { meaning: 'How customers can get it' }),
  delivery: nullable(
    closed({
      available: Type.Boolean({ meaning: 'Whether it can be had now' }),
      fee: means('What it costs', money, 'Delivery'),
      minimum_order: means('The goods must cost at least this', money),
      radius_m: Type.Integer({ meaning: 'Within so many metres' }),
      eta_min_minutes: Type.Integer({ meaning: 'Minutes it takes at least', label: 'In' }),
      eta_max_minutes: Type.Integer({ meaning: 'Minutes it takes at most' }),
    }),
    'How it is delivered; null where it is not',
  ),
  prep_time_minutes: Type.Integer({ meaning: 'How long it takes to prepare, in minutes' }),
  rating: nullable(Type.Number(), 'From 1 to 5; null without ratings'),
  rating_count: Type.Integer({ meaning: 'How many ratings there are' }),
  price_level: Type.Integer({ minimum: 1, maximum: 4, meaning: 'From 1, cheap, to 4' }),
  currency: Type.String({ meaning: 'Three letters (ISO 4217)' }),
})

export const menuItem = named('MenuItem', {
  item_id: Type.String({ meaning: 'Item of the catalogue' }),
  name: by('seller', nameText),
  description: by('seller', nullable(Type.String(), 'In a few words')),
  price: means('What it costs', money),
  available: Type.Boolean({ meaning: 'Whether it can be had now' }),
  unavailable_until: nullable(instant, 'Not to be had until then; null when nobody knows'),
  image_url: by('seller', nullable(Type.String(), 'A picture')),
  dietary_tags: by('seller', Type.Array(Type.String(), { meaning: 'Whom it suits, such as vegan' })),
  allergens: by('seller', Type.Array(Type.String(), { meaning: 'What it contains that some must not eat' })),
  modifier_groups: Type.Array(modifierGroup, { meaning: 'What can or must be chosen' }),
})

export const menu = closed({
  merchant_id: Type.String({ meaning: 'Store' }),
  currency: Type.String({ meaning: 'Three letters (ISO 4217)' }),
  menu_version: Type.Integer({ meaning: 'Grows with every change of the menu' }),
  updated_at: updatedAt,
  categories: Type.Array(
    closed({
      category_id: Type.String({ meaning: 'Section of the menu' }),
      name: by('seller', nameText),
      sort_order: Type.Integer({ meaning: 'Where it stands, smallest first' }),
      items: Type.Array(menuItem, { meaning: 'What is in it' }),
    }),
    { meaning: 'Its sections, in their order' },
  ),
})

export const foodQuote = closed({
  ...quoteFields('food'),
  merchant_id: Type.String({ meaning: 'Store' }),
  merchant_name: by('seller', Type.String({ meaning: 'Name of the store', label: 'Store' })),
  fulfillment_type: fulfillmentType,
  lines: Type.Array(orderLine, { meaning: 'Line by line' }),
  ...price,
  dropoff: nullable(place, 'Where it goes'),
  table: nullable(table, 'The table, with dine_in'),
  slot: nullable(slot, 'The time agreed'),
  estimated_ready_at: means('When it should be ready', instant),
  estimated_delivery_window: nullable(slot, 'When it should be delivered'),
  warnings: Type.Array(Type.String(), { meaning: 'What the customer should know before ordering' }),
  ...confirmTerms,
  ...localTimes(ORDER_QUOTE_TIMES),
})

export const orderCancelReason = Type.Enum(ORDER_CANCEL_REASONS, {
  description: 'Why',
  label: 'Cancelled because',
})

const actor = Type.Enum(['customer', 'store', 'courier', 'system'] as const)

export const foodOrder = named('FoodOrder', {
  order_id: Type.String({ meaning: 'Order', label: 'Id' }),
  display_number: Type.String({ meaning: 'Four characters for people to say aloud', label: 'Order' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  merchant: group('The store', {
    merchant_id: Type.String({ meaning: 'Store' }),
    name: by('seller', labelled('From', nameText)),
    phone: nullable(Type.String(), 'Telephone'),
    address: by('seller', nullable(address, 'Where, as an address', 'At')),
  }),
  status: orderStatus,
  fulfillment_type: fulfillmentType,
  lines: Type.Array(orderLine, { meaning: 'Line by line' }),
  ...price,
  payment: means('How it is paid', payment),
  refund: nullable(refund, 'What was paid back; null unless something was'),
  courier: nullable(
    closed({
      courier_id: Type.String({ meaning: 'Courier' }),
      name: by('worker', labelled('Courier', nameText)),
      vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Kind of vehicle', label: 'Vehicle' }),
      phone_masked: phoneMasked,
      location: nullable(point, 'Where, as a point'),
      status: Type.String({ meaning: 'Where it stands' }),
      eta_at: nullable(instant, 'When it should be there', 'There at'),
    }),
    'Who brings it; null until somebody does',
  ),
  delivery_id: nullable(Type.String(), 'Delivery'),
  proof_of_delivery: nullable(proofOfDelivery, 'How it was handed over; null until it is'),
  table: nullable(table, 'The table, with dine_in'),
  slot: nullable(slot, 'The time agreed'),
  dropoff: nullable(place, 'Where it goes', 'To'),
  notes: remark,
  cancellable,
  status_history: statusHistory(orderStatus, actor),
  cancellation: nullable(
    closed({
      by: means('Who did it', actor),
      reason_code: orderCancelReason,
      note: remark,
      at: means('When', instant),
    }),
    'How it was cancelled; null unless it was',
  ),
  rejection,
  created_at: labelled('Placed', createdAt),
  updated_at: updatedAt,
  estimated_ready_at: means('When it should be ready', instant, 'Ready by'),
  estimated_delivery_at: nullable(instant, 'When it should be delivered', 'Arrives by'),
  completed_at: nullable(instant, 'When it was completed; null until it is'),
  ...localTimes(CUSTOMER_TIMES),
})
