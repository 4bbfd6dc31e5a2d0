import { describe, expect, test } from 'vitest'
import { makePaint } from '../../../../src/cli/output/colour.ts'
import { measureTextWidth } from '../../../../src/cli/output/text.ts'
import { renderBoard, clampSheetScroll } from '../../../../src/commands/business/orders/board-view.ts'
import {
  makeOrderBoard,
  pressBoardKey,
  refreshBoard,
  withLost,
  withNotice,
  type OrderBoard,
} from '../../../../src/commands/business/orders/board.ts'
import type { BusinessOrderOutput } from '../../../../src/commands/business/orders/order.ts'
import { gbp } from '../../../support/money.ts'
import { makeStoreOrder, problemOrder, wholeRefund } from '../../../support/orders.ts'
import { partialResponse } from '../../../support/part.ts'

const NOW = Date.parse('2026-11-20T09:12:00Z')

const screen = (columns: number, rows: number, colour = false) => ({
  columns,
  rows,
  style: makePaint(colour),
  timezone: 'Europe/London',
})

const boardOf = (...orders: BusinessOrderOutput[]): OrderBoard =>
  makeOrderBoard({ orders, now: NOW, frozen: false })

const ORDERS = [
  makeStoreOrder('7K2M', {
    placed_at: '2026-11-20T09:10:00.000Z',
    payment: { ...makeStoreOrder('7K2M').payment, status: 'unpaid' },
  }),
  makeStoreOrder('9XQ4', {
    placed_at: '2026-11-20T09:11:40.000Z',
    fulfillment_type: 'delivery',
    notes: 'Please ring twice',
  }),
  makeStoreOrder('A1B2', {
    status: 'preparing',
    prep: { estimated_ready_at: '2026-11-20T09:08:00.000Z', ready_at: null },
    fulfillment_type: 'dine_in',
    table: { table_number: '4', party_size: 2, check: { status: 'open', balance: gbp(100) } },
  }),
]

function lineOf(board: OrderBoard, columns: number, start: string): string {
  const found = renderBoard(board, screen(columns, 30)).find((line) => line.slice(2).startsWith(start))
  return found ?? ''
}

test('a wide board shows the age of each order, its delay, its customer, and whether it is paid', () => {
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

test('the board lists orders under the names of their stages, with how many there are', () => {
  const text = renderBoard(boardOf(...ORDERS), screen(80, 30)).join('\n')
  expect(text).toMatch(/NEW 2\n> 7K2M[^]*COOKING 1\n {2}A1B2/)
  expect(text).not.toContain('ACCEPTED')
})

test('an order for later says when', () => {
  const slot = { starts_at: '2026-11-20T18:30:00.000Z', ends_at: '2026-11-20T18:45:00.000Z' }
  expect(lineOf(boardOf(makeStoreOrder('7K2M', { slot })), 119, '7K2M')).toContain('for 18:30')
  const tomorrow = { starts_at: '2026-11-21T20:00:00.000Z', ends_at: '2026-11-21T20:15:00.000Z' }
  const board = boardOf(makeStoreOrder('7K2M', { slot: tomorrow }))
  expect(lineOf(board, 119, '7K2M')).toContain('for Sat 21 Nov 20:00')
})

test('the parts of the selected order are below the list', () => {
  const text = renderBoard(pressBoardKey(boardOf(...ORDERS), 'down'), screen(80, 30)).join('\n')
  expect(text).toMatch(/2 × Pad Thai +£24\.60\n +Extra prawns\n +"no coriander"/)
  expect(text).toContain('Note from the customer: "Please ring twice"')
})

describe('whatever the size, nothing is wider or higher than the screen and the selected order is on it', () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    makeStoreOrder(`N${String(at).padStart(3, '0')}`, {
      placed_at: new Date(NOW - at * 60_000).toISOString(),
      status: at % 2 === 0 ? 'placed' : 'ready',
    }),
  )
  const boards = [boardOf(), boardOf(...ORDERS), boardOf(...many), pressBoardKey(boardOf(...many), 'end')]
  test.each([
    [39, 8],
    [39, 24],
    [79, 12],
    [119, 40],
  ])('%i columns, %i rows', (columns, rows) => {
    for (const board of boards) {
      for (const shown of [
        board,
        pressBoardKey(board, 'x'),
        withNotice(board, { kind: 'refused', text: 'No. '.repeat(20) }),
      ]) {
        const lines = renderBoard(shown, screen(columns, rows))
        expect(lines.length).toBeLessThanOrEqual(rows)
        expect(lines.filter((line) => measureTextWidth(line) > columns)).toEqual([])
        const marked = lines.some((line) => line.startsWith('> '))
        expect(marked || board.orders.length === 0 || rows < 12).toBe(true)
      }
    }
  })
})

