/** `--wait`: a command ends when the resource it created reaches its end, and its exit code tells the result. */
import { expect } from 'vitest'
import { MANIFEST_COLUMNS, manifestLine } from '../support/clerk.ts'
import { placeOrder } from '../support/customer.ts'
import type { RunningProcess } from '../support/program.ts'
import { servedAcceptanceTest, acceptanceTest, type AcceptanceContext } from '../support/story.ts'

const RIDE = 'rides request --from kings-cross --to bank --tier economy --yes --max-total 30'

type Ride = { ride_id: string; status: string }

/** Resolves when the notices match. */
function noticed({ onNotice, ended }: RunningProcess, sight: RegExp): Promise<void> {
  let text = ''
  const seen = new Promise<void>((resolve) => {
    onNotice((more) => {
      text += more
      if (sight.test(text)) resolve()
    })
  })
  return Promise.race([seen, ended.then(({ stderr }) => expect(stderr).toMatch(sight))])
}

/** Starts a command that waits, and advances the clock once it waits. */
async function waits(told: AcceptanceContext, line: string, by: string) {
  await told.dray('sandbox clock run --quiet --query mode')
  const started = told.start(line)
  await noticed(started, /\t(?:by |Morgan Trading, )/)
  await told.advance(by)
  return started.ended
}

acceptanceTest('a ride is waited for to its end, and stdout has the one result', async (told) => {
  const ran = await waits(told, `${RIDE} --wait --json`, '90m')
  expect(ran.exitCode).toBe(0)
  expect(ran.json<Ride>()).toMatchObject({ status: 'completed' })
  const changes = ran.stderr.split('\n').flatMap((line) => line.match(/\t(\w[\w ]*)\tby /)?.[1] ?? [])
  expect(changes[0]).toBe('processing')
  expect(changes.slice(-2)).toEqual(['in_progress', 'completed'])
  expect(ran.stderr).toContain(`Ride ${ran.json<Ride>().ride_id} is completed.`)
})

acceptanceTest('an end without success is exit 7, with how it ended', async (told) => {
  const ran = await waits(told, `${RIDE} --scenario no_driver --wait --json`, '10m')
  expect(ran.exitCode).toBe(7)
  expect(ran.json<Ride>()).toMatchObject({ status: 'no_drivers_available' })
  expect(ran.stderr).toContain('ended without success: no drivers available')
})

const STANDING = [
  [RIDE, 'processing', 'dray rides track'],
  ['api request_ride --input ride.json --yes', 'processing', 'dray rides track'],
  [
    'delivery request --from kings-cross --to shoreditch --what Keys --from-name Ana --to-name Ravi --yes --max-total 20',
    'pending',
    'dray delivery track',
  ],
  [
    'tasks create shelf_audit --to spitalfields --require "store_name=Goosefoot Grocers" --require "products=Oat milk" --yes --max-total 40',
    'created',
    'dray tasks track',
  ],
] as const

acceptanceTest('on a frozen clock waiting ends at once with exit 8 and says what moves it', async (told) => {
  const quote = (await told.dray('rides quote --from kings-cross --to bank --json')).json<{
    quote_id: string
  }>()
  const payment = { method: 'card', payment_token: 'tok_ok' }
  told.write('ride.json', JSON.stringify({ quote_id: quote.quote_id, tier: 'economy', payment }))
  for (const [line, status, track] of STANDING) {
    const ran = await told.dray(`${line} --wait --json`, { exit: 8 })
    expect(ran.json()).toMatchObject({ status })
    expect(ran.stderr).toContain('`dray sandbox clock advance ')
    expect(ran.stderr).toContain(`\`${track} `)
  }
})

