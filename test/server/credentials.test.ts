/**
 * Each credential that the service issues, tried on each route: authority comes from the purpose of a credential, not from
 * its maker. The routes and pages are those of the program, so that a new one must be entered here.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LABEL_PATH } from '../../src/areas/carrier/label/parameters.ts'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { callsOperation, PAGE_NAMES, type PageName, PAGES } from '../../src/core/pages.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { endApprovals } from '../../src/oauth/approvers.ts'
import { type CONTROLS, listControls } from '../../src/sandbox/control/index.ts'
import { parseTrustedProxies } from '../../src/server/origin.ts'
import type { RouteDeps } from '../../src/server/route.ts'
import { makeRoutes } from '../../src/server/routes.ts'
import { requestApprovalLink, visitApprovalLink, startLogin } from '../support/devices.ts'
import { linkFor, visit } from '../support/page-links.ts'
import { makeParcel } from '../support/parcel.ts'
import { type ServedStore, serveStore } from '../support/served.ts'
import { sandboxOverStore } from '../support/world.ts'

const REGISTRY = { NAMES, load }
const loaded = await Promise.all(NAMES.map((name) => load(name)))
const OPERATIONS: AnyOperation[] = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))

/** Routes that show the same to everybody, or that take a credential in exchange for another one. */
const PUBLIC: readonly string[] = [
  'docs',
  'openapi.json',
  // To programs of this machine only, as the calls that it describes.
  'sandbox/openapi.json',
  'llms.txt',
  'healthz',
  'readyz',
  // To programs of this machine only, as the test of metrics says.
  'metrics',
  'page_file',
  'page_requests',
  'page_request',
  'start_sign_in',
  'sign_in_page',
  'sign_out_page',
  ...['device_authorization', 'token', 'revoke', 'introspect', 'authorize'].map((name) => `oauth:${name}`),
  'oauth-authorization-server',
  'oauth-protected-resource',
]

/** The family of a route; undefined for one that is public. */
function familyOf(name: string, path: string): string | undefined {
  if (OPERATIONS.some((operation) => operation.name === name)) return 'operation'
  if (name.startsWith('sandbox:')) return 'switch'
  if (name.startsWith('shared_')) return 'shared page'
  if (path.startsWith('/device')) return 'approval'
  // The short address of a page leads to its document.
  if (name === 'pages') return 'document'
  return {
    open_page: 'link',
    event_stream: 'stream',
    create_page_link: 'own link',
    share_link: 'share',
    withdraw_links: 'share',
  }[name]
}

type Probe = {
  family: string
  path: string
  method?: string
  page?: PageName
  /** Of an operation. */
  name?: string
  scope?: Scope
  as?: true
}

const FIRST_OF_SCOPE = SCOPES.flatMap(
  (scope) => OPERATIONS.find((operation) => operation.scope === scope) ?? [],
)
/** Those that would do most harm. */
const SWITCHES: readonly (keyof typeof CONTROLS)[] = [
  'mint_token',
  'reset',
  'advance_clock',
  'create_page_link',
]

const SHARED_LINKS = '/v1/shared-links'
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, 'nobodys')

/** One request of each kind. None is complete: who may send it is told so, and nobody else gets so far. */
function probes(): Probe[] {
  return [
    ...FIRST_OF_SCOPE.map(({ name, scope, method, path }): Probe => {
      return { family: 'operation', method, path: filled(path), name, scope }
    }),
    ...SWITCHES.map((name): Probe => ({
      family: 'switch of a page',
      path: `/pages/control/${name}`,
      name,
    })),
    { family: 'switch', method: 'GET', path: '/sandbox/clock' },
    { family: 'switch', method: 'GET', path: '/sandbox/snapshot' },
    { family: 'share', path: SHARED_LINKS },
    { family: 'media', method: 'GET', path: '/media/nobodys' },
    { family: 'label', method: 'GET', path: filled(LABEL_PATH), scope: 'shipments.read' },
    { family: 'stream', method: 'GET', path: '/v1/events/stream', scope: 'profile.read' },
    { family: 'own link', path: '/pages/links' },
    { family: 'document', method: 'GET', path: '/pages' },
    { family: 'labels of a page', method: 'GET', path: '/pages/labels', page: 'parcels' },
    { family: 'upload of a page', path: '/pages/upload', page: 'parcels', scope: 'shipments.create' },
    ...PAGE_NAMES.flatMap((page): Probe[] => [
      { family: 'document', method: 'GET', path: `/pages/${page}`, page },
      { family: 'events', method: 'GET', path: `/pages/events?page=${page}`, page },
      ...FIRST_OF_SCOPE.concat(OPERATIONS.filter(({ name }) => callsOperation(page, name))).flatMap(
        (operation): Probe[] => {
          const { name, scope } = operation
          const call = { family: 'call of a page', path: `/pages/call/${name}`, page, name, scope }
          return scope === 'food.read' ? [call, { ...call, as: true }] : [call]
        },
      ),
    ]),
    { family: 'shared page', method: 'GET', path: '/track/SECRET/state' },
    { family: 'approval', method: 'GET', path: '/device' },
    // Links are used up, so that they come last.
    { family: 'approval link', method: 'GET', path: '/device?ticket=SECRET' },
    { family: 'link', method: 'GET', path: '/pages/open?ticket=SECRET' },
  ]
}

