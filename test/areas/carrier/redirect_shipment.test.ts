import { describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { callTestControl } from '../../support/control.ts'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Shipment = OperationOutput<'get_shipment'>

async function make(world: TestSandbox, differences = {}, scenario?: string): Promise<string> {
  const made = await world.ok(
    'create_shipment',
    makeParcel(differences),
    scenario === undefined ? {} : { scenario },
  )
  return made.tracking_number
}

async function end(world: TestSandbox, tracking_number: string): Promise<Shipment> {
  await world.advance(35 * DAY)
  return world.ok('get_shipment', { tracking_number })
}

async function reach(world: TestSandbox, tracking_number: string, code: string): Promise<void> {
  for (let hour = 0; hour < 24 * 40; hour++) {
    if ((await world.ok('get_shipment', { tracking_number })).status_detail === code) return
    await world.advance(HOUR)
  }
  throw new Error(`${tracking_number} never had the scan ${code}`)
}

const codes = ({ scan_history }: Shipment) => scan_history.map(({ code }) => code)
const dayOf = (instant: string | null | undefined) => instant?.slice(0, 10)

describe('another day', () => {
  test.each(['label_created', 'collected', 'departed_facility'])(
    'is kept by a parcel whose last scan is %s',
    async (code) => {
      const world = await openTestSandbox()
      const tracking_number = await make(world)
      await reach(world, tracking_number, code)
      const redirected = await world.ok('redirect_shipment', { tracking_number, date: '2026-11-26' })
      expect(redirected).toMatchObject({
        status_detail: 'redirected',
        estimated_delivery_date: '2026-11-26',
        options: { not_before_date: '2026-11-26' },
      })
      expect(redirected.scan_history.at(-1)?.reason).toEqual({
        code: 'future_delivery_requested',
        detail: 'To be delivered on 2026-11-26.',
      })
      const over = await end(world, tracking_number)
      expect(dayOf(over.delivered_at)).toBe('2026-11-26')
    },
  )

  test('can be requested again, later and earlier, at the depot and for the same day', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world, { service_level: 'economy' })
    const same_day = await make(world, { service_level: 'same_day' })
    await world.ok('redirect_shipment', { tracking_number: same_day, date: '2026-11-24' })
    await world.advanceTo('2026-11-24T07:00:00.000Z')
    await world.ok('redirect_shipment', { tracking_number, date: '2026-12-04' })
    await world.ok('redirect_shipment', { tracking_number, date: '2026-12-01' })
    expect(dayOf((await end(world, tracking_number)).delivered_at)).toBe('2026-12-01')
    expect(dayOf((await end(world, same_day)).delivered_at)).toBe('2026-11-24')
  })

  test('is the day of the next attempt after a failed one', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world, {}, 'attempt_fails;times=1')
    await reach(world, tracking_number, 'delivery_attempted')
    await world.ok('redirect_shipment', { tracking_number, date: '2026-11-27' })
    const over = await end(world, tracking_number)
    expect(dayOf(over.delivered_at)).toBe('2026-11-27')
    expect(over.attempts).toBe(2)
  })

  test.each([{ safe_place: 'Porch' }, { neighbour: 'Mr Ito, 14' }])(
    'leaves where the parcel goes as it was: %o',
    async (way) => {
      const world = await openTestSandbox()
      const tracking_number = await make(world)
      const { options } = await world.ok('redirect_shipment', { tracking_number, ...way })
      const redirected = await world.ok('redirect_shipment', { tracking_number, date: '2026-11-26' })
      expect(redirected.options).toEqual({ ...options, not_before_date: '2026-11-26' })
      expect(JSON.stringify(redirected.options)).toContain(Object.values(way)[0])
    },
  )

  test('leaves the hub at which the recipient collects the parcel as it was', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world)
    const { options } = await world.ok('redirect_shipment', { tracking_number, hub_id: 'LON2' })
    const redirected = await world.ok('redirect_shipment', { tracking_number, date: '2026-11-26' })
    expect(redirected.options).toEqual({ ...options, not_before_date: '2026-11-26' })
    await reach(world, tracking_number, 'available_for_pickup')
    const { scan_history } = await world.ok('get_shipment', { tracking_number })
    expect(scan_history.at(-1)?.location.name).toBe('London Bermondsey')
  })

  test('is the first possible day or the last of thirty, and none after it', async () => {
    const world = await openTestSandbox({ at: Date.parse('2026-11-23T09:00:00.000Z') })
    for (const date of ['2026-11-24', '2026-12-23']) {
      const tracking_number = await make(world)
      const { estimated_delivery_date } = await world.ok('redirect_shipment', { tracking_number, date })
      expect(estimated_delivery_date).toBe(date)
    }
    const late = { tracking_number: await make(world), date: '2026-12-24' }
    expect((await world.refused('redirect_shipment', late)).detail).toContain(
      'the last possible day is 2026-12-23',
    )
  })

  test.each([
    ['2026-11-20', 'the first possible day is 2026-11-21'],
    ['2026-11-22', 'there is no delivery on 2026-11-22: the next day is 2026-11-23'],
    ['2026-12-26', 'the last possible day is 2026-12-20'],
  ])('is refused when it is %s', async (date, words) => {
    const world = await openTestSandbox()
    const tracking_number = await make(world)
    const problem = await world.refused('redirect_shipment', { tracking_number, date })
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/date', code: 'out_of_range' })])
    expect(problem.detail).toContain(words)
  })
})

