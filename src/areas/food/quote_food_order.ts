import * as Type from 'typebox'
import { isMembershipActive } from '../../core/account.ts'
import { assertWithinCeiling } from '../../core/ceilings.ts'
import { AppError, type ProblemFieldError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import type { Place } from '../../core/places/place.ts'
import {
  throwIfErrors,
  strictObject,
  identifierText,
  objectField,
  describeField,
  cappedMoneyField,
  placeField,
  placeErrors,
  nonBlankText,
} from '../../core/schema.ts'
import { describeServiceClock, describePastTime, parseTimestamp } from '../../core/time.ts'
import { isSlotStart, SCHEDULE_AHEAD_MS } from '../orders/lifecycle/slots.ts'
import { chosenModifiers, fulfillmentType, itemId, merchantId } from '../orders/schema.ts'
import { ifAbsent } from '../proofs/schema.ts'
import { saveQuote } from '../quotes/lifecycle.ts'
import { priceFoodOrder } from './lifecycle/quote.ts'
import { serializeFoodQuote } from './quote-view.ts'
import { foodQuoteSchema } from './schema.ts'

export const quoteFoodOrder = defineOperation({
  name: 'quote_food_order',
  area: 'food',
  summary: 'Price a basket as checkout would',
  description:
    'Returns all lines, fees, discounts and taxes, and a quote_id valid for 15 minutes. Show the price to the customer, then place the order. Orders nothing and reserves no slot.',
  details:
    'The delivery estimate includes the couriers’ current jobs. If no courier is free within an hour of the ready time, delivery is rejected.',
  method: 'POST',
  path: '/v1/food/orders/quote',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    merchant_id: merchantId,
    fulfillment_type: fulfillmentType,
    items: Type.Array(
      strictObject({
        item_id: itemId,
        quantity: Type.Integer({ minimum: 1, maximum: 99, description: 'Quantity' }),
        modifiers: chosenModifiers,
        notes: Type.Optional(nonBlankText(200, { description: 'Notes to the kitchen' })),
      }),
      { minItems: 1, maxItems: 50, description: 'Basket' },
    ),
    dropoff: Type.Optional(describeField('Drop-off place', placeField)),
    if_absent: Type.Optional(ifAbsent),
    table: Type.Optional(
      objectField('Table number', {
        table_number: identifierText(20, 'Table number'),
        party_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 99, description: 'Party size' })),
      }),
    ),
    scheduled_for: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Quarter-hour slot within the next 7 days. Default: as soon as possible',
      }),
    ),
    tip: Type.Optional(
      cappedMoneyField('tip', 'Courier tip, with delivery', ', or the subtotal if that is more'),
    ),
  }),
  output: foodQuoteSchema,
  errors: [
    'merchant_not_found',
    'item_not_found',
    'merchant_closed',
    'item_unavailable',
    'slot_unavailable',
    'invalid_modifier_selection',
    'minimum_order_not_met',
    'outside_delivery_area',
    'fulfillment_not_offered',
    'address_unresolvable',
    'currency_mismatch',
    'amount_too_large',
    'no_courier_available',
  ],
  // Two of the first dish that can be had without choosing anything.
  example: ({ get_restaurant_menu: menu }) => ({
    merchant_id: menu.merchant_id,
    fulfillment_type: 'pickup',
    items: [{ item_id: menu.categories[0].items[0].item_id, quantity: 2 }],
  }),
  cli: {
    command: 'food quote',
    danger: 'read',
    columns: ['quote_id', 'merchant_name', 'total', 'expires_at'],
  },
  async run({ tx, world, now, account, scopes }, input) {
    const { table, tip, dropoff, if_absent } = input
    assertFits(input)
    const { doc, methods } = await priceFoodOrder({ tx, world, at: now }, account, {
      ...input,
      dropoff: dropoff ?? null,
      if_absent: dropoff === undefined ? null : (if_absent ?? 'return'),
      table: table === undefined ? null : { ...table, party_size: table.party_size ?? null },
      scheduled_for: readSchedule(input.scheduled_for, now),
      tip: tip ?? null,
      mayBuy: scopes.includes('food.order') && isMembershipActive(account.membership, now),
    })
    assertWithinCeiling('tip', tip, { pointer: '/tip' }, doc.subtotal.amount)
    const quote = await saveQuote({ tx, world, at: now }, account.account_id, 'food', doc)
    return serializeFoodQuote(quote, account, methods)
  },
})

type FulfillmentInput = {
  fulfillment_type: string
  dropoff?: Place
  if_absent?: string
  table?: object
  tip?: object
}

/** Throws `invalid_request` unless dropoff, if_absent, table and tip fit the fulfillment type. */
function assertFits({ fulfillment_type: type, dropoff, if_absent, table, tip }: FulfillmentInput): void {
  throwIfErrors([
    ...check('dropoff', dropoff, type, 'delivery'),
    ...check('table', table, type, 'dine_in'),
    ...(tip === undefined ? [] : check('tip', tip, type, 'delivery')),
    ...(if_absent === undefined ? [] : check('if_absent', if_absent, type, 'delivery')),
    ...(dropoff === undefined ? [] : placeErrors({ '/dropoff': dropoff })),
  ])
}

function check(
  name: string,
  value: object | string | undefined,
  type: string,
  goesWith: string,
): ProblemFieldError[] {
  if ((value !== undefined) === (type === goesWith)) return []
  return value === undefined
    ? [fault(`/${name}`, 'required', `${name} is required with ${goesWith}`)]
    : [fault(`/${name}`, 'mutually_exclusive', `${name} is only for ${goesWith}, not for ${type}`)]
}

/** The instant asked for, if it can be one at all; whether the store has it then is its own question. */
function readSchedule(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = parseTimestamp(text) ?? 0
  const error = findScheduleFault(at, now)
  if (error === undefined) return at
  throw new AppError('invalid_request', `${error.detail}.`, { errors: [error] })
}

function findScheduleFault(at: number, now: number): ProblemFieldError | undefined {
  const pointer = '/scheduled_for'
  if (at <= now) return fault(pointer, 'out_of_range', describePastTime('scheduled_for', now))
  if (at > now + SCHEDULE_AHEAD_MS)
    return fault(
      pointer,
      'out_of_range',
      `scheduled_for must be within the next 7 days: ${describeServiceClock(now)}`,
    )
  if (isSlotStart(at)) return undefined
  return fault(pointer, 'invalid_format', 'scheduled_for must be a full quarter of an hour, such as 18:15')
}

function fault(pointer: string, code: ProblemFieldError['code'], detail: string): ProblemFieldError {
  return { pointer, code, detail }
}
