import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas'
import { describe, expect, test } from 'vitest'
import type { LabelFields } from '../../src/areas/carrier/label/label.ts'
import { layOutLabels } from '../../src/areas/carrier/label/sheets.ts'
import type { TextItem } from '../../src/core/drawing.ts'
import { OVERHANG } from '../../src/rendering/canvas.ts'
import type { TextLine } from '../../src/rendering/fit.ts'
import { type DocumentFormat, renderDocument } from '../../src/rendering/render.ts'
import { makeTypesetter } from '../../src/rendering/typesetter.ts'
import { HOSTILE_NAMES, makeLabelFields, NAMES_BY_SCRIPT, TALL_NAMES } from '../support/labels.ts'
import { printPdf, printZpl } from '../support/paper.ts'

/** Returns a parcel with this name in each of its fields, as long as a field may be. */
function filled(name: string): LabelFields {
  const long = (length: number): string => `${name} `.repeat(length).slice(0, length)
  const address = { line1: long(200), line2: long(200), city: long(100), region: long(100) }
  const sender = { ...address, postal_code: 'EC3M 7AW', country_code: 'GB' }
  return makeLabelFields({
    name: long(100),
    company: long(100),
    reference: long(64),
    address: { ...address, postal_code: '560001', country_code: 'IN' },
    sender: { contact: { name: long(100) }, company: long(100), address: sender },
    options: { signature_required: true, not_before_date: '2026-11-24' },
  })
}

/** Returns a parcel with a name without spaces, which no line has room for. */
function unbroken(name: string): LabelFields {
  return filled(name.replaceAll(/\s/g, '') || '-')
}

describe('the letters of a label', () => {
  const typesetter = makeTypesetter()
  const known = new Map<string, ReturnType<typeof edgesOf>>()
  // A new canvas for each line would cost more than the drawing.
  const canvases = new Map<string, Canvas>()
  const scripts = [...Object.values(NAMES_BY_SCRIPT), ...TALL_NAMES]

  test.each([
    [
      'of scripts',
      scripts,
      (name: string) => makeLabelFields({ name, company: name, address: { line1: name } }),
    ],
    ['of scripts in long fields', scripts, filled],
    ['of scripts in long words', TALL_NAMES, unbroken],
    ['of hostile names', HOSTILE_NAMES, filled],
  ])('%s stay in their box, and those of two lines never touch', (_letters, names, parcelOf) => {
    const usual = new Set(textsOf(makeLabelFields()).map(({ lines }) => lines.join()))
    for (const name of names) {
      const texts = textsOf(parcelOf(name)).filter(({ lines }) => !usual.has(lines.join()))
      expect([name, ...texts.flatMap(findSpills)]).toEqual([name])
    }
  })

  function textsOf(parcel: LabelFields): TextItem[] {
    const [sheet] = [...layOutLabels([parcel], '4x6')]
    return sheet?.items.filter((item) => item.kind === 'text') ?? []
  }

  /** Returns the lines of a text that leave its box, or touch the line above. */
  function findSpills(item: TextItem): string[] {
    const { lines, size } = typesetter.fit(item)
    let above = item.y - 2 * DOT
    return lines.flatMap((line) => {
      const ink = findInk(item, line, size)
      if (ink === undefined) return []
      const beside = OVERHANG * size + DOT
      const isInside =
        ink.left >= item.x - beside &&
        ink.right <= item.x + item.width + beside &&
        ink.bottom <= item.y + item.height + DOT
      // A row of white dots is between two lines.
      const isClear = ink.top >= above + DOT / 2
      above = ink.bottom
      return isInside && isClear ? [] : [`${line.text} in ${size} mm`]
    })
  }

  /** Returns the edges of a line's ink in millimetres. A line that stands alike in several boxes is drawn once. */
  function findInk(item: TextItem, { x, baseline, ...line }: TextLine, size: number) {
    const at = { x: x - item.x, baseline: baseline - item.y, size }
    const key = JSON.stringify([at, line.text, line.style, line.direction, item.width, item.height])
    const box = known.has(key) ? known.get(key) : drawAlone(item, { ...line, x, baseline }, at)
    known.set(key, box)
    return (
      box && {
        left: item.x + (box.left - ROOM) * DOT,
        right: item.x + (box.right - ROOM) * DOT,
        top: item.y + (box.top - ROOM) * DOT,
        bottom: item.y + (box.bottom - ROOM) * DOT,
      }
    )
  }

  /** Draws a line where nothing cuts it off, and returns the edges of its ink in dots. */
  function drawAlone(
    { width, height }: TextItem,
    line: TextLine,
    at: { x: number; baseline: number; size: number },
  ) {
    const [wide, high] = [Math.ceil(width / DOT) + 2 * ROOM, Math.ceil(height / DOT) + 2 * ROOM]
    const canvas = canvases.get(`${wide} ${high}`) ?? createCanvas(wide, high)
    canvases.set(`${wide} ${high}`, canvas)
    const context = canvas.getContext('2d')
    context.clearRect(0, 0, wide, high)
    const [baseline, size] = [at.baseline / DOT + ROOM, at.size / DOT]
    typesetter.drawLine(context, line, { x: at.x / DOT + ROOM, baseline, size })
    // To copy the pixels takes most of the time. A letter that leaves these rows touches another line, or leaves the box.
    const from = Math.max(0, Math.floor(baseline - 2 * size))
    const rows = Math.min(high, Math.ceil(baseline + 2 * size)) - from
    const box = edgesOf(context.getImageData(0, from, wide, rows), 3, (alpha) => alpha > 110)
    return box && { ...box, top: box.top + from, bottom: box.bottom + from }
  }
})

