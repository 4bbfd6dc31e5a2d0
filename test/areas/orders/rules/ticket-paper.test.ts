/** The words of a ticket, and which paper an order needs next. */
import { expect, test } from 'vitest'
import {
  nextPaper,
  paperLines,
  type PaperOrder,
  ticketUnits,
} from '../../../../src/areas/orders/rules/ticket-paper.ts'
import { ticketLines, type TicketWords } from '../../../../src/areas/orders/rules/ticket.ts'
import { makeStoreOrder } from '../../../support/orders.ts'

const WORDS: TicketWords = {
  store: 'Lime Street Noodles',
  formatDay: () => 'Fri 20 Nov',
  formatTime: (instant) => instant.slice(11, 16),
}

function makeOrder(over: Record<string, unknown> = {}): PaperOrder {
  const order = makeStoreOrder('7K2M', { status: 'accepted' })
  const prep = {
    ...order.prep,
    accepted_at: '2026-11-20T09:02:00.000Z',
    estimated_ready_at: '2026-11-20T09:20:00.000Z',
  }
  return {
    ...order,
    slot: null,
    table: null,
    rejection: null,
    prep,
    adjustments: [],
    problems: [],
    ...over,
  } as PaperOrder
}

const RULE = { slip: 'kitchen', station: undefined, start: 'accepted' } as const
const texts = (lines: readonly { text: string }[]): string[] => lines.map(({ text }) => text)

test('a station has its lines, and counts those for which an order waits', () => {
  const order = makeOrder({
    kitchen_lines: [
      { line_id: '1', station: 'Hot' },
      { line_id: '2', station: null },
    ],
  })
  const bar = ticketLines(order, 'kitchen', { ...WORDS, station: 'Bar' })
  expect(texts(bar)).toContain('and 1 at Hot, 1 at no station')
  expect(texts(bar)).not.toContain('Pad Thai')
  expect(nextPaper(order, { printed: null, isUnsure: false }, { ...RULE, station: 'Bar' })).toBeUndefined()
  const hot = ticketLines(order, 'kitchen', { ...WORDS, station: 'Hot' })
  expect(texts(hot)).toEqual([
    'Lime Street Noodles, Hot, Fri 20 Nov',
    '7K2M',
    'Pickup, Ana',
    'Pad Thai',
    'Extra prawns',
    '“no coriander”',
    'and 1 at no station',
    'Ordered 09:00, accepted 09:02, ready by 09:20',
  ])
  expect(Object.keys(ticketUnits(order, 'Hot'))).toEqual(['1'])
})

test('a whole ticket has the store, the day, the courier, the payment, and who accepted it', () => {
  const delivery = { courier: { name: 'Sam', vehicle_type: 'bicycle', eta_at: '2026-11-20T09:15:00.000Z' } }
  const order = makeOrder({ delivery, auto_accepted: true, fulfillment_type: 'delivery' })
  expect(texts(ticketLines(order, 'whole', WORDS)).slice(-3)).toEqual([
    'Ordered 09:00, accepted automatically 09:02, ready by 09:20',
    'Courier Sam (bicycle), here 09:15',
    '£27.19 Card, paid',
  ])
})

const PRINTED = ticketUnits(makeOrder(), undefined)

test.each([
  ['placed', null, false, undefined],
  ['accepted', null, false, 'ticket'],
  ['accepted', null, true, 'ticket'],
  ['accepted', PRINTED, false, undefined],
  ['accepted', { ...PRINTED, 9: { name: 'Cola', quantity: 1 } }, false, 'change'],
  // A change that may be on paper, and was taken back.
  ['accepted', PRINTED, true, 'ticket'],
  ['ready', null, false, 'never'],
  ['ready', null, true, 'never'],
  ['ready', PRINTED, false, undefined],
  ['completed', PRINTED, false, 'never'],
  ['cancelled', null, false, 'never'],
  ['cancelled', null, true, 'cancelled'],
  ['rejected', PRINTED, false, 'cancelled'],
  ['failed', PRINTED, false, 'never'],
] as const)(
  'an order that is %s, with %j on paper (unsure: %s), needs %s',
  (status, printed, isUnsure, next) => {
    expect(nextPaper(makeOrder({ status }), { printed, isUnsure }, RULE)).toBe(next)
  },
)

test('a paper that may be the second one has the number of the first, and a late one its time', () => {
  const lines = paperLines(makeOrder(), {
    kind: 'ticket',
    slip: 'kitchen',
    words: WORDS,
    printed: null,
    number: 12,
    copy: 'maybe',
    lateAt: '2026-11-20T09:31:00.000Z',
  })
  expect(texts(lines).slice(0, 3)).toEqual(['COPY?', 'LATE', 'accepted 09:02, printed 09:31'])
  expect(texts(lines).at(-1)).toBe('Ticket 12, copy? The same number may have been printed before.')
})
