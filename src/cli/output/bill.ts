/** The layout of a price for people: the items on the left, the amounts on the right. */
import { paint, type Paint } from './colour.ts'
import type { RenderOptions } from './render-options.ts'
import { fit, pad, width as widthOf } from './text.ts'

/** The greatest width: in a wider one, amounts are too far from their items. */
const WIDEST = 64

export type Bill = {
  style: Paint
  columns: number
  row(label: string, amount: string): string
  /** The line above the total. */
  rule: string
}

/** Returns the layout of a price for these options. */
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

/** Returns a line of the given width. The right column is kept, the left one is cut. */
function spread(left: string, right: string, columns: number): string {
  const room = Math.max(1, columns - widthOf(right) - 2)
  return `${pad(fit(left, room), room)}  ${right}`
}
