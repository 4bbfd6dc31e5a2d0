import * as Type from 'typebox'
import type { Static } from 'typebox'
import { aside, balance, closed, group, instant, means, money, named, nameText } from '../../core/schema.ts'
import { LOSS_REASONS } from '../orders/rules/losses.ts'
import { COLLECTORS, PAYMENT_METHODS } from '../payments/rules/payment.ts'

/** The members of a statement, as the document of a day holds them. */
const statementMembers = {
  merchant_id: Type.String({ meaning: 'Store' }),
  from: means('Start', instant),
  to: means('End, not included', instant),
  currency: Type.String({ meaning: 'Three letters (ISO 4217)' }),
  orders: Type.Integer({ meaning: 'Orders that were paid', label: 'Orders paid' }),
  opening: means('Due to the store before', balance, 'Opening balance'),
  gross_goods: Type.Array(closed({ section: nameText, amount: means('Goods', balance) }), {
    meaning: 'Goods sold before discounts, by section of the menu',
    label: 'Goods',
  }),
  discounts: group('Discounts on the goods that were kept, by who funds them', {
    platform: means('Funded by the platform', balance, 'Discounts of the platform'),
    store: means('Funded by the store', balance, 'Discounts of the store'),
  }),
  refunded_goods: Type.Array(
    closed({ reason: Type.String({ meaning: 'Reason' }), amount: means('Goods', balance) }),
    { meaning: 'Goods that the store gave back, by reason', label: 'Refunded goods' },
  ),
  net_sales: means("Goods less the store's own discounts and refunds", balance, 'Net sales'),
  vat: Type.Array(
    closed({
      rate_bps: Type.Integer({ meaning: 'Rate in hundredths of a per cent' }),
      net: means('Net', balance),
      vat: means('VAT', balance),
      gross: means('Gross', balance),
    }),
    { meaning: "The store's VAT by rate", label: 'VAT' },
  ),
  held: group('Money of others within the payments', {
    fees: means("The platform's fees", balance, 'Fees'),
    tips: means("The couriers' tips", balance, 'Tips'),
  }),
  borne_by_platform: means('Refunds at the cost of the platform', balance, 'Refunds of the platform'),
  payments: Type.Array(
    closed({
      method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method' }),
      collected_by: Type.Enum(COLLECTORS, { meaning: 'Collector of the payment' }),
      captured: means('Collected', money),
      refunded: means('Given back', money),
    }),
    { meaning: 'Payments and refunds by method and collector', label: 'Payments' },
  ),
  unpaid: Type.Array(
    closed({
      order_id: Type.String({ meaning: 'Order' }),
      display_number: Type.String({ meaning: 'Four-character order number' }),
      method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method' }),
      amount: means('To pay', money),
    }),
    { meaning: 'Open orders that are still to be paid; outside all sums', label: 'Unpaid' },
  ),
  payouts: means('Paid out', balance, 'Payouts'),
  earlier: means('Change of the balance by payments from before balances were kept; outside it', balance),
  due: means('Opening balance and all changes: due to the store, or below 0 from it', balance, 'Due'),
  closing: means('Due to the store at the end, by the ledger', balance, 'Closing balance'),
}

/** The statement of a business day, within its document. */
export const dayStatement = named('DayStatement', statementMembers)

export type DayStatement = Static<typeof dayStatement>

/** Entries that were made after their day had been closed, and their sums. */
export const lateEntries = named('LateEntries', {
  entries: aside(
    Type.Array(
      closed({
        order_id: Type.String({ meaning: 'Order' }),
        display_number: Type.String({ meaning: 'Four-character order number' }),
        kind: Type.Enum(['capture', 'refund', 'adjustment'] as const, {
          meaning: 'Payment, refund, or replacement that changed no money',
        }),
        at: means('Time', instant),
        amount: means('Amount collected or given back', money),
      }),
      { meaning: 'Entries, the earliest first', label: 'Late entries' },
    ),
  ),
  net_sales: means('Net sales of these entries', balance),
  vat: means('VAT in these net sales', balance),
  captured: means('Collected', money),
  refunded: means('Given back', money),
  payouts: means('Paid out', balance),
})

export type LateEntries = Static<typeof lateEntries>

export const storeStatement = named('StoreStatement', {
  ...statementMembers,
  without_rate: group('Goods of items that have no VAT rate of their own now', {
    goods: means(
      'Goods sold, before discounts; in net sales and VAT at the rate of the store',
      balance,
      'Goods without a VAT rate of their own',
    ),
    rate_bps: Type.Integer({ meaning: 'Rate of the store in hundredths of a per cent' }),
  }),
  counted_later: means(
    'Entries of this time that the document of the next day counts, because their day was closed before',
    lateEntries,
    'Counted in the next day',
  ),
  from_earlier: means(
    'Entries from before this time that its first document counts, because their day was closed before',
    lateEntries,
    'Counted from the day before',
  ),
  lost: Type.Array(
    closed({
      reason: Type.Enum(LOSS_REASONS, { meaning: 'Reason' }),
      orders: Type.Integer({ meaning: 'Orders' }),
      amount: means('Goods that the store lost', money),
    }),
    {
      meaning:
        'Orders that were lost in this time, and the goods that they cost the store, by reason; outside all sums',
      label: 'Lost orders',
    },
  ),
})

export type StoreStatement = Static<typeof storeStatement>