let served: ServedStore
let proxied: { 'x-forwarded-for'?: string; forwarded?: string } = {}

beforeAll(async () => {
  served = await serveStore({ registry: REGISTRY, proxies: parseTrustedProxies(['127.0.0.1']) })
})
afterAll(() => expect(served.bugs).toEqual([]))

const COOKIES = ['dray_pages', 'dray_device', 'dray_sign_in', ...PAGE_NAMES.map((page) => `dray_${page}`)]

/** Sends a request with a secret wherever a secret can stand. Returns whether the sender may send it. */
async function isAllowed({ method = 'POST', path, page, as }: Probe, secret: string): Promise<boolean> {
  const answer = await fetch(served.url + path.replace('SECRET', secret), {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${secret}`,
      cookie: COOKIES.map((name) => `${name}_${served.port}=${secret}`).join('; '),
      origin: served.url,
      'dray-page': page ?? 'world',
      'content-type': 'application/json',
      'idempotency-key': randomBytes(8).toString('hex'),
      ...(as && { 'dray-as': 'everything' }),
      ...proxied,
    },
    ...(method !== 'GET' && {
      body: path === SHARED_LINKS ? '{"resource_id":"DR1"}' : '{"no such member":1}',
    }),
  })
  // A stream of events ends when nobody listens.
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true)
    await answer.body?.cancel()
  else await answer.arrayBuffer()
  const leadsNowhere = /^\/(?:track|sandbox)/.test(path) && answer.status === 404
  return ![401, 403].includes(answer.status) && !leadsNowhere
}

type IssuedCredential = { secret: () => Promise<string>; opens(probe: Probe): boolean }

const secretIn = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1)
const holds = (scopes: readonly Scope[], { scope }: Probe): boolean =>
  scope === undefined || scopes.includes(scope)

/** Returns what a session for `page` opens as an account with these scopes; a session for the list opens all pages. */
function opensAs(
  session: PageName | 'list',
  scopes: readonly Scope[],
  control = false,
): IssuedCredential['opens'] {
  return (probe) => {
    const { family, page, name: called = '', as } = probe
    if (family === 'switch of a page') return control && session === 'world'
    if (!['document', 'events', 'call of a page', 'labels of a page', 'upload of a page'].includes(family))
      return false
    const keeps = control && session === 'world'
    const sees = (name: PageName): boolean => {
      const { need } = PAGES[name]
      return need === 'control' ? keeps : scopes.includes(need)
    }
    // The list of pages is there for a browser that may open one.
    if (page === undefined) return session === 'list' || sees(session)
    if (session !== 'list' && session !== page) return false
    if (family === 'document') return sees(page)
    if (family === 'call of a page')
      // The keeper's page names an account for each call.
      return as === true ? keeps : callsOperation(page, called) && holds(scopes, probe)
    return holds(scopes, probe)
  }
}

const SOME: readonly Scope[] = ['orders.read', 'shipments.read', 'food.order']
const nothing = (): boolean => false

const CREDENTIALS: Readonly<Record<string, IssuedCredential>> = {
  'no credential': { secret: async () => 'none', opens: nothing },
  'an access token': {
    secret: () => served.token('everything', { scopes: SOME }),
    opens: (probe) =>
      (['operation', 'label', 'stream'].includes(probe.family) && holds(SOME, probe)) ||
      ['share', 'media', 'own link'].includes(probe.family),
  },
  'the control token': {
    secret: async () => served.controlToken,
    // Behind a proxy there are no switches, unless the service was started to offer them.
    opens: ({ family }) => family === 'switch' && Object.keys(proxied).length === 0,
  },
  ...Object.fromEntries(
    PAGE_NAMES.map((page): [string, IssuedCredential] => [
      `a browser whose link to ${page} the control token made`,
      {
        secret: async () => secretIn((await visit(served, 'everything', { page })).cookie),
        opens: opensAs(page, SCOPES, true),
      },
    ]),
  ),
  ...Object.fromEntries(
    PAGE_NAMES.map((page): [string, IssuedCredential] => [
      `a browser whose link to ${page} an access token made`,
      {
        secret: async () => secretIn((await visit(served, 'everything', { page, scopes: SOME })).cookie),
        opens: opensAs(page, SOME),
      },
    ]),
  ),
  'a browser whose link to the list the control token made': {
    secret: async () => secretIn((await visit(served, 'everything')).cookie),
    opens: opensAs('list', SCOPES, true),
  },
  'a browser that signed out': {
    async secret() {
      const { cookie } = await visit(served, 'everything', { page: 'world' })
      const headers = { cookie, origin: served.url }
      await fetch(`${served.url}/pages/sign-out`, { method: 'POST', redirect: 'manual', headers })
      return secretIn(cookie)
    },
    opens: nothing,
  },
  'a browser from before the control token was replaced': {
    async secret() {
      const { cookie } = await visit(served, 'everything', { page: 'world' })
      await endApprovals(served.db)
      return secretIn(cookie)
    },
    opens: nothing,
  },
  'a link to a page': {
    secret: async () =>
      new URL(await linkFor(served, 'everything', 'world')).searchParams.get('ticket') ?? '',
    opens: ({ family }) => family === 'link',
  },
  'a link to the approvals': {
    secret: async () => new URL(await requestApprovalLink(served)).searchParams.get('ticket') ?? '',
    opens: ({ family }) => family === 'approval link',
  },
  'a browser that approves devices': {
    secret: async () => secretIn(await visitApprovalLink(await requestApprovalLink(served))),
    opens: ({ family }) => family === 'approval' || family === 'approval link',
  },
  'a device that waits': { secret: async () => (await startLogin(served)).deviceCode, opens: nothing },
  'a shared link': {
    async secret() {
      const parcel = await sandboxOverStore(served.db).ok('create_shipment', makeParcel(), {
        as: 'everything',
      })
      const shared = await fetch(`${served.url}/v1/shared-links`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await served.token('everything')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ resource_id: parcel.tracking_number }),
      })
      const { path } = (await shared.json()) as { path: string }
      return path.slice('/track/'.length)
    },
    opens: ({ family }) => family === 'shared page',
  },
}

const shown = ({ family, path, page, as }: Probe): string =>
  [family, path, page, as && 'as another account'].filter(Boolean).join(' · ')

/** Tries a credential on everything. */
async function tryOut({ secret, opens }: IssuedCredential): Promise<{ opened: string[]; right: string[] }> {
  const given = await secret()
  const [opened, right]: [string[], string[]] = [[], []]
  for (const probe of probes()) {
    if (opens(probe)) right.push(shown(probe))
    if (await isAllowed(probe, given)) opened.push(shown(probe))
  }
  return { opened, right }
}

test.each(Object.entries(CREDENTIALS))(
  '%s opens its own routes through a proxy, and no other',
  async (_name, issued) => {
    proxied = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=127.0.0.1' }
    const { opened, right } = await tryOut(issued)
    expect(opened).toEqual(right)
  },
)

test('a request from the machine that serves has no rights by that', async () => {
  proxied = {}
  for (const name of ['no credential', 'a browser whose link to kitchen the control token made']) {
    const { opened, right } = await tryOut(CREDENTIALS[name] as IssuedCredential)
    expect(opened).toEqual(right)
  }
})

test('a browser signed in before a reset of the sandbox has no rights after it', async () => {
  const browsers = await Promise.all(PAGE_NAMES.map((page) => visit(served, 'everything', { page })))
  await fetch(`${served.url}/sandbox/reset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.controlToken}`, 'content-type': 'application/json' },
    body: '{}',
  })
  for (const { cookie } of browsers)
    expect(
      await isAllowed({ family: 'switch of a page', path: '/pages/control/get_clock' }, secretIn(cookie)),
    ).toBe(false)
})

test('a page calls what it declares, under the scopes of the operations', () => {
  for (const page of PAGE_NAMES)
    for (const [scope, names] of Object.entries<readonly string[]>(PAGES[page].calls))
      for (const name of names)
        expect([page, name, OPERATIONS.find((each) => each.name === name)?.scope]).toEqual([
          page,
          name,
          scope,
        ])
})

test('every route of the service is in this table, or public', async () => {
  const control = { token: '', calls: await listControls(), invoke: async () => ({}), snapshots: {} }
  const routes = await makeRoutes({
    registry: REGISTRY,
    control,
    oauth: {},
    onBug: () => undefined,
    elapsed: () => 0,
  } as unknown as RouteDeps)
  const families = new Set(probes().map(({ family }) => family))
  const byPage = ['page_call', 'page_control', 'page_labels', 'page_upload', 'page_events', 'media', 'label']
  const unknown = routes.filter(({ name, path }) => {
    const family = familyOf(name, path)
    return family === undefined ? ![...PUBLIC, ...byPage].includes(name) : !families.has(family)
  })
  expect(unknown.map(({ method, path, name }) => `${method} ${path} (${name})`)).toEqual([])
})
