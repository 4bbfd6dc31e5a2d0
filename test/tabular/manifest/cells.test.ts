import { describe, expect, test } from 'vitest'
import * as cells from '../../../src/tabular/manifest/cells.ts'

describe('postcodes', () => {
  test.each([
    ['e16ea', 'E1 6EA'],
    [' EC1A 1BB ', 'EC1A 1BB'],
    ['sw1a1aa', 'SW1A 1AA'],
  ])('%j is %s', (text, value) => {
    expect(cells.readPostcode(text, 'GB', 12)).toEqual({ value })
  })

  test.each([
    ['SWIA 1AA', 'SW1A 1AA'],
    ['SW1A lAA', 'SW1A 1AA'],
    ['M1 4EO', undefined],
    ['E1 GEA', undefined],
    ['BN1 IAL', 'BN1 1AL'],
    ['CF1O 1EP', 'CF10 1EP'],
    ['LS10-1NB', 'LS10 1NB'],
    ['\u0415\u0031 6\u0415\u0410', 'E1 6EA'],
    ['\u0391B1 2\u0392\u0391', 'AB1 2BA'],
    ['Ｅ１　６ＥＡ', 'E1 6EA'],
    ['12345', undefined],
    ['SW1A', undefined],
  ])('%s is refused and %s suggested', (text, suggestion) => {
    const reading = cells.readPostcode(text, 'GB', 12)
    expect(reading).toMatchObject({ fault: { code: 'invalid_format' } })
    expect('fault' in reading && reading.fault.suggestion).toBe(suggestion)
  })

  test('Jersey has the British shape, Germany has not', () => {
    expect(cells.readPostcode('je23ab', 'JE', 12)).toEqual({ value: 'JE2 3AB' })
    expect(cells.readPostcode('10115', 'JE', 12)).toMatchObject({ fault: { code: 'invalid_format' } })
    expect(cells.readPostcode('10115', 'DE', 12)).toEqual({ value: '10115' })
    expect(cells.readPostcode('10115 / Berlin', 'DE', 12)).toMatchObject({
      fault: { code: 'invalid_format' },
    })
    expect(cells.readPostcode('x'.repeat(200), 'DE', 12)).toMatchObject({ fault: { code: 'too_long' } })
  })
})

describe('countries and references', () => {
  test.each([
    ['gb', 'GB'],
    ['GBR', 'GB'],
    ['United Kingdom', 'GB'],
    ['England', 'GB'],
  ])('the country %s is %s', (text, value) => {
    expect(cells.readCountry(text)).toEqual({ value })
  })

  test('a misspelt country is refused', () => {
    expect(cells.readCountry('Deutchland')).toMatchObject({ fault: { code: 'invalid_format' } })
  })

  test('a misspelt country is answered with the one that may be meant', () => {
    expect(cells.readCountry('United Kindom')).toMatchObject({ fault: { suggestion: 'United Kingdom' } })
  })

  test.each([
    ['Channel Islands', 'GY1 2JG', 'GG'],
    ['Kanalinseln', 'je2 3ab', 'JE'],
  ])('%s with %s is %s', (text, postcode, value) => {
    expect(cells.readCountry(text, postcode)).toEqual({ value })
  })

  test('the Channel Islands without a postcode of one of them are two countries', () => {
    expect(cells.readCountry('Channel Islands')).toMatchObject({
      fault: { detail: 'It is two countries; write Jersey or Guernsey.' },
    })
  })

  test('a number that a spreadsheet has shortened is told as such', () => {
    const fault = { detail: expect.stringContaining('spreadsheet') as string }
    expect(cells.readReference('1.23457E+14', 64, new Set())).toMatchObject({ fault })
    expect(cells.readReference('1E+14', 64, new Set())).toMatchObject({ fault })
    expect(cells.readReference('1,2E+14', 64, new Set())).toMatchObject({ fault })
  })

  test.each(['1E5', 'E+14', '12E+14', 'A-1E+14', '123457000000000'])('%j is a reference', (value) => {
    expect(cells.readReference(value, 64, new Set())).toEqual({ value })
  })
})

describe('service levels', () => {
  test.each([
    ['next_day', 'next_day'],
    ['next-day', 'next_day'],
    ['Next Day', 'next_day'],
    ['Next Day Delivery', 'next_day'],
    ['24h', 'next_day'],
    ['24 hours', 'next_day'],
    ['Royal Mail Tracked 24', 'next_day'],
    ['48h', 'two_day'],
    ['Two day', 'two_day'],
    ['SAME_DAY', 'same_day'],
    ['economy', 'economy'],
  ])('%j is %s', (text, value) => {
    expect(cells.readServiceLevel(text)).toEqual({ value })
  })

  test('another word is refused with the levels and the nearest one', () => {
    expect(cells.readServiceLevel('next_dya')).toEqual({
      fault: {
        code: 'invalid_enum',
        detail: 'It is not a service level; use same_day, next_day, two_day, economy.',
        suggestion: 'next_day',
      },
    })
    expect(cells.readServiceLevel('constructor')).toMatchObject({ fault: { code: 'invalid_enum' } })
  })
})

describe('hubs', () => {
  const hubs = [
    { hub_id: 'hub_01m7vkystgef38d6j5p56t9yfw', code: 'LON1' },
    { hub_id: 'hub_01m7vkystgef38d6j5p56t9yfx', code: 'LON2' },
  ]

  test('are named by code or id', () => {
    expect(cells.readHub('lon2', hubs)).toEqual({ value: hubs[1]?.hub_id })
    expect(cells.readHub('hub_01m7vkystgef38d6j5p56t9yfw', hubs)).toEqual({ value: hubs[0]?.hub_id })
  })

  test('are left to the service when they are not known', () => {
    expect(cells.readHub('LON9', undefined)).toEqual({ value: 'LON9' })
  })

  test('of another agreement are refused, with those that may be named', () => {
    expect(cells.readHub('LON9', hubs)).toMatchObject({
      fault: { code: 'invalid_enum', detail: expect.stringContaining('LON1, LON2'), suggestion: 'LON1' },
    })
  })
})
