/** The surfaces of an order: those of its customer, and those of its store. */
import { readBoardScreen, readDrawnRows } from './board-screen.ts'
import { type Facts, toMinorUnits, toMinute, stripColours } from './facts.ts'
import { readOrderDocument } from './order-facts.ts'
import { readBoardLine, readCustomerScreen, readStoreScreen } from './order-screens.ts'
import { listOwnerSurfaces } from './owner-surfaces.ts'
import {
  findCsvRow,
  findTableRow,
  readDocumentFacts,
  readCsvRowFacts,
  readListedFacts,
  readPipedFacts,
  readPipedRowFacts,
  runAtTerminal,
  runPiped,
  runWithKeyboard,
} from './reading.ts'
import type { Subject, Surface } from './surface.ts'
import { readPrintedTicket } from './ticket-paper.ts'

const STATE_WORDS: Readonly<Record<string, string>> = {
  'Waiting for the store': 'placed',
  'Accepted by the store': 'accepted',
  'Being prepared': 'preparing',
  Ready: 'ready',
  'Ready for you': 'ready',
  'On its way': 'out_for_delivery',
  Delivered: 'completed',
  Collected: 'completed',
  Served: 'completed',
  'Not accepted by the store': 'rejected',
  Cancelled: 'cancelled',
  'Could not be delivered': 'failed',
}

const OF_CUSTOMER = listOwnerSurfaces({
  of: 'order',
  group: 'food',
  path: '/v1/food/orders',
  list: '/v1/food/orders',
  tools: { show: 'get_food_order', list: 'list_food_orders' },
  price: 'total',
  steps: 'states',
  titleSum: 'charged',
  events: { kind: 'food_order', news: /^(?:adjusted|substitution_|problem_)/ },
  words: STATE_WORDS,
  hasReceipt: true,
  readDocument: readOrderDocument,
  readScreen: readCustomerScreen,
  readRow: readOrderRow,
})

type OfStore = (...words: readonly string[]) => string[]

/** Declares a surface of the store's. `dray` makes a command line of its keeper. */
function ofStore(
  name: string,
  read: (world: World, subject: Subject, dray: OfStore) => ReturnType<Read>,
): Surface {
  return {
    of: 'order',
    name,
    isSlow: false,
    read: (world, subject) => {
      const { store, keeper } = subject
      return read(world, subject, (...words) => ['business', ...words, '--merchant', store, '--as', keeper])
    },
  }
}

type Read = Surface['read']
type World = Parameters<Read>[0]

const OF_STORE: readonly Surface[] = [
  ofStore('GET /v1/business/orders', async ({ get }, { id, keeper }) =>
    readDocumentFacts(await get(`/v1/business/orders/${id}`, keeper), readOrderDocument),
  ),
  ofStore('GET /v1/business/orders?', async ({ get }, subject) =>
    readListedFacts(await get('/v1/business/orders?limit=100', subject.keeper), subject, readOrderDocument),
  ),
  ofStore('business orders show --json', async (world, { id }, dray) =>
    readDocumentFacts(await runPiped(world, dray('orders', 'show', id, '--json')), readOrderDocument),
  ),
  ofStore('business orders show in a pipe', async (world, { id }, dray) =>
    readPipedFacts(await runPiped(world, dray('orders', 'show', id)), readOrderDocument),
  ),
  ofStore('business orders show', async (world, { id }, dray) =>
    readStoreScreen(stripColours(await runAtTerminal(world, dray('orders', 'show', id)))),
  ),
  ofStore('business orders list in a pipe', async (world, subject, dray) =>
    readPipedRowFacts(await runPiped(world, dray('orders', 'list', '--all')), subject, readOrderDocument),
  ),
  ofStore('business orders list', async (world, subject, dray) => {
    const cell = findTableRow(await runAtTerminal(world, dray('orders', 'list', '--limit', '100')), subject)
    return cell && readOrderRow(cell)
  }),
  ofStore('business orders list as CSV', async (world, subject, dray) =>
    readCsvRowFacts(
      await runPiped(world, dray('orders', 'list', '--all', '--output', 'csv')),
      subject,
      readOrderDocument,
    ),
  ),
  ofStore('the board in a pipe', async (world, { id }, dray) => {
    const text = await runPiped(world, dray('orders', 'watch', '--timeout', '1s'))
    const line = text.split('\n').findLast((each) => each.split('\t')[2] === id)
    return line === undefined ? undefined : readBoardLine(line)
  }),
  ofStore('the board', async (world, { number }, dray) => {
    const drawn = await runWithKeyboard(world, dray('orders', 'watch', '--timeout', '1s'))
    return readBoardScreen(readDrawnRows(drawn), number)
  }),
  ofStore('the report of orders as CSV', async (world, { id }, dray) => {
    const days = ['--from', '2026-11-20', '--to', '2026-11-27']
    return readReportRow(findCsvRow(await runPiped(world, dray('report', ...days, '--orders', '--csv')), id))
  }),
  ofStore('the tool get_business_order', async ({ tool }, { id, keeper }) =>
    readDocumentFacts(await tool('get_business_order', { order_id: id }, keeper), readOrderDocument),
  ),
  ofStore('the tool get_business_order, all fields', async ({ tool }, { id, keeper }) =>
    readDocumentFacts(
      await tool('get_business_order', { order_id: id, fields: 'all' }, keeper),
      readOrderDocument,
    ),
  ),
  ofStore('the webhook business_order', async ({ findMessage }, { id, keeper }) => {
    const document = findMessage(keeper, 'business_order', id)
    return document && readOrderDocument(document)
  }),
  ofStore('the tool list_business_orders', async ({ tool }, subject) =>
    readListedFacts(
      await tool('list_business_orders', { limit: 100 }, subject.keeper),
      subject,
      readOrderDocument,
    ),
  ),
]

/** The tickets of the kitchen on paper. */
const ON_PAPER = (['kitchen', 'bag'] as const).map((slip): Surface => ({
  of: 'order',
  name: `the printed ticket for the ${slip}`,
  isSlow: false,
  read: (world, subject) => readPrintedTicket(world, subject, slip),
}))

export const ORDER_SURFACES: readonly Surface[] = [...OF_CUSTOMER, ...OF_STORE, ...ON_PAPER]

/** A list at a terminal, of the customer or the store. */
function readOrderRow(cell: (heading: string) => string | undefined): Facts {
  return {
    state: { own: cell('Status'), payment: cell('Payment'), way: cell('Fulfilment') },
    sums: { total: toMinorUnits(cell('Total')), charged: toMinorUnits(cell('Charged')) },
    times: { placed: toMinute(cell('Placed')), ready: toMinute(cell('Ready time')) },
    who: { customer: cell('Customer'), store: cell('From') },
    where: { table: cell('Table') },
  }
}

/** A row for a bookkeeper. */
function readReportRow(row: Readonly<Record<string, string>> | undefined): Facts | undefined {
  if (row === undefined) return undefined
  return {
    state: {
      own: row['status'],
      payment: row['payment_status'],
      method: row['payment_method'],
      way: row['fulfillment_type'],
    },
    sums: { total: toMinorUnits(row['total']) },
    times: { placed: toMinute(`${row['placed_at']?.replace(' ', 'T')}:00Z`) },
    who: { store: row['store'] },
  }
}
