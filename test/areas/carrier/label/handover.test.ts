import { expect, test } from 'vitest'
import { type HandoverParcel, layOutHandover } from '../../../../src/areas/carrier/label/handover.ts'
import { makeTypesetter } from '../../../../src/paper/typesetter.ts'

const ADDRESS = { line1: '18 Mandela Way', city: 'London', postal_code: 'SE1 5SS', country_code: 'GB' }
const HUB = {
  code: 'LON2',
  name: 'Bermondsey',
  address: ADDRESS,
  collection: { from: '09:00', cutoff: '17:00' },
}
const PARCEL: HandoverParcel = {
  tracking_number: 'ZC1',
  reference: null,
  service_level: 'next_day',
  route_code: 'LON1-RG-B-ND',
  recipient_name: 'Grace Okoro',
  postal_code: 'RG1 1DB',
  country_code: 'GB',
  weight_grams: 1000,
  handed_over: null,
}

test('a manifest of 500 parcels numbers its rows and its pages, and every row stays on its sheet', () => {
  const parcels = Array.from({ length: 500 }, (_, at) => ({
    ...PARCEL,
    tracking_number: `ZC${at}`,
    handed_over: at % 2 === 0 ? null : '17:05',
  }))
  const sheets = layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels })
  const texts = sheets.map(({ items }) => items.flatMap((item) => (item.kind === 'text' ? item.lines : [])))
  expect(texts.map((lines) => lines.filter((line) => line.startsWith('Page')))).toEqual(
    sheets.map((_, at) => [`Page ${at + 1} of ${sheets.length}`]),
  )
  expect(texts.flat().filter((line) => /^ZC\d+$/.test(line))).toEqual(
    parcels.map(({ tracking_number }) => tracking_number),
  )
  expect(texts[0]).toContain('250 of 500 parcels are not handed over yet.')
  expect(texts[0]?.filter((line) => line === '500 kg')).toHaveLength(2)
  for (const { width, height, items } of sheets)
    for (const item of items) {
      expect(item.x + item.width).toBeLessThanOrEqual(width)
      expect(item.y + item.height).toBeLessThanOrEqual(height)
    }
})

test('a name in Arabic stands below the title of its column, away from the postcode', () => {
  const parcels = [{ ...PARCEL, recipient_name: 'محمد' }]
  const [sheet] = layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels })
  const { fit } = makeTypesetter()
  const lines = sheet?.items.flatMap((item) => (item.kind === 'text' ? fit(item).lines : [])) ?? []
  const [title, name] = ['To', 'محمد'].map((text) => lines.find((line) => line.text === text)?.x)
  expect(name).toBe(title)
})
