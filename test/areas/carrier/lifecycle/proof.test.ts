import { expect, test } from 'vitest'
import { callTestControl } from '../../../support/control.ts'
import { readInvoice } from '../../../support/invoices.ts'
import { makeParcel } from '../../../support/parcel.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const DAY = 86_400_000
const CASH = { amount: 2500, currency: 'GBP' }

async function make(
  world: TestSandbox,
  options: Record<string, unknown>,
  scenario = 'happy',
): Promise<string> {
  return (await world.ok('create_shipment', makeParcel({ options }), { scenario })).tracking_number
}

test('cash on delivery is collected at the door: event and proof say how much and how, and the invoice owes it', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, { cash_on_delivery: CASH })
  await world.advance(DAY)
  expect((await world.ok('get_carrier_invoice', { month: '2026-11' })).kinds[3]?.lines).toBe(0)
  await world.advance(3 * DAY)
  const { scan_history, proof_of_delivery: proof } = await world.ok('get_shipment', { tracking_number })
  expect(proof?.cash_collected).toEqual({
    amount: CASH,
    method: expect.stringMatching(/^cash|card$/) as string,
  })
  expect(scan_history.filter(({ cash_collected }) => cash_collected !== undefined)).toEqual([
    expect.objectContaining({ code: 'delivered', cash_collected: proof?.cash_collected }),
  ])
  const invoice = await readInvoice(world, { month: '2026-11' })
  // Delivered on a Saturday: two working days later is a Tuesday.
  expect(invoice.lines.map(({ kind, at, vat, total }) => [kind, at, vat.amount, total.amount])).toEqual([
    ['parcel', '2026-11-20T17:00:00.000Z', 102, 612],
    ['cash', '2026-11-24T00:00:00.000Z', 0, -2500],
  ])
  expect(invoice).toMatchObject({ billed: { amount: 612 }, due: { amount: 612 - 2500 } })
})

test('cash of a parcel that waited long for its day is owed, too, and never twice', async () => {
  const world = await openTestSandbox()
  await make(world, { cash_on_delivery: CASH, not_before_date: '2027-06-30' })
  await world.advanceTo('2027-07-20T09:00:00.000Z')
  const cash = await Promise.all(
    ['2026-11', '2027-05', '2027-06', '2027-07'].map(async (month) => {
      const { kinds } = await world.ok('get_carrier_invoice', { month })
      return kinds.find(({ kind }) => kind === 'cash')?.total.amount
    }),
  )
  expect(cash).toEqual([0, 0, 0, -2500])
})

test('a recipient who cannot pay gets no parcel, and nothing is owed', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, { cash_on_delivery: CASH }, 'returned;reason=cod_not_available')
  await world.advance(35 * DAY)
  const { status, scan_history } = await world.ok('get_shipment', { tracking_number })
  expect(status).not.toBe('delivered')
  expect(scan_history.some(({ cash_collected }) => cash_collected !== undefined)).toBe(false)
  expect((await world.ok('get_carrier_invoice', { month: '2026-11' })).due.amount).toBe(612)
})

test('cash is paid at the counter of a hub, too', async () => {
  const world = await openTestSandbox()
  const tracking_number = await make(world, { cash_on_delivery: CASH })
  await world.ok('redirect_shipment', { tracking_number, hub_id: 'LON2' })
  await world.advance(10 * DAY)
  const { proof_of_delivery } = await world.ok('get_shipment', { tracking_number })
  expect(proof_of_delivery?.cash_collected?.amount).toEqual(CASH)
})

test('cash on delivery with a safe place is rejected, and in a manifest by its row', async () => {
  const world = await openTestSandbox()
  const options = { cash_on_delivery: CASH, leave_safe_place: 'Porch' }
  const problem = await world.refused('create_shipment', makeParcel({ options }))
  expect(problem).toMatchObject({ status: 422, code: 'options_conflict' })
  expect(problem.errors[0]?.pointer).toBe('/options/leave_safe_place')
  const { counts, results } = await world.ok('create_shipments_batch', {
    shipments: [makeParcel({ reference: 'A', options }), makeParcel({ reference: 'B' })],
  })
  expect(counts).toMatchObject({ created: 1, rejected: 1 })
  expect(results[0]?.reason).toMatchObject({
    code: 'options_conflict',
    errors: [{ pointer: '/options/leave_safe_place' }],
  })
})

test('a signature with a safe place stays accepted: the signature wins, and a warning says so', async () => {
  const world = await openTestSandbox()
  const options = { signature_required: true, leave_safe_place: 'Porch' }
  const made = await world.ok('create_shipment', makeParcel({ options }))
  const warning = 'A signature is required, so the parcel is handed over and not left in the safe place.'
  expect(made.warnings).toEqual([warning])
  const row = makeParcel({ reference: 'A', options })
  const { results } = await world.ok('create_shipments_batch', { shipments: [row], price_only: true })
  expect(results[0]).toMatchObject({ result: 'created', warnings: [warning] })
  const { tracking_number } = made
  await callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' })
  await world.advance(5 * DAY)
  const { proof_of_delivery } = await world.ok('get_shipment', { tracking_number })
  expect(proof_of_delivery?.method).toBe('signature')
})
