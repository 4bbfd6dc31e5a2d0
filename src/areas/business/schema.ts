/** A store's orders and catalogue as the store sees them. */
import * as Type from 'typebox'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  secondaryField,
  writtenBy,
  strictObject,
  IDENTIFIER,
  identifierText,
  createdAt,
  objectField,
  idParam,
  instant,
  withLabel,
  describeField,
  money,
  moneyField,
  component,
  nameField,
  nullable,
  phoneMasked,
  noteField,
  slot,
  nonBlankText,
  updatedAt,
} from '../../core/schema.ts'
import { WEEKDAYS } from '../../core/time.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { UNAVAILABLE_REASONS } from '../catalog/rules/catalog.ts'
import { modifierGroup } from '../catalog/schema.ts'
import {
  adjustmentMembers,
  fulfillmentType,
  ifAbsentShown,
  orderStatus,
  rejection,
  storeOrderLine,
  tableSchema,
  tableCheck,
} from '../orders/schema.ts'
import { ORDER_ACTIONS, ORDER_REJECT_REASONS, STORE_TIMES } from '../orders/states.ts'
import { payment, basketPrice, refundMembers } from '../payments/schema.ts'

export const rejectReason = Type.Enum(ORDER_REJECT_REASONS, { description: 'Reason' })

const orderSummary = {
  order_id: Type.String({ meaning: 'Order', label: 'ID' }),
  display_number: Type.String({ meaning: 'Four-character order number', label: 'Order' }),
  merchant_id: Type.String({ meaning: 'Store' }),
  status: orderStatus,
  fulfillment_type: fulfillmentType,
  customer: objectField('Customer (limited details)', {
    first_name: writtenBy('customer', Type.String({ meaning: 'First name', label: 'Customer' })),
    phone_masked: nullable('Phone number, mostly masked', Type.String()),
    orders_count: Type.Integer({ minimum: 1, meaning: 'Customer’s orders at this store' }),
  }),
  lines: Type.Array(storeOrderLine, { meaning: 'Order lines' }),
  ...basketPrice,
  notes: writtenBy('customer', noteField),
  payment: describeField('Payment', payment),
  ...refundMembers,
  ...adjustmentMembers,
  if_absent: ifAbsentShown,
  table: nullable(
    'Table, with dine_in',
    strictObject({
      ...tableSchema.properties,
      check: nullable('Table bill; null if none', tableCheck),
    }),
  ),
  slot: nullable('Reserved slot', slot),
  prep: objectField('Preparation times', {
    accepted_at: nullable('Time of acceptance', instant),
    preparing_at: nullable('Start of preparation; null until then', instant),
    ready_at: nullable('Ready time; null until then', instant),
    estimated_ready_at: describeField('Estimated ready time', instant, 'Ready time'),
    prep_time_minutes: Type.Integer({ meaning: 'Prep time in minutes' }),
  }),
  delivery: nullable(
    'Delivery; null for pickup and dine-in',
    strictObject({
      delivery_id: Type.String({ meaning: 'Delivery' }),
      status: Type.String({ meaning: 'Status' }),
      courier: nullable(
        'Courier; null until one is assigned',
        strictObject({
          name: writtenBy('worker', nameField),
          vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Vehicle type' }),
          phone_masked: phoneMasked,
          eta_at: nullable('Estimated time of arrival', instant),
        }),
      ),
    }),
  ),
  rejection,
  auto_accepted: secondaryField(
    Type.Boolean({ meaning: 'True if the store’s rule accepted it', label: 'Accepted by rule' }),
  ),
  kitchen_lines: secondaryField(
    Type.Array(
      strictObject({
        line_id: Type.String({ meaning: 'Line, or line of a replacement' }),
        station: nullable('Station that makes it; null if none', Type.String()),
        done: Type.Boolean({ meaning: 'True if it is made' }),
      }),
      { meaning: 'Lines with units left to make' },
    ),
  ),
  allowed_actions: Type.Array(Type.Enum(ORDER_ACTIONS), {
    meaning: 'Allowed actions',
    label: 'Allowed actions',
  }),
  accept_by: nullable(
    'Time of automatic rejection; null unless the order waits for the store',
    instant,
    'Accept by',
  ),
  placed_at: describeField('Time of the order', instant),
  created_at: secondaryField(createdAt),
  updated_at: updatedAt,
  ...makeLocalTimeFields(STORE_TIMES),
}

