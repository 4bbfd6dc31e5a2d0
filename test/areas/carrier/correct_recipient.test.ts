import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const ABERDEEN = { line1: '1 Union Street', city: 'Aberdeen', postal_code: 'AB11 5BN' }

const to = (address: Record<string, unknown>) => makeParcel({}, address)['recipient'] as object

async function make(world: TestSandbox): Promise<string> {
  return (await world.ok('create_shipment', makeParcel())).tracking_number
}

test('a corrected parcel keeps its number and price, gets a new label, and arrives at the right door', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  const recipient = to({ line1: '21 Friar Street' })
  const corrected = await world.ok('correct_recipient', { tracking_number, recipient })
  expect(corrected).toMatchObject({
    tracking_number,
    recipient,
    status: 'pre_transit',
    status_detail: 'address_corrected',
    label: { barcode: { value: `${tracking_number}-2` } },
    price: { total: { amount: 612 } },
  })
  const listed = await world.ok('list_shipments')
  expect(listed.data[0]?.label.barcode.value).toBe(`${tracking_number}-2`)
  const findIn = async (q: string) => (await world.ok('find_shipments', { q })).data.length
  const named = { ...recipient, contact: { name: 'Claire Lefèvre' } }
  await world.ok('correct_recipient', { tracking_number, recipient: named })
  expect([await findIn('lefevre'), await findIn('okoro'), await findIn('RG1 1DB')]).toEqual([1, 0, 1])
  await world.ok('correct_recipient', { tracking_number, recipient })
  expect([await findIn('lefevre'), await findIn('okoro')]).toEqual([0, 1])
  await world.advance(48 * HOUR)
  // The code of the new label finds the parcel.
  const read = await world.ok('get_shipment', { tracking_number: `${tracking_number}-2` })
  expect(read).toMatchObject({ tracking_number, status: 'delivered' })
})

test('the old label is rejected when the parcel is collected, and the new one is taken', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  await world.ok('correct_recipient', { tracking_number, recipient: to({ line1: '21 Friar Street' }) })
  await expect(
    callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' }),
  ).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining(`the barcode ${tracking_number}-2`) as string,
  })
  const label = { tracking_number: `${tracking_number}-2`, code: 'collected' }
  expect(await callTestControl(world, 'scan_shipment', label)).toMatchObject({ status: 'in_transit' })
})

test('another price needs the consent of the sender, and then the parcel is sorted and priced anew', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  const recipient = to(ABERDEEN)
  const asked = await world.refused('correct_recipient', { tracking_number, recipient })
  expect(asked).toMatchObject({ status: 422, code: 'quote_mismatch', total: { amount: 726 } })
  const expected_total = { amount: 612, currency: 'GBP' }
  expect(
    (await world.refused('correct_recipient', { tracking_number, recipient, expected_total })).code,
  ).toBe('quote_mismatch')
  expect((await world.ok('get_shipment', { tracking_number })).scan_history).toHaveLength(1)
  const corrected = await world.ok('correct_recipient', {
    tracking_number,
    recipient,
    expected_total: { amount: 726, currency: 'GBP' },
  })
  const fresh = await world.ok('create_shipment', makeParcel({}, ABERDEEN))
  expect(corrected.price).toEqual(fresh.price)
  expect(corrected.label.route_code).toBe(fresh.label.route_code)
  expect(corrected.estimated_delivery_date).toBe(fresh.estimated_delivery_date)
  await world.advance(100 * HOUR)
  const { scan_history } = await world.ok('get_shipment', { tracking_number })
  expect(scan_history.map(({ location }) => location.name)).toContain('Aberdeen depot')
})

test('the same recipient again changes nothing', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  const before = await world.ok('get_shipment', { tracking_number })
  expect(
    await world.ok('correct_recipient', { tracking_number, recipient: to({ postal_code: 'rg11db' }) }),
  ).toEqual(before)
})

test('a parcel that is cancelled cannot be corrected', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  await world.ok('cancel_shipment', { tracking_number })
  const problem = await world.refused('correct_recipient', { tracking_number, recipient: to({}) })
  expect(problem).toMatchObject({ status: 409, code: 'invalid_state', current_status: 'cancelled' })
})

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('of a correction and a driver who collects by the old label at once, one is rejected', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 4; round++) {
      const tracking_number = await make(world)
      const [corrected, scanned] = await Promise.all([
        world.call('correct_recipient', { tracking_number, recipient: to({ line1: '21 Friar Street' }) }),
        callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' }).catch(
          () => undefined,
        ),
      ])
      expect([corrected.status === 200, scanned !== undefined].filter(Boolean)).toHaveLength(1)
    }
  })
})
