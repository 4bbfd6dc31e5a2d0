import { beforeEach, describe, expect, test } from 'vitest'
import { type Scan, applyManualScan } from '../../../../src/areas/carrier/lifecycle/shipment.ts'
import { lockShipment } from '../../../../src/areas/carrier/queries/shipments.ts'
import {
  canMoveShipment,
  SCANNABLE_EVENT_CODES,
  SHIPMENT_EVENT_CODES,
  type ShipmentStatus,
} from '../../../../src/areas/carrier/states.ts'
import { findMedia } from '../../../../src/areas/proofs/queries.ts'
import type { OperationOutput } from '../../../../src/client/operations.ts'
import { AppError } from '../../../../src/core/errors.ts'
import { sha256Hex } from '../../../../src/core/hash.ts'
import { runNextEvent } from '../../../../src/sandbox/due-events.ts'
import { makeParcel } from '../../../support/parcel.ts'
import { fc } from '../../../support/properties.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Shipment = OperationOutput<'get_shipment'>

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

/** Creates a parcel, advances five weeks, and returns its end. */
async function live(scenario: string, differences = {}, to = {}): Promise<Shipment> {
  const { tracking_number } = await world.ok('create_shipment', makeParcel(differences, to), { scenario })
  await world.advance(35 * DAY)
  return world.ok('get_shipment', { tracking_number })
}

const story = ({ scan_history }: Shipment) => scan_history.map(({ code }) => code)
const when = ({ scan_history }: Shipment, code: string) =>
  scan_history.find((event) => event.code === code)?.occurred_at ?? ''

