import { createCanvas, loadImage } from '@napi-rs/canvas'
import { describe, expect, test } from 'vitest'
import type { LabelFields } from '../../src/areas/carrier/label/label.ts'
import { type LabelSize, layOutLabels } from '../../src/areas/carrier/label/sheets.ts'
import { type RenderedDocument, type DocumentFormat, renderDocument } from '../../src/rendering/render.ts'
import { HOSTILE_NAMES, makeLabelFields, NAMES_BY_SCRIPT } from '../support/labels.ts'
import { printPdf, printZpl, readCodes, readPdf } from '../support/paper.ts'

const CODES = { Code128: 'ZC968043370GB', DataMatrix: 'ZC968043370GB|LON1-RG-B-ND|GB|RG1 1DB' }

type Way = { format: DocumentFormat; dpi?: number; size?: LabelSize; start?: number }

function render(
  parcels: readonly LabelFields[],
  { format, dpi = 203, size = '4x6', start = 1 }: Way,
): Promise<RenderedDocument> {
  return renderDocument({ title: 'Labels', sheets: layOutLabels(parcels, size, start) }, { format, dpi })
}

describe('a scanner reads both codes of a label', () => {
  // The name is sent to label printers as a picture.
  const parcel = makeLabelFields({ name: 'محمد عبد الله', options: { signature_required: true } })

  test.each([203, 300])('from a PNG with %i dots in an inch', async (dpi) => {
    expect(await readCodes((await render([parcel], { format: 'png', dpi })).bytes)).toEqual(CODES)
  })

  test('from a PDF', async () => {
    const { bytes } = await render([parcel], { format: 'pdf' })
    expect(await readCodes(await printPdf(bytes))).toEqual(CODES)
    const [page] = await readPdf(bytes)
    for (const text of ['NEXT DAY', 'LON1 RG B', 'READING', 'RG1 1DB', 'A-1001', '1.4 kg', 'Morgan Trading'])
      expect(page).toContain(text)
  })

  test('from the paper of a label printer', async () => {
    const { bytes } = await render([parcel], { format: 'zpl' })
    expect(await readCodes(await printZpl(bytes))).toEqual(CODES)
    // Six-bit mail programs and old print servers pass ASCII on.
    expect(Buffer.from(bytes).toString()).toMatch(/^[\n\x20-\x7e]+$/)
  })
})

test('four labels share a sheet of A4, the first one in the place that is free', async () => {
  const parcels = ['One', 'Two', 'Three', 'Four'].map((name) => makeLabelFields({ name }))
  const pages = await readPdf((await render(parcels, { format: 'pdf', size: 'a4', start: 3 })).bytes)
  expect(pages.map((page) => page.match(/One|Two|Three|Four/g))).toEqual([
    ['One', 'Two'],
    ['Three', 'Four'],
  ])
})

test('each label on A4 keeps within its sticker of 99.1 × 139 mm', () => {
  const parcels = ['One', 'Two', 'Three', 'Four'].map((name) => makeLabelFields({ name }))
  const [sheet] = layOutLabels(parcels, 'a4')
  const perLabel = (sheet?.items.length ?? 0) / 4
  for (const [at, item] of (sheet?.items ?? []).entries()) {
    const place = Math.floor(at / perLabel)
    const [left, top] = [[4.65, 106.25][place % 2] ?? 0, [9.5, 148.5][Math.floor(place / 2)] ?? 0]
    expect(item.x).toBeGreaterThan(left)
    expect(item.y).toBeGreaterThan(top)
    expect(item.x + item.width).toBeLessThan(left + 99.1)
    expect(item.y + item.height).toBeLessThan(top + 139)
  }
})

test('codes of a label on A4 are read by a scanner', async () => {
  const { bytes } = await render([makeLabelFields()], { format: 'pdf', size: 'a4' })
  expect(await readCodes(await printPdf(bytes))).toEqual(CODES)
})

describe('the driver reads at the door', () => {
  const address = { access_notes: 'Ring twice, the bell is faint' }
  const options = { leave_safe_place: 'Behind the bins' }

  test.each(['pdf', 'zpl'] as const)('the safe place and the instructions, in %s', async (format) => {
    const { bytes } = await render([makeLabelFields({ address, options })], { format })
    const text = format === 'pdf' ? (await readPdf(bytes)).join('') : Buffer.from(bytes).toString()
    expect(text).toContain('Safe place: Behind the bins')
    expect(text).toContain('Ring twice, the bell is faint')
  })

  test('no safe place where a signature is wanted', async () => {
    const parcel = makeLabelFields({ address, options: { ...options, signature_required: true } })
    const [page] = await readPdf((await render([parcel], { format: 'pdf' })).bytes)
    expect(page).toContain('SIGNATURE')
    expect(page).toContain('Ring twice')
    expect(page).not.toContain('Behind the bins')
  })

  test('all of the longest instructions', async () => {
    const long = `${'Past the second gate on the left. '.repeat(8)}The end.`
    const [page] = await readPdf(
      (await render([makeLabelFields({ address: { access_notes: long } })], { format: 'pdf' })).bytes,
    )
    expect(page?.replaceAll(/\s+/g, ' ')).toContain('gate on the left. The end.')
  })
})

