/** Orders from the store to the customer, seen from both sides at each step. */
import { expect } from 'vitest'
import {
  performStoreAction,
  AT_THE_TABLE,
  buyFood,
  readMatchingViews,
  refused,
  reject,
  TO_COLLECT,
  TO_THE_DOOR,
  wallet,
} from '../support/food-story.ts'
import { acceptanceTest } from '../support/story.ts'

acceptanceTest(
  'an order is taken, cooked and brought to the doorstep, and both sides see the same',
  async (told) => {
    const order = await buyFood(told, TO_THE_DOOR)
    const listed = (await told.dray('business orders list --limit 1 --json')).json<{
      data: { order_id: string }[]
    }>()
    expect(listed.data[0]?.order_id).toBe(order.order_id)
    const placed = await readMatchingViews(told, order)
    expect(placed).toMatchObject({ status: 'placed', cancellable: true, delivery_id: null, courier: null })
    expect(placed.store.allowed_actions.toSorted()).toEqual(['accept', 'reject'])
    await performStoreAction(told, 'accept', order)
    expect(await readMatchingViews(told, order)).toMatchObject({ status: 'accepted', cancellable: true })
    await performStoreAction(told, 'prepare', order)
    expect(await readMatchingViews(told, order)).toMatchObject({ status: 'preparing', cancellable: false })
    await performStoreAction(told, 'ready', order)
    expect(await readMatchingViews(told, order)).toMatchObject({
      status: 'ready',
      store: { delivery: { status: 'pending' } },
    })
    await told.advance('1m')
    const coming = await readMatchingViews(told, order)
    expect(coming.courier?.name).toBe(coming.store.delivery?.courier?.name)
    expect(coming.courier?.name).toEqual(expect.any(String))
    expect(await refused(told, 'complete', order, 7)).toBe('fulfillment_type_mismatch')
    await told.advance('3h')
    const done = await readMatchingViews(told, order)
    expect(done).toMatchObject({
      status: 'completed',
      delivery_id: done.store.delivery?.delivery_id,
      proof_of_delivery: { waypoint: 'dropoff' },
      courier: { name: coming.courier?.name },
    })
    const shown = told.terminal(`food show ${order.display_number}`)
    expect(await shown.ended()).toMatchObject({ exitCode: 0 })
    expect(shown.transcript()).toMatch(/^Delivered to +\S.*London/m)
    expect(shown.transcript()).toMatch(new RegExp(`^Courier +${coming.courier?.name}`, 'm'))
    expect(shown.transcript()).not.toMatch(/Not set|Can be cancelled/)
    const [, next = ''] = /^Next: dray (food show \S+ --save proof)$/m.exec(shown.transcript()) ?? []
    const saved = await told.dray(next)
    expect(told.exists(/^ {2}(proof\/01-dropoff-\S+\.png)$/m.exec(saved.stderr)?.[1] ?? '')).toBe(true)
    expect(done.status_history.map(({ status }) => status)).toEqual([
      'placed',
      'accepted',
      'preparing',
      'ready',
      'out_for_delivery',
      'completed',
    ])
    expect(done.store.allowed_actions).toEqual([])
  },
)

acceptanceTest('an order is collected, and paid at the counter', async (told) => {
  const order = await buyFood(told, TO_COLLECT, '--pay cash')
  await performStoreAction(told, 'accept', order)
  await performStoreAction(told, 'ready', order)
  expect(await readMatchingViews(told, order)).toMatchObject({
    status: 'ready',
    delivery_id: null,
    payment: { status: 'unpaid' },
  })
  await performStoreAction(told, 'complete', order)
  expect(await readMatchingViews(told, order)).toMatchObject({
    status: 'completed',
    payment: { status: 'paid' },
  })
})

acceptanceTest('guests eat at their table, and the order is done once their check is paid', async (told) => {
  const order = await buyFood(told, AT_THE_TABLE, '--pay table')
  expect((await readMatchingViews(told, order)).store.table).toEqual({
    table_number: '4',
    party_size: 2,
    check: null,
  })
  await performStoreAction(told, 'accept', order)
  const { store, total } = await readMatchingViews(told, order)
  expect(store.table?.check).toMatchObject({ status: 'open', balance: total })
  await performStoreAction(told, 'ready', order)
  expect(await refused(told, 'complete', order, 7)).toBe('table_check_open')
  await told.dray(`sandbox check settle ${order.order_id} --json`)
  expect(await readMatchingViews(told, order)).toMatchObject({ status: 'ready', payment: { status: 'paid' } })
  await performStoreAction(told, 'complete', order)
  const done = await readMatchingViews(told, order)
  expect(done).toMatchObject({ status: 'completed', store: { table: { check: { status: 'closed' } } } })
})

