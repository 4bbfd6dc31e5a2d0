/** The dots of a PNG, as far as terminals need them: not interlaced, of a size that fits a screen. Pure. */

export type Pixels = {
  width: number
  height: number
  /** Red, green, blue, one byte each. */ rgb: Uint8Array
}

const MOST_DOTS = 4_000_000
/** By colour type: grey, red-green-blue, palette, grey and alpha, red-green-blue and alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

type Header = { width: number; height: number; depth: number; type: number; channels: number }

/** Undefined for what cannot be read. What shines through shines through to white. */
export function readPng(bytes: Uint8Array): Pixels | undefined {
  try {
    const chunks = listChunks(bytes)
    const header = readHeader(chunks.find(({ name }) => name === 'IHDR')?.data)
    if (header === undefined) return undefined
    const palette = chunks.find(({ name }) => name === 'PLTE')?.data ?? new Uint8Array()
    const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
    const stride = Math.ceil((header.width * header.channels * header.depth) / 8)
    const maxOutputLength = (stride + 1) * header.height
    const raw = process.getBuiltinModule('node:zlib').inflateSync(packed, { maxOutputLength })
    return raw.length === maxOutputLength
      ? toPixels(header, unfilter(raw, header, stride), palette, stride)
      : undefined
  } catch {
    // Whatever is wrong with it: it is no picture that could be shown.
    return undefined
  }
}

function listChunks(bytes: Uint8Array): { name: string; data: Uint8Array }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: { name: string; data: Uint8Array }[] = []
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function readHeader(data: Uint8Array | undefined): Header | undefined {
  if (data === undefined || data.length < 13) return undefined
  const view = new DataView(data.buffer, data.byteOffset)
  const [width, height, depth, type] = [
    view.getUint32(0),
    view.getUint32(4),
    view.getUint8(8),
    view.getUint8(9),
  ]
  const channels = CHANNELS[type]
  const isReadable = depth <= 8 && view.getUint8(12) === 0 && width > 0 && height > 0
  if (channels === undefined || !isReadable || width * height > MOST_DOTS) return undefined
  return { width, height, depth, type, channels }
}

/** Each row is told by what differs from the bytes before and above it. */
function unfilter(raw: Uint8Array, { height, channels, depth }: Header, stride: number): Uint8Array {
  const step = Math.max(1, (channels * depth) >> 3)
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= step ? (rows[at - step] ?? 0) : 0
      const up = y > 0 ? (rows[at - stride] ?? 0) : 0
      const corner = x >= step && y > 0 ? (rows[at - stride - step] ?? 0) : 0
      rows[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess(filter, left, up, corner)
    }
  }
  return rows
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const middle = left + up - corner
  const [a, b, c] = [Math.abs(middle - left), Math.abs(middle - up), Math.abs(middle - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

function toPixels(
  { width, height, depth, type, channels }: Header,
  rows: Uint8Array,
  palette: Uint8Array,
  stride: number,
): Pixels {
  const rgb = new Uint8Array(width * height * 3)
  const most = 2 ** depth - 1
  const sample = (x: number, y: number, channel: number): number => {
    const bit = (x * channels + channel) * depth
    const byte = rows[y * stride + (bit >> 3)] ?? 0
    return (byte >> (8 - depth - (bit & 7))) & most
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grey = type === 0 || type === 4
      const alpha = type === 4 ? sample(x, y, 1) : type === 6 ? sample(x, y, 3) : most
      for (let part = 0; part < 3; part++) {
        const own = sample(x, y, grey || type === 3 ? 0 : part)
        const value = type === 3 ? (palette[own * 3 + part] ?? 0) : (own / most) * 255
        rgb[(y * width + x) * 3 + part] = Math.round((value * alpha) / most + 255 * (1 - alpha / most))
      }
    }
  }
  return { width, height, rgb }
}
