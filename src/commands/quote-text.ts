/** Shows the price of a quote of any kind, for the commands that confirm it. */
import type { RenderOptions } from '../cli/output/render-options.ts'
import type { Answer } from '../client/operations.ts'
import type { Quote } from '../journal/quotes.ts'
import { quoteText as deliveryText } from './delivery/price-text.ts'
import { quoteText as foodText } from './food/price-text.ts'
import { fareText } from './rides/fares-text.ts'
import { quoteText as serviceText } from './services/price-text.ts'
import { quoteText as taskText } from './tasks/price-text.ts'

/** Returns the lines of the price; empty for a ride whose tier was not quoted. */
export function billText(quote: Quote, tier: string | null, renderOptions: RenderOptions): string {
  switch (quote.kind) {
    case 'food':
      return foodText(quote, renderOptions)
    case 'ride':
      return rideText(quote, tier, renderOptions)
    case 'delivery':
      return deliveryText(quote, renderOptions)
    case 'service':
      return serviceText(quote, renderOptions)
    case 'task':
      return taskText(quote, renderOptions)
  }
}

function rideText(quote: Answer<'quote_ride'>, tier: string | null, renderOptions: RenderOptions): string {
  const fare = quote.fares.find((each) => each.tier === tier)
  return fare === undefined ? '' : fareText(quote, fare, renderOptions)
}
