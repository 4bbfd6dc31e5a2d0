/** Merchants, menus, quotes and orders as customers see them (`contract.md` B2). */
import * as Type from 'typebox'
import { address, closed, instant, money, named, nullable, place, point, slot } from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { modifierGroup } from '../catalog/schema.ts'
import { FULFILLMENT_TYPES, MERCHANT_KINDS } from '../merchants/rules.ts'
import { fulfillmentType, orderLine, orderStatus, table } from '../orders/schema.ts'
import { ORDER_CANCEL_REASONS, REJECT_REASONS } from '../orders/states.ts'
import { payment, price, refund } from '../payments/schema.ts'
import { proofOfDelivery } from '../proofs/schema.ts'

const openingHours = Type.Array(
  closed({
    day: Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const),
    opens: Type.String(),
    closes: Type.String(),
  }),
)

export const merchant = named('Merchant', {
  merchant_id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  kind: Type.Enum(MERCHANT_KINDS),
  cuisines: Type.Array(Type.String()),
  address,
  location: point,
  timezone: Type.String(),
  distance_m: Type.Integer({ minimum: 0 }),
  is_open: Type.Boolean(),
  open_until: nullable(instant),
  opening_hours: openingHours,
  fulfillment_types: Type.Array(Type.Enum(FULFILLMENT_TYPES)),
  delivery: nullable(
    closed({
      available: Type.Boolean(),
      fee: money,
      minimum_order: money,
      radius_m: Type.Integer(),
      eta_min_minutes: Type.Integer(),
      eta_max_minutes: Type.Integer(),
    }),
  ),
  prep_time_minutes: Type.Integer(),
  rating: nullable(Type.Number()),
  rating_count: Type.Integer(),
  price_level: Type.Integer({ minimum: 1, maximum: 4 }),
  currency: Type.String(),
})

export const menuItem = named('MenuItem', {
  item_id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  price: money,
  available: Type.Boolean(),
  unavailable_until: nullable(instant),
  image_url: nullable(Type.String()),
  dietary_tags: Type.Array(Type.String()),
  allergens: Type.Array(Type.String()),
  modifier_groups: Type.Array(modifierGroup),
})

export const menu = closed({
  merchant_id: Type.String(),
  currency: Type.String(),
  menu_version: Type.Integer(),
  updated_at: instant,
  categories: Type.Array(
    closed({
      category_id: Type.String(),
      name: Type.String(),
      sort_order: Type.Integer(),
      items: Type.Array(menuItem),
    }),
  ),
})

export const foodQuote = closed({
  quote_id: Type.String(),
  kind: Type.Literal('food'),
  status: Type.Enum(['open', 'used', 'expired'] as const),
  created_at: instant,
  expires_at: instant,
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  merchant_id: Type.String(),
  merchant_name: Type.String(),
  fulfillment_type: fulfillmentType,
  lines: Type.Array(orderLine),
  ...price,
  dropoff: nullable(place),
  table: nullable(table),
  slot: nullable(slot),
  estimated_ready_at: instant,
  estimated_delivery_window: nullable(slot),
  warnings: Type.Array(Type.String()),
})

export const orderCancelReason = Type.Enum(ORDER_CANCEL_REASONS, { description: 'Why' })

const actor = Type.Enum(['customer', 'store', 'courier', 'system'] as const)

export const foodOrder = named('FoodOrder', {
  order_id: Type.String(),
  display_number: Type.String(),
  quote_id: Type.String(),
  merchant: closed({
    merchant_id: Type.String(),
    name: Type.String(),
    phone: nullable(Type.String()),
    address: nullable(address),
  }),
  status: orderStatus,
  fulfillment_type: fulfillmentType,
  lines: Type.Array(orderLine),
  ...price,
  payment,
  refund: nullable(refund),
  courier: nullable(
    closed({
      courier_id: Type.String(),
      name: Type.String(),
      vehicle_type: Type.Enum(VEHICLE_TYPES),
      phone_masked: Type.String(),
      location: nullable(point),
      status: Type.String(),
      eta_at: nullable(instant),
    }),
  ),
  delivery_id: nullable(Type.String()),
  proof_of_delivery: nullable(proofOfDelivery),
  table: nullable(table),
  slot: nullable(slot),
  dropoff: nullable(place),
  notes: nullable(Type.String()),
  cancellable: Type.Boolean(),
  status_history: Type.Array(
    closed({ status: orderStatus, at: instant, by: actor, reason: nullable(Type.String()) }),
  ),
  cancellation: nullable(
    closed({
      by: actor,
      reason_code: orderCancelReason,
      note: nullable(Type.String()),
      at: instant,
    }),
  ),
  rejection: nullable(
    closed({
      reason_code: Type.Enum([...REJECT_REASONS, 'not_accepted_in_time'] as const),
      note: nullable(Type.String()),
      at: instant,
      item_ids: Type.Array(Type.String()),
    }),
  ),
  created_at: instant,
  updated_at: instant,
  estimated_ready_at: instant,
  estimated_delivery_at: nullable(instant),
  completed_at: nullable(instant),
})
