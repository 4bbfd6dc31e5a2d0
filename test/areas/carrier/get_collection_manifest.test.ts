import { expect, test } from 'vitest'
import { makeParcel } from '../../support/parcel.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a manifest shows its parcels as they are now, to their sender only', async () => {
  const world = await openTestSandbox()
  const parcel = makeParcel({ hub_id: 'LON2' })
  const { tracking_number } = await world.ok('create_shipment', parcel)
  const { manifest_id } = await world.ok('create_collection_manifest', { hub_id: 'LON2' })
  const recipient = { ...Object(parcel['recipient']), contact: { name: 'Grace Adams' } }
  await world.ok('correct_recipient', { tracking_number, recipient })
  expect(await world.ok('get_collection_manifest', { manifest_id })).toMatchObject({
    counts: { total: 1, waiting: 1 },
    parcels: [{ tracking_number, recipient_name: 'Grace Adams', status: 'pre_transit' }],
  })
  const refused = await world.refused('get_collection_manifest', { manifest_id }, { as: 'shipper' })
  expect(refused).toMatchObject({ status: 404, code: 'manifest_not_found' })
})