describe('a parcel without problems', () => {
  test('is collected, sorted, taken out and delivered with proof, on the day that was promised', async () => {
    const parcel = await live('happy')
    expect(story(parcel)).toEqual([
      'label_created',
      'collected',
      'arrived_at_facility',
      'departed_facility',
      'arrived_at_facility',
      'out_for_delivery',
      'delivered',
    ])
    expect(parcel).toMatchObject({
      status: 'delivered',
      status_detail: 'delivered',
      attempts: 1,
      collected_at: '2026-11-20T17:00:00.000Z',
      proof_of_delivery: {
        method: 'handed_to_recipient',
        waypoint: 'dropoff',
        recipient_name: 'Grace Okoro',
      },
    })
    expect(parcel.delivered_at?.slice(0, 10)).toBe(parcel.estimated_delivery_date)
    expect(when(parcel, 'out_for_delivery')).toBe('2026-11-21T08:00:00.000Z')
    expect(when(parcel, 'departed_facility') < when(parcel, 'out_for_delivery')).toBe(true)
  })

  test('sets off at eight by the clock on the wall, in summer too', async () => {
    world = await openTestSandbox({ at: Date.parse('2026-07-01T09:00:00.000Z') })
    const parcel = await live('happy')
    expect(when(parcel, 'collected')).toBe('2026-07-01T16:00:00.000Z')
    expect(when(parcel, 'out_for_delivery')).toBe('2026-07-02T07:00:00.000Z')
  })

  test('sent for the same day is delivered that day from the depot that took it in', async () => {
    const parcel = await live('happy', { service_level: 'same_day' })
    expect(story(parcel)).toEqual([
      'label_created',
      'collected',
      'arrived_at_facility',
      'out_for_delivery',
      'delivered',
    ])
    expect(parcel.delivered_at?.slice(0, 10)).toBe('2026-11-20')
    expect(new Set(parcel.scan_history.slice(1, 4).map(({ location }) => location.name))).toEqual(
      new Set(['London Bermondsey']),
    )
  })

  test('sent for the same day is collected only when it also arrives, whatever days its depot collects', async () => {
    for (let day = 0; day < 7; day++) {
      const sent = makeParcel({ service_level: 'same_day', hub_id: 'LON1' })
      const made = await world.ok('create_shipment', sent)
      await world.advance(4 * DAY)
      const parcel = await world.ok('get_shipment', { tracking_number: made.tracking_number })
      expect(parcel.delivered_at?.slice(0, 10)).toBe(made.estimated_delivery_date)
      expect(parcel.collected_at?.slice(0, 10)).toBe(made.estimated_delivery_date)
    }
  })

  test.each(['next_day', 'two_day', 'economy'])(
    'sent by %s arrives when promised, in every zone',
    async (service_level) => {
      for (const postal_code of ['EC1A 1BB', 'RG1 1DB', 'EH1 1AA', 'HS1 2AB']) {
        for (let day = 0; day < 7; day++) {
          const made = await world.ok('create_shipment', makeParcel({ service_level }, { postal_code }))
          await world.advance(12 * DAY + 5 * HOUR)
          const parcel = await world.ok('get_shipment', { tracking_number: made.tracking_number })
          expect(parcel.status).toBe('delivered')
          expect((parcel.delivered_at ?? '') <= `${made.estimated_delivery_date}T23`).toBe(true)
        }
      }
    },
  )

  test('is scanned on no Sunday and no holiday, whatever its service, zone and end, and arrives when promised', async () => {
    const closed = new Set(['2026-12-25', '2026-12-26', '2026-12-28', '2027-01-01'])
    world = await openTestSandbox({ at: Date.parse('2026-12-20T10:00:00.000Z') })
    const made: { tracking_number: string; estimated_delivery_date: string; scenario: string }[] = []
    for (let day = 0; day < 8; day++) {
      for (const service_level of ['next_day', 'two_day', 'economy'])
        for (const [postal_code, scenario] of [
          ['RG1 1DB', 'happy'],
          ['EH1 1AA', 'happy'],
          ['EC1A 1BB', 'delayed'],
          ['RG1 1DB', 'returned'],
        ] as const)
          made.push({
            ...(await world.ok('create_shipment', makeParcel({ service_level }, { postal_code }), {
              scenario,
            })),
            scenario,
          })
      await world.advance(DAY)
    }
    await world.advance(30 * DAY)
    for (const { tracking_number, estimated_delivery_date, scenario } of made) {
      const parcel = await world.ok('get_shipment', { tracking_number })
      const days = parcel.scan_history.slice(1).map(({ occurred_at }) => occurred_at.slice(0, 10))
      expect(days.filter((date) => closed.has(date) || new Date(date).getUTCDay() === 0)).toEqual([])
      const isKept = (parcel.delivered_at ?? '') <= `${estimated_delivery_date}T23`
      expect(isKept || scenario !== 'happy').toBe(true)
    }
  })

  test('waits for the first day on which it may be delivered', async () => {
    const parcel = await live('happy', { options: { not_before_date: '2026-11-28' } })
    // A Saturday; the next-day service works on Saturdays.
    expect(parcel.delivered_at?.slice(0, 10)).toBe('2026-11-28')
  })

  test.each([
    [{ signature_required: true, leave_safe_place: 'Porch' }, 'signature', 'Grace Okoro', null],
    [{ leave_safe_place: 'Behind the bins' }, 'left_safe', null, 'Behind the bins'],
  ])('is proven the way that was asked for: %j', async (options, method, recipient_name, notes) => {
    const parcel = await live('happy', { options })
    expect(parcel.proof_of_delivery).toMatchObject({ method, recipient_name, notes })
  })

  test('has as proof a picture near the door, which only its agreement sees', async () => {
    const location = { latitude: 51.4551, longitude: -0.9787 }
    const parcel = await live('happy', {}, { location })
    const [media] = parcel.proof_of_delivery?.media ?? []
    const stored = await world.db.read((tx) => findMedia(tx, media?.media_id ?? ''))
    expect(media).toMatchObject({
      url: `/media/${media?.media_id}`,
      byte_size: stored?.bytes.length,
      sha256: sha256Hex(stored?.bytes ?? ''),
      captured_at: parcel.delivered_at,
      integrity: { hash_verified: true, within_geofence: true, clock_skew_ok: true },
    })
    expect(media?.integrity.distance_to_target_m).toBeLessThan(40)
    expect([...(stored?.bytes.slice(0, 4) ?? [])]).toEqual([0x89, 0x50, 0x4e, 0x47])
    expect(stored?.owner_id).toMatch(/^agr_/)
  })

  test('has a proof that claims no distance from a door that only its postcode tells', async () => {
    const { proof_of_delivery } = await live('happy')
    expect(proof_of_delivery?.media.map(({ integrity }) => integrity.distance_to_target_m)).toEqual([null])
  })
})

