/** The place of each text on a label: a text in the wrong box sends the parcel to the wrong door. */
import { describe, expect, test } from 'vitest'
import {
  renderLabel,
  hasLabel,
  LABEL,
  type LabelFields,
  formatWeight,
} from '../../../../src/areas/carrier/label/label.ts'
import { SHIPMENT_STATUSES } from '../../../../src/areas/carrier/states.ts'
import type { DrawingBox, TextItem } from '../../../../src/core/drawing.ts'
import { describeItems } from '../../../support/drawn.ts'
import { makeLabelFields } from '../../../support/labels.ts'
import { gbp } from '../../../support/money.ts'

/** The boxes of a label between its lines, in millimetres from the top left corner. */
const BOXES = {
  mark: { x: 0, y: 0, width: 22, height: 22 },
  service: { x: 22, y: 0, width: 74, height: 22 },
  route: { x: 0, y: 22, width: 72, height: 16 },
  level: { x: 72, y: 22, width: 24, height: 16 },
  recipient: { x: 0, y: 38, width: 96, height: 46.5 },
  reference: { x: 0, y: 84.5, width: 36, height: 10.5 },
  weight: { x: 36, y: 84.5, width: 16, height: 10.5 },
  size: { x: 52, y: 84.5, width: 24, height: 10.5 },
  made: { x: 76, y: 84.5, width: 20, height: 10.5 },
  number: { x: 0, y: 95, width: 96, height: 29.5 },
  sender: { x: 17.5, y: 124.5, width: 78.5, height: 17.5 },
} as const

function isInside(item: DrawingBox, box: DrawingBox): boolean {
  return (
    item.x >= box.x &&
    item.y >= box.y &&
    item.x + item.width <= box.x + box.width &&
    item.y + item.height <= box.y + box.height
  )
}

/** Returns the texts of each box, from its top. */
function read(parcel: LabelFields): Record<keyof typeof BOXES, string[]> {
  const texts = renderLabel(parcel).filter((item) => item.kind === 'text') as TextItem[]
  const placed = Object.entries(BOXES).map(([name, box]) => [
    name,
    texts
      .filter((text) => isInside(text, box))
      .toSorted((a, b) => a.y - b.y)
      .flatMap(({ lines }) => lines),
  ])
  const all = Object.fromEntries(placed) as Record<keyof typeof BOXES, string[]>
  // No text stands across a line or outside of the boxes.
  expect(Object.values(all).flat()).toHaveLength(texts.flatMap(({ lines }) => lines).length)
  return all
}

test('each text is in its own box, the recipient above and the sender under RETURN TO', () => {
  const parcel = makeLabelFields({
    company: 'Okoro Books',
    address: { line2: 'Flat 2', access_notes: 'Ring twice' },
    options: { leave_safe_place: 'Behind the bins', cash_on_delivery: gbp(1250) },
  })
  expect(read(parcel)).toEqual({
    mark: ['24'],
    service: ['NEXT DAY', 'Deliver by Sat 21 Nov'],
    route: ['LON1 RG B'],
    level: ['ND'],
    recipient: [
      'DELIVER TO',
      'Grace Okoro',
      'Okoro Books',
      '12 Friar Street',
      'Flat 2',
      'READING',
      'RG1 1DB',
      'COLLECT £12.50',
      'Safe place: Behind the bins',
      'Ring twice',
    ],
    reference: ['REFERENCE', 'A-1001'],
    weight: ['WEIGHT', '1.4 kg'],
    size: ['SIZE', '30 × 20 × 10 cm'],
    made: ['MADE', '20 Nov 2026'],
    number: ['ZC 9680 4337 0 GB'],
    sender: [
      'IF UNDELIVERED, RETURN TO',
      'Morgan Trading',
      'Alex Morgan',
      '40 Lime Street',
      'LONDON',
      'EC3M 7AW',
    ],
  })
})

