/** A store's orders and catalogue as the store sees them (`contract.md` B8). */
import * as Type from 'typebox'
import { closed, instant, money, moneyFor, named, nullable, slot, text } from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { UNAVAILABLE_REASONS } from '../catalog/rules/catalog.ts'
import { modifierGroup } from '../catalog/schema.ts'
import { fulfillmentType, orderStatus, storeOrderLine, table, tableCheck } from '../orders/schema.ts'
import { ORDER_ACTIONS, REJECT_REASONS } from '../orders/states.ts'
import { payment, price, refund } from '../payments/schema.ts'

export const rejectReason = Type.Enum(REJECT_REASONS, { description: 'Why' })

const orderSummary = {
  order_id: Type.String(),
  display_number: Type.String(),
  merchant_id: Type.String(),
  status: orderStatus,
  fulfillment_type: fulfillmentType,
  customer: closed({
    first_name: Type.String(),
    phone_masked: nullable(Type.String()),
    orders_count: Type.Integer({ minimum: 1 }),
  }),
  lines: Type.Array(storeOrderLine),
  ...price,
  notes: nullable(Type.String()),
  payment,
  refund: nullable(refund),
  table: nullable(closed({ ...table.properties, check: nullable(tableCheck) })),
  slot: nullable(slot),
  prep: closed({
    accepted_at: nullable(instant),
    preparing_at: nullable(instant),
    ready_at: nullable(instant),
    estimated_ready_at: instant,
    prep_time_minutes: Type.Integer(),
  }),
  delivery: nullable(
    closed({
      delivery_id: Type.String(),
      status: Type.String(),
      courier: nullable(
        closed({
          name: Type.String(),
          vehicle_type: Type.Enum(VEHICLE_TYPES),
          phone_masked: Type.String(),
          eta_at: nullable(instant),
        }),
      ),
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
  allowed_actions: Type.Array(Type.Enum(ORDER_ACTIONS)),
  placed_at: instant,
  created_at: instant,
  updated_at: instant,
}

/** An order as a list shows it: everything but its history. */
export const businessOrderSummary = named('BusinessOrderSummary', orderSummary)

export const businessOrder = named('BusinessOrder', {
  ...orderSummary,
  status_history: Type.Array(
    closed({
      status: orderStatus,
      at: instant,
      by: Type.Enum(['customer', 'store', 'courier', 'system'] as const),
      reason: nullable(Type.String()),
      note: nullable(Type.String()),
    }),
  ),
})

export const catalogItem = named('CatalogItem', {
  item_id: Type.String(),
  merchant_id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  price: money,
  category: closed({ category_id: Type.String(), name: Type.String(), sort_order: Type.Integer() }),
  modifier_groups: Type.Array(modifierGroup),
  availability: closed({
    available: Type.Boolean(),
    until: nullable(instant),
    reason: nullable(Type.Enum(UNAVAILABLE_REASONS)),
  }),
  effective_available: Type.Boolean(),
  dietary_tags: Type.Array(Type.String()),
  allergens: Type.Array(Type.String()),
  image_url: nullable(Type.String()),
  sort_order: Type.Integer(),
  sku: nullable(Type.String()),
  external_ref: nullable(Type.String()),
  barcode: nullable(Type.String()),
  cost: nullable(money),
  stock: nullable(Type.Integer()),
  supplier_id: nullable(Type.String()),
  tax_rate_bps: nullable(Type.Integer()),
  version: Type.Integer(),
  created_at: instant,
  updated_at: instant,
})

/** A choice on an item as it is asked for: ids are kept where they are sent, and made where they are not. */
const modifierGroupsRequest = Type.Array(
  closed({
    modifier_group_id: Type.Optional(Type.String({ maxLength: 60 })),
    name: text(120),
    min_selections: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
    max_selections: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 50 }))),
    allow_repeats: Type.Optional(Type.Boolean()),
    modifiers: Type.Array(
      closed({
        modifier_id: Type.Optional(Type.String({ maxLength: 60 })),
        name: text(120),
        price_delta: Type.Optional(moneyFor('Added to the price')),
        available: Type.Optional(Type.Boolean()),
        is_default: Type.Optional(Type.Boolean()),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  }),
  { maxItems: 20, description: 'Choices on the item' },
)

/** The members of an item that an update may change too. */
export const itemBasics = {
  name: text(120, { description: 'Name on the menu' }),
  description: Type.Optional(nullable(Type.String({ maxLength: 1000, description: 'What it is' }))),
  price: moneyFor('Price, in the currency of the store'),
  category: text(120, { description: 'Section of the menu: its name (made when new) or its id' }),
  modifier_groups: Type.Optional(modifierGroupsRequest),
}

const tags = (description: string) => Type.Optional(Type.Array(text(40), { maxItems: 30, description }))
const reference = (description: string) => Type.Optional(text(64, { description }))

/** The body of `create_catalog_item`, and a row of `import_catalog_items`. */
export const catalogItemRequest = {
  ...itemBasics,
  available: Type.Optional(Type.Boolean({ default: true, description: 'On sale' })),
  unavailable_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'With available false: back on sale from then' }),
  ),
  unavailable_reason: Type.Optional(Type.Enum(UNAVAILABLE_REASONS, { description: 'Why it is off sale' })),
  dietary_tags: tags('Such as vegan, gluten_free'),
  allergens: tags('Such as milk, peanuts'),
  image_url: Type.Optional(Type.String({ maxLength: 500, pattern: '^https?://', description: 'Picture' })),
  sku: reference('Your stock-keeping unit; private'),
  external_ref: reference('Your own id of the item; one item each; private'),
  barcode: Type.Optional(
    Type.String({ maxLength: 20, description: 'GTIN of 8, 12, 13 or 14 digits; private' }),
  ),
  cost: Type.Optional(moneyFor('What it costs you; private')),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Private' })),
  supplier_id: reference('Who supplies it; private'),
  tax_rate_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Tax in hundredths of a per cent; 2000 is 20 %',
    }),
  ),
  sort_order: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Place in its section' }),
  ),
  category_sort: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Place of a section that is made for it' }),
  ),
}

export const catalogItemExample = {
  name: 'Pad Thai',
  category: 'Noodles',
  price: { amount: 1150, currency: 'GBP' },
  description: 'Rice noodles, tamarind, peanuts',
  allergens: ['peanuts'],
  modifier_groups: [
    {
      name: 'Protein',
      min_selections: 1,
      max_selections: 1,
      modifiers: [
        { name: 'Tofu', is_default: true },
        { name: 'Prawns', price_delta: { amount: 250, currency: 'GBP' } },
      ],
    },
  ],
  external_ref: 'POS-17',
  tax_rate_bps: 2000,
}