describe('the text of a PDF', () => {
  test('keeps letters that a font joins', async () => {
    const parcel = makeLabelFields({ name: 'Jeff Griffiths', company: 'Office Flow' })
    const [page] = await readPdf((await render([parcel], { format: 'pdf' })).bytes)
    for (const name of ['Jeff Griffiths', 'Office Flow']) expect(page).toContain(name)
  })

  test('has plain letters for characters that no font has, and names those that have none', async () => {
    const address = { line1: '12 Lamb\u2011Street', line2: '℅ Office \u2010 Fitters, Ґанна' }
    const parcel = makeLabelFields({ name: '𝔉𝔢𝔯𝔫 Holloway 🎁', address })
    const { bytes, missing } = await render([parcel], { format: 'pdf' })
    const [page] = await readPdf(bytes)
    for (const text of ['12 Lamb-Street', 'c/o Office - Fitters, Ґанна', 'Fern Holloway'])
      expect(page).toContain(text)
    expect(missing).toEqual(['🎁'])
  })
})

test('the labels of a whole manifest are laid out one by one, so that a service does other things between them', () => {
  const parcel = makeLabelFields({ name: 'One' })
  let read = 0
  const next = Object.defineProperty({ ...parcel }, 'recipient', {
    get() {
      read += 1
      return parcel.recipient
    },
  })
  const sheets = layOutLabels([parcel, next], '4x6')
  const [first] = sheets
  expect([sheets.length, first?.width, read]).toEqual([2, 101.6, 0])
  expect([[...sheets].length, read > 0]).toEqual([2, true])
})

describe('a name', () => {
  test.each(Object.entries(NAMES_BY_SCRIPT))('in %s has a font', async (_script, name) => {
    const { missing } = await render([makeLabelFields({ name })], { format: 'png', dpi: 30 })
    expect(missing).toEqual([])
  })

  test('in the scripts of a London shop is read again from the PDF', async () => {
    const names = ['Cyrillic', 'Greek', 'Hebrew', 'Thai', 'Chinese', 'Japanese', 'Korean', 'Georgian']
    const parcels = names.map((script) => makeLabelFields({ name: NAMES_BY_SCRIPT[script] ?? '' }))
    const pages = await readPdf((await render(parcels, { format: 'pdf' })).bytes)
    for (const [index, script] of names.entries())
      expect(pages[index]?.normalize('NFC')).toContain(NAMES_BY_SCRIPT[script])
  })

  test.each([
    ['Japanese', '東京都渋谷区', 1500],
    ['Hebrew', 'רחוב הרצל תל אביב', 1200],
  ])('in %s is printed in strokes, not in hairlines', async (_script, line1, leastDots) => {
    const dots = async (address: object): Promise<number> => {
      const { data } = await pixels(await render([makeLabelFields({ address })], { format: 'png' }))
      return data.reduce((sum, value, at) => (at % 4 === 0 ? sum + (255 - value) / 255 : sum), 0)
    }
    expect((await dots({ line1 })) - (await dots({ line1: '.' }))).toBeGreaterThan(leastDots)
  })

  test('that no font has is told', async () => {
    const { missing } = await render([makeLabelFields({ name: 'ᏣᎳᎩ' })], { format: 'png', dpi: 30 })
    expect(missing).toEqual(['Ꮳ', 'Ꮃ', 'Ꭹ'])
    const marked = await render([makeLabelFields({ name: 'Ama\u1dff' })], { format: 'png', dpi: 30 })
    expect(marked.missing).toEqual(['\u1dff'])
  })

  test('never leaves its box, whatever it is', async () => {
    expect(HOSTILE_NAMES).toHaveLength(30)
    const usual = await pixels(await render([makeLabelFields()], { format: 'png', dpi: 60 }))
    for (const name of HOSTILE_NAMES) {
      const parcel = makeLabelFields({ name, company: name, reference: name.slice(0, 64) })
      const drawn = await pixels(await render([parcel], { format: 'png', dpi: 60 }))
      expect([name, changedRows(usual, drawn)]).toEqual([name, { outside: 0 }])
    }
  })

  test('in ZPL is text and no command', async () => {
    const name = HOSTILE_NAMES.filter((each) => /[\^~_]/.test(each)).join(' ')
    const { bytes } = await render([makeLabelFields({ name })], { format: 'zpl' })
    expect(
      Buffer.from(bytes)
        .toString()
        .match(/\^XA|\^XZ|~/g),
    ).toEqual(['^XA', '^XZ'])
    expect(await readCodes(await printZpl(bytes))).toEqual(CODES)
  })
})

type Pixels = { width: number; height: number; data: Uint8ClampedArray }

async function pixels({ bytes }: RenderedDocument): Promise<Pixels> {
  const image = await loadImage(Buffer.from(bytes))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height)
}

/** The boxes of recipient and reference on paper of 4 × 6 inches, in millimetres: from the left, the top, to … */
const FREE = [
  { left: 3, top: 43.6, right: 98.4, bottom: 89.6 },
  { left: 3, top: 93, right: 38.7, bottom: 100 },
]

/** Counts the pixels that differ outside of the boxes that names may change. */
function changedRows(one: Pixels, other: Pixels): { outside: number } {
  const perMm = 60 / 25.4
  let outside = 0
  for (let at = 0; at < one.data.length; at += 4) {
    if (one.data[at] === other.data[at]) continue
    const x = ((at / 4) % one.width) / perMm
    const y = Math.floor(at / 4 / one.width) / perMm
    if (!FREE.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom))
      outside++
  }
  return { outside }
}
