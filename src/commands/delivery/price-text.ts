/** A priced courier run line by line, as on a bill. */
import { billOf } from '../../cli/output/bill.ts'
import { cellText } from '../../cli/output/cell.ts'
import { hourOf } from '../../cli/output/hour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { clean, fit, wrap } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'

type DeliveryQuote = Answer<'quote_delivery'>

/** The bill of a quote: what, from where to where, by what and when, its lines and the total. */
export function quoteText(quote: DeliveryQuote, renderOptions: RenderOptions): string {
  const { style, columns, row, rule } = billOf(renderOptions)
  const { parcel, lines } = quote
  const kilometres = `${(quote.road_distance_m / 1000).toFixed(1)} km`
  const words = { base: 'Courier', distance: kilometres, size: `Size ${parcel.size}` }
  const clock = (at: string): string => hourOf(at, quote.created_at, renderOptions)
  const identity = parcel.requires_id ? ['Whoever receives it must show an identity document.'] : []
  return [
    style.bold(fit(clean(parcel.description), columns)),
    ...wrap(
      `From ${placeText(quote.pickup, renderOptions)} to ${placeText(quote.dropoff, renderOptions)}`,
      columns,
    ),
    ...wrap(
      `By ${quote.vehicle_type}, collected by ${clock(quote.pickup_eta_at)}, there by ${clock(quote.dropoff_eta_at)}`,
      columns,
    ),
    ...identity.flatMap((line) => wrap(line, columns)),
    '',
    ...lines.map(({ type, amount }) => row(words[type], spellMoney(amount))),
    rule,
    style.bold(row('Total', spellMoney(quote.total))),
    style.dim(row('  of which VAT', spellMoney(quote.tax_included))),
  ].join('\n')
}

/** A place by its address, or by what people call it. */
export function placeText(place: Place, renderOptions: RenderOptions): string {
  return cellText(place.address ?? place.name ?? place, 'place', renderOptions)
}
