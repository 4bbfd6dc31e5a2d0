/** The schemas of a store's tables and their bills. */
import * as Type from 'typebox'
import type { Static } from 'typebox'
import {
  component,
  describeField,
  instant,
  money,
  nameField,
  nullable,
  strictObject,
  writtenBy,
} from '../../core/schema.ts'
import { orderStatus, tableCheck, tableShares } from '../orders/schema.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../payments/rules/payment.ts'

const tableNumber = Type.String({ meaning: 'Table', label: 'Table' })

const orderNames = {
  order_id: Type.String({ meaning: 'Order' }),
  display_number: Type.String({ meaning: 'Four-character order number', label: 'Order' }),
  status: orderStatus,
}

/** A table of a store, with what its guests have to pay. */
export const tableBill = component('TableBill', {
  merchant_id: Type.String({ meaning: 'Store' }),
  table_number: tableNumber,
  open_since: nullable('Time at which the bill was opened; null without an open bill', instant, 'Since'),
  total: describeField('Sum of the open bills of its orders', money, 'To pay'),
  orders: Type.Array(
    strictObject({
      ...orderNames,
      first_name: writtenBy('customer', Type.String({ meaning: 'First name of the customer' })),
      placed_at: describeField('Time of the order', instant),
      payment_method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method' }),
      payment_status: Type.Enum(PAYMENT_STATUSES, { meaning: 'Payment status' }),
      check: nullable('Bill of the order; null until it is accepted, and if none was opened', tableCheck),
      to_pay: describeField('Amount on the bill; 0 if it is paid, and before it is accepted', money),
      lines: Type.Array(
        strictObject({
          line_id: Type.String({ meaning: 'Line' }),
          name: writtenBy('seller', nameField),
          quantity: Type.Integer({ minimum: 1, meaning: 'Units that are left' }),
          amount: describeField('Cost of these units less discounts, without fees', money),
        }),
        { meaning: 'Lines that are to be paid; none if nothing is' },
      ),
    }),
    { meaning: 'Active orders at the table, oldest first', label: 'Orders' },
  ),
})

export type TableBillView = Static<typeof tableBill>

/** The bill of a table once it is paid. */
export const tableSettlement = component('TableSettlement', {
  merchant_id: Type.String({ meaning: 'Store' }),
  table_number: tableNumber,
  settled_at: describeField('Time of the payment', instant, 'Paid'),
  total: describeField('Sum of the shares', money, 'Total'),
  shares: describeField('Shares in which the table was paid; one unless it was divided', tableShares),
  orders: Type.Array(
    strictObject({ ...orderNames, amount: describeField('Amount paid for the order', money) }),
    { meaning: 'Orders whose bills were closed, oldest first', label: 'Orders' },
  ),
})
