import { describe, expect, test } from 'vitest'
import {
  type Board,
  goneOrders,
  makeBoard,
  newOrders,
  offered,
  press,
  refresh,
  selectedOrder,
  withNotice,
  withOrder,
  withoutTask,
} from '../../../../src/commands/business/orders/board.ts'
import type { Order } from '../../../../src/commands/business/orders/order.ts'
import { makeOrder } from '../../../support/orders.ts'

const NOW = Date.parse('2026-11-20T09:10:00Z')

const listOf = (...orders: Order[]) => ({ orders, now: NOW, frozen: false })

const boardOf = (...orders: Order[]): Board => makeBoard(listOf(...orders))

const typed = (board: Board, keys: readonly string[]): Board => keys.reduce(press, board)

const later = (minute: string) => `2026-11-20T09:${minute}:00.000Z`

describe('the order of a board', () => {
  test('goes by stage, and in a stage the longest waiting come first', () => {
    const board = boardOf(
      makeOrder('R1', { status: 'ready' }),
      makeOrder('P2', { placed_at: later('05') }),
      makeOrder('P1', { placed_at: later('01') }),
      makeOrder('A1', { status: 'accepted' }),
    )
    expect(board.orders.map(({ display_number }) => display_number)).toEqual(['P1', 'P2', 'A1', 'R1'])
    expect(selectedOrder(board)?.display_number).toBe('P1')
  })

  test('is kept when an order moves on: the selection goes with it', () => {
    const board = withOrder(
      boardOf(makeOrder('P1'), makeOrder('P2')),
      makeOrder('P1', { status: 'accepted' }),
    )
    expect(board.orders.map(({ display_number }) => display_number)).toEqual(['P2', 'P1'])
    expect(selectedOrder(board)?.display_number).toBe('P1')
  })

  test('closes over an order that is done, and selects the one that took its place', () => {
    const board = boardOf(makeOrder('P1'), makeOrder('P2'), makeOrder('P3'))
    const selected = typed(board, ['down'])
    expect(selectedOrder(withOrder(selected, makeOrder('P2', { status: 'rejected' })))?.display_number).toBe(
      'P3',
    )
    const last = typed(board, ['end'])
    expect(selectedOrder(refresh(last, listOf(makeOrder('P1'))))?.display_number).toBe('P1')
    expect(selectedOrder(refresh(last, listOf()))).toBeUndefined()
  })

  test('tells which orders came and which went', () => {
    const board = boardOf(makeOrder('P1'), makeOrder('P2'))
    const next = listOf(makeOrder('P2'), makeOrder('P3'))
    expect(newOrders(board, next).map(({ display_number }) => display_number)).toEqual(['P3'])
    expect(goneOrders(board, next).map(({ display_number }) => display_number)).toEqual(['P1'])
  })
})

describe('keys', () => {
  test('move the selection, and no further than the ends', () => {
    const board = boardOf(makeOrder('P1'), makeOrder('P2'))
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
    const board = typed(boardOf(makeOrder('P1'), makeOrder('P2')), ['down', 'a', 'a'])
    expect(board.tasks).toEqual([{ orderId: 'ord_p2', number: 'P2', verb: 'accept', body: {} }])
    expect(withoutTask(board).tasks).toEqual([])
  })

  test('say why something cannot be done, and send nothing', () => {
    const board = typed(boardOf(makeOrder('P1', { status: 'ready' })), ['a'])
    expect(board.tasks).toEqual([])
    expect(board.notices).toEqual([{ kind: 'refused', text: 'P1 cannot be accepted: it is ready.' }])
    const delivery = typed(boardOf(makeOrder('D1', { status: 'ready', fulfillment_type: 'delivery' })), ['c'])
    expect(delivery.notices[0]?.text).toBe('D1 cannot be completed: its courier completes it.')
  })

  test('do nothing on an empty board, nor when they mean nothing', () => {
    expect(typed(boardOf(), ['a', 'x', 'up', 'down', 'z'])).toEqual(boardOf())
    expect(typed(boardOf(makeOrder('P1')), ['z', 'constructor', 'enter'])).toEqual(boardOf(makeOrder('P1')))
  })

  test('offer what the service allows', () => {
    const unpaid = makeOrder('P1', { allowed_actions: ['reject'] })
    expect(offered(boardOf(unpaid))).toEqual([['x', 'reject']])
    expect(offered(boardOf())).toEqual([])
  })
})

describe('a rejection', () => {
  test('is sent with its reason after Enter, not before', () => {
    const asked = typed(boardOf(makeOrder('P1')), ['x', 'enter', '3'])
    expect(asked.tasks).toEqual([])
    expect(press(asked, 'enter')).toMatchObject({
      question: undefined,
      tasks: [{ orderId: 'ord_p1', verb: 'reject', body: { reason_code: 'too_busy' } }],
    })
  })

  test('keeps the order on Escape, and no key meant for the list gets through', () => {
    const board = boardOf(makeOrder('P1'), makeOrder('P2'))
    expect(typed(board, ['x', '3', 'escape'])).toEqual(board)
    expect(typed(board, ['x', 'a', 'down', 'p', 'escape'])).toEqual(board)
  })

  test('is given up when the order is gone or has gone on meanwhile', () => {
    const asked = typed(boardOf(makeOrder('P1'), makeOrder('P2')), ['x', '1'])
    expect(refresh(asked, listOf(makeOrder('P2'))).question).toBeUndefined()
    expect(refresh(asked, listOf(makeOrder('P1', { status: 'out_for_delivery' }))).question).toBeUndefined()
    expect(refresh(asked, listOf(makeOrder('P1', { status: 'preparing' }))).question).toBeDefined()
  })
})

test('where orders are only looked at, no key acts, and the board says why', () => {
  const board = makeBoard(listOf(makeOrder('P1')), 'Only looked at.')
  const pressed = typed(board, ['a', 'x', 'enter'])
  expect(pressed).toMatchObject({ tasks: [], question: undefined })
  expect(pressed.notices[0]?.text).toBe('Only looked at.')
  expect(offered(board)).toEqual([])
})

test('a refusal goes with the next thing that is tried', () => {
  const refused = withNotice(boardOf(makeOrder('P1')), { kind: 'refused', text: 'no' })
  expect(press(refused, 'down').notices).toHaveLength(1)
  expect(press(refused, 'a').notices).toEqual([])
})

test('the last three notices stay', () => {
  const texts = ['one', 'two', 'three', 'four']
  const board = texts.reduce((next, text) => withNotice(next, { kind: 'news', text }), boardOf())
  expect(board.notices.map(({ text }) => text)).toEqual(['two', 'three', 'four'])
})
