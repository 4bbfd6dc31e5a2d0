/** An agent's whole task through the built program: over pipes and HTTP, on a local store and on a remote service. */
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../src/generated/tools.ts'
import { TOOLSETS } from '../../src/generated/toolsets.ts'
import { INSTRUCTIONS } from '../../src/mcp/instructions.ts'
import { findBasket, quoteFood } from '../support/agent-shopping.ts'
import { FROM, PARCEL_OF_KEYS, requestOf, TO } from '../support/deliveries.ts'
import { openHttp, openStdio, REVISIONS, serveMcp } from '../support/mcp-program.ts'
import type { McpClient } from '../support/mcp-program.ts'
import { makeParcel } from '../support/parcel.ts'
import { builtProgram, readServerUrl, startDray } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'

type Order = { order_id: string; status: string; total: { amount: number; currency: string } }

type OrderWithProof = {
  proof_of_delivery: { media: { media_id: string; url: string; byte_size: number; sha256: string }[] }
}

const home = mkdtempSync(join(tmpdir(), 'dray-mcp-'))
const env = { HOME: home, DRAY_HOME: home, DRAY_NOW: '2026-11-20T12:00:00.000Z', DRAY_SEED: '20261120' }
/** The facts about the service in each response, before the clock is moved. */
const FACTS = { time: env.DRAY_NOW, clock: 'frozen', environment: 'sandbox' }
const far = { ...env, DRAY_TOKEN: '', DRAY_BASE_URL: '' }
const servers: RunningProcess[] = []
let token: string
let tools: { url: string; server: RunningProcess }
let relay: { url: string; server: RunningProcess }

