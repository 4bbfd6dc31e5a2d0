import { beforeEach, describe, expect, test } from 'vitest'
import { FROM, PARCEL_OF_KEYS, quoteRun, TO } from '../../support/deliveries.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const at = (latitude: number, longitude: number) => ({ location: { latitude, longitude } })
const CROYDON = at(51.3762, -0.0982)
const WATFORD = at(51.6565, -0.3903)
const BRIGHTON = at(50.8225, -0.1372)

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

function refuse(quote: Record<string, unknown>) {
  const input = { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, ...quote }
  return world.refused('quote_delivery', input, { as: 'member' })
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a run is priced line by line, for five minutes, with both arrivals', async () => {
    world = await openTestSandbox({ engine })
    const quote = await quoteRun(world)
    expect(quote).toMatchObject({
      quote_id: expect.stringMatching(/^quo_/),
      kind: 'delivery',
      status: 'open',
      expires_at: '2026-11-20T09:05:00.000Z',
      expires_in_seconds: 300,
      pickup: FROM,
      dropoff: TO,
      parcel: { ...PARCEL_OF_KEYS, value: null, requires_id: false },
      vehicle_type: 'bicycle',
      road_distance_m: 1214,
      duration_seconds: 349,
      lines: [
        { type: 'base', amount: gbp(350) },
        { type: 'distance', amount: gbp(115) },
      ],
      total: gbp(465),
      tax_included: gbp(77),
      pickup_ready_at: null,
    })
    const [now, pickup, dropoff] = [quote.created_at, quote.pickup_eta_at, quote.dropoff_eta_at].map(
      Date.parse,
    )
    expect(Number(pickup) - Number(now)).toBeGreaterThan(60_000)
    expect(Number(dropoff) - Number(pickup)).toBeGreaterThan(349_000)
  })
})

test('an address without a point is found, and a point gets a name', async () => {
  const { location: _, ...address } = TO
  const quote = await quoteRun(world, { quote: { pickup: at(51.5129, -0.0823), dropoff: address } })
  expect(quote.pickup.name).toBeTypeOf('string')
  expect(quote.dropoff.location?.latitude).toBeCloseTo(51.52, 1)
})

