/** Tools of the sandbox for developers' agents: only with `--sandbox-tools`, and only where the caller may control it. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { mcp } from '../../src/commands/mcp/mcp.command.ts'
import { AppError } from '../../src/core/errors.ts'
import { SANDBOX_TOOLS, SCENARIOS } from '../../src/generated/sandbox-tools.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { withScenarios } from '../../src/mcp/sandbox-tools.ts'
import { quoteFood, findBasket } from '../support/agent-shopping.ts'
import { type Agent, openHome, startAgent } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { makeParcel } from '../support/parcel.ts'
import { runCommand } from '../support/run-command.ts'

let home: Home
let service: Client
let agent: Agent
let plain: Agent

beforeAll(async () => {
  ;({ home, service } = await openHome())
  const purse = { service: 'here', account: 'developer' }
  agent = await startAgent(home, {
    service,
    purse,
    tools: {
      tools: withScenarios(TOOLS, SCENARIOS),
      sandbox: { tools: SANDBOX_TOOLS, scenarios: SCENARIOS },
    },
  })
  plain = await startAgent(home, { service, purse })
})

test('they are listed behind the others, and say what they do', async () => {
  const { tools } = await agent.client.listTools()
  const own = tools.slice(TOOLS.length).map(({ name, annotations }) => ({ name, ...annotations }))
  const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  const moves = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }
  expect(own).toEqual([
    { name: 'sandbox_now', ...looks },
    { name: 'sandbox_advance', ...moves },
    { name: 'sandbox_step', ...moves },
    { name: 'sandbox_scenarios', ...looks },
  ])
})

test('without the flag there is none, and no tool takes a scenario', async () => {
  const { tools } = await plain.client.listTools()
  expect(JSON.stringify(tools)).not.toMatch(/sandbox_(?:now|advance|step|scenario)/)
  await expect(plain.call('sandbox_now', {})).rejects.toThrow('Unknown tool: sandbox_now')
  const { confirm } = await quoteFood(plain, await findBasket(service))
  const { problem } = await plain.call('place_food_order', { ...confirm, sandbox_scenario: 'store_auto' })
  expect(problem).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/sandbox_scenario', code: 'unknown_member' }],
  })
})

test('an agent tells the time, lets it pass, and makes the next thing happen', async () => {
  const { confirm } = await quoteFood(agent, await findBasket(service))
  const placed = await agent.call<{ order_id: string; status: string }>('place_food_order', confirm)
  expect(placed.value.status).toBe('placed')
  const { order_id } = placed.value
  const stepped = await agent.call('sandbox_step', { resource_id: order_id })
  expect(stepped.value).toMatchObject({ resource_id: order_id, account: 'everything' })
  const before = await agent.call<{ now: string }>('sandbox_now', {})
  const moved = await agent.call<{ now: string }>('sandbox_advance', { by: '2h' })
  expect(Date.parse(moved.value.now) - Date.parse(before.value.now)).toBe(2 * 3_600_000)
  // Each response tells the time after it.
  expect(moved.facts).toMatchObject({ time: moved.value.now, environment: 'sandbox' })
  expect((await agent.call('get_food_order', { order_id })).value).toMatchObject({ status: 'completed' })
})

test.each([
  ['sandbox_advance', {}, { code: 'invalid_request' }],
  ['sandbox_advance', { by: 'tomorrow' }, { code: 'invalid_request', errors: [{ pointer: '/by' }] }],
  ['sandbox_advance', { by: '-1h' }, { code: 'invalid_request' }],
  ['sandbox_now', { zone: 'UTC' }, { code: 'invalid_request', errors: [{ pointer: '/zone' }] }],
  ['sandbox_step', { resource_id: 'ord_nothing' }, { status: 404 }],
])('%s with %j is refused, and says why', async (name, args, problem) => {
  const answer = await agent.call(name, args)
  expect(answer.problem).toMatchObject(problem)
  expect(answer.text).not.toContain('`dray')
})

describe('a scenario', () => {
  test('is named by the list, for each tool that plays some', async () => {
    const { value } = await agent.call<{ scenarios: Record<string, string[]> }>('sandbox_scenarios', {})
    expect(value.scenarios).toEqual(SCENARIOS)
    expect(value.scenarios['request_ride']).toContain('no_driver')
    const { tools } = await agent.client.listTools()
    const playing = tools.filter(({ inputSchema }) => 'sandbox_scenario' in (inputSchema.properties ?? {}))
    expect(playing.map(({ name }) => name).toSorted()).toEqual(Object.keys(SCENARIOS).toSorted())
  })

  test('is played for what a call creates, and another one makes it another call', async () => {
    const ride = { pickup: { name: 'King’s Cross' }, dropoff: { name: 'Bank' } }
    const calm = await agent.call<{ fares: { surge_bps: number }[] }>('quote_ride', ride)
    const busy = await agent.call<{ quote_id: string; fares: { surge_bps: number }[] }>('quote_ride', {
      ...ride,
      sandbox_scenario: 'surge;bps=18000',
    })
    expect(calm.value.fares[0]?.surge_bps).toBeLessThan(18_000)
    expect(busy.value.fares[0]?.surge_bps).toBe(18_000)

    const parcel = makeParcel()
    type Parcel = { tracking_number: string }
    const first = await agent.call<Parcel>('create_shipment', parcel)
    const lost = await agent.call<Parcel>('create_shipment', { ...parcel, sandbox_scenario: 'lost' })
    const again = await agent.call<Parcel>('create_shipment', { ...parcel, sandbox_scenario: 'lost' })
    expect(lost.value.tracking_number).not.toBe(first.value.tracking_number)
    expect({ number: again.value.tracking_number, replayed: again.replayed }).toEqual({
      number: lost.value.tracking_number,
      replayed: true,
    })
  })

  test('that is unknown is rejected with the known ones', async () => {
    const { confirm } = await quoteFood(agent, await findBasket(service))
    const { problem } = await agent.call('place_food_order', { ...confirm, sandbox_scenario: 'earthquake' })
    expect(problem).toMatchObject({ code: 'scenario_not_allowed' })
  })
})

describe('dray mcp --sandbox-tools is rejected', () => {
  test('with a protected profile, and for callers of other machines', async () => {
    home.writeConfig({ profiles: { shop: { store: 'shop.db', protected: true } } })
    const protectedOne = await runCommand(home, mcp, ['--sandbox-tools', '--profile', 'shop'])
    expect(protectedOne.error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('shop is protected') as string,
    })
    const open = await runCommand(home, mcp, ['--sandbox-tools', '--http', '--host', '0.0.0.0'])
    expect(open.error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('leave out --host') as string,
    })
  })

  test('at a service that does not let this command line control its sandbox', async () => {
    const asked: string[] = []
    const refusing: Client = {
      ...service,
      control: async (name) => {
        asked.push(name)
        throw new AppError('not_logged_in', 'There is no control token.')
      },
    }
    const { error } = await runCommand(home, mcp, ['--sandbox-tools', '--base-url', 'http://127.0.0.1:1'], {
      openClient: async () => refusing,
    })
    expect({ code: error?.code, asked }).toEqual({ code: 'not_logged_in', asked: ['get_clock'] })
  })
})
