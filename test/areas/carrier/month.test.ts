/** The invoice of a month with every ending, manually. */
import { expect, test } from 'vitest'
import { checkParcels, playMonths } from '../../support/parcel-month.ts'
import { makeParcel } from '../../support/parcel.ts'
import { NOON_MS } from '../../support/served.ts'
import { openTestSandbox } from '../../support/world.ts'

const DAY = 86_400_000
const gbp = (amount: number) => ({ amount, currency: 'GBP' })
const MONTHS = ['2026-11', '2026-12', '2027-01', '2027-02']

/** 12 parcels of one sender, by their reference: how each is played, and what it is. */
const PARCELS: Readonly<Record<string, [scenario: string, more: Record<string, unknown>]>> = {
  delivered: ['happy', {}],
  'second attempt': ['attempt_fails;times=1', {}],
  refused: ['attempt_fails;reason=refused', {}],
  lost: ['lost', {}],
  'lost, insured': ['lost', { insured: 20_000 }],
  damaged: ['damaged', {}],
  'not sent': ['happy', {}],
  stopped: ['happy', {}],
  'cash at the door': ['happy', { options: { cash_on_delivery: gbp(2500) } }],
  'sent back': ['happy', {}],
  kept: ['happy', {}],
  'not fetched': ['returned', {}],
}

test('a month of 12 parcels with every ending costs what a clerk adds up manually', async () => {
  const world = await openTestSandbox({ at: NOON_MS })
  const as = 'shipper'
  const of: Record<string, string> = {}
  for (const [reference, [scenario, { insured, ...more }]] of Object.entries(PARCELS)) {
    const body = makeParcel({ reference, ...more })
    const parcel = {
      ...(body['parcel'] as object),
      ...(insured !== undefined && { declared_value: gbp(Number(insured)) }),
    }
    const made = await world.ok('create_shipment', { ...body, parcel }, { as, scenario })
    of[reference] = made.tracking_number
  }
  await world.ok('cancel_shipment', { tracking_number: of['not sent'] }, { as })
  await world.advance(DAY / 3)
  await world.ok('cancel_shipment', { tracking_number: of['stopped'] }, { as })
  await world.advance(3 * DAY)
  const sent = { as, scenario: 'return_sent;after=1d' }
  await world.ok('create_return', { tracking_number: of['sent back'], label: 'link' }, sent)
  await world.ok('create_return', { tracking_number: of['kept'] }, { as })
  const claim = { tracking_number: of['damaged'], reason_code: 'damaged', value: gbp(3500) }
  await world.ok('create_claim', claim, { as })
  await world.advance(15 * DAY)
  const lost = { tracking_number: of['lost, insured'], reason_code: 'lost', value: gbp(20_000) }
  await world.ok('create_claim', lost, { as })
  await world.advance(62 * DAY)

  const november = await world.ok('get_carrier_invoice', { month: '2026-11' }, { as })
  // Ten parcels at 5.10 and 1.02 VAT, and the insured one at 7.10 and 1.42; the one that was not sent costs nothing.
  expect(sums(november)).toEqual({
    parcel: [11, 5100 + 710, 1020 + 142],
    return: [1, 510, 102],
    claim: [2, -510 - 3500, -102],
    cash: [1, -2500, 0],
  })
  expect([november.billed.amount, november.due.amount]).toEqual([6972 + 612 - 612 - 3500, 972])
  const december = await world.ok('get_carrier_invoice', { month: '2026-12' }, { as })
  expect(sums(december)).toEqual({
    parcel: [0, 0, 0],
    return: [0, 0, 0],
    claim: [2, -710 - 20_000, -142],
    cash: [0, 0, 0],
  })
  // The return that was kept lapsed, and is on no invoice.
  for (const month of ['2027-01', '2027-02'])
    expect((await world.ok('get_carrier_invoice', { month }, { as })).lines).toEqual([])
  expect(await checkParcels(world, as, MONTHS)).toBe(14)
})

type Sums = { kinds: { kind: string; lines: number; net: { amount: number }; vat: { amount: number } }[] }

function sums({ kinds }: Sums): Record<string, number[]> {
  return Object.fromEntries(kinds.map(({ kind, lines, net, vat }) => [kind, [lines, net.amount, vat.amount]]))
}

test('the parcels of several senders are on one manifest at most, and have no scan after an end', async () => {
  const world = await openTestSandbox({ at: NOON_MS })
  await playMonths(world, 4)
  for (const as of ['shipper', 'shipper2', 'everything'])
    expect(await checkParcels(world, as, MONTHS)).toBeGreaterThan(40)
})
