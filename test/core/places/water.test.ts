import { expect, test } from 'vitest'
import { haversineMetres } from '../../../src/core/geometry.ts'
import { namedPlaces } from '../../../src/core/places/gazetteer.ts'
import { LONDON_DISTRICTS } from '../../../src/core/places/place.ts'
import { POSTCODE_AREAS } from '../../../src/core/places/postcode-areas.ts'
import { ashore, waterAt } from '../../../src/core/places/water.ts'

test.each([
  ['between Waterloo and Blackfriars bridges', 51.5098, -0.1105, 'the Thames'],
  ['in front of Tate Britain', 51.491, -0.1249, 'the Thames'],
  ['in front of the Tower', 51.5066, -0.0805, 'the Thames'],
  ['off the Embankment', 51.5074, -0.12, 'the Thames'],
  ['off the South Bank', 51.506, -0.1185, 'the Thames'],
  ['on Hammersmith Bridge', 51.4883, -0.2306, 'the Thames'],
  ['on Putney Bridge', 51.4669, -0.2132, 'the Thames'],
  ['on Wandsworth Bridge', 51.4649, -0.1881, 'the Thames'],
  ['on Battersea Bridge', 51.4811, -0.1726, 'the Thames'],
  ['on Chelsea Bridge', 51.4848, -0.15, 'the Thames'],
  ['on Vauxhall Bridge', 51.4874, -0.1268, 'the Thames'],
  ['on Lambeth Bridge', 51.4944, -0.123, 'the Thames'],
  ['on Westminster Bridge', 51.5009, -0.1219, 'the Thames'],
  ['on Hungerford Bridge', 51.5062, -0.1203, 'the Thames'],
  ['on Waterloo Bridge', 51.5086, -0.1169, 'the Thames'],
  ['on Blackfriars Bridge', 51.5097, -0.1044, 'the Thames'],
  ['on London Bridge', 51.5079, -0.0877, 'the Thames'],
  ['on Tower Bridge', 51.5055, -0.0754, 'the Thames'],
  ['between Rotherhithe and Canary Wharf', 51.5, -0.03, 'the Thames'],
  ['above the foot tunnel at Greenwich', 51.485, -0.0096, 'the Thames'],
  ['between Blackwall and the O2', 51.501, -0.0028, 'the Thames'],
  ['at the Thames Barrier', 51.4972, 0.0368, 'the Thames'],
  ['on the Woolwich ferry', 51.4965, 0.0622, 'the Thames'],
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
  ['the Southbank Centre', 51.5068, -0.1168],
  ['the London Eye', 51.5033, -0.1196],
  ['Embankment station', 51.5074, -0.1223],
  ['Westminster station', 51.501, -0.1254],
  ['St Thomas’ Hospital', 51.4985, -0.119],
  ['Lambeth Palace', 51.4955, -0.1195],
  ['Tate Britain', 51.491, -0.1278],
  ['the offices at Vauxhall Cross', 51.4873, -0.124],
  ['Battersea Power Station', 51.4817, -0.1445],
  ['St Mary’s, Battersea', 51.4768, -0.1754],
  ['Imperial Wharf station', 51.475, -0.1828],
  ['Putney station', 51.4611, -0.2164],
  ['Putney Bridge station', 51.4682, -0.2089],
  ['Fulham Palace', 51.4704, -0.2158],
  ['Craven Cottage', 51.4749, -0.2217],
  ['Hammersmith station', 51.4927, -0.2239],
  ['the Globe', 51.5081, -0.0972],
  ['Blackfriars station', 51.5117, -0.1037],
  ['Southwark Cathedral', 51.5061, -0.0896],
  ['London Bridge station', 51.5052, -0.0864],
  ['Hay’s Galleria', 51.506, -0.0838],
  ['Old Billingsgate', 51.5089, -0.0843],
  ['Wapping station', 51.5043, -0.0558],
  ['Rotherhithe station', 51.501, -0.0525],
  ['Canary Wharf', 51.5036, -0.0196],
  ['Westferry Circus', 51.5055, -0.027],
  ['Island Gardens', 51.4868, -0.0093],
  ['the Cutty Sark', 51.4828, -0.0098],
  ['the Naval College', 51.4836, -0.0055],
  ['the O2', 51.503, 0.0032],
  ['London City Airport', 51.5048, 0.0495],
  ['Woolwich Arsenal station', 51.49, 0.0693],
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
  const towns = POSTCODE_AREAS.filter(([, , , , , place]) => place !== 'island')
  for (const [area, name, latitude, longitude] of towns)
    expect([area, name, waterAt({ latitude, longitude })]).toEqual([area, name, undefined])
  for (const { name, ...point } of namedPlaces().values())
    expect([name, waterAt(point)]).toEqual([name, undefined])
  for (const [district, , latitude, longitude] of LONDON_DISTRICTS)
    expect([district, waterAt({ latitude, longitude })]).toEqual([district, undefined])
})

test.each([
  ['in the middle, at Tower Bridge', 51.5055, -0.0754],
  ['at the bend of Waterloo', 51.508, -0.1178],
  ['in the bend of Greenwich', 51.4855, -0.0074],
  ['beside the bank of Bankside', 51.5089, -0.0985],
])('a person %s goes to a street beside the river, and no further', (_where, latitude, longitude) => {
  const there = ashore({ latitude, longitude })
  expect(waterAt(there)).toBeUndefined()
  expect(ashore(there)).toBe(there)
  expect(haversineMetres({ latitude, longitude }, there)).toBeLessThan(300)
})

test('a person on land stays there', () => {
  const borough = { latitude: 51.5011, longitude: -0.0943 }
  expect(ashore(borough)).toBe(borough)
})
