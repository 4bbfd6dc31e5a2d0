import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Db } from '../../src/core/db.ts'
import { openStore } from '../../src/db/open.ts'
import { createDatabase } from '../support/postgres.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import type { TcpProxy } from '../support/tcp-proxy.ts'

const INSERT = 'insert into ordinals (kind, last) values ($1, 0)'
/** A write with a limit of its own shares no transaction. */
const APART = { statementMs: 8000 }
/** Long enough that a busy machine answers within it; what must fail is hurried. */
const SILENCE = { begin: 8000, statement: 8000, close: 100 }

let url: string
let admin: pg.Client
let proxy: TcpProxy
let db: Db

beforeAll(async () => {
  url = await createDatabase()
  admin = new pg.Client({ connectionString: url })
  await admin.connect()
})

afterAll(() => admin.end())

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  onTestFinished(() => void vi.useRealTimers())
  proxy = await startTcpProxy(url)
  db = await openStore(proxy.url, { seed: async () => {}, random: () => 0, silence: SILENCE })
  onTestFinished(() => db.close())
  await admin.query('delete from ordinals')
})

/** Lets the time pass for which the server may be silent. Idle connections are kept for longer. */
function hurry(): void {
  vi.advanceTimersByTime(8000)
}

async function kinds(): Promise<unknown[]> {
  const { rows } = await admin.query('select kind from ordinals order by kind')
  return rows.map((row: { kind: unknown }) => row.kind)
}

/** Waits until the server has nothing more to do for the store: a read does not wait until it has ended. */
async function settled(): Promise<void> {
  const busy = `select 1 from pg_stat_activity where application_name = 'dray' and state <> 'idle'
    and datname = current_database()`
  await expect.poll(async () => (await admin.query(busy)).rowCount).toBe(0)
}

test('a transaction replaces a dead connection by a new one, and uses no other old one', async () => {
  await Promise.all(Array.from({ length: 5 }, () => db.read((tx) => tx.get('select pg_sleep(0.01)'))))
  await settled()
  proxy.cutWires()
  expect(proxy.countDead()).toBe(5)
  const write = db.write((tx) => tx.run(INSERT, 'parcel'))
  await expect.poll(() => proxy.countAsked()).toBe(1)
  hurry()
  await write
  expect(await kinds()).toEqual(['parcel'])
  expect(proxy.countAsked()).toBe(1)
})

test('dead connections are closed when they are found', async () => {
  await Promise.all(Array.from({ length: 5 }, () => db.read((tx) => tx.get('select pg_sleep(0.01)'))))
  await settled()
  proxy.cutWires()
  const writes = Array.from({ length: 5 }, (_, index) => db.write((tx) => tx.run(INSERT, `${index}`), APART))
  await expect.poll(() => proxy.countAsked()).toBe(5)
  hurry()
  await Promise.all(writes)
  expect(await kinds()).toEqual(['0', '1', '2', '3', '4'])
  await expect.poll(() => proxy.countDead()).toBe(0)
})

test('a transaction whose connection dies in the middle runs again, once', async () => {
  let runs = 0
  const write = db.write(async (tx) => {
    await tx.run(INSERT, `run ${++runs}`)
    if (runs === 1) proxy.cutWires()
    await tx.get('select 1 as one')
  })
  await expect.poll(() => proxy.countAsked()).toBe(1)
  hurry()
  await write
  expect(await kinds()).toEqual(['run 2'])
})

test('reads that need no transaction share a connection, and a new one when it dies', async () => {
  const readAll = (): Promise<unknown[]> =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        db.read((tx) => tx.get('select pg_backend_pid() as pid'), { firstStatementOutsideTransaction: true }),
      ),
    )
  expect(new Set((await readAll()).map((row) => JSON.stringify(row))).size).toBe(1)
  proxy.cutWires()
  const reads = readAll()
  await expect.poll(() => proxy.countAsked()).toBe(1)
  hurry()
  expect(new Set((await reads).map((row) => JSON.stringify(row))).size).toBe(1)
  await expect.poll(() => proxy.countDead()).toBe(0)
})

test('a commit without an answer is not repeated: its outcome is unknown', async () => {
  let runs = 0
  await settled()
  proxy.cutAfter('insert into ordinals', 'commit\0')
  const write = db.write((tx) => {
    runs++
    return tx.run(INSERT, 'parcel')
  })
  write.catch(() => {})
  await expect.poll(kinds).toEqual(['parcel'])
  hurry()
  await expect(write).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('whether it was is not known'),
  })
  expect(runs).toBe(1)
  expect(await kinds()).toEqual(['parcel'])
})

test('a transaction with its own deadline ends at it, even while it waits for a connection', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let left = 10
  const holders = Array.from({ length: 10 }, () =>
    db.read(async (tx) => {
      await tx.get('select 1 as one')
      if (--left === 0) begin()
      await held
    }),
  )
  await begun
  for (const firstApart of [false, true]) {
    const read = db.read((tx) => tx.get('select 1 as one'), {
      totalMs: 20,
      firstStatementOutsideTransaction: firstApart,
    })
    await expect(read).rejects.toMatchObject({ code: 'service_unavailable' })
  }
  letGo()
  await Promise.all(holders)
  expect(await db.read((tx) => tx.get('select 1 as one'))).toEqual({ one: 1 })
})

test('a statement that takes too long is ended by the server, and holds no row any more', async () => {
  await admin.query(`insert into ordinals (kind, last) values ('a', 0)`)
  const slow = db.write(
    async (tx) => {
      await tx.run('delete from ordinals')
      await tx.get('select pg_sleep(60)')
    },
    // The server counts the pauses between statements too, which are long on a busy machine.
    { statementMs: 2000 },
  )
  await expect(slow).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('too long'),
  })
  await db.write((tx) => tx.run('delete from ordinals'))
  expect(await kinds()).toEqual([])
})

test('a statement may take long if its caller allows it', async () => {
  const brisk = await openStore(proxy.url, {
    seed: async () => {},
    random: () => 0,
    silence: { ...SILENCE, statement: 2000 },
  })
  onTestFinished(() => brisk.close())
  await brisk.write((tx) => tx.get('select pg_sleep(2.5)'), { statementMs: 60_000 })
  expect(proxy.countAsked()).toBe(0)
})

test('a store closes although the server is silent', async () => {
  const write = db.write(
    async (tx) => {
      await tx.run(INSERT, 'parcel')
      proxy.cutWires()
      await tx.get('select 1 as one')
    },
    { statementMs: 600_000 },
  )
  write.catch(() => {})
  await expect.poll(() => proxy.countAsked()).toBe(1)
  await db.close()
  await expect(write).rejects.toMatchObject({ code: 'service_unavailable' })
})
