import { beforeEach, describe, expect, test } from 'vitest'
import { releaseDelivery } from '../../../../src/areas/couriers/lifecycle/delivery.ts'
import { type DeliveryRecord, findDelivery } from '../../../../src/areas/couriers/queries/deliveries.ts'
import { haversineMetres, type Point } from '../../../../src/core/geometry.ts'
import { computeLastPosition } from '../../../../src/core/travel.ts'
import { callTestControl } from '../../../support/control.ts'
import { FROM, sendRun, fetchDelivery, TO } from '../../../support/deliveries.ts'
import { NEAR } from '../../../support/food.ts'
import { gbp } from '../../../support/money.ts'
import {
  performAction,
  readBothViews,
  placeTestOrder,
  refuseAction,
  stepUntil,
} from '../../../support/order-life.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

/** Places an order that has requested a courier. */
async function send(scenario?: string): Promise<string> {
  const { order_id } = await placeTestOrder(world, {
    type: 'delivery',
    ...(scenario !== undefined && { scenario }),
  })
  await performAction(world, order_id, ['accept', 'ready'])
  return order_id
}

async function runOf(order_id: string): Promise<DeliveryRecord> {
  const { delivery } = await readBothViews(world, order_id)
  if (delivery === undefined) throw new Error(`${order_id} has no delivery`)
  return delivery
}

/** Advances 10 seconds at a time until the delivery has the status. */
async function waitUntil(order_id: string, status: string): Promise<DeliveryRecord> {
  for (let waited = 0; waited < 4 * 3600; waited += 10) {
    const delivery = await runOf(order_id)
    if (delivery.status === status) return delivery
    await world.advance(10 * SECOND)
  }
  throw new Error(`${order_id} never was ${status}`)
}

const path = ({ doc }: DeliveryRecord) => doc.history.map(({ status }) => status)

describe('a courier', () => {
  test('comes, collects and hands over, with proof of both', async () => {
    const order_id = await send()
    await world.advance(2 * 3600 * SECOND)
    const { delivery, order } = await readBothViews(world, order_id)
    expect(delivery && path(delivery)).toEqual([
      'pending',
      'assigned',
      'arrived_at_pickup',
      'picked_up',
      'arrived_at_dropoff',
      'delivered',
    ])
    const { pickup_proof, proof_of_delivery, price, trail, pickup, dropoff } = delivery?.doc ?? {}
    expect(pickup_proof).toMatchObject({ waypoint: 'pickup', method: 'photo' })
    expect(proof_of_delivery).toMatchObject({ waypoint: 'dropoff', method: 'photo' })
    expect(haversineMetres(proof_of_delivery?.location ?? NEAR.location, NEAR.location)).toBeLessThan(41)
    expect(price).toEqual(gbp(0))
    expect(trail?.slice(1)).toEqual([pickup?.point, dropoff?.point])
    expect(order.proof_of_delivery?.media[0]?.integrity).toMatchObject({
      hash_verified: true,
      within_geofence: true,
      // The order names the point of its door.
      distance_to_target_m: expect.any(Number) as number,
    })
  })

  test('keeps the times that were promised', async () => {
    const order_id = await send()
    const assigned = await waitUntil(order_id, 'assigned')
    const { pickup_eta_at, dropoff_eta_at } = assigned.doc
    await world.advance(2 * 3600 * SECOND)
    const { history } = (await runOf(order_id)).doc
    const at = (status: string) => history.find((step) => step.status === status)?.at
    expect(at('arrived_at_pickup')).toBe(pickup_eta_at)
    expect(at('arrived_at_dropoff')).toBe(dropoff_eta_at)
  })

  test('is equal for both sides at every step, and moves towards the door', async () => {
    const order_id = await send()
    const seen: Awaited<ReturnType<typeof readBothViews>>[] = []
    while (seen.at(-1)?.order.status !== 'completed' && seen.length < 200) {
      seen.push(await readBothViews(world, order_id))
      await world.advance(20 * SECOND)
    }
    const shown = seen.map(({ order, business }) => [
      order.courier?.name,
      order.courier?.phone_masked,
      order.courier?.status ?? business.delivery?.status,
      order.status,
    ])
    expect(shown).toEqual(
      seen.map(({ business }) => [
        business.delivery?.courier?.name,
        business.delivery?.courier?.phone_masked,
        business.delivery?.status,
        business.status,
      ]),
    )
    const { phone = '', name } = seen.at(-1)?.delivery?.doc.courier ?? {}
    expect(JSON.stringify(seen.map(({ order, business }) => [order, business]))).not.toContain(phone)
    expect(new Set(shown.map(([courier]) => courier))).toEqual(new Set([undefined, name]))
    expect(new Set(shown.map(([, , run, status]) => `${run} of ${status}`))).toEqual(
      new Set([
        'pending of ready',
        'assigned of ready',
        'arrived_at_pickup of ready',
        'picked_up of out_for_delivery',
        'arrived_at_dropoff of out_for_delivery',
        'delivered of completed',
      ]),
    )
  })

  test('moves every 20 seconds, along a straight line', async () => {
    const order_id = await send()
    const { doc } = await waitUntil(order_id, 'picked_up')
    const places: (Point | null)[] = []
    const expected: (Point | null)[] = []
    for (let left = 0; left < 10; left++) {
      places.push((await readBothViews(world, order_id)).order.courier?.location ?? null)
      expected.push(doc.leg && computeLastPosition(doc.leg, await world.now()))
      await world.advance(7 * SECOND)
    }
    expect(places).toEqual(expected)
    const metres = places.map((place) => (place === null ? 0 : haversineMetres(place, NEAR.location)))
    expect(metres).toEqual(metres.toSorted((a, b) => b - a))
    expect(new Set(metres).size).toBeGreaterThan(2)
    expect(new Set(metres).size).toBeLessThan(6)
  })
})

