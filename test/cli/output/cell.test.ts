import { describe, expect, test } from 'vitest'
import { cellText, formatFieldLabel } from '../../../src/cli/output/cell.ts'

const people = { tty: true, width: 80, colour: false, timezone: 'Europe/London' }
const pipe = { ...people, tty: false }
const address = {
  line1: '10 Downing Street',
  line2: 'Flat 2',
  city: 'London',
  region: 'Greater London',
  postal_code: 'SW1A 2AA',
  country_code: 'GB',
}

describe('people read', () => {
  test.each([
    ['price', { amount: 612, currency: 'GBP' }, '£6.12'],
    ['price', { amount: 123456789, currency: 'GBP' }, '£1,234,567.89'],
    ['price', { amount: 500, currency: 'JPY' }, '¥500'],
    ['price', { amount: 1234567, currency: 'KWD' }, '1,234.567 KWD'],
    ['price', { amount: 612, currency: 'ZZZ' }, '612 ZZZ (minor units)'],
    [
      'modifiers',
      [
        { name: 'Fried egg', quantity: 2, price_delta: { amount: 120, currency: 'GBP' } },
        { name: 'Hot', quantity: 1, price_delta: { amount: 0, currency: 'GBP' } },
      ],
      '2 × Fried egg +£1.20, Hot',
    ],
    [
      'dropoff',
      { name: 'King’s Cross', address: null, location: { latitude: 51.5308, longitude: -0.1238 } },
      'King’s Cross (51.5308, -0.1238)',
    ],
    ['dropoff', { location: { latitude: 51.5308, longitude: -0.1238 } }, '51.5308, -0.1238'],
    [
      'dropoff',
      { name: 'Moorgate', address, location: { latitude: 51.5308, longitude: -0.1238 } },
      'Moorgate, 10 Downing Street, Flat 2, London SW1A 2AA, Greater London, GB',
    ],
    ['created_at', '2026-11-20T12:00:00.000Z', '20 Nov 2026 12:00 GMT'],
    ['created_at', '2026-07-20T12:00:00.000Z', '20 Jul 2026 13:00 BST'],
    ['created_at', '2026-11-20T23:59:59.999+00:00', '20 Nov 2026 23:59 GMT'],
    ['estimated_delivery_date', '2026-11-03', '3 Nov 2026'],
    ['active', true, 'yes'],
    ['active', false, 'no'],
    ['weight_grams', 1400, '1.4 kg'],
    ['weight_grams', 350, '350 g'],
    ['length_mm', 300, '300 mm'],
    ['rate_bps', 2000, '20%'],
    ['road_distance_m', 12345, '12.35 km'],
    ['driving_time_seconds', 90, '90 s'],
    ['attempts', 0, '0'],
    ['reference', '2026-11-03', '2026-11-03'],
    ['reference', null, ''],
    ['reference', undefined, ''],
    ['tags', [], ''],
    ['tags', ['a', 'b'], 'a, b'],
    ['location', { latitude: 51.5, longitude: -0.14 }, '51.5, -0.14'],
    ['address', address, '10 Downing Street, Flat 2, London SW1A 2AA, Greater London, GB'],
    [
      'dropoff',
      { name: 'Home', address: { line1: '1 High St', city: 'York', country_code: 'GB' } },
      'Home, 1 High St, York, GB',
    ],
    [
      'hub',
      { hub_id: 'hub_01m7vkystgeegbv5hxx5fd6kz5', name: 'London East', city: 'London' },
      'London East, London',
    ],
    ['hub', { hub_id: 'hub_01m7vkystgeegbv5hxx5fd6kz5' }, 'hub_01m7vkystgeegbv5hxx5fd6kz5'],
    ['lost', [{ reason: 'not_accepted_in_time', orders: 2 }], 'not accepted in time, 2'],
  ])('%s %j as "%s"', (field, value, text) => {
    expect(cellText(value, field, people)).toBe(text)
  })

  test('times in UTC when the zone is not one', () => {
    expect(cellText('2026-07-20T12:00:00.000Z', 'at', { ...people, timezone: ':/etc/x' })).toBe(
      '20 Jul 2026 12:00 UTC',
    )
  })

  test('a name that looks like an invalid time unchanged', () => {
    expect(cellText('9999-99-99T99:99:99Z', 'name', people)).toContain('9999-99-99T99:99:99Z')
    expect(cellText('2026-13-45', 'name', people)).toBe('2026-13-45')
  })
})

describe('a pipe gets', () => {
  test.each([
    ['price', { amount: 612, currency: 'GBP' }, '6.12 GBP'],
    ['price', { amount: 500, currency: 'JPY' }, '500 JPY'],
    ['created_at', '2026-07-20T12:00:00.000Z', '2026-07-20T13:00:00.000+01:00'],
    ['estimated_delivery_date', '2026-11-03', '2026-11-03'],
    ['weight_grams', 1400, '1400'],
    ['rate_bps', 2000, '2000'],
  ])('%s %j as "%s"', (field, value, text) => {
    expect(cellText(value, field, pipe)).toBe(text)
  })
})

test.each([
  ['created_at', 'Created'],
  ['tracking_number', 'Tracking number'],
  ['parcel.weight_grams', 'Weight'],
  ['hub_id', 'Hub'],
  ['estimated_delivery_date', 'Estimated delivery date'],
  ['recipient.contact.name', 'Name'],
  ['rate_bps', 'Rate'],
  ['statement.vat', 'VAT'],
  ['id', 'Id'],
])('the heading of %s is "%s"', (field, label) => {
  expect(formatFieldLabel(field)).toBe(label)
})
