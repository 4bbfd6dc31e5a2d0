/** `dray business table 7`: the bill is shown before it is paid, and what was shown is what is paid. */
import { beforeEach, expect, test } from 'vitest'
import { makeHome } from '../../../support/home.ts'
import { runLine, typeAt } from '../../../support/printed-hints.ts'

const NOON = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }
const ORDER =
  'dray food order "Forno Santa" --fulfillment dine_in --table 7 --pay table --as everything --yes --max-total 40 --scenario store_manual --quiet --query display_number'
const TABLE = 'dray business table 7 --as everything'

let home: ReturnType<typeof makeHome>
let numbers: string[]

const run = (line: string) => runLine(home, line, { piped: true })

/** Orders at table 7 and accepts. Returns the number of the order. */
async function order(items: string): Promise<string> {
  const { out } = await run(`${ORDER} --new ${items}`)
  const number = out.trim().replaceAll('"', '')
  expect(await run(`dray business orders accept ${number} --as everything`)).toMatchObject({ code: 0 })
  return number
}

beforeEach(async () => {
  home = makeHome(NOON)
  numbers = [await order('--item "2x Focaccia"'), await order('--item "1x Focaccia"')]
  return () => {
    home[Symbol.dispose]()
  }
})

const sumOf = async () => JSON.parse((await run(`${TABLE} --query total.amount`)).out) as number

test('the bill of a table lists its orders, their lines and one sum', async () => {
  const { code, out, err } = await runLine(home, TABLE)
  const [first, second] = numbers
  const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`
  expect(code).toBe(0)
  expect(out).toContain(`Table 7: ${pounds(await sumOf())} to pay`)
  expect(out).toMatch(new RegExp(`${first}, \\w+, accepted +£\\d+\\.\\d\\d\\n  1: 2 × Focaccia +£`))
  expect(out).toContain(`${second}, `)
  expect(err).toContain('dray business table 7 --pay --as everything')
  const { out: listed } = await run(
    'dray business tables --open --as everything --fields table_number,total.amount',
  )
  expect(listed).toBe(`table_number\ttotal.amount\n7\t${await sumOf()}\n`)
})

test('a person sees the shares, says yes, and the table is paid', async () => {
  const sum = await sumOf()
  const each = Math.floor(sum / 3)
  const { code, err } = await typeAt(home, `${TABLE} --pay --split 3`, ['yes'])
  expect(code).toBe(0)
  expect(err).toContain(`Share 1 of 3: £${(each / 100).toFixed(2)} (${numbers[0]} `)
  expect(err).toContain(`Share 3 of 3: £${((sum - 2 * each) / 100).toFixed(2)} (`)
  expect(err).toContain(`Record that table 7 has paid £${(sum / 100).toFixed(2)}?`)
  expect(await sumOf()).toBe(0)
})

test('without a yes nothing is paid, and a dry run shows what would be sent', async () => {
  const sum = await sumOf()
  expect(await run(`${TABLE} --pay`)).toMatchObject({ code: 3, err: expect.stringContaining('--yes') })
  const dry = await run(`${TABLE} --pay --split 2 --dry-run --json`)
  expect(JSON.parse(dry.out)).toEqual({
    operation: 'settle_table',
    input: { table_number: '7', expected_total: { amount: sum, currency: 'GBP' }, split: 2 },
  })
  expect(await sumOf()).toBe(sum)
})

test('lines are named by order and number, and a forgotten unit is named', async () => {
  const [first, second] = numbers
  const forgotten = await run(`${TABLE} --pay --yes --by-lines ${first}:1=1 --by-lines ${second}`)
  expect(forgotten).toMatchObject({
    code: 6,
    err: expect.stringContaining(`1 unit of Focaccia (line_1 of order ${first}) is in no share`),
  })
  const { code, out } = await run(
    `${TABLE} --pay --yes --by-lines ${first}:1=1 --by-lines ${first}:1=1,${second} --query "shares[].orders | length(@)"`,
  )
  expect([code, out.trim()]).toEqual([0, '2'])
  expect(await sumOf()).toBe(0)
})

test.each([
  ['--split 2', '--split requires --pay.'],
  ['--pay --split 2 --by-lines 1', 'Give --split or --by-lines, not both.'],
  ['--pay --yes --by-lines XXXX:1', '"XXXX:1" names no order of the bill'],
])('%s is refused with what to type', async (flags, words) => {
  expect(await run(`${TABLE} ${flags}`)).toMatchObject({ code: 2, err: expect.stringContaining(words) })
})

test('a table that is not there names those that are', async () => {
  const { code, err } = await run('dray business table 99 --as everything')
  expect([code, err]).toEqual([5, expect.stringContaining('It has the tables 1, 2, 3')])
})
