/** A customer sends a courier at a terminal and by a script, and follows the delivery. */
import { expect } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { placeOrder } from '../support/customer.ts'
import { acceptanceTest } from '../support/story.ts'
import type { AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

const WAY = '--from kings-cross --to "12 Finsbury Square, London EC2A 1AN" --what "A set of keys"'
const REQUEST = `delivery request ${WAY} --from-name "Ana Moreau" --to-name "Ravi Shah" --yes --max-total 10 --json`

type Delivery = {
  delivery_id: string
  status: string
  price: { amount: number }
  dropoff_pincode: string | null
  courier: { name: string } | null
  refund: { amount: { amount: number }; destination: string; status: string } | null
  status_history: { status: string; reason: string | null }[]
  proof_of_delivery: { method: string; waypoint: string; media: { sha256: string }[] } | null
}

async function send(told: AcceptanceContext, more = ''): Promise<Delivery> {
  return (await told.dray(`${REQUEST} ${more}`)).json<Delivery>()
}

const show = (told: AcceptanceContext, delivery_id: string) => told.call('get_delivery', { delivery_id })

const statesOf = ({ status_history }: Pick<Delivery, 'status_history'>) =>
  status_history.map(({ status }) => status)

/** Shares it at a service elsewhere, looks at it as a stranger, and withdraws it. Its secret stays out of the transcript. */
async function shareAndWithdraw(told: AcceptanceContext, id: string): Promise<void> {
  if (told.url === undefined) return
  const share = async (more: string) => told.start(`share ${id} ${more}`).ended
  const shared = await share('')
  const [link = ''] = /\bhttp\S+/.exec(shared.stdout) ?? []
  expect(link).toMatch(new RegExp(`^${told.url}/track/dray_shr_[\\w-]{43}$`))
  expect(shared.stderr).toContain(`\`dray share ${id} --withdraw\` withdraws it.`)
  const seen = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(path)
    return [answer.status, await answer.text()]
  }
  expect(await seen(link)).toEqual([200, expect.stringContaining('<!doctype html>')])
  const [status, state] = await seen(`${link}/state`)
  expect([status, JSON.parse(state)]).toEqual([200, expect.objectContaining({ kind: 'delivery' })])
  expect(state).not.toMatch(/Finsbury|Ana Moreau|Ravi Shah|"amount"/)
  expect((await share('--withdraw --json')).json()).toEqual({ resource_id: id, withdrawn: 1 })
  expect((await seen(link))[0]).toBe(404)
  expect((await seen(`${link}/state`))[0]).toBe(404)
}

/** The statuses of a successful delivery. */
const PATH = ['pending', 'assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff', 'delivered']

acceptanceTest('a courier is sent by hand, from the places to the price', async (told) => {
  const terminal = told.terminal('delivery request', { rows: 50 })
  const steps: readonly (readonly [question: string | RegExp, keys: string])[] = [
    [/^\? Collection address\?/m, `kings-cross${KEY_BYTES.enter}`],
    [/^\? Drop-off address\?/m, `12 Finsbury Square, London EC2A 1AN${KEY_BYTES.enter}`],
    [/^\? Contents\?/m, `A cake${KEY_BYTES.enter}`],
    [/^\? Size\?/m, `${KEY_BYTES.down}${KEY_BYTES.enter}`],
    [/^\? Contact at pickup\?/m, `Ana Moreau${KEY_BYTES.enter}`],
    [/^\? Recipient\?/m, `Ravi Shah${KEY_BYTES.enter}`],
  ]
  for (const [question, keys] of steps) {
    await terminal.shows(question)
    terminal.type(keys)
  }
  const screen = await terminal.shows(/for £8\.44 with the test card tok_ok\?/)
  expect(screen).toMatch(/^Courier +£3\.50\n3\.6 km +£3\.44\nSize medium +£1\.50$/m)
  expect(screen).toMatch(/^Total +£8\.44$/m)
  expect(screen).toMatch(/^Collection about \d\d:\d\d, arrival about \d\d:\d\d, motorbike$/m)
  expect(screen).toMatch(/5:00 left \(y\/N\)$/)
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.transcript()).toContain(
    "--what 'A cake' --size medium --from-name 'Ana Moreau' --to-name 'Ravi Shah' --yes --max-total 8.44",
  )
  expect((await told.dray('delivery show --json')).json()).toMatchObject({
    status: 'pending',
    price: { amount: 844 },
  })
})