describe('the scenario', () => {
  test('attempt_fails is tried again on the next working day', async () => {
    const parcel = await live('attempt_fails;reason=access_denied')
    expect(story(parcel).slice(5)).toEqual([
      'out_for_delivery',
      'delivery_attempted',
      'rescheduled',
      'out_for_delivery',
      'delivered',
    ])
    const attempt = parcel.scan_history[6]
    expect(attempt).toMatchObject({
      status: 'delivery_attempted',
      attempt_number: 1,
      reason: { code: 'access_denied', detail: 'No access to the building.' },
    })
    expect(parcel.attempts).toBe(2)
    // Saturday failed; Monday is the next working day.
    expect(parcel.delivered_at?.slice(0, 10)).toBe('2026-11-23')
    expect(parcel.estimated_delivery_date).toBe('2026-11-23')
  })

  test('attempt_fails three times waits seven days to be picked up, then goes back', async () => {
    const parcel = await live('attempt_fails;times=3')
    expect(story(parcel).slice(-5)).toEqual([
      'out_for_delivery',
      'delivery_attempted',
      'available_for_pickup',
      'return_started',
      'returned',
    ])
    expect(parcel).toMatchObject({ status: 'returned', attempts: 3, proof_of_delivery: null })
    const waited =
      Date.parse(when(parcel, 'return_started')) - Date.parse(when(parcel, 'available_for_pickup'))
    expect(waited).toBe(7 * DAY)
    expect(parcel.scan_history.at(-2)?.reason?.code).toBe('recipient_unavailable')
    expect(parcel.scan_history.at(-1)?.location.name).toBe('London Bermondsey')
  })

  test.each(['refused', 'damaged'])('attempt_fails with the reason %s is not tried again', async (reason) => {
    const parcel = await live(`attempt_fails;reason=${reason};times=3`)
    expect(story(parcel).slice(-3)).toEqual(['delivery_attempted', 'return_started', 'returned'])
    expect(parcel.scan_history.at(-3)).toMatchObject({ status: 'returning', reason: { code: reason } })
    expect(parcel).toMatchObject({ status: 'returned', attempts: 1 })
  })

  test('returned is refused at the door and comes back', async () => {
    const parcel = await live('returned')
    expect(parcel.status).toBe('returned')
    expect(parcel.scan_history.at(-3)?.reason?.code).toBe('refused')
  })

  test('lost is not seen for fourteen days and then given up', async () => {
    const parcel = await live('lost')
    expect(story(parcel).slice(-2)).toEqual(['departed_facility', 'lost'])
    expect(Date.parse(when(parcel, 'lost')) - Date.parse(when(parcel, 'departed_facility'))).toBe(14 * DAY)
    expect(parcel.status).toBe('lost')
  })

  test('damaged is noticed on the round and sent back', async () => {
    const parcel = await live('damaged')
    expect(story(parcel).slice(-4)).toEqual(['out_for_delivery', 'damaged', 'return_started', 'returned'])
    expect(parcel.scan_history.at(-3)).toMatchObject({ status: 'returning', reason: { code: 'damaged' } })
  })

  test('delayed arrives later, says why, and promises another day', async () => {
    const parcel = await live('delayed;hours=120', { service_level: 'two_day' })
    expect(story(parcel)).toContain('delayed')
    expect(parcel.scan_history.find(({ code }) => code === 'delayed')).toMatchObject({
      status: 'in_transit',
      reason: { code: 'weather' },
    })
    expect(parcel.status).toBe('delivered')
    expect(parcel.estimated_delivery_date > '2026-11-24').toBe(true)
  })

  test.each(['', ';hours=3', ';hours=100', ';hours=700'])(
    'delayed%s keeps the day that it promises then',
    async (hours) => {
      const { tracking_number } = await world.ok('create_shipment', makeParcel(), {
        scenario: `delayed${hours}`,
      })
      await world.advance(2 * DAY)
      const held = await world.ok('get_shipment', { tracking_number })
      await world.advance(33 * DAY)
      const parcel = await world.ok('get_shipment', { tracking_number })
      expect(parcel.delivered_at?.slice(0, 10)).toBe(held.estimated_delivery_date)
    },
  )
})

