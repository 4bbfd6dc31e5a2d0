/** A priced basket item by item, as on a bill. */
import { billOf } from '../../cli/output/bill.ts'
import { cellText } from '../../cli/output/cell.ts'
import { hourOf } from '../../cli/output/hour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { clean, fit, wrap } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { unbroken, wrapPieces } from './menu-text.ts'

type FoodQuote = Answer<'quote_food_order'>

/** The bill of a quote: what, how it comes, each line with its choices, fees, discounts, total, and when. */
export function quoteText(quote: FoodQuote, renderOptions: RenderOptions): string {
  const { style, columns, row, rule } = billOf(renderOptions)
  const lines = quote.lines.flatMap((line) => {
    const chosen = line.modifiers.map(({ name, quantity, price_delta }) =>
      unbroken(
        `${quantity > 1 ? `${quantity} × ` : ''}${clean(name)}${price_delta.amount > 0 ? ` +${spellMoney(price_delta)}` : ''}`,
      ),
    )
    const notes = line.notes === null ? [] : [`“${clean(line.notes)}”`]
    return [
      row(`${line.quantity} × ${clean(line.name)}`, spellMoney(line.total)),
      ...wrapPieces([...chosen, ...notes].join(', '), columns - 4)
        .filter((text) => text !== '')
        .map((text) => style.dim(`    ${text}`)),
    ]
  })
  const { fees, discounts } = quote
  const rest = [
    ...(fees.length + discounts.length > 0 ? [row('Subtotal', spellMoney(quote.subtotal))] : []),
    ...fees.map(({ label, amount }) => row(clean(label), spellMoney(amount))),
    ...discounts.map(({ label, amount }) => row(clean(label), `-${spellMoney(amount)}`)),
    ...taxLines(quote, false).map(([label, amount]) => row(label, amount)),
    style.bold(row('Total', spellMoney(quote.total))),
    ...taxLines(quote, true).map(([label, amount]) => style.dim(row(`  of which ${label}`, amount))),
  ]
  return [
    style.bold(fit(clean(quote.merchant_name), columns)),
    ...wrap(waysLine(quote, renderOptions), columns),
    '',
    ...lines,
    rule,
    ...rest,
    ...quote.warnings.flatMap((warning) => wrap(`Note: ${clean(warning)}`, columns)),
  ].join('\n')
}

function taxLines({ taxes }: FoodQuote, included: boolean): [string, string][] {
  return taxes
    .filter((tax) => tax.included === included && tax.amount.amount > 0)
    .map(({ name, rate_bps, amount }) => [`${clean(name)} ${rate_bps / 100} %`, spellMoney(amount as Money)])
}

/** `Delivery to 12 Finsbury Square, London EC2A 1AN, about 12:40 to 12:55` */
function waysLine(quote: FoodQuote, renderOptions: RenderOptions): string {
  const clock = (at: string): string => hourOf(at, quote.created_at, renderOptions)
  const { slot, estimated_delivery_window: arrival } = quote
  const ready =
    slot === null ? `ready about ${clock(quote.estimated_ready_at)}` : `for ${clock(slot.starts_at)}`
  switch (quote.fulfillment_type) {
    case 'delivery': {
      const { dropoff } = quote
      const to = cellText(dropoff?.address ?? dropoff?.name ?? dropoff?.location, 'dropoff', renderOptions)
      const when =
        arrival === null ? ready : `between ${clock(arrival.starts_at)} and ${clock(arrival.ends_at)}`
      return `Delivery to ${to}, ${when}`
    }
    case 'pickup':
      return `To be collected, ${ready}`
    case 'dine_in': {
      return `${tableText(quote.table)}, ${ready}`
    }
  }
}

function tableText(table: FoodQuote['table']): string {
  const party = table?.party_size ?? null
  return `At table ${clean(table?.table_number ?? '')}${party === null ? '' : ` for ${party}`}`
}