describe('another place', () => {
  test('a safe place is where the parcel is left, and no event names it', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world)
    const redirected = await world.ok('redirect_shipment', { tracking_number, safe_place: 'Blue bin' })
    expect(JSON.stringify(redirected.scan_history)).not.toContain('Blue bin')
    expect((await end(world, tracking_number)).proof_of_delivery).toMatchObject({
      method: 'left_safe',
      notes: 'Blue bin',
    })
  })

  test('a neighbour takes the parcel, in place of the safe place of before, and no event names either', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world, { options: { leave_safe_place: 'Porch' } })
    const redirected = await world.ok('redirect_shipment', { tracking_number, neighbour: 'Mr Ito, 14' })
    expect(JSON.stringify(redirected.scan_history)).not.toMatch(/Ito|Porch/)
    const over = await end(world, tracking_number)
    expect(over.options).toEqual({ signature_required: false, neighbour: 'Mr Ito, 14' })
    expect(over.proof_of_delivery).toMatchObject({ recipient_name: 'Mr Ito, 14', relationship: 'neighbour' })
  })

  test.each([
    ['label_created', 'happy'],
    ['collected', 'happy'],
    ['departed_facility', 'happy'],
    ['delivery_attempted', 'attempt_fails;times=1'],
  ])('a hub is where the recipient collects a parcel whose last scan was %s', async (code, scenario) => {
    const world = await openTestSandbox()
    const tracking_number = await make(world, {}, scenario)
    await reach(world, tracking_number, code)
    await world.ok('redirect_shipment', { tracking_number, hub_id: 'LON2' })
    await reach(world, tracking_number, 'available_for_pickup')
    const waiting = await world.ok('get_shipment', { tracking_number })
    expect(waiting.scan_history.at(-1)?.location.name).toBe('London Bermondsey')
    if (scenario !== 'happy') return
    const over = await end(world, tracking_number)
    expect(over).toMatchObject({ status: 'delivered', attempts: 0 })
    expect(over.scan_history.at(-1)?.location.name).toBe('London Bermondsey')
  })

  test('each place takes the place of the one before, in any order; a date stays', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world)
    await world.ok('redirect_shipment', { tracking_number, date: '2026-11-27' })
    const places = [{ neighbour: 'Mr Ito, 14' }, { safe_place: 'Porch' }, { hub_id: 'LON2' }]
    for (const place of [...places, ...places.toReversed()]) {
      const { options } = await world.ok('redirect_shipment', { tracking_number, ...place })
      const { signature_required: _, not_before_date, ...chosen } = options
      const wanted = {
        neighbour: { neighbour: 'Mr Ito, 14' },
        safe_place: { leave_safe_place: 'Porch' },
        hub_id: { pickup_hub_id: expect.stringMatching(/^hub_/) as string },
      }
      expect([not_before_date, chosen]).toEqual([
        '2026-11-27',
        wanted[Object.keys(place)[0] as keyof typeof wanted],
      ])
    }
  })

  test('a parcel that waits at its depot travels to the hub, and back home when it is redirected again', async () => {
    const world = await openTestSandbox()
    const tracking_number = await make(world, { service_level: 'two_day' })
    await world.advanceTo('2026-11-24T07:00:00.000Z')
    const before = await world.ok('get_shipment', { tracking_number })
    expect(codes(before).at(-1)).toBe('arrived_at_facility')
    await world.ok('redirect_shipment', { tracking_number, hub_id: 'LON2' })
    await reach(world, tracking_number, 'arrived_at_facility')
    await world.ok('redirect_shipment', { tracking_number, safe_place: 'Porch' })
    const over = await end(world, tracking_number)
    expect(over.scan_history.slice(5).map(({ code, location }) => [code, location.name])).toEqual([
      ['redirected', 'Reading depot'],
      ['departed_facility', 'Reading depot'],
      ['arrived_at_facility', 'London Bermondsey'],
      ['redirected', 'London Bermondsey'],
      ['departed_facility', 'London Bermondsey'],
      ['arrived_at_facility', 'Reading depot'],
      ['out_for_delivery', 'Reading depot'],
      ['delivered', 'Recipient'],
    ])
  })
})

