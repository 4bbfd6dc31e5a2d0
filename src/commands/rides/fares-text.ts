/** Shows the fares of a route, tier by tier, and one tier line by line. */
import type { FareLineType } from '../../areas/rides/rules.ts'
import { billOf } from '../../cli/output/bill.ts'
import { paint } from '../../cli/output/colour.ts'
import { hourOf } from '../../cli/output/hour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { clean, pad, wrap } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import { placeText } from '../delivery/price-text.ts'

export type RideQuote = Answer<'quote_ride'>
export type Fare = RideQuote['fares'][number]

const LINES: Readonly<Record<FareLineType, string>> = {
  base: 'Base fare',
  distance: 'Distance',
  time: 'Time',
  booking_fee: 'Booking fee',
  surge: 'Busy now',
  minimum_topup: 'Up to the minimum',
  balance_due: 'Due from an earlier ride',
}

/** The way, and a table of the fares. */
export function faresText(quote: RideQuote, renderOptions: RenderOptions): string {
  const style = paint(renderOptions.colour)
  const rows =
    renderOptions.accessible === true ? quote.fares.map((fare) => fareWords(fare)) : fareRows(quote.fares)
  const none = quote.fares.length === 0 ? ['No car takes as many.'] : rows
  return [...wayLines(quote, renderOptions), '', ...none.map((row) => style.bold(row))].join('\n')
}

/** The way, and what makes up the fare of a tier. */
export function fareText(quote: RideQuote, fare: Fare, renderOptions: RenderOptions): string {
  const { style, row, rule } = billOf(renderOptions)
  return [
    ...wayLines(quote, renderOptions),
    '',
    ...fare.lines.map(({ type, amount }) => row(LINES[type], spellMoney(amount))),
    rule,
    style.bold(row(clean(fare.name), spellMoney(fare.fare))),
    style.dim(row('  of which VAT', spellMoney(fare.tax_included))),
  ].join('\n')
}

/** One row for each fare, their columns below each other. */
export function fareRows(fares: readonly Fare[]): string[] {
  const names = Math.max(0, ...fares.map(({ name }) => clean(name).length))
  const prices = Math.max(0, ...fares.map(({ fare }) => spellMoney(fare).length))
  return fares.map((fare) => {
    const price = pad(spellMoney(fare.fare), prices, 'right')
    return `${pad(clean(fare.name), names)}  ${price}  ${fare.capacity} seats  ${whenWords(fare)}`
  })
}

function fareWords(fare: Fare): string {
  return `${clean(fare.name)}: ${spellMoney(fare.fare)}, ${fare.capacity} seats, ${whenWords(fare)}`
}

function whenWords({ available, pickup_eta_seconds: seconds }: Fare): string {
  if (!available) return 'nobody drives'
  return seconds === null ? 'at its time' : `in ${Math.max(1, Math.round(seconds / 60))} min`
}

function wayLines(quote: RideQuote, renderOptions: RenderOptions): string[] {
  const { style, columns } = billOf(renderOptions)
  const { pickup, dropoff, stops, scheduled_for } = quote
  const over = stops.map((stop) => ` over ${placeText(stop, renderOptions)}`).join('')
  const kilometres = `${(quote.road_distance_m / 1000).toFixed(1)} km`
  const minutes = Math.max(1, Math.round(quote.driving_time_seconds / 60))
  const at =
    scheduled_for === null ? '' : `, picked up at ${hourOf(scheduled_for, quote.created_at, renderOptions)}`
  const surge = Math.max(0, ...quote.fares.map(({ surge_bps }) => surge_bps))
  return [
    ...wrap(
      `From ${placeText(pickup, renderOptions)}${over} to ${placeText(dropoff, renderOptions)}`,
      columns,
    ).map((line) => style.bold(line)),
    ...wrap(`${kilometres}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}${at}`, columns),
    ...(surge > 10_000
      ? wrap(`Many want to ride now: fares are ${surge / 10_000} times the usual.`, columns)
      : []),
  ]
}