test('a label looks like this, line by line', () => {
  const parcel = makeLabelFields({
    address: { access_notes: 'Ring twice' },
    options: { signature_required: true },
  })
  expect(describeItems(renderLabel(parcel))).toMatchInlineSnapshot(`
    [
      "frame 0,0 96×142 line 0.5",
      "fill 0,0 22×22",
      "text 1,0.5 20×21 44–22 bold white centre middle ["24"]",
      "text 24,1.5 70×10 24–12 bold ["NEXT DAY"]",
      "text 24,12.5 70×7 12–6 ["Deliver by Sat 21 Nov"]",
      "fill 0,21.75 96×0.5",
      "text 2,23.5 68×13 34–17 bold middle ["LON1 RG B"]",
      "text 74,24 20×12 26–13 bold centre middle ["ND"]",
      "fill 71.88,22 0.25×16",
      "fill 0,37.75 96×0.5",
      "text 2,39 36×4 7–3.5 ["DELIVER TO"]",
      "text 2,43 92×8 17–5 bold GB ["Grace Okoro"]",
      "text 2,51 92×22.5 14–5 GB ["12 Friar Street","READING","RG1 1DB"]",
      "text 2,74 92×6 12–6 bold ["SIGNATURE"]",
      "text 2,80 92×4 9–4.5 ["Ring twice"]",
      "fill 0,84.25 96×0.5",
      "text 2,85.2 32×3 6–3 ["REFERENCE"]",
      "text 2,88.3 32×6 11–4.5 bold middle ["A-1001"]",
      "fill 35.88,84.5 0.25×10.5",
      "text 38,85.2 12×3 6–3 ["WEIGHT"]",
      "text 38,88.3 12×6 9–4.5 bold middle ["1.4 kg"]",
      "fill 51.88,84.5 0.25×10.5",
      "text 54,85.2 20×3 6–3 ["SIZE"]",
      "text 54,88.3 20×6 9–4.5 bold middle ["30 × 20 × 10 cm"]",
      "fill 75.88,84.5 0.25×10.5",
      "text 78,85.2 16×3 6–3 ["MADE"]",
      "text 78,88.3 16×6 9–4.5 bold middle ["20 Nov 2026"]",
      "fill 0,94.75 96×0.5",
      "code128 2,97 92×20 ZC968043370GB",
      "text 2,117.5 92×6.5 15–7.5 bold centre middle ["ZC 9680 4337 0 GB"]",
      "fill 0,124.25 96×0.5",
      "datamatrix 0.4,124.9 16.7×16.7 ZC968043370GB|LON1-RG-B-ND|GB|RG1 1DB",
      "fill 17.38,124.5 0.25×17.5",
      "text 19.5,125 56×3 6–3 ["IF UNDELIVERED, RETURN TO"]",
      "text 19.5,128.3 74.5×13 8–4 GB ["Morgan Trading","Alex Morgan","40 Lime Street","LONDON","EC3M 7AW"]",
    ]
  `)
})

test('a parcel without company, reference and notes has none of them on its label', () => {
  const bare = makeLabelFields({
    reference: null,
    sender: { ...makeLabelFields().sender, company: undefined } as never,
  })
  const { recipient, reference, sender } = read(bare)
  expect(recipient).toEqual(['DELIVER TO', 'Grace Okoro', '12 Friar Street', 'READING', 'RG1 1DB'])
  expect(reference).toEqual(['REFERENCE', '–'])
  expect(sender[1]).toBe('Alex Morgan')
  expect(renderLabel(bare).filter((item) => item.kind === 'text' && item.lines.length === 0)).toEqual([])
})

test('the address reaches down to the marks, to the notes where there are no marks, else to the line', () => {
  const endOf = (options: LabelFields['options']) => {
    const address = renderLabel(makeLabelFields({ options })).find(
      (item) => item.kind === 'text' && item.lines.includes('12 Friar Street'),
    )
    return (address?.y ?? 0) + (address?.height ?? 0)
  }
  expect(endOf({})).toBe(83.5)
  expect(endOf({ signature_required: true })).toBe(77.5)
  expect(endOf({ leave_safe_place: 'Porch' })).toBe(79.5)
})

test('long notes shrink to letters that are still read, and no further', () => {
  const notes = renderLabel(makeLabelFields({ options: { leave_safe_place: 'Porch' } })).filter(
    (item) => item.kind === 'text' && item.lines.some((line) => line.includes('Porch')),
  )
  expect(notes).toMatchObject([{ size: 9, least: 4.5 }])
})

test('a parcel that goes abroad names the country, in English capitals', () => {
  const address = { country_code: 'DE', city: 'Berlin', postal_code: '10115' }
  expect(read(makeLabelFields({ address })).recipient).toEqual([
    'DELIVER TO',
    'Grace Okoro',
    '12 Friar Street',
    '10115 Berlin',
    'GERMANY',
  ])
})

