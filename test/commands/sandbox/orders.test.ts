import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { sandboxStep } from '../../../src/commands/sandbox/step.command.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { newKey } from '../../support/food.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN, runForJson, runInSandbox } from '../../support/sandbox-commands.ts'

const sandboxAccountWallet = await loadOperation('get_wallet')
const sandboxCheckOpen = await loadOperation('open_check')
const sandboxCheckSettle = await loadOperation('settle_check')
const sandboxSettle = await loadOperation('settle_payment')
const sandboxStatus = await loadOperation('get_status')

type Answer = Record<string, unknown>

async function withClient<T>(
  home: Home,
  work: (call: (name: string, input: Answer) => Promise<Answer>) => Promise<T>,
) {
  const client: Client = await embeddedIn(home)({
    kind: 'embedded',
    store: `${home.paths.data}/default/dray.db`,
    account: 'everything',
  })
  try {
    return await work(
      async (name, input) => (await client.call(name, input, { idempotencyKey: newKey() })).value as Answer,
    )
  } finally {
    await client.close()
  }
}

/** Places an order of the account at its own store; returns its id. */
async function order(home: Home, method: string, extra: Answer, token?: string): Promise<string> {
  return withClient(home, async (call) => {
    const { data } = await call('list_catalog_items', { q: 'Focaccia' })
    const [item] = data as { item_id: string; merchant_id: string }[]
    const { quote_id } = await call('quote_food_order', {
      merchant_id: item?.merchant_id,
      items: [{ item_id: item?.item_id, quantity: 3 }],
      ...extra,
    })
    const payment = { method, ...(token !== undefined && { payment_token: token }) }
    const { order_id } = await call('place_food_order', { quote_id, payment })
    return String(order_id)
  })
}

const TABLE = { fulfillment_type: 'dine_in', table: { table_number: '4', party_size: 2 } }
const PICKUP = { fulfillment_type: 'pickup' }

test('a pending payment comes in', async () => {
  using home = makeHome(FROZEN)
  const id = await order(home, 'card', PICKUP, 'tok_pending')
  const ran = await runInSandbox(home, sandboxSettle, id)
  expect(ran.code).toBe(0)
  expect(ran.out).toMatch(/payment\.status\s+paid/)
  expect(ran.err).toMatch(/^Order \w{4} is paid\.$/m)
  const again = await runInSandbox(home, sandboxSettle, id)
  expect(again.error).toMatchObject({ code: 'invalid_state', exitCode: 7 })
})

test('a check is opened, paid and closed, by the order that it belongs to', async () => {
  using home = makeHome(FROZEN)
  const id = await order(home, 'cash', TABLE)
  await withClient(home, (call) => call('accept_business_order', { order_id: id }))
  const opened = await runInSandbox(home, sandboxCheckOpen, id)
  expect(opened.out).toMatch(/check\.status\s+open/)
  expect(opened.err).toMatch(/^The check of order \w{4} is open\.$/m)
  const settled = await runForJson(home, sandboxCheckSettle, id)
  expect(settled).toMatchObject({ payment: { status: 'paid' }, check: { status: 'closed' } })
})

test('a wallet tells what went in and out', async () => {
  using home = makeHome(FROZEN)
  await order(home, 'wallet', PICKUP)
  const wallet = await runForJson(home, sandboxAccountWallet, 'everything')
  expect(wallet).toMatchObject({
    handle: 'everything',
    balance: { currency: 'GBP' },
    entries: [
      { kind: 'capture', direction: 'out' },
      { kind: 'opening', direction: 'in', amount: { amount: 5000, currency: 'GBP' } },
    ],
  })
  expect((await runInSandbox(home, sandboxAccountWallet, 'nobody')).error).toMatchObject({
    code: 'account_not_found',
  })
})

test('a step of an order tells what happened', async () => {
  using home = makeHome(FROZEN)
  const id = await order(home, 'cash', PICKUP)
  const ran = await runInSandbox(home, sandboxStep, id)
  expect(ran.err).toContain(`${id}: not_accepted.`)
  expect(await runForJson(home, sandboxStatus)).toMatchObject({
    counts: { orders: 1, orders_by_status: { rejected: 1 } },
  })
})

test.each([
  ['ord_01m7vkystgfp1b10jk5dh9yvxy', 'dray food show'],
  ['rid_01m7vkystgfx5vsa9mkvef9ews', 'dray rides show'],
  ['dlv_01m7vkystgef7a5n56tabvem4j', 'dray delivery show'],
  ['tsk_01m7vkystgemq8k9w39qsaekf4', 'dray tasks show'],
  ['ZC968043370GB', 'dray carrier show'],
])('after a step of %s people are told where to look at it', async (resource_id, shown) => {
  using home = makeHome(FROZEN)
  const answer = { resource_id, event: 'moved', at: '2026-11-20T09:00:00.000Z', account: 'member' }
  const client = { control: async () => answer, close: async () => {} } as unknown as Client
  const io = memoryIo({ env: home.env, tty: true })
  const ran = await runCommand(home, sandboxStep, [resource_id], { io, openClient: async () => client })
  expect(ran.err).toContain(`Next: ${shown} ${resource_id} --as member`)
})

test('a dry run settles nothing', async () => {
  using home = makeHome(FROZEN)
  const id = await order(home, 'card', PICKUP, 'tok_pending')
  expect(await runForJson(home, sandboxSettle, id, '--dry-run')).toEqual({
    control: 'settle_payment',
    input: { order_id: id },
  })
  expect((await runInSandbox(home, sandboxSettle, id)).code).toBe(0)
})
