import { beforeEach, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../src/core/hash.ts'
import { callTestControl } from '../../support/control.ts'
import { sendRun, fetchDelivery, advanceToDeliveryStatus } from '../../support/deliveries.ts'
import { gbp } from '../../support/money.ts'
import { performAction, placeTestOrder } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

/** Returns the customer's view of a delivery every ten seconds until it ends. */
async function watch(delivery_id: string) {
  const seen = [await fetchDelivery(world, delivery_id)]
  while (!['delivered', 'returned', 'cancelled'].includes(seen.at(-1)?.status ?? '') && seen.length < 1500) {
    await world.advance(10 * SECOND)
    seen.push(await fetchDelivery(world, delivery_id))
  }
  return seen
}

test('all pictures of a run come from the device of its courier', async () => {
  const { delivery_id } = await sendRun(world, {
    request: { verification: { dropoff: ['photo', 'signature'] } },
  })
  const { pickup_proof, proof_of_delivery } = await advanceToDeliveryStatus(world, delivery_id, 'delivered')
  const media = [...(pickup_proof?.media ?? []), ...(proof_of_delivery?.media ?? [])]
  expect(media).toHaveLength(3)
  expect(new Set(media.map(({ device }) => `${device.platform} ${device.device_id_hash}`)).size).toBe(1)
})

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a run that brings an order is that of the order, to all three who look', async () => {
    world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { type: 'delivery' })
    await performAction(world, order_id, ['accept', 'ready'])
    const statuses = new Set<string>()
    for (let looked = 0; looked < 400; looked++) {
      const order = await world.ok('get_food_order', { order_id }, { as: 'member' })
      const { delivery: business } = await world.ok('get_business_order', { order_id })
      const delivery = await fetchDelivery(world, order.delivery_id ?? '')
      expect(delivery).toMatchObject({
        origin: { kind: 'food_order', order_id },
        quote_id: null,
        price: gbp(0),
        billed_to: 'order',
        payment: null,
        refund: null,
      })
      expect([business?.delivery_id, business?.status]).toEqual([delivery.delivery_id, delivery.status])
      const { courier } = delivery
      expect(
        order.courier && [order.courier.courier_id, order.courier.location, order.courier.status],
      ).toEqual(courier && [courier.courier_id, courier.location, delivery.status])
      expect(business?.courier && [business.courier.name, business.courier.phone_masked]).toEqual(
        courier && [courier.name, courier.phone_masked],
      )
      expect(order.courier?.eta_at ?? null).toBe(courier?.location ? delivery.dropoff_eta_at : null)
      expect(order.proof_of_delivery).toEqual(delivery.proof_of_delivery)
      statuses.add(`${delivery.status} of ${order.status}`)
      if (order.status === 'completed') break
      await world.advance(15 * SECOND)
    }
    expect(statuses).toContain('delivered of completed')
    expect(statuses).toContain('picked_up of out_for_delivery')
  })

  const LEAVE = { if_absent: 'leave' }
  const LEFT = { method: 'photo', waypoint: 'dropoff', recipient_name: null, media: [expect.anything()] }

  test.each(['recipient_unavailable', 'access_denied', 'business_closed'])(
    'a parcel that may be left stands at the door after two attempts: %s',
    async (reason) => {
      world = await openTestSandbox({ engine })
      const { delivery_id, price } = await sendRun(world, {
        quote: LEAVE,
        scenario: `undeliverable;reason=${reason}`,
      })
      const left = await advanceToDeliveryStatus(world, delivery_id, 'delivered')
      expect(left).toMatchObject({
        ...LEAVE,
        undeliverable: { reason_code: reason, action: 'leave', attempts: 2, waited_seconds: 300 },
        proof_of_delivery: { ...LEFT, notes: 'Left at the door: nobody was there.' },
        payment: { status: 'paid', amount: price },
        refund: null,
      })
      expect(left.status_history.slice(-3)).toMatchObject([
        { status: 'arrived_at_dropoff', reason },
        { status: 'arrived_at_dropoff', reason },
        { status: 'delivered', by: 'courier', reason },
      ])
      await world.advance(4 * HOUR)
      expect(await fetchDelivery(world, delivery_id)).toEqual(left)
    },
  )

  test('a parcel that may be left is handed over to who opens, and comes back from who refuses it', async () => {
    world = await openTestSandbox({ engine })
    const { delivery_id } = await sendRun(world, { quote: LEAVE })
    expect(await advanceToDeliveryStatus(world, delivery_id, 'delivered')).toMatchObject({
      undeliverable: null,
      proof_of_delivery: { notes: null },
    })
    const refused = await sendRun(world, { quote: LEAVE, scenario: 'undeliverable;reason=refused' })
    expect(await advanceToDeliveryStatus(world, refused.delivery_id, 'returned')).toMatchObject({
      undeliverable: { reason_code: 'refused', action: 'return' },
      refund: { amount: refused.price, reason: 'refused' },
    })
  })

  test('an order that may be left is completed at the door, without a refund', async () => {
    world = await openTestSandbox({ engine })
    const { order_id, if_absent } = await placeTestOrder(world, {
      type: 'delivery',
      scenario: 'undeliverable',
      quote: LEAVE,
    })
    expect(if_absent).toBe('leave')
    await performAction(world, order_id, ['accept', 'ready'])
    await world.advance(2 * HOUR)
    expect(await world.ok('get_food_order', { order_id }, { as: 'member' })).toMatchObject({
      ...LEAVE,
      status: 'completed',
      proof_of_delivery: LEFT,
      payment: { status: 'paid' },
      refund: null,
    })
    expect(await world.ok('get_business_order', { order_id })).toMatchObject({
      ...LEAVE,
      status: 'completed',
    })
  })
})

