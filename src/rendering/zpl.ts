/**
 * Sheets in ZPL, the language of label printers. Text that the fonts of every such printer have is sent as text, any
 * other as a picture.
 */
import { createCanvas } from '@napi-rs/canvas'
import type { DrawingBox, Drawing, DrawingItem, DrawingSheet, TextItem } from '../core/drawing.ts'
import { OVERHANG, pixelsPerMm, placeSymbol } from './canvas.ts'
import type { TextLine } from './fit.ts'
import { FILE_SIGNATURES } from './marks.ts'
import type { Typesetter } from './typesetter.ts'

/** Western Europe, which font 0 has in every firmware. Several `…` are wider there, and leave their box. */
const PRINTABLE = /^[\x20-\x7e\xa0-\xff€‘’“”–·×]*…?$/u

/** Returns the labels, one after the other; `onSheet` is called after each. */
export async function toZpl(
  { sheets }: Drawing,
  dpi: number,
  typesetter: Typesetter,
  onSheet: () => Promise<void> | void,
): Promise<Uint8Array> {
  const labels: string[] = []
  for (const sheet of sheets) {
    labels.push(toLabel(sheet, dpi, typesetter))
    await onSheet()
  }
  return Buffer.from(labels.join(''))
}

function toLabel({ width, height, items }: DrawingSheet, dpi: number, typesetter: Typesetter): string {
  const printer = { dots: pixelsPerMm(dpi), typesetter }
  const size = [`^PW${Math.round(width * printer.dots)}`, `^LL${Math.round(height * printer.dots)}`]
  const fields = items.flatMap((item) => toFields(item, printer))
  // UTF-8, and no shift of the origin that an earlier label may have left behind.
  return ['^XA', FILE_SIGNATURES.zpl, '^CI28', '^LH0,0', ...size, ...fields, '^XZ', ''].join('\n')
}

type Printer = { dots: number; typesetter: Typesetter }

function toFields(item: DrawingItem, printer: Printer): string[] {
  const { dots } = printer
  switch (item.kind) {
    case 'fill':
      return [box(item, dots, Math.min(item.width, item.height))]
    case 'frame':
      return [box(item, dots, item.line)]
    case 'text': {
      const { lines, size } = printer.typesetter.fit(item)
      return lines.map((line) =>
        PRINTABLE.test(line.text)
          ? toTextField(item, line, size, dots)
          : toPicture(item, line, size, printer),
      )
    }
    case 'code128': {
      const { x, y, module, rise } = placeSymbol(item, 1 / dots)
      const code = `^BY${round(module, dots)}^BCN,${round(rise, dots)},N,N,N,A`
      return [`${at(x, y, dots)}${code}^FD${escape(item.value)}^FS`]
    }
    case 'datamatrix': {
      const { x, y, module } = placeSymbol(item, 1 / dots)
      // A printer that finds no encoding as short as ours makes the symbol two modules wider.
      return [
        `${at(x - module, y - module, dots)}^BXN,${round(module, dots)},200^FH^FD${escape(item.value)}^FS`,
      ]
    }
  }
}

function round(mm: number, dots: number): number {
  return Math.round(mm * dots)
}

function at(x: number, y: number, dots: number): string {
  return `^FO${round(x, dots)},${round(y, dots)}`
}

/** A rectangle with lines of this thickness; as thick as it is high, it is filled. */
function box({ x, y, width, height }: DrawingBox, dots: number, line: number): string {
  const [wide, high, thick] = [width, height, line].map((length) => Math.max(1, round(length, dots)))
  return `${at(x, y, dots)}^GB${wide},${high},${thick}^FS`
}

/** A line that fills its box by more than this part is printed narrower: fonts of printers differ. */
const FULL = 0.85
const NARROW = 0.88

/** Font 0 is narrower than the font that the text was fitted with, so that no line becomes longer. */
function toTextField({ width, x, white }: TextItem, line: TextLine, size: number, dots: number): string {
  const high = round(size, dots)
  const invert = white === true ? '^FR' : ''
  const font = `^A0N,${high},${Math.round(high * (line.width > width * FULL ? NARROW : 1))}`
  const text = `^FH^FD${escape(line.text)}^FS`
  if (line.align === 'left')
    return `^FT${round(line.x, dots)},${round(line.baseline, dots)}${invert}${font}${text}`
  const top = line.baseline - size * TOP_OF_FONT_0
  const justified = `^FB${round(width, dots)},1,0,${line.align === 'right' ? 'R' : 'C'}`
  return `${at(x, top, dots)}${invert}${font}${justified}${text}`
}

/** The height of font 0 above the line that its letters stand on, for size 1. */
const TOP_OF_FONT_0 = 0.78

/** Anything that a printer would take for a command, and every byte beyond ASCII, as `_` and two digits. */
function escape(text: string): string {
  return text.replaceAll(/[\^~_\\]|[^\x20-\x7e]/gu, (found) =>
    [...Buffer.from(found)].map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** Renders a line in the dots of the printer, and packs those that are black. */
function toPicture(item: TextItem, line: TextLine, size: number, { dots, typesetter }: Printer): string {
  // Some letters are wider than their fonts say.
  const margin = Math.ceil(OVERHANG * size * dots)
  const [wide, high] = [Math.ceil(line.width * dots) + 2 * margin, Math.ceil(line.height * dots) + 1]
  const context = createCanvas(wide, high).getContext('2d')
  typesetter.drawLine(context, line, { x: margin, baseline: line.ascent * dots, size: size * dots })
  const rows = toRows(context.getImageData(0, 0, wide, high).data, wide, high)
  const perRow = Math.ceil(wide / 8)
  const invert = item.white === true ? '^FR' : ''
  const total = perRow * high
  const origin = at(line.x - margin / dots, line.baseline - line.ascent, dots)
  return `${origin}${invert}^GFA,${total},${total},${perRow},${pack(rows)}^FS`
}

/** Half black is black: thin strokes of small letters stay. */
const BLACK = 110

/** Returns each row of dots in hexadecimal digits. */
function toRows(pixels: Uint8ClampedArray, wide: number, high: number): string[] {
  return Array.from({ length: high }, (_, y) => {
    const row = Buffer.alloc(Math.ceil(wide / 8))
    for (let x = 0; x < wide; x++) {
      const alpha = pixels[(y * wide + x) * 4 + 3] ?? 0
      if (alpha >= BLACK) row[x >> 3] = (row[x >> 3] ?? 0) | (0x80 >> (x & 7))
    }
    return row.toString('hex').toUpperCase()
  })
}

/** Packs rows as printers unpack them: `:` repeats the row above, `,` fills with zeros, letters count digits. */
function pack(rows: readonly string[]): string {
  return rows
    .map((row, index) => {
      if (index > 0 && row === rows[index - 1]) return ':'
      const zeros = /0+$/.exec(row)?.[0] ?? ''
      const rest = zeros.length > 1 ? row.slice(0, -zeros.length) : row
      return packRow(rest) + (rest.length < row.length ? ',' : '')
    })
    .join('')
}

function packRow(row: string): string {
  return row.replaceAll(/(.)\1{2,}/g, (run: string, digit: string) => countOf(run.length) + digit)
}

/** `G` to `Y` stand for 1 to 19, `g` to `z` for 20 to 400; several add up. */
function countOf(length: number): string {
  if (length > 400) return `z${countOf(length - 400)}`
  const twenties = Math.floor(length / 20)
  const ones = length % 20
  return (
    (twenties === 0 ? '' : String.fromCharCode(102 + twenties)) +
    (ones === 0 ? '' : String.fromCharCode(70 + ones))
  )
}
