import { describe, expect, test } from 'vitest'
import { haversineMetres } from '../../../src/core/geometry.ts'
import { POSTCODE_AREAS, POSTCODE_DISTRICTS } from '../../../src/core/places/postcode-areas.ts'
import {
  findPostcodeArea,
  formatPostcode,
  isPoBox,
  findForeignPostcodePlace,
  nearestArea,
  normalizePostcode,
} from '../../../src/core/places/postcode.ts'

describe('the areas', () => {
  test('are the 121 of the United Kingdom and the 3 of the Crown Dependencies, each once', () => {
    expect(POSTCODE_AREAS).toHaveLength(124)
    expect(new Set(POSTCODE_AREAS.map(([area]) => area)).size).toBe(124)
  })

  test('lie on the islands, and no two at the same place', () => {
    const places = [...POSTCODE_AREAS, ...POSTCODE_DISTRICTS.map(([, ...row]) => row)]
    for (const [area, , latitude, longitude] of places) {
      expect([area, latitude > 49 && latitude < 61, longitude > -8.2 && longitude < 1.8]).toEqual([
        area,
        true,
        true,
      ])
    }
    expect(new Set(places.map(([, , latitude, longitude]) => `${latitude} ${longitude}`)).size).toBe(
      places.length,
    )
  })

  test('lie near their own districts', () => {
    for (const [districts, area, , latitude, longitude] of POSTCODE_DISTRICTS) {
      const town = POSTCODE_AREAS.find(([code]) => code === area)
      const metres = haversineMetres(
        { latitude, longitude },
        { latitude: town?.[2] ?? 0, longitude: town?.[3] ?? 0 },
      )
      expect([area, districts, metres < 200_000]).toEqual([area, districts, true])
    }
  })

  test.each([
    ['A', ['E', 'EC', 'N', 'NW', 'SE', 'SW', 'W', 'WC']],
    ['D', ['BT', 'GY', 'HS', 'IM', 'IV', 'JE', 'KW', 'ZE']],
  ])('of zone %s are %j', (zone, expected) => {
    expect(POSTCODE_AREAS.filter((row) => row[4] === zone).map(([area]) => area)).toEqual(expected)
  })
})

