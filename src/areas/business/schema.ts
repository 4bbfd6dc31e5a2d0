/** A store's orders and catalogue as the store sees them (`contract.md` B8). */
import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
  aside,
  by,
  closed,
  CODE,
  code,
  createdAt,
  group,
  idOf,
  instant,
  labelled,
  means,
  money,
  moneyFor,
  named,
  nameText,
  nullable,
  phoneMasked,
  remark,
  slot,
  text,
  updatedAt,
} from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { UNAVAILABLE_REASONS } from '../catalog/rules/catalog.ts'
import { modifierGroup } from '../catalog/schema.ts'
import {
  fulfillmentType,
  orderStatus,
  rejection,
  storeOrderLine,
  table,
  tableCheck,
} from '../orders/schema.ts'
import { ORDER_ACTIONS, REJECT_REASONS, STORE_TIMES } from '../orders/states.ts'
import { payment, price, refund } from '../payments/schema.ts'

export const rejectReason = Type.Enum(REJECT_REASONS, { description: 'Reason' })

const orderSummary = {
  order_id: Type.String({ meaning: 'Order', label: 'Id' }),
  display_number: Type.String({ meaning: 'Four-character order number', label: 'Order' }),
  merchant_id: Type.String({ meaning: 'Store' }),
  status: orderStatus,
  fulfillment_type: fulfillmentType,
  customer: group('Customer, as far as the store may know', {
    first_name: by('customer', Type.String({ meaning: 'First name', label: 'Customer' })),
    phone_masked: nullable(Type.String(), 'Telephone, mostly hidden'),
    orders_count: Type.Integer({ minimum: 1, meaning: 'Number of orders of the customer there' }),
  }),
  lines: Type.Array(storeOrderLine, { meaning: 'Line by line' }),
  ...price,
  notes: by('customer', remark),
  payment: means('Payment', payment),
  refund: nullable(refund, 'Refund; null unless something was refunded'),
  table: nullable(
    closed({
      ...table.properties,
      check: nullable(tableCheck, 'The bill at the table; null where there is none'),
    }),
    'The table, with dine_in',
  ),
  slot: nullable(slot, 'The time agreed'),
  prep: group('Preparation', {
    accepted_at: nullable(instant, 'Time of acceptance'),
    preparing_at: nullable(instant, 'Start of preparation; null until then'),
    ready_at: nullable(instant, 'Ready time; null until then'),
    estimated_ready_at: means('Estimated ready time', instant, 'Ready by'),
    prep_time_minutes: Type.Integer({ meaning: 'Preparation time in minutes' }),
  }),
  delivery: nullable(
    closed({
      delivery_id: Type.String({ meaning: 'Delivery' }),
      status: Type.String({ meaning: 'Status' }),
      courier: nullable(
        closed({
          name: by('worker', nameText),
          vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Kind of vehicle' }),
          phone_masked: phoneMasked,
          eta_at: nullable(instant, 'Estimated time of arrival'),
        }),
        'Courier; null until one is assigned',
      ),
    }),
    'Delivery; null for pickup and dine-in',
  ),
  rejection,
  allowed_actions: Type.Array(Type.Enum(ORDER_ACTIONS), {
    meaning: 'Actions open to the store now',
    label: 'Can be',
  }),
  accept_by: nullable(
    instant,
    'Last moment to accept it: at this instant the service rejects it; null unless it waits for the store',
    'Accept by',
  ),
  placed_at: means('Time of the order', instant),
  created_at: aside(createdAt),
  updated_at: updatedAt,
  ...localTimes(STORE_TIMES),
}

/** An order as a list shows it: everything but its history. */
export const businessOrderSummary = named('BusinessOrderSummary', orderSummary)

export const businessOrder = named('BusinessOrder', {
  ...orderSummary,
  status_history: aside(
    Type.Array(
      closed({
        status: means('The state that it entered', orderStatus),
        at: means('Time of the change', instant),
        by: Type.Enum(['customer', 'store', 'courier', 'system'] as const, {
          meaning: 'Actor of the change',
        }),
        reason: nullable(Type.String(), 'Reason'),
        note: nullable(Type.String(), 'Note with the change'),
      }),
      { meaning: 'Every state it has been in, oldest first' },
    ),
  ),
})

