/** The process of a cluster that writes for the others is stopped, and goes on later. */
import { expect, onTestFinished, test } from 'vitest'
import type { GatewayResponse } from '../../src/gateway/request.ts'
import { openService } from '../../src/host/embedded.ts'
import { type FromFirst, type FromMember, connectToPrimary } from '../../src/server/cluster-primary.ts'
import { makeHeartbeat, SILENT_TURNS } from '../../src/server/heartbeat.ts'
import { makeParcel } from '../support/parcel.ts'
import { makeTempFolder } from '../support/stores.ts'

/** A process that serves and the one that writes for it, over one store and one clock. */
async function openTwo() {
  const target = { store: `${await makeTempFolder()}/store.db` }
  let elapsed = 0
  const deps = {
    now: Date.now,
    random: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
    weakRandomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
    env: {},
    firstRun() {},
    debug() {},
  }
  const pulse = makeHeartbeat(() => elapsed)
  pulse.feel()
  const writer = await openService(target, { ...deps, sqlite: { watch: pulse.watch } })
  const sent: FromMember[] = []
  let hear: (message: FromFirst) => void = () => {}
  let turn = (): void => {}
  const first = connectToPrimary({
    elapsed: () => elapsed,
    send: (message) => void sent.push(message),
    listen: (listener) => (hear = listener),
    every: (_ms, listener) => (turn = listener),
  })
  const member = await openService(target, { ...deps, hand: first.hand })
  onTestFinished(async () => {
    await member.db.close()
    await writer.db.close()
  })
  return {
    first,
    hear: (message: FromFirst) => hear(message),
    create: (idempotencyKey?: string): Promise<GatewayResponse> =>
      member.gateway.invoke({
        operation: 'create_shipment',
        credential: { account: 'everything' },
        input: makeParcel(),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    async handed() {
      await expect.poll(() => sent.some(({ handed }) => handed !== undefined)).toBe(true)
    },
    /** Stops the writer for ten seconds, of which the process that serves counts some turns of its timer. */
    stop(turns = SILENT_TURNS) {
      for (let count = 0; count < turns; count++) turn()
      elapsed += 10_000
    },
    /** Has the writer carry out what it was sent, and answer. */
    async carryOut() {
      for (const { handed = [] } of sent.splice(0)) {
        for (const [id, attempt, at] of handed) {
          const end = await writer.gateway.carry(attempt, () => pulse.assertSince(at))
          hear({ ended: [[id, end ?? null]] })
        }
      }
    },
    async parcels(): Promise<number> {
      const row = await writer.db.read((tx) => tx.get('select count(*) as count from shipments'))
      return Number(row?.['count'])
    },
  }
}

test('while the writer is silent, this process writes; the writer adds nothing when it goes on', async () => {
  const two = await openTwo()
  const before = await two.parcels()
  const call = two.create('key')
  await two.handed()
  two.stop()
  const answer = await call
  expect(answer.status).toBe(201)
  expect((await two.create()).status).toBe(201)
  expect(two.first.canWrite()).toBeUndefined()
  await two.carryOut()
  expect(await two.parcels()).toBe(before + 2)
  const repeat = two.create('key')
  await two.handed()
  await two.carryOut()
  const again = await repeat
  expect([again.body, again.headers['Idempotent-Replayed']]).toEqual([answer.body, 'true'])
})

test('the silent writer’s call without a key gets an error to look, and is never carried out later', async () => {
  const two = await openTwo()
  const before = await two.parcels()
  const call = two.create()
  await two.handed()
  two.stop()
  const { status, body } = await call
  expect([status, body]).toEqual([
    503,
    expect.stringContaining('The result of the call is unknown, and it had no Idempotency-Key.'),
  ])
  await two.carryOut()
  expect(await two.parcels()).toBe(before)
})

test('a call that came while the writer was stopped for a moment is sent again, and done once', async () => {
  const two = await openTwo()
  const before = await two.parcels()
  const call = two.create()
  await two.handed()
  two.stop(SILENT_TURNS - 1)
  // It answers before this process gives it up.
  two.hear({ canWrite: false })
  expect(two.first.canWrite()).toBe(false)
  await two.carryOut()
  expect(await two.parcels()).toBe(before)
  await two.handed()
  await two.carryOut()
  expect((await call).status).toBe(201)
  expect(await two.parcels()).toBe(before + 1)
})
