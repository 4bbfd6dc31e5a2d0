/** Draws a line of a ticket in letters that the printer does not have. */
import { createCanvas } from '@napi-rs/canvas'
import { POINTS_PER_MM, type TextItem } from '../core/drawing.ts'
import { AppError } from '../core/errors.ts'
import { assertFontsInstalled } from './assert-fonts.ts'
import { familiesOf } from './fonts.ts'
import { CELL_DOTS, type ReceiptLine } from './receipt-format.ts'
import { makeTypesetter } from './typesetter.ts'

export type ReceiptPicture = {
  picture: { width: number; height: number; data: Uint8ClampedArray }
  problem: AppError | undefined
}

/** The encoder pads a picture to whole bytes, which costs a copy: sizes are multiples of it. */
const BYTE = 8
/** A picture as high as this is longer than any note. */
const MAX_HEIGHT_DOTS = 4000
/** The size of letters, as a part of the height of a printed line. */
const LETTERS = 0.8

/** Returns the picture, as wide as the paper. Characters that no font here has are question marks. */
export function drawReceiptLine(line: ReceiptLine, columns: number): ReceiptPicture {
  const { size = 1, lead = '', indent = 0, isInverted, isCentred } = line
  const width = columns * CELL_DOTS.width
  const cell = { width: CELL_DOTS.width * size, height: CELL_DOTS.height * size }
  const start = (indent + (lead === '' ? 0 : lead.length + 1)) * cell.width
  const problem = findFontProblem(line.text)
  const typesetter = makeTypesetter()
  const place = (text: string, x: number): TextItem => ({
    kind: 'text',
    lines: [text],
    x,
    y: 0,
    width: width - x,
    height: MAX_HEIGHT_DOTS,
    // The typesetter counts in millimetres, and here a millimetre is a dot.
    size: cell.height * LETTERS * POINTS_PER_MM,
    least: cell.height * LETTERS * POINTS_PER_MM,
    bold: line.bold === true,
    ...(isCentred === true && { align: 'centre' as const }),
  })
  const items = [
    place(withoutMissing(line.text), start),
    ...(lead === '' ? [] : [place(lead, indent * cell.width)]),
  ].map((item) => ({ item, fitted: typesetter.fit(item) }))
  const bottom = Math.max(
    ...items.flatMap(({ fitted }) => fitted.lines.map((each) => each.baseline - each.ascent + each.height)),
  )
  const height = Math.ceil((bottom + 2) / BYTE) * BYTE
  const context = createCanvas(width, height).getContext('2d')
  context.fillStyle = isInverted === true ? '#000' : '#fff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = isInverted === true ? '#fff' : '#000'
  for (const { fitted } of items)
    for (const each of fitted.lines) typesetter.drawLine(context, each, { ...each, size: fitted.size })
  return { picture: { width, height, data: context.getImageData(0, 0, width, height).data }, problem }
}

/** Returns the error that names the package of fonts to install; undefined if all letters can be drawn. */
function findFontProblem(text: string): AppError | undefined {
  try {
    assertFontsInstalled({
      sheets: [
        {
          width: 1,
          height: 1,
          items: [{ kind: 'text', lines: [text], x: 0, y: 0, width: 1, height: 1, size: 1, least: 1 }],
        },
      ],
    })
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function withoutMissing(text: string): string {
  const { missing } = familiesOf(text)
  return missing.reduce((rest, character) => rest.replaceAll(character, '?'), text)
}
