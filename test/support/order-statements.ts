/** Returns the statements of orders, in an order in which each has rows to use. */
import * as days from '../../src/areas/business/queries.ts'
import { addLineRates } from '../../src/areas/orders/queries/line-rates.ts'
import * as orders from '../../src/areas/orders/queries/orders.ts'
import * as slots from '../../src/areas/orders/queries/slots.ts'
import * as entries from '../../src/areas/orders/queries/store-entries.ts'
import type { StoreEntry } from '../../src/areas/orders/rules/store-entries.ts'
import * as sales from '../../src/areas/payments/queries/sales.ts'
import type { Tx } from '../../src/core/db.ts'

type Statements = readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[]

function makeOrder(now: number, index: number): orders.OrderRecord {
  return {
    order_id: `ord_${index}`,
    seq: 100 + index,
    ordinal: index,
    account_id: 'acc_1',
    merchant_id: 'mer_1',
    quote_id: `quo_${index}`,
    status: index === 1 ? 'placed' : 'ready',
    fulfillment_type: index === 1 ? 'pickup' : 'dine_in',
    display_day: '2026-09-21',
    display_number: `A00${index}`,
    delivery_id: null,
    created_at: now + index,
    updated_at: now + index,
    // Documents are text for the store; it reads the check of this one.
    doc: {
      lines: [{ item_id: 'itm_1' }],
      taxes: [],
      discounts: [{}],
      customer: { orders_count: index },
      check: index === 1 ? null : { check_id: `chk_${index}` },
    } as unknown as orders.OrderDoc,
  }
}

/** Returns an entry of the first order. */
function makeEntry(at: number, kind: StoreEntry['kind']): StoreEntry {
  return {
    merchant_id: 'mer_1',
    order_id: 'ord_1',
    at,
    kind,
    refund_id: kind === 'refund' ? 'rfd_1' : null,
    method: 'card',
    collected_by: 'platform',
    reason: null,
    borne_by: null,
    is_posted: true,
    amount: 1000,
    share: 900,
    collected: 0,
    goods_back: 0,
    fees: 100,
    tips: 0,
    platform_discount: 0,
    store_discount: 0,
    parts: kind === 'capture' ? [{ kind: 'goods', key: 'itm_1', net: 900, vat: 0 }] : [],
  }
}

const customerFilters = (now: number): orders.CustomerOrderFilters[] => [
  {},
  { statuses: ['placed'] },
  { merchant_id: 'mer_1', statuses: ['placed', 'ready', 'failed'] },
  { merchant_id: 'mer_1', statuses: ['ready', 'placed'], created_from: now },
  { created_from: now + 1, created_to: now + 3 },
]

const storeFilters = (now: number): orders.StoreOrderFilters[] => [
  {},
  { statuses: ['placed'] },
  {
    statuses: ['ready', 'placed', 'failed'],
    kinds: { payment_statuses: ['paid', 'unpaid'], fulfillment_types: ['pickup', 'delivery'] },
  },
  { statuses: ['ready'], kinds: { payment_statuses: ['unpaid'], fulfillment_types: ['dine_in'] } },
  { created_from: now + 1, created_to: now + 3 },
]

