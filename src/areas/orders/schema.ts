/** The schemas that the customer's view of an order and the store's share (docs/rules/food-and-stores.md#one-order-has-two-views). */
import * as Type from 'typebox'
import {
  secondaryField,
  writtenBy,
  strictObject,
  idParam,
  instant,
  describeField,
  money,
  component,
  nameField,
  nullable,
  noteField,
} from '../../core/schema.ts'
import { FULFILLMENT_TYPES } from '../merchants/rules.ts'
import { REFUND_BEARERS } from '../payments/rules/payment.ts'
import { IF_ABSENT } from '../proofs/rules/absent.ts'
import { ACCEPTANCES, ADJUSTMENT_KINDS, ADJUSTMENT_REASONS, PROBLEM_STATUSES } from './rules/adjust.ts'
import { SUBSTITUTIONS } from './rules/substitution.ts'
import { ORDER_STATUSES, ORDER_REJECT_REASONS } from './states.ts'

export const orderStatus = Type.Enum(ORDER_STATUSES, { meaning: 'Status' })
export const fulfillmentType = Type.Enum(FULFILLMENT_TYPES, {
  description: 'Fulfilment type',
  label: 'Fulfilment',
})
export const orderId = idParam('Order')
export const orderNumber = Type.String({
  pattern: '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{4}$',
  description: 'Four-character order number; goes with no other filter but a store',
})
export const merchantId = idParam('Store')
export const itemId = idParam('Item')
export const lineId = idParam('Line, such as line_1 for the first')

const modifiers = Type.Array(
  strictObject({
    modifier_id: secondaryField(Type.String({ meaning: 'Option' })),
    modifier_group_id: secondaryField(Type.String({ meaning: 'Option group' })),
    name: writtenBy('seller', nameField),
    quantity: Type.Integer({ minimum: 1, meaning: 'Quantity' }),
    price_delta: describeField('Price change', money),
  }),
  { meaning: 'Options' },
)
/** The options of an item, in a request. */
export const chosenModifiers = Type.Optional(
  Type.Array(
    strictObject({
      modifier_id: idParam('Option'),
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 99, default: 1, description: 'Quantity' })),
    }),
    { maxItems: 100, description: 'Selected options; defaults fill required groups' },
  ),
)

const taxRate = secondaryField(Type.Integer({ meaning: 'Tax in hundredths of a per cent' }))

const line = {
  line_id: Type.String({ meaning: 'Line' }),
  item_id: Type.String({ meaning: 'Item' }),
  name: writtenBy('seller', nameField),
  quantity: Type.Integer({ minimum: 1, meaning: 'Quantity' }),
  unit_price: describeField('Unit price', money),
  modifiers,
  notes: writtenBy('customer', noteField),
  total: describeField('Total', money),
  tax_rate_bps: taxRate,
}

/** The units that left a line before the order did. */
const gone = {
  removed: Type.Integer({ minimum: 0, meaning: 'Units taken off' }),
  replaced: Type.Integer({ minimum: 0, meaning: 'Units replaced by another item' }),
}

export const quotedLine = component('QuotedLine', { ...line, line_id: secondaryField(line.line_id) })
export const orderLine = component('OrderLine', { ...line, ...gone })
/** As the store sees it. */
export const storeOrderLine = component('StoreOrderLine', {
  ...line,
  ...gone,
  sku: nullable('SKU of the store', Type.String()),
  allergens: secondaryField(
    Type.Array(Type.String(), { meaning: 'Allergens of the item when it was ordered' }),
  ),
})

export const tableSchema = component('Table', {
  table_number: writtenBy('customer', Type.String({ meaning: 'Table', label: 'Table' })),
  party_size: nullable('Party size', Type.Integer({ minimum: 1 })),
})

/** A table, as the customer of an order sees it. */
export const customerTable = strictObject({
  ...tableSchema.properties,
  shares: secondaryField(
    Type.Array(
      strictObject({
        number: Type.Integer({ minimum: 1, meaning: 'Number of the share, from 1' }),
        of: Type.Integer({ minimum: 1, meaning: 'Shares of the table' }),
        amount: describeField('Amount that the share paid for this order', money),
      }),
      { meaning: 'Shares in which the order was paid; none unless the table was divided' },
    ),
  ),
})

/** The shares in which a table's bill is paid. */
export const tableShares = Type.Array(
  component('TableShare', {
    amount: describeField('Amount of the share', money),
    orders: Type.Array(
      strictObject({
        order_id: Type.String({ meaning: 'Order' }),
        amount: describeField('Part of the share that pays for the order', money),
      }),
      { meaning: 'Orders that the share pays for, oldest first' },
    ),
  }),
  { meaning: 'Shares of the bill, in their order' },
)

export const tableCheck = component('TableCheck', {
  check_id: Type.String({ meaning: 'Table bill' }),
  status: Type.Enum(['open', 'closed'] as const, { meaning: 'Status', label: 'Bill' }),
  opened_at: describeField('Opening time', instant),
  closed_at: nullable('Closing time; null while it is open', instant),
  balance: nullable('Balance due', money, 'Balance due'),
  shares: secondaryField(
    describeField('Shares in which the whole table was paid; none while the bill is open', tableShares),
  ),
})

