import { beforeAll, expect, test } from 'vitest'
import { makeParcel } from '../../support/parcel.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox
let tracking_number: string

beforeAll(async () => {
  world = await openTestSandbox()
  const scenario = 'attempt_fails;reason=business_closed;times=2'
  tracking_number = (await world.ok('create_shipment', makeParcel(), { scenario })).tracking_number
  await world.advance(10 * 86_400_000)
})

test('says where a parcel was, when, and why an attempt failed, oldest first', async () => {
  const { data, has_more } = await world.ok('list_shipment_events', { tracking_number })
  expect(has_more).toBe(false)
  expect(data.map(({ sequence }) => sequence)).toEqual(data.map((_, index) => index + 1))
  expect(data.map(({ code }) => code)).toEqual([
    'label_created',
    'collected',
    'arrived_at_facility',
    'departed_facility',
    'arrived_at_facility',
    'out_for_delivery',
    'delivery_attempted',
    'rescheduled',
    'out_for_delivery',
    'delivery_attempted',
    'rescheduled',
    'out_for_delivery',
    'delivered',
  ])
  const attempts = data.filter(({ attempt_number }) => attempt_number !== null)
  expect(attempts.map(({ code, attempt_number, reason }) => [code, attempt_number, reason?.code])).toEqual([
    ['delivery_attempted', 1, 'business_closed'],
    ['delivery_attempted', 2, 'business_closed'],
    ['delivered', 3, undefined],
  ])
  expect(data[1]?.location).toMatchObject({ name: 'London Bermondsey', city: 'London', country_code: 'GB' })
  expect(data[4]?.location).toMatchObject({ hub_id: null, name: 'Reading depot' })
  expect(data[2]?.scanned_by).toBe('depot_staff')
  expect(data.at(-1)?.media).toHaveLength(1)
  const times = data.map(({ occurred_at }) => occurred_at)
  expect(times).toEqual(times.toSorted())
  expect(new Set(data.map(({ event_id }) => event_id)).size).toBe(data.length)
})

test('is the scan history of the parcel itself', async () => {
  const { data } = await world.ok('list_shipment_events', { tracking_number })
  expect((await world.ok('get_shipment', { tracking_number })).scan_history).toEqual(data)
})

test('comes in pages that join without a gap', async () => {
  const { data } = await world.ok('list_shipment_events', { tracking_number })
  const first = await world.ok('list_shipment_events', { tracking_number, limit: 5 })
  const second = await world.ok('list_shipment_events', {
    tracking_number,
    limit: 5,
    cursor: first.next_cursor,
  })
  const third = await world.ok('list_shipment_events', {
    tracking_number,
    limit: 5,
    cursor: second.next_cursor,
  })
  expect([...first.data, ...second.data, ...third.data]).toEqual(data)
  expect(third.next_cursor).toBeNull()
})

test('a cursor of one parcel does not fit another', async () => {
  const other = (await world.ok('create_shipment', makeParcel())).tracking_number
  const { next_cursor: cursor } = await world.ok('list_shipment_events', { tracking_number, limit: 1 })
  const problem = await world.refused('list_shipment_events', { tracking_number: other, cursor })
  expect(problem).toMatchObject({ status: 400, code: 'invalid_cursor' })
})

test('events of another agreement’s parcel are not found', async () => {
  const problem = await world.refused('list_shipment_events', { tracking_number }, { as: 'shipper2' })
  expect(problem).toMatchObject({ status: 404, code: 'shipment_not_found' })
})