/** An order as a list shows it: everything but its history. */
export const businessOrderSummary = component('BusinessOrderSummary', orderSummary)

export const businessOrder = component('BusinessOrder', {
  ...orderSummary,
  status_history: secondaryField(
    Type.Array(
      strictObject({
        status: describeField('New status', orderStatus),
        at: describeField('Time of the change', instant),
        by: Type.Enum(['customer', 'store', 'courier', 'system'] as const, {
          meaning: 'Actor',
        }),
        reason: nullable('Reason', Type.String()),
        note: nullable('Note on the change', Type.String()),
      }),
      { meaning: 'Status history, oldest first' },
    ),
  ),
})

const time = (description: string) =>
  Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    errorMessage: 'must be a time such as 09:30',
    description,
  })
const times = {
  opens: time('Opening time, HH:MM, local'),
  closes: time('Closing time, HH:MM, local; at or before the opening time: on the next day'),
}

export const daySpan = strictObject(times)
export const weekSpan = strictObject({
  day: Type.Enum(WEEKDAYS, { description: 'Day of the week' }),
  ...times,
})

/** The times at which an item or a category is on sale. */
export const scheduleSpans = nullable(
  'Weekly periods on sale, local time; null for always',
  Type.Array(weekSpan, { minItems: 1, maxItems: 28 }),
)

export const catalogItem = component('CatalogItem', {
  item_id: Type.String({ meaning: 'Item' }),
  merchant_id: Type.String({ meaning: 'Store' }),
  name: nameField,
  description: nullable('Short description', Type.String()),
  price: describeField('Price', money),
  category: objectField('Menu category', {
    category_id: Type.String({ meaning: 'Menu category' }),
    name: withLabel('Category', nameField),
    sort_order: Type.Integer({ meaning: 'Sort order, smallest first' }),
  }),
  modifier_groups: Type.Array(modifierGroup, { meaning: 'Modifier groups' }),
  availability: objectField('Availability', {
    available: Type.Boolean({ meaning: 'True if it is available now', label: 'Available' }),
    until: nullable('End of the unavailable period; null if not set', instant, 'Available again'),
    reason: nullable('Reason', Type.Enum(UNAVAILABLE_REASONS)),
  }),
  schedule: nullable('Weekly periods on sale, local time; null for always', Type.Array(weekSpan)),
  category_schedule: nullable('Weekly periods of the category; null for always', Type.Array(weekSpan)),
  available_from: nullable(
    'Next time on sale; null if it is on sale or the time is unknown',
    instant,
    'On sale from',
  ),
  effective_available: Type.Boolean({ meaning: 'True if customers can order it now', label: 'Available' }),
  dietary_tags: Type.Array(Type.String(), { meaning: 'Dietary tags, such as vegan' }),
  allergens: Type.Array(Type.String(), { meaning: 'Allergens' }),
  image_url: nullable('Image URL', Type.String()),
  sort_order: Type.Integer({ meaning: 'Sort order, smallest first' }),
  sku: nullable('SKU of the store', Type.String()),
  external_ref: nullable('Your own reference', Type.String(), 'Reference'),
  barcode: nullable('For the label', Type.String()),
  cost: nullable('Cost price (visible to the store only)', money),
  stock: nullable('Stock; null if not counted', Type.Integer()),
  supplier_id: nullable('Supplier', Type.String()),
  tax_rate_bps: nullable('Tax rate in basis points (2000 = 20%)', Type.Integer()),
  version: Type.Integer({ meaning: 'Version number; increases with each change' }),
  created_at: secondaryField(createdAt),
  updated_at: updatedAt,
})

