/** Metrics of a service for programs that collect them, and traces that it carries on. */
import { describe, expect, test } from 'vitest'
import { scheduleEvents } from '../../src/db/timeline.ts'
import { saveClock } from '../../src/db/world.ts'
import { readStoreFacts } from '../../src/host/hosting.ts'
import { makeGate, makeGatedRegistry } from '../support/gate.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import { NINE_AM, openTestSandbox } from '../support/world.ts'

async function read({ url }: ServedStore, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Returns the value of a series; undefined when there is none. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe.each(ENGINES)('metrics over $name', (engine) => {
  test('count requests by operation and status, and the work of the store', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES, engine })
    const headers = { Authorization: `Bearer ${await served.token('everything')}` }
    const before = await read(served)
    for (const path of ['/v1/things/lamp', '/v1/things/lamp', '/v1/none-1', '/v1/none-2'])
      await fetch(`${served.url}${path}`, { headers })
    await fetch(`${served.url}/v1/things/lamp`)
    await fetch(`${served.url}/v1/things`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' },
      body: '{"name":"lamp"}',
    })
    await expect.poll(() => served.log.length).toBe(7)
    const text = await read(served)
    expect(valueOf(text, 'dray_requests_total{operation="get_thing",status="200"}')).toBe(2)
    expect(valueOf(text, 'dray_requests_total{operation="get_thing",status="401"}')).toBe(1)
    expect(valueOf(text, 'dray_requests_total{operation="none",status="404"}')).toBe(2)
    expect(valueOf(text, 'dray_request_duration_seconds_count{operation="get_thing"}')).toBe(3)
    expect(valueOf(text, 'dray_request_duration_seconds_bucket{le="30.0",operation="get_thing"}')).toBe(3)
    expect(valueOf(text, 'dray_build_info{version="0.0.0-test",store="' + served.db.kind + '"}')).toBe(1)
    expect(valueOf(text, 'dray_store_up')).toBe(1)
    expect(valueOf(text, 'dray_store_size_bytes')).toBeGreaterThan(10_000)
    for (const name of ['writes_total', 'groups_total', 'busy_seconds_total'])
      expect(valueOf(text, `dray_store_${name}`)).toBeGreaterThan(
        Number(valueOf(before, `dray_store_${name}`)),
      )
    // Names of operations are the only label that grows: no path and no id is one.
    expect(text).not.toMatch(/lamp|none-1|cus_/)
    expect(text.endsWith('\n# EOF\n')).toBe(true)
  })

  test('tell by how much the earliest planned event is overdue, while the clock runs', async () => {
    const world = await openTestSandbox({ engine })
    const lagAt = async (now: number): Promise<number> =>
      (await readStoreFacts({ db: world.db, store: ':memory:' }, { now: () => now })).lag
    await world.write((tx, _, now) =>
      scheduleEvents(tx, now, [
        { kind: 'ride', resource_id: 'r', owner_id: 'o', event: 'e', payload: {}, due_at: NINE_AM - 90_000 },
      ]),
    )
    expect(await lagAt(NINE_AM)).toBe(0)
    await world.write((tx) =>
      saveClock(tx, { mode: 'real', real: NINE_AM, service: NINE_AM, factor: 1, high: NINE_AM }),
    )
    expect([await lagAt(NINE_AM), await lagAt(NINE_AM + 5000)]).toEqual([90, 95])
  })

  test('tell no size and no lag while the store does not answer', async () => {
    const served = await serveStore({ registry: RESOURCE_SAMPLES, engine })
    await served.db.close()
    const text = await read(served)
    expect(valueOf(text, 'dray_store_up')).toBe(0)
    expect(valueOf(text, 'dray_store_size_bytes')).toBe(Number.NaN)
    expect(valueOf(text, 'dray_timeline_lag_seconds')).toBe(Number.NaN)
    expect(valueOf(text, 'dray_processes')).toBe(1)
  })
})

test('metrics tell what runs now', async () => {
  const gate = makeGate()
  const served = await serveStore({ registry: makeGatedRegistry(gate) })
  const running = fetch(`${served.url}/v1/waits`, {
    headers: { Authorization: `Bearer ${await served.token('everything')}` },
  })
  await gate.reached
  const text = await read(served)
  // The question itself is the other one.
  expect(valueOf(text, 'dray_requests_running')).toBe(2)
  expect(valueOf(text, 'dray_connections')).toBeGreaterThanOrEqual(2)
  expect(valueOf(text, 'dray_event_listeners')).toBe(0)
  gate.open()
  await running
})

test('metrics come in the form that a program accepts', async () => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
  const typeOf = async (accept?: string): Promise<string | null> => {
    const answer = await fetch(`${served.url}/metrics`, accept === undefined ? {} : { headers: { accept } })
    return answer.headers.get('content-type')
  }
  const open = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
  expect(await typeOf()).toBe(open)
  expect(await typeOf('application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5')).toBe(open)
  expect(await typeOf('text/plain')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const older = await read(served, { accept: 'text/plain' })
  expect(older).toContain('# TYPE dray_requests_total counter\n')
  expect(older).not.toContain('# EOF')
  expect(await read(served)).toContain('# TYPE dray_requests counter\n')
})

test('metrics are for programs of this machine, and do not exist behind a proxy', async () => {
  const served = await serveStore({
    registry: RESOURCE_SAMPLES,
    control: 'to all',
    allowedHosts: ['api.example.com'],
    proxies: { has: (address) => address === '127.0.0.1' },
  })
  const forwarded = [
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
  ]
  for (const name of forwarded) {
    const answer = await fetch(`${served.url}/metrics`, { headers: { [name]: 'http' } })
    expect([name, answer.status, await answer.json()]).toMatchObject([name, 404, { code: 'route_not_found' }])
  }
  expect(await read(served)).toContain('dray_build_info')
})

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test.each([
  [TRACE, TRACE],
  // Text that a later version appends is not known here.
  [`01${TRACE.slice(2)}`, `01${TRACE.slice(2)}`],
  [`01${TRACE.slice(2)}-what-the-future`, `01${TRACE.slice(2)}`],
  [`${TRACE}-more`, null],
  [`01${TRACE.slice(2)}more`, null],
  [`ff${TRACE.slice(2)}`, null],
  [TRACE.toUpperCase(), null],
  [TRACE.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)), null],
  [TRACE.replace('b7ad6b7169203331', '0'.repeat(16)), null],
  [`${TRACE},${TRACE}`, null],
  [TRACE.slice(0, 54), null],
  [`${TRACE.slice(0, 53)}zz`, null],
  ['', null],
])('the trace %j is carried into the answer and the log as %j', async (given, carried) => {
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
  const answers = await Promise.all(
    ['/healthz', '/v1/things/lamp', '/nowhere', '/docs'].map((path) =>
      fetch(`${served.url}${path}`, { headers: { traceparent: given } }),
    ),
  )
  expect(answers.map(({ headers }) => headers.get('traceparent'))).toEqual(Array(4).fill(carried))
  await expect.poll(() => served.log.length).toBe(4)
  expect(served.log.map(({ traceparent }) => traceparent)).toEqual(Array(4).fill(carried))
})
