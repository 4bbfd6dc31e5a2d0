/** One order as the kitchen and the counter read it: what, for whom, how it is paid, and what happened so far. */
import { cellText } from '../../../cli/output/cell.ts'
import { paint, statusStyle } from '../../../cli/output/colour.ts'
import type { RenderOptions } from '../../../cli/output/render-options.ts'
import { clean, pad, width, wrap } from '../../../cli/output/text.ts'
import type { Money } from '../../../core/money.ts'
import { spellMoney } from '../../../core/money.ts'
import type { Order } from './order.ts'
import type { BasketLine } from './words.ts'
import { basketLines, customerWords, factLines, fulfillmentWords, paymentWords, word } from './words.ts'

/** Without a final line break. */
export function showOrder(order: Order, renderOptions: RenderOptions): string {
  const style = paint(renderOptions.colour)
  const status = word(order.status)
  const time = (instant: string): string => cellText(instant, '', renderOptions)
  const flow = (text: string): string[] => wrap(text, renderOptions.width)
  const head = `Order ${clean(order.display_number)}: ${statusStyle('status', order.status, style)(status)}`
  return [
    style.bold(head),
    style.dim(order.order_id),
    ...flow(`${fulfillmentWords(order)}, for ${customerWords(order)}`),
    ...flow(readyWords(order, time)),
    ...factLines(order, renderOptions).flatMap(flow),
    '',
    ...priceLines(order, renderOptions),
    '',
    ...historyLines(order, renderOptions),
  ].join('\n')
}

function readyWords({ placed_at, prep }: Order, time: (instant: string) => string): string {
  const ready =
    prep.ready_at === null
      ? `to be ready by ${time(prep.estimated_ready_at)}`
      : `ready at ${time(prep.ready_at)}`
  return `placed ${time(placed_at)}, ${ready}`
}

const INDENT = '  '

/** The basket and its price, the amounts in one column at the right. */
function priceLines(order: Order, renderOptions: RenderOptions): string[] {
  const style = paint(renderOptions.colour)
  const sum = (text: string, amount: Money, sign = ''): BasketLine => ({
    text,
    amount: sign + spellMoney(amount),
    indent: 0,
  })
  const taxes = (included: boolean): BasketLine[] =>
    order.taxes
      .filter((tax) => tax.included === included)
      .map(({ name, rate_bps, amount }) =>
        sum(`${included ? 'of which ' : ''}${clean(name)} ${rate_bps / 100} %`, amount),
      )
  const lines: BasketLine[] = [
    ...basketLines(order),
    sum('Subtotal', order.subtotal),
    ...order.fees.map(({ label, amount }) => sum(clean(label), amount)),
    ...order.discounts.map(({ label, amount }) => sum(clean(label), amount, '-')),
    ...taxes(false),
  ]
  const total = sum(`Total (${paymentWords(order)})`, order.total)
  const within = taxes(true)
  const measure = columnsOf([...lines, total, ...within], renderOptions.width)
  return [
    ...lines.flatMap((line) => priced(line, measure)),
    ...priced(total, measure).map(style.bold),
    ...within.flatMap((line) => priced(line, measure)),
  ]
}

type Measure = { texts: number; amounts: number; width: number }

function columnsOf(lines: readonly BasketLine[], columns: number): Measure {
  const amounts = Math.max(...lines.map(({ amount = '' }) => width(amount)))
  const texts = Math.max(...lines.map(({ text, indent }) => width(text) + indent * INDENT.length))
  return { amounts, texts: Math.max(8, Math.min(texts, columns - amounts - INDENT.length)), width: columns }
}

function priced({ text, amount, indent }: BasketLine, { texts, amounts, width: columns }: Measure): string[] {
  const margin = INDENT.repeat(indent)
  if (amount === undefined) return wrap(text, columns - margin.length).map((part) => margin + part)
  const [first = '', ...more] = wrap(text, texts)
  return [
    `${pad(first, texts)}${INDENT}${pad(amount, amounts, 'right')}`,
    ...more.map((part) => INDENT + part),
  ]
}

function historyLines({ status_history = [] }: Order, renderOptions: RenderOptions): string[] {
  return status_history.flatMap(({ status, at, by, reason, note }) => {
    const why = reason === null ? '' : ` (${word(reason)})`
    const said = note === null ? '' : `: "${clean(note)}"`
    const [first = '', ...more] = wrap(
      `${cellText(at, '', renderOptions)}${INDENT}${word(status)}, by the ${word(by)}${why}${said}`,
      renderOptions.width,
    )
    return [first, ...more.map((part) => INDENT + part)]
  })
}