const STATUSES = ['accepted', 'preparing', 'ready', 'out_for_delivery'] as const
/** A full house: 28 new orders with ends 10 seconds apart, shuffled, and 12 others. */
const FULL = [
  ...Array.from({ length: 28 }, (_, at) =>
    makeStoreOrder(`N${10 + at}`, {
      accept_by: new Date(NOW + (((at * 11) % 28) + 1) * 10_000).toISOString(),
      notes: at % 5 === 0 ? 'Severe nut allergy: please clean the pan and the board before you begin' : null,
    }),
  ),
  ...Array.from({ length: 12 }, (_, at) =>
    makeStoreOrder(`C${10 + at}`, { status: STATUSES[at % 4] ?? 'ready' }),
  ),
]

test('at 50 × 20 with 40 orders the pinned line names the one that ends first, at every moment and on every view', () => {
  const views = [[], ['down', 'down'], ['end'], ['x'], ['x', '3'], ['t', '5'], ['o'], ['enter'], ['?'], ['l']]
  let board = withLost(boardOf(...FULL), [makeStoreOrder('L1', { status: 'cancelled' })])
  for (let now = NOW; now < NOW + 290_000; now += 5000) {
    // An order that nobody accepts goes when its time has ended, and is lost.
    const still = FULL.filter(({ accept_by }) => accept_by === null || Date.parse(accept_by) > now)
    board = refreshBoard(board, { orders: still, now, frozen: false })
    const [first] = still
      .filter(({ status }) => status === 'placed')
      .toSorted((a, b) => ((a.accept_by ?? '') < (b.accept_by ?? '') ? -1 : 1))
    for (const keys of views) {
      for (const shown of [board, withNotice(board, { kind: 'refused', text: 'No. '.repeat(40) })]) {
        const lines = renderBoard(
          clampSheetScroll(keys.reduce(pressBoardKey, shown), screen(49, 20)),
          screen(49, 20),
        )
        expect(lines.length).toBeLessThanOrEqual(20)
        const waiting = still.length - 12
        const pinned = first === undefined ? 'No new orders' : `${waiting} NEW, £`
        expect(lines[1]).toContain(pinned)
        expect(lines[1]).toContain(first === undefined ? '' : `: ${first.display_number} `)
      }
    }
  }
})

test.each([
  [49, 20],
  [79, 24],
  [39, 14],
])(
  'at %i × %i no note of the selected order is cut, and the least important orders give way',
  (columns, rows) => {
    const long = 'I have a severe nut allergy'.padEnd(120, ' and nuts kill me')
    const orders = FULL.map((order, at) =>
      partialResponse<BusinessOrderOutput>({
        ...order,
        lines: order.lines.map((line) => ({ ...line, notes: at === 7 ? long : line.notes })),
      }),
    )
    let board = boardOf(...orders)
    expect(renderBoard(board, screen(columns, rows)).join(' ')).not.toContain('READY')
    for (const _ of orders) {
      const lines = renderBoard(board, screen(columns, rows))
      const text = lines.join(' ').replaceAll(/\s+/g, ' ')
      const selected = board.orders.find(({ order_id }) => order_id === board.selected)
      for (const note of [selected?.notes, ...(selected?.lines.map(({ notes }) => notes) ?? [])])
        expect(text).toContain(note?.replaceAll(/\s+/g, ' ') ?? '')
      expect(text).toContain(`> ${selected?.display_number}`)
      // However far the cursor is, a new order that nearly ends is on the list.
      expect(text).toMatch(rows < 20 ? /: N10 0:10 left/ : / {1,2}N10 +0:10 left/)
      board = pressBoardKey(board, 'down')
    }
  },
)

