import { expect, test } from 'vitest'
import {
  countServices,
  type HandoverParcel,
  layOutHandover,
} from '../../../../src/areas/carrier/label/handover.ts'
import { makeTypesetter } from '../../../../src/rendering/typesetter.ts'
import { describeItems } from '../../../support/drawn.ts'

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
  expect(texts[0]).toContain('250 of 500 parcels are awaiting collection.')
  expect(texts[0]?.filter((line) => line === '500 kg')).toHaveLength(2)
  for (const { width, height, items } of sheets)
    for (const item of items) {
      expect(item.x + item.width).toBeLessThanOrEqual(width)
      expect(item.y + item.height).toBeLessThanOrEqual(height)
    }
})

test('a manifest looks like this, line by line', () => {
  const parcels: HandoverParcel[] = [
    { ...PARCEL, reference: 'A-1', handed_over: '17:05' },
    { ...PARCEL, service_level: 'economy', postal_code: '10115', country_code: 'DE', weight_grams: 800 },
  ]
  const [sheet, ...more] = layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels })
  expect(more).toEqual([])
  expect(describeItems(sheet?.items ?? [])).toMatchInlineSnapshot(`
    [
      "text 14,12 120×11 24–12 bold ["Collection list"]",
      "text 134,12 62×11 20–10 right ["20 Nov 2026"]",
      "fill 14,25 182×0.6",
      "text 14,27.5 80×4 7–3.5 ["HUB"]",
      "text 14,31.5 86×7 14–7 bold ["LON2  Bermondsey"]",
      "text 14,39 86×9 9–4.5 ["18 Mandela Way, LONDON, SE1 5SS"]",
      "text 14,48.5 86×4.5 9–4.5 ["Collection 09:00–17:00"]",
      "text 110,27.5 80×4 7–3.5 ["SENDER"]",
      "text 110,31.5 86×12 14–7 bold ["Morgan Trading"]",
      "text 110,46 86×7 11–5.5 bold ["1 of 2 parcels are awaiting collection."]",
      "text 14,56 36×5.5 11–5.5 bold ["Service"]",
      "text 50,56 22×5.5 11–5.5 bold right ["Parcels"]",
      "text 72,56 28×5.5 11–5.5 bold right ["Weight"]",
      "fill 14,62 86×0.4",
      "text 14,63.5 36×5.5 11–5.5 ["Next day"]",
      "text 50,63.5 22×5.5 11–5.5 right ["1"]",
      "text 72,63.5 28×5.5 11–5.5 right ["1 kg"]",
      "text 14,69.5 36×5.5 11–5.5 ["Economy"]",
      "text 50,69.5 22×5.5 11–5.5 right ["1"]",
      "text 72,69.5 28×5.5 11–5.5 right ["800 g"]",
      "fill 14,75 86×0.25",
      "text 14,75.5 36×5.5 11–5.5 bold ["Total"]",
      "text 50,75.5 22×5.5 11–5.5 bold right ["2"]",
      "text 72,75.5 28×5.5 11–5.5 bold right ["1.8 kg"]",
      "frame 110,56 86×21 line 0.3",
      "text 111.5,57 83×4 7–3.5 ["HANDED OVER BY (NAME, SIGNATURE)"]",
      "frame 110,79 86×21 line 0.3",
      "text 111.5,80 83×4 7–3.5 ["COLLECTED BY DRIVER (NAME, SIGNATURE, TIME)"]",
      "text 14,108 11×5 9–3.5 bold left middle ["No."]",
      "text 26,108 34×5 9–3.5 bold left middle ["Tracking number"]",
      "text 61,108 33×5 9–3.5 bold left middle ["Reference"]",
      "text 95,108 36×5 9–3.5 bold left middle ["To"]",
      "text 132,108 18×5 9–3.5 bold left middle ["Postcode"]",
      "text 151,108 18×5 9–3.5 bold left middle ["Service"]",
      "text 169,108 13×5 9–3.5 bold right middle ["Weight"]",
      "text 184,108 12×5 9–3.5 bold left middle ["Taken"]",
      "fill 14,114 182×0.4",
      "text 14,115 11×5 9–3.5 left middle GB ["1"]",
      "text 26,115 34×5 9–3.5 left middle GB ["ZC1"]",
      "text 61,115 33×5 9–3.5 left middle GB ["A-1"]",
      "text 95,115 36×5 9–3.5 left middle GB ["Grace Okoro"]",
      "text 132,115 18×5 9–3.5 left middle GB ["RG1 1DB"]",
      "text 151,115 18×5 9–3.5 left middle GB ["Next day"]",
      "text 169,115 13×5 9–3.5 right middle GB ["1 kg"]",
      "text 184,115 12×5 9–3.5 left middle GB ["17:05"]",
      "fill 14,120.6 182×0.1",
      "text 14,121 11×5 9–3.5 left middle DE ["2"]",
      "text 26,121 34×5 9–3.5 left middle DE ["ZC1"]",
      "text 95,121 36×5 9–3.5 left middle DE ["Grace Okoro"]",
      "text 132,121 18×5 9–3.5 left middle DE ["DE 10115"]",
      "text 151,121 18×5 9–3.5 left middle DE ["Economy"]",
      "text 169,121 13×5 9–3.5 right middle DE ["800 g"]",
      "frame 188,121.9 3.4×3.4 line 0.3",
      "fill 14,126.6 182×0.1",
      "text 14,285 182×5 9–4.5 right ["Page 1 of 1"]",
    ]
  `)
})

