/** The payment of a confirm, and its charge. */
import * as Type from 'typebox'
import type { ProblemFieldError } from '../../core/errors.ts'
import {
  secondaryField,
  throwIfErrors,
  strictObject,
  identifierText,
  createdAt,
  instant,
  describeField,
  money,
  moneyField,
  component,
  nameField,
  nullable,
} from '../../core/schema.ts'
import { TEST_CARDS_NOTE } from '../../core/test-cards.ts'
import {
  REFUND_BEARERS,
  COLLECTORS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_DESTINATIONS,
  REFUND_STATUSES,
} from './rules/payment.ts'
import { FUNDERS } from './rules/price.ts'

const paymentStatus = Type.Enum(PAYMENT_STATUSES, { meaning: 'Payment status', label: 'Payment' })
export const taxIncludedField = describeField('Tax included in the total', money)

/** The price of a basket, field by field; `lines` aside. */
export const basketPrice = {
  subtotal: describeField('Subtotal of the items', money),
  fees: Type.Array(
    strictObject({
      type: Type.Enum(['delivery_fee', 'service_fee', 'small_order_fee', 'courier_tip'] as const, {
        meaning: 'Fee type',
      }),
      label: Type.String({ meaning: 'Display name' }),
      amount: describeField('Amount', money),
    }),
    { meaning: 'Fees' },
  ),
  fees_total: secondaryField(describeField('Total fees', money, 'Fees')),
  discounts: Type.Array(
    strictObject({
      type: Type.Enum(['member', 'promotion'] as const, { meaning: 'Discount type' }),
      label: Type.String({ meaning: 'Display name' }),
      amount: describeField('Discount amount', money),
      funded_by: secondaryField(Type.Enum(FUNDERS, { meaning: 'Party that pays for the discount' })),
    }),
    { meaning: 'Discounts' },
  ),
  discount_total: secondaryField(describeField('Total discounts', money, 'Discount')),
  taxes: secondaryField(
    Type.Array(
      strictObject({
        name: nameField,
        rate_bps: Type.Integer({ meaning: 'Tax rate in basis points (2000 = 20%)' }),
        taxable_amount: describeField('Taxable amount', money),
        amount: describeField('Tax amount', money),
        included: Type.Boolean({ meaning: 'True if prices include this tax' }),
      }),
      { meaning: 'Tax by rate' },
    ),
  ),
  tax_total: describeField('Total tax', money),
  prices_include_tax: Type.Boolean({ meaning: 'True if prices include tax' }),
  total: describeField('Total', money),
}

export const payment = component('Payment', {
  payment_id: secondaryField(nullable('Payment', Type.String())),
  method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method', label: 'Payment method' }),
  status: paymentStatus,
  collected_by: Type.Enum(COLLECTORS, { meaning: 'Recipient of the payment' }),
  amount: describeField('Amount', money),
})

const refund = component('Refund', {
  refund_id: secondaryField(Type.String({ meaning: 'Refund' })),
  status: Type.Enum(REFUND_STATUSES, { meaning: 'Refund status', label: 'Refund status' }),
  destination: Type.Enum(REFUND_DESTINATIONS, { meaning: 'Destination of the refund', label: 'Refunded to' }),
  amount: describeField('Amount', money, 'Refund'),
  reason: Type.String({ meaning: 'Reason' }),
  borne_by: secondaryField(
    nullable('Party that bears the refund of the goods; null without a store', Type.Enum(REFUND_BEARERS)),
  ),
  created_at: secondaryField(createdAt),
  settled_at: nullable('Settlement time; null until then', instant),
})

/** The fields of a view that tell what went back. */
export const refundMembers = {
  refund: nullable('The latest refund; null unless something was refunded', refund),
  refunds: secondaryField(Type.Array(refund, { meaning: 'All refunds, oldest first' })),
  refunded: nullable(
    'Sum of all refunds that did not fail; null unless something was refunded',
    money,
    'Refunded',
  ),
}

const reportedProblem = component('ReportedProblem', {
  problem_id: Type.String({ meaning: 'Problem' }),
  at: describeField('Time of the report', instant),
  reason_code: Type.String({ meaning: 'Reason code', label: 'Problem' }),
  note: nullable('Note', Type.String()),
  amount: describeField('Amount that was given for it: refund and goodwill', money, 'Given back'),
  refund_id: secondaryField(nullable('Refund; null without one', Type.String())),
  goodwill: nullable(
    'Amount that was given to the wallet beyond what was paid; null for none',
    money,
    'Goodwill',
  ),
})

/** The field of a view that tells which problems were paid for. */
export const reportedProblems = Type.Array(reportedProblem, { meaning: 'Problems that were paid for' })

/** The fields of a quote that tell what its confirm needs. */
export const quoteTermsFields = {
  payment_methods: Type.Optional(
    Type.Array(Type.Enum(PAYMENT_METHODS), {
      meaning: 'Payment methods accepted for the purchase',
      label: 'Payment methods',
    }),
  ),
  needs_membership: Type.Optional(
    Type.Boolean({ meaning: 'True if the purchase needs a membership that the account lacks' }),
  ),
}

/** The card that pays. */
export const paymentToken = Type.Optional(
  identifierText(100, `Token of the card, with method card${TEST_CARDS_NOTE}`),
)

/** The payment in a confirm. */
export const paymentRequest = component('PaymentRequest', {
  method: Type.Enum(PAYMENT_METHODS, { description: 'Payment method' }),
  payment_token: paymentToken,
})

type PaymentInput = { method: string; payment_token?: string }

/** A card has its token, and nothing else has one. */
export function tokenFaults({ method, payment_token }: PaymentInput): ProblemFieldError[] {
  if ((method === 'card') === (payment_token !== undefined)) return []
  const pointer = '/payment/payment_token'
  return payment_token === undefined
    ? [{ pointer, code: 'required', detail: `payment_token is required with method card${TEST_CARDS_NOTE}` }]
    : [
        {
          pointer,
          code: 'mutually_exclusive',
          detail: `payment_token goes with method card only, not with ${method}`,
        },
      ]
}

/** Throws `invalid_request` unless the token goes with the method. */
export function assertPaymentToken(payment: PaymentInput): void {
  throwIfErrors(tokenFaults(payment))
}

/** The total that a confirm expects; another total is rejected. */
export const expectedTotal = Type.Optional(
  moneyField('Total that the customer has seen; the purchase fails if the price differs'),
)