/** A choice on an item as it is requested: ids are kept where they are sent, and made where they are not. */
const modifierGroupsRequest = Type.Array(
  strictObject({
    modifier_group_id: Type.Optional(
      Type.String({ ...IDENTIFIER, maxLength: 60, meaning: 'Modifier group' }),
    ),
    name: nonBlankText(120, { meaning: 'Name' }),
    min_selections: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 50, meaning: 'Minimum number of selections' }),
    ),
    max_selections: Type.Optional(
      nullable(
        'Maximum number of selections; null for no maximum',
        Type.Integer({ minimum: 1, maximum: 50 }),
      ),
    ),
    allow_repeats: Type.Optional(
      Type.Boolean({ meaning: 'True if the same modifier can be selected more than once' }),
    ),
    modifiers: Type.Array(
      strictObject({
        modifier_id: Type.Optional(Type.String({ ...IDENTIFIER, maxLength: 60, meaning: 'Modifier' })),
        name: nonBlankText(120, { meaning: 'Name' }),
        price_delta: Type.Optional(moneyField('Price change')),
        available: Type.Optional(Type.Boolean({ meaning: 'True if it is available now' })),
        is_default: Type.Optional(Type.Boolean({ meaning: 'True if selected by default' })),
      }),
      { minItems: 1, maxItems: 50, meaning: 'Modifiers' },
    ),
  }),
  { maxItems: 20, description: 'Modifier groups' },
)

const placeInMenu = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })

/** The fields of an item that an update may change too. */
export const itemBasics = {
  name: nonBlankText(120, { description: 'Name on the menu' }),
  description: Type.Optional(
    nullable('Short description', Type.String({ maxLength: 1000, description: 'Description' })),
  ),
  price: moneyField('Price, in the currency of the store'),
  category: Type.Union(
    [
      nonBlankText(120),
      strictObject({
        category_id: idParam('Category ID'),
        name: nonBlankText(120, { description: 'Category name, if the store does not have this ID' }),
        sort_order: Type.Optional(placeInMenu('Position, if the category is created')),
      }),
    ],
    {
      description: 'Menu category: name (created if new), ID or object',
      errorMessage: 'must be a name or an id of at most 120 characters, or a category as an item shows it',
    },
  ),
  modifier_groups: Type.Optional(modifierGroupsRequest),
}

/** The optimistic lock of every change of an item. */
export const expectedVersionField = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'Version to change; the call fails if the item has changed since',
  }),
)

const tags = (description: string) =>
  Type.Optional(Type.Array(nonBlankText(40), { maxItems: 30, description }))
const reference = (description: string) => Type.Optional(identifierText(64, description))

/** The body of `create_catalog_item`, and a row of `import_catalog_items`. */
export const catalogItemRequest = {
  ...itemBasics,
  available: Type.Optional(Type.Boolean({ default: true, description: 'On sale' })),
  unavailable_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'End of the unavailable period, with available false' }),
  ),
  unavailable_reason: Type.Optional(
    Type.Enum(UNAVAILABLE_REASONS, { description: 'Reason for unavailability' }),
  ),
  dietary_tags: tags('Dietary tags such as vegan, gluten_free'),
  allergens: tags('Allergens such as milk, peanuts'),
  image_url: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^https?://',
      errorMessage: 'must start with http:// or https://',
      description: 'Image URL',
    }),
  ),
  sku: reference('Your SKU; private'),
  external_ref: reference('Your own ID of the item, unique; private'),
  barcode: Type.Optional(
    Type.String({ ...IDENTIFIER, maxLength: 20, description: 'GTIN of 8, 12, 13 or 14 digits; private' }),
  ),
  cost: Type.Optional(moneyField('Cost price; private')),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Stock; private' })),
  supplier_id: reference('Supplier; private'),
  tax_rate_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Tax rate in basis points (2000 = 20%)',
    }),
  ),
  sort_order: Type.Optional(placeInMenu('Position in the category')),
  category_sort: Type.Optional(placeInMenu('Position of the category, if it is created')),
}
