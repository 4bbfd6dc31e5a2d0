/** One order as the kitchen and the counter read it: what, for whom, how it is paid, and what happened so far. */
import { type OrderNote, notesOf } from '../../../areas/orders/rules/waiting.ts'
import { chargeOf } from '../../../areas/payments/rules/payment.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { type Paint, makePaint, statusStyle } from '../../../cli/output/colour.ts'
import type { RenderOptions } from '../../../cli/output/render-options.ts'
import { sanitizeForTerminal, pad, measureTextWidth, wrapWhole } from '../../../cli/output/text.ts'
import type { Money } from '../../../core/money.ts'
import { formatBasisPoints, formatGroupedMoney } from '../../../core/money.ts'
import type { BusinessOrderOutput } from './order.ts'
import type { BasketLine } from './words.ts'
import {
  basketLines,
  formatOrderCustomer,
  factLines,
  formatOrderFulfillment,
  formatOrderNote,
  formatOrderPayment,
  humanizeName,
} from './words.ts'

/** Without a final line break. */
export function formatStoreOrder(order: BusinessOrderOutput, renderOptions: RenderOptions): string {
  const style = makePaint(renderOptions.colour)
  const status = humanizeName(order.status)
  const time = (instant: string): string => cellText(instant, '', renderOptions)
  const flow = (text: string): string[] => wrapWhole(text, renderOptions.width)
  // A wish about an item is below it, too; an allergy is read first.
  const notes = notesOf(order).filter(({ of, allergy }) => of === undefined || allergy)
  const head = `Order ${sanitizeForTerminal(order.display_number)}: ${statusStyle('status', order.status, style)(status)}`
  return [
    style.bold(head),
    style.dim(order.order_id),
    ...flow(`${formatOrderFulfillment(order)}, for ${formatOrderCustomer(order)}`),
    ...flow(timesWords(order, time)),
    ...notes.flatMap((note) => formatNoteLines(note, renderOptions.width, style)),
    ...factLines(order, renderOptions).flatMap(flow),
    '',
    ...priceLines(order, renderOptions),
    '',
    ...historyLines(order, renderOptions),
  ].join('\n')
}

/** A note of a customer stands out, one about an allergy most: by its first word too. */
export function formatNoteLines(note: OrderNote, columns: number, style: Paint): string[] {
  const decorate = note.allergy ? style.red : style.yellow
  return wrapWhole(formatOrderNote(note), columns).map((line) => style.bold(decorate(line)))
}

/** Returns the times at which it was placed, must be accepted, and is ready. An order of a list has no history, but these times. */
function timesWords(
  { placed_at, accept_by, prep, status_history }: BusinessOrderOutput,
  time: (instant: string) => string,
): string {
  const { accepted_at, preparing_at, ready_at, estimated_ready_at } = prep
  return [
    `placed ${time(placed_at)}`,
    ...(accept_by === null ? [] : [`accept before ${time(accept_by)}`]),
    ...(accepted_at && status_history === undefined ? [`accepted ${time(accepted_at)}`] : []),
    ...(preparing_at && status_history === undefined ? [`started ${time(preparing_at)}`] : []),
    ready_at === null ? `ready time ${time(estimated_ready_at)}` : `ready at ${time(ready_at)}`,
  ].join(', ')
}

const INDENT = '  '

/** The basket and its price, the amounts in one column at the right. */
function priceLines(order: BusinessOrderOutput, renderOptions: RenderOptions): string[] {
  const style = makePaint(renderOptions.colour)
  const sum = (text: string, amount: Money, sign = ''): BasketLine => ({
    text,
    amount: sign + formatGroupedMoney(amount),
    indent: 0,
  })
  const taxes = (included: boolean): BasketLine[] =>
    order.taxes
      .filter((tax) => tax.included === included)
      .map(({ name, rate_bps, amount }) =>
        sum(
          `${included ? 'of which ' : ''}${sanitizeForTerminal(name)} ${formatBasisPoints(rate_bps)}`,
          amount,
        ),
      )
  const lines: BasketLine[] = [
    ...basketLines(order),
    sum('Subtotal', order.subtotal),
    ...order.fees.map(({ label, amount }) => sum(sanitizeForTerminal(label), amount)),
    ...order.discounts.map(({ label, amount }) => sum(sanitizeForTerminal(label), amount, '-')),
    ...taxes(false),
  ]
  const total = sum(`Total (${formatOrderPayment(order)})`, order.total)
  const charge = chargeOf(order)
  const charged =
    charge.amount === order.total.amount
      ? []
      : [sum(order.payment.status === 'unpaid' ? 'To pay' : 'Charged', charge)]
  const within = taxes(true)
  const measure = columnsOf([...lines, total, ...within, ...charged], renderOptions.width)
  return [
    ...lines.flatMap((line) => priced(line, measure).map(decorationOf(line, style))),
    ...priced(total, measure).map(style.bold),
    ...within.flatMap((line) => priced(line, measure)),
    ...charged.flatMap((line) => priced(line, measure)).map(style.bold),
  ]
}

/** Returns texts with their amounts in one column at the right. */
export function layOutPrices(lines: readonly BasketLine[], width: number): string[] {
  const measure = columnsOf(lines, width)
  return lines.flatMap((line) => {
    const margin = INDENT.repeat(line.indent)
    return priced(line, { ...measure, texts: measure.texts - margin.length }).map((row) => margin + row)
  })
}

function decorationOf({ isStruck, isDanger }: BasketLine, style: Paint): (text: string) => string {
  if (isStruck === true) return style.struck
  return isDanger === true ? (text) => style.bold(style.red(text)) : (text) => text
}

type Measure = { texts: number; amounts: number; width: number }

function columnsOf(lines: readonly BasketLine[], columns: number): Measure {
  const amounts = Math.max(...lines.map(({ amount = '' }) => measureTextWidth(amount)))
  const texts = Math.max(...lines.map(({ text, indent }) => measureTextWidth(text) + indent * INDENT.length))
  return { amounts, texts: Math.max(8, Math.min(texts, columns - amounts - INDENT.length)), width: columns }
}

function priced({ text, amount, indent }: BasketLine, { texts, amounts, width: columns }: Measure): string[] {
  const margin = INDENT.repeat(indent)
  if (amount === undefined) return wrapWhole(text, columns - margin.length).map((part) => margin + part)
  const [first = '', ...more] = wrapWhole(text, texts)
  return [
    `${pad(first, texts)}${INDENT}${pad(amount, amounts, 'right')}`,
    ...more.map((part) => INDENT + part),
  ]
}

function historyLines({ status_history = [] }: BusinessOrderOutput, renderOptions: RenderOptions): string[] {
  return status_history.flatMap(({ status, at, by, reason, note }) => {
    const why = reason === null ? '' : ` (${humanizeName(reason)})`
    const said = note === null ? '' : `: "${sanitizeForTerminal(note)}"`
    const [first = '', ...more] = wrapWhole(
      `${cellText(at, '', renderOptions)}${INDENT}${humanizeName(status)}, by the ${humanizeName(by)}${why}${said}`,
      renderOptions.width,
    )
    return [first, ...more.map((part) => INDENT + part)]
  })
}