/** Runs a command that succeeds and returns its JSON document. */
async function dray<T>(words: readonly string[], more: Record<string, string> = env): Promise<T> {
  const ran = await startDray([...words, '--json'], { env: more }).ended
  if (ran.exitCode !== 0) throw new Error(`dray ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
  return ran.json<T>()
}

beforeAll(async () => {
  await builtProgram()
  const store = join(home, 'data/default/dray.db')
  const minted = await dray<{ token: string }>(['sandbox', 'account', 'token', 'everything'])
  token = minted.token
  const service = startDray(['serve', '--port', '0', '--json', '--store', store], { env })
  servers.push(service)
  far.DRAY_TOKEN = token
  far.DRAY_BASE_URL = await readServerUrl(service)
  tools = await serveMcp([], env)
  relay = await serveMcp(['--allow-confirm'], far)
  servers.push(tools.server, relay.server)
})

afterAll(async () => {
  for (const server of servers) server.kill('SIGTERM')
  const ended = await Promise.all(servers.map(({ ended: ran }) => ran))
  rmSync(home, { recursive: true, force: true })
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
})

/** Returns the token for callers of the relay, which only the relay knows. */
function relayToken(): string {
  const file = join(home, 'state/mcp/default.token')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  return readFileSync(file, 'utf8').trim()
}

const WAYS: Readonly<Record<string, () => Promise<McpClient>>> = {
  'over pipes, on the store of this machine': () => openStdio([], env, '2025-06-18'),
  'over pipes, on a service': () => openStdio(['--allow-confirm'], far, '2026-07-28'),
  'over HTTP, on the store of this machine': () => openHttp(tools.url, token, '2025-11-25'),
  'over HTTP, on a service': () => openHttp(relay.url, relayToken(), '2026-07-28'),
}

describe.each(Object.entries(WAYS))('%s', (way, open) => {
  let agent: McpClient
  beforeAll(async () => {
    agent = await open()
  })
  afterAll(() => agent.close())

  test('an agent quotes, shows the price, orders, and follows the order', async () => {
    const basket = await findBasket({
      call: async (name: string, input: Record<string, unknown>) => ({
        value: (await agent.call(name, input)).value,
      }),
    } as Parameters<typeof findBasket>[0])
    const { quote, confirm } = await quoteFood(agent, basket)
    const placed = await agent.call<Order>('place_food_order', confirm)
    expect(placed.problem).toBeUndefined()
    expect(placed.value).toMatchObject({ status: 'placed', total: quote.total })
    expect(JSON.parse(placed.text)).toEqual(placed.value)
    const again = await agent.call<Order>('place_food_order', confirm)
    expect(again).toMatchObject({ value: placed.value, replayed: true })
    const followed = await agent.call<Order>('get_food_order', { order_id: placed.value.order_id })
    expect(followed.value).toMatchObject({ order_id: placed.value.order_id, status: 'placed' })
    const fresh = await agent.call('place_food_order', {
      ...confirm,
      expected_total: quote.total,
      notes: 'By the back door',
    })
    expect(placed.facts).toEqual(FACTS)
    expect(fresh.facts).toEqual(FACTS)
    expect(fresh.problem).toMatchObject({
      code: 'quote_already_used',
      order_id: placed.value.order_id,
      current_status: 'placed',
      hint: 'It was already bought and must not be bought again: call get_food_order with the ID given here.',
    })
    await agent.call('cancel_food_order', { order_id: placed.value.order_id })
    expect((await agent.call('place_food_order', confirm)).problem).toMatchObject({
      code: 'quote_already_used',
      order_id: placed.value.order_id,
      current_status: 'cancelled',
    })
  })

  test('an agent sends a parcel, and opens the label at the link that comes with it', async () => {
    const parcel = makeParcel({ reference: `LABEL-${Object.keys(WAYS).indexOf(way)}` })
    const { content } = await agent.client.callTool({ name: 'create_shipment', arguments: parcel })
    const [uri] = content.flatMap((part) => (part.type === 'resource_link' ? [part.uri] : []))
    const [label] = (await agent.client.readResource({ uri: uri ?? '' })).contents
    const blob = label !== undefined && 'blob' in label ? label.blob : ''
    expect(Buffer.from(blob, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
  })
})

test('spending at a store, by its path or by the address of its service, counts in one ledger', () => {
  const folder = join(home, 'state/mcp')
  const ledgers = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const purses = ledgers.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).purse as unknown)
  const service = realpathSync(join(home, 'data/default/dray.db'))
  expect(purses).toEqual([{ service, account: expect.stringMatching(/^cus_/) as string }])
})

test('the relay and the service behind it each have their own token', async () => {
  expect(relayToken()).toMatch(/^dray_mcp_[\w-]{43}$/)
  await expect(openHttp(relay.url, token)).rejects.toThrow(/invalid_token/)
  const headers = { Authorization: `Bearer ${relayToken()}` }
  expect((await fetch(`${far.DRAY_BASE_URL}/v1/me/membership`, { headers })).status).toBe(401)
  const { origin } = new URL(relay.url)
  for (const path of ['healthz', 'readyz']) expect((await fetch(`${origin}/${path}`)).status).toBe(200)
  // This server has no login: callers read the token from a file.
  expect((await fetch(`${origin}/.well-known/oauth-protected-resource`)).status).toBe(404)
})

test('HTTP, tool and command give the same object for the same call', async () => {
  const parcel = {
    reference: 'SAME-1',
    recipient: {
      contact: { name: 'Grace Okoro' },
      address: { line1: '2 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
    },
    parcel: { weight_grams: 500, length_mm: 300, width_mm: 200, height_mm: 100 },
    service_level: 'next_day',
  }
  const overHttp = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${far.DRAY_BASE_URL}${path}`, {
      headers: {
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': 'the-same',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return response.json()
  }
  const agent = await openHttp(tools.url, token)
  const problem = (found: unknown) => {
    const {
      hint: _hint,
      request_id: _id,
      instance: _instance,
      exit_code: _exit,
      ...rest
    } = found as Record<string, unknown>
    return rest
  }

  const made = await overHttp('/v1/shipments', parcel)
  expect(made).toMatchObject({ reference: 'SAME-1' })
  const { tracking_number } = made as { tracking_number: string }
  const short = (await agent.call('create_shipment', { ...parcel, idempotency_key: 'the-same' })).value
  expect(short).toMatchObject({ tracking_number, reference: 'SAME-1', status: 'pre_transit' })
  expect((await agent.call('get_shipment', { tracking_number, fields: 'all' })).value).toEqual(made)
  const SURE = ['--yes', '--max-total', '100', '--json']
  const input = startDray(
    ['api', 'create_shipment', '--input', '-', '--idempotency-key', 'the-same', ...SURE],
    {
      env: far,
      input: JSON.stringify(parcel),
    },
  )
  expect((await input.ended).json()).toEqual(made)

  const unknown = 'ord_01m7vkystgfp1b10jk5dh9yvxy'
  const missing = problem(await overHttp(`/v1/food/orders/${unknown}`))
  expect(missing).toMatchObject({ code: 'order_not_found' })
  expect(problem((await agent.call('get_food_order', { order_id: unknown })).problem)).toEqual(missing)
  const ran = await startDray(['api', 'get_food_order', '--order-id', unknown, '--json'], { env: far }).ended
  expect(problem(ran.json())).toEqual(missing)
  await agent.close()
})

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  test.each(['pipes', 'HTTP'] as const)(
    'lists the tools over %s, and hears what the server is',
    async (way) => {
      const agent = await (way === 'pipes'
        ? openStdio([], env, revision)
        : openHttp(tools.url, token, revision))
      const { tools: listed } = await agent.client.listTools()
      expect(listed).toEqual(TOOLS.filter(({ toolset }) => toolset === undefined).map((tool) => tool.listed))
      expect(agent.client.getNegotiatedProtocolVersion()).toBe(revision)
      expect(agent.client.getServerVersion()).toMatchObject({ name: 'dray' })
      expect(agent.client.getInstructions()).toBe(
        `${INSTRUCTIONS}\nThe server's clock is frozen at ${env.DRAY_NOW}: nothing happens automatically, so do not poll. The user can advance it with \`dray sandbox clock advance 15m\`. This is a sandbox: no real money, no real people.`,
      )
      expect(agent.stderr()).toBe('')
      await agent.close()
    },
  )
})

