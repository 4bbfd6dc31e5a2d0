/** What the customer's view of an order and the store's share (`contract.md` B2, B8). */
import * as Type from 'typebox'
import { AppError, type FieldError } from '../../core/errors.ts'
import { address, closed, instant, money, moneyFor, nullable, point, text } from '../../core/schema.ts'
import {
  COLLECTORS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_DESTINATIONS,
  REFUND_STATUSES,
} from '../payments/rules/payment.ts'
import { TEST_CARDS_NOTE } from '../payments/rules/test-cards.ts'
import { FULFILLMENT_TYPES, type Place } from './rules/food.ts'
import { ORDER_STATUSES } from './states.ts'

export const orderStatus = Type.Enum(ORDER_STATUSES)
export const fulfillmentType = Type.Enum(FULFILLMENT_TYPES, { description: 'How the customer gets it' })
const paymentStatus = Type.Enum(PAYMENT_STATUSES)

export const orderId = Type.String({ minLength: 1, maxLength: 60, description: 'Order' })
export const merchantId = Type.String({ minLength: 1, maxLength: 60, description: 'Store' })
export const itemId = Type.String({ minLength: 1, maxLength: 60, description: 'Item' })

/** An address, a point, or both (`contract.md` A5): the rules check that there is one. */
export const place = closed({
  address: Type.Optional(address),
  location: Type.Optional(point),
  name: Type.Optional(text(100, { description: 'What people call it' })),
})

/** By pointer, what is wrong with places that are nowhere: a name alone is none. */
export function placeFaults(places: Readonly<Record<string, Place>>): FieldError[] {
  return Object.entries(places)
    .filter(([, { address: written, location }]) => written === undefined && location === undefined)
    .map(([pointer]): FieldError => ({
      pointer,
      code: 'required',
      detail: `${pointer.slice(1).replace('/', ' ')} needs an address or a location`,
    }))
}

/** Throws `invalid_request` with every place that is nowhere. */
export function assertPlaces(places: Readonly<Record<string, Place>>): void {
  assertNoFaults(placeFaults(places))
}

export const modifierGroup = closed({
  modifier_group_id: Type.String(),
  name: Type.String(),
  min_selections: Type.Integer({ minimum: 0 }),
  max_selections: nullable(Type.Integer({ minimum: 1 })),
  allow_repeats: Type.Boolean(),
  modifiers: Type.Array(
    closed({
      modifier_id: Type.String(),
      name: Type.String(),
      price_delta: money,
      available: Type.Boolean(),
      is_default: Type.Boolean(),
    }),
  ),
})

const line = {
  line_id: Type.String(),
  item_id: Type.String(),
  name: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  unit_price: money,
  modifiers: Type.Array(
    closed({
      modifier_id: Type.String(),
      modifier_group_id: Type.String(),
      name: Type.String(),
      quantity: Type.Integer({ minimum: 1 }),
      price_delta: money,
    }),
  ),
  notes: nullable(Type.String()),
  total: money,
}

export const orderLine = closed(line)
/** As the store sees it. */
export const storeOrderLine = closed({ ...line, sku: nullable(Type.String()) })

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

export const table = closed({
  table_number: Type.String(),
  party_size: nullable(Type.Integer({ minimum: 1 })),
})

export const slot = closed({ starts_at: instant, ends_at: instant })

export const payment = closed({
  payment_id: nullable(Type.String()),
  method: Type.Enum(PAYMENT_METHODS),
  status: paymentStatus,
  collected_by: Type.Enum(COLLECTORS),
  amount: money,
})

export const refund = closed({
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
export const paymentRequest = closed({
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

/** Throws `invalid_request` with all that is wrong with the fields, when something is. */
export function assertNoFaults(errors: FieldError[]): void {
  const [first] = errors
  if (first !== undefined) throw new AppError('invalid_request', `${first.detail}.`, { errors })
}

/** What a confirm may say about the price it was shown. */
export const expectedTotal = Type.Optional(
  moneyFor('The total that was shown; another one refuses the confirm'),
)

export const tableCheck = closed({
  check_id: Type.String(),
  status: Type.Enum(['open', 'closed'] as const),
  opened_at: instant,
  closed_at: nullable(instant),
  balance: nullable(money),
})
