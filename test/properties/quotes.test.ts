/** Quotes and their orders: prices, keys and refunds. */
import { describe, expect, test } from 'vitest'
import type { ItemRecord } from '../../src/areas/catalog/queries/catalog.ts'
import { iterations } from '../support/battery.ts'
import {
  CARD,
  changeStore,
  findStore,
  makeBasketLine,
  makeBasket,
  makePickup,
  newKey,
} from '../support/food.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { type TestResponse, openServers, openTestSandbox, type TestSandbox } from '../support/world.ts'

const HOUR = 3_600_000

/** Returns the whole store except quotes, the counter of their ids, and stored responses. */
async function contents({ db }: TestSandbox): Promise<unknown> {
  return db.read(async (tx) => {
    const tables = {
      orders: 'order_id',
      payments: 'resource_id',
      wallets: 'account_id',
      ledger: 'seq',
      slot_claims: 'merchant_id, starts_at, unit',
      catalog_items: 'item_id',
      merchants: 'merchant_id',
      events: 'seq',
      timeline: 'seq',
    }
    const rows: Record<string, unknown> = {}
    for (const [table, order] of Object.entries(tables))
      rows[table] = await tx.all(`select * from ${table} order by ${order}`)
    return { ...rows, seq: await tx.all('select seq from world') }
  })
}

async function lists(world: TestSandbox): Promise<unknown> {
  return {
    customer: await world.ok('list_food_orders'),
    store: await world.ok('list_business_orders', {}, { as: 'owner' }),
    catalogue: await world.ok('list_catalog_items', {}, { as: 'owner' }),
  }
}

/** Checks that ledger transactions add up to zero, and that every wallet equals its credits less its debits. */
async function expectBalanced({ db }: TestSandbox): Promise<void> {
  await db.read(async (tx) => {
    expect(
      await tx.all('select transaction_id from ledger group by transaction_id having sum(amount) <> 0'),
    ).toEqual([])
    expect(
      await tx.all(
        `select w.account_id from wallets w where w.balance < 0 or w.balance <>
           (select coalesce(sum(l.amount), 0) from ledger l where l.account = 'wallet:' || w.account_id)`,
      ),
    ).toEqual([])
  })
}

