/** Answers for people and programs become facts, and two surfaces that disagree are found. */
import { expect, test } from 'vitest'
import { readBoardScreen, readDrawnRows } from './board-screen.ts'
import { findContradictions, formatContradiction, toMinorUnits, readScreenTable, toMinute } from './facts.ts'
import { readBoardLine, readCustomerScreen, readStoreScreen } from './order-screens.ts'
import { readBill } from './receipts.ts'
import { readTicketPaper } from './ticket-paper.ts'

test('two surfaces that tell different sums of one order are named, with what each tells', () => {
  const found = findContradictions('order 1', [
    { surface: 'show', facts: { sums: { total: 3221 }, state: { order: 'placed' } } },
    { surface: 'list', facts: { sums: { total: 3221 } } },
    { surface: 'board', facts: { sums: { total: 2276 }, state: { order: 'placed' } } },
  ])
  expect(found.map(formatContradiction)).toEqual(['sums.total of order 1: 3221 (show, list); 2276 (board)'])
})

test('a surface that does not show a fact contradicts nobody', () => {
  const facts = [{ sums: { total: 1, tip: undefined } }, { sums: { tip: 2 } }, { lines: { Pho: 1 } }, {}]
  expect(
    findContradictions(
      'order 1',
      facts.map((each) => ({ surface: 'one', facts: each })),
    ),
  ).toEqual([])
})

test('lines are told as a whole: a surface that forgets one, or tells units that were taken off, disagrees', () => {
  const all = { surface: 'show', facts: { lines: { Pho: 2, Rolls: 1, Tea: 0 } } }
  const same = { surface: 'list', facts: { lines: { Rolls: 1, Pho: 2 } } }
  const less = { surface: 'board', facts: { lines: { Pho: 2 } } }
  expect(findContradictions('order 1', [all, same])).toEqual([])
  expect(findContradictions('order 1', [all, less])).toHaveLength(1)
})

test.each([
  ['£1,234.50', 123_450],
  ['-£2.78', -278],
  ['12.50 GBP', 1250],
  ['12.50', 1250],
  [{ amount: 1250, currency: 'GBP' }, 1250],
  ['–', undefined],
  [null, undefined],
])('an amount is read however it is written: %j', (written, amount) => {
  expect(toMinorUnits(written)).toBe(amount)
})

test.each([
  ['2026-11-20T09:18:45.000Z', '2026-11-20T09:18'],
  ['2026-11-20T10:18:45+01:00', '2026-11-20T09:18'],
  ['20 Nov 2026 09:18 UTC', '2026-11-20T09:18'],
  ['1 Dec 2026 09:18', '2026-12-01T09:18'],
  ['soon', undefined],
])('an instant is read however it is written: %s', (written, instant) => {
  expect(toMinute(written)).toBe(instant)
})

test('a table is read by its headings, also where a cell is empty', () => {
  const table = 'Order  Customer  Total\n─────  ────────  ─────\nX7KH             £2.97\n'
  expect(readScreenTable(table)).toEqual([{ Order: 'X7KH', Customer: '', Total: '£2.97' }])
})

test('units that were taken off or replaced do not count on a bill, and what replaced them does', () => {
  const rows = [
    ['2 × Pho', '£21.00'],
    ['· Large, 1 taken off', ''],
    ['Total', '£21.00'],
  ] as const
  expect(readBill(rows)).toMatchObject({ lines: { Pho: 1 }, sums: { total: 2100 } })
  const departures =
    '· 1 taken off, 3 replaced by Crisps, 150 g (1 taken off, 1 replaced by Rolls), 1 replaced by Pho'
  expect(
    readBill([
      ['6 × Tea', '£2.00'],
      [departures, ''],
    ]).lines,
  ).toEqual({
    Tea: 1,
    'Crisps, 150 g': 1,
    Rolls: 1,
    Pho: 1,
  })
})