describe('failures', () => {
  test('no courier accepts: it is offered three times, then the order fails and is refunded', async () => {
    const order_id = await send('no_courier')
    await world.advance(900 * SECOND)
    expect((await runOf(order_id)).doc.offers).toBe(2)
    await world.advance(1800 * SECOND - 1)
    expect((await readBothViews(world, order_id)).order.status).toBe('ready')
    await world.advance(1)
    const { order, delivery } = await readBothViews(world, order_id)
    expect(delivery).toMatchObject({ status: 'cancelled' })
    expect(delivery?.doc.history.at(-1)).toMatchObject({ by: 'system', reason: 'no_courier_available' })
    expect(order).toMatchObject({
      status: 'failed',
      payment: { status: 'refunded' },
      refund: {
        destination: 'original_method',
        reason: 'no_courier_available',
        amount: order.total,
        borne_by: 'platform',
      },
    })
    expect(order.status_history.at(-1)).toMatchObject({ by: 'system', reason: 'no_courier_available' })
  })

  test.each(['assigned', 'arrived_at_pickup'])(
    'a courier gives it back when %s: another one brings it',
    async (at) => {
      const order_id = await send(`courier_cancels;at=${at}`)
      const first = (await waitUntil(order_id, 'assigned')).doc.courier
      await world.advance(3 * 3600 * SECOND)
      const { order, delivery } = await readBothViews(world, order_id)
      expect(order.status).toBe('completed')
      expect(delivery?.doc).toMatchObject({ drops: 1 })
      expect(delivery?.doc.courier?.courier_id).not.toBe(first?.courier_id)
      const before = at === 'assigned' ? ['assigned'] : ['assigned', 'arrived_at_pickup']
      expect(delivery && path(delivery).slice(0, 3 + before.length)).toEqual([
        'pending',
        ...before,
        'pending',
        'assigned',
      ])
    },
  )

  test('a courier is late by the announced delay', async () => {
    const order_id = await send('courier_delay;seconds=1200')
    const before = (await waitUntil(order_id, 'picked_up')).doc.dropoff_eta_at ?? 0
    const { delivery } = await readBothViews(world, order_id)
    await world.advanceTo(before)
    const { order, delivery: late } = await readBothViews(world, order_id)
    expect(order.status).toBe('out_for_delivery')
    expect(late?.doc.dropoff_eta_at).toBe(before + 1200 * SECOND)
    expect(order.courier?.eta_at).toBe(new Date(before + 1200 * SECOND).toISOString())
    expect(Date.parse(order.estimated_delivery_at ?? '')).toBeGreaterThan(before + 1200 * SECOND)
    expect(late?.doc.trail.length).toBe((delivery?.doc.trail.length ?? 0) + 1)
    await world.advanceTo(before + 1200 * SECOND)
    expect((await runOf(order_id)).status).toBe('arrived_at_dropoff')
    const { data } = await callTestControl(world, 'list_events', { limit: 1000 })
    expect(data.filter(({ type }) => type === 'delivery.delayed')).toHaveLength(1)
  })

  test('no one opens: it goes back to the store, and the order is refunded', async () => {
    const order_id = await send('undeliverable;reason=refused')
    const returning = await waitUntil(order_id, 'returning')
    expect(returning.doc.undeliverable).toMatchObject({
      reason_code: 'refused',
      action: 'return',
      attempts: 0,
    })
    expect((await readBothViews(world, order_id)).order).toMatchObject({
      status: 'out_for_delivery',
      courier: null,
    })
    await waitUntil(order_id, 'returned')
    const { order, delivery } = await readBothViews(world, order_id)
    expect(delivery?.doc.proof_of_delivery).toMatchObject({ waypoint: 'return' })
    expect(order).toMatchObject({
      status: 'failed',
      proof_of_delivery: null,
      refund: { destination: 'original_method', reason: 'refused', borne_by: 'platform' },
    })
  })
})

