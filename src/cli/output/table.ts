/** Renders lists: a table that fits the terminal, or tab-separated lines for a pipe. */
import type { Column } from '../../core/operation.ts'
import { cellText, instantOf, isCuttable, isFigure, formatFieldLabel } from './cell.ts'
import { makePaint, statusStyle, type Paint } from './colour.ts'
import { pickField } from './fields.ts'
import { rejectsFirst } from './rejects-first.ts'
import type { RenderOptions } from './render-options.ts'
import { sheet } from './sheet.ts'
import { sanitizeForTerminal, truncateToWidth, measureTextWidth, wrapText } from './text.ts'

/** The smallest width of cut text. */
const MIN_CUT_COLUMNS = 8
/** The width that names (and other text) keep as long as other columns can be omitted. */
const NAME_WIDTH = 30
const TEXT_WIDTH = 12
const GAP = '  '
/** The text of an empty cell for screen readers. */
const NOTHING = 'none'

type Grid = {
  /** The field's name in the interface, which is the heading in a pipe. */
  field: string
  heading: string
  /** One text for each row: clean, not cut, empty for a missing value. */
  texts: string[]
  figures: boolean
  cuttable: boolean
  dropOrder: number | undefined
}[]

type TableOptions = {
  /** True if the user named the columns, so that all are shown. */
  chosen?: boolean
}

/**
 * Renders the rows without a final line break. An empty list renders nothing on a terminal, and the header line for a
 * pipe. On a terminal, empty columns are omitted unless the user named them, and rejected rows come first.
 */
export async function renderTextTable(
  given: readonly unknown[],
  columns: readonly Column[],
  renderOptions: RenderOptions,
  { chosen = false }: TableOptions = {},
): Promise<string> {
  const rows = renderOptions.tty ? rejectsFirst(given) : given
  const all = columns.map((column) => gridColumn(rows, column, renderOptions))
  if (!renderOptions.tty)
    return lines(rows.length, (at) =>
      all.map(({ field, texts }) => texts[at] ?? sanitizeForTerminal(field)).join('\t'),
    )
  if (rows.length === 0) return ''
  const grid = chosen ? all : filled(all)
  const style = makePaint(renderOptions.colour)
  const fitting = fitColumns(grid, renderOptions, chosen)
  if (fitting === undefined) return cards(grid, rows.length, renderOptions, style)
  const { shown, widths } = fitting
  if (renderOptions.accessible === true) return aligned(shown, widths, rows.length)
  const text = await framed(shown, widths, rows.length, style)
  const hidden = grid.filter((column) => !shown.includes(column))
  return hidden.length === 0 ? text : `${text}\n${style.dim(describeHiddenColumns(hidden, renderOptions))}`
}

/** Returns the columns that have a value; all of them if none has. */
function filled(grid: Grid): Grid {
  const some = grid.filter(({ texts }) => texts.some((text) => text !== ''))
  return some.length === 0 ? grid : some
}

/**
 * Returns the shown columns with their widths. Leaves columns out before it cuts names, and cuts names when no more
 * columns may be omitted. Undefined when nothing fits.
 */
function fitColumns(
  grid: Grid,
  renderOptions: RenderOptions,
  chosen: boolean,
): { shown: Grid; widths: number[] } | undefined {
  const leaving = leavingOrder(grid)
  const most = grid.length - fewestColumns(grid, renderOptions, chosen)
  const without = (count: number): Grid => {
    const gone = new Set(leaving.slice(0, count))
    return grid.filter((column) => !gone.has(column))
  }
  for (let count = 0; count <= most; count++) {
    const shown = without(count)
    const widths = fitted(shown, renderOptions, readableWidth)
    if (widths !== undefined) return { shown, widths }
  }
  const shown = without(most)
  const widths = fitted(shown, renderOptions, () => MIN_CUT_COLUMNS)
  return widths && { shown, widths }
}

/** Returns the columns in the order in which they are omitted. */
function leavingOrder(grid: Grid): Grid {
  const last = Infinity
  return grid.toReversed().toSorted((a, b) => {
    const [one, other] = [a.dropOrder ?? last, b.dropOrder ?? last]
    return one === other ? 0 : one - other
  })
}

function readableWidth({ field }: Grid[number]): number {
  return /(?:^|[._])name$/.test(field) ? NAME_WIDTH : TEXT_WIDTH
}

/** Returns the columns of rows without a description: every field, in the order of its first appearance. */
export function inferColumns(rows: readonly unknown[]): Column[] {
  return [...new Set(rows.flatMap((row) => (isRow(row) ? Object.keys(row) : [])))].map((field) => ({ field }))
}

