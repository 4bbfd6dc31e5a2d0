import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { listRecordedEvents } from '../../src/db/events.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { takesChanges, tickService } from '../../src/host/hosting.ts'
import { exampleInput } from '../support/example-input.ts'
import { NOON_MS, serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { ENGINES, makeTempFolder } from '../support/stores.ts'

const DAY = 86_400_000
const found = await load('create_shipment')
const parcel = found && exampleInput(found.operation)

async function createParcels(served: ServedStore, count: number): Promise<void> {
  const shipments = Array.from({ length: count }, (_, index) => ({ ...parcel, reference: `R-${index}` }))
  const answer = await fetch(`${served.url}/v1/shipments/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await served.token('shipper')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ shipments }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
}

async function countEvents({ db }: ServedStore): Promise<number> {
  return (await db.read((tx) => listRecordedEvents(tx, 0, 10_000))).length
}

describe.each(ENGINES)('on $name', (engine) => {
  const running = { mode: 'offset', real: NOON_MS, service: NOON_MS, factor: 1, high: NOON_MS } as const
  const frozen = { ...running, mode: 'frozen' } as const

  test('due events are applied in the background, some at a time', async () => {
    const served = await serveStore({ registry: { NAMES, load }, engine, clock: running })
    await createParcels(served, 60)
    const before = await countEvents(served)
    const later = { now: () => NOON_MS + 30 * DAY }
    expect(await tickService(served.service, later)).toBe(true)
    expect(await countEvents(served)).toBeGreaterThan(before)
    let ticks = 1
    while (await tickService(served.service, later)) ticks++
    expect(ticks).toBeGreaterThan(3)
    expect(await tickService(served.service, later)).toBe(false)
    const token = await served.token('shipper', { expiresAt: NOON_MS + 90 * DAY })
    const list = await fetch(`${served.url}/v1/shipments?limit=100`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const { data } = (await list.json()) as { data: { status: string }[] }
    expect(data).toHaveLength(60)
    expect(data.filter(({ status }) => status === 'pre_transit')).toEqual([])
  })

  test('no event is applied while the clock stands still', async () => {
    const served = await serveStore({ registry: { NAMES, load }, engine, clock: frozen })
    await createParcels(served, 1)
    const before = await countEvents(served)
    expect(await tickService(served.service, { now: () => NOON_MS + 30 * DAY })).toBe(false)
    expect(await countEvents(served)).toBe(before)
  })

  test('several nodes that tick at once apply each event once', async () => {
    const served = await serveStore({ registry: { NAMES, load }, engine, clock: running })
    await createParcels(served, 40)
    const later = { now: () => NOON_MS + 30 * DAY }
    const node = async (): Promise<void> => {
      while (await tickService(served.service, later)) continue
    }
    await Promise.all([node(), node(), node()])
    const events = await served.db.read((tx) => listRecordedEvents(tx, 0, 10_000))
    const delivered = events
      .filter(({ type }) => type === 'shipment.delivered')
      .map(({ resource_id }) => resource_id)
    expect(new Set(delivered).size).toBe(delivered.length)
    expect(delivered.length).toBeGreaterThan(0)
  })
})

test('a service is not ready while another process holds its store, and reads go on', async () => {
  const store = `${await makeTempFolder()}/store.db`
  const served = await serveStore({
    registry: { NAMES, load },
    engine: { name: 'SQLite', locate: async () => store },
  })
  using other = new DatabaseSync(store)
  other.exec('begin immediate')
  expect((await fetch(`${served.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${served.url}/healthz`)).status).toBe(200)
  other.exec('rollback')
  expect((await fetch(`${served.url}/readyz`)).status).toBe(200)
})

test('a store that is held is asked by one change, however many want to know whether it takes any', async () => {
  const store = `${await makeTempFolder()}/store.db`
  const { service } = await serveStore({
    registry: { NAMES, load },
    engine: { name: 'SQLite', locate: async () => store },
  })
  let changes = 0
  const db: typeof service.db = {
    ...service.db,
    write(work, limits) {
      changes += 1
      return service.db.write(work, limits)
    },
  }
  using other = new DatabaseSync(store)
  other.exec('begin immediate')
  const asked = [takesChanges({ ...service, db }), takesChanges({ ...service, db })]
  other.exec('rollback')
  expect(await Promise.all(asked)).toEqual([true, true])
  expect(changes).toBe(1)
  expect(await takesChanges({ ...service, db })).toBe(true)
  expect(changes).toBe(2)
})

test.each([
  ['is busy', 1, true],
  ['is held', 0, false],
])(
  'a store that %s for longer than a check waits: %i changes meanwhile, ready %s',
  async (_, done, ready) => {
    const { service } = await serveStore({
      registry: { NAMES, load },
      engine: { name: 'SQLite', locate: async () => `${await makeTempFolder()}/store.db` },
    })
    const tally = { ...service.db.tally }
    const db: typeof service.db = { ...service.db, tally, write: () => new Promise(() => {}) }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const asked = takesChanges({ ...service, db })
      tally.groups += done
      await vi.advanceTimersByTimeAsync(2000)
      expect(await asked).toBe(ready)
    } finally {
      vi.useRealTimers()
    }
  },
)