describe('a manually scanned parcel', () => {
  async function scan(tracking_number: string, code: string, more = {}) {
    return world.write(async (tx, stored, now) => {
      const shipment = await lockShipment(tx, tracking_number)
      if (shipment === undefined) throw new Error('no such shipment')
      const event = { code: code as 'lost', by: 'sandbox' as const, ...more }
      return applyManualScan({ tx, world: stored.world, at: now }, shipment, event)
    })
  }

  test('goes on from there by itself', async () => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    await scan(tracking_number, 'collected')
    await scan(tracking_number, 'out_for_delivery')
    await world.advance(9 * HOUR)
    const parcel = await world.ok('get_shipment', { tracking_number })
    expect(story(parcel)).toEqual(['label_created', 'collected', 'out_for_delivery', 'delivered'])
    await world.advance(30 * DAY)
    expect(await world.ok('get_shipment', { tracking_number })).toEqual(parcel)
  })

  test('is next seen where its scan before says that it is: at another depot, and on its way back', async () => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel(), {
      scenario: 'attempt_fails;times=3',
    })
    const hubs = (await world.ok('list_hubs', { limit: 100 })).data
    const [here, there] = hubs.filter(({ active }) => active)
    const at = (hub: unknown) => ({
      hub: { ...(hub as object), address: (hub as { address: object }).address },
    })
    await scan(tracking_number, 'collected', at(here))
    await scan(tracking_number, 'arrived_at_facility')
    await scan(tracking_number, 'departed_facility')
    await scan(tracking_number, 'arrived_at_facility', at(there))
    await world.advance(9 * DAY)
    const { scan_history } = await world.ok('get_shipment', { tracking_number })
    const seen = scan_history.map(({ code, location }) => `${code} ${location.hub_id ?? location.name}`)
    const [own, other] = [here?.hub_id, there?.hub_id]
    expect(seen.slice(1, 8)).toEqual([
      `collected ${own}`,
      `arrived_at_facility ${own}`,
      `departed_facility ${own}`,
      `arrived_at_facility ${other}`,
      `out_for_delivery ${other}`,
      'delivery_attempted Recipient',
      `rescheduled ${other}`,
    ])
    expect(seen).toContain(`available_for_pickup ${other}`)
    await scan(tracking_number, 'return_started', { reason: 'other' })
    await scan(tracking_number, 'departed_facility')
    await scan(tracking_number, 'arrived_at_facility')
    const back = await world.ok('get_shipment', { tracking_number })
    expect(back.scan_history.slice(-3).map(({ location }) => location.hub_id)).toEqual([other, other, own])
  })

  test('needs a reason where the interface promises one', async () => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    await scan(tracking_number, 'collected')
    await expect(scan(tracking_number, 'delayed')).rejects.toMatchObject({ code: 'invalid_request' })
    expect((await world.ok('get_shipment', { tracking_number })).scan_history).toHaveLength(2)
    await scan(tracking_number, 'delayed', { reason: 'vehicle_breakdown', detail: 'Flat tyre on the M4.' })
    const { scan_history } = await world.ok('get_shipment', { tracking_number })
    expect(scan_history.at(-1)?.reason).toEqual({ code: 'vehicle_breakdown', detail: 'Flat tyre on the M4.' })
  })

  test('may be handed over at the counter, and has proof of that', async () => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel(), {
      scenario: 'attempt_fails;times=3',
    })
    while ((await world.ok('get_shipment', { tracking_number })).status !== 'available_for_pickup')
      await world.advance(HOUR)
    await scan(tracking_number, 'delivered')
    const parcel = await world.ok('get_shipment', { tracking_number })
    expect(parcel).toMatchObject({
      status: 'delivered',
      attempts: 3,
      proof_of_delivery: { method: 'handed_to_recipient' },
    })
    const [waiting, handed] = parcel.scan_history.slice(-2)
    expect(handed).toMatchObject({ attempt_number: null, scanned_by: 'depot_staff' })
    expect(handed?.location).toEqual(waiting?.location)
    await world.advance(30 * DAY)
    expect(await world.ok('get_shipment', { tracking_number })).toEqual(parcel)
  })

  test('rejects a step that its state does not allow, and changes nothing', async () => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    const before = await world.ok('get_shipment', { tracking_number })
    for (const code of ['delivered', 'out_for_delivery', 'returned', 'lost', 'label_created']) {
      await expect(scan(tracking_number, code)).rejects.toMatchObject({
        code: 'invalid_state',
        extra: { current_status: 'pre_transit' },
      })
    }
    expect(await world.ok('get_shipment', { tracking_number })).toEqual(before)
  })
})

