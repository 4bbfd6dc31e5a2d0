/** The bill of a quote of any kind, as the commands that confirm it show it. */
import type { Manner } from '../cli/output/manner.ts'
import type { Quote } from '../journal/quotes.ts'
import { quoteText as deliveryText } from './delivery/price-text.ts'
import type { DeliveryQuote } from './delivery/shapes.ts'
import { quoteText as foodText } from './food/price-text.ts'
import type { FoodQuote } from './food/shapes.ts'
import { fareText } from './rides/fares-text.ts'
import type { RideQuote } from './rides/shapes.ts'
import { quoteText as serviceText } from './services/price-text.ts'
import type { ServiceQuote } from './services/shapes.ts'
import { quoteText as taskText } from './tasks/price-text.ts'
import type { TaskQuote } from './tasks/shapes.ts'

type Bill = (quote: Quote, tier: string | null, manner: Manner) => string

/** By the operation that confirms. */
const BILLS: Readonly<Record<string, Bill>> = {
  place_food_order: (quote, _, manner) => foodText(quote as FoodQuote, manner),
  request_ride: (quote, tier, manner) => rideText(quote as RideQuote, tier, manner),
  request_delivery: (quote, _, manner) => deliveryText(quote as DeliveryQuote, manner),
  book_service: (quote, _, manner) => serviceText(quote as ServiceQuote, manner),
  create_task: (quote, _, manner) => taskText(quote as TaskQuote, manner),
}

export function billText(operation: string, quote: Quote, tier: string | null, manner: Manner): string {
  return BILLS[operation]?.(quote, tier, manner) ?? ''
}

function rideText(quote: RideQuote, tier: string | null, manner: Manner): string {
  const fare = quote.fares.find((each) => each.tier === tier)
  return fare === undefined ? '' : fareText(quote, fare, manner)
}
