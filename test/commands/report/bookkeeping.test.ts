/** Rows for bookkeeping programs: they add up to what the statement and the invoice say. */
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { businessStatement } from '../../../src/commands/business/statement.command.ts'
import { carrierInvoice } from '../../../src/commands/carrier/invoice.command.ts'
import { adjustTestOrder, completed } from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore } from '../../support/food.ts'
import { makeHome } from '../../support/home.ts'
import { FORNO } from '../../support/order-life.ts'
import { makeParcel } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY = 86_400_000
const MONTH = ['--from', '2026-11-01', '--to', '2026-12-01']

async function run(world: TestSandbox, command: Command, words: string[]) {
  using home = makeHome()
  return runCommand(home, command, words, { openClient: async () => makeSandboxClient(world, 'everything') })
}

/** Returns the rows of a file without its header, and the sum of their amounts in pence. */
function read(text: string): { rows: string[][]; sum: number } {
  const [header, ...lines] = text.trimEnd().split('\n')
  expect(header).toBe('Date,Description,Amount,Reference')
  const rows = lines.map((line) => line.split(','))
  return { rows, sum: rows.reduce((all, row) => all + Math.round(Number(row[2]) * 100), 0) }
}

test('a statement has a row for each change of what is due, which no program has to guess', async () => {
  const world = await openTestSandbox()
  await adjustTestOrder(world, await completed(world, { type: 'delivery', tip: 250 }))
  await adjustTestOrder(world, await completed(world, { token: 'tok_store' }))
  await completed(world, { method: 'cash' })
  await world.advance(DAY)
  const { merchant_id } = await findStore(world, FORNO)
  await callTestControl(world, 'pay_out', { merchant_id, amount: { amount: 100, currency: 'GBP' } })
  const { due, opening } = await world.ok('get_store_statement', { from: '2026-11-01', to: '2026-12-01' })
  const { out } = await run(world, businessStatement, [...MONTH, '--bookkeeping'])
  expect(out).not.toMatch(/[\uFEFF"']/)
  const { rows, sum } = read(out)
  expect(sum).toBe(due.amount - opening.amount)
  expect(rows.map(([date, words, amount]) => [date, words?.replace(/ [0-9A-Z]{4}\b/, ' N'), amount])).toEqual(
    [
      ['20/11/2026', 'Sale N', '14.85'],
      ['20/11/2026', 'Refund N (missing)', '-4.95'],
      ['20/11/2026', 'Sale N', '14.85'],
      ['20/11/2026', 'Sale N collected by the store (card)', '-15.11'],
      ['20/11/2026', 'Refund N (missing)', '-4.95'],
      ['20/11/2026', 'Refund N paid by the store', '4.45'],
      ['20/11/2026', 'Sale N', '14.85'],
      ['20/11/2026', 'Sale N collected by the store (cash)', '-15.11'],
      ['21/11/2026', 'Payout', '-1.00'],
    ],
  )
  expect(rows.map((row) => row[3])).toEqual(
    rows.map(() => expect.stringMatching(/^(?:ord|pyo)_[0-9a-z]{26}$/)),
  )
  expect((await run(world, businessStatement, MONTH)).out).toContain('net_sales\t34.65 GBP')
})

test('an invoice has a row for each line, and the rows sum to what is to pay', async () => {
  const world = await openTestSandbox()
  const cash = { cash_on_delivery: { amount: 2500, currency: 'GBP' } }
  await world.ok('create_shipment', makeParcel({ customer: 'Cup, "Green"', options: cash }))
  await world.ok('create_shipment', makeParcel({ reference: 'B-2' }), { scenario: 'damaged' })
  await world.advance(10 * DAY)
  const { due, lines = [] } = await world.ok('get_carrier_invoice', { month: '2026-11' })
  const { rows, sum } = read((await run(world, carrierInvoice, ['2026-11', '--bookkeeping'])).out)
  expect(sum).toBe(due.amount)
  expect(rows.map((row) => row[3])).toEqual(lines.map(({ tracking_number }) => tracking_number))
  expect(rows.map((row) => row[1])).toEqual(
    expect.arrayContaining(['Parcel B-2', expect.stringMatching(/^Cash on delivery .*for Cup Green$/)]),
  )
})

test.each([
  [businessStatement, MONTH, '--json'],
  [businessStatement, MONTH, '--output yaml'],
  [carrierInvoice, ['2026-11'], '--csv'],
])('another form beside it is refused by name', async (command, words, other) => {
  const { error } = await run(await openTestSandbox(), command, [
    ...words,
    '--bookkeeping',
    ...other.split(' '),
  ])
  expect(error?.message).toBe(`Give --bookkeeping or ${other}, not both.`)
})
