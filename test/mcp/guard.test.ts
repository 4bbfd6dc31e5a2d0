import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { OperationInput } from '../../src/client/operations.ts'
import { AppError } from '../../src/core/errors.ts'
import type { AuditLine } from '../../src/local-state/audit.ts'
import { parseSpendLimit } from '../../src/mcp/spend.ts'
import { countOrders, findBasket, quoteFood } from '../support/agent-shopping.ts'
import { type Agent, type AgentOptions, guardOptions, openHome, startAgent, YES } from '../support/agent.ts'
import type { Home } from '../support/home.ts'

let home: Home
let service: Client
let basket: OperationInput<'quote_food_order'>
let profiles = 0

/** The error of the next confirm, and whether it is carried out before it. */
let fault: { carriedOut: boolean; error: AppError } | undefined

beforeAll(async () => {
  ;({ home, service } = await openHome())
  const real = service
  service = {
    ...real,
    async call(operation, input, options) {
      const { carriedOut = true, error } = operation === 'place_food_order' ? (fault ?? {}) : {}
      const result = carriedOut ? await real.call(operation, input, options) : undefined
      if (error !== undefined || result === undefined) throw error ?? new Error('no answer')
      return result
    },
  }
  basket = await findBasket(service)
})

type GuardedAgent = Agent & { profile: string; auditFile: string }

async function start(options: Omit<AgentOptions, 'service'> = {}, profile = `agent-${(profiles += 1)}`) {
  const actor = { ...guardOptions(home).actor, profile }
  const auditFile = options.auditFile ?? join(home.paths.state, `${profile}.ndjson`)
  const agent = await startAgent(home, { service, actor, ...options, auditFile })
  return { ...agent, profile, auditFile } satisfies GuardedAgent
}

function linesOf({ auditFile }: Pick<GuardedAgent, 'auditFile'>): AuditLine[] {
  const text = fs.readFileSync(auditFile, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditLine)
}

const LOST = new AppError('network_error', 'No answer.', { extra: { idempotency_key: 'mcp_' } })

