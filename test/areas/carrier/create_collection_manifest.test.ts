import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { makeParcel } from '../../support/parcel.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const NOBODYS = 'mnf_01m7vkystgf7vtyybg4s0p9p1s'

async function make(world: TestSandbox, changes: Record<string, unknown> = {}): Promise<string> {
  return (await world.ok('create_shipment', makeParcel({ hub_id: 'LON2', ...changes }))).tracking_number
}

async function handOver(world: TestSandbox, hub_id = 'LON2') {
  return world.ok('create_collection_manifest', { hub_id })
}

async function codes(world: TestSandbox, tracking_number: string): Promise<string[]> {
  const { scan_history } = await world.ok('get_shipment', { tracking_number })
  return scan_history.map(({ code }) => code)
}

const numbers = ({ parcels }: { parcels: readonly { tracking_number: string }[] }): string[] =>
  parcels.map(({ tracking_number }) => tracking_number)

test('a manifest takes what waits at its hub and is on none yet; later parcels get a further one', async () => {
  const world = await openTestSandbox()
  const [first, second] = [await make(world), await make(world)]
  const cancelled = await make(world)
  await world.ok('cancel_shipment', { tracking_number: cancelled })
  const elsewhere = await make(world, { hub_id: 'LON1' })

  const preview = await world.ok('create_collection_manifest', { hub_id: 'lon2', preview: true })
  expect(preview).toMatchObject({ result: 'preview', manifest_id: null, created_at: null })
  expect(numbers(preview)).toEqual([first, second])
  expect(await codes(world, first)).toEqual(['label_created'])

  const made = await handOver(world)
  expect(made).toMatchObject({
    result: 'created',
    hub_code: 'LON2',
    created_at: '2026-11-20T09:00:00.000Z',
    counts: { total: 2, waiting: 2, collected: 0, cancelled: 0 },
    left_behind: [{ hub_code: 'LON1', parcels: 1 }],
  })
  expect(numbers(made)).toEqual([first, second])
  expect(await codes(world, first)).toEqual(['label_created', 'manifested'])
  expect(await codes(world, elsewhere)).toEqual(['label_created'])
  const { result: _, left_behind: __, kept_back: ___, ...manifest } = made
  expect(await world.ok('get_collection_manifest', { manifest_id: made.manifest_id })).toEqual(manifest)
  expect((await world.ok('get_shipment', { tracking_number: first })).manifest_id).toBe(made.manifest_id)
  expect(await handOver(world)).toEqual({ ...made, result: 'existing' })

  const later = await make(world)
  const further = await handOver(world)
  expect([further.result, numbers(further)]).toEqual(['created', [later]])
  expect(further.manifest_id).not.toBe(made.manifest_id)
  // The last one by its number, although the clock stands still.
  expect((await handOver(world)).manifest_id).toBe(further.manifest_id)
})

test('a hub without parcels and manifests has none, and says what waits elsewhere', async () => {
  const world = await openTestSandbox()
  await make(world)
  expect(await handOver(world, 'LON1')).toMatchObject({
    result: 'none',
    manifest_id: null,
    parcels: [],
    left_behind: [{ hub_code: 'LON2', parcels: 1 }],
  })
  expect(await world.ok('create_collection_manifest', { hub_id: 'LON3' }, { as: 'shipper' })).toMatchObject({
    result: 'none',
    left_behind: [],
  })
})

test('a scan of the manifest collects all that still waits on it, and nothing else', async () => {
  const world = await openTestSandbox()
  const [kept, gone] = [await make(world), await make(world)]
  const { manifest_id } = await handOver(world)
  const later = await make(world)
  await world.ok('cancel_shipment', { tracking_number: gone })
  await world.advance(HOUR)
  expect(await callTestControl(world, 'scan_manifest', { manifest_id: String(manifest_id) })).toEqual({
    manifest_id,
    collected: 1,
    left: 1,
    occurred_at: '2026-11-20T10:00:00.000Z',
    account: 'everything',
  })
  expect(await codes(world, kept)).toEqual(['label_created', 'manifested', 'collected'])
  expect(await codes(world, gone)).toEqual(['label_created', 'manifested', 'cancelled'])
  expect(await codes(world, later)).toEqual(['label_created'])
  expect(await world.ok('get_collection_manifest', { manifest_id })).toMatchObject({
    counts: { total: 2, waiting: 0, collected: 1, cancelled: 1 },
    parcels: [{ collected_at: '2026-11-20T10:00:00.000Z' }, { collected_at: null, status: 'cancelled' }],
  })
  await expect(
    callTestControl(world, 'scan_manifest', { manifest_id: String(manifest_id) }),
  ).rejects.toMatchObject({
    code: 'invalid_state',
  })
  await expect(callTestControl(world, 'scan_manifest', { manifest_id: NOBODYS })).rejects.toMatchObject({
    code: 'manifest_not_found',
  })
})

test('the driver takes all of a manifest at its first cut-off; parcels on none are collected at their own', async () => {
  const world = await openTestSandbox()
  const alone = await make(world)
  const same = await make(world, { service_level: 'same_day', recipient: NEAR })
  const both = await openTestSandbox()
  const [early, late] = [await make(both, { service_level: 'same_day', recipient: NEAR }), await make(both)]
  await handOver(both)
  for (const each of [world, both]) await each.advance(8 * HOUR)
  const collected = async (from: TestSandbox, tracking_number: string) =>
    (await from.ok('get_shipment', { tracking_number })).collected_at
  const first = await collected(world, same)
  expect(await collected(world, alone)).not.toBe(first)
  expect([await collected(both, early), await collected(both, late)]).toEqual([first, first])
})

const NEAR = makeParcel({}, { line1: '1 Bow Road', city: 'London', postal_code: 'E1 6EA' })['recipient']

describe.each(ENGINES)('on $name', (engine) => {
  test('two clerks who hand over at once put each parcel on one manifest', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 3; round++) {
      const fresh = [await make(world), await make(world), await make(world)]
      const made = await Promise.all([handOver(world), handOver(world), handOver(world)])
      expect(made.map(({ result }) => result).toSorted()).toEqual(['created', 'existing', 'existing'])
      expect(new Set(made.map(({ manifest_id }) => manifest_id)).size).toBe(1)
      for (const each of made) expect(numbers(each)).toEqual(fresh)
      for (const number of fresh) expect(await codes(world, number)).toEqual(['label_created', 'manifested'])
    }
  })

  test('a cancellation and a scan of the manifest at once leave one truth', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 4; round++) {
      const [tracking_number] = [await make(world), await make(world)]
      const { manifest_id } = await handOver(world)
      const cancel = () => world.ok('cancel_shipment', { tracking_number })
      const scan = () => callTestControl(world, 'scan_manifest', { manifest_id: String(manifest_id) })
      const [, scanned] =
        round % 2 === 0
          ? await Promise.all([cancel(), scan()])
          : ((await Promise.all([scan(), cancel()])).toReversed() as [
              unknown,
              Awaited<ReturnType<typeof scan>>,
            ])
      const { cancellation, collected_at } = await world.ok('get_shipment', { tracking_number })
      expect([scanned.collected, cancellation?.disposition, collected_at !== null]).toEqual(
        scanned.collected === 2 ? [2, 'intercept_and_return', true] : [1, 'not_collected', false],
      )
    }
  })
})
