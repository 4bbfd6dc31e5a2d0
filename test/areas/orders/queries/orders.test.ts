import { beforeAll, describe, expect, test } from 'vitest'
import {
  countOrdersOf,
  type CustomerOrderFilters,
  isDisplayNumberTaken,
  listCustomerOrders,
  listStoreOrders,
  type StoreOrderFilters,
} from '../../../../src/areas/orders/queries/orders.ts'
import { ORDER_STATUSES } from '../../../../src/areas/orders/states.ts'
import type { Tx } from '../../../../src/core/db.ts'
import type { ListPosition } from '../../../../src/core/slice.ts'
import {
  findNextTimelineEvent,
  hasDueEvents,
  listDueEvents,
  findNextDueTime,
} from '../../../../src/db/timeline.ts'
import { findStore } from '../../../support/food.ts'
import { FORNO, placeTestOrder } from '../../../support/order-life.ts'
import { plansOf, withoutPages } from '../../../support/plans.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
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
      listStoreOrders(tx, 'mer', { ...filters, statuses }, { after, limit: 26 }),
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
      listCustomerOrders(tx, 'cus', { ...filters, statuses }, { after, limit: 26 }),
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
    expect(plan).toMatch(/orders_by_customer_store \(\(account_id,merchant_id,status\)<\(/)
  })

  test('the next event of an order or its delivery is found by both ids', async () => {
    const plans = await plansOf(world.db, async (tx) => {
      await findNextTimelineEvent(tx, 'ord')
      await findNextDueTime(tx, { resource: 'ord' })
      await listDueEvents(tx, 5, { resource: 'ord' }, 10)
    })
    expect(plans.filter((plan) => /SCAN/.test(plan))).toEqual([])
  })

  test('due events of shared workers are found without reading parcels', async () => {
    const plans = await plansOf(world.db, async (tx) => {
      await hasDueEvents(tx, 5, { sharing: true })
      await listDueEvents(tx, 5, { sharing: true }, 10)
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans)
      expect(plan).toMatch(/^(SEARCH|SCAN) timeline USING (COVERING )?INDEX timeline_shared/)
  })
})

test('PostgreSQL counts a customer’s orders and finds a number by their indexes, whoever has most of the orders', async () => {
  const [, postgres] = ENGINES
  const large = await openTestSandbox({ engine: postgres })
  const plans = await large.db.write(async (tx) => {
    const references = await tx.all(
      `select conname from pg_constraint where conrelid = 'orders'::regclass and contype = 'f'`,
    )
    for (const { conname } of references)
      await tx.run(`alter table orders drop constraint ${String(conname)}`)
    // A tenth of the orders have one customer and one store; each other one has its own.
    await tx.run(
      `insert into orders (order_id, seq, ordinal, account_id, merchant_id, quote_id, status, fulfillment_type,
         display_day, display_number, created_at, updated_at, doc)
       select 'o' || n, n, n, 'a' || greatest(n, 500), 'm' || greatest(n, 500), 'q' || n, 'completed', 'pickup',
         '2026-09-21', 'N' || n, n, n, '{}' from generate_series(1, 5000) as n`,
    )
    await tx.run('analyze orders')
    const explained: string[] = []
    const get: Tx['get'] = async (sql, ...params) => {
      // As PostgreSQL plans a prepared statement, for any values.
      const plan = await tx.all(`explain (generic_plan) ${sql}`)
      explained.push(plan.map((row) => row['QUERY PLAN']).join('\n'))
      return tx.get(sql, ...params)
    }
    const all: Tx['all'] = async (sql, ...params) => [(await get(sql, ...params)) ?? []].flat()
    const own = { ...tx, get, all }
    expect(await isDisplayNumberTaken(own, 'm500', '2026-09-21', 'N7')).toBe(true)
    expect(await isDisplayNumberTaken(own, 'm500', '2026-09-21', 'N501')).toBe(false)
    expect(await countOrdersOf(own, 'a500', 'm501')).toBe(0)
    return explained
  })
  expect(plans[0]).toContain('using orders_merchant_id_display_day_display_number_key')
  expect(plans[2]).toContain('using orders_by_customer_store')
  expect(plans.join('\n')).not.toMatch(/Sort|Seq Scan/)
})

test.each(ENGINES)('an order that moves on in the meantime is listed once, on $name', async (engine) => {
  const there = await openTestSandbox({ engine })
  const { order_id } = await placeTestOrder(there, { method: 'cash' })
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
    return listStoreOrders(moving, merchant_id, { statuses: ['placed', 'accepted'] }, { limit: 10 })
  })
  expect(listed.map((order) => order.order_id)).toEqual([order_id])
})