describe('a limit of what may be spent', () => {
  /** One order costs £17.56; a second one exceeds the limit. */
  const limits = [parseSpendLimit('30GBP/day')]

  test('stays valid across a restart of the server, and lets more through a day later', async () => {
    const one = await start({ limits })
    expect(
      (await one.call('place_food_order', (await quoteFood(one, basket)).confirm)).problem,
    ).toBeUndefined()
    const two = await start({ limits }, one.profile)
    const { quote, confirm } = await quoteFood(two, basket)
    const before = await countOrders(service)
    const { problem } = await two.call('place_food_order', confirm)
    expect(problem).toMatchObject({ code: 'spend_limit_reached', price: quote.total, period: 'day' })
    expect(await countOrders(service)).toBe(before)
    await service.control('advance_clock', { by: '24h' })
    const { confirm: later } = await quoteFood(two, basket)
    expect((await two.call('place_food_order', later)).problem).toBeUndefined()
  })

  test('is valid for two servers that both saw a sufficient rest', async () => {
    const ready = Promise.withResolvers<undefined>()
    let arrived = 0
    const lock: Home['lock'] = async (path, work) => {
      arrived += 1
      if (arrived === 2) ready.resolve(undefined)
      await ready.promise
      return home.lock(path, work)
    }
    const one = await start({ limits, lock })
    const two = await start({ limits, lock }, one.profile)
    const [first, second] = [await quoteFood(one, basket), await quoteFood(two, basket)]
    const both = await Promise.all([
      one.call('place_food_order', first.confirm),
      two.call('place_food_order', second.confirm),
    ])
    const codes = new Set(both.map(({ problem }) => problem?.['code']))
    expect(codes).toEqual(new Set(['spend_limit_reached', undefined]))
  })

  test('counts a call with an unknown outcome, and counts it once when it is known', async () => {
    const agent = await start({ limits })
    const { confirm } = await quoteFood(agent, basket)
    fault = { carriedOut: true, error: LOST }
    await agent.call('place_food_order', confirm)
    // Turned away before anybody looked at it, the second try tells nothing about the first.
    fault = { carriedOut: false, error: new AppError('not_logged_in', 'There is no token.') }
    await agent.call('place_food_order', confirm)
    fault = undefined
    const other = await quoteFood(agent, basket)
    const refused = await agent.call('place_food_order', other.confirm)
    expect(refused.problem?.['code']).toBe('spend_limit_reached')
    expect((await agent.call('place_food_order', confirm)).replayed).toBe(true)
    expect((await agent.call('place_food_order', confirm)).replayed).toBe(true)
  })

  test('releases calls that were rejected for good or never reached the service', async () => {
    const agent = await start({ limits })
    const { confirm } = await quoteFood(agent, basket)
    const declined = { ...confirm, payment: { method: 'card', payment_token: 'tok_declined' } }
    expect((await agent.call('place_food_order', declined)).problem?.['code']).toBe('payment_declined')
    fault = { carriedOut: false, error: new AppError('not_logged_in', 'There is no token.') }
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('not_logged_in')
    fault = undefined
    expect((await agent.call('place_food_order', confirm)).problem).toBeUndefined()
  })

  test('counts a purchase without a response, also where its key was forgotten and its quote is used', async () => {
    const agent = await start({ limits })
    const { confirm } = await quoteFood(agent, basket)
    fault = { carriedOut: true, error: LOST }
    await agent.call('place_food_order', confirm)
    fault = { carriedOut: false, error: new AppError('quote_already_used', 'It is used.') }
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('quote_already_used')
    fault = undefined
    const { confirm: other } = await quoteFood(agent, basket)
    const refused = await agent.call('place_food_order', other)
    expect(refused.problem?.['code']).toBe('spend_limit_reached')
  })

  test('releases a quote that another caller had used before the first call', async () => {
    const agent = await start({ limits })
    const { confirm } = await quoteFood(agent, basket)
    fault = { carriedOut: false, error: new AppError('quote_already_used', 'It is used.') }
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('quote_already_used')
    fault = undefined
    const { confirm: other } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', other)).problem).toBeUndefined()
  })

  test('counts each purchase where an agent gives one key to several', async () => {
    const agent = await start({ limits: [parseSpendLimit('40GBP/day')] })
    const [first, second, third] = [
      await quoteFood(agent, basket),
      await quoteFood(agent, basket),
      await quoteFood(agent, basket),
    ]
    const idempotency_key = 'mine'
    const buy = async (args: Record<string, unknown>) =>
      (await agent.call('place_food_order', args)).problem?.['code']
    expect(await buy({ ...first.confirm, idempotency_key })).toBeUndefined()
    expect(await buy({ ...second.confirm, idempotency_key })).toBe('idempotency_key_reused')
    expect(await buy(second.confirm)).toBeUndefined()
    expect(await buy(third.confirm)).toBe('spend_limit_reached')
  })

  test('rejects purchases at a price that was not shown here', async () => {
    const agent = await start({ limits })
    const { value } = await service.call('quote_food_order', basket)
    const { quote_id } = value
    const payment = { method: 'card', payment_token: 'tok_ok' }
    const { problem } = await agent.call('place_food_order', { quote_id, payment })
    expect(problem?.['code']).toBe('spend_limit_reached')
  })

  test('asks no person about a purchase above the limit', async () => {
    const agent = await start({ limits: [parseSpendLimit('1GBP')], gate: true, answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('spend_limit_reached')
    expect(agent.asked).toEqual([])
  })
})

describe('the audit file', () => {
  test('has a line before and after each call, for its owner only, and no address, name or card', async () => {
    const agent = await start({ gate: true, answer: () => YES })
    const { quote, confirm } = await quoteFood(agent, basket)
    const contact = { name: 'Ada Canary', phone: '+442079460123' }
    await agent.call('place_food_order', { ...confirm, contact, notes: 'canary note' })
    await agent.call('place_food_order', { ...confirm, contact, notes: 'canary note' })
    await agent.call('get_food_order', { order_id: 'ord_nothing' })
    const lines = linesOf(agent)
    expect(lines.map(({ event, tool, gate, outcome }) => [event, tool, gate, outcome])).toEqual([
      ['call', 'quote_food_order', null, null],
      ['answer', 'quote_food_order', null, 'ok'],
      ['call', 'place_food_order', null, null],
      ['answer', 'place_food_order', 'asked', 'input_required'],
      ['call', 'place_food_order', null, null],
      ['answer', 'place_food_order', 'accepted', 'ok'],
      ['call', 'place_food_order', null, null],
      ['answer', 'place_food_order', 'repeated', 'ok'],
      ['call', 'get_food_order', null, null],
      ['answer', 'get_food_order', null, 'order_not_found'],
    ])
    expect(lines[5]).toMatchObject({
      client: 'agent-of-the-tests 1.0',
      profile: agent.profile,
      account: 'everything',
      quote_id: quote.quote_id,
      total: quote.total,
      replayed: false,
      idempotency_key: expect.stringMatching(/^mcp_[0-9a-f]{64}$/),
      request_id: expect.stringMatching(/^req_/),
      arguments_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const text = fs.readFileSync(agent.auditFile, 'utf8')
    expect(text).not.toMatch(/canary|tok_|7946|Satay|Lime Street/i)
    expect(fs.statSync(agent.auditFile).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written prevents purchases, and nothing else', async () => {
    const agent = await start({ auditFile: '/dev/full' })
    const { confirm } = await quoteFood(agent, basket)
    const before = await countOrders(service)
    const { problem } = await agent.call('place_food_order', confirm)
    expect(problem?.['code']).toBe('storage_full')
    expect(await countOrders(service)).toBe(before)
    const made = { name: 'Lychee pudding', category: 'Sweets', price: { amount: 450, currency: 'GBP' } }
    expect((await agent.call('create_catalog_item', made)).problem).toBeUndefined()
    expect(agent.warnings[0]).toContain('The audit file /dev/full cannot be written (ENOSPC)')
    // It counts as not spent.
    const well = await start({ limits: [parseSpendLimit('30GBP/day')] }, agent.profile)
    expect((await well.call('place_food_order', confirm)).problem).toBeUndefined()
  })

  test('continues on a new line after one that was cut off', async () => {
    const agent = await start()
    fs.writeFileSync(agent.auditFile, '{"event":"call","at":"20')
    await agent.call('get_membership_status', {})
    const [torn, ...whole] = fs.readFileSync(agent.auditFile, 'utf8').trimEnd().split('\n')
    expect(torn).toBe('{"event":"call","at":"20')
    expect(whole.map((line) => (JSON.parse(line) as AuditLine).event)).toEqual(['call', 'answer'])
  })
})

describe('the ledger', () => {
  test('that cannot be read prevents purchases, and is named in the error', async () => {
    const agent = await start()
    const { confirm } = await quoteFood(agent, basket)
    await agent.call('place_food_order', confirm)
    const folder = join(home.paths.state, 'mcp')
    const mine = fs
      .readdirSync(folder)
      .map((name) => join(folder, name))
      .find((path) => path.endsWith('.json') && fs.readFileSync(path, 'utf8').includes(`"${agent.profile}"`))
    if (mine === undefined) throw new Error('no ledger')
    fs.writeFileSync(mine, 'no JSON')
    const { problem } = await agent.call('place_food_order', (await quoteFood(agent, basket)).confirm)
    expect(problem).toMatchObject({ code: 'file_error' })
    expect(problem?.['detail']).toContain(mine)
  })
})
