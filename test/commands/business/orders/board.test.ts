import { describe, expect, test } from 'vitest'
import {
  type OrderBoard,
  goneOrders,
  makeOrderBoard,
  newOrders,
  offered,
  pressBoardKey,
  refreshBoard,
  selectedOrder,
  advanceBoard,
  withLost,
  withNotice,
  withOrder,
  withoutTask,
} from '../../../../src/commands/business/orders/board.ts'
import type { BusinessOrderOutput } from '../../../../src/commands/business/orders/order.ts'
import { makeStoreOrder } from '../../../support/orders.ts'

const NOW = Date.parse('2026-11-20T09:10:00Z')

const listOf = (...orders: BusinessOrderOutput[]) => ({ orders, now: NOW, frozen: false })

const boardOf = (...orders: BusinessOrderOutput[]): OrderBoard => makeOrderBoard(listOf(...orders))

const typed = (board: OrderBoard, keys: readonly string[]): OrderBoard => keys.reduce(pressBoardKey, board)

const later = (minute: string) => `2026-11-20T09:${minute}:00.000Z`

describe('the order of a board', () => {
  test('goes by stage, and in a stage the longest waiting come first', () => {
    const board = boardOf(
      makeStoreOrder('R1', { status: 'ready' }),
      makeStoreOrder('P2', { placed_at: later('05') }),
      makeStoreOrder('P1', { placed_at: later('01') }),
      makeStoreOrder('A1', { status: 'accepted' }),
    )
    expect(board.orders.map(({ display_number }) => display_number)).toEqual(['P1', 'P2', 'A1', 'R1'])
    expect(selectedOrder(board)?.display_number).toBe('P1')
  })

  test('is kept when an order moves on: the selection goes with it', () => {
    const board = withOrder(
      boardOf(makeStoreOrder('P1'), makeStoreOrder('P2')),
      makeStoreOrder('P1', { status: 'accepted' }),
    )
    expect(board.orders.map(({ display_number }) => display_number)).toEqual(['P2', 'P1'])
    expect(selectedOrder(board)?.display_number).toBe('P1')
  })

  test('closes over an order that is done, and selects the one that took its place', () => {
    const board = boardOf(makeStoreOrder('P1'), makeStoreOrder('P2'), makeStoreOrder('P3'))
    const selected = typed(board, ['down'])
    expect(
      selectedOrder(withOrder(selected, makeStoreOrder('P2', { status: 'rejected' })))?.display_number,
    ).toBe('P3')
    const last = typed(board, ['end'])
    expect(selectedOrder(refreshBoard(last, listOf(makeStoreOrder('P1'))))?.display_number).toBe('P1')
    expect(selectedOrder(refreshBoard(last, listOf()))).toBeUndefined()
  })

  test('reports which orders came and which went', () => {
    const board = boardOf(makeStoreOrder('P1'), makeStoreOrder('P2'))
    const next = listOf(makeStoreOrder('P2'), makeStoreOrder('P3'))
    expect(newOrders(board, next).map(({ display_number }) => display_number)).toEqual(['P3'])
    expect(goneOrders(board, next).map(({ display_number }) => display_number)).toEqual(['P1'])
  })
})

test('new orders are sorted by when their time ends, whenever they were placed', () => {
  const board = boardOf(
    makeStoreOrder('P1', { placed_at: later('01'), accept_by: later('13') }),
    makeStoreOrder('P2', { placed_at: later('02'), accept_by: later('12') }),
    makeStoreOrder('P3', { placed_at: later('00'), accept_by: null }),
  )
  expect(board.orders.map(({ display_number }) => display_number)).toEqual(['P2', 'P1', 'P3'])
})

