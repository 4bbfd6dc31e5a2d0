/** How a confirm pays, and what it was charged (`contract.md` A3, C4). */
import * as Type from 'typebox'
import type { FieldError } from '../../core/errors.ts'
import { assertNoFaults, closed, instant, money, moneyFor, named, nullable, text } from '../../core/schema.ts'
/** How a confirm pays, and what it was charged (`contract.md` A3, C4). */
import { TEST_CARDS_NOTE } from '../../core/test-cards.ts'
import {
  COLLECTORS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_DESTINATIONS,
  REFUND_STATUSES,
} from './rules/payment.ts'

const paymentStatus = Type.Enum(PAYMENT_STATUSES)
/** The price of a basket, member by member; `lines` aside. */
export const price = {
  subtotal: money,
  fees: Type.Array(
    closed({
      type: Type.Enum(['delivery_fee', 'service_fee', 'small_order_fee', 'courier_tip'] as const),
      label: Type.String(),
      amount: money,
    }),
  ),
  fees_total: money,
  discounts: Type.Array(
    closed({ type: Type.Enum(['member', 'promotion'] as const), label: Type.String(), amount: money }),
  ),
  discount_total: money,
  taxes: Type.Array(
    closed({
      name: Type.String(),
      rate_bps: Type.Integer(),
      taxable_amount: money,
      amount: money,
      included: Type.Boolean(),
    }),
  ),
  tax_total: money,
  prices_include_tax: Type.Boolean(),
  total: money,
}

export const payment = named('Payment', {
  payment_id: nullable(Type.String()),
  method: Type.Enum(PAYMENT_METHODS),
  status: paymentStatus,
  collected_by: Type.Enum(COLLECTORS),
  amount: money,
})

export const refund = named('Refund', {
  refund_id: Type.String(),
  status: Type.Enum(REFUND_STATUSES),
  destination: Type.Enum(REFUND_DESTINATIONS),
  amount: money,
  reason: Type.String(),
  created_at: instant,
  settled_at: nullable(instant),
})

/** The card that pays. */
export const paymentToken = Type.Optional(
  text(100, {
    description: `The card, as the wallet or the card form gave it; with method card${TEST_CARDS_NOTE}`,
  }),
)

/** How a confirm pays. */
export const paymentRequest = named('PaymentRequest', {
  method: Type.Enum(PAYMENT_METHODS, { description: 'How to pay' }),
  payment_token: paymentToken,
})

type Paying = { method: string; payment_token?: string }

/** A card has its token, and nothing else has one. */
export function tokenFaults({ method, payment_token }: Paying): FieldError[] {
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
export function assertToken(payment: Paying): void {
  assertNoFaults(tokenFaults(payment))
}

/** What a confirm may say about the price it was shown. */
export const expectedTotal = Type.Optional(
  moneyFor('The total that was shown; another one refuses the confirm'),
)
