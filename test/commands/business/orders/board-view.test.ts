import { describe, expect, test } from 'vitest'
import { paint } from '../../../../src/cli/output/colour.ts'
import { width } from '../../../../src/cli/output/text.ts'
import { drawBoard } from '../../../../src/commands/business/orders/board-view.ts'
import { makeBoard, press, withNotice, type Board } from '../../../../src/commands/business/orders/board.ts'
import type { Order } from '../../../../src/commands/business/orders/order.ts'
import { gbp } from '../../../support/money.ts'
import { makeOrder } from '../../../support/orders.ts'

const NOW = Date.parse('2026-11-20T09:12:00Z')

const screen = (columns: number, rows: number, colour = false) => ({
  columns,
  rows,
  style: paint(colour),
  timezone: 'Europe/London',
})

const boardOf = (...orders: Order[]): Board => makeBoard({ orders, now: NOW, frozen: false })

const ORDERS = [
  makeOrder('7K2M', {
    placed_at: '2026-11-20T09:10:00.000Z',
    payment: { method: 'card', status: 'unpaid', collected_by: 'platform' },
  }),
  makeOrder('9XQ4', {
    placed_at: '2026-11-20T09:11:40.000Z',
    fulfillment_type: 'delivery',
    notes: 'Please ring twice',
  }),
  makeOrder('A1B2', {
    status: 'preparing',
    prep: { estimated_ready_at: '2026-11-20T09:08:00.000Z', ready_at: null },
    fulfillment_type: 'dine_in',
    table: { table_number: '4', party_size: 2, check: { status: 'open', balance: gbp(100) } },
  }),
]

function lineOf(board: Board, columns: number, start: string): string {
  const found = drawBoard(board, screen(columns, 30)).find((line) => line.slice(2).startsWith(start))
  return found ?? ''
}

test('a wide board says of each order how old it is, how late, for whom, and whether it is paid', () => {
  const board = boardOf(...ORDERS)
  expect(lineOf(board, 119, '7K2M')).toMatch(
    /^> 7K2M +8:00 left +pickup +NOTE! 2 × Pad Thai, Spring.* +£27\.19 +card, unpaid$/,
  )
  expect(lineOf(board, 119, '9XQ4')).toMatch(/^ {2}9XQ4 +9:40 left +delivery /)
  expect(lineOf(board, 119, 'A1B2')).toMatch(/late 4 min +dine in at table 4 /)
})

test('a narrow board keeps the number, the age, the items and what is amiss', () => {
  const board = boardOf(...ORDERS)
  expect(lineOf(board, 39, '7K2M')).toMatch(/^> 7K2M +8:00 left +! 2 × Pad.*… +unpaid$/)
  expect(lineOf(board, 39, 'A1B2')).toMatch(/late 4 min/)
})

test('orders stand under the names of their stages, with how many there are', () => {
  const text = drawBoard(boardOf(...ORDERS), screen(80, 30)).join('\n')
  expect(text).toMatch(/PLACED 2\n> 7K2M[^]*PREPARING 1\n {2}A1B2/)
  expect(text).not.toContain('ACCEPTED')
})

test('an order for later says when', () => {
  const slot = { starts_at: '2026-11-20T18:30:00.000Z', ends_at: '2026-11-20T18:45:00.000Z' }
  expect(lineOf(boardOf(makeOrder('7K2M', { slot })), 119, '7K2M')).toContain('for 18:30')
})

test('below the list stands what the selected order is made of', () => {
  const text = drawBoard(press(boardOf(...ORDERS), 'down'), screen(80, 30)).join('\n')
  expect(text).toMatch(/2 × Pad Thai +£24\.60\n +Extra prawns\n +"no peanuts"/)
  expect(text).toContain('Note from the customer: "Please ring twice"')
})

describe('whatever the size, nothing is wider or higher than the screen and the selected order is on it', () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    makeOrder(`N${String(at).padStart(3, '0')}`, {
      placed_at: new Date(NOW - at * 60_000).toISOString(),
      status: at % 2 === 0 ? 'placed' : 'ready',
    }),
  )
  const boards = [boardOf(), boardOf(...ORDERS), boardOf(...many), press(boardOf(...many), 'end')]
  test.each([
    [39, 8],
    [39, 24],
    [79, 12],
    [119, 40],
  ])('%i columns, %i rows', (columns, rows) => {
    for (const board of boards) {
      for (const shown of [
        board,
        press(board, 'x'),
        withNotice(board, { kind: 'refused', text: 'No. '.repeat(20) }),
      ]) {
        const lines = drawBoard(shown, screen(columns, rows))
        expect(lines.length).toBeLessThanOrEqual(rows)
        expect(lines.filter((line) => width(line) > columns)).toEqual([])
        const marked = lines.some((line) => line.startsWith('> '))
        expect(marked || board.orders.length === 0 || rows < 12).toBe(true)
      }
    }
  })
})

test('the keys are those that do something to the selected order now', () => {
  const last = (board: Board) => drawBoard(board, screen(80, 30)).at(-1)
  expect(last(boardOf(...ORDERS))).toBe(
    'a accept   x reject   t time   o off sale   ↑↓ select   ? all keys   q quit',
  )
  expect(last(boardOf(makeOrder('7K2M', { status: 'ready' })))).toBe(
    'c complete   x reject   o off sale   ? all keys   q quit',
  )
  expect(last(boardOf())).toBe('? all keys   q quit')
})

test('the screen of all keys says that only the bell is paused, and fits into 80 columns', () => {
  const lines = drawBoard({ ...boardOf(...ORDERS), help: true }, screen(80, 24))
  expect(lines.find((line) => line.startsWith('  b '))).toMatch(
    / pause only the bell, .*; the store stays open$/,
  )
})

test('a rejection says what goes back before it is confirmed', () => {
  const asked = press(boardOf(makeOrder('7K2M')), 'x')
  const text = drawBoard(asked, screen(80, 30)).join('\n')
  expect(text).toContain('Reject 7K2M? £27.19 goes back to the customer. Why:')
  expect(text).toContain('1 item unavailable')
  expect(drawBoard(press(asked, '1'), screen(80, 30)).join('\n')).toContain('Enter reject 7K2M   Esc keep it')
})

test('a service that does not answer, and a clock that stands still, are said', () => {
  const board = {
    ...boardOf(...ORDERS),
    frozen: true,
    silence: 'The service cannot be reached. Trying again.',
  }
  const text = drawBoard(board, screen(80, 30)).join('\n')
  expect(text).toContain('09:12, clock stopped')
  expect(text).toContain('! The service cannot be reached.')
})

test('without colours the same words and signs are there', () => {
  const board = withNotice(boardOf(...ORDERS), { kind: 'refused', text: '7K2M was not accepted.' })
  const coloured = drawBoard(board, screen(80, 30, true)).join('\n')
  // oxlint-disable-next-line no-control-regex -- the colours are what is taken away
  expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(drawBoard(board, screen(80, 30)).join('\n'))
  expect(coloured).toContain('\x1b[')
})

test('text of customers cannot draw on the board', () => {
  const hostile = makeOrder('7K2M', {
    notes: 'hi\x1b[2J\nthere',
    customer: { first_name: '\x1b]0;x\x07Eve', phone_masked: null, orders_count: 1 },
  })
  const text = drawBoard(boardOf(hostile), screen(80, 30)).join('\n')
  expect(text).not.toContain('\x1b')
  expect(text).toContain('Eve (first order)')
})