describe('28 new orders are accepted with 28 keys', () => {
  const many = Array.from({ length: 28 }, (_, at) =>
    makeStoreOrder(`N${10 + at}`, { placed_at: new Date(NOW - at * 10_000).toISOString() }),
  )
  const orders = [...many, makeStoreOrder('A1', { status: 'accepted' })]
  const accepted = (board: OrderBoard): OrderBoard => {
    const [task] = board.tasks
    const order = many.find(({ order_id }) => order_id === task?.orderId)
    if (order === undefined) return board
    return withoutTask(withOrder(board, { ...order, status: 'accepted', accept_by: null }))
  }

  test('however fast they are pressed, the one that ends first first', () => {
    const board = typed(
      boardOf(...orders),
      Array.from({ length: 28 }, () => 'a'),
    )
    expect(board.tasks.map(({ number }) => number)).toEqual(
      many.map(({ display_number }) => display_number).toReversed(),
    )
  })

  test.each([['home'], ['down', 'down', 'down'], Array.from({ length: 27 }, () => 'down')])(
    'each after the answer to the last, from wherever the cursor stands',
    (...keys) => {
      let board = typed(boardOf(...orders), keys)
      for (const _ of many) board = accepted(pressBoardKey(board, 'a'))
      expect(board.orders.map(({ status }) => status)).toEqual(orders.map(() => 'accepted'))
      expect(board.notices).toEqual([])
    },
  )

  test('one that is rejected stays, and the cursor goes on', () => {
    const board = withoutTask(pressBoardKey(boardOf(...orders), 'a'))
    expect(selectedOrder(board)?.display_number).toBe('N36')
    expect(board.orders.map(({ display_number }) => display_number)).toContain('N37')
  })

  test('one that the customer takes back leaves the cursor among the new ones', () => {
    const board = typed(boardOf(...orders), ['end', 'up'])
    expect(selectedOrder(board)?.display_number).toBe('N10')
    const after = refreshBoard(
      board,
      listOf(...orders.filter(({ display_number }) => display_number !== 'N10')),
    )
    expect(selectedOrder(after)?.display_number).toBe('N11')
  })
})

describe('Enter opens the selected order', () => {
  const board = boardOf(makeStoreOrder('P1'), makeStoreOrder('P2'))

  test('keys act on it, a second time on no other one, and Escape or Enter goes back', () => {
    const opened = typed(board, ['enter', 'a', 'a'])
    expect(opened.sheet).toMatchObject({ of: 'order', orderId: 'ord_p1' })
    expect(opened.tasks.map(({ number }) => number)).toEqual(['P1'])
    for (const key of ['escape', 'enter', 'q']) expect(pressBoardKey(opened, key).sheet).toBeUndefined()
    expect(selectedOrder(pressBoardKey(opened, 'escape'))?.display_number).toBe('P2')
  })

  test('it closes when the order is gone', () => {
    expect(refreshBoard(pressBoardKey(board, 'enter'), listOf(makeStoreOrder('P2'))).sheet).toBeUndefined()
    expect(pressBoardKey(boardOf(), 'enter').sheet).toBeUndefined()
  })
})

describe('lost orders', () => {
  const reject = (number: string, reason_code: 'too_busy' | 'not_accepted_in_time') =>
    makeStoreOrder(number, { status: 'rejected', rejection: { reason_code, note: null } })
  const gone = [
    reject('L1', 'not_accepted_in_time'),
    makeStoreOrder('L2', { status: 'cancelled', updated_at: later('09') }),
    makeStoreOrder('L3', { status: 'failed', updated_at: later('08') }),
    reject('X1', 'too_busy'),
    makeStoreOrder('C1', { status: 'completed' }),
  ]
  const numbers = ({ lost }: OrderBoard) => lost.map(({ display_number }) => display_number)

  test('are those that no store gave up itself, and stay until a user acknowledges them', () => {
    const board = withLost(boardOf(makeStoreOrder('P1')), gone)
    expect(numbers(board)).toEqual(['L2', 'L3', 'L1'])
    expect(numbers(refreshBoard(withLost(board, gone), listOf()))).toEqual(['L2', 'L3', 'L1'])
    expect(numbers(typed(board, ['l', 'escape']))).toEqual(['L2', 'L3', 'L1'])
    const seen = typed(board, ['l', 'down', 'enter'])
    expect(seen).toMatchObject({ lost: [], sheet: undefined })
    expect(numbers(withLost(seen, [...gone, reject('L4', 'not_accepted_in_time')]))).toEqual(['L4'])
  })

  test('have no key where there are none', () => {
    expect(pressBoardKey(boardOf(makeStoreOrder('P1')), 'l').sheet).toBeUndefined()
  })
})

test('a message goes after a minute, on a frozen service clock, too', () => {
  const said = withNotice(boardOf(), { kind: 'refused', text: 'No.' })
  const at = (board: OrderBoard, elapsed: number) => advanceBoard(board, { now: NOW, elapsed })
  const before = at(at(said, 5000), 64_999)
  expect(before.notices).toHaveLength(1)
  expect(at(before, 65_000).notices).toEqual([])
})