describe('a postcode', () => {
  test.each([
    ['SW1A 1AA', 'South West London', 'A', false],
    ['sw1a1aa', 'South West London', 'A', false],
    ['E1 6AN', 'East London', 'A', false],
    ['EC2A 4NE', 'East Central London', 'A', false],
    ['BR1 1AA', 'Bromley', 'B', false],
    ['CB2 1TN', 'Cambridge', 'B', false],
    ['M1 1AE', 'Manchester', 'C', false],
    ['CF10 1EP', 'Cardiff', 'C', false],
    ['EH1 1YZ', 'Edinburgh', 'C', false],
    ['PH1 5AA', 'Perth', 'C', false],
    ['PH33 6AA', 'Fort William', 'D', false],
    ['PH50 4AA', 'Fort William', 'D', false],
    ['PH43 4AA', 'Small Isles', 'D', true],
    ['IV2 3AA', 'Inverness', 'D', false],
    ['IV40 8AA', 'Lochcarron', 'D', false],
    ['IV51 9AA', 'Isle of Skye', 'D', true],
    ['KW1 4AA', 'Wick', 'D', false],
    ['KW15 1AA', 'Orkney', 'D', true],
    ['ZE1 0AA', 'Lerwick', 'D', true],
    ['HS1 2AA', 'Stornoway', 'D', true],
    ['PA1 1AA', 'Paisley', 'C', false],
    ['PA34 4AA', 'Oban', 'D', false],
    ['PA15 1AA', 'Greenock', 'C', false],
    ['PA80 5AA', 'Morvern', 'D', false],
    ['PA43 7AA', 'Islay and Gigha', 'D', true],
    ['KA1 1AA', 'Kilmarnock', 'C', false],
    ['KA27 8AA', 'Isle of Arran', 'D', true],
    ['BT1 5GS', 'Belfast', 'D', false],
    ['BT48 6AA', 'Londonderry', 'D', false],
    ['PO1 1AA', 'Portsmouth', 'B', false],
    ['PO30 1AA', 'Isle of Wight', 'B', true],
    ['TR21 0AA', 'Isles of Scilly', 'D', true],
    ['IM1 1AA', 'Isle of Man', 'D', true],
    ['JE2 3AA', 'Jersey', 'D', true],
    ['GY1 1AA', 'Guernsey', 'D', true],
    ['SW1A', 'South West London', 'A', false],
  ])('%s is in %s, zone %s', (postcode, name, zone, island) => {
    expect(findPostcodeArea(postcode)).toMatchObject({ name, zone, island })
  })

  test.each([
    '',
    'ZZ1 1AA',
    'SW1A 1A',
    'SW1A 1AAA',
    '12345',
    'K1A 0B1',
    'GIR 0AA',
    '%',
    'SW1A 1CI',
    'S',
    'constructor',
  ])('%j is none we know', (postcode) => {
    expect(findPostcodeArea(postcode)).toBeUndefined()
  })

  test.each([
    [' sw1a 1aa ', 'SW1A1AA', 'SW1A 1AA'],
    ['e16an', 'E16AN', 'E1 6AN'],
    ['m11ae', 'M11AE', 'M1 1AE'],
    ['B 33 8TH', 'B338TH', 'B33 8TH'],
    ['sw1a', 'SW1A', 'SW1A'],
    [' 1012  ab', '1012AB', '1012 AB'],
    ['75008', '75008', '75008'],
  ])('%j is compared as %s and shown as %s', (text, compact, shown) => {
    expect(normalizePostcode(text)).toBe(compact)
    expect(formatPostcode(text)).toBe(shown)
  })
})

describe('a point', () => {
  test.each([
    ['Buckingham Palace', 51.501476, -0.140634, 'A'],
    ['Ben Nevis', 56.797, -5.004, 'D'],
    ['Portree', 57.413, -6.194, 'D'],
    ['Land’s End', 50.066, -5.715, 'C'],
    ['Great Yarmouth', 52.606, 1.729, 'B'],
    ['Skegness', 53.144, 0.336, 'B'],
    ['Whitby', 54.486, -0.615, 'C'],
    ['Barmouth', 52.722, -4.056, 'C'],
    ['Stranraer', 54.903, -5.025, 'C'],
    ['Durness', 58.568, -4.747, 'D'],
  ])('%s is in the zone of the nearest town', (_, latitude, longitude, zone) => {
    expect(nearestArea({ latitude, longitude })?.zone).toBe(zone)
  })

  test.each([
    ['Lymington', 50.758, -1.542],
    ['Fawley', 50.825, -1.35],
    ['Gosport', 50.795, -1.124],
    ['Land’s End', 50.066, -5.715],
    ['Fairlie', 55.757, -4.853],
    ['Ardrossan', 55.64, -4.81],
    ['Turnberry', 55.32, -4.83],
    ['Wemyss Bay', 55.877, -4.889],
    ['Dunoon', 55.948, -4.927],
    ['Tarbert', 55.862, -5.415],
    ['Lochaline', 56.54, -5.77],
    ['Acharacle', 56.744, -5.8],
    ['Mallaig', 57.004, -5.828],
    ['Kyle of Lochalsh', 57.28, -5.713],
    ['Applecross', 57.43, -5.81],
    ['John o’ Groats', 58.64, -3.07],
    ['St Bees', 54.494, -3.59],
  ])('%s faces an island and is none', (_, latitude, longitude) => {
    expect(nearestArea({ latitude, longitude })?.island).toBe(false)
  })

  test.each([
    ['Newport', 50.7, -1.291],
    ['Ventnor', 50.595, -1.206],
    ['Brodick', 55.576, -5.147],
    ['Rothesay', 55.836, -5.055],
    ['Tobermory', 56.623, -6.068],
    ['Portree', 57.413, -6.194],
    ['Kirkwall', 58.981, -2.96],
    ['Castletown', 54.074, -4.654],
  ])('%s is on an island', (_, latitude, longitude) => {
    expect(nearestArea({ latitude, longitude })?.island).toBe(true)
  })

  test.each([
    ['Paris', 48.858, 2.294],
    ['Calais', 50.951, 1.858],
    ['Dublin', 53.349, -6.26],
    ['the North Sea', 56, 3],
    ['null island', 0, 0],
    ['the pole', 90, 0],
  ])('%s is far from all of them', (_, latitude, longitude) => {
    expect(nearestArea({ latitude, longitude })).toBeUndefined()
  })

  test('of every town finds that town', () => {
    for (const [area, , latitude, longitude] of POSTCODE_AREAS)
      expect(nearestArea({ latitude, longitude })?.area).toBe(area)
  })
})

