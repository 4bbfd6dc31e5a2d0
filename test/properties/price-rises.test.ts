/** The calls after which an account owes more than before, over all operations: each declares that it spends. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { OPERATION_CASES } from '../support/all-cases.ts'
import type { CaseInput } from '../support/cases.ts'
import { makeCaseExample, hasAnother, pairOf } from '../support/examples.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const changing = operations.filter(({ idempotency }) => idempotency !== 'none')

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

afterEach(() => world.db.close())

/** Returns what all accounts owe or paid, in minor units: parcels that are not cancelled, and payments. */
async function owed(): Promise<number> {
  return world.db.read(async (tx) => {
    const parcels = await tx.all(`select doc from shipments where status <> 'cancelled'`)
    const prices = parcels.map(
      ({ doc }) => (JSON.parse(String(doc)) as { price: { total: { amount: number } } }).price.total.amount,
    )
    const payments = await tx.all(`select amount from payments`)
    return [...prices, ...payments.map(({ amount }) => Number(amount))].reduce((sum, each) => sum + each, 0)
  })
}

/** The inputs that cost most, where they are not the example. */
const DEAR: Readonly<Record<string, () => Promise<CaseInput>>> = {
  correct_recipient: async () => {
    const operation = await OPERATIONS.correct_recipient()
    const { tracking_number, recipient } = (await makeCaseExample(world, operation)) as CaseInput & {
      recipient: { address: CaseInput }
    }
    const address = { line1: '9 Dock Lane', city: 'St Helier', postal_code: 'JE2 3AB', country_code: 'JE' }
    const input = { tracking_number, recipient: { ...recipient, address } }
    const { total } = await world.refused('correct_recipient', input)
    return { ...input, expected_total: total }
  },
}

/** What the account is charged for a ride that it cancels is a part of what it has paid. */
const BUYS = new Set(['quote', 'invoice', 'difference'])

test.each(changing.map((operation) => [operation.name, operation] as const))(
  '%s raises what is owed only where it is declared to',
  async (name, operation) => {
    const inputs = DEAR[name] === undefined ? await inputsOf(operation) : [await DEAR[name]()]
    const rises = []
    for (const [at, input] of inputs.entries()) {
      const before = await owed()
      const { status, body } = await world.call(name, input, { key: `rise-${at}` })
      expect(status, JSON.stringify(body)).toBeLessThan(300)
      rises.push((await owed()) > before)
    }
    expect(rises.includes(true)).toBe(BUYS.has(operation.spends?.how ?? 'nothing'))
    expect(operation.spends?.how ?? 'nothing').toBe(OPERATION_CASES[name]?.spends ?? 'nothing')
  },
)

async function inputsOf(operation: AnyOperation): Promise<CaseInput[]> {
  if (!hasAnother(operation)) return [await makeCaseExample(world, operation)]
  const { input } = await pairOf(world, operation)
  return [input]
}

test('whoever names a price to agree to declares how it buys', () => {
  const naming = changing.filter(({ input: { properties } }) =>
    ['quote_id', 'expected_total', 'price_only'].some((member) => member in properties),
  )
  const others = naming.filter(({ spends }) => !BUYS.has(spends?.how ?? 'nothing'))
  // The guests of a table pay the store: its total is agreed to, and the caller buys nothing.
  expect(others.map(({ name }) => name)).toEqual(['settle_table'])
  expect(naming.length).toBeGreaterThan(5)
})