test('a parcel that came back takes no more scans, cancelled or not, and one that is delivered takes none', async () => {
  const byHand = (tracking_number: string, code: Scan['code']) =>
    world.write(async (tx, stored, now) => {
      const shipment = await lockShipment(tx, tracking_number)
      if (shipment === undefined) throw new Error('no such shipment')
      return applyManualScan({ tx, world: stored.world, at: now }, shipment, {
        code,
        by: 'sandbox',
        reason: 'other',
      })
    })
  const { tracking_number: cancelled } = await world.ok('create_shipment', makeParcel())
  await byHand(cancelled, 'collected')
  await world.ok('cancel_shipment', { tracking_number: cancelled })
  for (const code of ['return_started', 'arrived_at_facility', 'returned'] as const)
    await byHand(cancelled, code)
  const returned = (await live('returned')).tracking_number
  const delivered = (await live('happy', { reference: 'HAPPY' })).tracking_number
  for (const tracking_number of [cancelled, returned, delivered]) {
    const before = await world.ok('get_shipment', { tracking_number })
    for (const code of SCANNABLE_EVENT_CODES)
      await expect(byHand(tracking_number, code), code).rejects.toMatchObject({
        code: 'invalid_state',
        hint: 'No further scans are possible.',
      })
    await world.advance(30 * DAY)
    expect(await world.ok('get_shipment', { tracking_number })).toEqual(before)
  }
})

test('whatever is scanned, stepped, waited for or cancelled, only steps of the table are made', async () => {
  const action = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('scan' as const),
        code: fc.constantFrom(...SHIPMENT_EVENT_CODES),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 90 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('step' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  )
  const scenarios = fc.constantFrom(
    'happy',
    'attempt_fails;times=3',
    'lost',
    'damaged',
    'delayed',
    'returned',
  )
  const seen = new Set<ShipmentStatus>()
  await fc.assert(
    fc.asyncProperty(scenarios, fc.array(action, { maxLength: 25 }), async (scenario, actions) => {
      const { tracking_number } = await world.ok('create_shipment', makeParcel(), { scenario })
      let length = 1
      for (const each of actions) {
        await act(tracking_number, each)
        const { scan_history } = await world.ok('get_shipment', { tracking_number })
        expect(scan_history.length).toBeGreaterThanOrEqual(length)
        length = scan_history.length
      }
      const parcel = await world.ok('get_shipment', { tracking_number })
      checkHistory(parcel)
      seen.add(parcel.status)
    }),
    { numRuns: 150 },
  )
  expect(seen.size).toBeGreaterThan(5)

  async function act(tracking_number: string, each: { kind: string; code?: string; hours?: number }) {
    if (each.kind === 'wait') return world.advance((each.hours ?? 1) * HOUR)
    if (each.kind === 'cancel') return world.call('cancel_shipment', { tracking_number })
    return world
      .write(async (tx, stored, now) => {
        if (each.kind === 'step') return runNextEvent(tx, stored.world, now, tracking_number)
        const shipment = await lockShipment(tx, tracking_number)
        if (shipment === undefined) throw new Error('no such shipment')
        const code = each.code as 'lost'
        const scene = { tx, world: stored.world, at: now }
        return applyManualScan(scene, shipment, { code, by: 'sandbox', reason: 'other' })
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'invalid_state') throw error
      })
  }
})

/** The invariants of a parcel's history. */
function checkHistory(parcel: Shipment): void {
  const { scan_history: events, status } = parcel
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  const times = events.map(({ occurred_at }) => occurred_at)
  expect(times).toEqual(times.toSorted())
  const moves = events
    .slice(1)
    .map((event, index) => [events[index]?.status ?? 'pre_transit', event.status] as const)
  expect(moves.filter(([from, to]) => from !== to && !canMoveShipment(from, to))).toEqual([])
  expect(events.at(-1)?.status).toBe(status)
  expect(parcel.proof_of_delivery !== null).toBe(status === 'delivered')
  expect(parcel.delivered_at !== null).toBe(status === 'delivered')
  expect(parcel.cancellation !== null).toBe(status === 'cancelled')
  expect(parcel.attempts).toBeLessThanOrEqual(3)
}