test('the courier comes nearer, the trail grows, and the arrival is announced', async () => {
  const { delivery_id } = await sendRun(world)
  const seen = await watch(delivery_id)
  const moving = seen.filter(({ status }) => status === 'picked_up')
  const trails = moving.map(({ trail }) => trail?.coordinates.length ?? 0)
  expect(trails).toEqual(trails.toSorted((a, b) => a - b))
  for (const { trail, courier } of moving) {
    expect(trail?.type).toBe('LineString')
    expect(trail?.coordinates.at(-1)).toEqual([courier?.location?.longitude, courier?.location?.latitude])
    expect(courier).toMatchObject({ rating: expect.any(Number), location_at: expect.any(String) })
  }
  const announced = seen.filter(({ courier_imminent }) => courier_imminent).map(({ status }) => status)
  expect(new Set(announced)).toEqual(
    new Set(['assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff']),
  )
  expect(moving[0]?.courier_imminent).toBe(false)
  expect(seen.at(-1)).toMatchObject({
    courier: { name: moving[0]?.courier?.name, location: null, location_at: null },
    courier_imminent: false,
  })
})

test('arrivals are never later than they were promised', async () => {
  const sent = await sendRun(world, { quote: { pickup_ready_at: '2026-11-20T09:40:00Z' } })
  const seen = await watch(sent.delivery_id)
  for (const eta of ['pickup_eta_at', 'dropoff_eta_at'] as const) {
    const etas = seen.map((each) => Date.parse(each[eta] ?? ''))
    expect(etas).toEqual(etas.toSorted((a, b) => b - a))
  }
  const at = (status: string) => seen.at(-1)?.status_history.find((step) => step.status === status)?.at ?? ''
  expect(at('picked_up') >= '2026-11-20T09:40:00.000Z').toBe(true)
  expect(at('arrived_at_dropoff')).toBe(seen.at(-1)?.dropoff_eta_at)
})

