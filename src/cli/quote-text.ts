/** Shows the price of a quote of any kind. */
import { PRESENTERS } from '../areas/presenters.ts'
import { type LivingName, RESOURCES } from '../generated/resources.ts'
import type { Quote } from '../local-state/quotes.ts'
import { billText } from './output/bill.ts'
import type { RenderOptions } from './output/render-options.ts'

/**
 * Returns the bill of a quote, or of one of its prices; without a choice among several, all of them. Empty for a choice that
 * the quote does not have.
 */
export async function quoteText(
  quote: Quote,
  choice: string | null,
  renderOptions: RenderOptions,
): Promise<string> {
  const name = (Object.keys(PRESENTERS) as LivingName[]).find(
    (each) => RESOURCES[each].held?.kind === quote.kind,
  )
  if (name === undefined) return ''
  const story = await PRESENTERS[name]()
  const bill = story.price(quote, choice)
  if (bill.total === null && choice !== null) return ''
  return billText(bill, renderOptions, story.choices(quote))
}
