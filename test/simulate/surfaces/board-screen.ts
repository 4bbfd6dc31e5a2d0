/** The board on a whole screen: the line of an order, and what its sheet tells. */
import { type Facts, stripColours, toMinorUnits } from './facts.ts'

// oxlint-disable-next-line no-control-regex -- a row begins and ends with them
const CURSOR = /\u001B\[(\d+);1H(.*?)\u001B\[K/gs
// oxlint-disable-next-line no-control-regex -- a screen is drawn with them
const CONTROLS = /\u001B(?:\[[\d;?]*[A-Za-z]|\][^\u0007]*\u0007)|\u0007/g

/** Returns the rows of a screen that was drawn row by row, as they stand in the end. */
export function readDrawnRows(drawn: string): string[] {
  const rows: string[] = []
  for (const [, row = '1', text = ''] of drawn.matchAll(CURSOR))
    rows[Number(row) - 1] = stripColours(text).replaceAll(CONTROLS, '').trimEnd()
  return Array.from(rows, (row) => row ?? '')
}

const STAGES: Readonly<Record<string, string>> = {
  NEW: 'placed',
  'TO MAKE': 'accepted',
  COOKING: 'preparing',
  READY: 'ready',
  'ON THE WAY': 'out_for_delivery',
}
const HEADING = /^([A-Z ]+?) \d+(?:, \d+ not shown)?$/
const LINE =
  /^(delivery|pickup|dine in(?: at table (.+?))?) {2,}(.+?) {2,}(-?£[\d,]+\.\d\d) {2,}(.+?)(?:, bill open)?$/

/** Returns the facts of an order on the list of a board; undefined where it is not on it. */
export function readBoardScreen(rows: readonly string[], number: string): Facts | undefined {
  let state: string | undefined
  for (const row of rows) {
    state = STAGES[HEADING.exec(row)?.[1] ?? ''] ?? state
    const [, rest] = new RegExp(`^[> ] ${number} +(.*)$`).exec(row) ?? []
    if (rest === undefined) continue
    const at = rest.search(/(?:delivery|pickup|dine in)\b/)
    const [, how, table, items = '', charged, pay = ''] = LINE.exec(rest.slice(at)) ?? []
    if (how === undefined) throw new Error(`the board has another line: ${row}`)
    const [method, payment] = pay.split(', ').map((word) => word.replace(/…$/, '').replaceAll(' ', '_'))
    return {
      state: { own: state, way: table === undefined ? how : 'dine_in', method, payment },
      cooking: readItems(items),
      sums: { charged: toMinorUnits(charged) },
      where: { table },
    }
  }
  return undefined
}

/** Returns the units of `CHANGED! 2 × Pad Thai, Spring rolls`. A name may have a comma, as in `Crisps, 150 g`. */
export function readItems(text: string): Record<string, number> {
  const cooking: Record<string, number> = {}
  const items = text.replace(/^(?:(?:ALLERGY|NOTE|ASKED|CHANGED)!(?: |$))*/, '').split(/, (?=\d+ × |\p{Lu})/u)
  for (const item of items.filter((each) => each !== '')) {
    const [, units = '1', name = ''] = /^(?:(\d+) × )?(.+)$/.exec(item) ?? []
    cooking[name] = (cooking[name] ?? 0) + Number(units)
  }
  return cooking
}
