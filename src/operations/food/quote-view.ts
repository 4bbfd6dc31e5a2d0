import type { Static } from 'typebox'
import type { Span } from '../../domain/food.ts'
import { toTimestamp } from '../../domain/time.ts'
import type { FoodQuoteDoc, QuoteRecord } from '../../store/quotes.ts'
import type { foodQuote } from './schema.ts'

/** A quote as its customer sees it when it is made. */
export function viewFoodQuote(quote: QuoteRecord<FoodQuoteDoc>): Static<typeof foodQuote> {
  const { quote_id, created_at, expires_at, doc } = quote
  return {
    quote_id,
    kind: 'food',
    status: 'open',
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    expires_in_seconds: (expires_at - created_at) / 1000,
    merchant_id: doc.merchant_id,
    merchant_name: doc.merchant_name,
    fulfillment_type: doc.fulfillment_type,
    lines: doc.lines,
    subtotal: doc.subtotal,
    fees: doc.fees,
    fees_total: doc.fees_total,
    discounts: doc.discounts,
    discount_total: doc.discount_total,
    taxes: doc.taxes,
    tax_total: doc.tax_total,
    prices_include_tax: doc.prices_include_tax,
    total: doc.total,
    dropoff: doc.dropoff,
    table: doc.table,
    slot: viewSpan(doc.slot),
    estimated_ready_at: toTimestamp(doc.estimated_ready_at),
    estimated_delivery_window: viewSpan(doc.estimated_delivery_window),
    warnings: doc.warnings,
  }
}

function viewSpan(span: Span | null): { starts_at: string; ends_at: string } | null {
  return span && { starts_at: toTimestamp(span.starts_at), ends_at: toTimestamp(span.ends_at) }
}
