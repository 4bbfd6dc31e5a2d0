/** The invariants checked after every story: each one detects its fault. */
import { beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import { checkInvariants } from '../support/invariants.ts'
import { checkOrders } from '../support/order-invariants.ts'
import { performAction, placeTestOrder, stepUntil } from '../support/order-life.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

let world: TestSandbox

// A refunded order, a guest's, a scheduled one, one on its way, and a delivered one.
beforeAll(async () => {
  world = await openTestSandbox()
  await performAction(world, (await placeTestOrder(world, { method: 'wallet' })).order_id, [
    'accept',
    'reject',
  ])
  await performAction(
    world,
    (await placeTestOrder(world, { type: 'dine_in', method: 'pay_at_table' })).order_id,
    ['accept'],
  )
  await placeTestOrder(world, { at: '2026-11-20T12:00:00.000Z' })
  for (const status of ['out_for_delivery', 'completed']) {
    const { order_id } = await placeTestOrder(world, { type: 'delivery' })
    await performAction(world, order_id, ['accept', 'ready'])
    await stepUntil(world, order_id, status)
  }
})

test('a store in which all went well has nothing wrong', async () => {
  expect(await checkInvariants(world.db)).toEqual([])
})

/** Returns the faults found after a direct change of the database, which is undone. */
async function foundAfter(statement: string): Promise<string[]> {
  const undo = new Error('undo')
  let found: string[] = []
  const changed = world.db.write(async (tx: Tx) => {
    if ((await tx.run(statement)) === 0) throw new Error('it changes nothing')
    found = await checkOrders(tx)
    throw undo
  })
  await changed.catch((error: unknown) => {
    if (error !== undo) throw error
  })
  return found
}

test.each([
  [
    'a status without its history',
    `update orders set status = 'cancelled' where status = 'placed'`,
    /its history says placed/,
  ],
  [
    'a price that does not add up',
    `update orders set doc = json_set(doc, '$.subtotal.amount', 1) where seq = (select min(seq) from orders)`,
    /does not add up/,
  ],
  [
    'a charge that was not quoted',
    `update quotes set doc = json_set(doc, '$.total.amount', 1)`,
    /charged \d+, quoted 1/,
  ],
  ['a quote that nobody used', `update quotes set used_by = null`, /\d quotes of it/],
  ['a payment that is missing', `delete from payments where status = 'unpaid'`, /has no payment/],
  [
    'an order that was accepted before it was paid',
    `update payments set paid_at = paid_at + 1 where method = 'card'`,
    /accepted before it was paid/,
  ],
  ['a refund that was forgotten', `delete from refunds`, /its payment is refunded, and 0 of \d+ went back/],
  [
    'a refund that was paid in part',
    `update refunds set amount = 1`,
    /its payment is refunded, and 1 of \d+ went back/,
  ],
  [
    'a transaction with one leg',
    `delete from ledger where amount < 0 and kind = 'refund'`,
    /transaction that does not add up/,
  ],
  [
    'a wallet with too much',
    `update wallets set balance = balance + 1`,
    /wallet that is not what went in and out/,
  ],
  ['a slot that was lost', `delete from slot_claims`, /is placed and holds 0 slots/],
  [
    'a guest who left without paying',
    `update orders set doc = json_set(doc, '$.check.status', 'open'), status = 'completed' where check_id is not null`,
    /completed with an open check/,
  ],
  [
    'a delivery without proof',
    `update deliveries set doc = json_set(doc, '$.proof_of_delivery', null)`,
    /its proof says otherwise/,
  ],
  [
    'a courier ahead of his order',
    `update orders set status = 'ready' where status = 'out_for_delivery'`,
    /is picked_up, its order ready/,
  ],
  [
    'a plan for what is over',
    `update timeline set resource_id = (select order_id from orders where status = 'rejected') where event = 'not_accepted'`,
    /plan for an order that is over/,
  ],
  [
    'a delivery that will never arrive',
    `delete from timeline where kind = 'delivery'`,
    /delivery with other than one plan/,
  ],
  [
    'an order that nobody decides about',
    `delete from timeline where event = 'not_accepted'`,
    /nobody will ever decide/,
  ],
])('%s is found', async (_, statement, expected) => {
  expect((await foundAfter(statement)).join('\n')).toMatch(expected)
})