test('the vehicle follows from size, weight and distance, and the size has its price', async () => {
  const far = { pickup: FROM, dropoff: CROYDON }
  const cases = [
    [{ parcel: PARCEL_OF_KEYS }, 'bicycle', 0],
    [{ parcel: PARCEL_OF_KEYS, ...far }, 'motorbike', 0],
    [{ parcel: { ...PARCEL_OF_KEYS, weight_grams: 12_000 } }, 'motorbike', 0],
    [{ parcel: { ...PARCEL_OF_KEYS, weight_grams: 20_000 } }, 'car', 0],
    [{ parcel: { ...PARCEL_OF_KEYS, size: 'medium' } }, 'motorbike', 150],
    [{ parcel: { ...PARCEL_OF_KEYS, size: 'large' } }, 'car', 300],
    [{ parcel: { ...PARCEL_OF_KEYS, size: 'xl' } }, 'van', 600],
    [{ parcel: PARCEL_OF_KEYS, vehicle_type: 'van' }, 'van', 0],
    [{ parcel: PARCEL_OF_KEYS, vehicle_type: 'walker' }, 'walker', 0],
  ] as const
  for (const [quote, vehicle, forSize] of cases) {
    const { vehicle_type, lines, total } = await quoteRun(world, { quote })
    const size = lines.find(({ type }) => type === 'size')?.amount.amount ?? 0
    expect([vehicle_type, size], JSON.stringify(quote)).toEqual([vehicle, forSize])
    expect(lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(total.amount)
  }
})

test.each([
  ['a bicycle with a cupboard', { vehicle_type: 'bicycle', parcel: { ...PARCEL_OF_KEYS, size: 'xl' } }],
  ['a walker with 6 kg', { vehicle_type: 'walker', parcel: { ...PARCEL_OF_KEYS, weight_grams: 6000 } }],
  ['a walker across the town', { vehicle_type: 'walker', dropoff: CROYDON }],
  ['a bicycle across the town', { vehicle_type: 'bicycle', dropoff: CROYDON }],
] as const)('refuses %s', async (_, quote) => {
  const detail = {
    walker: 'A walker carries parcels of at most size small and 5 kg, for at most 2 km.',
    bicycle: 'A bicycle carries parcels of at most size medium and 10 kg, for at most 8 km.',
  }[quote.vehicle_type]
  expect(await refuse(quote)).toMatchObject({
    code: 'parcel_limits_exceeded',
    detail,
    errors: [{ pointer: '/vehicle_type' }],
  })
})

test('rejects places that are too far, too near, outside or unknown, and forbidden goods', async () => {
  expect(await refuse({ pickup: CROYDON, dropoff: WATFORD })).toMatchObject({
    code: 'distance_limit_exceeded',
    limit: 30_000,
    detail: expect.stringContaining('The limit is 30 km by road; this is 4'),
  })
  expect(await refuse({ dropoff: at(51.5129, -0.0825) })).toMatchObject({ code: 'pickup_equals_dropoff' })
  expect(await refuse({ dropoff: BRIGHTON })).toMatchObject({
    code: 'outside_service_area',
    errors: [{ pointer: '/dropoff' }],
  })
  expect(await refuse({ pickup: BRIGHTON })).toMatchObject({
    code: 'outside_service_area',
    errors: [{ pointer: '/pickup' }],
  })
  const nowhere = {
    address: { line1: '1 High Street', city: 'X', postal_code: 'ZZ9 9ZZ', country_code: 'GB' },
  }
  expect(await refuse({ pickup: nowhere })).toMatchObject({
    code: 'address_unresolvable',
    errors: [{ pointer: '/pickup' }],
  })
  expect(await refuse({ parcel: { ...PARCEL_OF_KEYS, description: 'Fireworks' } })).toMatchObject({
    code: 'prohibited_item',
    errors: [{ pointer: '/parcel/description' }],
  })
  expect(
    await refuse({ parcel: { ...PARCEL_OF_KEYS, value: { amount: 5, currency: 'EUR' } } }),
  ).toMatchObject({
    code: 'currency_mismatch',
  })
})

test('rejects a body that cannot be meant, saying where', async () => {
  const pointers = async (quote: Record<string, unknown>) => {
    const { code, errors } = await refuse(quote)
    expect(code).toBe('invalid_request')
    return errors.map((error) => ('pointer' in error ? error.pointer : ''))
  }
  expect(await pointers({ pickup: {}, dropoff: { precision: 'exact' } })).toEqual(['/pickup', '/dropoff'])
  expect(await pointers({ parcel: { ...PARCEL_OF_KEYS, weight_grams: 25_001 } })).toEqual([
    '/parcel/weight_grams',
  ])
  expect(await pointers({ parcel: { ...PARCEL_OF_KEYS, description: 'x'.repeat(121) } })).toEqual([
    '/parcel/description',
  ])
  expect(await pointers({ pickup_ready_at: '2026-11-28T09:00:00Z' })).toEqual(['/pickup_ready_at'])
})

test('a parcel that becomes ready later is collected then', async () => {
  const ready = '2026-11-20T15:00:00.000Z'
  const quote = await quoteRun(world, { quote: { pickup_ready_at: '2026-11-20T16:00:00+01:00' } })
  expect(quote.pickup_ready_at).toBe(ready)
  expect(Date.parse(quote.dropoff_eta_at)).toBeGreaterThan(Date.parse(ready) + 349_000)
  expect(
    (await quoteRun(world, { quote: { pickup_ready_at: '2026-11-20T08:55:00Z' } })).pickup_ready_at,
  ).toBeNull()
})

test('a quote needs no membership, and costs none', async () => {
  expect((await quoteRun(world, { as: 'guest' })).total).toEqual(gbp(465))
})
