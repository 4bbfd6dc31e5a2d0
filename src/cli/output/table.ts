/** Lists: a table that fits the terminal, or tab-separated lines for whatever reads the pipe. */
import type { Column } from '../../operation.ts'
import { cellText, instantOf, isCuttable, isFigure, labelOf } from './cell.ts'
import { paint, statusDress, type Paint } from './colour.ts'
import { pick } from './fields.ts'
import type { Manner } from './manner.ts'
import { sheet } from './sheet.ts'
import { clean, fit, width, wrap } from './text.ts'

/** Text is cut down to this, not further. */
const NARROWEST = 8
const GAP = '  '
/** What a screen reader says for an empty cell. */
const NOTHING = 'none'

type Grid = {
  /** The name on the wire, which a pipe gets as its heading. */
  field: string
  heading: string
  /** One a row; clean, uncut, empty for what is not there. */
  texts: string[]
  figures: boolean
  cuttable: boolean
}[]

type TableOptions = {
  /** The user named the columns: show all of them, whatever it takes. */
  chosen?: boolean
}

/** The rows as text without a final line break; of an empty list nothing on a terminal, the header line for a pipe. */
export async function table(
  rows: readonly unknown[],
  columns: readonly Column[],
  manner: Manner,
  { chosen = false }: TableOptions = {},
): Promise<string> {
  const grid = columns.map((column) => gridColumn(rows, column, manner))
  if (!manner.tty)
    return lines(rows.length, (at) => grid.map(({ field, texts }) => texts[at] ?? clean(field)).join('\t'))
  if (rows.length === 0) return ''
  const style = paint(manner.colour)
  for (let count = grid.length; count >= fewestColumns(grid, manner, chosen); count--) {
    const shown = grid.slice(0, count)
    const widths = fitted(shown, manner)
    if (widths === undefined) continue
    if (manner.accessible === true) return aligned(shown, widths, rows.length)
    const text = await framed(shown, widths, rows.length, style)
    return count === grid.length ? text : `${text}\n${style.dim(leftOut(grid.slice(count), manner))}`
  }
  return cards(grid, rows.length, manner, style)
}

/** The columns of rows that nobody described: every member, in the order of its first appearance. */
export function columnsOf(rows: readonly unknown[]): Column[] {
  return [...new Set(rows.flatMap((row) => (isRow(row) ? Object.keys(row) : [])))].map((field) => ({ field }))
}

function gridColumn(rows: readonly unknown[], { field, label }: Column, manner: Manner): Grid[number] {
  const values = rows.map((row) => pick(row, field))
  const held = values.filter((value) => value !== null && value !== undefined)
  const heading = label ?? labelOf(field)
  const times = held.map((value) => instantOf(value, manner))
  const zone = times[0]?.zone
  // times of one zone say it once, above them
  const sameZone = manner.tty && zone !== undefined && times.every((time) => time?.zone === zone)
  return {
    field,
    heading: sameZone ? `${heading} (${zone})` : heading,
    texts: values.map((value) =>
      sameZone ? (instantOf(value, manner)?.time ?? '') : cellText(value, field, manner),
    ),
    figures: held.length > 0 && held.every((value) => isFigure(value)),
    cuttable: held.some((value) => isCuttable(value)),
  }
}

function isRow(row: unknown): row is Record<string, unknown> {
  return typeof row === 'object' && row !== null
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count + 1 }, (_, at) => line(at - 1)).join('\n')
}

/** Three columns still make a table; with fewer, and where all are wanted, each row becomes a card. */
function fewestColumns(grid: Grid, { accessible }: Manner, chosen: boolean): number {
  return chosen || accessible === true ? grid.length : Math.min(3, grid.length)
}

/**
 * The width of each column so that all fit: the widest of those that may be cut give first. Undefined when that is not
 * enough, or nothing may be cut.
 */
