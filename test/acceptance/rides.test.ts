/** A rider orders at a terminal and by a script, and follows the driver. */
import { expect } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { acceptanceTest } from '../support/story.ts'
import type { AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

const WAY = '--from kings-cross --to bank'
const REQUEST = `rides request ${WAY} --tier economy --yes --max-total 30 --json`

type Money = { amount: number; currency: string }
type Ride = {
  ride_id: string
  status: string
  tier: string
  fare: Money
  driver: { driver_id: string; name: string } | null
  vehicle: { licence_plate: string } | null
  pickup_pin: string
  dispatch: { attempt: number; candidates_tried: number }
  payment: { status: string }
  refund: { amount: Money; destination: string } | null
  cancellation: { by: string; reason_code: string; fee: Money } | null
  receipt: { charged: Money } | null
  status_history: { status: string; at: string; by: string; reason: string | null }[]
  scheduled_for: string | null
}
type Quote = { quote_id: string; fares: { tier: string; fare: Money }[] }

async function ride(told: AcceptanceContext, more = ''): Promise<Ride> {
  return (await told.dray(`${REQUEST} ${more}`)).json<Ride>()
}

const show = (told: AcceptanceContext, { ride_id }: Pick<Ride, 'ride_id'>) =>
  told.call('get_ride', { ride_id })

const statesOf = ({ status_history }: Pick<Ride, 'status_history'>) =>
  status_history.map(({ status }) => status)

/** The statuses of a successful ride. */
const PATH = ['processing', 'accepted', 'arriving', 'arrived', 'in_progress', 'completed']

acceptanceTest('a ride goes from the request to the drop-off, for the fare that was shown', async (told) => {
  const options = await told.dray(
    'rides options --near kings-cross --passengers 2 --output csv --fields tier',
  )
  expect(options.stdout.trim().split(/\r?\n/)).toEqual([
    'tier',
    'economy',
    'comfort',
    'xl',
    'premium',
    'accessible',
  ])
  const quote = (await told.dray(`rides quote ${WAY} --json`)).json<Quote>()
  const comfort = quote.fares.find(({ tier }) => tier === 'comfort')?.fare
  const requested = (
    await told.dray(`rides request --quote-id ${quote.quote_id} --tier comfort --yes --json`)
  ).json<Ride>()
  expect(requested).toMatchObject({ status: 'processing', tier: 'comfort', fare: comfort })
  const still = await told.dray('rides track', { exit: 8 })
  expect(still.stdout).toMatch(/^\S+\tprocessing\tby rider\n$/)
  expect(still.stderr).toContain('`dray sandbox clock advance 5m` advances it.')
  await told.advance('90m')
  const lines = (await told.dray('rides track')).stdout.trim().split('\n')
  expect(lines.map((line) => line.split('\t')[1])).toEqual(PATH)
  const done = await show(told, requested)
  expect(done).toMatchObject({
    status: 'completed',
    receipt: { charged: comfort },
    payment: { status: 'paid' },
  })
  expect(done.driver?.name).toBeDefined()
  expect((await told.dray(`rides show ${requested.ride_id} --json`)).json()).toEqual(done)
  const list = await told.dray('rides list --status completed --json')
  expect(list.json<{ data: Ride[] }>().data.map(({ ride_id }) => ride_id)).toEqual([requested.ride_id])
  expect(
    (await told.dray('recent --json --fields id,operation,total')).json<{ data: unknown[] }>().data,
  ).toMatchObject([{ id: requested.ride_id, operation: 'request_ride', total: comfort }])
})

acceptanceTest('a ride is requested by hand: places, tier, price, yes', async (told) => {
  const terminal = told.terminal('rides request', { rows: 50, columns: 100 })
  const steps: readonly (readonly [question: string | RegExp, keys: string])[] = [
    [/^\? Pickup address\?/m, `kings-cross${KEY_BYTES.enter}`],
    [/^\? Drop-off address\?/m, `bank${KEY_BYTES.enter}`],
    [/^\? Which ride\? \d:\d\d left$/m, `${KEY_BYTES.down}${KEY_BYTES.enter}`],
  ]
  for (const [question, keys] of steps) {
    await terminal.shows(question)
    terminal.type(keys)
  }
  const screen = await terminal.shows(/Request this ride for £\d+\.\d\d with the test card tok_ok\?/)
  expect(screen).toMatch(/^Ride from King’s Cross to Bank$/m)
  expect(screen).toMatch(/^Base fare +£3\.50$/m)
  expect(screen).toMatch(/^Total +£\d+\.\d\d$/m)
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.transcript()).toMatch(
    /dray rides request --from kings-cross --to bank --tier comfort --yes --max-total \d+\.\d\d/,
  )
  const [last] = (await told.call('list_rides', {})).data
  expect(last).toMatchObject({ tier: 'comfort', status: 'processing' })
})

