import { beforeAll, describe, expect, test } from 'vitest'
import { ORDER_STATUSES } from '../../../../src/areas/orders/states.ts'
import {
  countOrdersOf,
  type CustomerOrderFilters,
  listCustomerOrders,
  listStoreOrders,
  type StoreOrderFilters,
} from '../../../../src/areas/orders/store/orders.ts'
import type { Tx } from '../../../../src/core/db.ts'
import type { ListPosition } from '../../../../src/store/lists.ts'
import { findNext, findNextDue, hasDue, listDue } from '../../../../src/store/timeline.ts'
import { findStore } from '../../../support/food.ts'
import { FORNO, place } from '../../../support/order-life.ts'
import { plansOf, withoutPages } from '../../../support/plans.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld

beforeAll(async () => {
  world = await openWorld()
})

const STORE_FILTERS: StoreOrderFilters[] = [
  { created_from: 1 },
  { created_to: 9 },
  { statuses: ['placed'] },
  { statuses: ['placed', 'ready'] },
  { kinds: { payment_statuses: ['paid', 'unpaid'], fulfillment_types: ['dine_in'] } },
  { kinds: { payment_statuses: ['refund_pending'], fulfillment_types: ['dine_in', 'pickup'] } },
]

const CUSTOMER_FILTERS: CustomerOrderFilters[] = [
  { created_from: 1 },
  { created_to: 9 },
  { statuses: ['placed'] },
  { statuses: ['placed', 'failed'] },
  { merchant_id: 'mer' },
]

/** Returns no filter, each filter, and every pair of filters. */
function withPairs<T extends object>(single: readonly T[]): (T | object)[] {
  return [
    {},
    ...single,
    ...single.flatMap((one, at) => single.slice(at + 1).map((two) => ({ ...one, ...two }))),
  ]
}

describe('a page of orders is read along indexes, however many orders there are', () => {
  /** Returns the plans of the first page and of a later one. */
  const plansOfPages = async (list: (tx: Tx, after?: ListPosition) => Promise<unknown>) => {
    const first = await plansOf(world.db, (tx) => list(tx))
    return [...first, ...(await plansOf(world.db, (tx) => list(tx, { created_at: 5, seq: 5 })))]
  }

  test.each(withPairs(STORE_FILTERS))('of a store: %j', async (filters: StoreOrderFilters) => {
    const { statuses = filters.kinds && ORDER_STATUSES, kinds } = filters
    const kind = 'status=\\? AND payment_status=\\? AND fulfillment_type=\\?'
    const index = kinds ? `kind \\(merchant_id=\\? AND ${kind}` : statuses ? 'status' : 'merchant'
    const plans = await plansOfPages((tx, after) =>
      listStoreOrders(tx, 'mer', { ...filters, statuses }, after, 26),
    )
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(withoutPages(plan)).not.toMatch(/SCAN|TEMP B-TREE/)
      expect(plan).toMatch(new RegExp(`orders_by_${index}`))
    }
  })

  test.each(withPairs(CUSTOMER_FILTERS))('of a customer: %j', async (filters: CustomerOrderFilters) => {
    const statuses = filters.statuses ?? (filters.merchant_id === undefined ? undefined : ORDER_STATUSES)
    const ofStore = 'customer_store \\(account_id=\\? AND merchant_id=\\? AND status=\\?'
    const index = filters.merchant_id ? ofStore : filters.statuses ? 'customer_status' : 'customer'
    const plans = await plansOfPages((tx, after) =>
      listCustomerOrders(tx, 'cus', { ...filters, statuses }, after, 26),
    )
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(withoutPages(plan)).not.toMatch(/SCAN|TEMP B-TREE/)
      expect(plan).toMatch(new RegExp(`orders_by_${index}`))
    }
  })

  test('a customer’s orders of a store are counted along an index, however many they are', async () => {
    const [plan = ''] = await plansOf(world.db, (tx) => countOrdersOf(tx, 'cus', 'mer'))
    expect(withoutPages(plan)).not.toMatch(/SCAN|TEMP B-TREE/)
    expect(plan).toMatch(/orders_by_customer_store \(account_id=\? AND merchant_id=\? AND status=\?/)
  })

  test('the next event of an order or its delivery is found by both ids', async () => {
    const plans = await plansOf(world.db, async (tx) => {
      await findNext(tx, 'ord')
      await findNextDue(tx, 'ord')
      await listDue(tx, 5, { resource: 'ord' }, 10)
    })
    expect(plans.filter((plan) => /SCAN/.test(plan))).toEqual([])
  })

  test('due events of shared workers are found without reading parcels', async () => {
    const plans = await plansOf(world.db, async (tx) => {
      await hasDue(tx, 5, { sharing: true })
      await listDue(tx, 5, { sharing: true }, 10)
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans)
      expect(plan).toMatch(/^(SEARCH|SCAN) timeline USING (COVERING )?INDEX timeline_shared/)
  })
})

test.each(ENGINES)('an order that moves on meanwhile is listed once, on $name', async (engine) => {
  const there = await openWorld({ engine })
  const { order_id } = await place(there, { method: 'cash' })
  const { merchant_id } = await findStore(there, FORNO)
  const moveOn = (tx: Tx) => tx.run(`update orders set status = 'accepted' where order_id = $1`, order_id)
  const other = there.db.kind === 'postgres' ? there.db : undefined
  const listed = await there.db.write(async (tx) => {
    const moving: Tx = {
      ...tx,
      // Pretends that another transaction ran between two statements of this one.
      all: async (sql, ...params) => {
        const rows = await tx.all(sql, ...params)
        await (other === undefined ? moveOn(tx) : other.write(moveOn))
        return rows
      },
    }
    return listStoreOrders(moving, merchant_id, { statuses: ['placed', 'accepted'] }, undefined, 10)
  })
  expect(listed.map((order) => order.order_id)).toEqual([order_id])
})