describe('a post office box', () => {
  test.each([
    'PO Box 12',
    'P.O. Box 12',
    'p o box 12',
    'Unit 3, POBOX 12',
    'c/o PO Box 3',
    'PO BOX12',
    'P.O.BOX.12',
    'PO-Box 12',
    'P/O Box 12',
    'P0 Box 12',
    'PO Bx 12',
    'P.O. 12',
    'PO 12',
    'POB 12',
    'p.o.b. 12',
    'Post Box 12',
    'Postbox No. 12',
    'Postal Box 12',
    'Post Office Box 12',
    'Post-Office Box 12',
    'PostOffice Box 12',
    'GPO Box 12',
    'G.P.O. Box 12',
    'Private Bag 12',
    'Locked Mail Bag 12',
    'Postfach 12',
    'Boîte postale 12',
    'BP 12',
    'Apartado de correos 12',
    'Casella Postale 12',
    'Postbus 12',
    'ＰＯ Ｂｏｘ 12',
    'P\u200bO Box 12',
    'PO\u00a0Box 12',
  ])('%j is one', (line) => {
    expect(isPoBox(line)).toBe(true)
  })

  test.each([
    '1 Post Office Lane',
    '12 Boxgrove Road',
    'Depot Box 4',
    '3 Poboxer Street',
    'Old Post Office, Box Road',
    'Boxwood House, 1 Mill Lane',
    'Po Boxall Close',
    '1 Box Hill',
    'Apollo Box Works',
    'Post Office Boxing Club',
    '12 Po Street',
    'The Post Office, Box, Wiltshire',
    'Unit 3 Depo Box Park',
    '1 Pillar Box Lane',
    '2 Post Box Lane',
    'The Signal Box, Station Rd',
    'Gosport PO12 1AA',
    'BP Garage, 12 High Street',
    'Flat B, Apollo House',
    '12 Rue de la Poste',
  ])('%j is none', (line) => {
    expect(isPoBox(line)).toBe(false)
  })
})

describe('a postcode of a place that the carrier does not serve', () => {
  test.each([
    ['BF1 2AY', 'British Forces addresses (BFPO)'],
    ['bfpo 61', 'British Forces addresses (BFPO)'],
    ['GX11 1AA', 'Gibraltar'],
    ['FIQQ 1ZZ', 'the Falkland Islands'],
    ['KY1-1102', 'the Cayman Islands'],
    ['D02 X285', 'Ireland'],
    ['T12 AX34', 'Ireland'],
    ['D6W XY00', 'Ireland'],
  ])('%s names %s', (postcode, place) => {
    expect(findForeignPostcodePlace(postcode)).toBe(place)
  })

  test('is none of any area here', () => {
    for (const [area] of POSTCODE_AREAS)
      for (const rest of ['1 1AA', '12 3BC', '1A 9ZZ'])
        expect(findForeignPostcodePlace(`${area}${rest}`)).toBeUndefined()
  })
})
