/** The payment of a confirm, and its charge (`contract.md` A3, C4). */
import * as Type from 'typebox'
import type { FieldError } from '../../core/errors.ts'
import {
  aside,
  assertNoFaults,
  closed,
  code,
  createdAt,
  instant,
  means,
  money,
  moneyFor,
  named,
  nameText,
  nullable,
} from '../../core/schema.ts'
import { TEST_CARDS_NOTE } from '../../core/test-cards.ts'
import {
  BEARERS,
  COLLECTORS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_DESTINATIONS,
  REFUND_STATUSES,
} from './rules/payment.ts'
import { FUNDERS } from './rules/price.ts'

const paymentStatus = Type.Enum(PAYMENT_STATUSES, { meaning: 'Payment status', label: 'Payment' })
export const taxIncludedField = means('Tax included in the total', money)

/** The price of a basket, member by member; `lines` aside. */
export const basketPrice = {
  subtotal: means('Subtotal of the items', money),
  fees: Type.Array(
    closed({
      type: Type.Enum(['delivery_fee', 'service_fee', 'small_order_fee', 'courier_tip'] as const, {
        meaning: 'Fee type',
      }),
      label: Type.String({ meaning: 'Display name' }),
      amount: means('Amount', money),
    }),
    { meaning: 'Fees' },
  ),
  fees_total: aside(means('Total fees', money, 'Fees')),
  discounts: Type.Array(
    closed({
      type: Type.Enum(['member', 'promotion'] as const, { meaning: 'Discount type' }),
      label: Type.String({ meaning: 'Display name' }),
      amount: means('Discount amount', money),
      funded_by: aside(Type.Enum(FUNDERS, { meaning: 'Party that pays for the discount' })),
    }),
    { meaning: 'Discounts' },
  ),
  discount_total: aside(means('Total discounts', money, 'Discount')),
  taxes: aside(
    Type.Array(
      closed({
        name: nameText,
        rate_bps: Type.Integer({ meaning: 'Tax rate in basis points (2000 = 20%)' }),
        taxable_amount: means('Taxable amount', money),
        amount: means('Tax amount', money),
        included: Type.Boolean({ meaning: 'True if prices include this tax' }),
      }),
      { meaning: 'Tax by rate' },
    ),
  ),
  tax_total: means('Total tax', money),
  prices_include_tax: Type.Boolean({ meaning: 'True if prices include tax' }),
  total: means('Total', money),
}

export const payment = named('Payment', {
  payment_id: aside(nullable('Payment', Type.String())),
  method: Type.Enum(PAYMENT_METHODS, { meaning: 'Payment method', label: 'Payment method' }),
  status: paymentStatus,
  collected_by: Type.Enum(COLLECTORS, { meaning: 'Recipient of the payment' }),
  amount: means('Amount', money),
})

const refund = named('Refund', {
  refund_id: aside(Type.String({ meaning: 'Refund' })),
  status: Type.Enum(REFUND_STATUSES, { meaning: 'Refund status', label: 'Refund status' }),
  destination: Type.Enum(REFUND_DESTINATIONS, { meaning: 'Destination of the refund', label: 'Refunded to' }),
  amount: means('Amount', money, 'Refund'),
  reason: Type.String({ meaning: 'Reason' }),
  borne_by: aside(
    nullable('Party that bears the refund of the goods; null without a store', Type.Enum(BEARERS)),
  ),
  created_at: aside(createdAt),
  settled_at: nullable('Settlement time; null until then', instant),
})

/** The members of a view that tell what went back. */
export const refundMembers = {
  refund: nullable('The latest refund; null unless something was refunded', refund),
  refunds: aside(Type.Array(refund, { meaning: 'All refunds, oldest first' })),
  refunded: nullable(
    'Sum of all refunds that did not fail; null unless something was refunded',
    money,
    'Refunded',
  ),
}

/** The members of a quote that tell what its confirm needs. */
export const confirmTerms = {
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
export const paymentToken = Type.Optional(code(100, `Token of the card, with method card${TEST_CARDS_NOTE}`))

/** The payment in a confirm. */
export const paymentRequest = named('PaymentRequest', {
  method: Type.Enum(PAYMENT_METHODS, { description: 'Payment method' }),
  payment_token: paymentToken,
})

type PaymentInput = { method: string; payment_token?: string }

/** A card has its token, and nothing else has one. */
export function tokenFaults({ method, payment_token }: PaymentInput): FieldError[] {
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
export function assertToken(payment: PaymentInput): void {
  assertNoFaults(tokenFaults(payment))
}

/** The total that a confirm expects; another total is refused. */
export const expectedTotal = Type.Optional(
  moneyFor('Total that the customer has seen; the purchase fails if the price differs'),
)
