/** What stands where on a label: a text in the wrong box sends the parcel to the wrong door. */
import { describe, expect, test } from 'vitest'
import {
  drawLabel,
  hasLabel,
  LABEL,
  type Labelled,
  spellWeight,
} from '../../../../src/areas/carrier/label/label.ts'
import { SHIPMENT_STATUSES } from '../../../../src/areas/carrier/states.ts'
import type { Box, Text } from '../../../../src/core/drawing.ts'
import { labelled } from '../../../support/labels.ts'
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

function isInside(item: Box, box: Box): boolean {
  return (
    item.x >= box.x &&
    item.y >= box.y &&
    item.x + item.width <= box.x + box.width &&
    item.y + item.height <= box.y + box.height
  )
}

/** Returns the texts of each box, from its top. */
function read(parcel: Labelled): Record<keyof typeof BOXES, string[]> {
  const texts = drawLabel(parcel).filter((item) => item.kind === 'text') as Text[]
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

test('each text stands in its own box, the recipient above and the sender under RETURN TO', () => {
  const parcel = labelled({
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

test('a parcel without company, reference and notes has none of them on its label', () => {
  const bare = labelled({ reference: null, sender: { ...labelled().sender, company: undefined } as never })
  const { recipient, reference, sender } = read(bare)
  expect(recipient).toEqual(['DELIVER TO', 'Grace Okoro', '12 Friar Street', 'READING', 'RG1 1DB'])
  expect(reference).toEqual(['REFERENCE', '–'])
  expect(sender[1]).toBe('Alex Morgan')
})

test('a parcel that goes abroad names the country, in English capitals', () => {
  const address = { country_code: 'DE', city: 'Berlin', postal_code: '10115' }
  expect(read(labelled({ address })).recipient).toEqual([
    'DELIVER TO',
    'Grace Okoro',
    '12 Friar Street',
    '10115 Berlin',
    'GERMANY',
  ])
})

describe('a driver reads', () => {
  const marks: [option: string, options: Labelled['options'], mark: string][] = [
    ['a signature', { signature_required: true }, 'SIGNATURE'],
    ['cash to collect', { cash_on_delivery: gbp(123_450) }, 'COLLECT £1,234.50'],
    ['a first day', { not_before_date: '2026-12-01' }, 'NOT BEFORE TUE 1 DEC'],
  ]

  test.each(marks)('%s alone', (_option, options, mark) => {
    expect(read(labelled({ options })).recipient.slice(5)).toEqual([mark])
  })

  test('all of them, in one line', () => {
    const options = Object.assign({}, ...marks.map(([, option]) => option)) as Labelled['options']
    expect(read(labelled({ options })).recipient.slice(5)).toEqual([
      marks.map(([, , mark]) => mark).join(' · '),
    ])
  })

  test('no mark for an option that is off', () => {
    expect(read(labelled({ options: { signature_required: false } })).recipient).toHaveLength(5)
  })
})

test.each([
  ['same_day', 'SD', 'SAME DAY'],
  ['next_day', '24', 'NEXT DAY'],
  ['two_day', '48', 'TWO DAY'],
  ['economy', 'EC', 'ECONOMY'],
] as const)('the corner of %s says %s', (service_level, mark, name) => {
  const { mark: corner, service } = read(labelled({ service_level }))
  expect([corner, service[0]]).toEqual([[mark], name])
})

test('both codes name this parcel, and the square one its way and its recipient, in letters that every scanner reads', () => {
  const codes = drawLabel(labelled({ address: { postal_code: 'RG1 1DBé' } })).flatMap((item) =>
    item.kind === 'code128' || item.kind === 'datamatrix' ? [[item.kind, item.value]] : [],
  )
  expect(codes).toEqual([
    ['code128', 'ZC968043370GB'],
    ['datamatrix', 'ZC968043370GB|LON1-RG-B-ND|GB|RG1 1DB'],
  ])
})

test('nothing leaves the label, also with the longest texts', () => {
  const long = 'A very long text that goes on '.repeat(8)
  const parcel = labelled({
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
  for (const item of drawLabel(parcel))
    expect(isInside(item, { x: -0.25, y: -0.25, width: LABEL.width + 0.5, height: LABEL.height + 0.5 })).toBe(
      true,
    )
  const boxes = drawLabel(parcel).filter((item) => item.kind === 'text' && isInside(item, BOXES.recipient))
  const ends = boxes.toSorted((a, b) => a.y - b.y).map(({ y, height }) => [y, y + height])
  // No box of text stands on another one.
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
  expect(spellWeight(grams)).toBe(text)
})
