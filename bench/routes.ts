/**
 * Measures how long a second caller waits at most while one uses each route of the service. The routes come from the
 * registry, each operation with the input of its example: a new one needs no line here.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AnyOperation } from '../src/core/operation.ts'
import { listSteps } from '../src/generate/examples.ts'
import { CONTROL_ROUTES } from '../src/generated/control-routes.ts'
import { OPERATIONS } from '../src/generated/operation-list.ts'
import { load, NAMES } from '../src/generated/registry.ts'
import type { RouteDeps } from '../src/server/route.ts'
import { makeRoutes } from '../src/server/routes.ts'
import { writeWorkbook } from '../src/tabular/xlsx/write.ts'
import type { ServiceAddress } from './calls.ts'
import type { FigureLine, FigureTable } from './figures.ts'
import { batchBody, itemsBody, manifestCsv } from './manifests.ts'

/** The longest wait of the second caller, in milliseconds. */
const MAX_SECOND_CALLER_WAIT_MS = 100
/** The time that each route is used. */
const USED_MS = 300
const AT_ONCE = 8
/** A busy machine lets callers wait: a route above the longest wait is used again, and its least wait counts, less that with nobody at work. */
const TRIES = 3
/** The most that a query may ask for, where an operation takes it. */
const MAX_QUERY = { limit: '100', days: '14' }
const MAX_UPLOAD_LINES = 4990
const MAX_BATCH_ROWS = 500
const NEWLINES = '\n'.repeat(4 * 1_048_576)

export type RoutesDeps = ServiceAddress & {
  control: string
  /** Returns the processor time of the longest turn of the service's event loop since the last call, in milliseconds. */
  longestTurn(): Promise<number>
  /** Returns a link that signs a browser in to a page. */
  linkOf(page: string): Promise<string>
}

type Send = (
  method: string,
  path: string,
  body?: BodyInit,
  more?: Record<string, string>,
) => Promise<Response>

export async function measureRoutes(deps: RoutesDeps): Promise<FigureTable> {
  const second = new Worker(new URL('second-caller.ts', import.meta.url), {
    workerData: { url: deps.url, token: deps.token },
  })
  const heard = async (): Promise<number> => {
    second.postMessage('longest')
    return Number(((await once(second, 'message')) as unknown[])[0])
  }
  const measure = async (work: () => Promise<unknown>): Promise<{ turn: number; wait: number }> => {
    await heard()
    await deps.longestTurn()
    await work()
    return { wait: await heard(), turn: await deps.longestTurn() }
  }
  const rest = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, USED_MS))
  const lines: FigureLine[] = []
  const during: MeasureDuring = async (what, work, isOnce = false) => {
    let { wait, turn } = await measure(work)
    let idle = 0
    for (let tries = 1; tries < TRIES && wait > MAX_SECOND_CALLER_WAIT_MS + idle; tries++) {
      idle = Math.max(idle, (await measure(rest)).wait)
      if (isOnce) continue
      const again = await measure(work)
      wait = Math.min(wait, again.wait)
      // The first turn may have made what is kept.
      turn = Math.max(turn, again.turn)
    }
    const cells = [turn, wait, idle].map((each) => each.toFixed(0))
    lines.push({ what, cells, measured: Math.max(turn, wait - idle), budget: MAX_SECOND_CALLER_WAIT_MS })
  }
  try {
    await during('nobody', rest)
    await useOperations(deps, during)
    await usePages(deps, during)
    await useOthers(deps, during)
  } finally {
    await second.terminate()
  }
  const worst = lines.toSorted((a, b) => (b.measured ?? 0) - (a.measured ?? 0))
  return {
    title: 'The longest wait of a second caller, ms, while one uses a route',
    heads: ['longest turn, processor', 'least wait', 'wait for nobody'],
    lines: worst,
  }
}

/** `isOnce` says that a second use has less to do, and shows nothing. */
type MeasureDuring = (what: string, work: () => Promise<unknown>, isOnce?: boolean) => Promise<void>

let keys = 0

function sender({ url, token }: ServiceAddress): Send {
  return async (method, path, body, more = {}) => {
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `routes-${(keys += 1)}`,
        ...more,
      },
      ...(body !== undefined && { body }),
    })
    await answer.clone().arrayBuffer()
    return answer
  }
}

