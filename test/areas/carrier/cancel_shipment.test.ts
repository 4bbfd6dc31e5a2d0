import { describe, expect, test } from 'vitest'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

async function make(world: TestSandbox, scenario?: string): Promise<string> {
  const made = await world.ok('create_shipment', makeParcel(), scenario === undefined ? {} : { scenario })
  return made.tracking_number
}

async function reach(world: TestSandbox, tracking_number: string, status: string): Promise<void> {
  for (let hour = 0; hour < 24 * 40; hour++) {
    if ((await world.ok('get_shipment', { tracking_number })).status === status) return
    await world.advance(HOUR)
  }
  throw new Error(`${tracking_number} never was ${status}`)
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a waiting parcel is cancelled, and no event follows', async () => {
    const world = await openTestSandbox({ engine })
    const tracking_number = await make(world)
    const cancelled = await world.ok('cancel_shipment', {
      tracking_number,
      reason_code: 'address_wrong',
      note: 'Moved house',
    })
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      status_detail: 'cancelled',
      cancellation: {
        reason_code: 'address_wrong',
        note: 'Moved house',
        at: '2026-11-20T09:00:00.000Z',
        disposition: 'not_collected',
      },
    })
    await world.advance(30 * DAY)
    expect(await world.ok('get_shipment', { tracking_number })).toEqual(cancelled)
  })

  test.each([
    ['in_transit', undefined, 'intercept_and_return'],
    ['out_for_delivery', undefined, 'intercept_and_return'],
    ['delivery_attempted', 'attempt_fails;times=3', 'intercept_and_return'],
    ['available_for_pickup', 'attempt_fails;times=3', 'intercept_and_return'],
    ['returning', 'returned', 'intercept_and_return'],
    ['lost', 'lost', 'lost'],
  ])('a parcel that is %s can still be called off', async (status, scenario, disposition) => {
    const world = await openTestSandbox({ engine })
    const tracking_number = await make(world, scenario)
    await reach(world, tracking_number, status)
    const cancelled = await world.ok('cancel_shipment', { tracking_number })
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancellation: { reason_code: 'other', disposition },
    })
    await world.advance(30 * DAY)
    const later = await world.ok('get_shipment', { tracking_number })
    expect(later.status).toBe('cancelled')
    // A parcel on its way comes back to the hub; the scan is stored, the status stays.
    const after = later.scan_history.slice(cancelled.scan_history.length)
    expect(after.map(({ code, status: then }) => [code, then])).toEqual(
      disposition === 'lost' ? [] : [['returned', 'cancelled']],
    )
  })

  test.each([
    ['delivered', undefined],
    ['returned', 'returned'],
  ])('a parcel that is %s cannot be called off any more', async (status, scenario) => {
    const world = await openTestSandbox({ engine })
    const tracking_number = await make(world, scenario)
    await reach(world, tracking_number, status)
    const before = await world.ok('get_shipment', { tracking_number })
    const problem = await world.refused('cancel_shipment', { tracking_number })
    expect(problem).toMatchObject({ status: 409, code: 'not_cancellable', current_status: status })
    expect(await world.ok('get_shipment', { tracking_number })).toEqual(before)
  })

  test('a second cancel changes nothing', async () => {
    const world = await openTestSandbox({ engine })
    const tracking_number = await make(world)
    const first = await world.ok('cancel_shipment', { tracking_number, reason_code: 'duplicate' })
    await world.advance(HOUR)
    expect(await world.ok('cancel_shipment', { tracking_number, reason_code: 'other' })).toEqual(first)
  })
})

test('due events happen before the cancel', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  await world.advanceTo('2026-11-25T12:00:00.000Z')
  expect(await world.refused('cancel_shipment', { tracking_number })).toMatchObject({
    current_status: 'delivered',
  })
})

test('another agreement’s parcel is not found', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  const problem = await world.refused('cancel_shipment', { tracking_number }, { as: 'shipper' })
  expect(problem).toMatchObject({ status: 404, code: 'shipment_not_found' })
})

test('a reason that is not on the list is rejected', async () => {
  const world = await openTestSandbox()
  const problem = await world.refused('cancel_shipment', {
    tracking_number: await make(world),
    reason_code: 'bored',
  })
  expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/reason_code', code: 'invalid_enum' })])
})
