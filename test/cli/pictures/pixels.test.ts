import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { textPng } from '../../../src/areas/proofs/rules/png.ts'
import { readPng } from '../../../src/cli/pictures/pixels.ts'

type Header = {
  width: number
  height: number
  depth?: number
  type?: number
  interlaced?: number
  palette?: readonly number[]
}

/** A PNG of the header's kind from its filtered rows; checksums are nobody's concern here. */
function makePng(
  { width, height, depth = 8, type = 2, interlaced = 0, palette = [] }: Header,
  rows: readonly number[],
): Uint8Array {
  const word = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
  const chunk = (name: string, data: readonly number[]) => [
    ...word(data.length),
    ...new TextEncoder().encode(name),
    ...data,
    0,
    0,
    0,
    0,
  ]
  return Uint8Array.from([
    0x89,
    ...new TextEncoder().encode('PNG\r\n'),
    0x1a,
    0x0a,
    ...chunk('IHDR', [...word(width), ...word(height), depth, type, 0, 0, interlaced]),
    ...(palette.length > 0 ? chunk('PLTE', palette) : []),
    ...chunk('IDAT', [...deflateSync(Uint8Array.from(rows))]),
    ...chunk('IEND', []),
  ])
}

const dots = (bytes: Uint8Array) => [...(readPng(bytes)?.rgb ?? [])]

test('reads the pictures of the sandbox: black letters on white', () => {
  const found = readPng(textPng(['I']))
  expect(found).toMatchObject({ width: 8, height: 11 })
  const black = Array.from({ length: 8 * 11 }, (_, at) => at).filter((at) => found?.rgb[at * 3] === 0)
  // An I of seven rows: three dots, five single ones, three dots.
  expect(black).toHaveLength(11)
})

describe('reads', () => {
  test('every filter of a row', () => {
    const rows = [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 10, 20, 30, 1, 1, 1],
      [2, 1, 1, 1, 1, 1, 1],
      [3, 10, 10, 10, 10, 10, 10],
      [4, 1, 1, 1, 1, 1, 1],
    ].flat()
    expect(dots(makePng({ width: 2, height: 5 }, rows))).toEqual(
      [
        [10, 20, 30, 40, 50, 60],
        [10, 20, 30, 11, 21, 31],
        [11, 21, 31, 12, 22, 32],
        [15, 20, 25, 23, 31, 38],
        [16, 21, 26, 24, 32, 39],
      ].flat(),
    )
  })

  test('greys of few bits, palettes, and what shines through', () => {
    expect(dots(makePng({ width: 4, height: 1, depth: 2, type: 0 }, [0, 0b00_01_10_11]))).toEqual(
      [0, 85, 170, 255].flatMap((grey) => [grey, grey, grey]),
    )
    const palette = [255, 0, 0, 0, 0, 255]
    expect(dots(makePng({ width: 2, height: 1, depth: 1, type: 3, palette }, [0, 0b0100_0000]))).toEqual(
      palette,
    )
    expect(dots(makePng({ width: 1, height: 1, type: 6 }, [0, 0, 0, 0, 0]))).toEqual([255, 255, 255])
    expect(dots(makePng({ width: 1, height: 1, type: 4 }, [0, 0, 255]))).toEqual([0, 0, 0])
  })
})

test.each([
  ['interlaced', makePng({ width: 1, height: 1, interlaced: 1 }, [0, 1, 2, 3])],
  ['of 16 bits', makePng({ width: 1, height: 1, depth: 16 }, [0, 1, 2, 3, 4, 5, 6])],
  ['larger than any screen', makePng({ width: 100_000, height: 100_000 }, [0])],
  ['cut off', makePng({ width: 2, height: 2 }, [0, 1, 2, 3])],
  [
    'more than it says',
    makePng(
      { width: 1, height: 1 },
      Array.from({ length: 1000 }, () => 0),
    ),
  ],
  ['nothing', new Uint8Array()],
])('does not read what is %s', (_, bytes) => {
  expect(readPng(bytes)).toBeUndefined()
})
