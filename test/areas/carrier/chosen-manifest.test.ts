/** A manifest of chosen parcels: what stays on the bench is not collected with it. */
import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { readInvoice } from '../../support/invoices.ts'
import { makeParcel } from '../../support/parcel.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HUB = { hub_id: 'LON2' }

async function make(world: TestSandbox, reference: string, changes: object = {}): Promise<string> {
  return (await world.ok('create_shipment', makeParcel({ ...HUB, reference, ...changes }))).tracking_number
}

const references = ({ parcels }: { parcels: readonly { reference: string | null }[] }) =>
  parcels.map(({ reference }) => reference)

async function stateOf(world: TestSandbox, tracking_number: string) {
  const { status, estimated_delivery_date: day } = await world.ok('get_shipment', { tracking_number })
  return [status, day]
}

describe.each(ENGINES)('on $name', (engine) => {
  test('a parcel that is kept back is not on the paper, and goes with the next collection, a day later', async () => {
    const world = await openTestSandbox({ engine })
    const [box, bench] = [await make(world, 'box'), await make(world, 'bench')]
    const preview = await world.ok('create_collection_manifest', {
      ...HUB,
      without: ['bench'],
      preview: true,
    })
    expect([references(preview), preview.kept_back.length]).toEqual([['box'], 1])
    expect(await stateOf(world, bench)).toEqual(['pre_transit', '2026-11-21'])
    const made = await world.ok('create_collection_manifest', { ...HUB, without: ['bench'] })
    expect(references(made)).toEqual(['box'])
    const later = { collection_at: '2026-11-23T17:00:00.000Z', estimated_delivery_date: '2026-11-24' }
    expect(made.kept_back).toEqual([{ tracking_number: bench, reference: 'bench', ...later }])
    // Again, for the lost paper: the same manifest, and not one more day.
    const again = await world.ok('create_collection_manifest', { ...HUB, without: [bench] })
    expect(again).toEqual({ ...made, result: 'existing' })
    await callTestControl(world, 'scan_manifest', { manifest_id: made.manifest_id ?? '' })
    await world.advance(9 * HOUR)
    expect((await stateOf(world, box))[0]).not.toBe('pre_transit')
    expect(await stateOf(world, bench)).toEqual(['pre_transit', '2026-11-24'])
    expect((await readInvoice(world, { month: '2026-11' })).lines.length).toBe(1)
    await world.advanceTo('2026-11-23T17:01:00.000Z')
    expect((await stateOf(world, bench))[0]).toBe('in_transit')
    await world.advanceTo('2026-11-24T18:00:00.000Z')
    expect(await stateOf(world, bench)).toEqual(['delivered', '2026-11-24'])
  })

  test('a parcel that was kept back goes today after all, once it is on a manifest', async () => {
    const world = await openTestSandbox({ engine })
    const bench = await make(world, 'bench')
    await world.ok('create_collection_manifest', { ...HUB, without: ['bench'] })
    expect(await stateOf(world, bench)).toEqual(['pre_transit', '2026-11-24'])
    const made = await world.ok('create_collection_manifest', { ...HUB, shipments: ['bench'] })
    expect([made.result, made.kept_back]).toEqual(['created', []])
    expect(await stateOf(world, bench)).toEqual(['pre_transit', '2026-11-21'])
    await world.advance(9 * HOUR)
    expect((await stateOf(world, bench))[0]).toBe('in_transit')
  })

  test('a manifest of named parcels leaves the others as they are: collected at their cut-off', async () => {
    const world = await openTestSandbox({ engine })
    const [one, two, other] = [await make(world, '1'), await make(world, '2'), await make(world, '3')]
    const made = await world.ok('create_collection_manifest', { ...HUB, shipments: ['2', one, '2'] })
    expect(references(made)).toEqual(['1', '2'])
    await callTestControl(world, 'scan_manifest', { manifest_id: made.manifest_id ?? '' })
    expect([await stateOf(world, one), await stateOf(world, two), await stateOf(world, other)]).toEqual([
      ['in_transit', '2026-11-21'],
      ['in_transit', '2026-11-21'],
      ['pre_transit', '2026-11-21'],
    ])
    await world.advance(9 * HOUR)
    expect((await stateOf(world, other))[0]).toBe('in_transit')
  })
})

test('a parcel that no driver of the hub can take is named, and nothing is made', async () => {
  const world = await openTestSandbox()
  const waiting = await make(world, 'waiting')
  await make(world, 'elsewhere', { hub_id: 'LON1' })
  const collected = await make(world, 'collected')
  await callTestControl(world, 'scan_shipment', { tracking_number: collected, code: 'collected' })
  await make(world, 'listed')
  await world.ok('create_collection_manifest', { ...HUB, shipments: ['listed'] })
  for (const [name, why] of [
    ['elsewhere', 'awaits collection at another hub than LON2'],
    ['collected', 'is in_transit: it does not await collection'],
    ['listed', 'is on the manifest mnf_'],
    ['nobody', 'is no parcel of yours'],
    ['ZC473124829GB', 'is no parcel of yours'],
  ] as const)
    for (const member of ['shipments', 'without'] as const) {
      const refused = await world.refused('create_collection_manifest', {
        ...HUB,
        [member]: ['waiting', name],
      })
      expect([refused.code, refused.status]).toEqual(['not_awaiting_collection', 422])
      expect(refused.detail).toContain(`"${name}" ${why}`)
      expect(refused.errors).toEqual([expect.objectContaining({ pointer: `/${member}/1` })])
    }
  const both = { ...HUB, shipments: ['waiting'], without: ['listed'] }
  expect((await world.refused('create_collection_manifest', both)).status).toBe(400)
  const shown = await world.ok('get_shipment', { tracking_number: waiting })
  expect([shown.manifest_id, shown.estimated_delivery_date]).toEqual([undefined, '2026-11-21'])
})

test('a return that lapsed and is scanned afterwards is billed by that scan, once', async () => {
  const world = await openTestSandbox()
  const original = await make(world, 'sent')
  await world.advance(3 * DAY)
  const sent = await world.ok('create_return', { tracking_number: original })
  const tracking_number = sent.tracking_number ?? ''
  const early = await make(world, 'cancelled by its sender')
  await world.ok('cancel_shipment', { tracking_number: early })
  await world.advance(61 * DAY)
  expect((await stateOf(world, tracking_number))[0]).toBe('cancelled')
  await callTestControl(world, 'scan_shipment', { tracking_number, code: 'arrived_at_facility' })
  await callTestControl(world, 'scan_shipment', { tracking_number, code: 'departed_facility' })
  const { lines } = await readInvoice(world, { month: '2027-01' })
  expect(lines.map(({ kind, tracking_number: number, total }) => [kind, number, total.amount])).toEqual([
    ['return', tracking_number, 612],
  ])
  await callTestControl(world, 'scan_shipment', { tracking_number: early, code: 'arrived_at_facility' })
  expect((await readInvoice(world, { month: '2027-01' })).lines.length).toBe(1)
})
