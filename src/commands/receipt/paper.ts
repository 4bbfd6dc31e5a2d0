/** A report of two columns on sheets of A4. Pure. */
import type { Drawing, DrawingItem, DrawingSheet, TextItem } from '../../core/drawing.ts'
import type { Report } from '../report/report.ts'

const PAGE = { width: 210, height: 297 } as const
const LEFT = 18
const WIDTH = PAGE.width - 2 * LEFT
/** The column of amounts on the right. */
const AMOUNT = 40
const TOP = 18
const BOTTOM = 279
const ROW = 6.5

type Block = { height: number; items: (y: number) => readonly DrawingItem[] }

/** Returns the drawing: each block is below the one before, on the next sheet where it has no room. */
export function reportDrawing({ title, period, headline, sections, notes, zone }: Report): Drawing {
  const blocks = [
    row(`${title}, ${period}`, '', { size: 11 }),
    row(headline, '', { size: 18, height: 16, bold: true }),
    ...sections.flatMap((section): Block[] => {
      if (section.kind === 'timeline') return []
      const [label = '', amount = ''] = section.headings
      return [
        gap(4),
        row(label, amount, { size: 9 }),
        rule,
        ...section.rows.map((each) => row(each.label, each.cells[0] ?? '')),
        ...(section.total === undefined
          ? []
          : [rule, row(section.total.label, section.total.cells[0] ?? '', { bold: true })]),
      ]
    }),
    gap(6),
    ...[...notes, `Times are of ${zone}. Made by dray.`].map((note) => row(note, '', { size: 9 })),
  ]
  return { title: `${title}: ${headline}`, sheets: paginate(blocks) }
}

function paginate(blocks: readonly Block[]): DrawingSheet[] {
  const sheets: DrawingItem[][] = [[]]
  let y = TOP
  for (const { height, items } of blocks) {
    if (y + height > BOTTOM) {
      sheets.push([])
      y = TOP
    }
    sheets.at(-1)?.push(...items(y))
    y += height
  }
  return sheets.map((items) => ({ ...PAGE, items }))
}

type Style = { size?: number; height?: number; bold?: boolean }

/** A long label shrinks and wraps in its row; the amount keeps its size. */
function row(label: string, amount: string, { size = 11, height = ROW, bold = false }: Style = {}): Block {
  const style = { kind: 'text', height, size, least: 5, bold, stands: 'middle' } as const
  const room = amount === '' ? WIDTH : WIDTH - AMOUNT
  return {
    height,
    items: (y): TextItem[] => [
      { ...style, lines: [label], x: LEFT, y, width: room, align: 'left' },
      ...(amount === ''
        ? []
        : [{ ...style, lines: [amount], x: LEFT + room, y, width: AMOUNT, align: 'right' } as const]),
    ],
  }
}

const rule: Block = {
  height: 1,
  items: (y) => [{ kind: 'fill', x: LEFT, y: y + 0.4, width: WIDTH, height: 0.2 }],
}

function gap(height: number): Block {
  return { height, items: () => [] }
}
