import { expect, test } from 'vitest'
import { NAMED_PLACES } from '../../src/domain/gazetteer.ts'
import { LONDON_DISTRICTS } from '../../src/domain/london-districts.ts'
import { AREAS } from '../../src/domain/postcode-areas.ts'
import { waterAt } from '../../src/domain/water.ts'

test.each([
  ['between Waterloo and Blackfriars bridges', 51.5098, -0.1105, 'the Thames'],
  ['in front of Tate Britain', 51.491, -0.1249, 'the Thames'],
  ['in front of the Tower', 51.5066, -0.0805, 'the Thames'],
  ['off Brighton', 50.7, -0.14, 'the sea'],
  ['off Dover', 51.0, 1.5, 'the sea'],
  ['in the Bristol Channel', 51.35, -3.8, 'the sea'],
  ['off Whitby', 54.3, 0.5, 'the sea'],
])('a point %s is in water', (_where, latitude, longitude, water) => {
  expect(waterAt({ latitude, longitude })).toBe(water)
})

test.each([
  ['the National Theatre', 51.5071, -0.1141],
  ['Somerset House', 51.5111, -0.1171],
  ['Tate Modern', 51.5076, -0.0994],
  ['the Tower', 51.5081, -0.0759],
  ['Parliament', 51.4995, -0.1248],
  ['Tower Bridge', 51.5055, -0.0754],
  ['Waterloo Bridge', 51.5086, -0.1169],
  ['Canary Wharf', 51.5036, -0.0196],
  ['Brighton Pier', 50.8167, -0.1367],
  ['Southend', 51.5378, 0.7143],
  ['Penzance', 50.1188, -5.5376],
  ['St Davids', 51.8812, -5.266],
  ['Cromer', 52.9315, 1.3017],
  ['Blackpool', 53.8175, -3.0357],
  ['Portsmouth', 50.8198, -1.088],
  ['the Isle of Wight', 50.59, -1.21],
  ['Cardiff', 51.4816, -3.1791],
  ['Hull', 53.7457, -0.3367],
  ['Berlin', 52.52, 13.4],
])('%s is on land', (_place, latitude, longitude) => {
  expect(waterAt({ latitude, longitude })).toBeUndefined()
})

test('no named place, no district of London and no town lies in water', () => {
  const towns = AREAS.filter(([, , , , , place]) => place !== 'island')
  for (const [area, name, latitude, longitude] of towns)
    expect([area, name, waterAt({ latitude, longitude })]).toEqual([area, name, undefined])
  for (const { name, ...point } of NAMED_PLACES) expect([name, waterAt(point)]).toEqual([name, undefined])
  for (const [district, , latitude, longitude] of LONDON_DISTRICTS)
    expect([district, waterAt({ latitude, longitude })]).toEqual([district, undefined])
})
