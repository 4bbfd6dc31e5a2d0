/** Turns a drawing into a file. */
import type { Drawing } from '../core/drawing.ts'
import { assertFontsInstalled } from './assert-fonts.ts'
import { toPdf } from './pdf.ts'
import { toPng } from './png.ts'
import { makeTypesetter } from './typesetter.ts'
import { toZpl } from './zpl.ts'

export type DocumentFormat = 'pdf' | 'zpl' | 'png'

export type DocumentOptions = {
  format: DocumentFormat
  /** Dots per inch of a picture or a label printer. */
  dpi: number
  /** Called after each sheet. */
  onSheet?: ((done: number) => Promise<void> | void) | undefined
}

export type RenderedDocument = {
  bytes: Uint8Array
  /** The characters that no font here has. */
  missing: string[]
}

/** Renders all sheets; a PNG holds the first one only. Throws `font_not_installed` before it renders anything. */
export async function renderDocument(
  drawing: Drawing,
  { format, dpi, onSheet }: DocumentOptions,
): Promise<RenderedDocument> {
  assertFontsInstalled(drawing)
  const typesetter = makeTypesetter()
  let done = 0
  const tell = (): Promise<void> | void => onSheet?.(++done)
  const [first] = drawing.sheets
  if (first === undefined) throw new RangeError('there is no sheet to draw')
  const bytes =
    format === 'pdf'
      ? await toPdf(drawing, typesetter, tell)
      : format === 'zpl'
        ? await toZpl(drawing, dpi, typesetter, tell)
        : await toPng(first, dpi, typesetter)
  return { bytes, missing: [...typesetter.missing] }
}
