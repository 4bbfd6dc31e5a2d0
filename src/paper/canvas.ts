/** Draws a sheet on a canvas: that of a picture, or that of a page of a PDF. */
import { createCanvas, type PDFDocument } from '@napi-rs/canvas'
import { type Box, type Item, POINTS_PER_MM, type Sheet, type Text } from '../core/drawing.ts'
import { type Symbol, symbolOf } from './codes.ts'
import { fitText, type Fitted, type Measure } from './fit.ts'
import { familiesOf } from './fonts.ts'
import { directionOf } from './text.ts'

/** The parts that pictures and pages have in common. */
type Context = ReturnType<PDFDocument['beginPage']>

/** Text is measured once, in this size; fonts of other sizes have the same proportions. */
const MEASURED = 100

/**
 * Modules of a bar code that stay white on each side of it: ten for Code 128, two for Data Matrix.
 */
const QUIET = { code128: 10, datamatrix: 2 } as const

/** The fonts of one file. `missing` collects the characters that none of them has. */
export type Typesetter = {
  fit(item: Text): Fitted
  /** Sets the font of the next text of a canvas. */
  setFont(context: Context, text: string, size: number, style: Pick<Text, 'bold' | 'country'>): void
  missing: Set<string>
}

export function makeTypesetter(): Typesetter {
  const ruler = createCanvas(1, 1).getContext('2d')
  const widths = new Map<string, number>()
  const missing = new Set<string>()
  const setFont: Typesetter['setFont'] = (context, text, size, { bold = false, country }) => {
    const families = familiesOf(text, country)
    for (const character of families.missing) missing.add(character)
    context.font = `${size}px ${families.css}`
    // Without it half of the fonts are as thin as they go, and bold letters are only smeared.
    context.fontVariationSettings = `"wght" ${bold ? 700 : 400}`
  }
  const measure: Measure = (text, style) => {
    const key = `${style.bold === true ? 'b' : 'r'}${style.country ?? ''} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      setFont(ruler, text, MEASURED, style)
      width = ruler.measureText(text).width / MEASURED
      widths.set(key, width)
    }
    return width
  }
  return { setFont, missing, fit: (item) => fitText(item, measure) }
}

/** Draws a sheet. `unit` is the width of a pixel, to which the edges of bars keep; 0 where there are no pixels. */
export function drawSheet(context: Context, { items }: Sheet, typesetter: Typesetter, unit: number): void {
  for (const item of items) {
    context.fillStyle = '#000'
    drawItem(context, item, typesetter, unit)
  }
}

function drawItem(context: Context, item: Item, typesetter: Typesetter, unit: number): void {
  const { x, y, width, height } = item
  switch (item.kind) {
    case 'fill':
      context.fillRect(...snapped(item, unit))
      break
    case 'frame':
      context.lineWidth = item.line
      context.strokeRect(x + item.line / 2, y + item.line / 2, width - item.line, height - item.line)
      break
    case 'text':
      drawText(context, item, typesetter.fit(item), typesetter)
      break
    case 'code128':
    case 'datamatrix':
      drawSymbol(context, symbolOf(item.kind, item.value), placeSymbol(item, unit))
  }
}

/** Returns the rectangle with its edges between two pixels, and at least one pixel thick. */
function snapped({ x, y, width, height }: Box, unit: number): [number, number, number, number] {
  if (unit === 0) return [x, y, width, height]
  const snap = (value: number): number => Math.round(value / unit) * unit
  return [snap(x), snap(y), Math.max(unit, snap(width)), Math.max(unit, snap(height))]
}

function drawText(
  context: Context,
  item: Text,
  { lines, size }: Fitted,
  { setFont }: Pick<Typesetter, 'setFont'>,
): void {
  context.save()
  // Some letters are wider or higher than their fonts say.
  context.beginPath()
  context.rect(item.x, item.y, item.width, item.height)
  context.clip()
  if (item.white === true) context.fillStyle = '#fff'
  context.textAlign = 'left'
  for (const line of lines) {
    setFont(context, line.text, size, item)
    context.direction = directionOf(line.text)
    context.fillText(line.text, line.x, line.baseline)
  }
  context.restore()
}

/** The place of a symbol in its box: the width of a module, its height if it is a bar, and its corner. */
export type Placed = { x: number; y: number; module: number; rise: number }

/** Makes a symbol as large as its box allows, of modules of whole pixels, and puts it into the middle. */
export function placeSymbol(
  item: Box & { kind: 'code128' | 'datamatrix'; value: string },
  unit: number,
): Placed {
  const { width, height } = symbolOf(item.kind, item.value)
  const quiet = 2 * QUIET[item.kind]
  const isBars = item.kind === 'code128'
  const largest = Math.min(
    item.width / (width + quiet),
    isBars ? Number.POSITIVE_INFINITY : item.height / (height + quiet),
  )
  const module = unit === 0 ? largest : Math.max(1, Math.floor(largest / unit + 1e-9)) * unit
  const rise = isBars ? item.height : module
  const snap = (value: number): number => (unit === 0 ? value : Math.round(value / unit) * unit)
  return {
    module,
    rise,
    x: snap(item.x + (item.width - width * module) / 2),
    y: snap(item.y + (item.height - height * rise) / 2),
  }
}

function drawSymbol(context: Context, { paths }: Symbol, { x, y, module, rise }: Placed): void {
  context.beginPath()
  for (const path of paths) {
    for (const [index, [px, py]] of path.entries()) {
      if (index === 0) context.moveTo(x + px * module, y + py * rise)
      else context.lineTo(x + px * module, y + py * rise)
    }
    context.closePath()
  }
  context.fill('evenodd')
}

/** Returns pixels in a millimetre. */
export function pixelsPerMm(dpi: number): number {
  return dpi / 25.4
}

export const PDF_SCALE = POINTS_PER_MM