export const rejection = nullable(
  'Rejection by the store; null if not rejected',
  strictObject({
    reason_code: Type.Enum([...ORDER_REJECT_REASONS, 'not_accepted_in_time'] as const, {
      meaning: 'Reason code',
      label: 'Reason',
    }),
    note: writtenBy('seller', nullable('Note', Type.String(), 'Note from the store')),
    at: describeField('Time of rejection', instant),
    item_ids: Type.Array(Type.String(), { meaning: 'Items that the rejection is about' }),
  }),
)

const borne = Type.Enum(REFUND_BEARERS, { meaning: 'Party that bears the cost' })
export const adjustmentReason = Type.Enum(ADJUSTMENT_REASONS, { description: 'Reason', label: 'Reason' })
const adjustmentKind = Type.Enum(ADJUSTMENT_KINDS, { description: 'Kind of adjustment' })

const goods = describeField('Value of the goods to the store', money)

const adjustment = component('OrderAdjustment', {
  adjustment_id: Type.String({ meaning: 'Adjustment' }),
  at: describeField('Time of the adjustment', instant),
  by: Type.Enum(['store', 'customer', 'system'] as const, { meaning: 'Actor' }),
  kind: adjustmentKind,
  lines: Type.Array(
    strictObject({
      line_id: Type.String({ meaning: 'Line' }),
      quantity: Type.Integer({ minimum: 0, meaning: 'Units; 0 for a refund of an amount' }),
      amount: describeField('Amount, less discounts', money),
      goods: secondaryField(goods),
      replacement: nullable(
        'Item in place of the units; null if none',
        strictObject({
          line_id: Type.String({ meaning: 'Line of the replacement' }),
          item_id: Type.String({ meaning: 'Item' }),
          name: writtenBy('seller', nameField),
          modifiers,
          unit_price: describeField('Price charged per unit, with options', money),
          amount: describeField('Amount, less discounts', money),
          goods: secondaryField(goods),
          tax_rate_bps: taxRate,
          allergens: writtenBy('seller', Type.Array(Type.String(), { meaning: 'Allergens' })),
          ...gone,
        }),
      ),
    }),
    { meaning: 'Lines; none for a late delivery' },
  ),
  amount: describeField('Amount that goes back, or is not to be paid', money),
  borne_by: borne,
  reason_code: adjustmentReason,
  note: writtenBy('seller', nullable('Note', Type.String())),
  refund_id: nullable('Refund; null before the payment', Type.String()),
  answer_by: nullable('Time by which the customer has to answer; null if not asked', instant),
  answer: nullable(
    'Answer; null until then, and if not asked',
    strictObject({
      at: describeField('Time of the answer', instant),
      by: Type.Enum(['customer', 'system'] as const, { meaning: 'Actor' }),
      accept: Type.Boolean({ meaning: 'True if the replacement is accepted' }),
    }),
  ),
})

/** The customer's wish, in a request. */
export const substitutions = Type.Enum(SUBSTITUTIONS, {
  default: 'refund',
  description: 'If an item is missing: ask you, replace it, refund it or cancel the order',
})

/** The wish for goods without a taker, in answers. */
export const ifAbsentShown = nullable(
  'Instruction if nobody answers the door; null without delivery',
  Type.Enum(IF_ABSENT),
  'If nobody is there',
)

/** The lines of a problem, in a request. */
export const problemLinesField = Type.Array(
  strictObject({
    line_id: lineId,
    quantity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 999, description: 'Units; all that are left if omitted' }),
    ),
  }),
  { minItems: 1, maxItems: 50, description: 'Lines' },
)

const problem = component('OrderProblem', {
  problem_id: Type.String({ meaning: 'Problem' }),
  at: describeField('Time of the report', instant),
  status: Type.Enum(PROBLEM_STATUSES, { meaning: 'Status' }),
  reason_code: adjustmentReason,
  lines: Type.Array(
    strictObject({
      line_id: Type.String({ meaning: 'Line' }),
      quantity: Type.Integer({ minimum: 1, meaning: 'Units' }),
    }),
    { meaning: 'Lines; none for a late delivery' },
  ),
  amount: describeField('Amount that the customer asks for', money),
  note: writtenBy('customer', noteField),
  answer_by: describeField('Time by which the store has to answer', instant),
  answer: nullable(
    'Answer; null until then',
    strictObject({
      at: describeField('Time of the answer', instant),
      by: Type.Enum(['store', 'system'] as const, { meaning: 'Actor' }),
      accept: Type.Enum(ACCEPTANCES, { meaning: 'Accepted part' }),
      note: writtenBy('seller', noteField),
      adjustment_id: nullable('Adjustment; null where nothing went back', Type.String()),
    }),
  ),
  appeal: nullable(
    'Appeal against a decline, decided at once; null if none',
    strictObject({
      at: describeField('Time of the appeal', instant),
      accept: Type.Boolean({ meaning: 'True if the platform pays; false if the decline stands' }),
      adjustment_id: nullable('Adjustment; null where nothing went back', Type.String()),
    }),
  ),
})

/** The fields of an order that tell which of its parts went wrong, and what it is charged after all. */
export const adjustmentMembers = {
  charged: describeField('Amount paid less refunds; before the payment, the amount to pay', money, 'Charged'),
  problems: Type.Array(problem, { meaning: 'Problems reported by the customer, oldest first' }),
  adjustments: Type.Array(adjustment, { meaning: 'Parts taken off, replaced or refunded, oldest first' }),
  substitutions: Type.Enum(SUBSTITUTIONS, { meaning: 'Wish of the customer for a missing item' }),
}