acceptanceTest('waiting for a deliberate cancellation or rejection ends with success', async (told) => {
  const { ride_id: ride } = (await told.dray(`${RIDE} --json`)).json<Ride>()
  const off = await told.dray(`rides cancel ${ride} --confirm ${ride} --wait --json`)
  expect(off.json()).toMatchObject({ status: 'cancelled' })
  const { order_id: id } = await placeOrder(told)
  const rejected = await told.dray(
    `business orders reject ${id} --reason too_busy --confirm ${id} --wait --json`,
  )
  expect(rejected.json()).toMatchObject({ status: 'rejected' })
})

acceptanceTest('a store waits for several orders, each named with its changes', async (told) => {
  const [one, two] = [await placeOrder(told), await placeOrder(told)]
  await told.dray('sandbox clock run --quiet --query mode')
  const started = told.start(`business orders accept ${one.order_id} ${two.order_id} --wait --json`)
  await noticed(started, new RegExp(`Order ${two.display_number}\taccepted|Order ${two.display_number}\t`))
  await told.dray(`business orders complete ${one.order_id} --quiet --query status`)
  await told.dray(
    `business orders reject ${two.order_id} --reason too_busy --confirm ${two.order_id} --quiet --query status`,
  )
  const ran = await started.ended
  expect(ran.exitCode).toBe(9)
  expect(ran.json()).toMatchObject({ data: [{ status: 'completed' }, { status: 'rejected' }] })
  expect(ran.stderr).toContain('All have ended: 1 completed, 1 rejected.')
})

acceptanceTest('an upload waits for its parcels, and each row says how its parcel ended', async (told) => {
  told.write('m.csv', [MANIFEST_COLUMNS, manifestLine('W-1'), manifestLine('W-2', 1), ''].join('\n'))
  const ran = await waits(told, 'carrier upload m.csv --yes --wait --json', '20d')
  expect(ran.exitCode).toBe(0)
  expect(ran.json()).toMatchObject({ data: [{ status: 'delivered' }, { status: 'delivered' }] })
  expect(told.exists('m.results.csv')).toBe(true)
})

acceptanceTest(
  'Ctrl-C gives up the waiting only, prints what is known, and says how to go on',
  async (told) => {
    await told.dray('sandbox clock run --quiet --query mode')
    const started = told.start(`${RIDE} --wait --json`)
    await noticed(started, /\tprocessing\t/)
    started.kill('SIGINT')
    const ran = await started.ended
    expect(ran.exitCode).toBe(130)
    const { ride_id: id } = ran.json<Ride>()
    expect(ran.stderr).toContain(`\`dray rides track ${id}\` continues tracking it`)
    expect((await told.dray('pending list --json')).json()).toMatchObject({ data: [] })
  },
)

acceptanceTest('--timeout bounds the waiting, and the result is printed all the same', async (told) => {
  await told.dray('sandbox clock run --quiet --query mode')
  // Each request has as long, too: a busy machine needs some of it.
  const ran = await told.start(`${RIDE} --wait --timeout 20s --json`).ended
  expect(ran.exitCode).toBe(8)
  expect(ran.json<Ride>().ride_id).toMatch(/^rid_/)
  expect(ran.stderr).toContain('the --timeout has passed')
})

servedAcceptanceTest(
  'a service that starts anew while a command waits ends nothing',
  async (told) => {
    await told.dray('sandbox clock run --quiet --query mode')
    const started = told.start(`${RIDE} --wait --json`)
    await noticed(started, /\tprocessing\t/)
    await told.crash()
    await told.advance('90m')
    const ran = await started.ended
    expect(ran.exitCode).toBe(0)
    expect(ran.json()).toMatchObject({ status: 'completed' })
  },
  { isStarted: true },
)

acceptanceTest('a command without a life refuses --wait, and sends nothing', async (told) => {
  for (const line of [
    'rides list',
    'rides show last',
    'business catalog create --name Tea --category Drinks --price 2',
    'api create_catalog_item --name Tea --category Drinks --price 2',
  ]) {
    const { stderr } = await told.dray(`${line} --wait`, { exit: 2 })
    expect(stderr).toMatch(/does not take --wait/)
  }
})
