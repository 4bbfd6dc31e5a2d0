import { describe, expect, test } from 'vitest'
import { countStoreRows } from '../../../src/db/status.ts'
import { SCHEMA_VERSION } from '../../../src/db/version.ts'
import { callTestControl } from '../../support/control.ts'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import { requestTestRide } from '../../support/rides.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { NINE_AM, openTestSandbox } from '../../support/world.ts'

const DAY = 86_400_000

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a reset forgets everything and starts as a new store with that seed', async () => {
    const world = await openTestSandbox({ engine, seed: '5' })
    const fresh = (await world.call('create_shipment', makeParcel())).text
    await callTestControl(world, 'advance_clock', { by: '9d' })
    await callTestControl(world, 'mint_token', { account: 'shipper' })
    const answer = await callTestControl(world, 'reset', { at: new Date(NINE_AM).toISOString() })
    expect(answer).toMatchObject({
      seed: '5',
      fixture: 'london',
      clock: { now: '2026-11-20T09:00:00.000Z', mode: 'frozen' },
    })
    expect((await world.ok('list_shipments')).data).toEqual([])
    expect((await world.call('create_shipment', makeParcel())).text).toBe(fresh)
    expect((await callTestControl(world, 'reset', { seed: '6' })).seed).toBe('6')
    expect(await world.db.read((tx) => tx.all('select * from tokens'))).toEqual([])
  })

  test('the world shows who waits where, who is on which way, what comes next and what happened', async () => {
    const world = await openTestSandbox({ engine })
    const waiting = await callTestControl(world, 'get_world')
    expect(
      Map.groupBy(waiting.people, ({ crew }) => crew)
        .keys()
        .toArray()
        .toSorted(),
    ).toEqual(['courier', 'driver', 'provider', 'tasker'])
    expect(waiting).toMatchObject({ more_people: 0, happened: [], people: expect.any(Array) })
    expect(waiting.people.some(({ job }) => job !== null)).toBe(false)
    expect(waiting.places.filter(({ kind }) => kind === 'hub')).toHaveLength(6)

    const { ride_id } = await requestTestRide(world)
    const [next] = (await callTestControl(world, 'get_world')).due
    expect(next).toMatchObject({ kind: 'ride', resource_id: ride_id })
    await callTestControl(world, 'step_resource', { resource_id: ride_id })
    await callTestControl(world, 'step_resource', { resource_id: ride_id })
    const [driver] = (await callTestControl(world, 'get_world')).people
    expect(driver).toMatchObject({
      crew: 'driver',
      job: { resource_id: ride_id, status: 'arriving', next: { event: 'arrived' } },
    })
    const { leg } = driver?.job ?? {}
    expect(leg?.path.length).toBeGreaterThan(1)
    await callTestControl(world, 'advance_clock', { by: '3h' })
    const over = await callTestControl(world, 'get_world')
    expect(over.happened[0]).toMatchObject({ resource_id: ride_id, to: 'completed' })
    // The driver waits where the ride ended, and no longer where it began.
    const idle = over.people.find(({ person_id }) => person_id === driver?.person_id)
    const before = waiting.people.find(({ person_id }) => person_id === driver?.person_id)
    expect([idle?.job, idle?.at]).toEqual([null, expect.not.objectContaining(before?.at ?? {})])
  })

  test('a step makes the next thing happen now', async () => {
    const world = await openTestSandbox({ engine })
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    expect(
      await callTestControl(world, 'step_resource', { resource_id: tracking_number.toLowerCase() }),
    ).toEqual({
      resource_id: tracking_number,
      event: 'collected',
      at: '2026-11-20T09:00:00.000Z',
      account: 'everything',
    })
    const steps: string[] = []
    for (let step = 0; step < 5; step++) {
      steps.push((await callTestControl(world, 'step_resource', { resource_id: tracking_number })).event)
    }
    expect(steps).toEqual([
      'arrived_at_facility',
      'departed_facility',
      'arrived_at_facility',
      'out_for_delivery',
      'delivered',
    ])
    expect(await world.ok('get_shipment', { tracking_number })).toMatchObject({
      status: 'delivered',
      delivered_at: '2026-11-20T09:00:00.000Z',
    })
    await expect(
      callTestControl(world, 'step_resource', { resource_id: tracking_number }),
    ).rejects.toMatchObject({
      code: 'invalid_state',
    })
  })

  test('a scan takes the reference of a parcel, and asks for the number where two senders use it', async () => {
    const world = await openTestSandbox({ engine })
    const parcel = { ...makeParcel(), reference: 'ORDER 1001' }
    const { tracking_number } = await world.ok('create_shipment', parcel)
    const scanned = { tracking_number: ' ORDER 1001', code: 'collected' }
    expect(await callTestControl(world, 'scan_shipment', scanned)).toMatchObject({ tracking_number })
    const other = await world.ok('create_shipment', parcel, { as: 'shipper' })
    await expect(callTestControl(world, 'scan_shipment', scanned)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(other.tracking_number) as string,
    })
    await expect(
      callTestControl(world, 'scan_shipment', { ...scanned, tracking_number: 'ORDER 1002' }),
    ).rejects.toMatchObject({ code: 'shipment_not_found' })
  })

  test('a scan by hand is recorded where it was made', async () => {
    const world = await openTestSandbox({ engine })
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    const scan = await callTestControl(world, 'scan_shipment', {
      tracking_number,
      code: 'collected',
      hub_id: 'lon3',
    })
    expect(scan).toEqual({
      tracking_number,
      sequence: 2,
      code: 'collected',
      status: 'in_transit',
      occurred_at: '2026-11-20T09:00:00.000Z',
      location: 'London Bow',
      account: 'everything',
    })
    const { data } = await callTestControl(world, 'list_events')
    expect(data.at(-1)).toMatchObject({
      type: 'shipment.collected',
      resource_id: tracking_number,
      from: 'pre_transit',
      to: 'in_transit',
      by: 'sandbox',
    })
  })

  test('a step comes after what is due already, which has its own time', async () => {
    const world = await openTestSandbox({ engine })
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    await callTestControl(world, 'set_clock', { mode: 'offset' })
    const later = { now: () => DAY / 2 }
    const step = await callTestControl(world, 'step_resource', { resource_id: tracking_number }, later)
    expect(step).toMatchObject({ event: 'departed_facility', at: '2026-11-20T21:00:00.000Z' })
    const { scan_history } = await world.ok('get_shipment', { tracking_number })
    expect(scan_history.map(({ code, occurred_at }) => [code, occurred_at.slice(11, 16)])).toEqual([
      ['label_created', '09:00'],
      ['collected', '17:00'],
      ['arrived_at_facility', expect.stringMatching(/^1[89]:/)],
      ['departed_facility', '21:00'],
    ])
  })

  test('events during a clock run are stored, though no call was made meanwhile', async () => {
    const world = await openTestSandbox({ engine })
    await world.ok('create_shipments_batch', { shipments: makeRows(30) })
    await callTestControl(world, 'set_clock', { mode: 'offset' })
    const later = { now: () => 2 * DAY }
    const { data } = await callTestControl(world, 'list_events', { limit: 1000 }, later)
    expect(data.filter(({ type }) => type === 'shipment.delivered')).toHaveLength(30)
    expect((await callTestControl(world, 'get_status', {}, later)).due).toBe(0)
  })

  test('events can be read from any position', async () => {
    const world = await openTestSandbox({ engine })
    for (let index = 0; index < 5; index++) await world.ok('create_shipment', makeParcel())
    const first = await callTestControl(world, 'list_events', { limit: 2 })
    const rest = await callTestControl(world, 'list_events', { after: first.next_after })
    expect([first.has_more, rest.has_more]).toEqual([true, false])
    const seqs = [...first.data, ...rest.data].map(({ seq }) => seq)
    expect(seqs).toHaveLength(5)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    expect(await callTestControl(world, 'list_events', { after: rest.next_after })).toEqual({
      data: [],
      has_more: false,
      next_after: rest.next_after,
    })
  })
})

