/** How a price is laid out for people: what it is for on the left, what it comes to on the right. */
import { paint, type Paint } from './colour.ts'
import type { RenderOptions } from './render-options.ts'
import { fit, pad, width as widthOf } from './text.ts'

/** Beyond this an amount stands too far from what it is for. */
const WIDEST = 64

export type Bill = {
  style: Paint
  columns: number
  row(label: string, amount: string): string
  /** What stands above the total. */
  rule: string
}

export function billOf(renderOptions: RenderOptions): Bill {
  const style = paint(renderOptions.colour)
  const columns = Math.min(renderOptions.width, WIDEST)
  if (renderOptions.accessible === true)
    return { style, columns, row: (label, amount) => `${label}: ${amount}`, rule: '' }
  return {
    style,
    columns,
    row: (label, amount) => spread(label, amount, columns),
    rule: style.dim('─'.repeat(columns)),
  }
}

/** Two columns in so many: the right one keeps its place, the left one is cut. */
function spread(left: string, right: string, columns: number): string {
  const room = Math.max(1, columns - widthOf(right) - 2)
  return `${pad(fit(left, room), room)}  ${right}`
}