describe.each(ENGINES)('on $name', (engine) => {
  test('whatever is quoted, and however often, nothing else changes', async () => {
    const world = await openTestSandbox({ engine })
    const { quote_id } = await world.ok('quote_food_order', await makeBasket(world))
    await world.ok('place_food_order', { quote_id, payment: CARD }, { key: newKey() })
    const before = { contents: await contents(world), lists: await lists(world) }
    const { items, merchant_id } = await findStore(world)
    const basket = fc.record({
      lines: fc.array(
        fc.record({ item: fc.constantFrom(...items), quantity: fc.integer({ min: 1, max: 9 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      as: fc.constantFrom('member', 'guest', 'lapsed', 'everything'),
      scheduled: fc.option(fc.integer({ min: 1, max: 200 })),
      pickup: fc.boolean(),
      flaw: fc.constantFrom('none', 'none', 'item', 'far'),
    })
    const heard = new Set<string>()
    await fc.assert(
      fc.asyncProperty(basket, async ({ lines, as, scheduled, pickup, flaw }) => {
        const asked = lines.map(({ item, quantity }) => makeBasketLine(item, quantity))
        const input = await (pickup ? makePickup : makeBasket)(world, {
          merchant_id,
          items: flaw === 'item' ? [{ item_id: 'itm_none', quantity: 1 }] : asked,
          ...(scheduled !== null && {
            scheduled_for: new Date(Date.parse('2026-11-20T09:00:00Z') + scheduled * 900_000).toISOString(),
          }),
          ...(!pickup && flaw === 'far' && { dropoff: { location: { latitude: 51.6, longitude: -0.08 } } }),
        })
        const { status, body } = await world.call('quote_food_order', input, { as })
        heard.add(status === 200 ? 'ok' : String(body['code']))
        if (status === 200) expectIdentities(body)
      }),
      { numRuns: iterations(20, 60) },
    )
    expect([...heard]).toEqual(expect.arrayContaining(['ok', 'item_not_found', 'outside_delivery_area']))
    expect({ contents: await contents(world), lists: await lists(world) }).toEqual(before)
  })

  test('one key is one order and one charge, whatever came at once; other content is refused', async () => {
    const world = await openTestSandbox({ engine })
    let runs = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
        async (waves) => {
          const { quote_id } = await world.ok('quote_food_order', await makePickup(world))
          const key = `p5-${++runs}`
          const input = { quote_id, payment: CARD }
          const answers: TestResponse[] = []
          for (const wave of waves) {
            const copies = Array.from({ length: wave }, () => world.call('place_food_order', input, { key }))
            answers.push(...(await Promise.all(copies)))
          }
          expect(new Set(answers.map(({ text, status }) => `${status} ${text}`)).size).toBe(1)
          const replayed = answers.filter(({ headers }) => headers['Idempotent-Replayed'] === 'true')
          expect(replayed).toHaveLength(answers.length - 1)
          const other = await world.refused('place_food_order', { ...input, notes: 'more' }, { key })
          expect(other.code).toBe('idempotency_key_reused')
        },
      ),
      { numRuns: 10 },
    )
    const { data } = await world.ok('list_food_orders', { limit: 100 })
    expect(data).toHaveLength(runs)
    await expectBalanced(world)
  })

  test('the first answer stands after the quote expired, the membership lapsed and the order moved on', async () => {
    const world = await openTestSandbox({ engine })
    const { quote_id } = await world.ok('quote_food_order', await makePickup(world), { as: 'member' })
    const input = { quote_id, payment: { method: 'wallet' } }
    const again = () => world.call('place_food_order', input, { as: 'member', key: 'k' })
    const first = await again()
    expect(first.status).toBe(201)
    const order_id = String(first.body['order_id'])
    await world.ok('accept_business_order', { order_id }, { as: 'owner', key: newKey() })
    await world.advance(900_000)
    expect((await again()).text).toBe(first.text)
    await world.ok('reject_business_order', { order_id }, { as: 'owner', key: newKey() })
    await world.db.write((tx) =>
      tx.run(`update accounts set membership_status = 'expired' where handle = 'member'`),
    )
    const before = await contents(world)
    const replay = await again()
    expect([replay.text, replay.headers['Idempotent-Replayed']]).toEqual([first.text, 'true'])
    expect(await contents(world)).toEqual(before)
    const fresh = await world.refused('place_food_order', input, { as: 'member', key: 'other' })
    expect(fresh.code).toBe('membership_required')
    await world.advance(24 * HOUR)
    expect((await world.refused('place_food_order', input, { as: 'member', key: 'k' })).code).toBe(
      'membership_required',
    )
  })

  test('a refusal for good is kept with its key, one for the moment is not', async () => {
    const world = await openTestSandbox({ engine })
    const { quote_id } = await world.ok('quote_food_order', await makePickup(world))
    const declined = { quote_id, payment: { method: 'card', payment_token: 'tok_declined' } }
    const first = await world.call('place_food_order', declined, { key: 'k' })
    const again = await world.call('place_food_order', declined, { key: 'k' })
    expect([again.text, again.headers['Idempotent-Replayed']]).toEqual([first.text, 'true'])
    await world.db.write((tx) => tx.run('update wallets set balance = 0'))
    const poor = { quote_id, payment: { method: 'wallet' } }
    expect((await world.refused('place_food_order', poor, { key: 'w' })).code).toBe('insufficient_funds')
    await world.db.write((tx) => tx.run('update wallets set balance = 5000'))
    await world.ok('place_food_order', poor, { key: 'w' })
  })

  test('an order that ends without its goods is paid back in full, once', async () => {
    const world = await openTestSandbox({ engine })
    const methods = [
      { method: 'card', payment_token: 'tok_ok' },
      { method: 'card', payment_token: 'tok_store' },
      { method: 'card', payment_token: 'tok_pending' },
      { method: 'wallet' },
      { method: 'cash' },
    ]
    for (const [index, payment] of methods.entries()) {
      for (const end of ['cancel_food_order', 'reject_business_order'] as const) {
        const { quote_id } = await world.ok('quote_food_order', await makePickup(world))
        const { order_id } = await world.ok('place_food_order', { quote_id, payment }, { key: newKey() })
        const as = end === 'cancel_food_order' ? 'everything' : 'owner'
        await world.ok(end, { order_id }, { as, key: newKey() })
        expect((await world.refused(end, { order_id }, { as, key: newKey() })).status, `${index}`).toBe(409)
      }
    }
    await world.advance(HOUR)
    await expectBalanced(world)
    const kept = await world.db.read((tx) =>
      tx.all(
        `select resource_id, sum(amount) as kept from ledger
         where kind <> 'opening' and (account = 'platform' or account like 'store:%') group by resource_id having sum(amount) <> 0`,
      ),
    )
    expect(kept).toEqual([])
    const refunds = await world.db.read((tx) =>
      tx.all(
        `select status, count(*) as n, sum((select count(*) from refunds r where r.resource_id = payments.resource_id)) as refunds from payments group by status order by status`,
      ),
    )
    expect(refunds).toEqual([
      { status: 'failed', n: 4, refunds: 0 },
      { status: 'refunded', n: 6, refunds: 6 },
    ])
  })
})

type Amount = { amount: number; currency: string }

/** Checks that the parts add up, in whole amounts of one currency. */
function expectIdentities(body: Record<string, unknown>): void {
  const of = (name: string) => (body[name] as Amount).amount
  const added = body['prices_include_tax'] === true ? 0 : of('tax_total')
  expect(of('total')).toBe(of('subtotal') + of('fees_total') - of('discount_total') + added)
  const amounts = JSON.stringify(body).matchAll(/"amount":(-?[\d.e+]+),"currency":"(\w+)"/g)
  for (const [, amount, currency] of amounts) {
    expect(Number.isSafeInteger(Number(amount)) && Number(amount) >= 0).toBe(true)
    expect(currency).toBe('GBP')
  }
}

describe('many at once on PostgreSQL', () => {
  test('of confirms of one quote with different keys exactly one orders', async () => {
    const worlds = await openServers(8)
    const [first] = worlds
    for (let round = 0; round < 5; round++) {
      const { quote_id } = await first.ok('quote_food_order', await makePickup(first))
      const answers = await Promise.all(
        worlds.map((world) =>
          world.call('place_food_order', { quote_id, payment: { method: 'cash' } }, { key: newKey() }),
        ),
      )
      const placed = answers.filter(({ status }) => status === 201)
      expect(placed).toHaveLength(1)
      for (const { status, body } of answers.filter((answer) => answer !== placed[0])) {
        expect({ status, code: body['code'], order_id: body['order_id'] }).toEqual({
          status: 409,
          code: 'quote_already_used',
          order_id: placed[0]?.body['order_id'],
        })
      }
    }
    expect((await first.ok('list_food_orders')).data).toHaveLength(5)
  })

  test('32 connections that want the last places of a slot get as many as there are', async () => {
    const worlds = await openServers(32)
    const [first] = worlds
    const { merchant_id } = await findStore(first)
    await changeStore(first, merchant_id, { slot_capacity: 3 })
    const basket = await makePickup(first, { scheduled_for: '2026-11-20T12:00:00Z' })
    const quotes = await Promise.all(worlds.map((world) => world.ok('quote_food_order', basket)))
    const answers = await Promise.all(
      worlds.map((world, index) =>
        world.call(
          'place_food_order',
          { quote_id: quotes[index]?.quote_id, payment: CARD },
          { key: newKey() },
        ),
      ),
    )
    const codes = answers.map(({ status, body }) => (status === 201 ? 'placed' : String(body['code'])))
    expect(codes.filter((code) => code === 'placed')).toHaveLength(3)
    expect(new Set(codes)).toEqual(new Set(['placed', 'slot_unavailable']))
    expect(await first.db.read((tx) => tx.all('select order_id from slot_claims'))).toHaveLength(3)
    await expectBalanced(first)
  })

  test('customers, stores and time in each other’s way leave nothing half done', async () => {
    const worlds = await openServers(8)
    const [first] = worlds
    const store = await findStore(first)
    const menu = { moves: store.item('Summer Rolls'), stays: store.item('Chicken Satay') }
    const answers = await Promise.all(worlds.map((world, index) => rival(world, index, menu)))
    const bad = answers.flat().filter(({ status }) => status >= 500 || status === 400 || status === 404)
    expect(bad.map(({ text }) => text)).toEqual([])
    const sure = answers.flat().filter((answer) => answer.sure)
    expect(sure.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
    expect(sure).toHaveLength(16)
    await expectBalanced(first)
    const torn = await first.db.read((tx) =>
      tx.all(
        `select o.order_id from orders o left join payments p on p.resource_id = o.order_id
         left join quotes q on q.used_by = o.order_id where p.resource_id is null or q.quote_id is null`,
      ),
    )
    expect(torn).toEqual([])
    const { quote_id } = await first.ok('quote_food_order', await makePickup(first))
    await first.ok('place_food_order', { quote_id, payment: CARD }, { key: newKey() })
  })
})

/**
 * One of several workers that order, cancel, reject and change the menu as fast as they can. The owner takes an item off
 * the menu and puts it back, which some orders meet and others don't. Every second customer orders what stays on it:
 * such an order for now by card always goes through.
 */
async function rival(
  world: TestSandbox,
  index: number,
  { moves, stays }: { moves: ItemRecord; stays: ItemRecord },
): Promise<(TestResponse & { sure: boolean })[]> {
  const answers: (TestResponse & { sure: boolean })[] = []
  const call = async (name: string, input: Record<string, unknown>, as: string, sure = false) => {
    const answer = await world.call(name, input, {
      as,
      ...(name.startsWith('quote') ? {} : { key: newKey() }),
    })
    answers.push({ ...answer, sure })
    return answer
  }
  for (let round = 0; round < 6; round++) {
    if (index === 0) {
      await call(
        'set_catalog_item_availability',
        { item_id: moves.item_id, available: round % 2 === 1 },
        'owner',
      )
      continue
    }
    const as = index % 2 === 0 ? 'member' : 'everything'
    const scheduled = round % 3 === 0 ? { scheduled_for: '2026-11-20T12:00:00Z' } : {}
    const items = index % 2 === 0 ? {} : { items: [makeBasketLine(stays, 3)] }
    const payment = round % 2 === 0 ? { method: 'wallet' } : CARD
    const sure = index % 2 === 1 && round % 2 === 1 && round % 3 !== 0
    const basket = await makePickup(world, { ...scheduled, ...items })
    const { body } = await call('quote_food_order', basket, as, sure)
    if (body['quote_id'] === undefined) continue
    const { body: order, status } = await call(
      'place_food_order',
      { quote_id: body['quote_id'], payment },
      as,
      sure,
    )
    if (status !== 201) continue
    const input = { order_id: order['order_id'] }
    await Promise.all([call('cancel_food_order', input, as), call('reject_business_order', input, 'owner')])
  }
  return answers
}
