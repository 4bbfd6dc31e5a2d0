import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { readInvoice } from '../../support/invoices.ts'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY = 86_400_000
const gbp = (amount: number) => ({ amount, currency: 'GBP' })

async function make(world: TestSandbox, scenario = 'happy', insured?: number): Promise<string> {
  const box = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }
  const parcel = { ...box, ...(insured !== undefined && { declared_value: gbp(insured) }) }
  return (await world.ok('create_shipment', makeParcel({ parcel }), { scenario })).tracking_number
}

/** The lines of claims in the invoice of a month: net, VAT and total. */
async function credits(world: TestSandbox, month: string): Promise<number[][]> {
  const { lines } = await readInvoice(world, { month })
  return lines
    .filter(({ kind }) => kind === 'claim')
    .map(({ net, vat, total }) => [net.amount, vat.amount, total.amount])
}

async function decide(world: TestSandbox, tracking_number: string): Promise<string | undefined> {
  await world.advance(5 * DAY)
  return (await world.ok('get_shipment', { tracking_number })).claims?.at(-1)?.status
}

test('a lost parcel brings back its postage with VAT and its value, after two working days', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, 'lost', 20_000)
  await world.advance(20 * DAY)
  const claim = await world.ok('create_claim', { tracking_number, reason_code: 'lost', value: gbp(20_000) })
  // Claimed on a Thursday: two working days later is a Monday.
  expect(claim).toMatchObject({
    status: 'open',
    created_at: '2026-12-10T09:00:00.000Z',
    decision_due_at: '2026-12-14T12:00:00.000Z',
    decided_at: null,
  })
  await world.advanceTo('2026-12-14T11:59:00.000Z')
  expect(await credits(world, '2026-12')).toEqual([])
  await world.advance(60_000)
  expect((await world.ok('get_shipment', { tracking_number })).claims).toEqual([
    { ...claim, status: 'accepted', decided_at: '2026-12-14T12:00:00.000Z' },
  ])
  expect(await credits(world, '2026-12')).toEqual([
    [-710, -142, -852],
    [-20_000, 0, -20_000],
  ])
  const november = await world.ok('get_carrier_invoice', { month: '2026-11' })
  expect(november.due.amount).toBe(852)
})

test.each([
  ['damaged', 'damaged', 'accepted'],
  ['damaged', 'happy', 'rejected'],
  ['contents_missing', 'contents_missing;grams=300', 'accepted'],
  ['contents_missing', 'happy', 'rejected'],
])(
  'a claim that the parcel is %s, of one that is played %s, is %s',
  async (reason_code, scenario, status) => {
    const world = await openTestSandbox()
    const tracking_number = await make(world, scenario)
    await world.advance(3 * DAY)
    await world.ok('create_claim', { tracking_number, reason_code, value: gbp(5000) })
    expect(await decide(world, tracking_number)).toBe(status)
    expect(await credits(world, '2026-11')).toHaveLength(status === 'accepted' ? 2 : 0)
  },
)

test('an event says that a claim was opened, and how it was decided', async () => {
  const world = await openTestSandbox()
  for (const scenario of ['damaged', 'happy']) {
    const tracking_number = await make(world, scenario)
    await world.advance(3 * DAY)
    await world.ok('create_claim', { tracking_number, reason_code: 'damaged', value: gbp(100) })
    await world.advance(5 * DAY)
  }
  const { data } = await callTestControl(world, 'list_events', { limit: 100 })
  const types = data.map(({ type }) => type).filter((type) => type.includes('claim'))
  expect(types.toSorted()).toEqual([
    'shipment.claim_accepted',
    'shipment.claim_opened',
    'shipment.claim_opened',
    'shipment.claim_rejected',
  ])
})

test('a scale that shows less than was sent proves missing contents; one that shows the same does not', async () => {
  const world = await openTestSandbox()
  const found: unknown[] = []
  for (const weight_grams of [1399, 1400]) {
    const tracking_number = await make(world)
    await callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' })
    await callTestControl(world, 'scan_shipment', {
      tracking_number,
      code: 'arrived_at_facility',
      weight_grams,
    })
    const { scan_history } = await world.ok('get_shipment', { tracking_number })
    expect(scan_history.at(-1)?.weight_grams).toBe(weight_grams)
    await world.ok('create_claim', { tracking_number, reason_code: 'contents_missing', value: gbp(100) })
    found.push(await decide(world, tracking_number))
  }
  expect(found).toEqual(['accepted', 'rejected'])
})

test('one claim lives at a time: a rejected one leaves room for another', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  await world.advance(3 * DAY)
  const claim = { tracking_number, reason_code: 'damaged', value: gbp(100) }
  await world.ok('create_claim', claim)
  expect((await world.refused('create_claim', claim)).code).toBe('claim_not_allowed')
  expect(await decide(world, tracking_number)).toBe('rejected')
  await world.ok('create_claim', claim)
  expect(await decide(world, tracking_number)).toBe('rejected')
  expect((await world.ok('get_shipment', { tracking_number })).claims).toHaveLength(2)
})

