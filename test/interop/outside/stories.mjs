/** Twenty tests that a stranger wrote from docs/testing.md, for the `test` of any runner. */
import assert from 'node:assert/strict'
import { createClient } from 'dray/client'
import { DrayError, sandboxTest, startSandbox, withSandbox } from 'dray/testing'

const pay = { method: 'card', payment_token: 'tok_ok' }
export function declare(test) {
  const it = sandboxTest(test, { seed: 7, now: '2026-11-20T12:00:00Z' })
  const ride = async (who) => {
    const { quote_id } = await who.quoteRide({ pickup: { name: 'kings-cross' }, dropoff: { name: 'bank' } })
    return who.requestRide({ quote_id, tier: 'economy', payment: pay })
  }
  it('a ride is completed', async ({ as, clock }) => {
    const { ride_id } = await ride(as('member'))
    await clock.until(ride_id, 'completed')
    assert.equal((await as('member').getRide({ ride_id })).status, 'completed')
  })
  it('a cancelled ride costs nothing at once', async ({ as }) => {
    const { ride_id } = await ride(as('member'))
    const c = await as('member').cancelRide({ ride_id })
    assert.equal(c.status, 'cancelled')
  })
  it('a declined card is refused with its code', async ({ as }) => {
    const who = as('member')
    const { quote_id } = await who.quoteRide({ pickup: { name: 'kings-cross' }, dropoff: { name: 'bank' } })
    const refusal = await who.refused('request_ride', {
      quote_id,
      tier: 'economy',
      payment: { method: 'card', payment_token: 'tok_declined' },
    })
    assert.equal(refusal.code, 'payment_declined')
  })
  it('a store has no orders at first', async ({ as }) => {
    assert.deepEqual((await as('owner').listBusinessOrders()).data, [])
  })
  const order = async (sandbox) => {
    const guest = sandbox.as('member')
    const { data } = await guest.searchRestaurants({ near: 'leadenhall-market', q: 'Lime Street Noodles' })
    const menu = await guest.getRestaurantMenu({ merchant_id: data[0].merchant_id })
    const satay = menu.categories.flatMap(({ items }) => items).find(({ name }) => name === 'Chicken Satay')
    const quote = await guest.quoteFoodOrder({
      merchant_id: data[0].merchant_id,
      fulfillment_type: 'pickup',
      items: [{ item_id: satay.item_id, quantity: 2 }],
    })
    return guest.placeFoodOrder({ quote_id: quote.quote_id, payment: pay })
  }
  it('an owner accepts by a listener', async (sandbox) => {
    sandbox.on('food_order.placed', ({ resource_id }) =>
      sandbox.as('owner').acceptBusinessOrder({ order_id: resource_id }),
    )
    const { order_id } = await order(sandbox)
    assert.equal((await sandbox.as('member').getFoodOrder({ order_id })).status, 'accepted')
  })
  it('calls are told', async (sandbox) => {
    await order(sandbox)
    assert.ok(
      (await sandbox.calls({ account: 'member' })).some(({ operation }) => operation === 'place_food_order'),
    )
  })
  it('a parcel is created once for its reference', async ({ as }) => {
    const shipper = as('shipper')
    const parcel = {
      reference: 'A-1',
      service_level: 'next_day',
      recipient: {
        contact: { name: 'Grace Okoro' },
        address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
      },
      parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
    }
    await shipper.createShipment(parcel)
    const refusal = await shipper.refused('create_shipment', parcel)
    assert.equal(refusal.code, 'duplicate_reference')
    assert.equal((await shipper.listShipments({})).data.length, 1)
  })
  it('nobody finds a ride that is none', async ({ as }) => {
    const e = await as('guest').refused('get_ride', { ride_id: 'rid_00000000000000000000000000' })
    assert.ok(e instanceof DrayError)
    assert.equal(e.code, 'ride_not_found')
  })
  it('the clock moves by an hour', async ({ clock }) => {
    const a = await clock.now()
    await clock.advance('1h')
    assert.equal(Date.parse(await clock.now()) - Date.parse(a), 3_600_000)
  })
  it('nothing of the test before is left', async (sandbox) => {
    assert.deepEqual((await sandbox.as('member').listFoodOrders({})).data, [])
  })
  it('a snapshot comes back', async (sandbox) => {
    const before = await sandbox.snapshot()
    await order(sandbox)
    await sandbox.restore(before)
    assert.deepEqual((await sandbox.as('member').listFoodOrders({})).data, [])
  })
  it('an account without a scope is refused', async ({ as }) => {
    const e = await as('guest').refused('list_business_orders', {})
    assert.equal(e.code, 'insufficient_scope')
  })
  test('two sandboxes with one seed make the same ride', async () => {
    await using a = await startSandbox({ seed: 'x' })
    await using b = await startSandbox({ seed: 'x' })
    assert.equal((await ride(a.as('member'))).ride_id, (await ride(b.as('member'))).ride_id)
  })
  test('a client over HTTP sees what the sandbox sees', async () => {
    await using s = await startSandbox({ seed: 7, http: true })
    const client = createClient({ baseUrl: s.url, token: await s.token('shipper') })
    assert.deepEqual((await client.listShipments({ limit: 1 })).data, [])
  })
  test('a wrong field is named', () =>
    withSandbox({ seed: 1 }, async ({ as }) => {
      const e = await as('member').refused('quote_ride', { pickup: { name: 'kings-cross' } })
      assert.ok(
        e.errors.some(({ path, pointer, field }) => /dropoff/.test(path ?? pointer ?? field ?? '')),
        JSON.stringify(e.errors),
      )
    }))
  test('a wrong name of an account is told', () =>
    withSandbox({ seed: 1 }, async ({ as }) => {
      await assert.rejects(async () => {
        await as('nobody').listRides({})
      }, /nobody/)
    }))
  test('a state that cannot be reached is an error', () =>
    withSandbox({ seed: 1 }, async ({ as, clock }) => {
      const { ride_id } = await ride(as('member'))
      await as('member').cancelRide({ ride_id })
      await assert.rejects(() => clock.until(ride_id, 'completed'), /cancelled/)
    }))
  test('an event kind with a star is heard', () =>
    withSandbox({ seed: 1 }, async ({ as, on, clock }) => {
      const seen = []
      on('ride.*', ({ type }) => seen.push(type))
      const { ride_id } = await ride(as('member'))
      await clock.until(ride_id, 'completed')
      assert.ok(seen.includes('ride.completed'), seen.join())
    }))
  test('a pending card is settled by control', () =>
    withSandbox({ seed: 1 }, async (s) => {
      const who = s.as('member')
      const { quote_id } = await who.quoteRide({ pickup: { name: 'kings-cross' }, dropoff: { name: 'bank' } })
      const r = await who.requestRide({
        quote_id,
        tier: 'economy',
        payment: { method: 'card', payment_token: 'tok_pending' },
      })
      await s.clock.until(r.ride_id, 'completed')
      assert.equal((await who.getRide({ ride_id: r.ride_id })).payment.status, 'paid')
    }))
  test('a catalogue import is read back', () =>
    withSandbox({ seed: 1 }, async ({ as }) => {
      await as('owner').importCatalogItems({
        items: [{ name: 'Soup', category: 'Soups', price: { amount: 650, currency: 'GBP' } }],
      })
      const { data } = await as('owner').listCatalogItems({ category: 'Soups' })
      assert.equal(data.length, 1)
    }))
}