acceptanceTest(
  'a parcel goes from door to door, and its pictures are what they say they are',
  async (told) => {
    const quoted = (await told.dray(`delivery quote ${WAY} --json`)).json<{ total: { amount: number } }>()
    const sent = await send(told)
    expect(sent.price).toEqual(quoted.total)
    const still = await told.dray('delivery track', { exit: 8 })
    expect(still.stdout).toMatch(/^\S+\tpending\tby customer\n$/)
    expect(still.stderr).toContain('`dray sandbox clock advance 5m` advances it.')
    await shareAndWithdraw(told, sent.delivery_id)
    await told.advance('15m')
    expect((await told.dray('delivery track', { exit: 8 })).stdout).toMatch(/\t[A-Z].+, bicycle\tcourier\n$/)
    await told.advance('1h')
    const lines = (await told.dray(`delivery track ${sent.delivery_id}`)).stdout.trim().split('\n')
    expect(lines.map((line) => line.split('\t')[1])).toEqual(PATH)
    const done = await show(told, sent.delivery_id)
    expect((await told.dray(`delivery show ${sent.delivery_id} --json`)).json()).toEqual(done)
    expect(done).toMatchObject({
      status: 'delivered',
      courier: { name: expect.any(String) },
      refund: null,
      proof_of_delivery: { method: 'photo', waypoint: 'dropoff' },
    })
    const saved = await told.dray('delivery show --save proof')
    expect(saved.stderr).toContain('2 pictures and SHA256SUMS are in proof')
    expect((await told.shell('cd proof && sha256sum -c SHA256SUMS')).stdout).toMatch(
      /^01-pickup-\S+\.png: OK\n02-dropoff-\S+\.png: OK\n$/,
    )
    expect(told.read('proof/SHA256SUMS')).toContain(done.proof_of_delivery?.media[0]?.sha256)
    expect(
      (await told.dray('recent --json --fields id,operation,total')).json<{ data: unknown[] }>().data,
    ).toMatchObject([{ id: sent.delivery_id, operation: 'request_delivery', total: sent.price }])
  },
)

acceptanceTest('on a terminal the courier is drawn on his way', async (told) => {
  await send(told, '--proof pincode')
  await told.advance('15m')
  const terminal = told.terminal('delivery track', { columns: 60, rows: 50 })
  expect(await terminal.ended()).toMatchObject({ exitCode: 8 })
  const screen = terminal.transcript()
  expect(screen).toMatch(/^A set of keys, £6\.94$/m)
  expect(screen).toMatch(/^● On its way /m)
  expect(screen).toMatch(/^○ At the door +about /m)
  expect(screen).toMatch(/^[━╌]{24} Arrives about \d\d:\d\d, in \d+ minutes$/m)
  expect(screen).toMatch(/^│.*[←↑→↓↖↗↘↙].*│$/m)
  expect(screen).toMatch(/^A King’s Cross {3}B Moorgate$/m)
  expect(screen).toMatch(/^PIN \d{4}: the recipient tells it to the courier\.$/m)
})

acceptanceTest(
  'on a terminal that cannot move its cursor each change is a line, and the PIN is told',
  async (told) => {
    await send(told, '--proof pincode')
    await told.advance('2m')
    const still = told.terminal('delivery track', { env: { TERM: 'dumb' } })
    expect(await still.ended()).toMatchObject({ exitCode: 8 })
    expect(still.transcript()).toMatch(/^A set of keys, £6\.94$/m)
    expect(still.transcript()).toMatch(/^Arrives about \d\d:\d\d, in \d+ minutes?$/m)
    expect(still.transcript()).toMatch(/^PIN \d{4}: the recipient tells it to the courier\.$/m)
    expect(still.transcript()).not.toMatch(/[●○✔━╌│]/)
    await told.dray('sandbox clock set --mode scaled --factor 150')
    const terminal = told.terminal('delivery track', { env: { TERM: 'dumb' } })
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
    expect(terminal.transcript()).toMatch(/^\S+\t?.*[Dd]elivered/m)
    expect(terminal.raw()).not.toContain('\x1b')
  },
)

