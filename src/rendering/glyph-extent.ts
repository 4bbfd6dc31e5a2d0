/** Measures how far the letters of a line reach above and below the line that they stand on. */
import { createCanvas, type PDFDocument } from '@napi-rs/canvas'

/** The parts that pictures and pages have in common. */
export type CanvasContext = ReturnType<PDFDocument['beginPage']>

/** The reach of letters, as parts of the size of their text. */
export type GlyphExtent = { above: number; below: number }

/** The size in which lines are rendered to be measured: the result is exact to a fiftieth of it. */
const SIZE = 48
const BASELINE = 84
const HIGH = 144
/**
 * The canvas is narrow, and letters are pressed to it, since only their height matters. Pixels that were read stay in
 * memory for long: 500 labels took 419 MB with a canvas as wide as their lines, and take 14 MB with this one.
 */
const WIDE = 8
const PRESSED = 64
/** A pixel with less black than this, of 255, has no ink. */
const FAINT = 4

/**
 * Returns what measures the ink of a line in a font of `fontSize`, which `setFont` sets. The library returns metrics of
 * text, too, but only those of a part of the line where letters come from several fonts.
 */
export function makeExtentMeter(
  fontSize: number,
): (text: string, setFont: (context: CanvasContext) => void) => GlyphExtent {
  const context = createCanvas(WIDE, HIGH).getContext('2d')
  const scale = SIZE / fontSize
  const step = (WIDE * PRESSED) / scale
  context.translate(0, BASELINE)
  context.scale(scale / PRESSED, scale)
  return (text, setFont) => {
    context.clearRect(0, -BASELINE / scale, step, HIGH / scale)
    setFont(context)
    const { width } = context.measureText(text)
    // All parts of a long line are rendered over each other.
    for (let from = 0; from <= width; from += step) context.fillText(text, -from, 0)
    return measureExtent(context.getImageData(0, 0, WIDE, HIGH).data)
  }
}

function measureExtent(pixels: Uint8ClampedArray): GlyphExtent {
  const isBlack = (_: unknown, row: number): boolean =>
    pixels.subarray(row * WIDE * 4, (row + 1) * WIDE * 4).some((value, at) => at % 4 === 3 && value > FAINT)
  const rows = Array.from({ length: HIGH }, isBlack)
  const first = rows.indexOf(true)
  if (first === -1) return { above: 0, below: 0 }
  return { above: (BASELINE - first) / SIZE, below: (rows.lastIndexOf(true) + 1 - BASELINE) / SIZE }
}
