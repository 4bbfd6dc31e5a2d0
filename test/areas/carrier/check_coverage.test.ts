import { beforeAll, describe, expect, test } from 'vitest'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

test('the result for a postcode has its zone, the levels that go there and when they arrive', async () => {
  const found = await world.ok('check_coverage', { postal_code: 'rg11db', country_code: 'GB' })
  expect(found).toMatchObject({
    deliverable: true,
    country_code: 'GB',
    postal_code: 'RG1 1DB',
    location: null,
    zone: 'B',
    restrictions: ['po_box_refused'],
    reason_code: null,
  })
  expect(
    found.service_levels.map(({ code, estimated_delivery_date }) => [code, estimated_delivery_date]),
  ).toEqual([
    ['same_day', '2026-11-20'],
    ['next_day', '2026-11-21'],
    ['two_day', '2026-11-24'],
    ['economy', '2026-11-27'],
  ])
  expect(found.hub_id).toMatch(/^hub_/)
})

test.each([
  ['2026-12-24T09:00:00Z', ['2026-12-24', '2026-12-29', '2026-12-30', '2027-01-05']],
  ['2026-12-25T09:00:00Z', ['2026-12-29', '2026-12-30', '2026-12-31', '2027-01-06']],
  ['2027-03-25T18:00:00Z', ['2027-03-30', '2027-03-31', '2027-04-01', '2027-04-06']],
])('nothing is promised for a bank holiday when it is asked for at %s', async (at, promised) => {
  const holiday = await openTestSandbox({ at: Date.parse(at) })
  const found = await holiday.ok('check_coverage', { postal_code: 'RG1 1DB', country_code: 'GB' })
  expect(found.service_levels.map(({ estimated_delivery_date }) => estimated_delivery_date)).toEqual(promised)
})

test('the result for a point has the town near it', async () => {
  const found = await world.ok('check_coverage', { latitude: 55.95000049, longitude: -3.19 })
  expect(found).toMatchObject({
    deliverable: true,
    country_code: 'GB',
    postal_code: null,
    location: { latitude: 55.95, longitude: -3.19 },
    zone: 'C',
  })
  expect(found.service_levels.map(({ code }) => code)).not.toContain('same_day')
})

test('an island costs more and has no delivery on Saturdays', async () => {
  const found = await world.ok('check_coverage', { postal_code: 'HS1 2AB', country_code: 'GB' })
  expect(found.zone).toBe('D')
  expect(found.restrictions).toEqual(['no_saturday', 'islands_surcharge', 'po_box_refused'])
  const nextDay = found.service_levels.find(({ code }) => code === 'next_day')
  // Requested on a Friday; there is no delivery on Saturday.
  expect(nextDay).toMatchObject({ saturday: false, estimated_delivery_date: '2026-11-23' })
})

test('Jersey is served under its own country code', async () => {
  const found = await world.ok('check_coverage', { postal_code: 'JE2 4WD', country_code: 'JE' })
  expect(found).toMatchObject({ deliverable: true, country_code: 'JE', zone: 'D' })
  expect(await world.ok('check_coverage', { latitude: 49.21, longitude: -2.13 })).toMatchObject({
    country_code: 'JE',
  })
})

test.each([
  ['a country without depots', { postal_code: '75001', country_code: 'FR' }, 'not_served', null],
  ['an embargoed country', { postal_code: '999093', country_code: 'KP' }, 'embargoed', null],
  [
    'a postcode that does not exist',
    { postal_code: 'QQ1 1AA', country_code: 'GB' },
    'unknown_postcode',
    null,
  ],
  ['a London postcode in Jersey', { postal_code: 'SW1A 1AA', country_code: 'JE' }, 'unknown_postcode', null],
  ['a point at sea', { latitude: 0, longitude: 0 }, 'not_served', null],
  [
    'a level that does not go there',
    { postal_code: 'EH1 1AA', country_code: 'GB', service_level: 'same_day' },
    'not_served',
    'C',
  ],
])('%s is an answer, not an error', async (_what, query, reason, zone) => {
  expect(await world.ok('check_coverage', query)).toMatchObject({
    deliverable: false,
    zone,
    hub_id: null,
    service_levels: [],
    restrictions: [],
    reason_code: reason,
  })
})

test('a caller can request one level alone', async () => {
  const found = await world.ok('check_coverage', {
    postal_code: 'SW1A',
    country_code: 'GB',
    service_level: 'economy',
  })
  expect(found.service_levels.map(({ code }) => code)).toEqual(['economy'])
})

describe('refuses', () => {
  test.each([
    [
      'no place',
      {},
      [
        ['postal_code', 'required'],
        ['country_code', 'required'],
      ],
    ],
    ['a postcode without its country', { postal_code: 'SW1A 1AA' }, [['country_code', 'required']]],
    ['half a point', { latitude: 51.5 }, [['longitude', 'required']]],
    [
      'both ways to name a place',
      { postal_code: 'SW1A 1AA', country_code: 'GB', latitude: 51.5, longitude: 0 },
      [
        ['postal_code', 'mutually_exclusive'],
        ['latitude', 'mutually_exclusive'],
      ],
    ],
    ['a point off the globe', { latitude: 90.000001, longitude: 0 }, [['latitude', 'out_of_range']]],
    [
      'a country of one letter',
      { postal_code: 'SW1A 1AA', country_code: 'g' },
      [['country_code', 'invalid_format']],
    ],
    [
      'a parameter it does not know',
      { postal_code: 'SW1A 1AA', country_code: 'GB', city: 'London' },
      [['city', 'unknown_member']],
    ],
  ])('%s', async (_what, query, errors) => {
    const problem = await world.refused('check_coverage', query)
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(problem.errors.map(({ parameter, code }) => [parameter, code])).toEqual(errors)
  })

  test('an account without an agreement', async () => {
    const problem = await world.refused('check_coverage', { latitude: 51.5, longitude: 0 }, { as: 'member' })
    expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })
})