test('no claim is for more than the insured value, or £50.00 without', async () => {
  const world = await openTestSandbox()
  for (const [insured, most] of [
    [undefined, 5000],
    [3000, 3000],
  ] as const) {
    const tracking_number = await make(world, 'damaged', insured)
    await world.advance(3 * DAY)
    const claim = { tracking_number, reason_code: 'damaged' }
    const problem = await world.refused('create_claim', { ...claim, value: gbp(most + 1) })
    expect(problem).toMatchObject({ status: 422, code: 'amount_too_large' })
    await world.ok('create_claim', { ...claim, value: gbp(most) })
  }
})

test('what was paid for once is not paid for again', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, 'damaged')
  await world.advance(3 * DAY)
  const claim = { tracking_number, reason_code: 'damaged', value: gbp(100) }
  const { claim_id } = await world.ok('create_claim', claim)
  expect(await decide(world, tracking_number)).toBe('accepted')
  expect(await world.refused('create_claim', claim)).toMatchObject({
    code: 'claim_not_allowed',
    detail: `${tracking_number} has a claim already: ${claim_id} is accepted.`,
  })
  expect(await credits(world, '2026-11')).toHaveLength(2)
})

test('a claim is too early before the carrier has the parcel, in time at 80 days and too late after them', async () => {
  const world = await openTestSandbox()
  const [first, second] = [await make(world, 'lost'), await make(world, 'lost')]
  const claim = { reason_code: 'lost', value: gbp(100) }
  const early = await world.refused('create_claim', { tracking_number: first, ...claim })
  expect(early.detail).toContain('never had it')
  await world.advance(80 * DAY)
  await world.ok('create_claim', { tracking_number: first, ...claim })
  await world.advance(1)
  const late = await world.refused('create_claim', { tracking_number: second, ...claim })
  expect(late).toMatchObject({ code: 'claim_not_allowed' })
  expect(late.detail).toContain('more than 80 days ago')
})

test.each([
  ['delivered', 'happy'],
  ['returned', 'returned;reason=refused'],
])('a parcel that is %s is not lost', async (status, scenario) => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, scenario)
  await world.advance(20 * DAY)
  const claim = { tracking_number, reason_code: 'lost', value: gbp(100) }
  expect(await world.refused('create_claim', claim)).toMatchObject({
    code: 'claim_not_allowed',
    detail: `${tracking_number} is not lost: it is ${status}.`,
  })
})

test('a parcel that was cancelled on its way and came back is not lost', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world)
  await callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' })
  await world.ok('cancel_shipment', { tracking_number })
  await world.advance(20 * DAY)
  const claim = { tracking_number, reason_code: 'lost', value: gbp(100) }
  expect(await world.refused('create_claim', claim)).toMatchObject({
    code: 'claim_not_allowed',
    current_status: 'cancelled',
    detail: `${tracking_number} is not lost: it is returned.`,
  })
})

test('a cancellation and a redirect leave the decision of a claim as it is planned', async () => {
  const world = await openTestSandbox()
  const [stopped, moved] = [await make(world), await make(world)]
  for (const tracking_number of [stopped, moved]) {
    await callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' })
    await world.ok('create_claim', { tracking_number, reason_code: 'damaged', value: gbp(100) })
  }
  await world.ok('cancel_shipment', { tracking_number: stopped })
  await world.ok('redirect_shipment', { tracking_number: moved, date: '2026-12-01' })
  expect(await decide(world, stopped)).toBe('rejected')
  expect(await decide(world, moved)).toBe('rejected')
  await world.advance(5 * DAY)
  const { delivered_at } = await world.ok('get_shipment', { tracking_number: moved })
  expect(delivered_at?.slice(0, 10)).toBe('2026-12-01')
})

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a parcel is never paid for if it is found again during a claim of its loss', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 3; round++) {
      const tracking_number = await make(world)
      await callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' })
      await callTestControl(world, 'scan_shipment', { tracking_number, code: 'out_for_delivery' })
      const [claimed] = await Promise.all([
        world.call('create_claim', { tracking_number, reason_code: 'lost', value: gbp(100) }),
        callTestControl(world, 'scan_shipment', { tracking_number, code: 'delivered' }),
      ])
      expect([201, 409]).toContain(claimed.status)
      expect(await decide(world, tracking_number)).toBe(claimed.status === 201 ? 'rejected' : undefined)
    }
    expect(await credits(world, '2026-11')).toEqual([])
  })

  test('of two claims at once for a parcel one is opened', async () => {
    const world = await openTestSandbox({ engine })
    const tracking_number = await make(world, 'damaged')
    await world.advance(3 * DAY)
    const claim = { tracking_number, reason_code: 'damaged', value: gbp(100) }
    const both = await Promise.all([world.call('create_claim', claim), world.call('create_claim', claim)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })
})