acceptanceTest('on a terminal the car is drawn on its way, with the PIN to tell', async (told) => {
  const { pickup_pin } = await ride(told)
  await told.advance('1m')
  const terminal = told.terminal('rides track', { columns: 60, rows: 50 })
  expect(await terminal.ended()).toMatchObject({ exitCode: 8 })
  const screen = terminal.transcript()
  expect(screen).toMatch(/^Economy to Bank, £\d+\.\d\d$/m)
  expect(screen).toMatch(/^● Driver on the way /m)
  expect(screen).toMatch(/^○ At the pickup +about /m)
  expect(screen).toMatch(/^[━╌]{20,24} At the pickup about \d\d:\d\d, in \d+ minutes?$/m)
  expect(screen).toMatch(/^│.*[←↑→↓↖↗↘↙].*│$/m)
  expect(screen).toContain(`PIN ${pickup_pin}: tell it to the driver at the pickup.`)
})

acceptanceTest('a driver cancels, another one comes, and nothing is charged twice', async (told) => {
  const requested = await ride(told, '--scenario driver_cancels')
  await told.advance('2h')
  const done = await show(told, requested)
  expect(statesOf(done)).toEqual(['processing', 'accepted', ...PATH])
  expect(done).toMatchObject({ dispatch: { attempt: 2 }, receipt: { charged: requested.fare }, refund: null })
  expect(done.status_history[2]).toMatchObject({ by: 'driver', reason: 'driver_cancelled' })
  const changes = (await told.dray(`rides track ${requested.ride_id} --output ndjson`)).stdout
  expect(changes.trim().split('\n')).toHaveLength(8)
})

acceptanceTest('without a driver the ride is refunded after five minutes', async (told) => {
  const requested = await ride(told, '--scenario no_driver')
  await told.advance('299s')
  expect((await show(told, requested)).status).toBe('processing')
  await told.advance('1s')
  expect(await show(told, requested)).toMatchObject({
    status: 'no_drivers_available',
    dispatch: { candidates_tried: 3 },
    receipt: { charged: { amount: 0 } },
    refund: { amount: requested.fare, destination: 'original_method' },
  })
  const late = await told.dray(`rides cancel ${requested.ride_id} --confirm ${requested.ride_id} --json`, {
    exit: 7,
  })
  expect(late.json<PrintedFailure>()).toMatchObject({
    code: 'not_cancellable',
    current_status: 'no_drivers_available',
  })
})

acceptanceTest('cancelling is free early, and costs five pounds late', async (told) => {
  const early = await ride(told)
  const cancel = async (each: Ride) =>
    (
      await told.dray(`rides cancel ${each.ride_id} --reason changed_plans --confirm ${each.ride_id} --json`)
    ).json<Ride>()
  expect(await cancel(early)).toMatchObject({
    status: 'cancelled',
    cancellation: { by: 'rider', reason_code: 'changed_plans', fee: { amount: 0 } },
    refund: { amount: early.fare },
  })
  const far = (
    await told.dray('rides request --from 51.6,-0.2 --to bank --tier economy --yes --max-total 90 --json')
  ).json<Ride>()
  await told.advance('3m')
  expect((await show(told, far)).driver).not.toBeNull()
  expect(await cancel(far)).toMatchObject({
    status: 'cancelled',
    driver: null,
    cancellation: { fee: { amount: 500 } },
    receipt: { charged: { amount: 500 } },
    refund: { amount: { amount: far.fare.amount - 500 } },
  })
})

acceptanceTest('a ride to cancel is chosen among those that can be cancelled', async (told) => {
  const piped = await told.dray('rides cancel --json', { exit: 2 })
  expect(piped.json()).toMatchObject({
    hint: '`dray rides list` lists your rides. Complete the command: dray rides cancel --json RIDE_ID',
  })
  const none = told.terminal('rides cancel')
  await none.shows('Which ride? You have no rides.')
  await none.ended()
  const { ride_id } = (await told.dray(REQUEST)).json<Ride>()
  const terminal = told.terminal('rides cancel', { columns: 100 })
  expect(await terminal.shows('❯')).toMatch(/Which ride\?\n❯ .*, processing, £\d+\.\d\d, Bank, King’s Cross/)
  terminal.type(KEY_BYTES.enter)
  await terminal.shows('Cancelling is free now. Cancel it?')
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(await show(told, { ride_id })).toMatchObject({ status: 'cancelled' })
})

acceptanceTest('a rider who does not come pays for the wait', async (told) => {
  const requested = await ride(told, '--scenario rider_no_show')
  await told.advance('1h')
  const over = await show(told, requested)
  expect(over).toMatchObject({
    status: 'cancelled',
    cancellation: { by: 'driver', reason_code: 'rider_no_show', fee: { amount: 500 } },
    receipt: { charged: { amount: 500 } },
    refund: { amount: { amount: requested.fare.amount - 500 } },
  })
  const [arrived, cancelled] = over.status_history.slice(-2).map(({ at }) => Date.parse(at))
  expect((cancelled ?? 0) - (arrived ?? 0)).toBe(300_000)
})

acceptanceTest('a ride for later waits for its time', async (told) => {
  const requested = await ride(told, '--for +2h')
  expect(requested).toMatchObject({ status: 'scheduled', scheduled_for: '2026-11-20T11:00:00.000Z' })
  await told.advance('1h')
  expect((await show(told, requested)).status).toBe('scheduled')
  await told.advance('45m')
  expect((await show(told, requested)).status).toBe('processing')
  await told.advance('2h')
  expect(statesOf(await show(told, requested))).toEqual(['scheduled', ...PATH])
})
