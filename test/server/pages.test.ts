/** Browsers at the pages of a service: who is let in, for how long, and what each may do and hear. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { PAGE_NAMES, PAGES } from '../../src/core/pages.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { WEB } from '../../src/generated/web.ts'
import { openPageBackend } from '../../src/host/page-backend.ts'
import { endApprovals } from '../../src/oauth/approvers.ts'
import { CONTROLS } from '../../src/sandbox/control/index.ts'
import type { PageEvent } from '../../src/server/pages/backend.ts'
import { makeBroadcaster } from '../../src/server/pages/event-broadcaster.ts'
import { toEventNotice } from '../../src/server/pages/rights.ts'
import { askForToken } from '../support/devices.ts'
import { exampleInput } from '../support/example-input.ts'
import { makeCaseExample } from '../support/examples.ts'
import { linkFor, visit, type Visitor } from '../support/page-links.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestRemote } from '../support/remote-client.ts'
import { NOON_MS, serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { listPrivateCells, strangerTo } from '../support/strangers.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

const loaded = await Promise.all(NAMES.map((name) => load(name)))
const operations: AnyOperation[] = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))

/** Each operation that a page calls, with its scope. */
const PAGE_CALLS = PAGE_NAMES.flatMap((page) =>
  Object.entries(PAGES[page].calls).flatMap(([scope, names]) =>
    (names as readonly string[]).map((name) => ({ page, scope: scope as Scope, name })),
  ),
)

function operationOf(name: string): AnyOperation {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

let machine = NOON_MS
let served: ServedStore
let world: TestSandbox

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load }, now: () => machine })
  world = sandboxOverStore(served.db)
})

const open = (link: string, init: RequestInit = {}): Promise<Response> =>
  fetch(link, { redirect: 'manual', ...init })
const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { code?: unknown }).code,
]

describe('a browser without a link', () => {
  const UA = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  /** Asks for a code, as the form of the sign-in page does. Returns the browser's cookie. */
  async function askForCode(page: string, headers: Record<string, string> = {}) {
    const asked = await open(`${served.url}/pages/sign-in`, {
      method: 'POST',
      headers: { origin: served.url, 'user-agent': UA, ...headers },
      body: new URLSearchParams({ page }),
    })
    const [cookie = ''] = (asked.headers.get('set-cookie') ?? '').split(';', 1)
    const look = (init: RequestInit = {}): Promise<Response> =>
      open(`${served.url}/pages/sign-in?page=${page}`, { headers: { cookie }, ...init })
    return { asked, cookie, look }
  }
  const decide = (userCode: string, input: object): Promise<Response> =>
    fetch(`${served.url}/sandbox/devices/${userCode}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  const codeIn = (text: string): string => /[B-Z]{4}-[B-Z]{4}/.exec(text)?.[0] ?? ''

  test('shows a code, and is signed in to its page once a person approved it, once', async () => {
    const typed = await open(`${served.url}/kitchen`)
    expect([typed.status, typed.headers.get('location')]).toEqual([303, '/pages/kitchen'])
    const entry = await (await open(`${served.url}/pages/kitchen`)).text()
    expect(entry).toContain('Sign in with a code')
    const { asked, cookie, look } = await askForCode('kitchen')
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/pages/sign-in?page=kitchen'])
    expect(asked.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^dray_sign_in_${served.port}=dray_dev_[\\w-]{43}; Max-Age=600; Path=/pages; HttpOnly; SameSite=Lax$`,
      ),
    )
    const waiting = await look()
    expect([waiting.status, waiting.headers.get('refresh')]).toEqual([200, '5'])
    const userCode = codeIn(await waiting.text())
    // The code of a browser gives no tokens.
    const secret = cookie.slice(cookie.indexOf('=') + 1)
    expect(await askForToken(served, { deviceCode: secret, userCode, address: '' })).toMatchObject({
      error: 'invalid_grant',
    })
    const approved = await decide(userCode, { account: 'owner' })
    expect(await approved.json()).toMatchObject({ status: 'approved', device: 'Firefox on Linux' })
    // Programs that look ahead send HEAD.
    expect((await look({ method: 'HEAD', headers: { cookie } })).headers.get('set-cookie')).toBe(null)

    const done = await look()
    expect([done.status, done.headers.get('location')]).toEqual([303, '/pages/kitchen'])
    const session = done.headers.get('set-cookie') ?? ''
    expect(session).toMatch(/^dray_kitchen_\d+=dray_pgs_[\w-]{43}; Max-Age=604800; Path=\/pages; HttpOnly;/)
    const kitchen = await open(`${served.url}/pages/kitchen`, {
      headers: { cookie: session.split(';', 1)[0] ?? '' },
    })
    expect([kitchen.status, await kitchen.text()]).toEqual([
      200,
      expect.stringContaining('data-account="owner"') as string,
    ])
    const again = await look()
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
  })

  test('learns that it was denied, and gets no code for a page of another origin', async () => {
    const { look } = await askForCode('parcels')
    await decide(codeIn(await (await look()).text()), { deny: true })
    expect(await (await look()).text()).toContain('The sign-in was denied')
    for (const headers of [{ origin: 'https://elsewhere.example' }, { origin: '' }])
      expect((await askForCode('kitchen', headers)).asked.status).toBe(403)
  })
})

