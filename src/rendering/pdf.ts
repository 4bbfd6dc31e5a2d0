/** Sheets as pages of a PDF. */
import { PDFDocument } from '@napi-rs/canvas'
import type { Drawing } from '../core/drawing.ts'
import { drawSheet, PDF_SCALE } from './canvas.ts'
import { PROGRAM } from './marks.ts'
import type { Typesetter } from './typesetter.ts'

/** Renders the sheets; `onSheet` is called after each. */
export async function toPdf(
  { title, sheets }: Drawing,
  typesetter: Typesetter,
  onSheet: () => Promise<void> | void,
): Promise<Uint8Array> {
  const document = new PDFDocument({ title, creator: PROGRAM })
  for (const sheet of sheets) {
    const context = document.beginPage(sheet.width * PDF_SCALE, sheet.height * PDF_SCALE)
    context.scale(PDF_SCALE, PDF_SCALE)
    drawSheet(context, sheet, typesetter, 0)
    document.endPage()
    await onSheet()
  }
  return document.close()
}