describe('keys', () => {
  test('move the selection, and no further than the ends', () => {
    const board = boardOf(makeStoreOrder('P1'), makeStoreOrder('P2'))
    for (const [keys, number] of [
      [['down'], 'P2'],
      [['down', 'down', 'j'], 'P2'],
      [['down', 'up', 'up', 'k'], 'P1'],
      [['end'], 'P2'],
      [['end', 'home'], 'P1'],
    ] as const)
      expect(selectedOrder(typed(board, keys))?.display_number).toBe(number)
  })

  test('ask for what can be done to the selected order, once', () => {
    const board = typed(boardOf(makeStoreOrder('P1'), makeStoreOrder('P2')), ['down', 'a', 'a'])
    expect(board.tasks).toEqual([{ orderId: 'ord_p2', number: 'P2', verb: 'accept', body: {} }])
    expect(withoutTask(board).tasks).toEqual([])
  })

  test('say why something cannot be done, and send nothing', () => {
    const board = typed(boardOf(makeStoreOrder('P1', { status: 'ready' })), ['a'])
    expect(board.tasks).toEqual([])
    expect(board.notices).toEqual([{ kind: 'refused', text: 'P1 cannot be accepted: it is ready.' }])
    const delivery = typed(boardOf(makeStoreOrder('D1', { status: 'ready', fulfillment_type: 'delivery' })), [
      'c',
    ])
    expect(delivery.notices[0]?.text).toBe('D1 cannot be completed: its courier completes it.')
  })

  test('do nothing on an empty board, nor when they mean nothing', () => {
    expect(typed(boardOf(), ['a', 'x', 'up', 'down', 'z'])).toEqual(boardOf())
    expect(typed(boardOf(makeStoreOrder('P1')), ['z', 'constructor', 'l'])).toEqual(
      boardOf(makeStoreOrder('P1')),
    )
  })

  test('offer what the service allows', () => {
    const unpaid = makeStoreOrder('P1', { allowed_actions: ['reject'] })
    expect(offered(boardOf(unpaid))).toEqual([['x', 'reject']])
    expect(offered(boardOf())).toEqual([])
  })
})

describe('a rejection', () => {
  test('is sent with its reason after Enter, not before', () => {
    const asked = typed(boardOf(makeStoreOrder('P1')), ['x', 'enter', '3'])
    expect(asked.tasks).toEqual([])
    expect(pressBoardKey(asked, 'enter')).toMatchObject({
      question: undefined,
      tasks: [{ orderId: 'ord_p1', verb: 'reject', body: { reason_code: 'too_busy' } }],
    })
  })

  test('keeps the order on Escape, and no key meant for the list gets through', () => {
    const board = boardOf(makeStoreOrder('P1'), makeStoreOrder('P2'))
    expect(typed(board, ['x', '3', 'escape'])).toEqual(board)
    expect(typed(board, ['x', 'a', 'down', 'p', 'escape'])).toEqual(board)
  })

  test('is given up when the order is gone or has gone on in the meantime', () => {
    const asked = typed(boardOf(makeStoreOrder('P1'), makeStoreOrder('P2')), ['x', '1'])
    expect(refreshBoard(asked, listOf(makeStoreOrder('P2'))).question).toBeUndefined()
    expect(
      refreshBoard(asked, listOf(makeStoreOrder('P1', { status: 'out_for_delivery' }))).question,
    ).toBeUndefined()
    expect(refreshBoard(asked, listOf(makeStoreOrder('P1', { status: 'preparing' }))).question).toBeDefined()
  })
})

test('where orders are only looked at, no key acts, and the board says why', () => {
  const board = makeOrderBoard(listOf(makeStoreOrder('P1')), 'Only looked at.')
  const pressed = typed(board, ['a', 'x', 'enter'])
  expect(pressed).toMatchObject({ tasks: [], question: undefined })
  expect(pressed.notices[0]?.text).toBe('Only looked at.')
  expect(offered(board)).toEqual([])
})

test('an error goes with the next thing that is tried', () => {
  const refused = withNotice(boardOf(makeStoreOrder('P1')), { kind: 'refused', text: 'no' })
  expect(pressBoardKey(refused, 'down').notices).toHaveLength(1)
  expect(pressBoardKey(refused, 'a').notices).toEqual([])
})

test('the last three notices stay', () => {
  const texts = ['one', 'two', 'three', 'four']
  const board = texts.reduce((next, text) => withNotice(next, { kind: 'news', text }), boardOf())
  expect(board.notices.map(({ text }) => text)).toEqual(['two', 'three', 'four'])
})
