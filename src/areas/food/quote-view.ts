import type { Static } from 'typebox'
import type { Account } from '../../core/account.ts'
import { withLocal } from '../../core/local-times.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { serializeTimeWindow, toTimestamp } from '../../core/time.ts'
import { ORDER_QUOTE_TIMES } from '../orders/states.ts'
import { serializeIfAbsentChoice } from '../orders/views.ts'
import type { PaymentMethod } from '../payments/rules/payment.ts'
import { serializePrice } from '../payments/views.ts'
import type { QuoteRecord } from '../quotes/queries.ts'
import { serializeQuote, serializeQuoteTerms } from '../quotes/views.ts'
import type { FoodQuoteDoc } from './rules.ts'
import type { foodQuoteSchema } from './schema.ts'

/** Shows a new quote to its customer, whose confirm takes one of these ways to pay. */
export function serializeFoodQuote(
  quote: QuoteRecord<FoodQuoteDoc>,
  account: Account,
  methods: readonly PaymentMethod[],
): Static<typeof foodQuoteSchema> {
  const { doc } = quote
  return withLocal(MARKET_TIMEZONE, ORDER_QUOTE_TIMES, {
    ...serializeQuote('food', quote),
    merchant_id: doc.merchant_id,
    merchant_name: doc.merchant_name,
    fulfillment_type: doc.fulfillment_type,
    lines: doc.lines,
    ...serializePrice(doc),
    dropoff: doc.dropoff,
    if_absent: serializeIfAbsentChoice(doc),
    table: doc.table,
    slot: serializeTimeWindow(doc.slot),
    estimated_ready_at: toTimestamp(doc.estimated_ready_at),
    estimated_delivery_window: serializeTimeWindow(doc.estimated_delivery_window),
    warnings: doc.warnings,
    ...serializeQuoteTerms(methods, account, quote),
  })
}
