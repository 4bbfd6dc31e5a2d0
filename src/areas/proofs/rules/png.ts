/** Draws text as a small picture for the sandbox's proofs: the same lines give the same bytes on every machine. */

const GLYPH_WIDTH = 6
const GLYPH_HEIGHT = 9
const MAX_COLUMNS = 80
const MAX_LINES = 40

/** Seven rows of five dots each; each row is one base-32 digit. */
const FONT: Record<string, string> = {
  ' ': '0000000',
  '!': '4444404',
  '#': 'aavavaa',
  '%': 'op248j3',
  '&': 'cic8lid',
  '(': '2488842',
  ')': '8422248',
  '*': '04lel40',
  '+': '044v440',
  ',': '0000cc8',
  '-': '000v000',
  '.': '00000cc',
  '/': '01248g0',
  '0': 'ehjlphe',
  '1': '4c4444e',
  '2': 'eh1248v',
  '3': 'v2421he',
  '4': '26aiv22',
  '5': 'vgu11he',
  '6': '68guhhe',
  '7': 'v124888',
  '8': 'ehhehhe',
  '9': 'ehhf12c',
  ':': '0cc0cc0',
  '=': '00v0v00',
  '?': 'eh12404',
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'sihhhis',
  E: 'vgguggv',
  F: 'vggiggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hhha444',
  Z: 'v1248gv',
  _: '000000v',
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/**
 * Returns a black on white PNG of the lines, in capitals. Missing characters become a question mark; long text is cut.
 */
export function textPng(lines: string[]): Uint8Array {
  const rows = lines.slice(0, MAX_LINES).map((line) => Array.from(line.toUpperCase()).slice(0, MAX_COLUMNS))
  const columns = Math.max(1, ...rows.map((row) => row.length))
  const width = columns * GLYPH_WIDTH + 2
  const height = Math.max(1, rows.length) * GLYPH_HEIGHT + 2
  return join([
    SIGNATURE,
    // 1 bit per pixel, grey scale, no interlacing
    ...chunk('IHDR', [...word(width), ...word(height), 1, 0, 0, 0, 0]),
    ...chunk('IDAT', zlibStored(paint(rows, width, height))),
    ...chunk('IEND', []),
  ])
}

function join(parts: readonly ArrayLike<number>[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Returns scan lines of white dots with black letters, each after its filter byte. */
function paint(rows: string[][], width: number, height: number): Uint8Array {
  const stride = 1 + Math.ceil(width / 8)
  const pixels = new Uint8Array(stride * height).fill(0xff)
  for (let y = 0; y < height; y++) pixels[y * stride] = 0
  for (const [line, row] of rows.entries()) {
    for (const [column, character] of row.entries()) {
      const x = column * GLYPH_WIDTH + 1
      const glyph = glyphOf(character)
      for (let dy = 0; dy < glyph.length; dy++) {
        const at = (line * GLYPH_HEIGHT + dy + 2) * stride + 1 + (x >> 3)
        // The five dots, in the two bytes over which they may be spread.
        const spread = (glyph[dy] ?? 0) << (11 - (x & 7))
        pixels[at] = (pixels[at] ?? 0) & ~(spread >> 8)
        if ((spread & 0xff) !== 0) pixels[at + 1] = (pixels[at + 1] ?? 0) & ~spread
      }
    }
  }
  return pixels
}

const glyphs = new Map<string, number[]>()

/** Returns the rows of a character, each a number of five bits. */
function glyphOf(character: string): number[] {
  const known = glyphs.get(character)
  if (known !== undefined) return known
  const glyph = FONT[character] ?? FONT['?'] ?? ''
  const rows = Array.from(glyph, (digit) => Number.parseInt(digit, 32))
  if (character in FONT) glyphs.set(character, rows)
  return rows
}

/** Returns a zlib stream of one uncompressed block of at most 65535 bytes: compressors differ between versions. */
function zlibStored(data: Uint8Array): Uint8Array {
  const length = [data.length & 0xff, data.length >> 8]
  return join([[0x78, 0x01, 1, ...length, ...length.map((byte) => byte ^ 0xff)], data, word(adler32(data))])
}

function chunk(type: string, data: ArrayLike<number>): ArrayLike<number>[] {
  const content = join([new TextEncoder().encode(type), data])
  return [word(data.length), content, word(crc32(content))]
}

function word(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}

/** The most bytes of 255 whose sums stay below 2 to the power of 32. */
const SUMMED = 5552

function adler32(data: Uint8Array): number {
  let [a, b] = [1, 0]
  for (let start = 0; start < data.length; start += SUMMED) {
    for (const byte of data.subarray(start, start + SUMMED)) {
      a += byte
      b += a
    }
    a %= 65_521
    b %= 65_521
  }
  return ((b << 16) | a) >>> 0
}

/** The checksum of each byte; made with the first picture. */
let table: Int32Array | undefined

function crc32(data: Uint8Array): number {
  table ??= Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
    return crc
  })
  let crc = ~0
  for (const byte of data) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}