describe('nobody is at the door', () => {
  test.each(['recipient_unavailable', 'access_denied', 'business_closed'])(
    'for %s the courier waits five minutes, tries twice, and the order costs its price',
    async (reason) => {
      const order_id = await send(`undeliverable;reason=${reason}`)
      const returning = await waitUntil(order_id, 'returning')
      expect(returning.doc.undeliverable).toEqual({
        reason_code: reason,
        action: 'return',
        attempts: 2,
        waited_seconds: 300,
      })
      const tries = returning.doc.history.filter((step) => step.reason === reason)
      expect(tries.map(({ status }) => status)).toEqual([
        'arrived_at_dropoff',
        'arrived_at_dropoff',
        'returning',
      ])
      await waitUntil(order_id, 'returned')
      const { order } = await readBothViews(world, order_id)
      expect(order).toMatchObject({ status: 'failed', refund: null, payment: { status: 'paid' } })
      const report = { order_id, reason_code: 'missing', lines: [{ line_id: 'line_1', quantity: 1 }] }
      const asMember = { as: 'member', key: `report-${reason}` }
      expect(await world.refused('report_order_problem', report, asMember)).toMatchObject({
        code: 'adjustment_not_allowed',
      })
    },
  )

  test('a courier who waited less costs nothing, as for every other reason', async () => {
    const order_id = await send('undeliverable;reason=access_denied;waits=299')
    expect((await waitUntil(order_id, 'returning')).doc.undeliverable).toMatchObject({ waited_seconds: 299 })
    await waitUntil(order_id, 'returned')
    expect((await readBothViews(world, order_id)).order).toMatchObject({
      status: 'failed',
      refund: { reason: 'access_denied', destination: 'original_method' },
    })
  })
})

