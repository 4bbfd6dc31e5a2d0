/** Renders a sheet on a canvas: that of a picture, or that of a page of a PDF. */
import {
  type DrawingBox,
  type DrawingItem,
  POINTS_PER_MM,
  type DrawingSheet,
  type TextItem,
} from '../core/drawing.ts'
import { type Symbol, symbolOf } from './codes.ts'
import type { FittedText } from './fit.ts'
import type { CanvasContext } from './glyph-extent.ts'
import type { Typesetter } from './typesetter.ts'

/**
 * Modules of a bar code that stay white on each side of it: ten for Code 128, two for Data Matrix.
 */
const QUIET = { code128: 10, datamatrix: 2 } as const

/** Renders a sheet. `unit` is the width of a pixel, to which the edges of bars keep; 0 where there are no pixels. */
export function drawSheet(
  context: CanvasContext,
  { items }: DrawingSheet,
  typesetter: Typesetter,
  unit: number,
): void {
  for (const item of items) {
    context.fillStyle = '#000'
    drawItem(context, item, typesetter, unit)
  }
}

function drawItem(context: CanvasContext, item: DrawingItem, typesetter: Typesetter, unit: number): void {
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
function snapped({ x, y, width, height }: DrawingBox, unit: number): [number, number, number, number] {
  if (unit === 0) return [x, y, width, height]
  const snap = (value: number): number => Math.round(value / unit) * unit
  return [snap(x), snap(y), Math.max(unit, snap(width)), Math.max(unit, snap(height))]
}

/** Letters reach beyond the start and the end of their line by this part of their size, such as the tail of a J. */
export const OVERHANG = 0.12

function drawText(
  context: CanvasContext,
  item: TextItem,
  { lines, size }: FittedText,
  { drawLine }: Pick<Typesetter, 'drawLine'>,
): void {
  context.save()
  const beside = OVERHANG * size
  context.beginPath()
  context.rect(item.x - beside, item.y, item.width + 2 * beside, item.height)
  context.clip()
  if (item.white === true) context.fillStyle = '#fff'
  for (const line of lines) drawLine(context, line, { ...line, size })
  context.restore()
}

/** The place of a symbol in its box: the width of a module, its height if it is a bar, and its corner. */
export type SymbolPlacement = { x: number; y: number; module: number; rise: number }

/** Makes a symbol as large as its box allows, of modules of whole pixels, and puts it into the middle. */
export function placeSymbol(
  item: DrawingBox & { kind: 'code128' | 'datamatrix'; value: string },
  unit: number,
): SymbolPlacement {
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

function drawSymbol(
  context: CanvasContext,
  { paths }: Symbol,
  { x, y, module, rise }: SymbolPlacement,
): void {
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