describe('a link', () => {
  test('signs one browser in, once, and leads to its page', async () => {
    const link = await linkFor(served, 'owner', 'kitchen')
    // Programs that preview links send HEAD.
    expect((await open(link, { method: 'HEAD' })).headers.get('set-cookie')).toBe(null)
    const opened = await open(link)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/pages/kitchen'])
    expect(opened.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^dray_kitchen_${served.port}=dray_pgs_[\\w-]{43}; Max-Age=604800; Path=/pages; HttpOnly; SameSite=Lax$`,
      ),
    )
    const again = await open(link)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
    expect(await again.text()).toContain('This link is no longer valid')
  })

  test('is void after ten minutes, and a session after a week without a look', async () => {
    const [late, good] = [await linkFor(served, 'owner'), await visit(served, 'owner')]
    machine = NOON_MS + 600_000
    expect((await open(late)).status).toBe(403)
    const look = (): Promise<Response> =>
      open(`${served.url}/pages/kitchen`, { headers: { cookie: good.cookie } })
    machine = NOON_MS + 6 * 86_400_000
    const prolonged = await look()
    expect([prolonged.status, prolonged.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringContaining(good.cookie),
    ])
    machine = NOON_MS + 12 * 86_400_000
    expect((await look()).status).toBe(200)
    machine = NOON_MS + 20 * 86_400_000
    expect((await look()).status).toBe(401)
    expect(await codeOf(await good.call('list_business_orders'))).toEqual([401, 'invalid_token'])
    machine = NOON_MS
  })

  test('of a program’s token has its scopes, and ends with it', async () => {
    const token = await served.token('everything', { scopes: ['orders.read'] })
    const made = await fetch(`${served.url}/pages/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{"page":"kitchen"}',
    })
    const { path } = (await made.json()) as { path: string }
    const opened = await open(served.url + path)
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';', 1)
    const page = (): Promise<Response> => open(`${served.url}/pages/kitchen`, { headers: { cookie } })
    expect(await (await page()).text()).toContain('data-scopes="orders.read"')
    await fetch(`${served.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
    expect((await page()).status).toBe(401)
    const refused = await fetch(`${served.url}/pages/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
    })
    expect(await codeOf(refused)).toEqual([401, 'invalid_token'])
  })

  test('made with the control token ends with that token', async () => {
    const [own, control] = [
      await visit(served, 'owner', { scopes: ['orders.read'] }),
      await visit(served, 'owner'),
    ]
    await endApprovals(served.db)
    const status = async ({ call }: Visitor): Promise<number> => (await call('list_business_orders')).status
    expect([await status(own), await status(control)]).toEqual([200, 401])
  })

  test('never makes more than a hundred sessions of an account', async () => {
    const first = await visit(served, 'chain')
    for (let count = 0; count < 100; count++) {
      // The oldest makes room.
      machine += 1
      await open(await linkFor(served, 'chain'))
    }
    machine = NOON_MS
    expect((await first.call('list_business_orders')).status).toBe(401)
    const rows = await served.db.read((tx) => tx.all('select kind from page_sessions'))
    expect(rows.length).toBeLessThan(120)
  })
})

