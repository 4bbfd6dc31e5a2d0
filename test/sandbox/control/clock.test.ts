import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/core/errors.ts'
import { callTestControl } from '../../support/control.ts'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { NINE_AM, openTestSandbox } from '../../support/world.ts'

const DAY = 86_400_000

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('advancing lets everything happen that is due by then', async () => {
    const world = await openTestSandbox({ engine })
    const { results } = await world.ok('create_shipments_batch', { shipments: makeRows(120) })
    const answer = await callTestControl(world, 'advance_clock', { by: '3d' })
    expect(answer).toMatchObject({ now: '2026-11-23T09:00:00.000Z', mode: 'frozen', applied: 720 })
    const status = await callTestControl(world, 'get_status')
    expect(status.counts.shipments_by_status).toEqual({ delivered: 120 })
    expect(status.due).toBe(0)
    expect(results).toHaveLength(120)
  })

  test('more than one transaction is needed for many events, and none is left over', async () => {
    const world = await openTestSandbox({ engine })
    await world.ok('create_shipments_batch', { shipments: makeRows(300) })
    expect((await callTestControl(world, 'advance_clock', { to: '2026-11-30T00:00:00Z' })).applied).toBe(1800)
  })
})

describe('the clock', () => {
  test('says that it moved when the disk is full before everything has happened', async () => {
    const world = await openTestSandbox()
    await world.ok('create_shipment', makeParcel())
    let writes = 0
    const db = Object.create(world.db, {
      write: {
        value: (run: Parameters<typeof world.db.write>[0]) =>
          ++writes === 2
            ? Promise.reject(new AppError('storage_full', 'The disk is full.'))
            : world.db.write(run),
      },
    }) as typeof world.db
    await expect(callTestControl({ ...world, db }, 'advance_clock', { by: '3d' })).rejects.toMatchObject({
      code: 'storage_full',
      message:
        'The disk is full. The clock moved all the same, to 2026-11-23T09:00:00.000Z: do not move it again.',
    })
    expect((await callTestControl(world, 'get_clock')).now).toBe('2026-11-23T09:00:00.000Z')
    expect((await callTestControl(world, 'get_status')).due).toBe(1)
  })

  test('says what it shows and what happens next', async () => {
    const world = await openTestSandbox()
    expect(await callTestControl(world, 'get_clock')).toEqual({
      now: '2026-11-20T09:00:00.000Z',
      mode: 'frozen',
      factor: 1,
      // The renewal of the memberships comes first, until there is a parcel.
      next_due_at: '2026-12-10T09:00:00.000Z',
    })
    await world.ok('create_shipment', makeParcel())
    expect((await callTestControl(world, 'get_clock')).next_due_at).toBe('2026-11-20T17:00:00.000Z')
  })

  test('does not run backwards, by any call', async () => {
    const world = await openTestSandbox()
    for (const call of [
      () => callTestControl(world, 'advance_clock', { to: '2026-11-20T08:59:59.999Z' }),
      () => callTestControl(world, 'set_clock', { mode: 'frozen', at: '2026-11-20T08:59:59.999Z' }),
      () => callTestControl(world, 'set_clock', { mode: 'real' }, { now: () => NINE_AM - 1 }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'invalid_state' })
    }
    expect((await callTestControl(world, 'get_clock')).now).toBe('2026-11-20T09:00:00.000Z')
  })

  test('can run fast, stop and run on', async () => {
    const world = await openTestSandbox()
    let machine = NINE_AM
    const now = () => machine
    await callTestControl(world, 'set_clock', { mode: 'scaled', factor: 3600 }, { now })
    machine += 24_000
    expect((await callTestControl(world, 'get_clock', {}, { now })).now).toBe('2026-11-21T09:00:00.000Z')
    await callTestControl(world, 'set_clock', { mode: 'frozen' }, { now })
    machine += 60_000
    expect((await callTestControl(world, 'get_clock', {}, { now })).now).toBe('2026-11-21T09:00:00.000Z')
    await callTestControl(world, 'set_clock', { mode: 'offset' }, { now })
    machine += 60_000
    expect((await callTestControl(world, 'get_clock', {}, { now })).now).toBe('2026-11-21T09:01:00.000Z')
  })

  test('that is set later lets everything happen in between', async () => {
    const world = await openTestSandbox()
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    await callTestControl(world, 'set_clock', { mode: 'frozen', at: '2026-11-25T09:00:00Z' })
    const rows = await world.db.read((tx) =>
      tx.all('select status from shipments where tracking_number = $1', tracking_number),
    )
    expect(rows).toEqual([{ status: 'delivered' }])
  })

  test.each([
    ['advance_clock', {}],
    ['advance_clock', { by: '2h', to: '2026-11-21T00:00:00Z' }],
    ['advance_clock', { by: 'soon' }],
    ['advance_clock', { by: '-2h' }],
    ['advance_clock', { to: '2026-11-21' }],
    ['set_clock', {}],
    ['set_clock', { mode: 'backwards' }],
    ['set_clock', { mode: 'frozen', factor: 2 }],
    ['set_clock', { mode: 'scaled', factor: 0 }],
    ['set_clock', { mode: 'real', at: '2026-11-21T00:00:00Z' }],
    ['set_clock', { mode: 'frozen', when: '2026-11-21T00:00:00Z' }],
  ] as const)('refuses %s %j', async (name, input) => {
    const world = await openTestSandbox()
    await expect(callTestControl(world, name, input)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('advances a token’s life with everything else', async () => {
    const world = await openTestSandbox()
    const { expires_at } = await callTestControl(world, 'mint_token', {
      account: 'shipper',
      expires_in: '1h',
    })
    expect(Date.parse(expires_at)).toBe(NINE_AM + DAY / 24)
  })
})