/** Repeats a call for a while, some at a time. Errors count too. */
async function repeat(call: () => Promise<unknown>): Promise<void> {
  const ends = performance.now() + USED_MS
  const one = async (): Promise<void> => {
    do await call()
    while (performance.now() < ends)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

/** Uses each operation as its example does, and those that take a body with four megabytes of newlines, too. */
async function useOperations(deps: RoutesDeps, during: MeasureDuring): Promise<void> {
  const send = sender(deps)
  const done: Record<string, unknown> = {}
  const calls: [AnyOperation, () => Promise<Response>][] = []
  const operations = await Promise.all(
    Object.values(OPERATIONS).map((loadOne) => loadOne() as Promise<AnyOperation>),
  )
  for (const { operation, name, input } of listSteps(operations)) {
    const [path, body] = toRequest(operation, input(done))
    const call = (): Promise<Response> => send(operation.method, path, body)
    const answer = await call()
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    done[name] = await answer.json()
    calls.push([operation, call])
  }
  for (const [{ name }, call] of calls) await during(name, () => repeat(call))
  for (const [{ name, method }, call] of calls)
    if (method !== 'GET') await during(`${name}, 4 MB of newlines`, async () => sendNewlines(send, call))
}

async function sendNewlines(send: Send, call: () => Promise<Response>): Promise<void> {
  const { url } = await call()
  await send('POST', new URL(url).pathname, NEWLINES)
}

/** Returns the path with the query, and the body. */
function toRequest(
  { method, path, pathParameters, input: schema }: AnyOperation,
  input: Readonly<Record<string, unknown>>,
): [path: string, body: string | undefined] {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name]) => !pathParameters.includes(name))
  if (method !== 'GET') return [filled, JSON.stringify(Object.fromEntries(rest))]
  const query = new URLSearchParams(
    rest.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  )
  const { properties = {} } = schema as { properties?: object }
  for (const [name, most] of Object.entries(MAX_QUERY)) if (name in properties) query.set(name, most)
  return [`${filled}?${query}`, undefined]
}

/** Uses the labels, and the page that uploads a manifest. */
async function usePages(deps: RoutesDeps, during: MeasureDuring): Promise<void> {
  const send = sender(deps)
  const list = await (await send('GET', '/v1/shipments?limit=100')).json()
  const numbers = (list as { data: { tracking_number: string }[] }).data.map((one) => one.tracking_number)
  await during('40 labels as PNG', () =>
    Promise.all(
      numbers.slice(0, 40).map((number) => send('GET', `/v1/shipments/${number}/label?format=png&dpi=600`)),
    ),
  )
  const opened = await fetch(await deps.linkOf('parcels'), { redirect: 'manual' })
  const page = {
    cookie: (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '',
    origin: deps.url,
    'dray-page': 'parcels',
    'dray-upload': encodeURIComponent(JSON.stringify({ name: 'orders.csv' })),
  }
  for (const format of ['pdf', 'zpl'])
    await during(`100 labels as ${format.toUpperCase()}`, () =>
      send('GET', `/pages/labels?parcels=${numbers.join(',')}&format=${format}`, undefined, page),
    )
  const sheet = manifestCsv(MAX_UPLOAD_LINES, 'routes')
  await during(`an upload of ${MAX_UPLOAD_LINES} rows`, () => send('POST', '/pages/upload', sheet, page))
  const cells = sheet.trimEnd().split('\n')
  const workbook = writeWorkbook(
    'Orders',
    cells.map((line) => line.split(',')),
  )
  const named = { ...page, 'dray-upload': encodeURIComponent(JSON.stringify({ name: 'orders.xlsx' })) }
  await during(`an upload of ${MAX_UPLOAD_LINES} rows of a workbook`, () =>
    send('POST', '/pages/upload', workbook, named),
  )
  await during(`a batch of ${MAX_BATCH_ROWS} parcels`, () =>
    send('POST', '/v1/shipments/batch', batchBody(MAX_BATCH_ROWS, `batch-${(keys += 1)}`)),
  )
  await during(`an import of ${MAX_BATCH_ROWS} items`, () =>
    send('POST', '/v1/business/catalog/items/batch', itemsBody(MAX_BATCH_ROWS, `items-${(keys += 1)}`)),
  )
  await during('an upload of 4 MB of newlines', () => send('POST', '/pages/upload', NEWLINES, page))
}

/** Uses the other routes: those without a parameter as they are, those of the control plane with its token. */
async function useOthers(deps: RoutesDeps, during: MeasureDuring): Promise<void> {
  const send = sender(deps)
  const asController = sender({ url: deps.url, token: deps.control })
  const routes = await makeRoutes({ registry: { NAMES, load } } as RouteDeps)
  const known = new Set<string>(NAMES)
  for (const { name, method, path } of routes)
    if (!known.has(name) && method === 'GET' && !path.includes('{'))
      await during(`GET ${path}`, () => repeat(() => send('GET', path)), path === '/docs')
  const controls = Object.entries(CONTROL_ROUTES).filter(([, { path }]) => !path.includes('{'))
  // A new start comes last.
  const last = controls.toSorted(([a], [b]) => Number(a === 'reset') - Number(b === 'reset'))
  let snapshot = ''
  await during('GET /sandbox/snapshot', async () => {
    snapshot = await (await asController('GET', '/sandbox/snapshot')).text()
  })
  await during('PUT /sandbox/snapshot', () =>
    asController('PUT', '/sandbox/snapshot', snapshot, { 'content-type': 'application/x-ndjson' }),
  )
  for (const [name, { method, path }] of last)
    await during(
      `sandbox ${name}`,
      () =>
        method === 'GET'
          ? repeat(() => asController(method, path))
          : asController(method, path, inputOf(name)),
      method !== 'GET',
    )
}

/** The inputs with much work; the other calls get none, and may reject that. */
function inputOf(control: string): string {
  return JSON.stringify(control === 'advance_clock' ? { by: '30d' } : {})
}