describe('a call of a page', () => {
  let owner: Visitor
  beforeAll(async () => {
    owner = await visit(served, 'owner')
  })

  test('must come from a page of this service', async () => {
    const send = async (headers: Record<string, string>): Promise<unknown> =>
      codeOf(
        await fetch(`${served.url}/pages/call/list_business_orders`, { method: 'POST', headers, body: '{}' }),
      )
    const { cookie } = owner
    const right = { cookie, origin: served.url, 'dray-page': 'kitchen' }
    const foreign = [403, 'origin_not_allowed']
    expect({
      right: (await owner.call('list_business_orders')).status,
      'no cookie': await send({ origin: served.url, 'dray-page': 'kitchen' }),
      'a made-up cookie': await send({ ...right, cookie: `${cookie.slice(0, -2)}AA` }),
      'two cookies': await send({ ...right, cookie: `${cookie}; ${cookie}` }),
      'no origin': await send({ cookie, 'dray-page': 'kitchen' }),
      'another origin': await send({ ...right, origin: 'http://evil.example' }),
      'another port': await send({ ...right, origin: 'http://127.0.0.1:1' }),
      'a form': await send({ cookie, origin: served.url }),
      'another site': await send({ ...right, 'sec-fetch-site': 'same-site' }),
    }).toEqual({
      right: 200,
      'no cookie': [401, 'missing_token'],
      'a made-up cookie': [401, 'invalid_token'],
      'two cookies': [401, 'missing_token'],
      'no origin': foreign,
      'another origin': foreign,
      'another port': foreign,
      'a form': foreign,
      'another site': foreign,
    })
    // The secret of a browser is no token of the interface.
    const bearer = await fetch(`${served.url}/v1/business/orders`, {
      headers: { authorization: `Bearer ${cookie.split('=')[1]}` },
    })
    expect(await codeOf(bearer)).toEqual([401, 'invalid_token'])
  })

  test('meets the same checks as a call of a program', async () => {
    expect(await codeOf(await owner.call('no_such_operation'))).toEqual([404, 'route_not_found'])
    expect(await codeOf(await owner.call('list_business_orders', { active: 'yes' }))).toEqual([
      400,
      'invalid_request',
    ])
    expect(await codeOf(await owner.call('place_food_order', { quote_id: 'quo_1' }))).toEqual([
      403,
      'insufficient_scope',
    ])
  })

  test('with the same key is one call', async () => {
    const { data } = await world.ok('list_catalog_items', { limit: 1 }, { as: 'owner' })
    const input = { item_id: data[0]?.item_id, available: true }
    const [one, other] = await Promise.all(
      [1, 2].map(() => owner.call('set_catalog_item_availability', input, { 'idempotency-key': 'click' })),
    )
    expect(await one?.text()).toBe(await other?.text())
    const replayed = [one, other].filter((answer) => answer?.headers.get('idempotent-replayed') === 'true')
    expect(replayed).toHaveLength(1)
  })

  test('opens what the scopes of its session open, and nothing else', async () => {
    const told: Record<string, unknown> = {}
    for (const { page, scope, name } of PAGE_CALLS) {
      const scopes = [[scope], SCOPES.filter((each) => each !== scope)] as const
      const key = { 'idempotency-key': `${name}-of-pages` }
      const [only, allBut] = await Promise.all(
        scopes.map(async (given) => {
          const visitor = await visit(served, 'everything', { page, scopes: given })
          const answer = await visitor.call(name, exampleInput(operationOf(name)), key)
          return ((await answer.json()) as { code?: unknown }).code
        }),
      )
      told[name] = [only === 'insufficient_scope', allBut]
    }
    expect(told).toEqual(
      Object.fromEntries(PAGE_CALLS.map(({ name }) => [name, [false, 'insufficient_scope']])),
    )
  })

  const called = operations.filter(({ name: own }) => PAGE_CALLS.some(({ name }) => name === own))
  test.each(listPrivateCells(called).map((cell) => [cell.operation.name, cell.member, cell] as const))(
    '%s hides their %s from the page of somebody else',
    async (_name, member, { operation, nobodys }) => {
      const input = await makeCaseExample(world, operation, strangerTo(operation))
      const page = PAGE_CALLS.find(({ name }) => name === operation.name)?.page ?? 'kitchen'
      const everything = await visit(served, 'everything', { page })
      const tell = async (given: Record<string, unknown>): Promise<[status: number, body: string]> => {
        const answer = await everything.call(operation.name, given, {
          'idempotency-key': `${operation.name}-${member}-${String(given[member])}`,
        })
        const {
          request_id: _,
          instance: _instance,
          ...problem
        } = (await answer.json()) as Record<string, unknown>
        return [answer.status, JSON.stringify(problem).replaceAll(String(given[member]), '…')]
      }
      const hidden = await tell(input)
      expect(hidden).toEqual(await tell({ ...input, [member]: nobodys }))
      expect(hidden[0]).toBe(404)
    },
  )
})

