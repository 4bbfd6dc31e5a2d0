/** How a confirm pays, and what it was charged (`contract.md` A3, C4). */
import * as Type from 'typebox'
import type { FieldError } from '../../core/errors.ts'
import {
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
/** How a confirm pays, and what it was charged (`contract.md` A3, C4). */
import { TEST_CARDS_NOTE } from '../../core/test-cards.ts'
import {
  COLLECTORS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_DESTINATIONS,
  REFUND_STATUSES,
} from './rules/payment.ts'

const paymentStatus = Type.Enum(PAYMENT_STATUSES, { meaning: 'Where the payment stands', label: 'Payment' })
export const taxIncluded = means('How much of the total is tax', money)

/** The price of a basket, member by member; `lines` aside. */
export const price = {
  subtotal: means('The goods alone', money),
  fees: Type.Array(
    closed({
      type: Type.Enum(['delivery_fee', 'service_fee', 'small_order_fee', 'courier_tip'] as const, {
        meaning: 'What is charged',
      }),
      label: Type.String({ meaning: 'Its name, for people' }),
      amount: means('What it costs', money),
    }),
    { meaning: 'What is charged besides the goods' },
  ),
  fees_total: means('All fees together', money, 'Fees'),
  discounts: Type.Array(
    closed({
      type: Type.Enum(['member', 'promotion'] as const, { meaning: 'Why it is taken off' }),
      label: Type.String({ meaning: 'Its name, for people' }),
      amount: means('What it takes off', money),
    }),
    { meaning: 'What is taken off' },
  ),
  discount_total: means('All discounts together', money, 'Discount'),
  taxes: Type.Array(
    closed({
      name: nameText,
      rate_bps: Type.Integer({ meaning: 'Rate in hundredths of a per cent' }),
      taxable_amount: means('What the tax is taken of', money),
      amount: means('The tax itself', money),
      included: Type.Boolean({ meaning: 'Whether prices contain it' }),
    }),
    { meaning: 'Tax by rate' },
  ),
  tax_total: means('All taxes together', money),
  prices_include_tax: Type.Boolean({ meaning: 'Whether prices contain the tax' }),
  total: means('What it all comes to', money),
}

export const payment = named('Payment', {
  payment_id: nullable(Type.String(), 'Payment'),
  method: Type.Enum(PAYMENT_METHODS, { meaning: 'How', label: 'Paid by' }),
  status: paymentStatus,
  collected_by: Type.Enum(COLLECTORS, { meaning: 'Who takes the money' }),
  amount: means('What is paid', money),
})

export const refund = named('Refund', {
  refund_id: Type.String({ meaning: 'Refund' }),
  status: Type.Enum(REFUND_STATUSES, { meaning: 'Where the refund stands', label: 'Refund status' }),
  destination: Type.Enum(REFUND_DESTINATIONS, { meaning: 'Where it goes', label: 'Goes to' }),
  amount: means('What goes back', money, 'Refund'),
  reason: Type.String({ meaning: 'Why' }),
  created_at: createdAt,
  settled_at: nullable(instant, 'When it was settled; null until it is'),
})

/** What the confirm of a quote needs, beside the quote. */
export const confirmTerms = {
  payment_methods: Type.Optional(
    Type.Array(Type.Enum(PAYMENT_METHODS), { meaning: 'Methods that its confirm takes', label: 'Paid by' }),
  ),
  needs_membership: Type.Optional(
    Type.Boolean({ meaning: 'Whether the account lacks the membership that its confirm needs' }),
  ),
}

/** The card that pays. */
export const paymentToken = Type.Optional(code(100, `Token of the card, with method card${TEST_CARDS_NOTE}`))

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

/** The total that a confirm expects; another total is refused. */
export const expectedTotal = Type.Optional(
  moneyFor('The total that was shown; another one refuses the confirm'),
)