acceptanceTest(
  'a card that needs its time keeps an order waiting, by hand or for two minutes',
  async (told) => {
    const first = await buyFood(told, TO_COLLECT, '--pay card --payment-token tok_pending')
    expect(await readMatchingViews(told, first)).toMatchObject({ payment: { status: 'unpaid' } })
    expect(await refused(told, 'accept', first, 6)).toBe('payment_required')
    await told.dray(`sandbox settle ${first.order_id} --json`)
    await performStoreAction(told, 'accept', first)
    const second = await buyFood(told, TO_COLLECT, '--pay card --payment-token tok_pending')
    await told.advance('1m59s')
    expect(await refused(told, 'accept', second, 6)).toBe('payment_required')
    await told.advance('1s')
    await performStoreAction(told, 'accept', second)
    expect(await readMatchingViews(told, second)).toMatchObject({
      status: 'accepted',
      payment: { status: 'paid' },
    })
  },
)

for (const when of ['before', 'after'] as const) {
  acceptanceTest(
    `who is turned down ${when} the kitchen began has his money back, once, the way it came`,
    async (told) => {
      const card = await buyFood(told, TO_COLLECT, '--pay card --payment-token tok_ok')
      const machine = await buyFood(told, TO_COLLECT, '--pay card --payment-token tok_store')
      const purse = await buyFood(told, TO_COLLECT, '--pay wallet')
      const cash = await buyFood(told, TO_COLLECT, '--pay cash')
      const total = card.total.amount
      expect(await wallet(told)).toBe(5000 - total)
      for (const order of [card, machine, purse, cash]) {
        if (when === 'after') await performStoreAction(told, 'accept', order)
        if (when === 'after') await performStoreAction(told, 'prepare', order)
        await reject(told, order)
        expect(await refused(told, 'accept', order, 7)).toBe('invalid_state')
      }
      const back = { status: 'succeeded', destination: 'platform_wallet', amount: card.total }
      expect(await readMatchingViews(told, card)).toMatchObject({
        status: 'rejected',
        payment: { status: 'refunded' },
        refund: back,
      })
      expect(await readMatchingViews(told, purse)).toMatchObject({
        payment: { status: 'refunded' },
        refund: back,
      })
      expect(await readMatchingViews(told, cash)).toMatchObject({
        payment: { status: 'failed' },
        refund: null,
      })
      expect(await readMatchingViews(told, machine)).toMatchObject({
        payment: { status: 'refund_pending' },
        refund: {
          status: 'pending',
          destination: 'card_via_store_processor',
          amount: card.total,
          settled_at: null,
        },
      })
      // The amount paid by card is in the wallet now; a payment at the store's terminal is refunded there.
      expect(await wallet(told)).toBe(5000 + total)
      await told.advance('1m')
      expect(await readMatchingViews(told, machine)).toMatchObject({
        payment: { status: 'refunded' },
        refund: { status: 'succeeded', settled_at: '2026-11-20T09:01:00.000Z' },
      })
      expect(await wallet(told)).toBe(5000 + total)
    },
  )
}

acceptanceTest('a cancel and a rejection at the same moment: one of them, and one refund', async (told) => {
  for (const token of ['tok_ok', 'tok_store']) {
    const order = await buyFood(told, TO_COLLECT, `--pay card --payment-token ${token}`)
    const { order_id: id } = order
    const ended = await Promise.all([
      told.start(`food cancel ${id} --confirm ${id} --json`).ended,
      told.start(`business orders reject ${id} --reason too_busy --confirm ${id} --json`).ended,
    ])
    const [cancel, rejection] = ended.map(({ exitCode }) => exitCode)
    expect([`${cancel} ${rejection}`]).toEqual([cancel === 0 ? '0 7' : '7 0'])
    const { data } = await told.control('list_events', {})
    const ends = data.filter(({ resource_id }) => resource_id === id).map(({ to }) => to)
    expect(ends).toEqual(['placed', cancel === 0 ? 'cancelled' : 'rejected'])
  }
})

acceptanceTest('the first order of a newcomer, whose store nobody plays, is collected', async (told) => {
  const { order_id: id } = await buyFood(told, TO_COLLECT)
  await told.advance('4m')
  const status = async () =>
    (await told.dray(`food show ${id} --json`)).json<{ status: string; status_history: { by: string }[] }>()
  expect(await status()).not.toMatchObject({ status: 'placed' })
  await told.advance('1h')
  expect(await status()).toMatchObject({ status: 'completed' })
  expect((await told.dray(`food track ${id}`)).stdout).toContain('completed')
})
