/** Guards between an agent and money, through the built program: a person at a terminal, limits, and lost responses. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatGroupedMoney } from '../../src/core/money.ts'
import { findBasket, quoteFood } from '../support/agent-shopping.ts'
import { YES } from '../support/agent.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { runInline } from '../support/inline.ts'
import { type McpClient, openHttp, openStdio, REVISIONS, serveMcp } from '../support/mcp-program.ts'
import { makeRows } from '../support/parcel.ts'
import { builtProgram, readServerUrl, startDray } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'
import { startInTerminal } from '../support/terminal.ts'

type Order = { order_id: string }

const home = mkdtempSync(join(tmpdir(), 'dray-approvals-'))
const env = { HOME: home, DRAY_HOME: home, DRAY_NOW: '2026-11-20T12:00:00.000Z', DRAY_SEED: '20261120' }
const far = { ...env, DRAY_TOKEN: '', DRAY_BASE_URL: '' }
let service: RunningProcess
let proxy: FaultProxy
let basket: Record<string, unknown>
const agents: McpClient[] = []

/** Runs a command that succeeds and returns its JSON document. */
async function dray<T>(words: readonly string[], more: Record<string, string> = far): Promise<T> {
  const ran = await runInline([...words, '--json'], { env: more })
  if (ran.exitCode !== 0) throw new Error(`dray ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
  return ran.json<T>()
}

async function agent(...words: string[]): Promise<McpClient> {
  const opened = await openStdio(words, far)
  agents.push(opened)
  return opened
}

async function countOrders(): Promise<number> {
  return (await dray<{ data: unknown[] }>(['food', 'list', '--all'])).data.length
}

beforeAll(async () => {
  await builtProgram()
  const store = join(home, 'data/default/dray.db')
  const { token } = await dray<{ token: string }>(['sandbox', 'account', 'token', 'everything'], env)
  service = startDray(['serve', '--port', '0', '--json', '--store', store], { env })
  proxy = await startFaultProxy(await readServerUrl(service))
  far.DRAY_TOKEN = token
  far.DRAY_BASE_URL = proxy.url
  const one = await agent()
  basket = await findBasket(one)
})

afterAll(async () => {
  for (const one of agents) await one.close()
  service.kill('SIGTERM')
  const { exitCode } = await service.ended
  rmSync(home, { recursive: true, force: true })
  expect(exitCode).toBe(0)
})

test('a person in another terminal sees the bill, says yes, and the agent buys once', async () => {
  const one = await agent()
  const { quote, confirm } = await quoteFood(one, basket)
  const before = await countOrders()
  const asked = { ...confirm, notes: 'Ring twice', contact: { name: 'Alex Morgan' } }
  const refused = await one.call('place_food_order', asked)
  expect(refused.problem).toMatchObject({
    code: 'approval_required',
    approve_command: `dray approve ${quote.quote_id}`,
  })
  using terminal = startInTerminal(['approve', quote.quote_id], { env: far })
  await terminal.shows('Let the agent buy this food order for £17.56?')
  expect(terminal.screen()).toMatch(/Lime Street Noodles[\s\S]+2 × Chicken Satay[\s\S]+Total +£17\.56/)
  expect(terminal.screen()).toMatch(
    /Total: £17\.56, by card\s+Notes: “Ring twice”\s+Contact: name “Alex Morgan”\s/,
  )
  expect(terminal.screen()).toContain('agent-of-the-tests 1.0 wants to buy this with the profile default.')
  terminal.type('yes\r')
  expect((await terminal.ended()).exitCode).toBe(0)
  expect(terminal.transcript()).toContain('Approved: the agent can buy it once, for £17.56.')
  const other = { ...asked, contact: { name: 'Somebody Else' } }
  expect((await one.call('place_food_order', other)).problem).toMatchObject({
    code: 'approval_required',
    detail:
      'The user approved a different place_food_order, which differs from this one in contact.name. Nothing was bought.',
    differing: ['contact.name'],
  })
  const bought = await one.call<Order>('place_food_order', asked)
  const again = await one.call<Order>('place_food_order', asked)
  expect(bought.problem).toBeUndefined()
  const told = { ...bought.value, replayed: expect.stringContaining('nothing was done again') }
  expect([again.value, again.replayed]).toEqual([told, true])
  expect(await countOrders()).toBe(before + 1)
  const { data } = await dray<{ data: { id: string }[] }>(['recent'])
  expect(data[0]?.id).toBe(bought.value.order_id)
})

test('a No at the terminal, and an approval by another user’s profile, release nothing', async () => {
  const one = await agent()
  const { quote, confirm } = await quoteFood(one, basket)
  await one.call('place_food_order', confirm)
  using terminal = startInTerminal(['approve', quote.quote_id], { env: far })
  await terminal.shows('Let the agent buy')
  terminal.type('\r')
  expect((await terminal.ended()).exitCode).toBe(3)
  const { data } = await dray<{ data: { quote_id: string }[] }>(['approve'])
  expect(data.map(({ quote_id }) => quote_id)).toContain(quote.quote_id)
  expect((await one.call('place_food_order', confirm)).problem?.['code']).toBe('approval_required')
})

test.each(REVISIONS)(
  'a program of %s that can ask shows the question, and buys after the yes',
  async (revision) => {
    const asked: string[] = []
    const one = await openStdio(['--confirm'], env, revision, (message) => {
      asked.push(message)
      return { action: 'accept', content: { agree: asked.length > 1 } }
    })
    agents.push(one)
    const [no, yes] = [await quoteFood(one, basket), await quoteFood(one, basket)]
    expect((await one.call('place_food_order', no.confirm)).problem?.['code']).toBe('not_confirmed')
    expect((await one.call('place_food_order', yes.confirm)).problem).toBeUndefined()
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain(`Total: ${formatGroupedMoney(yes.quote.total)}, by card`)
  },
)

test('over HTTP the question and its answer are two requests, and belong together', async () => {
  const { url, server } = await serveMcp(['--confirm'], env)
  try {
    const one = await openHttp(url, far.DRAY_TOKEN, '2026-07-28', () => YES)
    const { confirm } = await quoteFood(one, basket)
    const bought = await one.call<Order>('place_food_order', confirm)
    expect(bought.problem).toBeUndefined()
    expect((await one.call('place_food_order', confirm)).replayed).toBe(true)
    await one.close()
    // Before that revision, a request over HTTP cannot ask the person.
    const other = await openHttp(url, far.DRAY_TOKEN, '2025-11-25', () => YES)
    const refused = await other.call('place_food_order', (await quoteFood(other, basket)).confirm)
    expect(refused.problem?.['code']).toBe('approval_required')
    await other.close()
  } finally {
    server.kill('SIGTERM')
    await server.ended
  }
})

test('the spent amount still counts after a restart of the server', async () => {
  const own = { ...far, DRAY_HOME: join(home, 'elsewhere') }
  const limited = ['--allow-confirm', '--max-spend', '30GBP/day']
  const one = await openStdio(limited, own)
  expect((await one.call('place_food_order', (await quoteFood(one, basket)).confirm)).problem).toBeUndefined()
  await one.close()
  const two = await openStdio(limited, own)
  agents.push(two)
  const { confirm } = await quoteFood(two, basket)
  expect((await two.call('place_food_order', confirm)).problem).toMatchObject({
    code: 'spend_limit_reached',
    left: { amount: 1244, currency: 'GBP' },
  })
})

test.each(['a service elsewhere', 'the store of this machine'])(
  'what a program on pipes has spent at %s counts over HTTP too',
  async (where) => {
    const elsewhere = where === 'a service elsewhere'
    const folder = join(home, elsewhere ? 'purse-elsewhere' : 'purse-here')
    const own = { ...(elsewhere ? far : env), DRAY_HOME: folder }
    const limited = ['--allow-confirm', '--max-spend', '30GBP/day']
    const one = await openStdio(limited, own)
    const { confirm } = await quoteFood(one, await findBasket(one))
    expect((await one.call('place_food_order', confirm)).problem).toBeUndefined()
    await one.close()
    const { url, server } = await serveMcp(limited, own)
    try {
      const token = elsewhere
        ? readFileSync(join(folder, 'state/mcp/default.token'), 'utf8').trim()
        : (await dray<{ token: string }>(['sandbox', 'account', 'token', 'everything'], own)).token
      const two = await openHttp(url, token)
      const again = await quoteFood(two, await findBasket(two))
      expect((await two.call('place_food_order', again.confirm)).problem).toMatchObject({
        code: 'spend_limit_reached',
        left: { amount: 1244, currency: 'GBP' },
      })
      await two.close()
    } finally {
      server.kill('SIGTERM')
      await server.ended
    }
  },
)

test('an account has one purse, by its handle and by its id', async () => {
  const own = { ...env, DRAY_HOME: join(home, 'purse-by-id') }
  const limited = ['--allow-confirm', '--max-spend', '30GBP/day']
  const one = await openStdio(limited, own)
  const { confirm } = await quoteFood(one, await findBasket(one))
  expect((await one.call('place_food_order', confirm)).problem).toBeUndefined()
  await one.close()
  const { account_id } = await dray<{ account_id: string }>(['whoami'], own)
  const two = await openStdio([...limited, '--as', account_id], own)
  const again = await quoteFood(two, await findBasket(two))
  expect((await two.call('place_food_order', again.confirm)).problem).toMatchObject({
    code: 'spend_limit_reached',
  })
  await two.close()
})

test('a second profile, by another name of the same store, has the same limit', async () => {
  const own = { ...env, DRAY_HOME: join(home, 'purse-by-link') }
  const limited = ['--allow-confirm', '--max-spend', '30GBP/day']
  const one = await openStdio(limited, own)
  const { confirm } = await quoteFood(one, await findBasket(one))
  expect((await one.call('place_food_order', confirm)).problem).toBeUndefined()
  await one.close()
  const link = join(home, 'another-name.db')
  symlinkSync(join(home, 'purse-by-link/data/default/dray.db'), link)
  await dray(['profile', 'add', 'second', '--store', link], own)
  const two = await openStdio([...limited, '--profile', 'second'], own)
  const again = await quoteFood(two, await findBasket(two))
  expect((await two.call('place_food_order', again.confirm)).problem).toMatchObject({
    code: 'spend_limit_reached',
    left: { amount: 1244, currency: 'GBP' },
  })
  await two.close()
})

test('a person releases parcels at a terminal by the short name that the agent got', async () => {
  const one = await agent()
  const shipments = makeRows(3, 'APPROVED')
  const { problem } = await one.call('create_shipments_batch', { shipments })
  expect(problem).toMatchObject({ code: 'approval_required', quote_id: null })
  const id = String(problem?.['approval_id'])
  using terminal = startInTerminal(['approve', id], { env: far })
  await terminal.shows('Let the agent buy this manifest for £18.36?')
  expect(terminal.screen()).toContain('next day: 3 parcels, £18.36')
  terminal.type('yes\r')
  expect((await terminal.ended()).exitCode).toBe(0)
  const sent = await one.call<{ counts: object }>('create_shipments_batch', { shipments })
  expect(sent.value.counts).toMatchObject({ created: 3 })
  const more = await one.call('create_shipments_batch', { shipments: makeRows(3, 'NOT-APPROVED') })
  expect(more.problem?.['code']).toBe('approval_required')
})

test('a server that dies before the answer has not bought twice when the agent asks the next one', async () => {
  const one = await agent('--allow-confirm')
  const { confirm } = await quoteFood(one, basket)
  const before = await countOrders()
  const held = proxy.holdNext()
  const lost = one.call('place_food_order', confirm).catch((error: unknown) => error)
  await held
  one.kill()
  expect(await lost).toBeInstanceOf(Error)
  const two = await agent('--allow-confirm')
  const found = await two.call<Order>('place_food_order', confirm)
  expect(found.replayed).toBe(true)
  expect(await countOrders()).toBe(before + 1)
  const lines = readFileSync(join(home, 'state/mcp/audit.ndjson'), 'utf8').trimEnd().split('\n')
  const about = lines
    .map((line) => JSON.parse(line) as { quote_id: string; event: string; gate: string; outcome: string })
    .filter(({ quote_id }) => quote_id === confirm['quote_id'])
  expect(about.map(({ event, gate, outcome }) => [event, gate, outcome])).toEqual([
    ['call', null, null],
    ['call', null, null],
    ['answer', 'repeated', 'ok'],
  ])
})