describe('the switches of the sandbox', () => {
  let keeper: Visitor
  let program: Visitor
  beforeAll(async () => {
    keeper = await visit(served, 'owner', { page: 'world' })
    program = await visit(served, 'everything', { page: 'world', scopes: SCOPES })
  })

  test('are for a browser with a link of the control token, and for no other', async () => {
    const clock = await keeper.control('get_clock')
    expect([clock.status, await clock.json()]).toEqual([200, expect.objectContaining({ mode: 'frozen' })])
    const refused = await Promise.all(
      Object.keys(CONTROLS).map(async (name) => [name, await codeOf(await program.control(name))]),
    )
    expect(refused).toEqual(Object.keys(CONTROLS).map((name) => [name, [403, 'insufficient_scope']]))
    expect(await codeOf(await keeper.control('get_clock', {}, { origin: 'http://evil.example' }))).toEqual([
      403,
      'origin_not_allowed',
    ])
    expect(await codeOf(await keeper.control('get_clock', {}, { cookie: '' }))).toEqual([
      401,
      'missing_token',
    ])
    expect(await codeOf(await keeper.control('no_such_call'))).toEqual([404, 'route_not_found'])
    expect(await codeOf(await keeper.control('set_clock', { mode: 'backwards' }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  test('let their holder call as any account, with its scopes, and no other browser', async () => {
    const asMember = { 'dray-as': 'member' }
    expect((await keeper.call('list_food_orders', {}, asMember)).status).toBe(200)
    expect(await codeOf(await keeper.call('list_business_orders', {}, asMember))).toEqual([
      403,
      'insufficient_scope',
    ])
    expect(await codeOf(await program.call('list_food_orders', {}, asMember))).toEqual([
      403,
      'insufficient_scope',
    ])
  })

  test('open the sandbox to their holder, who sees every event there', async () => {
    const show = async ({ cookie }: Visitor): Promise<[status: number, text: string]> => {
      const page = await open(`${served.url}/pages/world`, { headers: { cookie } })
      return [page.status, await page.text()]
    }
    expect(await show(keeper)).toEqual([200, expect.stringContaining('data-by-control')])
    expect(await show(program)).toEqual([
      403,
      expect.stringContaining('World is for the sandbox administrator'),
    ])
    const events = async ({ cookie }: Visitor, page: string) =>
      (await fetch(`${served.url}/pages/events?page=${page}`, { headers: { cookie } })).body?.getReader()
    const own = await visit(served, 'owner')
    const [all, kitchen, foreign] = [
      await events(keeper, 'world'),
      await events(own, 'kitchen'),
      await events(program, 'world'),
    ]
    // The first one hears the clock once the service looks for events; only then something may happen.
    await readUntil(all, 'event: time')
    for (const reader of [kitchen, foreign]) await readUntil(reader, 'event: hello')
    await world.ok('create_shipment', makeParcel(), { as: 'shipper', key: 'seen-by-the-keeper' })
    expect(await readUntil(all, 'event: change')).toContain('shipment.created')
    await keeper.control('set_clock', { mode: 'scaled', factor: 2 })
    for (const reader of [kitchen, foreign])
      expect(await readUntil(reader, '"rate":2')).not.toContain('shipment.created')
    await keeper.control('set_clock', { mode: 'frozen' })
    for (const reader of [all, kitchen, foreign]) await reader?.cancel()
  })

  test('do not exist where the service has none', async () => {
    const live = await serveStore({ registry: { NAMES, load }, control: false })
    const visitor = await visit(live, 'owner', { page: 'world' })
    expect(await codeOf(await visitor.control('get_clock'))).toEqual([403, 'insufficient_scope'])
    expect(await codeOf(await visitor.call('list_food_orders', {}, { 'dray-as': 'member' }))).toEqual([
      403,
      'insufficient_scope',
    ])
    const page = await open(`${live.url}/pages/world`, { headers: { cookie: visitor.cookie } })
    expect(page.status).toBe(403)
  })

  test('are not needed to read what a request looks like', async () => {
    const read = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${served.url}/pages/requests${path}`)).json()) as Record<string, unknown>
    expect((await read(''))['data']).toHaveLength(NAMES.length)
    expect(await read('/place_food_order')).toMatchObject({
      method: 'POST',
      path: '/v1/food/orders',
      scope: 'food.order',
      command: 'dray food order',
      fields: expect.arrayContaining([
        expect.objectContaining({ name: 'quote_id', type: 'string', required: true }),
        expect.objectContaining({ name: 'payment.method', required: true }),
      ]),
      example: { curl: expect.stringContaining('curl'), dray: expect.stringContaining('dray') },
    })
    expect(await read('/no_such_operation')).toMatchObject({ code: 'route_not_found' })
  })
})

/** Reads a stream until it tells something; returns all of it so far. */
async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  told: string,
): Promise<string> {
  let text = ''
  while (!text.includes(told)) {
    const part = await reader?.read()
    if (part === undefined || part.done) throw new Error(`the stream ended before it told ${told}`)
    text += new TextDecoder().decode(part.value)
  }
  return text
}

describe('a page', () => {
  test('of an account without the permission names its account, and has no content', async () => {
    const { cookie } = await visit(served, 'member')
    const kitchen = await open(`${served.url}/pages/kitchen`, { headers: { cookie } })
    expect([kitchen.status, await kitchen.text()]).toEqual([
      403,
      expect.stringContaining('Kitchen is not for this account'),
    ])
    const list = await (await open(`${served.url}/pages`, { headers: { cookie } })).text()
    expect(list).toContain('member has no orders.read')
  })

  test('runs only its own scripts, and its files keep for ever', async () => {
    const { cookie } = await visit(served, 'owner')
    const page = await open(`${served.url}/pages/kitchen`, { headers: { cookie } })
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';(?!.*unsafe)/,
    )
    expect(await page.text()).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/)
    for (const name of [
      WEB.kitchen.script,
      WEB.kitchen.style,
      WEB.world.script,
      WEB.world.style,
      WEB.start.style,
    ]) {
      const file = await open(`${served.url}/pages/files/${name}`)
      expect([file.status, file.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      // A page must be there at once, on a bad network too. The world brings its map and places its names; the kitchen brings
      // the sums of the service, so that money is seen before it goes back, the rule of what is left to be cooked, and the
      // placing of its tickets.
      const most = name === WEB.kitchen.script ? 114_000 : name === WEB.world.script ? 76_000 : 60_000
      expect((await file.arrayBuffer()).byteLength).toBeLessThan(most)
    }
    expect((await open(`${served.url}/pages/files/start-x.js`)).status).toBe(404)
  })
})

describe('events', () => {
  const account = (handle: string, scopes: readonly Scope[] = SCOPES) => ({
    account: {
      account_id: `cus_${handle}`,
      handle,
      name: handle,
      scopes,
      membership: {
        status: 'none' as const,
        plan_code: null,
        current_period_start: null,
        current_period_end: null,
        anchor_day: null,
        cancel_at_period_end: false,
      },
      carrierAgreement: {
        agreement_id: `agr_c_${handle}`,
        kind: 'carrier' as const,
        status: 'active' as const,
      },
      businessAgreement: {
        agreement_id: `agr_b_${handle}`,
        kind: 'business' as const,
        status: 'active' as const,
      },
    },
    scopes,
  })
  const order: PageEvent = {
    seq: 1,
    type: 'food_order.placed',
    resource_id: 'ord_1',
    owner_id: 'cus_ana',
    order_id: 'ord_1',
    counterparty_id: 'agr_b_bob',
  }

  test('reach the owner and the store of an order, and no other account', () => {
    expect({
      ana: toEventNotice(account('ana'), order),
      bob: toEventNotice(account('bob'), order),
      eve: toEventNotice(account('eve'), order),
      'ana without the scope': toEventNotice(account('ana', ['orders.read', 'rides.read']), order),
      'bob without the scope': toEventNotice(account('bob', ['food.read', 'orders.manage']), order),
      'the payment, to bob': toEventNotice(account('bob'), {
        ...order,
        type: 'payment.paid',
        resource_id: 'pay_1',
      }),
      'of another kind': toEventNotice(account('ana'), {
        ...order,
        type: 'riddle.solved',
        counterparty_id: null,
      }),
      'a parcel': toEventNotice(account('ana'), {
        ...order,
        type: 'shipment.created',
        owner_id: 'agr_c_ana',
      }),
    }).toEqual({
      ana: { type: 'food_order.placed', id: 'ord_1' },
      bob: { type: 'order.placed', id: 'ord_1' },
      eve: undefined,
      'ana without the scope': undefined,
      'bob without the scope': undefined,
      'the payment, to bob': { type: 'order.paid', id: 'ord_1' },
      'of another kind': undefined,
      'a parcel': { type: 'shipment.created', id: 'ord_1' },
    })
  })

  test('tell the kitchen of ticks and settings, and the customer of neither', () => {
    const tick = { ...order, type: 'food_order.ticked', owner_id: 'agr_b_bob' }
    const settings = {
      ...tick,
      type: 'store.settings_changed',
      resource_id: 'mer_1',
      order_id: null,
      counterparty_id: null,
    }
    const cook = account('bob', ['orders.read'])
    expect([toEventNotice(cook, tick), toEventNotice(cook, settings)]).toEqual([
      { type: 'order.ticked', id: 'ord_1' },
      { type: 'store.settings_changed', id: 'mer_1' },
    ])
    expect([toEventNotice(account('ana'), tick), toEventNotice(account('ana'), settings)]).toEqual([
      undefined,
      undefined,
    ])
  })

  test('reach those who listen, and a stream ends with its session', async () => {
    const [owner, other] = [await visit(served, 'owner'), await visit(served, 'shipper')]
    const listen = ({ cookie }: Visitor): Promise<Response> =>
      fetch(`${served.url}/pages/events?page=kitchen`, { headers: { cookie } })
    const [heard, silent] = [await listen(owner), await listen(other)]
    const reader = (heard.body as ReadableStream<Uint8Array>).getReader()
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toContain(`event: hello\ndata: {"build":"${WEB.kitchen.script}"`)
    expect(await read()).toContain(`event: time\ndata: {"now":`)
    const { data } = await world.ok('list_catalog_items', { limit: 1 }, { as: 'owner' })
    const item = { item_id: data[0]?.item_id ?? '', available: false }
    await world.ok('set_catalog_item_availability', item, { as: 'owner' })
    expect(await read()).toContain(`event: change\ndata: [{"type":"catalog_item.`)

    await fetch(`${served.url}/pages/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: owner.cookie, origin: served.url },
    })
    expect((await reader.read()).done).toBe(true)
    expect((await listen(owner)).status).toBe(401)
    // The other stream heard nothing of it, and ends when the service does.
    await served.restart()
    expect(await silent.text()).not.toContain('event: change')
  })

  test('end when the store is reset, so that every page looks at everything anew', async () => {
    const events = [
      { generation: 'first', seq: 40 },
      { generation: 'second', seq: 7 },
    ].values()
    const hub = makeBroadcaster({
      desk: {
        readEvents: async () => ({
          events: [],
          last: events.next().value ?? { generation: 'second', seq: 7 },
          time: { now: NOON_MS, rate: 0 },
        }),
        liveSessions: async (ids) => new Set(ids),
      },
      elapsed: () => 0,
      onError: (error) => served.bugs.push(error),
    })
    const session = { ...account('ana'), id: 'a session', control: false, byControl: false }
    const { promise, resolve } = Promise.withResolvers<string>()
    const stop = hub.listen(session, { build: 'build', everything: false }).open(
      () => undefined,
      () => resolve('ended'),
    )
    expect(await promise).toBe('ended')
    stop()
  })

  test('of a thousand pages cost one question to the store', async () => {
    const desk = openPageBackend(
      { db: served.db },
      { now: () => NOON_MS, random: (count) => new Uint8Array(count) },
    )
    let asked = 0
    const hub = makeBroadcaster({
      desk: { ...desk, readEvents: (...given) => (asked++, desk.readEvents(...given)) },
      elapsed: () => 0,
      onError: (error) => served.bugs.push(error),
    })
    const session = { ...account('ana'), id: 'a session', control: false, byControl: false }
    const stops = Array.from({ length: 1000 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = hub.listen(session, { build: 'build', everything: false }).open(
        (text) => text.includes('event: time') && resolve(),
        () => undefined,
      )
      return { stop, promise }
    })
    await Promise.all(stops.map(({ promise }) => promise))
    expect(asked).toBe(1)
    for (const { stop } of stops) stop()
  })
})

test('nothing of all this was unforeseen', () => {
  expect(served.bugs).toEqual([])
})

test('on the machine that serves, a link for the world opens it, with a login and without one', async () => {
  for (const token of [undefined, await served.token('member')]) {
    const target = { token, controlToken: served.controlToken }
    const { client } = await openTestRemote(served.url, { target })
    const { path } = await client.createPageLink('world')
    const opened = await fetch(served.url + path, { redirect: 'manual' })
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';')
    const world = await fetch(`${served.url}/pages/world`, { headers: { cookie } })
    expect(world.status).toBe(200)
    expect(await world.text()).toContain(token === undefined ? 'everything' : 'member')
  }
})