test('a delay is recorded and moves the arrival by its length', async () => {
  const { delivery_id } = await sendRun(world, { scenario: 'courier_delay;seconds=900' })
  const seen = await watch(delivery_id)
  const moving = seen
    .filter(({ status }) => status === 'picked_up')
    .map(({ dropoff_eta_at }) => dropoff_eta_at)
  const [before, after, ...more] = [...new Set(moving)]
  expect(more).toEqual([])
  expect(Date.parse(after ?? '') - Date.parse(before ?? '')).toBe(900 * SECOND)
  const { data } = await callTestControl(world, 'list_events', { limit: 100 })
  expect(data.map(({ type }) => type)).toContain('delivery.delayed')
  expect(seen.at(-1)?.status).toBe('delivered')
})

test('the requested proofs have correct pictures, and never show the pincode', async () => {
  const sets = [['photo'], ['signature'], ['pincode'], ['photo', 'signature', 'pincode']]
  for (const dropoff of sets) {
    const { delivery_id, dropoff_pincode } = await sendRun(world, { request: { verification: { dropoff } } })
    expect(dropoff_pincode !== null).toBe(dropoff.includes('pincode'))
    await world.advance(2 * HOUR)
    const { status, pickup_proof, proof_of_delivery: proof } = await fetchDelivery(world, delivery_id)
    expect(status).toBe('delivered')
    expect(pickup_proof).toMatchObject({ method: 'photo', waypoint: 'pickup' })
    expect(proof).toMatchObject({
      waypoint: 'dropoff',
      recipient_name: dropoff[0] === 'photo' && dropoff.length === 1 ? null : 'Ravi Shah',
    })
    expect(proof?.pincode_verified ?? false).toBe(dropoff.includes('pincode'))
    const pictures = dropoff.filter((each) => each !== 'pincode').length
    expect(proof?.media).toHaveLength(Math.max(1, pictures))
    for (const { media_id, sha256, byte_size } of proof?.media ?? []) {
      const bytes = await world.db.read(async (tx) => {
        const row = await tx.get(
          'select b.bytes from media m join blobs b on b.sha256 = m.sha256 where m.media_id = $1',
          media_id,
        )
        return new Uint8Array(row?.['bytes'] as Uint8Array)
      })
      expect([sha256Hex(bytes), bytes.length]).toEqual([sha256, byte_size])
    }
    expect(JSON.stringify(proof)).not.toContain(`"${dropoff_pincode}"`)
  }
})

test('who must show an identity document is named in the proof', async () => {
  const { delivery_id } = await sendRun(world, {
    quote: { parcel: { size: 'small', description: 'A passport', requires_id: true } },
    request: { dropoff_notes: 'Ring twice' },
  })
  await world.advance(2 * HOUR)
  expect((await fetchDelivery(world, delivery_id)).proof_of_delivery).toMatchObject({
    method: 'photo',
    recipient_name: 'Ravi Shah',
    notes: 'ID checked. Ring twice',
  })
})

test('a parcel comes back if no recipient is at the door, and its run costs the price alone', async () => {
  const { delivery_id, price } = await sendRun(world, { scenario: 'undeliverable' })
  const returned = await advanceToDeliveryStatus(world, delivery_id, 'returned')
  expect(returned).toMatchObject({
    undeliverable: { reason_code: 'recipient_unavailable', attempts: 2, waited_seconds: 300 },
    payment: { status: 'paid', amount: price },
    refund: null,
  })
  const hasty = await sendRun(world, { scenario: 'undeliverable;waits=60' })
  expect(await advanceToDeliveryStatus(world, hasty.delivery_id, 'returned')).toMatchObject({
    refund: { amount: hasty.price, reason: 'recipient_unavailable' },
  })
})

test('a refused parcel comes back, and the payment is refunded', async () => {
  const { delivery_id, price } = await sendRun(world, {
    scenario: 'undeliverable;reason=refused',
    request: { payment: { method: 'wallet' } },
  })
  const returning = await advanceToDeliveryStatus(world, delivery_id, 'returning')
  expect(returning).toMatchObject({
    undeliverable: { reason_code: 'refused', action: 'return' },
    courier: { name: expect.any(String) },
    proof_of_delivery: null,
    refund: null,
    dropoff_eta_at: null,
  })
  const returned = await advanceToDeliveryStatus(world, delivery_id, 'returned')
  expect(returned).toMatchObject({
    proof_of_delivery: { waypoint: 'return', method: 'photo' },
    payment: { status: 'refunded' },
    refund: { status: 'succeeded', destination: 'original_method', amount: price, reason: 'refused' },
    delivered_at: null,
    courier: null,
  })
  const wallet = await callTestControl(world, 'get_wallet', { account: 'member' })
  expect(wallet.balance).toEqual(gbp(5000))
})