function fitted(grid: Grid, { width: room, accessible = false }: Manner): number[] | undefined {
  const least = accessible ? NOTHING.length : 1
  const widths = grid.map(({ heading, texts }) =>
    texts.reduce((most, text) => Math.max(most, width(text)), Math.max(least, width(heading))),
  )
  let excess = widths.reduce((sum, columns) => sum + columns, GAP.length * (widths.length - 1)) - room
  if (excess > 0 && accessible) return undefined
  while (excess > 0) {
    const open = widths.flatMap((columns, at) =>
      grid[at]?.cuttable === true && columns > NARROWEST ? [columns] : [],
    )
    if (open.length === 0) return undefined
    const widest = Math.max(...open)
    // down to the second widest at most, so that long columns shrink together
    const next = Math.max(NARROWEST, ...open.filter((columns) => columns < widest))
    const step = Math.min(excess, Math.max(1, Math.ceil((widest - next) / 2)))
    widths[widths.findIndex((columns, at) => columns === widest && grid[at]?.cuttable === true)] =
      widest - step
    excess -= step
  }
  return widths
}

async function framed(grid: Grid, widths: readonly number[], count: number, style: Paint): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const inside: string[] = []
  // cli-table3 draws the frame around stand-ins: its own measure of wide and combining characters is years old
  const standIn = (text: string, at: number, dress: (text: string) => string): string => {
    const shown = fit(text, widths[at] ?? 0)
    const columns = width(shown)
    if (columns > 0) inside.push(dress(shown))
    return '#'.repeat(columns)
  }
  const options = {
    colWidths: [...widths],
    colAligns: grid.map(({ figures }): 'left' | 'right' => (figures ? 'right' : 'left')),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars: FRAME,
  }
  const head = grid.map(({ heading }, at) => standIn(heading, at, style.bold))
  const drawn: string[] = []
  for (let start = 0; start < count; start += AT_ONCE) {
    const frame = new Table({ ...options, head: start === 0 ? head : [] })
    for (let row = start; row < Math.min(start + AT_ONCE, count); row++) {
      frame.push(
        grid.map(({ field, texts }, at) => {
          const text = texts[row] ?? ''
          return text === ''
            ? standIn('–', at, style.dim)
            : standIn(text, at, statusDress(field, text, style))
        }),
      )
    }
    drawn.push(...frame.toString().split('\n'))
  }
  const shown = inside.values()
  return drawn
    .map((line, at) =>
      at === 1 ? style.dim(line) : line.replace(/#+/g, () => shown.next().value ?? '').trimEnd(),
    )
    .join('\n')
}

/** Rows in one go: cli-table3 looks through all of them for each one. */
const AT_ONCE = 200

/** A rule under the headings and nothing else. */
const FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '─',
  'mid-mid': GAP,
  right: '',
  'right-mid': '',
  middle: GAP,
} as const

function leftOut(grid: Grid, { width: room }: Manner): string {
  const names = grid.map(({ field }) => clean(field)).join(', ')
  return wrap(`Not shown for lack of room: ${names}. A wider terminal or --fields shows them.`, room).join(
    '\n',
  )
}

/** Too many columns for this terminal: each row as a sheet of its own, so that nothing is left out. */
function cards(grid: Grid, count: number, manner: Manner, style: Paint): string {
  const nothing = manner.accessible === true ? NOTHING : '–'
  const card = (row: number): string =>
    sheet(
      grid.map(({ field, heading, texts }) => {
        const text = texts[row] ?? ''
        return { label: heading, text: text === '' ? nothing : text, dress: statusDress(field, text, style) }
      }),
      manner,
    )
  return Array.from({ length: count }, (_, row) => card(row)).join('\n\n')
}

function aligned(grid: Grid, widths: readonly number[], count: number): string {
  const cell = (text: string, at: number): string =>
    text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(text)))
  return lines(count, (row) =>
    grid
      .map(({ heading, texts }, at) => cell(row < 0 ? heading : texts[row] || NOTHING, at))
      .join(GAP)
      .trimEnd(),
  )
}
