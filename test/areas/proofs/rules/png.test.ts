import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { textPng } from '../../../../src/areas/proofs/rules/png.ts'
import { sha256Hex } from '../../../../src/core/hash.ts'

type Chunk = { type: string; data: Buffer }

function chunksOf(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png)
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks: Chunk[] = []
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const content = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(content))
    chunks.push({ type: content.toString('latin1', 0, 4), data: content.subarray(4) })
    at += 12 + length
  }
  return chunks
}

/** The picture as lines of `#` and spaces. */
function drawn(png: Uint8Array): string[] {
  const [header, image] = chunksOf(png)
  if (header === undefined || image === undefined) throw new Error('no picture')
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  const pixels = inflateSync(image.data)
  const stride = 1 + Math.ceil(width / 8)
  expect(pixels).toHaveLength(stride * height)
  return Array.from({ length: height }, (_, y) => {
    const row = pixels.subarray(y * stride + 1, (y + 1) * stride)
    const dots = Array.from({ length: width }, (__, x) =>
      ((row[x >> 3] ?? 0) >> (7 - (x & 7))) & 1 ? ' ' : '#',
    )
    return dots.join('').trimEnd()
  })
}

describe('a picture of text', () => {
  test('is a complete PNG of one bit grey', () => {
    const chunks = chunksOf(textPng(['DELIVERED', 'ZC968043370GB']))
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND'])
    expect([...(chunks[0]?.data ?? [])]).toEqual([0, 0, 0, 80, 0, 0, 0, 20, 1, 0, 0, 0, 0])
  })

  test('shows the letters', () => {
    expect(drawn(textPng(['Az']))).toEqual([
      '',
      '',
      '  ###  #####',
      ' #   #     #',
      ' #   #    #',
      ' #####   #',
      ' #   #  #',
      ' #   # #',
      ' #   # #####',
      '',
      '',
    ])
  })

  test('has a different picture for every character it knows', () => {
    const known = ' !#%&()*+,-./0123456789:=?ABCDEFGHIJKLMNOPQRSTUVWXYZ_'
    expect(new Set(Array.from(known, (character) => drawn(textPng([character])).join('\n'))).size).toBe(
      known.length,
    )
    expect(drawn(textPng(['é']))).toEqual(drawn(textPng(['?'])))
  })

  test('is the same bytes on every machine', () => {
    const png = textPng(['DELIVERED', 'ZC968043370GB', '2026-11-20T09:00:00Z'])
    expect(png).toEqual(textPng(['DELIVERED', 'ZC968043370GB', '2026-11-20T09:00:00Z']))
    expect(sha256Hex(png)).toBe('ebe961cbd2217d81440bf87757c03bbb4e2d1b926e84d272382b6c592ef79bf2')
  })

  test('cuts long text and accepts empty text', () => {
    expect(textPng(['x'.repeat(10_000)])).toEqual(textPng(['x'.repeat(80)]))
    expect(textPng(Array.from({ length: 1000 }, () => 'x'.repeat(80))).length).toBeLessThan(65_535)
    expect(drawn(textPng([])).join('')).toBe('')
  })
})