function gridColumn(
  rows: readonly unknown[],
  { field, label, dropOrder }: Column,
  renderOptions: RenderOptions,
): Grid[number] {
  const values = rows.map((row) => pickField(row, field))
  const held = values.filter((value) => value !== null && value !== undefined)
  const heading = label ?? formatFieldLabel(field)
  const times = held.map((value) => instantOf(value, renderOptions))
  const zone = times[0]?.zone
  // times of one zone say it once, above them
  const sameZone = renderOptions.tty && zone !== undefined && times.every((time) => time?.zone === zone)
  return {
    field,
    heading: sameZone ? `${heading} (${zone})` : heading,
    texts: values.map((value) =>
      sameZone ? (instantOf(value, renderOptions)?.time ?? '') : cellText(value, field, renderOptions),
    ),
    figures: held.length > 0 && held.every((value) => isFigure(value)),
    cuttable: held.some((value) => isCuttable(value)),
    dropOrder,
  }
}

function isRow(row: unknown): row is Record<string, unknown> {
  return typeof row === 'object' && row !== null
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count + 1 }, (_, at) => line(at - 1)).join('\n')
}

/** Returns the fewest columns of a table. With fewer, or when all are required, each row becomes a card. */
function fewestColumns(grid: Grid, { accessible }: RenderOptions, chosen: boolean): number {
  return chosen || accessible === true ? grid.length : Math.min(3, grid.length)
}

/**
 * Returns the width of each column so that all fit. The widest cuttable columns shrink first, each down to its least
 * width. Undefined when they still do not fit.
 */
function fitted(
  grid: Grid,
  { width: room, accessible = false }: RenderOptions,
  leastOf: (column: Grid[number]) => number,
): number[] | undefined {
  const least = accessible ? NOTHING.length : 1
  const widths = grid.map(({ heading, texts }) =>
    texts.reduce(
      (most, text) => Math.max(most, measureTextWidth(text)),
      Math.max(least, measureTextWidth(heading)),
    ),
  )
  let excess = widths.reduce((sum, columns) => sum + columns, GAP.length * (widths.length - 1)) - room
  if (excess > 0 && accessible) return undefined
  const floors = grid.map((column) => (column.cuttable ? leastOf(column) : Infinity))
  while (excess > 0) {
    const open = widths.flatMap((columns, at) => (columns > (floors[at] ?? Infinity) ? [at] : []))
    const [widest] = open.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) return undefined
    const columns = widths[widest] ?? 0
    // down to the second widest at most, so that long columns shrink together
    const next = Math.max(
      floors[widest] ?? 0,
      ...open.flatMap((at) => ((widths[at] ?? 0) < columns ? [widths[at] ?? 0] : [])),
    )
    const step = Math.min(excess, Math.max(1, Math.ceil((columns - next) / 2)))
    widths[widest] = columns - step
    excess -= step
  }
  return widths
}

async function framed(grid: Grid, widths: readonly number[], count: number, style: Paint): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const inside: string[] = []
  // cli-table3 draws the frame around stand-ins: its own measure of wide and combining characters is years old
  const standIn = (text: string, at: number, decorate: (text: string) => string): string => {
    const shown = truncateToWidth(text, widths[at] ?? 0)
    const columns = measureTextWidth(shown)
    if (columns > 0) inside.push(decorate(shown))
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
  for (let start = 0; start < count; start += MAX_ROWS_PER_TABLE) {
    const frame = new Table({ ...options, head: start === 0 ? head : [] })
    for (let row = start; row < Math.min(start + MAX_ROWS_PER_TABLE, count); row++) {
      frame.push(
        grid.map(({ field, texts }, at) => {
          const text = texts[row] ?? ''
          return text === ''
            ? standIn('–', at, style.dim)
            : standIn(text, at, statusStyle(field, text, style))
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

/** The number of rows per table: cli-table3 reads all of them for each one. */
const MAX_ROWS_PER_TABLE = 200

/** A frame with only a line below the headings. */
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

function describeHiddenColumns(grid: Grid, { width: room }: RenderOptions): string {
  const names = grid.map(({ field }) => sanitizeForTerminal(field)).join(', ')
  return wrapText(`Hidden columns: ${names}. Widen the terminal or use --fields.`, room).join('\n')
}

/** Renders each row as its own sheet, because the table is too wide for the terminal. */
function cards(grid: Grid, count: number, renderOptions: RenderOptions, style: Paint): string {
  const nothing = renderOptions.accessible === true ? NOTHING : '–'
  const card = (row: number): string =>
    sheet(
      grid.map(({ field, heading, texts }) => {
        const text = texts[row] ?? ''
        return {
          label: heading,
          text: text === '' ? nothing : text,
          decorate: statusStyle(field, text, style),
        }
      }),
      renderOptions,
    )
  return Array.from({ length: count }, (_, row) => card(row)).join('\n\n')
}

function aligned(grid: Grid, widths: readonly number[], count: number): string {
  const cell = (text: string, at: number): string =>
    text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - measureTextWidth(text)))
  return lines(count, (row) =>
    grid
      .map(({ heading, texts }, at) => cell(row < 0 ? heading : texts[row] || NOTHING, at))
      .join(GAP)
      .trimEnd(),
  )
}
