/** Amounts above the ceilings of the market are rejected alike by every way that takes them. */
import { beforeAll, expect, test } from 'vitest'
import { ceilingOf, isLarge } from '../../src/core/ceilings.ts'
import { FROM, PARCEL_OF_KEYS, TO } from '../support/deliveries.ts'
import { parseTestManifest, makeCsv, GOOD_ROW } from '../support/manifests.ts'
import { gbp } from '../support/money.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

const SMALL = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }
const insured = (amount: number) => ({ parcel: { ...SMALL, declared_value: gbp(amount) } })
const collected = (amount: number) => ({ options: { cash_on_delivery: gbp(amount) } })
const READING = { to_postal_code: 'RG1 1DB', to_country_code: 'GB', ...SMALL }

test.each([
  ['create_shipment', (amount: number) => makeParcel(insured(amount)), 250_000, '/parcel/declared_value'],
  [
    'create_shipment',
    (amount: number) => makeParcel(collected(amount)),
    100_000,
    '/options/cash_on_delivery',
  ],
  [
    'quote_rates',
    (amount: number) => ({ ...READING, declared_value_amount: amount }),
    250_000,
    'declared_value_amount',
  ],
  [
    'quote_delivery',
    (amount: number) => ({ pickup: FROM, dropoff: TO, parcel: { ...PARCEL_OF_KEYS, value: gbp(amount) } }),
    250_000,
    '/parcel/value',
  ],
] as const)(
  '%s takes an amount up to its ceiling, and names the ceiling above it',
  async (operation, body, most, place) => {
    await world.ok(operation, body(most))
    for (const amount of [most + 1, 12_000_000_00]) {
      const refused = await world.refused(operation, body(amount))
      expect(refused).toMatchObject({ status: 422, code: 'amount_too_large', limit: most })
      const [error] = refused.errors
      expect([error?.pointer ?? error?.parameter, error?.code]).toEqual([place, 'out_of_range'])
    }
  },
)

test('a manifest rejects the rows above it, creates the others, and says the same without creating', async () => {
  const amounts = [250_000, 250_001]
  const rows = amounts.map((amount, at) => makeParcel({ reference: `C${at}`, ...insured(amount) }))
  const shipments = [...rows, makeParcel({ reference: 'C2', ...collected(100_001) })]
  for (const price_only of [true, false]) {
    const { results } = await world.ok('create_shipments_batch', { shipments, price_only })
    expect(results.map(({ result, reason }) => [result, reason?.code, reason?.errors?.[0]?.pointer])).toEqual(
      [
        ['created', undefined, undefined],
        ['rejected', 'amount_too_large', '/parcel/declared_value'],
        ['rejected', 'amount_too_large', '/options/cash_on_delivery'],
      ],
    )
  }
})

test('a file is refused before it is sent, by row and column', () => {
  const read = (more: Record<string, string>) => parseTestManifest(makeCsv({ ...GOOD_ROW, ...more })).rows[0]
  expect(read({ Value: '2500', 'Cash on delivery': '1,000.00' })?.errors).toEqual([])
  expect(read({ Value: '£12,000,000.00', 'Cash on delivery': '1000.01' })?.errors).toEqual([
    expect.objectContaining({
      column: 'Value',
      detail: '£12,000,000.00 is more than £2,500.00, the most that is taken.',
    }),
    expect.objectContaining({ column: 'Cash on delivery', code: 'out_of_range' }),
  ])
})

test('a tip is at most 100, or the subtotal where that is more', () => {
  expect(ceilingOf('tip', 'GBP', 9_999)).toEqual(gbp(10_000))
  expect(ceilingOf('tip', 'GBP', 12_345)).toEqual(gbp(12_345))
  expect([isLarge('tip', gbp(1_999)), isLarge('tip', gbp(2_000))]).toEqual([false, true])
})
