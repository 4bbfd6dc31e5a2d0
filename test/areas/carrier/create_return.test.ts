import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { readInvoice } from '../../support/invoices.ts'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY = 86_400_000
const gbp = (amount: number) => ({ amount, currency: 'GBP' })

async function make(world: TestSandbox, more: Record<string, unknown> = {}): Promise<string> {
  return (await world.ok('create_shipment', makeParcel(more))).tracking_number
}

async function makeReturn(
  world: TestSandbox,
  tracking_number: string,
  { scenario = 'happy', ...input }: Record<string, unknown> & { scenario?: string } = {},
): Promise<string> {
  const made = await world.ok('create_return', { tracking_number, ...input }, { scenario })
  return made.tracking_number ?? ''
}

/** The lines of an invoice: kind and total of each parcel. */
async function lines(world: TestSandbox, month: string) {
  const invoice = await readInvoice(world, { month })
  return invoice.lines.map(({ kind, tracking_number, total }) => [kind, tracking_number, total.amount])
}

async function stateOf(world: TestSandbox, tracking_number: string): Promise<string> {
  return (await world.ok('get_shipment', { tracking_number })).status
}

test.each(MAIN_ENGINES)(
  'on $name a return goes back with its own number, and both parcels name each other',
  async (engine) => {
    const world = await openTestSandbox({ engine })
    const original = await make(world, { reference: 'A-1', customer: 'Green Cup' })
    const answer = await world.ok('create_return', { tracking_number: original, label: 'box' })
    expect(answer).toMatchObject({
      return_of: { tracking_number: original, reference: 'A-1', label: 'box' },
      service_level: 'next_day',
      lapses_at: '2027-01-19T09:00:00.000Z',
    })
    const out = await world.ok('get_shipment', { tracking_number: original })
    const back = await world.ok('get_shipment', { tracking_number: answer.tracking_number ?? '' })
    expect(out.return_number).toBe(back.tracking_number)
    expect(back).toMatchObject({
      return_of: { tracking_number: original, reference: 'A-1', label: 'box' },
      reference: null,
      customer: 'Green Cup',
      status: 'pre_transit',
      sender: out.recipient,
      recipient: out.sender,
      parcel: { ...out.parcel, contents_type: 'return' },
      price: out.price,
      options: { signature_required: false },
    })
    const { data } = await world.ok('list_shipments', {})
    expect(data.map((each) => [each.tracking_number, each.return_number, each.return_of?.reference])).toEqual(
      [
        [back.tracking_number, undefined, 'A-1'],
        [original, back.tracking_number, undefined],
      ],
    )
    for (const q of ['okoro', 'A-1']) expect((await world.ok('find_shipments', { q })).data).toHaveLength(2)
  },
)

test('a return costs as much as the way out without its insurance, or as its own weight says', async () => {
  const world = await openTestSandbox()
  const box = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }
  const price = async (parcel?: Record<string, unknown>): Promise<number> => {
    const tracking_number = await make(world, { parcel: { ...box, declared_value: gbp(20_000) } })
    const input = { tracking_number, ...(parcel && { parcel }), price_only: true }
    const { tracking_number: none, price_only, price: asked } = await world.ok('create_return', input)
    expect([none, price_only]).toEqual([null, true])
    expect((await world.ok('get_shipment', { tracking_number })).return_number).toBeUndefined()
    return asked.total.amount
  }
  expect(await price()).toBe(612)
  expect(await price({ ...box, weight_grams: 2100 })).toBe(690)
  expect(await price({ ...box, declared_value: gbp(20_000) })).toBe(852)
})

test('nothing is billed for a return that is not sent, and after 60 days it is cancelled', async () => {
  const world = await openTestSandbox()
  const original = await make(world)
  const back = await makeReturn(world, original)
  await world.advance(60 * DAY - 1)
  expect(await stateOf(world, back)).toBe('pre_transit')
  await world.advance(1)
  const lapsed = await world.ok('get_shipment', { tracking_number: back })
  expect(lapsed).toMatchObject({
    status: 'cancelled',
    cancellation: { disposition: 'not_collected', note: 'Not sent within 60 days.' },
  })
  expect(await lines(world, '2026-11')).toEqual([['parcel', original, 612]])
  expect(await lines(world, '2027-01')).toEqual([])
  // There is room for another one.
  expect(await makeReturn(world, original, { label: 'link' })).not.toBe(back)
})

test('the return of a parcel that was redirected to a hub starts where its recipient lives', async () => {
  const world = await openTestSandbox()
  const original = await make(world)
  await world.ok('redirect_shipment', { tracking_number: original, hub_id: 'LON2' })
  const back = await makeReturn(world, original, { scenario: 'return_sent;after=1d' })
  await world.advance(DAY)
  const { scan_history } = await world.ok('get_shipment', { tracking_number: back })
  expect(scan_history.map(({ code, location }) => [code, location.name])).toContainEqual([
    'collected',
    'Reading depot',
  ])
})