test('without a courier it is cancelled after 15 minutes and refunded', async () => {
  const { delivery_id, price } = await sendRun(world, { scenario: 'no_courier' })
  await world.advance(900 * SECOND - 1)
  expect((await fetchDelivery(world, delivery_id)).status).toBe('pending')
  await world.advance(1)
  expect(await fetchDelivery(world, delivery_id)).toMatchObject({
    status: 'cancelled',
    payment: { status: 'refunded' },
    refund: { destination: 'original_method', amount: price, reason: 'no_courier_available' },
    status_history: [{}, { status: 'cancelled', by: 'system', reason: 'no_courier_available' }],
  })
})

test.each(['assigned', 'arrived_at_pickup'])(
  'a courier who gives it back when %s is followed by another',
  async (at) => {
    const { delivery_id } = await sendRun(world, { scenario: `courier_cancels;at=${at}` })
    const seen = await watch(delivery_id)
    const couriers = [...new Set(seen.flatMap(({ courier }) => courier?.courier_id ?? []))]
    expect(couriers).toHaveLength(2)
    const last = seen.at(-1)
    expect(last?.status_history.map(({ status }) => status)).toEqual([
      'pending',
      'assigned',
      ...(at === 'assigned' ? [] : ['arrived_at_pickup']),
      'pending',
      'assigned',
      'arrived_at_pickup',
      'picked_up',
      'arrived_at_dropoff',
      'delivered',
    ])
    expect(last?.refund).toBeNull()
  },
)

test('no courier is sent before a pending card payment settles', async () => {
  const { delivery_id, payment, pickup_eta_at } = await sendRun(world, {
    request: { payment: { method: 'card', payment_token: 'tok_pending' } },
  })
  expect([payment?.status, pickup_eta_at]).toEqual(['unpaid', null])
  await world.advance(119 * SECOND)
  expect(await fetchDelivery(world, delivery_id)).toMatchObject({
    status: 'pending',
    payment: { status: 'unpaid' },
  })
  await world.advance(SECOND)
  expect(await fetchDelivery(world, delivery_id)).toMatchObject({
    payment: { status: 'paid' },
    pickup_eta_at: expect.any(String),
  })
  await world.advance(2 * HOUR)
  expect((await fetchDelivery(world, delivery_id)).status).toBe('delivered')
})

test('cash is paid at the door, and not for a parcel that does not arrive', async () => {
  const request = { payment: { method: 'cash' } }
  const [good, bad] = [
    await sendRun(world, { request }),
    await sendRun(world, { request, scenario: 'undeliverable' }),
  ]
  expect(good.payment?.status).toBe('unpaid')
  await world.advance(2 * HOUR)
  expect((await fetchDelivery(world, good.delivery_id)).payment?.status).toBe('paid')
  expect(await fetchDelivery(world, bad.delivery_id)).toMatchObject({
    status: 'returned',
    payment: { status: 'failed' },
    refund: null,
  })
})

test('a delivery of another customer, or an unknown one, is not found', async () => {
  const { delivery_id } = await sendRun(world)
  for (const id of [delivery_id, 'dlv_01m7vkystgef7a5n56tabvem4j', 'x'])
    for (const as of ['guest', 'everything'])
      expect(await world.refused('get_delivery', { delivery_id: id }, { as })).toMatchObject({
        code: 'delivery_not_found',
        detail: `No delivery ${id}.`,
      })
})

test('deliveries stay visible when the membership ends', async () => {
  const { delivery_id } = await sendRun(world)
  await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
  expect((await fetchDelivery(world, delivery_id)).status).toBe('pending')
})
