/** The look of a ticket on thermal paper: which lines are large, bold or white on black. */
import type { TicketLine, TicketStyle } from '../../../areas/orders/rules/ticket.ts'
import type { ReceiptLine } from '../../../rendering/receipt-format.ts'

type Look = Omit<ReceiptLine, 'text' | 'lead'>

/** A cook reads number, dishes and allergies at arm's length; the rest is for who holds the paper. */
const LOOKS: Readonly<Record<TicketStyle, Look>> = {
  mark: { size: 2, bold: true, isInverted: true, isCentred: true },
  store: {},
  number: { size: 3, bold: true },
  headline: { size: 2 },
  warning: { bold: true, isInverted: true },
  dish: { size: 2, bold: true },
  detail: {},
  said: {},
  fact: {},
}
/** The columns by which a line about a dish is indented: below the name of a dish with one digit of units. */
const BELOW_DISH = 4

/** Returns the lines of a ticket as its printer prints them. */
export function toReceiptLines(lines: readonly TicketLine[]): ReceiptLine[] {
  return lines.map(({ style, text, quantity, isBelow }, at) => {
    const above = lines[at - 1]?.style
    const isFirstDish = style === 'dish' && above !== 'dish' && !isUnderDish(lines, at - 1)
    const isFirstFact = style === 'fact' && above !== 'fact'
    return {
      ...LOOKS[style],
      text,
      ...(quantity !== undefined && { lead: String(quantity) }),
      ...(isBelow === true && { indent: BELOW_DISH }),
      ...((isFirstDish || isFirstFact) && { hasRule: true as const }),
    }
  })
}

function isUnderDish(lines: readonly TicketLine[], at: number): boolean {
  return lines[at]?.isBelow === true
}
