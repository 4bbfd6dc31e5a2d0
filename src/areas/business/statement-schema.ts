import * as Type from 'typebox'
import type { Static } from 'typebox'
import {
  secondaryField,
  balance,
  strictObject,
  objectField,
  instant,
  describeField,
  money,
  component,
  nameField,
} from '../../core/schema.ts'
import { LOSS_REASONS } from '../orders/rules/losses.ts'
import { COLLECTORS, PAYMENT_METHODS } from '../payments/rules/payment.ts'

/** The fields of a statement, as the document of a day holds them. */
const statementMembers = {
  merchant_id: Type.String({ meaning: 'Store' }),
  from: describeField('Start', instant),
  to: describeField('End, not included', instant),
  currency: Type.String({ meaning: 'Three letters (ISO 4217)' }),
  orders: Type.Integer({ meaning: 'Orders that were paid', label: 'Orders paid' }),
  opening: describeField('Due to the store before', balance, 'Opening balance'),
  gross_goods: Type.Array(strictObject({ section: nameField, amount: describeField('Goods', balance) }), {
    meaning: 'Goods sold before discounts, by section of the menu',
    label: 'Goods',
  }),
  discounts: objectField('Discounts on the goods that were kept, by who funds them', {
    platform: describeField('Funded by the platform', balance, 'Discounts of the platform'),
    store: describeField('Funded by the store', balance, 'Discounts of the store'),
  }),
  refunded_goods: Type.Array(
    strictObject({ reason: Type.String({ meaning: 'Reason' }), amount: describeField('Goods', balance) }),
    { meaning: 'Goods that the store gave back, by reason', label: 'Refunded goods' },
  ),
  net_sales: describeField("Goods less the store's own discounts and refunds", balance, 'Net sales'),
  vat: Type.Array(
    strictObject({
      rate_bps: Type.Integer({ meaning: 'Rate in hundredths of a per cent' }),
      net: describeField('Net', balance),
      vat: describeField('VAT', balance),
      gross: describeField('Gross', balance),
    }),
    { meaning: "The store's VAT by rate", label: 'VAT' },
  ),
  held: objectField('Money of others within the payments', {
    fees: describeField("The platform's fees", balance, 'Fees'),
    tips: describeField("The couriers' tips", balance, 'Tips'),
  }),
  borne_by_platform: describeField('Refunds at the cost of the platform', balance, 'Refunds of the platform'),
  payments: Type.Array(
    strictObject({
      method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method' }),
      collected_by: Type.Enum(COLLECTORS, { meaning: 'Collector of the payment' }),
      captured: describeField('Collected', money),
      refunded: describeField('Given back', money),
    }),
    { meaning: 'Payments and refunds by method and collector', label: 'Payments' },
  ),
  unpaid: Type.Array(
    strictObject({
      order_id: Type.String({ meaning: 'Order' }),
      display_number: Type.String({ meaning: 'Four-character order number' }),
      method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method' }),
      amount: describeField('To pay', money),
    }),
    { meaning: 'Open orders that are still to be paid; outside all sums', label: 'Unpaid' },
  ),
  payouts: describeField('Paid out', balance, 'Payouts'),
  earlier: describeField(
    'Change of the balance by payments from before balances were kept; outside it',
    balance,
  ),
  due: describeField('Opening balance and all changes: due to the store, or below 0 from it', balance, 'Due'),
  closing: describeField('Due to the store at the end, by the ledger', balance, 'Closing balance'),
}

/** The statement of a business day, within its document. */
export const dayStatement = component('DayStatement', statementMembers)

export type DayStatement = Static<typeof dayStatement>

/** Entries that were made after their day had been closed, and their sums. */
export const lateEntries = component('LateEntries', {
  entries: secondaryField(
    Type.Array(
      strictObject({
        order_id: Type.String({ meaning: 'Order' }),
        display_number: Type.String({ meaning: 'Four-character order number' }),
        kind: Type.Enum(['capture', 'refund', 'adjustment'] as const, {
          meaning: 'Payment, refund, or replacement that changed no money',
        }),
        at: describeField('Time', instant),
        amount: describeField('Amount collected or given back', money),
      }),
      { meaning: 'Entries, the earliest first', label: 'Late entries' },
    ),
  ),
  net_sales: describeField('Net sales of these entries', balance),
  vat: describeField('VAT in these net sales', balance),
  captured: describeField('Collected', money),
  refunded: describeField('Given back', money),
  payouts: describeField('Paid out', balance),
})

export type LateEntries = Static<typeof lateEntries>

export const storeStatement = component('StoreStatement', {
  ...statementMembers,
  without_rate: objectField('Goods of items that have no VAT rate of their own now', {
    goods: describeField(
      'Goods sold, before discounts; in net sales and VAT at the rate of the store',
      balance,
      'Goods without a VAT rate of their own',
    ),
    rate_bps: Type.Integer({ meaning: 'Rate of the store in hundredths of a per cent' }),
  }),
  counted_later: describeField(
    'Entries of this time that the document of the next day counts, because their day was closed before',
    lateEntries,
    'Counted in the next day',
  ),
  from_earlier: describeField(
    'Entries from before this time that its first document counts, because their day was closed before',
    lateEntries,
    'Counted from the day before',
  ),
  lost: Type.Array(
    strictObject({
      reason: Type.Enum(LOSS_REASONS, { meaning: 'Reason' }),
      orders: Type.Integer({ meaning: 'Orders' }),
      amount: describeField('Goods that the store lost', money),
    }),
    {
      meaning:
        'Orders that were lost in this time, and the goods that they cost the store, by reason; outside all sums',
      label: 'Lost orders',
    },
  ),
})

export type StoreStatement = Static<typeof storeStatement>
