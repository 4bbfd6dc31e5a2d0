/** Two terminals on one store: one cancels an order at the moment when the other acts on it. */
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { recordTally, iterations } from '../support/battery.ts'
import { checkInvariants } from '../support/invariants.ts'
import type { TerminalResult, TerminalCall } from '../support/order-terminal.ts'
import { builtProgram, type CommandResult, startDray, splitCommandLine } from '../support/program.ts'
import { type Engine, ENGINES, makeTempFolder, openTestStore } from '../support/stores.ts'
import { sandboxOverStore } from '../support/world.ts'

const ROUNDS = iterations(10, 100)
const TERMINAL = join(import.meta.dirname, '../support/order-terminal.ts')

/** The possible results of an order, by both responses: exactly one of these holds for each. */
const OUTCOMES: Readonly<Record<string, string>> = {
  'cancel ok, reject invalid_state': 'placed cancelled',
  'cancel not_cancellable, reject ok': 'placed rejected',
  'cancel ok, accept invalid_state': 'placed cancelled',
  'cancel ok, accept ok': 'placed accepted cancelled',
  'cancel ok, accept ok, start invalid_state': 'placed accepted cancelled',
  'cancel not_cancellable, accept ok, start ok': 'placed accepted preparing',
}

/** Opens a terminal in its own process, which runs the commands it is sent. */
function openTerminal(store: string, account: string) {
  const child = execa(process.execPath, [TERMINAL, store, account])
  const lines = child[Symbol.asyncIterator]()
  return {
    async ask(...calls: TerminalCall[]): Promise<TerminalResult[]> {
      child.stdin.write(`${JSON.stringify(calls)}\n`)
      const { value } = await lines.next()
      return JSON.parse(String(value)) as TerminalResult[]
    },
    async close(): Promise<void> {
      child.stdin.end()
      await child
    },
  }
}

const PAYMENTS = [
  { method: 'card', payment_token: 'tok_ok' },
  { method: 'card', payment_token: 'tok_store' },
  { method: 'wallet' },
  { method: 'cash' },
] as const
const ANSWERS = [
  ['reject_business_order'],
  ['accept_business_order'],
  ['accept_business_order', 'start_business_order_prep'],
] as const

/** Places an order; one terminal cancels it while the other acts on it. */
async function playRounds(location: string): Promise<Map<string, string>> {
  const customer = openTerminal(location, 'member')
  const keeper = openTerminal(location, 'everything')
  const [listed] = await keeper.ask({ operation: 'list_catalog_items', input: { q: 'Focaccia' } })
  const [dish] = (listed?.body['data'] ?? []) as { item_id: string; merchant_id: string }[]
  const heard = new Map<string, string>()
  for (let round = 0; round < ROUNDS; round++) {
    const items = [{ item_id: dish?.item_id, quantity: 2 }]
    const basket = { merchant_id: dish?.merchant_id, fulfillment_type: 'pickup', items }
    const [quoted] = await customer.ask({ operation: 'quote_food_order', input: basket })
    const input = { quote_id: quoted?.body['quote_id'], payment: PAYMENTS[round % PAYMENTS.length] }
    const [placed] = await customer.ask({ operation: 'place_food_order', input, key: `round-${round}` })
    const order_id = String(placed?.body['order_id'])
    const call = (operation: string): TerminalCall => ({ operation, input: { order_id } })
    const answers = await Promise.all([
      customer.ask(call('cancel_food_order')),
      keeper.ask(...(ANSWERS[round % ANSWERS.length] ?? []).map(call)),
    ])
    const names = ['cancel', ...(ANSWERS[round % ANSWERS.length] ?? []).map((name) => name.split('_')[0])]
    heard.set(
      order_id,
      answers
        .flat()
        .map(({ code }, index) => `${names[index]} ${code}`)
        .join(', '),
    )
  }
  await customer.close()
  await keeper.close()
  return heard
}

describe.each(ENGINES)('on $name', (engine: Engine) => {
  test('every order ends in one way, the same for both, and the books balance', async () => {
    const location = await engine.locate()
    // On PostgreSQL the terminals go without prepared statements, as behind a pooler.
    const heard = await playRounds(engine.name === 'SQLite' ? location : `${location}?pooler=transaction`)
    recordTally({ tries: ROUNDS, lost: ROUNDS - heard.size })
    expect(heard.size).toBe(ROUNDS)
    const db = await openTestStore(engine, { location })
    const world = sandboxOverStore(db)
    for (const [order_id, told] of heard) {
      const order = await world.ok('get_business_order', { order_id })
      const seen = await world.ok('get_food_order', { order_id }, { as: 'member' })
      const path = order.status_history.map(({ status }) => status).join(' ')
      expect({ told, path }).toEqual({ told, path: OUTCOMES[told] })
      expect(seen.status_history.map(({ status }) => status).join(' ')).toBe(path)
      const paid = order.payment.method !== 'cash'
      const ended = order.status === 'cancelled' || order.status === 'rejected'
      expect(order.refund !== null).toBe(paid && ended)
    }
    expect(await checkInvariants(db)).toEqual([])
  })
})

describe('by the real commands', () => {
  const BASE = { DRAY_NOW: '2026-11-20T09:00:00Z', DRAY_SEED: '1' }

  test.each(ENGINES)('a cancel and a rejection at once: one of them ($name)', async ({ locate }) => {
    await builtProgram()
    const home = await makeTempFolder()
    const store = await locate()
    const env = { ...BASE, HOME: home, DRAY_HOME: join(home, 'dray') }
    const run = (line: string, input?: unknown): Promise<CommandResult> =>
      startDray(splitCommandLine(`${line} --json --store ${store}`), {
        cwd: home,
        env,
        ...(input !== undefined && { input: JSON.stringify(input) }),
      }).ended
    const { data } = (await run('api list_catalog_items --q Focaccia')).json<{
      data: { item_id: string; merchant_id: string }[]
    }>()
    const [dish] = data
    for (let round = 0; round < 2; round++) {
      const quoted = await run('api quote_food_order --input -', {
        merchant_id: dish?.merchant_id,
        fulfillment_type: 'pickup',
        items: [{ item_id: dish?.item_id, quantity: 2 }],
      })
      const { quote_id } = quoted.json<{ quote_id: string }>()
      const payment = { method: 'card', payment_token: round % 2 === 0 ? 'tok_ok' : 'tok_store' }
      const placed = await run(`api place_food_order --yes --idempotency-key round-${round} --input -`, {
        quote_id,
        payment,
      })
      const { order_id: id } = placed.json<{ order_id: string }>()
      const both = await Promise.all([
        run(`food cancel ${id} --confirm ${id}`),
        run(`business orders reject ${id} --confirm ${id} --reason too_busy`),
      ])
      expect(both.map(({ exitCode }) => exitCode).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 7])
      const loser = both
        .find(({ exitCode }) => exitCode === 7)
        ?.json<PrintedFailure & { results?: unknown }>()
      expect(JSON.stringify(loser)).toMatch(/not_cancellable|invalid_state/)
      const shown = (await run(`food show ${id}`)).json<{ status: string; refund: unknown }>()
      expect(shown).toMatchObject({
        status: both[0]?.exitCode === 0 ? 'cancelled' : 'rejected',
        refund: { amount: expect.anything() },
      })
    }
    const db = await openTestStore({ name: 'either', locate }, { location: store })
    expect(await checkInvariants(db)).toEqual([])
  })
})
