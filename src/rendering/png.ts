/** A sheet as a picture, with the size in which it is printed. */
import { crc32 } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import type { DrawingSheet } from '../core/drawing.ts'
import { drawSheet, pixelsPerMm } from './canvas.ts'
import { FILE_SIGNATURES } from './marks.ts'
import type { Typesetter } from './typesetter.ts'

/** Renders a sheet at a resolution. */
export async function toPng(sheet: DrawingSheet, dpi: number, typesetter: Typesetter): Promise<Uint8Array> {
  const scale = pixelsPerMm(dpi)
  const canvas = createCanvas(Math.round(sheet.width * scale), Math.round(sheet.height * scale))
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  drawSheet(context, sheet, typesetter, 1 / scale)
  return addChunks(await canvas.encode('png'), dpi)
}

/** The signature and the header, after which other chunks may stand. */
const HEAD = 33

/** Adds the resolution, without which a printer guesses, and the name of the program, by which it knows its files. */
function addChunks(png: Buffer, dpi: number): Uint8Array {
  const perMetre = Math.round(dpi / 0.0254)
  const size = Buffer.alloc(9)
  size.writeUInt32BE(perMetre, 0)
  size.writeUInt32BE(perMetre, 4)
  size[8] = 1
  return Buffer.concat([
    png.subarray(0, HEAD),
    toChunk('pHYs', size),
    toChunk('tEXt', Buffer.from(FILE_SIGNATURES.png)),
    png.subarray(HEAD),
  ])
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
