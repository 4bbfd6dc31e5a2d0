/** The bill of a quote of any kind, as the commands that confirm it show it. */
import type { Manner } from '../cli/output/manner.ts'
import { type QuotedName, RESOURCES } from '../generated/resources.ts'
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

const BILLS: Readonly<Record<QuotedName, Bill>> = {
  food_order: (quote, _, manner) => foodText(quote as FoodQuote, manner),
  ride: (quote, tier, manner) => rideText(quote as RideQuote, tier, manner),
  delivery: (quote, _, manner) => deliveryText(quote as DeliveryQuote, manner),
  booking: (quote, _, manner) => serviceText(quote as ServiceQuote, manner),
  task: (quote, _, manner) => taskText(quote as TaskQuote, manner),
}

const NAMES = Object.keys(BILLS) as QuotedName[]

/** The bill of the quote that an operation confirms; nothing for other operations. */
export function billText(operation: string, quote: Quote, tier: string | null, manner: Manner): string {
  const name = NAMES.find((each) => RESOURCES[each].creates.includes(operation))
  return name === undefined ? '' : BILLS[name](quote, tier, manner)
}

function rideText(quote: RideQuote, tier: string | null, manner: Manner): string {
  const fare = quote.fares.find((each) => each.tier === tier)
  return fare === undefined ? '' : fareText(quote, fare, manner)
}
