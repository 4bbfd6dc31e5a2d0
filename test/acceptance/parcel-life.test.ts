import { expect } from 'vitest'
import type { OperationInput } from '../../src/client/operations.ts'
import type { CarrierReport } from '../../src/commands/carrier/report/load.ts'
import type { Events, PrintedFailure, Shipment, Shipments } from '../support/answers.ts'
import { createCommand } from '../support/clerk.ts'
import { makeParcel } from '../support/parcel.ts'
import { acceptanceTest, type AcceptanceContext } from '../support/story.ts'

const NUMBER = 'ZC968043370GB'

const create = (told: AcceptanceContext, scenario?: string) =>
  told.call('create_shipment', makeParcel({ reference: 'A-1' }) as OperationInput<'create_shipment'>, {
    scenario,
  })

const show = (told: AcceptanceContext) => told.call('get_shipment', { tracking_number: NUMBER })

/** Returns each event as `code`, or as `code: reason` after a failure. */
async function readEvents(told: AcceptanceContext): Promise<string[]> {
  const { data } = await told.call('list_shipment_events', { tracking_number: NUMBER })
  return data.map(({ code, reason }) => (reason === null ? code : `${code}: ${reason.code}`))
}

async function cancel(told: AcceptanceContext, exit = 0) {
  return told.dray(`carrier cancel ${NUMBER} --confirm ${NUMBER} --reason order_cancelled --json`, { exit })
}

/** Plays planned events one by one until the parcel has the status. */
async function reach(told: AcceptanceContext, status: string): Promise<void> {
  for (let step = 0; step < 30; step++) {
    const { data } = await told.control('list_events', {})
    if (data.at(-1)?.to === status) return
    await told.control('step_resource', { resource_id: NUMBER })
  }
  throw new Error(`the parcel never was ${status}`)
}

acceptanceTest(
  'a parcel travels by itself while the clock moves, and is delivered with proof',
  async (told) => {
    await told.dray(createCommand('A-1', '--signature --json'))
    await told.advance('7h59m')
    expect((await show(told)).status).toBe('pre_transit')
    await told.advance('1m')
    expect(await show(told)).toMatchObject({ status: 'in_transit', collected_at: '2026-11-20T17:00:00.000Z' })
    await told.advance('14h59m')
    expect((await show(told)).status).toBe('in_transit')
    await told.advance('1m')
    expect((await show(told)).status).toBe('out_for_delivery')
    await told.advance('8h')
    const delivered = await show(told)
    expect(delivered).toMatchObject({
      status: 'delivered',
      attempts: 1,
      proof_of_delivery: { method: 'signature', waypoint: 'dropoff', recipient_name: 'Grace Okoro' },
    })
    expect(delivered.delivered_at?.slice(0, 10)).toBe(delivered.estimated_delivery_date)
    expect(await show(told)).toEqual((await told.dray(`carrier show ${NUMBER} --json`)).json())
    const { data } = (await told.dray(`carrier events ${NUMBER} --json`)).json<Events>()
    expect(data.map(({ code }) => code)).toEqual([
      'label_created',
      'collected',
      'arrived_at_facility',
      'departed_facility',
      'arrived_at_facility',
      'out_for_delivery',
      'delivered',
    ])
    expect(
      (
        await told.dray('carrier list --status delivered --delivered-from 2026-11-21 --json')
      ).json<Shipments>().data,
    ).toHaveLength(1)
    // No event follows.
    await told.advance('20d')
    expect(await show(told)).toEqual(delivered)
  },
)

acceptanceTest('three failed attempts bring a parcel to the depot, and a week later back', async (told) => {
  await create(told, 'attempt_fails;reason=access_denied;times=3')
  await told.advance('5d')
  expect(await show(told)).toMatchObject({ status: 'available_for_pickup', attempts: 3 })
  const failed = (await readEvents(told)).filter((event) => event.startsWith('delivery_attempted'))
  expect(failed).toEqual(Array.from({ length: 3 }, () => 'delivery_attempted: access_denied'))
  await told.advance('10d')
  expect(await show(told)).toMatchObject({ status: 'returned', proof_of_delivery: null, attempts: 3 })
})

acceptanceTest('a recipient collects a parcel at the depot', async (told) => {
  await create(told, 'attempt_fails;times=3')
  await reach(told, 'available_for_pickup')
  await told.control('scan_shipment', { tracking_number: NUMBER, code: 'delivered' })
  expect(await show(told)).toMatchObject({
    status: 'delivered',
    proof_of_delivery: { method: 'handed_to_recipient' },
  })
})

