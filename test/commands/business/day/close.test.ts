/** `dray business day close`: each day is shown before the question, and a day that has not ended is closed by its date alone. */
import { beforeEach, expect, test } from 'vitest'
import { makeHome } from '../../../support/home.ts'
import { runLine, typeAt } from '../../../support/printed-hints.ts'

/** A Sunday with two orders: one paid by card, one in cash at the counter. */
const SUNDAY = { DRAY_NOW: '2026-11-29T12:00:00Z', NO_COLOR: '1' }
const ORDER =
  'dray food order "Forno Santa" --item "3x Focaccia" --fulfillment pickup --as everything --yes --max-total 25'

let home: ReturnType<typeof makeHome>

beforeEach(async () => {
  home = makeHome(SUNDAY)
  for (const way of ['--pay card --payment-token tok_ok', '--pay cash'])
    expect(await runLine(home, `${ORDER} ${way} --scenario store_manual`)).toMatchObject({ code: 0 })
  const { out } = await runLine(home, 'dray business orders list --as everything --query "data[].order_id"', {
    piped: true,
  })
  for (const id of out.trim().split('\n'))
    for (const verb of ['accept', 'ready', 'complete'])
      expect(await runLine(home, `dray business orders ${verb} ${id} --as everything`)).toMatchObject({
        code: 0,
      })
  return () => {
    home[Symbol.dispose]()
  }
})

/** Sets the sandbox's clock to a time later on. */
async function waitUntil(time: string): Promise<void> {
  expect(await runLine(home, `dray sandbox clock set ${time} --yes`, { piped: true })).toMatchObject({
    code: 0,
  })
}

const listed = async () =>
  (
    await runLine(
      home,
      'dray business day list --as everything --fields number,date,cash.difference.amount',
      { piped: true },
    )
  ).out

const CLOSE = 'dray business day close --as everything'
const SEEN =
  /2026-11-29, 05:00 to 05:00: 2 orders, net sales £29\.70, VAT £4\.94, cash expected £15\.11, nothing unpaid/

test('on Monday morning Sunday is shown and its cash counted, and Monday stays open', async () => {
  await waitUntil('2026-11-30T11:00:00Z')
  const dry = await runLine(home, `${CLOSE} --dry-run --fields date,statement.orders`, { piped: true })
  expect([dry.out, dry.err]).toEqual([
    'date\tstatement.orders\n2026-11-29\t2\n',
    expect.stringContaining('Dry run: nothing was closed.'),
  ])
  const { code, err } = await typeAt(home, CLOSE, ['lots', '10.11', 'yes'])
  expect(err).toMatch(SEEN)
  expect(err).toContain('"lots" is not an amount')
  expect(err).toContain(
    'Counted £10.11, £5.00 less than expected. Close the business day 2026-11-29? A closed day never changes.',
  )
  expect(code).toBe(0)
  expect(await listed()).toBe('number\tdate\tcash.difference.amount\n1\t2026-11-29\t-500\n')
  const again = await runLine(home, `${CLOSE} --yes`, { piped: true })
  expect(again.code).toBe(7)
  expect(again.err).toContain('The business day 2026-11-30 has not ended')
})

test('a day that has not ended is closed by its date, typed or given, and by no yes', async () => {
  const unasked = await runLine(home, `${CLOSE} --through today --yes`, { piped: true })
  expect(unasked.code).toBe(3)
  expect(unasked.err).toContain('"today" is the business day 2026-11-29, from 05:00 to 05:00.')
  expect(unasked.err).toMatch(SEEN)
  expect(unasked.err).toContain('--confirm 2026-11-29')
  const no = await typeAt(home, `${CLOSE} --through 2026-11-29`, ['', 'yes'])
  expect(no.err).toContain(
    '2026-11-29 has not ended: what is paid until 05:00 on 2026-11-30 counts in the next day.',
  )
  expect([no.code, await listed()]).toEqual([3, 'number\tdate\tcash.difference.amount\n'])
  expect(await typeAt(home, `${CLOSE} --through 2026-11-29`, ['', '2026-11-29'])).toMatchObject({ code: 0 })
  expect(await listed()).toBe('number\tdate\tcash.difference.amount\n1\t2026-11-29\t\n')
})

test('by its words, too, a day begins at 05:00: at two in the night today is the day before', async () => {
  await waitUntil('2026-11-30T02:00:00Z')
  const { code } = await runLine(home, `${CLOSE} --through today --confirm 2026-11-29 --counted-cash 15.11`, {
    piped: true,
  })
  expect(code).toBe(0)
  expect(await listed()).toContain('1\t2026-11-29\t0\n')
})

test('counted cash for two open days is rejected before any question', async () => {
  await waitUntil('2026-12-01T11:00:00Z')
  const { code, err, asked } = await typeAt(home, `${CLOSE} --counted-cash 1.00`, ['yes'])
  expect([code, asked]).toEqual([6, false])
  expect(err).toContain('--counted-cash is of one day, and 2 are open')
  const both = await typeAt(home, CLOSE, ['yes'])
  expect(both.err).toContain('Close 2 business days, 2026-11-29 to 2026-11-30?')
  expect((await listed()).split('\n')).toHaveLength(4)
})