/** A dot of a printer with 300 dots in an inch, in millimetres. */
const DOT = 25.4 / 300
/** Dots around a box, for letters that leave it. */
const ROOM = 60

test.each(['W', '0', '…'])(
  'a line of %s stays within the frame on the paper of a label printer',
  async (letter) => {
    const png = await printZpl(await renderLabelBytes(filled(letter.repeat(200)), 'zpl'))
    expect((await edgesOn(png, { from: 0, to: 152 }, 101.6)).right).toBeLessThan(99)
  },
)

describe('Arabic and Hebrew begin at the right edge of their box', () => {
  const address = { line1: 'רחוב הרצל 12', city: 'תל אביב', postal_code: '6688101', country_code: 'IL' }
  const parcel = makeLabelFields({ name: 'محمد عبد الله', address })
  const english = makeLabelFields({
    name: 'Grace Okoro',
    address: { line1: 'Herzl Street 12', city: 'Tel Aviv' },
  })

  test.each([
    ['a PDF', 'pdf', printPdf],
    ['a PNG', 'png', async (bytes: Uint8Array) => bytes],
    ['the paper of a label printer', 'zpl', printZpl],
  ] as const)('on %s', async (_paper, format, print) => {
    const name = await edgesOn(await print(await renderLabelBytes(parcel, format)), NAME)
    expect(name.right).toBeGreaterThan(95.5)
    expect(name.left).toBeGreaterThan(50)
    const street = await edgesOn(await print(await renderLabelBytes(parcel, format)), STREET)
    expect(street.right).toBeGreaterThan(95.5)
    const begun = await edgesOn(await print(await renderLabelBytes(english, format)), NAME)
    expect(begun.left).toBeLessThan(6)
    expect(begun.right).toBeLessThan(50)
  })

  test('with the postcode that stands alone below them', async () => {
    const cairo = { line1: '١٢ شارع الجمهورية', city: 'القاهرة', postal_code: '11511', country_code: 'EG' }
    const [sheet] = [...layOutLabels([makeLabelFields({ name: 'محمد', address: cairo })], '4x6')]
    const lines = sheet?.items.flatMap((item) =>
      item.kind === 'text' ? makeTypesetter().fit(item).lines : [],
    )
    const sides = ['11511', 'EGYPT'].map((text) => lines?.find((line) => line.text === text)?.align)
    expect(sides).toEqual(['right', 'left'])
  })
})

async function renderLabelBytes(parcel: LabelFields, format: DocumentFormat): Promise<Uint8Array> {
  return (
    await renderDocument({ title: 'Labels', sheets: layOutLabels([parcel], '4x6') }, { format, dpi: 203 })
  ).bytes
}

/** The rows of the name and the first line of the address, in millimetres from the top of the paper. */
const NAME = { from: 48.5, to: 55.5 }
const STREET = { from: 57, to: 63 }

/** Returns the edges of what is printed between two heights, in millimetres: within the frame unless told. */
async function edgesOn(png: Uint8Array, { from, to }: { from: number; to: number }, until = 97.6) {
  const image = await loadImage(Buffer.from(png))
  const perMm = image.width / 101.6
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const left = 4 * perMm
  const rows = context.getImageData(left, from * perMm, (until - 4) * perMm, (to - from) * perMm)
  const box = edgesOf(rows, 0, (grey) => grey < 128)
  if (box === undefined) throw new Error('nothing is printed there')
  return { left: (left + box.left) / perMm, right: (left + box.right) / perMm }
}

type Pixels = { width: number; data: Uint8Array | Uint8ClampedArray }

/** Returns the edges of the pixels that are black by one of their channels; undefined if none is. */
function edgesOf({ width, data }: Pixels, channel: number, isBlack: (value: number) => boolean) {
  let [left, right, top, bottom] = [width, 0, Number.POSITIVE_INFINITY, 0]
  for (let at = channel, pixel = 0; at < data.length; at += 4, pixel++) {
    if (!isBlack(data[at] ?? 0)) continue
    const x = pixel % width
    const y = Math.floor(pixel / width)
    if (x < left) left = x
    if (x >= right) right = x + 1
    if (y < top) top = y
    bottom = y + 1
  }
  return right === 0 ? undefined : { left, right, top, bottom }
}