test('with --output-schemas every response is checked against what was listed', async () => {
  const agent = await openStdio(['--output-schemas', '--toolsets', 'account,food,carrier'], env)
  const { tools: listed } = await agent.client.listTools()
  expect(listed.every(({ outputSchema }) => outputSchema?.['type'] === 'object')).toBe(true)
  const { value } = await agent.call<{ data: { merchant_id: string }[] }>('search_restaurants', {
    latitude: 51.5129,
    longitude: -0.0864,
  })
  const menu = await agent.call('get_restaurant_menu', { merchant_id: value.data[0]?.merchant_id })
  expect(menu.problem).toBeUndefined()
  // A failure has no structured content to check.
  expect((await agent.call('get_restaurant_menu', { merchant_id: 'mer_no' })).problem).toMatchObject({
    code: 'merchant_not_found',
  })
  await agent.close()
})

test('a tool outside the chosen ones or the account’s scopes cannot be called', async () => {
  const reader = await openStdio(['--read-only', '--toolsets', 'rides', '--exclude', 'list_rides'], env)
  const { tools: left } = await reader.client.listTools()
  expect(left.map(({ name }) => name)).toEqual(['search_ride_options', 'quote_ride', 'get_ride'])
  await expect(reader.call('request_ride')).rejects.toThrow(/Unknown tool: request_ride/)
  await reader.close()
  const shipper = await openStdio(['--as', 'shipper'], env)
  const { tools: own } = await shipper.client.listTools()
  expect(own.map(({ name }) => name)).toContain('create_shipment')
  expect(own.map(({ name }) => name).filter((name) => /order|ride|catalog/.test(name))).toEqual([])
  await expect(shipper.call('place_food_order')).rejects.toThrow(/Unknown tool/)
  await shipper.close()
})

test('a token for a service is listed what it may do there', async () => {
  const words = ['sandbox', 'account', 'token', 'everything', '--scope', 'rides.read']
  const { token: narrow } = await dray<{ token: string }>(words)
  const agent = await openStdio([], { ...far, DRAY_TOKEN: narrow })
  const { tools: listed } = await agent.client.listTools()
  const rides = ['search_ride_options', 'quote_ride', 'get_ride', 'list_rides', 'cancel_ride']
  expect(listed.map(({ name }) => name)).toEqual(rides)
  expect(agent.stderr()).toBe('')
  await agent.close()
})

test('the first run creates a sandbox, says so beside the messages, and responds', async () => {
  const fresh = { ...env, DRAY_HOME: join(home, 'fresh') }
  const input = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_rides"}}\n'
  const { stdout, stderr, exitCode } = await startDray(['mcp'], { env: fresh, input }).ended
  expect(exitCode).toBe(0)
  expect(stderr).toMatch(/^Created a sandbox in /)
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { structuredContent: { data: [] } } })
})

test('ten thousand messages and a hundred that are none leave nothing on stdout but messages', async () => {
  const hello = {
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }
  const message = (body: object): string => JSON.stringify({ jsonrpc: '2.0', ...body })
  const lines = Array.from({ length: 10_000 }, (_, id) => {
    if (id % 100 === 0) return `no message ${id}`
    if (id % 50 === 1) return message({ id, method: 'tools/call', params: { name: 'get_membership_status' } })
    return message(id % 5 === 2 ? { id, method: 'ping' } : { method: 'notifications/none' })
  })
  const { stdout, stderr, exitCode } = await startDray(['mcp', '--debug'], {
    env,
    input: `${[message(hello), ...lines].join('\n')}\n`,
  }).ended
  expect(exitCode).toBe(0)
  // Messages that are not responses go to stderr only.
  expect(stderr).not.toContain('"jsonrpc"')
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id: unknown; error?: { code: number } })
  expect(new Set(answers.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(['2.0']))
  expect(answers.filter(({ error }) => error?.code === -32_700)).toHaveLength(100)
  expect(answers.filter(({ id }) => typeof id === 'number')).toHaveLength(2200)
  expect(answers).toHaveLength(2301)
})

