/** A priced service line by line, as on a bill. */
import { billOf } from '../../cli/output/bill.ts'
import { cellText } from '../../cli/output/cell.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { clean, fit, wrap } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'

type ServiceQuote = Answer<'quote_service'>

const LINES = { labour: 'Labour', callout: 'Call-out', travel: 'Travel' } as const

/** The bill of a quote: what, who, where and when, its lines and the total, and what holds if nobody comes. */
export function quoteText(quote: ServiceQuote, renderOptions: RenderOptions): string {
  const { style, columns, row, rule } = billOf(renderOptions)
  return [
    style.bold(fit(`${clean(quote.service_name)}, ${clean(quote.provider_name)}`, columns)),
    ...wrap(whereLine(quote, renderOptions), columns),
    '',
    ...quote.lines.map(({ type, amount }) => row(LINES[type], spellMoney(amount))),
    rule,
    style.bold(row('Total', spellMoney(quote.total))),
    style.dim(row('  of which VAT', spellMoney(quote.tax_included))),
    ...wrap(clean(quote.cancellation_policy), columns).map((line) => style.dim(line)),
  ].join('\n')
}

/** `2 h at 12 Finsbury Square, London EC2A 1AN, from Sat 21 Nov 09:00` */
function whereLine(quote: ServiceQuote, renderOptions: RenderOptions): string {
  const { place } = quote
  const where = clean(
    place.address === undefined ? (place.name ?? '') : cellText(place.address, 'place', renderOptions),
  )
  const when =
    quote.starts_at === null
      ? 'at a time to be agreed'
      : `from ${cellText(quote.starts_at, 'starts_at', { ...renderOptions, tty: true })}`
  return `${spellMinutes(quote.duration_minutes)} ${where === '' ? 'at your door' : `at ${where}`}, ${when}`
}

/** `45 min`, `2 h`, `2 h 30 min` */
export function spellMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : '']
    .filter((part) => part !== '')
    .join(' ')
}