export function orderStatements(now: number): Statements {
  const claim = { merchantId: 'mer_1', startsAt: now, unit: 'kitchen:1', orderId: 'ord_1' }
  return [
    ['insertClaim', (tx) => slots.insertClaim(tx, claim)],
    ['insertClaim', (tx) => slots.insertClaim(tx, { ...claim, orderId: 'ord_2' })],
    ['insertClaim', (tx) => slots.insertClaim(tx, { ...claim, unit: 'table:2', orderId: 'ord_2' })],
    ['listClaims', (tx) => slots.listClaims(tx, 'mer_1', now)],
    ['deleteClaims', (tx) => slots.deleteClaims(tx, 'ord_1')],

    ...[1, 3].map(
      (index) =>
        ['insertOrder', (tx: Tx) => orders.insertOrder(tx, makeOrder(now, index), 'unpaid')] as const,
    ),
    ['findOrder', (tx) => orders.findOrder(tx, 'ord_1')],
    ['findOrder', (tx) => orders.findOrder(tx, 'ord_9')],
    ['findOrders', (tx) => orders.findOrders(tx, ['ord_1', 'ord_9'])],
    ['addLineRates', (tx) => addLineRates(tx)],
    ['listOrdersAfter', (tx) => orders.listOrdersAfter(tx, 100, 1)],
    ['listUnpaid', (tx) => sales.listUnpaid(tx, 'mer_1', now + 1)],
    ['sumDue', (tx) => sales.sumDue(tx, 'mer_1', { from: 0, to: now + 1 })],
    ['sumPayouts', (tx) => sales.sumPayouts(tx, 'mer_1', { from: now, to: now + 1 })],
    ['findFirstLedgerEntry', (tx) => sales.findFirstLedgerEntry(tx, 'mer_1')],
    ['removeOlderEntries', (tx) => entries.removeOlderEntries(tx)],
    [
      'insertStoreEntries',
      (tx) =>
        entries.insertStoreEntries(tx, now, [
          makeEntry(now, 'capture'),
          { ...makeEntry(now, 'refund'), closed_day: 1 },
        ]),
    ],
    ...[false, true].map(
      (isUnclosed) =>
        [
          'sumStoreEntries',
          (tx: Tx) => entries.sumStoreEntries(tx, { merchant_id: 'mer_1', from: 0, to: now + 1, isUnclosed }),
        ] as const,
    ),
    ...[{ isUnclosed: true }, { countedBy: 1 }, { notCountedBy: 1 }].map(
      (which) =>
        [
          'listStoreEntries',
          (tx: Tx) => entries.listStoreEntries(tx, { merchant_id: 'mer_1', from: 0, to: now + 1, ...which }),
        ] as const,
    ),
    ...[undefined, { at: now, seq: 1, part: 1 }].map(
      (after) =>
        [
          'listDueChanges',
          (tx: Tx) =>
            entries.listDueChanges(tx, { merchant_id: 'mer_1', from: 0, to: now + 1 }, { after, limit: 2 }),
        ] as const,
    ),
    ['findFirstStoreEntry', (tx) => entries.findFirstStoreEntry(tx, 'mer_1')],
    [
      'closeStoreEntries',
      (tx) => entries.closeStoreEntries(tx, 'mer_1', { number: 1, from: 0, to: now + 1 }),
    ],
    ['insertDay', (tx) => days.insertDay(tx, { merchant_id: 'mer_1', number: 1, paid_out: 0, doc: {} })],
    ['listDays', (tx) => days.listDays(tx, 'mer_1', { before: 2, limit: 1 })],
    ['findOrderByCheck', (tx) => orders.findOrderByCheck(tx, 'chk_3')],
    ['listOrdersIn', (tx) => orders.listOrdersIn(tx, ['placed', 'preparing'])],
    ['listOrdersByDisplayNumber', (tx) => orders.listOrdersByDisplayNumber(tx, 'A003')],
    ['lockOrder', (tx) => orders.lockOrder(tx, 'ord_3')],
    ['lockOrders', (tx) => orders.lockOrders(tx, ['ord_9', 'ord_3', 'ord_1'], { skipLocked: false })],
    ['lockOrders', (tx) => orders.lockOrders(tx, ['ord_3'], { skipLocked: true })],
    [
      'updateOrder',
      (tx) =>
        orders.updateOrder(tx, {
          ...makeOrder(now, 1),
          status: 'cancelled',
          doc: { customer: { orders_count: 1 }, check: { check_id: 'chk_1' } } as orders.OrderDoc,
        }),
    ],
    ['findOrderByCheck', (tx) => orders.findOrderByCheck(tx, 'chk_1')],
    ['countOrdersOf', (tx) => orders.countOrdersOf(tx, 'acc_1', 'mer_1')],
    ['countOrdersByStatus', orders.countOrdersByStatus],
    [
      'listLostOrders',
      (tx) => orders.listLostOrders(tx, 'mer_1', { from: now, to: now + 4, changedFrom: now + 1 }),
    ],
    ['isDisplayNumberTaken', (tx) => orders.isDisplayNumberTaken(tx, 'mer_1', '2026-09-21', 'A003')],
    ['isDisplayNumberTaken', (tx) => orders.isDisplayNumberTaken(tx, 'mer_1', '2026-09-22', 'A003')],
    ...[undefined, { created_at: now + 3, seq: 103 }].flatMap((after) => [
      ...customerFilters(now).map(
        (filters) =>
          [
            'listCustomerOrders',
            (tx: Tx) => orders.listCustomerOrders(tx, 'acc_1', filters, { after, limit: 2 }),
          ] as const,
      ),
      ...storeFilters(now).map(
        (filters) =>
          [
            'listStoreOrders',
            (tx: Tx) => orders.listStoreOrders(tx, 'mer_1', filters, { after, limit: 2 }),
          ] as const,
      ),
      [
        'listProblemOrders',
        (tx: Tx) =>
          orders.listProblemOrders(tx, { agreement_id: 'agr_1', merchant_id: 'mer_1' }, { after, limit: 2 }),
      ] as const,
    ]),
  ]
}