test('a sheet shows all of an order, scrolls no further than its end, and keeps its keys', () => {
  const order = makeStoreOrder('7K2M', {
    notes: 'Severe nut allergy',
    prep: {
      accepted_at: null,
      preparing_at: null,
      estimated_ready_at: '2026-11-20T09:25:00.000Z',
      ready_at: null,
    },
  })
  const small = screen(49, 14)
  const open = (...keys: string[]) =>
    renderBoard(
      keys.reduce((board, key) => clampSheetScroll(pressBoardKey(board, key), small), boardOf(order)),
      small,
    )
  const seen = [open('enter'), open('enter', 'page-down'), open('enter', 'end')].flat().join('\n')
  for (const words of [
    'placed 20 Nov 2026 09:00',
    'accept before 20 Nov 2026 09:10',
    'ALLERGY! Note from the customer: "Severe nut allergy"',
    'Extra prawns',
    '"no coriander"',
    '1 × Spring rolls',
    'Total (card, paid)',
  ])
    expect(seen.replaceAll(/\s+/g, ' ')).toContain(words)
  expect(open('enter').at(-1)).toContain('Esc back')
  expect(open('enter', 'end')).toEqual(open('enter', 'end', 'down', 'page-down'))
  expect(open('enter', 'end', 'up')).not.toEqual(open('enter', 'end'))
  expect(open('enter', 'escape')).toEqual(open())
})

test('lost orders show the goods that they cost the store, how and when, whatever the width', () => {
  const lost = [
    makeStoreOrder('L1', { ...wholeRefund(), status: 'cancelled' }),
    // The platform pays for one that its courier lost: it costs the store nothing.
    makeStoreOrder('L3', {
      ...wholeRefund('platform'),
      status: 'failed',
      updated_at: '2026-11-20T08:50:00.000Z',
    }),
    makeStoreOrder('L2', {
      ...wholeRefund(),
      status: 'rejected',
      rejection: { reason_code: 'not_accepted_in_time', note: null },
      updated_at: '2026-11-20T09:10:00.000Z',
    }),
  ]
  const board = withLost(boardOf(...ORDERS), lost)
  expect(renderBoard(board, screen(99, 30))[2]).toBe(
    '! 3 LOST, £57.10: L2 not accepted in time 09:10, L1 cancelled by the customer 09:00',
  )
  expect(renderBoard(board, screen(39, 30))[2]).toBe('! 3 LOST, £57.10')
  const sheet = renderBoard(pressBoardKey(board, 'l'), screen(79, 24)).join('\n')
  expect(sheet).toMatch(
    /L2 {2}£28\.55, not accepted in time at 20 Nov 2026 09:10[^]*Ana \(3 orders\), •••• 0123/,
  )
})

test('the board shows open problems with their sum and the command that lists them, and no answered ones', () => {
  const problems = [problemOrder('P1'), problemOrder('P2', { amount: gbp(349) })]
  const line = (some: BusinessOrderOutput[], columns: number) =>
    renderBoard({ ...boardOf(...ORDERS), problems: some }, screen(columns, 30))[2]
  expect(line(problems, 79)).toBe('! 2 PROBLEMS, £14.56: `dray business orders list --problem open`')
  expect(line(problems.slice(0, 1), 39)).toBe('! 1 PROBLEM, £11.07')
  expect(line([problemOrder('P3', { status: 'accepted' })], 79)).toBe('')
})

test('the keys are those that do something to the selected order now', () => {
  const last = (board: OrderBoard) => renderBoard(board, screen(99, 30)).at(-1)
  expect(last(boardOf(...ORDERS))).toBe(
    'a accept   x reject   t time   o unavailable   ↑↓ select   Enter open   ? all keys   q quit',
  )
  expect(last(boardOf(makeStoreOrder('7K2M', { status: 'ready' })))).toBe(
    'c complete   x reject   o unavailable   Enter open   ? all keys   q quit',
  )
  expect(last(boardOf())).toBe('? all keys   q quit')
})

test('the screen of all keys says that only the bell is paused, and fits into 80 columns', () => {
  const lines = renderBoard(pressBoardKey(boardOf(...ORDERS), '?'), screen(80, 24))
  expect(lines.find((line) => line.startsWith('  b '))).toMatch(
    / turn only the bell off .*; the store stays open$/,
  )
})

test('an order with more items than figures says where the others go off sale', () => {
  const [line] = makeStoreOrder('7K2M').lines
  const lines = Array.from({ length: 12 }, (_, at) => ({ ...line, item_id: `itm_${at}`, name: `Dish ${at}` }))
  const text = renderBoard(
    pressBoardKey(boardOf(makeStoreOrder('7K2M', { lines })), 'o'),
    screen(99, 30),
  ).join('\n')
  expect(text).toContain('Which item is unavailable? (3 more: `dray business catalog available`)')
  expect(text).toContain('9 Dish 8')
})

