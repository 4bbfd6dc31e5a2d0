import { beforeAll, describe, expect, test } from 'vitest'
import type { Tx, Value } from '../../src/store/db.ts'
import {
  countOrdersOf,
  listCustomerOrders,
  listStoreOrders,
  type OrderFilters,
} from '../../src/store/orders.ts'
import { findNext, listDue } from '../../src/store/timeline.ts'
import { findStore } from '../support/food.ts'
import { FORNO, place } from '../support/order-life.ts'
import { ENGINES } from '../support/stores.ts'
import { openWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld

beforeAll(async () => {
  world = await openWorld()
})

/** How SQLite would find the rows of each statement that `work` runs. */
async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return world.db.write(async (tx) => {
    const statements: [string, Value[]][] = []
    const recording: Tx = {
      ...tx,
      all: async (sql, ...params) => (statements.push([sql, params]), tx.all(sql, ...params)),
      get: async (sql, ...params) => (statements.push([sql, params]), tx.get(sql, ...params)),
    }
    await work(recording)
    const plans = statements.map(async ([sql, params]) => {
      const steps = await tx.all(`explain query plan ${sql}`, ...params)
      return steps.map((step) => String(step['detail'])).join('; ')
    })
    return Promise.all(plans)
  })
}

/** Of several walks at most a page each is put together. */
const withoutUnion = (plan: string) => plan.replaceAll(/SCAN walk_\d; USE TEMP B-TREE FOR ORDER BY/g, '')

describe('a page of orders is one walk along an index, however many orders there are', () => {
  test.each<[OrderFilters, RegExp]>([
    [{}, /orders_by_merchant \(merchant_id=\?/],
    [{ created_from: 1, created_to: 9 }, /orders_by_merchant \(merchant_id=\? AND .*created_at/],
    [{ statuses: ['placed'] }, /orders_by_status \(merchant_id=\? AND status=\?/],
    [
      { statuses: ['placed', 'ready'], created_from: 1 },
      /orders_by_status \(merchant_id=\? AND status=\? AND .*created_at/,
    ],
    [{ fulfillment_types: ['pickup'], payment_status: 'paid' }, /orders_by_merchant \(merchant_id=\?/],
  ])('of a store: %j', async (filters, expected) => {
    for (const after of [undefined, { created_at: 5, seq: 5 }]) {
      const plans = await plansOf((tx) => listStoreOrders(tx, 'mer', filters, after, 26))
      expect(plans.map(withoutUnion).filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
      expect(plans.at(-1)).toMatch(expected)
    }
  })

  test.each<[OrderFilters, RegExp]>([
    [{}, /orders_by_customer \(account_id=\?/],
    [{ created_to: 9 }, /orders_by_customer \(account_id=\? AND .*created_at/],
    [{ statuses: ['placed', 'failed'] }, /orders_by_customer_status \(account_id=\? AND status=\?/],
    [{ merchant_id: 'mer' }, /orders_by_both \(account_id=\? AND merchant_id=\?/],
  ])('of a customer: %j', async (filters, expected) => {
    for (const after of [undefined, { created_at: 5, seq: 5 }]) {
      const plans = await plansOf((tx) => listCustomerOrders(tx, 'cus', filters, after, 26))
      expect(plans.map(withoutUnion).filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
      expect(plans.at(-1)).toMatch(expected)
    }
  })

  test('a customer’s orders of a store are counted in an index', async () => {
    expect(await plansOf((tx) => countOrdersOf(tx, 'cus', 'mer'))).toEqual([
      'SEARCH orders USING COVERING INDEX orders_by_both (account_id=? AND merchant_id=?)',
    ])
  })

  test('what comes next for an order or its delivery is found by both', async () => {
    const plans = await plansOf(async (tx) => {
      await findNext(tx, 'ord')
      await listDue(tx, 5, { resource: 'ord' }, 10)
    })
    expect(plans.filter((plan) => /SCAN/.test(plan))).toEqual([])
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
      // As if somebody else's transaction came between two statements of this one.
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