test('a manifest without parcels has no table of them', () => {
  const [sheet] = layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels: [] })
  expect(describeItems(sheet?.items ?? []).filter((item) => item.includes('Tracking number'))).toEqual([])
})

test('the second sheet of a manifest goes on below its own head, and a full first one has no second', () => {
  const sheetsOf = (count: number) =>
    layOutHandover({
      hub: HUB,
      sender: 'Morgan Trading',
      date: '2026-11-20',
      parcels: Array.from({ length: count }, () => PARCEL),
    })
  expect([0, 1, 27, 28, 68, 69].map((count) => sheetsOf(count).length)).toEqual([1, 1, 1, 2, 2, 3])
  expect(describeItems(sheetsOf(28)[1]?.items ?? [])).toMatchInlineSnapshot(`
    [
      "text 14,12 110×7 12–6 bold ["Collection list  LON2  20 Nov 2026"]",
      "text 126,12 70×7 11–5.5 right ["Morgan Trading"]",
      "fill 14,21 182×0.4",
      "text 14,26 11×5 9–3.5 bold left middle ["No."]",
      "text 26,26 34×5 9–3.5 bold left middle ["Tracking number"]",
      "text 61,26 33×5 9–3.5 bold left middle ["Reference"]",
      "text 95,26 36×5 9–3.5 bold left middle ["To"]",
      "text 132,26 18×5 9–3.5 bold left middle ["Postcode"]",
      "text 151,26 18×5 9–3.5 bold left middle ["Service"]",
      "text 169,26 13×5 9–3.5 bold right middle ["Weight"]",
      "text 184,26 12×5 9–3.5 bold left middle ["Taken"]",
      "fill 14,32 182×0.4",
      "text 14,33 11×5 9–3.5 left middle GB ["28"]",
      "text 26,33 34×5 9–3.5 left middle GB ["ZC1"]",
      "text 95,33 36×5 9–3.5 left middle GB ["Grace Okoro"]",
      "text 132,33 18×5 9–3.5 left middle GB ["RG1 1DB"]",
      "text 151,33 18×5 9–3.5 left middle GB ["Next day"]",
      "text 169,33 13×5 9–3.5 right middle GB ["1 kg"]",
      "frame 188,33.9 3.4×3.4 line 0.3",
      "fill 14,38.6 182×0.1",
      "text 14,285 182×5 9–4.5 right ["Page 2 of 2"]",
    ]
  `)
})

test.each([
  [[null, null], 'No parcels are collected yet.'],
  [['17:05', null], '1 of 2 parcels are awaiting collection.'],
  [['17:05', '17:06'], 'All parcels are collected.'],
] as const)('of parcels taken at %j the manifest says %s', (times, words) => {
  const parcels = times.map((handed_over) => ({ ...PARCEL, handed_over }))
  const [sheet] = layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels })
  expect(describeItems(sheet?.items ?? []).filter((line) => line.includes(words))).toHaveLength(1)
})

test('services are counted fastest first, without those that have no parcel', () => {
  const levels = ['economy', 'same_day', 'economy'] as const
  expect(countServices(levels.map((service_level) => ({ ...PARCEL, service_level })))).toEqual([
    { service_level: 'same_day', parcels: 1, weight_grams: 1000 },
    { service_level: 'economy', parcels: 2, weight_grams: 2000 },
  ])
})

test('a name in Arabic is below the title of its column, away from the postcode', () => {
  const parcels = [{ ...PARCEL, recipient_name: 'محمد' }]
  const [sheet] = layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels })
  const { fit } = makeTypesetter()
  const lines = sheet?.items.flatMap((item) => (item.kind === 'text' ? fit(item).lines : [])) ?? []
  const [title, name] = ['To', 'محمد'].map((text) => lines.find((line) => line.text === text)?.x)
  expect(name).toBe(title)
})

test('a manifest has its code as bars, as a matrix and in letters, above its list', () => {
  const manifest_id = 'mnf_01m7vkystgf7vtyybg4s0p9p1s'
  const sheetsOf = (count: number) => {
    const parcels = Array.from({ length: count }, () => PARCEL)
    return layOutHandover({ hub: HUB, sender: 'Morgan Trading', date: '2026-11-20', parcels, manifest_id })
  }
  const [first, second, ...more] = sheetsOf(24).map(({ items }) => items)
  expect(more).toEqual([])
  expect(sheetsOf(23)).toHaveLength(1)
  const coded = (first ?? []).flatMap((item) => ('value' in item ? item : []))
  expect(coded.map(({ kind, value }) => [kind, value])).toEqual([
    ['code128', manifest_id],
    ['datamatrix', manifest_id],
  ])
  const lines = (items: typeof first = []) =>
    items.flatMap((item) => (item.kind === 'text' ? item.lines : []))
  expect(lines(first)).toContain(manifest_id)
  expect(lines(first)[0]).toBe('Collection manifest')
  expect(lines(second)[0]).toContain('Collection manifest  LON2')
  const end = Math.max(...coded.map(({ y, height }) => y + height))
  const list = (first ?? []).filter((item) => item.kind === 'text' && item.lines[0] === 'No.')
  expect(list.every(({ y }) => y >= end)).toBe(true)
})