test('a return is billed at its first scan, promised from then, and delivered to the sender', async () => {
  const world = await openTestSandbox()
  const original = await make(world)
  await world.advance(3 * DAY)
  const back = await makeReturn(world, original, { label: 'link', scenario: 'return_sent;after=12d' })
  await world.advance(12 * DAY - 1000)
  expect(await stateOf(world, back)).toBe('pre_transit')
  await world.advance(1000)
  const sent = await world.ok('get_shipment', { tracking_number: back })
  expect(sent).toMatchObject({
    status: 'in_transit',
    promised_date: '2026-12-07',
    estimated_delivery_date: '2026-12-07',
  })
  expect(sent.scan_history.at(-1)).toMatchObject({ code: 'collected', location: { name: 'Reading depot' } })
  expect(await lines(world, '2026-12')).toEqual([['return', back, 612]])
  await world.advance(60 * DAY)
  const arrived = await world.ok('get_shipment', { tracking_number: back })
  expect([arrived.status, arrived.delivered_at?.slice(0, 10)]).toEqual(['delivered', '2026-12-07'])
  expect(arrived.scan_history.map(({ code, location }) => [code, location.name])).toEqual([
    ['label_created', 'Grace Okoro'],
    ['collected', 'Reading depot'],
    ['arrived_at_facility', 'Reading depot'],
    ['departed_facility', 'Reading depot'],
    ['arrived_at_facility', 'London Bermondsey'],
    ['out_for_delivery', 'London Bermondsey'],
    ['delivered', 'Recipient'],
  ])
})

test('a manual scan sends a return, which then never lapses', async () => {
  const world = await openTestSandbox()
  const back = await makeReturn(world, await make(world))
  await callTestControl(world, 'scan_shipment', { tracking_number: back, code: 'collected' })
  await world.advance(61 * DAY)
  expect(await stateOf(world, back)).toBe('delivered')
})

test('a cancelled parcel takes its return with it, unless that was sent', async () => {
  const world = await openTestSandbox()
  const [waiting, sent, due] = [await make(world), await make(world), await make(world)]
  const returns = [
    await makeReturn(world, waiting),
    await makeReturn(world, sent),
    await makeReturn(world, due, { scenario: 'return_sent;after=1h' }),
  ]
  await callTestControl(world, 'scan_shipment', { tracking_number: returns[1], code: 'collected' })
  await world.advance(3_600_000)
  for (const tracking_number of [waiting, sent, due]) await world.ok('cancel_shipment', { tracking_number })
  const states = await Promise.all(returns.map((each) => stateOf(world, each)))
  expect(states).toEqual(['cancelled', 'in_transit', 'in_transit'])
})

test('a cancelled return leaves its parcel as it is, and room for another', async () => {
  const world = await openTestSandbox()
  const original = await make(world)
  const back = await makeReturn(world, original)
  const problem = await world.refused('create_return', { tracking_number: original })
  expect(problem).toMatchObject({ status: 409, code: 'invalid_state', existing_tracking_number: back })
  await world.ok('cancel_shipment', { tracking_number: back })
  expect(await stateOf(world, original)).toBe('pre_transit')
  await makeReturn(world, original)
})

test('no driver collects a return: it is on no manifest, and no cut-off moves it', async () => {
  const world = await openTestSandbox()
  const original = await make(world, { hub_id: 'LON2' })
  const back = await makeReturn(world, original)
  const manifest = await world.ok('create_collection_manifest', { hub_id: 'LON2' })
  expect(manifest.parcels.map(({ tracking_number }) => tracking_number)).toEqual([original])
  const elsewhere = await world.ok('create_collection_manifest', { hub_id: 'LON1', preview: true })
  expect(elsewhere.left_behind).toEqual([{ hub_code: 'LON2', parcels: 1 }])
  await world.advance(10 * DAY)
  expect(await stateOf(world, back)).toBe('pre_transit')
})

describe('a return is rejected', () => {
  test.each([
    ['cancelled', 'happy', 0],
    ['lost', 'lost', 30],
    ['returned', 'returned;reason=refused', 20],
  ])('of a parcel that is %s', async (status, scenario, days) => {
    const world = await openTestSandbox()
    const { tracking_number } = await world.ok('create_shipment', makeParcel({}), { scenario })
    if (status === 'cancelled') await world.ok('cancel_shipment', { tracking_number })
    await world.advance(days * DAY)
    expect(await stateOf(world, tracking_number)).toBe(status)
    const problem = await world.refused('create_return', { tracking_number })
    expect(problem).toMatchObject({ code: 'invalid_state', current_status: status })
  })

  test('of a return, by link of a parcel that is on its way, and with a scenario of parcels', async () => {
    const world = await openTestSandbox()
    const original = await make(world)
    const link = await world.refused('create_return', { tracking_number: original, label: 'link' })
    expect(link.detail).toContain('a link is for a parcel that was delivered')
    for (const scenario of ['lost', 'return_sent;after=60d', 'return_sent;hours=3']) {
      const problem = await world.refused('create_return', { tracking_number: original }, { scenario })
      expect(problem.code).toBe('scenario_not_allowed')
    }
    const back = await makeReturn(world, original)
    for (const [operation, input] of [
      ['create_return', {}],
      ['redirect_shipment', { safe_place: 'Porch' }],
      ['correct_recipient', { recipient: makeParcel()['recipient'] }],
    ] as const) {
      const problem = await world.refused(operation, { tracking_number: back, ...input })
      expect([problem.code, problem.detail]).toEqual([
        'invalid_state',
        expect.stringContaining('is a return'),
      ])
    }
  })
})

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('of two returns requested together one is created, and none is left beside a cancellation', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 3; round++) {
      const tracking_number = await make(world)
      const create = () => world.call('create_return', { tracking_number })
      const both = await Promise.all([create(), create()])
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const other = await make(world)
      await Promise.all([
        world.call('create_return', { tracking_number: other }),
        world.ok('cancel_shipment', { tracking_number: other }),
      ])
      const { return_number: back } = await world.ok('get_shipment', { tracking_number: other })
      expect(back === undefined || (await stateOf(world, back)) === 'cancelled').toBe(true)
    }
    const { data } = await world.ok('list_shipments', { status: ['pre_transit'], limit: 100 })
    expect(data.filter(({ return_of }) => return_of !== undefined)).toHaveLength(3)
  })
})