describe('the supply of people', () => {
  test('is kept with the world, and normal again after a reset', async () => {
    const world = await openTestSandbox()
    expect(await callTestControl(world, 'set_supply', { supply: 'scarce' })).toEqual({ supply: 'scarce' })
    expect(await callTestControl(world, 'get_status')).toMatchObject({ supply: 'scarce' })
    await expect(callTestControl(world, 'set_supply', { supply: 'many' })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/supply', code: 'invalid_enum' }],
    })
    await callTestControl(world, 'reset', {})
    expect(await callTestControl(world, 'get_status')).toMatchObject({ supply: 'normal' })
  })
})

describe('the sandbox', () => {
  test('says how many millions it holds without counting them', async () => {
    const world = await openTestSandbox()
    await world.ok('create_shipment', makeParcel())
    await world.db.write((tx) =>
      tx.run(`update ordinals set last = 10000000 where kind in ('shipment', 'event')`),
    )
    expect(await callTestControl(world, 'get_status')).toMatchObject({
      counts: { shipments: 10_000_000, shipments_by_status: null, events: 10_000_000, orders_by_status: {} },
    })
    expect(await world.db.read((tx) => countStoreRows(tx, Number.MAX_SAFE_INTEGER, 2))).toEqual({
      accounts: 2,
      timeline: 2,
      due: 2,
    })
  })

  test('says what it holds', async () => {
    const world = await openTestSandbox()
    await world.ok('create_shipment', makeParcel())
    expect(await callTestControl(world, 'get_status')).toEqual({
      environment: 'sandbox',
      store: 'sqlite',
      schema_version: SCHEMA_VERSION,
      seed: '20261120',
      supply: 'normal',
      clock: {
        now: '2026-11-20T09:00:00.000Z',
        mode: 'frozen',
        factor: 1,
        next_due_at: '2026-11-20T17:00:00.000Z',
      },
      counts: {
        accounts: 8,
        orders: 0,
        orders_by_status: {},
        rides: 0,
        rides_by_status: {},
        shipments: 1,
        shipments_by_status: { pre_transit: 1 },
        events: 1,
        timeline: 3,
      },
      due: 0,
    })
  })

  test('forgets its clock too: a reset without an instant runs from noon', async () => {
    const world = await openTestSandbox()
    const { clock } = await callTestControl(world, 'reset', {}, { now: () => NINE_AM })
    expect(clock).toMatchObject({ now: '2026-11-20T12:00:00.000Z', mode: 'offset' })
  })

  test('steps a membership by the account’s name', async () => {
    const world = await openTestSandbox()
    expect(await callTestControl(world, 'step_resource', { resource_id: 'member' })).toMatchObject({
      event: 'renewal',
    })
    expect(await world.ok('get_membership_status', {}, { as: 'member' })).toMatchObject({ active: true })
  })

  test.each([
    ['scan_shipment', { tracking_number: 'ZC473124829GB', code: 'collected' }, 'shipment_not_found'],
    ['scan_shipment', { tracking_number: '#', code: 'collected', hub_id: 'LON9' }, 'hub_not_found'],
    ['scan_shipment', { tracking_number: '#', code: 'delivered' }, 'invalid_state'],
    ['scan_shipment', { tracking_number: '#', code: 'cancelled' }, 'invalid_request'],
    ['scan_shipment', { tracking_number: '#', code: 'exploded' }, 'invalid_request'],
    ['step_resource', { resource_id: 'nobody' }, 'account_not_found'],
    ['step_resource', { resource_id: 'guest' }, 'invalid_state'],
    ['step_resource', { resource_id: 'ZC473124829GB' }, 'shipment_not_found'],
    ['reset', { seed: 'x' }, 'invalid_request'],
    ['reset', { fixture: 'paris' }, 'invalid_request'],
    ['list_events', { after: -1 }, 'invalid_request'],
    ['list_events', { limit: 1001 }, 'invalid_request'],
  ] as const)('refuses %s %j as %s, and changes nothing', async (name, input, code) => {
    const world = await openTestSandbox()
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    const given =
      'tracking_number' in input && input.tracking_number === '#' ? { ...input, tracking_number } : input
    const before = await world.db.read((tx) => tx.all('select * from world'))
    await expect(callTestControl(world, name, given)).rejects.toMatchObject({ code })
    expect(await world.db.read((tx) => tx.all('select * from world'))).toEqual(before)
  })

  test('knows no other calls', async () => {
    const world = await openTestSandbox()
    const { invokeControl } = await import('../../../src/sandbox/control/invoke.ts')
    const call = invokeControl(
      world.db,
      'toString',
      {},
      { now: () => 0, random: (count) => new Uint8Array(count), env: {} },
    )
    await expect(call).rejects.toMatchObject({ code: 'route_not_found' })
  })
})