test('a rejection says what goes back before it is confirmed', () => {
  const asked = pressBoardKey(boardOf(makeStoreOrder('7K2M')), 'x')
  const text = renderBoard(asked, screen(80, 30)).join('\n')
  expect(text).toContain('Reject 7K2M? £27.19 will be refunded to the customer. Reason:')
  expect(text).toContain('1 item unavailable')
  const { payment } = makeStoreOrder('7K2M')
  const rest = makeStoreOrder('7K2M', {
    payment: { ...payment, status: 'partially_refunded' },
    refunds: [partialResponse({ amount: gbp(445), status: 'pending', destination: 'platform_wallet' })],
  })
  // A part went back already: the rest follows.
  expect(renderBoard(pressBoardKey(boardOf(rest), 'x'), screen(80, 30)).join('\n')).toContain(
    'Reject 7K2M? £22.74 will be refunded to the customer. Reason:',
  )
  expect(renderBoard(pressBoardKey(asked, '1'), screen(80, 30)).join('\n')).toContain(
    'Enter reject 7K2M   Esc keep it',
  )
})

test('the board reports a service that does not respond, and a frozen clock', () => {
  const board = {
    ...boardOf(...ORDERS),
    frozen: true,
    silence: 'Cannot reach the server. Trying again.',
  }
  const text = renderBoard(board, screen(80, 30)).join('\n')
  expect(text).toContain('09:12, clock frozen')
  expect(text).toContain('! Cannot reach the server.')
})

test('without colours the same words and signs are there', () => {
  const board = withNotice(boardOf(...ORDERS), { kind: 'refused', text: '7K2M was not accepted.' })
  const coloured = renderBoard(board, screen(80, 30, true)).join('\n')
  // oxlint-disable-next-line no-control-regex -- the colours are what is taken away
  expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(renderBoard(board, screen(80, 30)).join('\n'))
  expect(coloured).toContain('\x1b[')
})

test('text of customers cannot draw on the board', () => {
  const hostile = makeStoreOrder('7K2M', {
    notes: 'hi\x1b[2J\nthere',
    customer: { first_name: '\x1b]0;x\x07Eve', phone_masked: null, orders_count: 1 },
  })
  for (const board of [boardOf(hostile), pressBoardKey(boardOf(hostile), 'enter')]) {
    const text = renderBoard(board, screen(80, 30)).join('\n')
    expect(text).not.toContain('\x1b')
    expect(text).toContain('Eve (first order)')
  }
})

test('a note without a space is broken, not cut, and never wider than the screen', () => {
  const notes = 'nut-allergy!'.repeat(25)
  for (const keys of [[], ['enter']]) {
    const lines = renderBoard(
      keys.reduce(pressBoardKey, boardOf(makeStoreOrder('7K2M', { notes }))),
      screen(49, 30),
    )
    expect(lines.filter((line) => measureTextWidth(line) > 49)).toEqual([])
    expect(lines.join('')).toContain(notes)
  }
})

test('the list shows a removed dish, and a question to the customer, and names them below', () => {
  const money = { amount: 650, currency: 'GBP' }
  const part: BusinessOrderOutput['adjustments'][number] = {
    adjustment_id: 'adj_1',
    at: '2026-11-20T09:05:00.000Z',
    by: 'store',
    kind: 'removed',
    lines: [{ line_id: 'line_1', quantity: 1, amount: money, goods: money, replacement: null }],
    amount: money,
    borne_by: 'store',
    reason_code: 'out_of_stock',
    note: null,
    refund_id: 'rfd_1',
    answer_by: null,
    answer: null,
  }
  const drawn = (adjustment: BusinessOrderOutput['adjustments'][number]) =>
    renderBoard(boardOf(makeStoreOrder('7K2M', { adjustments: [adjustment] })), screen(120, 40)).join('\n')
  expect(drawn(part)).toMatch(/CHANGED! [^]*Taken off: 1 × .* \(out of stock\)/)
  const asked = { ...part, kind: 'replaced' as const, refund_id: null, answer_by: '2026-11-20T09:10:00.000Z' }
  expect(drawn(asked)).toMatch(/ASKED! [^]*Question to the customer: replace 1 × .*\?/)
})