acceptanceTest('one failed attempt is followed by one that succeeds, the next working day', async (told) => {
  await create(told, 'attempt_fails;times=1')
  await told.advance('6d')
  const { scan_history, status, attempts } = await show(told)
  expect({ status, attempts }).toEqual({ status: 'delivered', attempts: 2 })
  const days = scan_history
    .filter(({ attempt_number }) => attempt_number !== null)
    .map(({ occurred_at }) => occurred_at.slice(0, 10))
  expect(days).toEqual(['2026-11-21', '2026-11-23'])
  const { current, late_now } = (await told.dray('carrier report week --json')).json<CarrierReport>()
  expect(late_now?.parcels).toBe(0)
  expect(current.created).toMatchObject({ parcels: 0 })
  expect(current.delivered).toMatchObject({ parcels: 1, on_time: 0, late: 1 })
  expect(current.delivered.by_attempt[2]).toEqual({ attempts: 2, parcels: 1 })
})

for (const { scenario, within, ends, tells } of [
  { scenario: 'lost', within: '20d', ends: 'lost', tells: 'lost' },
  { scenario: 'damaged', within: '8d', ends: 'returned', tells: 'damaged: damaged' },
  { scenario: 'returned', within: '8d', ends: 'returned', tells: 'delivery_attempted: refused' },
  { scenario: 'delayed;hours=48', within: '9d', ends: 'delivered', tells: 'delayed: weather' },
]) {
  acceptanceTest(`the scenario ${scenario} is played`, async (told) => {
    await create(told, scenario)
    await told.advance(within)
    expect((await show(told)).status).toBe(ends)
    expect(await readEvents(told)).toContain(tells)
  })
}

acceptanceTest('a scenario that nobody knows is refused', async (told) => {
  for (const scenario of ['no_courier', 'lost;when=now', 'attempt_fails;times=9', 'delayed;hours=x']) {
    const ran = await told.dray(createCommand('A-1', `--scenario "${scenario}" --json`), { exit: 6 })
    expect(ran.json<PrintedFailure>().code, scenario).toBe('scenario_not_allowed')
  }
  expect((await told.call('list_shipments', {})).data).toEqual([])
})

for (const { status, scenario, disposition } of [
  { status: 'pre_transit', scenario: 'happy', disposition: 'not_collected' },
  { status: 'in_transit', scenario: 'happy', disposition: 'intercept_and_return' },
  { status: 'out_for_delivery', scenario: 'happy', disposition: 'intercept_and_return' },
  { status: 'delivery_attempted', scenario: 'attempt_fails;times=3', disposition: 'intercept_and_return' },
  { status: 'available_for_pickup', scenario: 'attempt_fails;times=3', disposition: 'intercept_and_return' },
  { status: 'returning', scenario: 'damaged', disposition: 'intercept_and_return' },
  { status: 'lost', scenario: 'lost', disposition: 'lost' },
]) {
  acceptanceTest(`a parcel that is ${status} can be called off, once`, async (told) => {
    await create(told, scenario)
    await reach(told, status)
    const cancelled = (await cancel(told)).json<Shipment>()
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancellation: { reason_code: 'order_cancelled', disposition },
    })
    const again = (await cancel(told)).json<Shipment>()
    expect(again).toEqual(cancelled)
    await told.advance('12d')
    const later = await show(told)
    expect(later.status).toBe('cancelled')
    expect(later.scan_history.filter(({ code }) => code === 'cancelled')).toHaveLength(1)
  })
}

for (const { status, scenario } of [
  { status: 'delivered', scenario: 'happy' },
  { status: 'returned', scenario: 'returned' },
]) {
  acceptanceTest(`a parcel that is ${status} can no longer be called off`, async (told) => {
    await create(told, scenario)
    await reach(told, status)
    const before = await show(told)
    const refused = await cancel(told, 7)
    expect(refused.json<PrintedFailure>()).toMatchObject({ code: 'not_cancellable', current_status: status })
    expect(await show(told)).toEqual(before)
  })
}

acceptanceTest('calling a parcel off wants its number, and asks for nothing else', async (told) => {
  await create(told)
  const refused = await told.dray(`carrier cancel ${NUMBER} --yes --json`, { exit: 3 })
  expect(refused.json<PrintedFailure>().hint).toContain(`--confirm ${NUMBER}`)
  expect((await show(told)).status).toBe('pre_transit')
})

acceptanceTest('track prints each scan and ends where the frozen world stands still', async (told) => {
  await create(told)
  await told.advance('12h')
  const still = await told.dray(`carrier track ${NUMBER} --output ndjson`, { exit: 8 })
  expect(still.lines<{ code: string }>().map(({ code }) => code)).toEqual([
    'label_created',
    'collected',
    'arrived_at_facility',
  ])
  expect(still.stderr).toContain('dray sandbox clock advance')
  await told.advance('5d')
  const arrived = await told.dray(`carrier track ${NUMBER} --json`)
  expect(arrived.json<Shipment>().status).toBe('delivered')
})