test.each([
  ['the store of this machine', () => ({ words: [] as string[], more: env as Record<string, string> })],
  ['a service elsewhere', () => ({ words: ['--allow-confirm'], more: far as Record<string, string> })],
])(
  'a call to %s that is cancelled at once is not made, and those beside it are answered',
  async (where, open) => {
    const { words, more } = open()
    const reference = `TAKEN-BACK-${where.length}`
    const message = (body: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    const tool = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } })
    const lines = [
      message({ id: 'hello', method: 'initialize', params: hello }),
      message({ id: 1, ...tool('create_shipment', makeParcel({ reference })) }),
      message({ method: 'notifications/cancelled', params: { requestId: 1 } }),
      message({ id: 2, ...tool('get_ride', { ride_id: 'a\0b' }) }),
      '{"method":"ping","method":"ping","jsonrpc":"2.0","id":3}\n',
    ]
    const ran = await startDray(['mcp', ...words], { env: more, input: lines.join('') }).ended
    const answers = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number }; result?: object })
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(['hello', 2, 3]))
    expect(answers).toHaveLength(3)
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ isError: true })
    expect(answers.find(({ id }) => id === 3)?.error?.code).toBe(-32_700)
    expect((await dray<{ data: unknown[] }>(['carrier', 'list', '--reference', reference])).data).toEqual([])
  },
)

test('an unknown name at the start is rejected with the names that are known', async () => {
  const ran = await startDray(['mcp', '--toolsets', 'pizza', '--json'], { env }).ended
  expect(ran.exitCode).toBe(2)
  expect(ran.json()).toMatchObject({
    code: 'usage',
    detail: '--toolsets: unknown "pizza".',
    hint: `Available: ${TOOLSETS.join(', ')}.`,
  })
})

test('an agent sees the proof of a delivery, and fetches its picture with its own token only', async () => {
  const agents = [await openHttp(tools.url, token), await openHttp(relay.url, relayToken())]
  const [agent, far] = agents as [McpClient, McpClient]
  const run = { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS }
  const { quote_id } = (await agent.call<{ quote_id: string }>('quote_delivery', run)).value
  const asked = requestOf(quote_id)
  const { delivery_id } = (await agent.call<{ delivery_id: string }>('request_delivery', asked)).value
  const before = await agent.call('get_delivery', { delivery_id })
  expect(before.images).toEqual([])
  await dray(['sandbox', 'clock', 'advance', '2h', '--store', join(home, 'data/default/dray.db')])

  const shown = await agent.call<OrderWithProof>('get_delivery', { delivery_id, fields: 'all' })
  const { media } = shown.value.proof_of_delivery
  const [picture] = media
  if (picture === undefined) throw new Error('the proof has no picture')
  const bytes = Buffer.from(shown.images.at(-1)?.data ?? '', 'base64')
  expect(shown.images.at(-1)?.mimeType).toBe('image/png')
  expect(bytes).toHaveLength(picture.byte_size)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(picture.sha256)
  expect(shown.text).toContain(`Picture ${picture.media_id}:`)
  expect(shown.facts).toEqual({ ...FACTS, time: '2026-11-20T14:00:00.000Z' })
  // A remote service returns the same picture and time.
  const same = await far.call<OrderWithProof>('get_delivery', { delivery_id })
  expect([same.images, same.facts]).toEqual([shown.images, shown.facts])

  for (const [url, own, foreign] of [
    [tools.url, token, relayToken()],
    [relay.url, relayToken(), token],
  ] as const) {
    const address = new URL(picture.url, url)
    const fetched = await fetch(address, { headers: { Authorization: `Bearer ${own}` } })
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(fetched.headers.get('environment')).toBe('sandbox')
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(bytes)
    expect((await fetch(address)).status).toBe(401)
    expect((await fetch(address, { headers: { Authorization: `Bearer ${foreign}` } })).status).toBe(401)
  }
  const { token: stranger } = await dray<{ token: string }>(['sandbox', 'account', 'token', 'member'])
  const refused = await fetch(new URL(picture.url, tools.url), {
    headers: { Authorization: `Bearer ${stranger}` },
  })
  expect(refused.status).toBe(404)
  // A new connection gets the present time.
  const late = await openHttp(relay.url, relayToken())
  expect(late.client.getInstructions()).toContain('is frozen at 2026-11-20T14:00:00.000Z')
  for (const each of [...agents, late]) await each.close()
})

test('sets Cursor up in its own file, and leaves what is there', async () => {
  const path = join(home, '.cursor/mcp.json')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '{\n  // mine\n  "mcpServers": { "gh": {} }\n}\n')
  await dray(['mcp', 'install', 'cursor', '--yes'])
  const after = readFileSync(path, 'utf8')
  expect(after).toContain('  // mine\n')
  expect(after).toContain('"command":')
  expect(await dray(['mcp', 'install', 'cursor', '--yes'])).toMatchObject({ changed: false })
})