test('the screen of the store tells what is left, and what is cooked of it now', () => {
  const screen = [
    'Order X7KH: accepted',
    'delivery, for Alex (first order)',
    'placed 20 Nov 2026 09:00 UTC, ready time 20 Nov 2026 09:18 UTC',
    '',
    '1 × Pho                          £10.50',
    '1 × Pho, customer asked          £10.50',
    '1 × Tea, taken off                £2.00',
    'Total (card, partially refunded)  £23.00',
    'Charged                           £21.00',
  ].join('\n')
  expect(readStoreScreen(screen)).toMatchObject({
    state: { own: 'accepted', payment: 'partially_refunded', method: 'card', way: 'delivery' },
    lines: { Pho: 2 },
    cooking: { Pho: 1 },
    sums: { total: 2300, charged: 2100 },
    times: { placed: '2026-11-20T09:00', ready: '2026-11-20T09:18' },
    who: { customer: 'Alex' },
  })
})

test('the screen of the customer tells its states, its times and its bill', () => {
  const screen = [
    'Status          accepted',
    'Payment method  card',
    'Payment         paid',
    'Ready time      20 Nov 2026 09:18 UTC',
    '',
    'Order X7KH from Pho Corner',
    '',
    '2 × Pho                          £21.00',
    '    Large, 1 taken off',
    'Total                            £21.00',
    'Paid by card                     £21.00',
    'Refund to your card             -£10.50',
    'Charged in all                   £10.50',
  ].join('\n')
  expect(readCustomerScreen(screen)).toMatchObject({
    state: { own: 'accepted', payment: 'paid', method: 'card' },
    lines: { Pho: 1 },
    sums: { total: 2100, paid: 2100, charged: 1050 },
    times: { ready: '2026-11-20T09:18' },
  })
})

test('a comma in the name of an item does not part it from its amount', () => {
  const line = '2026-11-20T09:00\tX7KH\tord_1\tplaced\tpickup\t3 × Crisps, 150 g, Tea\t£9.00\tcard, paid'
  expect(readBoardLine(line)).toMatchObject({
    cooking: { 'Crisps, 150 g': 3, Tea: 1 },
    sums: { charged: 900 },
  })
})

test('the whole screen of the board is read row by row, with the stage above an order and without its marks', () => {
  const row = (at: number, text: string): string => `\u001B[${at};1H${text}\u001B[K`
  const drawn = [
    row(1, 'Orders: 1 active'),
    row(3, '\u001B[1mON THE WAY 1\u001B[0m'),
    row(
      4,
      '> X7KH  9:10  late 3 min  dine in at table 4  CHANGED! 2 × Crisps, 150 g, Tea  £9.00  card, paid',
    ),
    row(1, 'Orders: 2 active'),
  ].join('')
  const rows = readDrawnRows(drawn)
  expect(rows[0]).toBe('Orders: 2 active')
  expect(readBoardScreen(rows, 'X7KH')).toEqual({
    state: { own: 'out_for_delivery', way: 'dine_in', method: 'card', payment: 'paid' },
    cooking: { 'Crisps, 150 g': 2, Tea: 1 },
    sums: { charged: 900 },
    where: { table: '4' },
  })
  expect(readBoardScreen(rows, '2K7M')).toBeUndefined()
})

test('a printed ticket tells what is left and what is cooked; one for the bag tells what is charged', () => {
  const rule = '-'.repeat(42)
  const head = [
    '\u001B@  \u001D!\u0011COPY \u001D!\u0000',
    'Lime Street Noodles, Fri 20 Nov',
    'X7KH',
    'Table 4, Priya',
    rule,
  ]
  const print = (...lines: readonly string[]): string => [...head, ...lines].join('\n') + '\u001DV\u0001'
  const change = 'CHANGE\nX7KH\u001DV\u0001'
  const kitchen = print('1 Pho', '1 Pho', '  replaced', '1 instead: Crisps, 150 g', 'Replaced: 1 × Pho', rule)
  expect(readTicketPaper(kitchen + change)).toMatchObject({
    state: { way: 'dine_in' },
    lines: { Pho: 1, 'Crisps, 150 g': 1 },
    who: { customer: 'Priya' },
    where: { table: '4' },
  })
  const bag = print('1 Pho', rule, '\u00A310.50 Pay at table, bill open')
  expect(readTicketPaper(bag)).toMatchObject({ cooking: { Pho: 1 }, sums: { charged: 1050 } })
  expect(readTicketPaper(change)).toBeUndefined()
})