describe('a driver reads', () => {
  const marks: [option: string, options: LabelFields['options'], mark: string][] = [
    ['a signature', { signature_required: true }, 'SIGNATURE'],
    ['cash to collect', { cash_on_delivery: gbp(123_450) }, 'COLLECT £1,234.50'],
    ['a first day', { not_before_date: '2026-12-01' }, 'NOT BEFORE TUE 1 DEC'],
  ]

  test.each(marks)('%s alone', (_option, options, mark) => {
    expect(read(makeLabelFields({ options })).recipient.slice(5)).toEqual([mark])
  })

  test('all of them, in one line', () => {
    const options = Object.assign({}, ...marks.map(([, option]) => option)) as LabelFields['options']
    expect(read(makeLabelFields({ options })).recipient.slice(5)).toEqual([
      marks.map(([, , mark]) => mark).join(' · '),
    ])
  })

  test('no mark for an option that is off', () => {
    expect(read(makeLabelFields({ options: { signature_required: false } })).recipient).toHaveLength(5)
  })
})

test.each([
  ['same_day', 'SD', 'SAME DAY'],
  ['next_day', '24', 'NEXT DAY'],
  ['two_day', '48', 'TWO DAY'],
  ['economy', 'EC', 'ECONOMY'],
] as const)('the corner of %s says %s', (service_level, mark, name) => {
  const { mark: corner, service } = read(makeLabelFields({ service_level }))
  expect([corner, service[0]]).toEqual([[mark], name])
})

test('both codes name this parcel, and the square one its way and its recipient, in letters that every scanner reads', () => {
  const codes = renderLabel(makeLabelFields({ address: { postal_code: 'RG1 1DBé' } })).flatMap((item) =>
    item.kind === 'code128' || item.kind === 'datamatrix' ? [[item.kind, item.value]] : [],
  )
  expect(codes).toEqual([
    ['code128', 'ZC968043370GB'],
    ['datamatrix', 'ZC968043370GB|LON1-RG-B-ND|GB|RG1 1DB'],
  ])
})

test('nothing leaves the label, also with the longest texts', () => {
  const long = 'A very long text that goes on '.repeat(8)
  const parcel = makeLabelFields({
    name: long,
    company: long,
    reference: long,
    address: { line1: long, access_notes: long },
    options: {
      leave_safe_place: long,
      signature_required: false,
      cash_on_delivery: gbp(1),
      not_before_date: '2026-12-01',
    },
  })
  for (const item of renderLabel(parcel))
    expect(isInside(item, { x: -0.25, y: -0.25, width: LABEL.width + 0.5, height: LABEL.height + 0.5 })).toBe(
      true,
    )
  const boxes = renderLabel(parcel).filter((item) => item.kind === 'text' && isInside(item, BOXES.recipient))
  const ends = boxes.toSorted((a, b) => a.y - b.y).map(({ y, height }) => [y, y + height])
  // No box of text is on another one.
  for (const [at, [, end = 0]] of ends.entries()) expect(ends[at + 1]?.[0] ?? 99).toBeGreaterThanOrEqual(end)
})

test('a cancelled parcel alone has no label', () => {
  expect(SHIPMENT_STATUSES.filter((status) => !hasLabel({ status }))).toEqual(['cancelled'])
})

test.each([
  [1, '1 g'],
  [999, '999 g'],
  [1000, '1 kg'],
  [1234, '1.23 kg'],
  [30_000, '30 kg'],
])('%i g is written %s', (grams, text) => {
  expect(formatWeight(grams)).toBe(text)
})

test.each([
  ['a short name', { name: 'x'.repeat(24) }, 51],
  ['a longer name', { name: 'x'.repeat(25) }, 56],
  ['a company', { name: 'Jo', company: 'Jo & Co' }, 56],
])('the address of %s begins at %i mm', (_, recipient, top) => {
  const address = renderLabel(makeLabelFields(recipient)).find(
    (item) => item.kind === 'text' && item.lines[0] === '12 Friar Street',
  )
  expect(address?.y).toBe(top)
})

test('a label shows the safe place, unless the recipient has to sign', () => {
  const notesOf = (signature_required: boolean | undefined) =>
    read(
      makeLabelFields({
        options: {
          leave_safe_place: 'Shed',
          ...(signature_required !== undefined && { signature_required }),
        },
      }),
    ).recipient.slice(5)
  expect([notesOf(undefined), notesOf(false), notesOf(true)]).toEqual([
    ['Safe place: Shed'],
    ['Safe place: Shed'],
    ['SIGNATURE'],
  ])
})

test.each(['ZC9', 'XZC968043370GB', 'ZC968043370GBX'])(
  'the number %s, which has other groups, stands as it is',
  (number) => {
    expect(read(makeLabelFields({ tracking_number: number })).number).toEqual([number])
  },
)
