import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createShipment } from '../../src/areas/carrier/create_shipment.ts'
import type { AnyCall } from '../../src/client/client.ts'
import { PROCESS_EVENT_LOOP } from '../../src/core/event-loop.ts'
import { openEmbedded } from '../../src/host/embedded.ts'
import { type LoggedRequest, openRequestLog } from '../../src/host/request-log.ts'
import type { ControlInput } from '../../src/sandbox/control/index.ts'
import { exampleInput } from '../support/example-input.ts'
import { ENGINES, makeTempFolder } from '../support/stores.ts'

const ENTRY: LoggedRequest = {
  time: '2026-11-20T09:00:00.000Z',
  service_time: null,
  request_id: 'req_1',
  transport: 'embedded',
  operation: 'list_hubs',
  account: 'everything',
  status: 200,
  code: null,
  state: null,
  duration_ms: 1,
  replayed: false,
}

const open = (store: string, state: string, account = 'everything') =>
  openEmbedded(
    { kind: 'embedded', store, account },
    {
      now: () => 1_800_000_000_000,
      loop: { ...PROCESS_EVENT_LOOP, elapsed: () => 5 },
      random: (count) => new Uint8Array(count).fill(1),
      weakRandomBytes: (count) =>
        new Uint8Array(count).map((_, index) => (Math.trunc(performance.now() * 1e4) >> index) % 256),
      env: { DRAY_NOW: '2026-11-20T09:00:00Z' },
      paths: { state },
      firstRun() {},
      debug() {},
    },
  )

describe.each(ENGINES)('the log of a store on $name', (engine) => {
  test('logs the operation, the account and the outcome, but no bodies', async () => {
    const [store, state] = [await engine.locate(), await makeTempFolder()]
    const one = await open(store, state)
    const parcel = { idempotencyKey: 'secret-key' }
    const call: AnyCall = one.call
    await call('create_shipment', exampleInput(createShipment), parcel)
    await call('create_shipment', exampleInput(createShipment), parcel)
    await one.call('get_shipment', { tracking_number: 'ZZ123456785GB' }).catch(() => {})
    await one.close()
    const other = await open(store, state, 'member')
    await other.call('list_shipments', {}).catch(() => {})

    const { data } = await other.control('list_requests', {})
    expect(
      data.map(({ operation, account, status, code, replayed }) => [
        operation,
        account,
        status,
        code,
        replayed,
      ]),
    ).toEqual([
      ['create_shipment', 'everything', 201, null, false],
      ['create_shipment', 'everything', 201, null, true],
      ['get_shipment', 'everything', 404, 'shipment_not_found', false],
      ['list_shipments', 'member', 403, 'insufficient_scope', false],
    ])
    // The first response to a key, and the same one again, show one parcel; an error shows none.
    expect(data.map((each) => each.state)).toEqual(['pre_transit', 'pre_transit', null, null])
    expect(data[0]).toMatchObject({ service_time: '2026-11-20T09:00:00.000Z', duration_ms: 0 })
    expect(JSON.stringify(data)).not.toMatch(/secret-key|Grace|Friar|ZZ123456785GB/)

    const ask = async (input: ControlInput<'list_requests'>): Promise<string[]> =>
      (await other.control('list_requests', input)).data.map(({ operation }) => operation)
    expect(await ask({ failed: true })).toEqual(['get_shipment', 'list_shipments'])
    expect(await ask({ status: '2xx', limit: 1 })).toEqual(['create_shipment'])
    expect(await ask({ status: '404', slower_ms: 0 })).toEqual(['get_shipment'])
    expect(await ask({ slower_ms: 1 })).toEqual([])
    expect(await ask({ operation: 'get_shipment' })).toEqual(['get_shipment'])
    expect(await ask({ account: 'member' })).toEqual(['list_shipments'])
    expect(await ask({ after: String(data[2]?.request_id) })).toEqual(['list_shipments'])
    await expect(ask({ account: 'nobody' })).rejects.toMatchObject({ code: 'account_not_found' })
    await other.close()
  })
})

describe('the file', () => {
  test('is private, keeps only the latest lines, and tolerates an incomplete one', async () => {
    const store = join(await makeTempFolder(), 'dray.db')
    const log = await openRequestLog(store, { now: () => 0 })
    for (let index = 0; index < 6000; index++) {
      log?.add({ ...ENTRY, request_id: `req_${index}` })
      if (index % 1000 === 0) log?.close()
    }
    const kept = log?.read() ?? []
    expect(kept.at(-1)?.request_id).toBe('req_5999')
    expect(statSync(`${store}.requests`).size).toBeLessThan(1_048_576)
    expect(kept.length).toBeGreaterThan(2000)
    expect(statSync(`${store}.requests`).mode & 0o777).toBe(0o600)
    appendFileSync(`${store}.requests`, '{"half')
    expect(log?.read()).toHaveLength(kept.length)
    expect(readFileSync(`${store}.requests`, 'utf8').startsWith('{"time"')).toBe(true)
  })

  test('is shortened by one process at a time, and by the next one after a crash', async () => {
    const store = join(await makeTempFolder(), 'dray.db')
    const size = (): number => statSync(`${store}.requests`).size
    const line = `${JSON.stringify(ENTRY)}\n`
    const log = await openRequestLog(store, { now: () => 0 })
    const addOne = (): void => {
      log?.add(ENTRY)
      log?.close()
    }
    writeFileSync(`${store}.requests`, line.repeat(Math.ceil(1_200_000 / line.length)))
    writeFileSync(`${store}.requests.next`, 'half')
    addOne()
    expect(size()).toBeGreaterThan(1_048_576)
    expect(log?.read().at(-1)).toEqual(ENTRY)
    appendFileSync(`${store}.requests`, line.repeat(Math.ceil(1_000_000 / line.length)))
    addOne()
    expect(size()).toBeLessThan(1_200_000)
    expect(existsSync(`${store}.requests.next`)).toBe(false)
  })

  test('does not exist for a store in memory, and no call fails if it cannot be written', async () => {
    expect(await openRequestLog(':memory:', { now: () => 0 })).toBeUndefined()
    const log = await openRequestLog(join(import.meta.filename, 'no/folder/dray.db'), { now: () => 0 })
    log?.add(ENTRY)
    expect(log?.read()).toEqual([])
  })
})
