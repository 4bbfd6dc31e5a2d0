/** A live service: a served store with that one response header changed. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as REGISTRY from '../../src/generated/registry.ts'
import { type Agent, startAgent } from '../support/agent.ts'
import { type Home, makeHome } from '../support/home.ts'
import { openTestRemote } from '../support/remote-client.ts'
import { serveStore, type ServedStore } from '../support/served.ts'

let home: Home
let served: ServedStore
let token: string
let door: http.Server
let sandbox: Agent
let live: Agent

beforeAll(async () => {
  home = makeHome()
  served = await serveStore({ registry: REGISTRY })
  token = await served.token('everything')
  door = http.createServer((request, response) => {
    const { method, url: path } = request
    const headers = { ...request.headers, host: `127.0.0.1:${served.port}` }
    const onwards = http.request({ port: served.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, { ...answer.headers, environment: 'live' })
      answer.pipe(response)
    })
    request.pipe(onwards)
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const agentAt = async (port: number): Promise<Agent> => {
    const { client } = await openTestRemote(`http://127.0.0.1:${port}`, { target: { token } })
    return startAgent(home, { service: client })
  }
  sandbox = await agentAt(served.port)
  live = await agentAt((door.address() as AddressInfo).port)
})

afterAll(() => {
  door.close()
  home[Symbol.dispose]()
})

test('the sandbox’s cards are named in a sandbox, and never on a live service', async () => {
  const cards = /tok_(?:ok|pending|store|declined)/
  const { tools } = await sandbox.client.listTools()
  const naming = tools.filter((tool) => cards.test(JSON.stringify(tool))).map(({ name }) => name)
  expect(naming).toEqual([
    'place_food_order',
    'request_ride',
    'request_delivery',
    'book_service',
    'create_task',
  ])
  const listed = await live.client.listTools()
  expect(listed.tools).toHaveLength(tools.length)
  expect(JSON.stringify(listed)).not.toMatch(cards)
  expect(live.client.getInstructions()).not.toMatch(cards)
  expect(listed.tools.every(({ annotations }) => annotations?.openWorldHint === true)).toBe(true)
  expect(tools.every(({ annotations }) => annotations?.openWorldHint === false)).toBe(true)
})

test('an agent learns that the service is live, at the start and with each response', async () => {
  expect(live.client.getInstructions()).toContain('This is live: what is bought costs real money.')
  expect(sandbox.client.getInstructions()).toContain('This is a sandbox')
  expect((await live.call('get_membership_status', {})).facts).toMatchObject({ environment: 'live' })
  const refused = await live.call('get_ride', { ride_id: 'rid_no' })
  expect(refused.problem).toMatchObject({ code: 'ride_not_found' })
  expect(refused.facts).toMatchObject({ environment: 'live', clock: 'frozen' })
})

test('the error for an unknown test card names the known ones', async () => {
  const trip = {
    pickup: { location: { latitude: 51.5134, longitude: -0.0889 } },
    dropoff: { location: { latitude: 51.5308, longitude: -0.1238 } },
  }
  const { quote_id } = (await sandbox.call<{ quote_id: string }>('quote_ride', trip)).value
  const pay = async (payment: object) =>
    (await sandbox.call('request_ride', { quote_id, tier: 'economy', payment })).problem
  expect(await pay({ method: 'card', payment_token: 'tok_visa' })).toMatchObject({
    code: 'payment_declined',
    detail: expect.stringContaining('tok_ok pays'),
  })
  expect(await pay({ method: 'card' })).toMatchObject({
    errors: [{ pointer: '/payment/payment_token', detail: expect.stringContaining('tok_ok pays') }],
  })
})