describe('a store that rejects an order that is ready', () => {
  test.each(['pending', 'assigned', 'arrived_at_pickup'])(
    'stands down a courier who is %s',
    async (status) => {
      const order_id = await send()
      await waitUntil(order_id, status)
      expect(await performAction(world, order_id, ['reject'])).toMatchObject({
        status: 'rejected',
        delivery: { status: 'cancelled', courier: null },
        refund: { destination: 'platform_wallet' },
      })
      await world.advance(3 * 3600 * SECOND)
      expect(path(await runOf(order_id)).at(-1)).toBe('cancelled')
      expect(await world.db.read((tx) => tx.all(`select * from timeline where kind = 'delivery'`))).toEqual(
        [],
      )
    },
  )

  test('is too late once the courier has it', async () => {
    const order_id = await send()
    await stepUntil(world, order_id, 'out_for_delivery')
    expect(await refuseAction(world, order_id, 'reject')).toMatchObject({
      code: 'invalid_state',
      current_status: 'out_for_delivery',
    })
  })
})

describe('a delivery that is a customer’s own', () => {
  const find = async (id: string) => world.db.read((tx) => findDelivery(tx, id))

  test('is handed over for a code that its customer alone knows', async () => {
    const { delivery_id } = await sendRun(world, {
      request: { verification: { dropoff: ['photo', 'pincode'] } },
    })
    await world.advance(2 * 3600 * SECOND)
    const delivery = await find(delivery_id)
    expect(delivery).toMatchObject({ status: 'delivered', delivered_at: delivery?.doc.history.at(-1)?.at })
    expect(delivery?.doc.dropoff_pincode).toMatch(/^\d{4}$/)
    expect(delivery?.doc.proof_of_delivery).toMatchObject({
      method: 'pincode',
      pincode_verified: true,
      recipient_name: 'Ravi Shah',
    })
    expect(JSON.stringify(delivery?.doc.proof_of_delivery)).not.toContain(
      `"${delivery?.doc.dropoff_pincode}"`,
    )
  })

  test('is offered once', async () => {
    const { delivery_id } = await sendRun(world, { scenario: 'no_courier' })
    await world.advance(900 * SECOND - 1)
    expect(await find(delivery_id)).toMatchObject({ status: 'pending' })
    await world.advance(1)
    expect(await find(delivery_id)).toMatchObject({ status: 'cancelled' })
  })

  test('is rejected where no courier has a suitable vehicle', async () => {
    await world.write((tx) => tx.run(`delete from couriers where doc like '%"van"%'`))
    const sofa = { pickup: FROM, dropoff: TO, parcel: { size: 'xl', description: 'A sofa' } }
    expect(await world.refused('quote_delivery', sofa, { as: 'member' })).toMatchObject({
      code: 'no_courier_available',
    })
  })

  test('is paid back when its couriers are gone by the time its card has settled', async () => {
    const { delivery_id, payment } = await sendRun(world, {
      request: { payment: { method: 'card', payment_token: 'tok_pending' } },
    })
    await world.write((tx) => tx.run('delete from couriers'))
    await world.advance(20 * MINUTE)
    expect((await find(delivery_id))?.doc.history.at(-1)).toMatchObject({
      status: 'cancelled',
      reason: 'no_courier_available',
    })
    expect((await fetchDelivery(world, delivery_id)).refund?.amount).toEqual(payment?.amount)
  })

  test('is stepped by its own id, and stood down only until it is collected', async () => {
    const { delivery_id: id } = await sendRun(world)
    const step = async () => (await callTestControl(world, 'step_resource', { resource_id: id })).event
    expect([await step(), await step(), await step()]).toEqual(['assigned', 'arrived_at_pickup', 'picked_up'])
    const delivery = await find(id)
    await world.write(async (tx, stored, now) => {
      if (delivery !== undefined)
        await releaseDelivery({ tx, world: stored.world, at: now }, delivery, 'too late')
    })
    expect(await find(id)).toMatchObject({ status: 'picked_up' })
    expect([await step(), await step()]).toEqual(['arrived_at_dropoff', 'delivered'])
    await expect(step()).rejects.toMatchObject({ code: 'invalid_state' })
  })
})
