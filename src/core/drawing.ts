/**
 * A drawing for paper, as data: `rendering/` turns it into PDF, PNG and ZPL. Lengths are millimetres from the top left
 * corner of a sheet; sizes of text are points.
 */
export type Drawing = {
  /** The title that the file gives itself. */
  title: string
  sheets: Sheets
}

/** The sheets in their order. A large drawing makes each one when it is requested. */
export type Sheets = Iterable<DrawingSheet> & { readonly length: number }

export type DrawingSheet = { width: number; height: number; items: readonly DrawingItem[] }

export type DrawingBox = { x: number; y: number; width: number; height: number }

/** Text that never leaves its box: it shrinks, then wraps, and in the end loses its last words for `…`. */
export type TextItem = DrawingBox & {
  kind: 'text'
  /** Each begins a line of its own. */
  lines: readonly string[]
  /** The largest size, which short text has. */
  size: number
  /** The smallest size at which a person can read it here. */
  least: number
  bold?: boolean
  /** Black by default. */
  white?: boolean
  /** By default the side at which the script of its first letter begins. */
  align?: 'left' | 'centre' | 'right'
  /** The place of the text in a higher box: at its top by default. */
  stands?: 'top' | 'middle'
  /** The country of an address, which decides between the forms of a character in Chinese and Japanese. */
  country?: string
  /** The thing that the text is about, such as a tracking number. An error to draw names it. */
  subject?: string
}

export type DrawingItem =
  | TextItem
  /** A filled rectangle. */
  | (DrawingBox & { kind: 'fill' })
  /** The outline of a rectangle, drawn inside of it. */
  | (DrawingBox & { kind: 'frame'; line: number })
  /** A bar code, as large as it fits with its quiet zones. */
  | (DrawingBox & { kind: 'code128' | 'datamatrix'; value: string })

export const POINTS_PER_MM = 72 / 25.4