acceptanceTest('the recipient names a code that only the sender knows', async (told) => {
  const { delivery_id, dropoff_pincode } = await send(told, '--proof pincode --proof photo')
  expect(dropoff_pincode).toMatch(/^\d{4}$/)
  await told.advance('2h')
  const { proof_of_delivery } = await show(told, delivery_id)
  expect(proof_of_delivery).toMatchObject({
    method: 'pincode',
    pincode_verified: true,
    recipient_name: 'Ravi Shah',
  })
  expect(JSON.stringify(proof_of_delivery)).not.toContain(`"${dropoff_pincode}"`)
})

acceptanceTest('a refused parcel comes back, and the payment is refunded', async (told) => {
  const { delivery_id, price } = await send(told, '--pay wallet --scenario "undeliverable;reason=refused"')
  await told.advance('2h')
  const lines = (await told.dray(`delivery track ${delivery_id}`)).stdout.trim().split('\n')
  expect(lines.slice(-2).map((line) => line.split('\t')[1])).toEqual(['returning (refused)', 'returned'])
  expect(await show(told, delivery_id)).toMatchObject({
    status: 'returned',
    refund: { amount: price, destination: 'original_method', status: 'succeeded' },
    proof_of_delivery: { waypoint: 'return' },
  })
})

acceptanceTest('when no courier is found within a quarter of an hour, all is paid back', async (told) => {
  const { delivery_id, price } = await send(told, '--scenario no_courier')
  await told.advance('14m')
  expect((await show(told, delivery_id)).status).toBe('pending')
  await told.advance('1m')
  expect(await show(told, delivery_id)).toMatchObject({
    status: 'cancelled',
    refund: { amount: price, status: 'succeeded' },
    status_history: [{}, { status: 'cancelled', reason: 'no_courier_available' }],
  })
})

acceptanceTest('when a courier gives it back another one comes', async (told) => {
  const { delivery_id } = await send(told, '--scenario "courier_cancels;at=arrived_at_pickup"')
  await told.advance('3h')
  const names = (await told.dray('delivery track')).stdout
  expect(names).toContain('\tpending (courier_unassigned)\tby courier\n')
  expect(statesOf(await show(told, delivery_id))).toEqual([
    'pending',
    'assigned',
    'arrived_at_pickup',
    ...PATH,
  ])
})

acceptanceTest('the delivery of a food order can be followed as well', async (told) => {
  const { order_id } = await placeOrder(told, { fulfillment: 'delivery' })
  await told.call('accept_business_order', { order_id })
  await told.call('mark_business_order_ready', { order_id })
  await told.advance('2m')
  const order = await told.call('get_food_order', { order_id })
  const store = await told.call('get_business_order', { order_id })
  const delivery = await show(told, order.delivery_id ?? '')
  expect(delivery).toMatchObject({
    origin: { kind: 'food_order', order_id },
    billed_to: 'order',
    price: { amount: 0 },
  })
  const name = order.courier?.name
  expect(name).toEqual(expect.any(String))
  expect([delivery.courier?.name, store.delivery?.courier?.name]).toEqual([name, name])
  await told.advance('2h')
  expect((await told.dray(`delivery track ${order.delivery_id}`)).stdout).toMatch(
    /\tdelivered\tby courier\n$/,
  )
})

acceptanceTest('a script hears all that is missing, and pays no more than it said', async (told) => {
  const missing = await told.dray('delivery request --what Keys --json', { exit: 2 })
  expect(missing.json<PrintedFailure>().errors?.map(({ parameter }) => parameter)).toEqual([
    '--from',
    '--to',
    '--from-name',
    '--to-name',
    '--yes',
    '--max-total',
  ])
  const refused = await told.dray(REQUEST.replace('--max-total 10', '--max-total 6'), { exit: 7 })
  expect(refused.json<PrintedFailure>()).toMatchObject({
    code: 'price_above_limit',
    current_total: { amount: 694 },
  })
  const bad = await told.dray('delivery quote --from nowhere --to bank --what Keys --json', { exit: 2 })
  expect(bad.json<PrintedFailure>().detail).toContain('--from must be an address')
  const none = await told.dray('delivery show', { exit: 2 })
  expect(none.stderr).toContain('`dray delivery request` requests one')
})