test.each(['safe_place', 'neighbour'])('cash on delivery excludes a %s', async (way) => {
  const world = await openTestSandbox()
  const cash_on_delivery = { amount: 2500, currency: 'GBP' }
  const tracking_number = await make(world, { options: { cash_on_delivery } })
  const problem = await world.refused('redirect_shipment', { tracking_number, [way]: 'Porch' })
  expect(problem).toMatchObject({ status: 422, code: 'options_conflict', errors: [{ pointer: `/${way}` }] })
  expect((await world.ok('get_shipment', { tracking_number })).scan_history).toHaveLength(1)
})

test.each([
  ['out_for_delivery', 'happy'],
  ['available_for_pickup', 'attempt_fails;times=3'],
  ['delivered', 'happy'],
  ['lost', 'lost'],
])('a parcel that is %s cannot be redirected', async (status, scenario) => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, {}, scenario)
  await reach(world, tracking_number, status)
  const problem = await world.refused('redirect_shipment', { tracking_number, safe_place: 'Porch' })
  expect(problem).toMatchObject({ status: 409, code: 'invalid_state', current_status: status })
})

test.each([
  ['required', {}],
  ['mutually_exclusive', { safe_place: 'Porch', hub_id: 'LON1' }],
])('exactly one way has to be chosen: %s', async (code, ways) => {
  const world = await openTestSandbox()
  const problem = await world.refused('redirect_shipment', { tracking_number: await make(world), ...ways })
  expect(problem.status).toBe(400)
  expect(new Set(problem.errors.map((each) => each.code))).toEqual(new Set([code]))
})

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a redirect and a courier who sets off at once leave one truth', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 4; round++) {
      const tracking_number = await make(world)
      await reach(world, tracking_number, 'collected')
      const [redirected, scanned] = await Promise.all([
        world.call('redirect_shipment', { tracking_number, hub_id: 'LON2' }),
        callTestControl(world, 'scan_shipment', { tracking_number, code: 'out_for_delivery' }),
      ])
      const { scan_history, options } = await world.ok('get_shipment', { tracking_number })
      const order = scan_history.slice(2).map(({ code }) => code)
      expect(scanned.status).toBe('out_for_delivery')
      expect(order).toEqual(
        redirected.status === 200 ? ['redirected', 'out_for_delivery'] : ['out_for_delivery'],
      )
      expect(options.pickup_hub_id !== undefined).toBe(redirected.status === 200)
    }
  })
})
