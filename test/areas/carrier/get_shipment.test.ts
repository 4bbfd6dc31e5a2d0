import { beforeAll, expect, test } from 'vitest'
import { makeParcel } from '../../support/parcel.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox
let number: string

beforeAll(async () => {
  world = await openTestSandbox()
  number = (await world.ok('create_shipment', makeParcel(), { as: 'shipper' })).tracking_number
})

test('a number may be typed with spaces, hyphens and small letters', async () => {
  const typed = ` ${number.slice(0, 4).toLowerCase()} ${number.slice(4, 9)}-${number.slice(9)} `
  const found = await world.ok('get_shipment', { tracking_number: typed }, { as: 'shipper' })
  expect(found.tracking_number).toBe(number)
})

test.each([
  '',
  'x',
  'ZC123',
  'ZC968043371GB',
  '../../etc/passwd',
  "'; drop table shipments",
  'ship_01',
  '１２',
])('what is no tracking number is refused as such: %j', async (tracking_number) => {
  const problem = await world.refused('get_shipment', { tracking_number }, { as: 'shipper' })
  expect(problem).toMatchObject({ status: 400, code: 'invalid_tracking_number' })
  expect(problem.errors[0]?.parameter).toBe('tracking_number')
})

test('another agreement’s parcel looks exactly like one that does not exist', async () => {
  const other = await world.refused('get_shipment', { tracking_number: number }, { as: 'shipper2' })
  const unknown = await world.refused(
    'get_shipment',
    { tracking_number: 'ZC473124829GB' },
    { as: 'shipper2' },
  )
  expect(other).toMatchObject({ status: 404, code: 'shipment_not_found' })
  const { detail, instance: _a, request_id: _b, ...rest } = other
  const { detail: unknownDetail, instance: _c, request_id: _d, ...same } = unknown
  expect(rest).toEqual(same)
  expect(detail.replace(number, '#')).toBe(unknownDetail.replace('ZC473124829GB', '#'))
})

test('reading brings a parcel to where the clock is', async () => {
  await world.write(async (tx) => {
    const { frozenClock } = await import('../../../src/core/clock.ts')
    const { saveClock } = await import('../../../src/db/world.ts')
    await saveClock(tx, frozenClock(Date.parse('2026-11-20T17:30:00.000Z')))
  })
  const parcel = await world.ok('get_shipment', { tracking_number: number }, { as: 'shipper' })
  expect(parcel).toMatchObject({ status: 'in_transit', collected_at: '2026-11-20T17:00:00.000Z' })
})