export const catalogItem = named('CatalogItem', {
  item_id: Type.String({ meaning: 'Item of the catalogue' }),
  merchant_id: Type.String({ meaning: 'Store' }),
  name: nameText,
  description: nullable(Type.String(), 'In a few words'),
  price: means('Price', money),
  category: group('Its section of the menu', {
    category_id: Type.String({ meaning: 'Section of the menu' }),
    name: labelled('Category', nameText),
    sort_order: Type.Integer({ meaning: 'Sort order, smallest first' }),
  }),
  modifier_groups: Type.Array(modifierGroup, { meaning: 'Modifier groups' }),
  availability: group('Availability', {
    available: Type.Boolean({ meaning: 'True if it is available now', label: 'On sale' }),
    until: nullable(instant, 'Until then; null for good', 'Back'),
    reason: nullable(Type.Enum(UNAVAILABLE_REASONS), 'Reason'),
  }),
  effective_available: Type.Boolean({ meaning: 'True if customers can order it now', label: 'Available' }),
  dietary_tags: Type.Array(Type.String(), { meaning: 'Dietary tags, such as vegan' }),
  allergens: Type.Array(Type.String(), { meaning: 'Allergens' }),
  image_url: nullable(Type.String(), 'A picture'),
  sort_order: Type.Integer({ meaning: 'Sort order, smallest first' }),
  sku: nullable(Type.String(), "The store's own number of the item"),
  external_ref: nullable(Type.String(), 'Your own reference', 'Reference'),
  barcode: nullable(Type.String(), 'For the label'),
  cost: nullable(money, 'Cost price of the store'),
  stock: nullable(Type.Integer(), 'Stock of the store; null when it does not count'),
  supplier_id: nullable(Type.String(), 'Supplier'),
  tax_rate_bps: nullable(Type.Integer(), 'Tax in hundredths of a per cent'),
  version: Type.Integer({ meaning: 'Grows with every change; send it back with the next one' }),
  created_at: aside(createdAt),
  updated_at: updatedAt,
})

/** A choice on an item as it is asked for: ids are kept where they are sent, and made where they are not. */
const modifierGroupsRequest = Type.Array(
  closed({
    modifier_group_id: Type.Optional(Type.String({ ...CODE, maxLength: 60, meaning: 'Group of choices' })),
    name: text(120, { meaning: 'Name' }),
    min_selections: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 50, meaning: 'At least so many choices' }),
    ),
    max_selections: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 50 }), 'At most so many choices; null for any number'),
    ),
    allow_repeats: Type.Optional(Type.Boolean({ meaning: 'True if one choice may be taken more than once' })),
    modifiers: Type.Array(
      closed({
        modifier_id: Type.Optional(Type.String({ ...CODE, maxLength: 60, meaning: 'Choice' })),
        name: text(120, { meaning: 'Name' }),
        price_delta: Type.Optional(moneyFor('Added to the price')),
        available: Type.Optional(Type.Boolean({ meaning: 'True if it is available now' })),
        is_default: Type.Optional(Type.Boolean({ meaning: 'True if it is chosen by default' })),
      }),
      { minItems: 1, maxItems: 50, meaning: 'Choices' },
    ),
  }),
  { maxItems: 20, description: 'Choices on the item' },
)

const placeInMenu = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })

/** The members of an item that an update may change too. */
export const itemBasics = {
  name: text(120, { description: 'Name on the menu' }),
  description: Type.Optional(
    nullable(Type.String({ maxLength: 1000, description: 'Description' }), 'In a few words'),
  ),
  price: moneyFor('Price, in the currency of the store'),
  category: Type.Union(
    [
      text(120),
      closed({
        category_id: idOf('Its id'),
        name: text(120, { description: 'Its name, for a store that has no such id' }),
        sort_order: Type.Optional(placeInMenu('Its place, if it is made')),
      }),
    ],
    {
      description: 'Section of the menu: its name (made when new), its id, or as an item shows it',
      errorMessage: 'must be a name or an id of at most 120 characters, or a category as an item shows it',
    },
  ),
  modifier_groups: Type.Optional(modifierGroupsRequest),
}

/** The optimistic lock of every change of an item. */
export const seenVersion = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version that is to be changed; refused when it is older' }),
)

const tags = (description: string) => Type.Optional(Type.Array(text(40), { maxItems: 30, description }))
const reference = (description: string) => Type.Optional(code(64, description))

/** The body of `create_catalog_item`, and a row of `import_catalog_items`. */
export const catalogItemRequest = {
  ...itemBasics,
  available: Type.Optional(Type.Boolean({ default: true, description: 'On sale' })),
  unavailable_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'With available false: back on sale from then' }),
  ),
  unavailable_reason: Type.Optional(
    Type.Enum(UNAVAILABLE_REASONS, { description: 'Reason for being off sale' }),
  ),
  dietary_tags: tags('Dietary tags such as vegan, gluten_free'),
  allergens: tags('Allergens such as milk, peanuts'),
  image_url: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^https?://',
      errorMessage: 'must start with http:// or https://',
      description: 'Picture',
    }),
  ),
  sku: reference('Your stock-keeping unit; private'),
  external_ref: reference('Your own id of the item; one item each; private'),
  barcode: Type.Optional(
    Type.String({ ...CODE, maxLength: 20, description: 'GTIN of 8, 12, 13 or 14 digits; private' }),
  ),
  cost: Type.Optional(moneyFor('Cost price; private')),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Private' })),
  supplier_id: reference('Supplier; private'),
  tax_rate_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Tax in hundredths of a per cent; 2000 is 20 %',
    }),
  ),
  sort_order: Type.Optional(placeInMenu('Place in its section')),
  category_sort: Type.Optional(placeInMenu('Place of a section that is made for it')),
}
