import { beforeEach, describe, expect, test } from 'vitest'
import { frozenClock } from '../../../src/core/clock.ts'
import { saveClock } from '../../../src/db/world.ts'
import { CARD, newKey } from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { BANK_STATION, quoteTestRide, requestTestRide, advanceToRideStatus } from '../../support/rides.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const refused = (quote_id: string, more: Record<string, unknown> = {}, options = {}, target = world) =>
    target.refused(
      'request_ride',
      { quote_id, tier: 'economy', payment: CARD, ...more },
      { key: newKey(), ...options },
    )

  test('requests the tier that was chosen, for the fare that was quoted', async () => {
    const quote = await quoteTestRide(world, { passengers: 2 })
    const fare = quote.fares.find(({ tier }) => tier === 'comfort')
    const answer = await world.call(
      'request_ride',
      {
        quote_id: quote.quote_id,
        tier: 'comfort',
        payment: CARD,
        passenger: { name: 'Ravi Shah', phone: '+447700900123' },
        notes: 'By the fountain',
        expected_total: fare?.fare,
      },
      { key: newKey() },
    )
    expect(answer.status).toBe(201)
    expect(answer.headers['Location']).toBe(`/v1/rides/${String(answer.body['ride_id'])}`)
    expect(answer.body).toMatchObject({
      quote_id: quote.quote_id,
      status: 'processing',
      tier: 'comfort',
      pickup: quote.pickup,
      dropoff: quote.dropoff,
      stops: [],
      passenger: { name: 'Ravi Shah', phone: '+447700900123', count: 2 },
      notes: 'By the fountain',
      fare: fare?.fare,
      tax_included: fare?.tax_included,
      payment: { method: 'card', status: 'paid', collected_by: 'platform', amount: fare?.fare },
      refund: null,
      status_history: [{ status: 'processing', at: '2026-11-20T09:00:00.000Z', by: 'rider', reason: null }],
    })
    expect(answer.body['ride_id']).toMatch(/^rid_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  })

  test('a due refund is in the wallet already', async () => {
    const trip = { dropoff: { location: { latitude: 51.4613, longitude: -0.3037 }, name: 'Richmond' } }
    const wallet = { payment: { method: 'wallet' } }
    await requestTestRide(world, { trip, more: wallet, scenario: 'no_driver' })
    expect((await refused((await quoteTestRide(world, trip)).quote_id, wallet)).code).toBe(
      'insufficient_funds',
    )
    // No driver is free, and only the clock advances.
    const later = (await world.now()) + 15 * 60_000
    await world.write((tx) => saveClock(tx, frozenClock(later)))
    expect((await requestTestRide(world, { trip, more: wallet })).payment.status).toBe('paid')
  })

  test('is for the account’s owner when no passenger is named', async () => {
    expect((await requestTestRide(world)).passenger).toEqual({ name: 'Alex Morgan', phone: null, count: 1 })
  })

  test('uses a quote once, and names its ride afterwards', async () => {
    const ride = await requestTestRide(world)
    expect(await refused(ride.quote_id)).toMatchObject({
      code: 'quote_already_used',
      ride_id: ride.ride_id,
    })
  })

  test('takes a quote up to its last millisecond', async () => {
    const [early, late] = [await quoteTestRide(world), await quoteTestRide(world)]
    await world.advance(299_999)
    await world.ok(
      'request_ride',
      { quote_id: early.quote_id, tier: 'economy', payment: CARD },
      { key: newKey() },
    )
    await world.advance(1)
    expect(await refused(late.quote_id)).toMatchObject({
      code: 'quote_expired',
      quote_operation: 'quote_ride',
    })
  })

  test('charges the quoted fare, whatever the tariff is by then', async () => {
    const quote = await quoteTestRide(world)
    await world.write((tx) => tx.run("update ride_tiers set doc = replace(doc, '250', '99999')"))
    const ride = await world.ok(
      'request_ride',
      { quote_id: quote.quote_id, tier: 'economy', payment: CARD },
      { key: newKey() },
    )
    expect(ride.fare).toEqual(quote.fares[0]?.fare)
  })

  test('rejects another price than the quoted one, and leaves the quote open', async () => {
    const quote = await quoteTestRide(world)
    expect(await refused(quote.quote_id, { expected_total: gbp(1) })).toMatchObject({
      code: 'quote_mismatch',
      total: quote.fares[0]?.fare,
      detail: expect.stringMatching(/^The quoted total is £[\d.]+, not the expected total\.$/),
      hint: 'Show the quoted price and send it as expected_total.',
    })
    await world.ok(
      'request_ride',
      { quote_id: quote.quote_id, tier: 'economy', payment: CARD },
      { key: newKey() },
    )
  })

  test('rejects tiers that were not quoted, and more people than fit', async () => {
    const crowd = await quoteTestRide(world, { passengers: 5 })
    expect(await refused(crowd.quote_id)).toMatchObject({
      code: 'tier_not_quoted',
      errors: [{ pointer: '/tier' }],
    })
    const pair = await quoteTestRide(world, { passengers: 2 })
    expect(await refused(pair.quote_id, { passenger_count: 5 })).toMatchObject({
      code: 'capacity_exceeded',
      limit: 4,
      errors: [{ pointer: '/passenger_count' }],
    })
    const any = await quoteTestRide(world)
    expect(await refused(any.quote_id, { tier: 'helicopter' })).toMatchObject({ code: 'invalid_request' })
  })

  test('rejects a tier without a driver at that time', async () => {
    const quote = await quoteTestRide(world)
    await world.write((tx) => tx.run('update drivers set doc = replace(doc, \'"premium"\', \'"economy"\')'))
    expect(await refused(quote.quote_id, { tier: 'premium' })).toMatchObject({ code: 'tier_unavailable' })
  })

  test('needs a membership, and takes money that is there', async () => {
    const quote = await quoteTestRide(world, {}, { as: 'lapsed' })
    expect(await refused(quote.quote_id, {}, { as: 'lapsed' })).toMatchObject({
      code: 'membership_required',
    })
    const mine = await quoteTestRide(world)
    const declined = { method: 'card', payment_token: 'tok_declined' }
    expect(await refused(mine.quote_id, { payment: declined })).toMatchObject({ code: 'payment_declined' })
    const far = await quoteTestRide(world, {
      dropoff: { location: { latitude: 52.2053, longitude: 0.1218 } },
    })
    expect(await refused(far.quote_id, { payment: { method: 'wallet' } })).toMatchObject({
      code: 'insufficient_funds',
    })
    for (const payment of [
      { method: 'card' },
      { method: 'cash', payment_token: 'tok_ok' },
      { method: 'pay_at_table' },
    ])
      expect(await refused(mine.quote_id, { payment })).toMatchObject({ code: 'invalid_request' })
  })

  test('does not know the quotes of others, nor those of other things', async () => {
    const theirs = await quoteTestRide(world, {}, { as: 'member' })
    expect(await refused(theirs.quote_id)).toMatchObject({ code: 'quote_not_found' })
    expect(await refused('quo_01m7vkystge8kbcf2tpy8vep2a')).toMatchObject({ code: 'quote_not_found' })
    const parcel = await world.ok('quote_delivery', {
      pickup: BANK_STATION,
      dropoff: { location: { latitude: 51.5308, longitude: -0.1238 } },
      parcel: { size: 'small', description: 'Keys' },
    })
    expect(await refused(parcel.quote_id)).toMatchObject({ code: 'quote_mismatch' })
  })

  test('pays from the wallet', async () => {
    const ride = await requestTestRide(world, { more: { payment: { method: 'wallet' } } })
    expect(ride.payment).toMatchObject({ method: 'wallet', status: 'paid' })
  })

  test('lets a customer have several rides, unless the operator says otherwise', async () => {
    await requestTestRide(world)
    await requestTestRide(world)
    const strict = await openTestSandbox({ engine, configured: { rules: { oneActiveRide: true } } })
    const first = await requestTestRide(strict)
    const quote = await quoteTestRide(strict)
    expect(await refused(quote.quote_id, {}, {}, strict)).toMatchObject({ code: 'active_ride_exists' })
    await requestTestRide(strict, { as: 'member' })
    await advanceToRideStatus(strict, first.ride_id, 'completed')
    await requestTestRide(strict)
  })

  test.each([
    'no_driver;x=1',
    'driver_cancels;at=completed',
    'driver_cancels;x=1',
    'surge;bps=10000',
    'happy;x=1',
  ])('does not play %s', async (scenario) => {
    const quote = await quoteTestRide(world)
    expect(await refused(quote.quote_id, {}, { scenario })).toMatchObject({ code: 'scenario_not_allowed' })
  })
})
