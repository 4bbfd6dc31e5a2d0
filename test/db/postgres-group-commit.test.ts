/** Writes of one process that wait at the same time: on PostgreSQL they share a transaction. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Db, Tx } from '../../src/core/db.ts'
import { startDeadline } from '../../src/db/deadline.ts'
import { openStore } from '../../src/db/open.ts'
import { makeGroupCommit } from '../../src/db/postgres-group-commit.ts'
import { cached } from '../../src/db/read-cache.ts'
import { createDatabase } from '../support/postgres.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const OPTIONS = { seed: async () => {}, random: () => 0 }
const INSERT = 'insert into ordinals (kind, last) values ($1, $2)'
const MANY = 32

let url: string
let db: Db
let admin: pg.Client

beforeAll(async () => {
  url = await createDatabase()
  db = await openStore(url, OPTIONS)
  admin = new pg.Client({ connectionString: url })
  await admin.connect()
})

afterAll(async () => {
  await db.close()
  await admin.end()
})

beforeEach(async () => {
  await admin.query('delete from ordinals')
})

async function kinds(): Promise<unknown[]> {
  const { rows } = await admin.query('select kind from ordinals order by kind')
  return rows.map((row: { kind: unknown }) => row.kind)
}

const nameOf = (at: number): string => String(at).padStart(2, '0')

async function transactionOf(tx: Tx): Promise<unknown> {
  return (await tx.get('select cast(pg_current_xact_id() as text) as id'))?.['id']
}

/** Makes many writes at once; each runs `work` with its number, and then adds a row with its name. */
function addMany(work: (tx: Tx, at: number) => Promise<unknown>, store = db) {
  return Promise.allSettled(
    Array.from({ length: MANY }, (_, at) =>
      store.write(async (tx) => {
        const result = await work(tx, at)
        await tx.runPipelined(INSERT, nameOf(at), 0)
        return result
      }),
    ),
  )
}

const resultsOf = (outcomes: PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))

const ALL = Array.from({ length: MANY }, (_, at) => nameOf(at))

test('writes that wait together share a transaction, and one that fails leaves nothing behind', async () => {
  const outcomes = await addMany(async (tx, at) => {
    await tx.run(INSERT, `${nameOf(at)} first`, 0)
    await tx.savepoint(() => tx.run(INSERT, `${nameOf(at)} nested`, 0))
    if (at % 8 === 5) throw new Error(`no ${at}`)
    return transactionOf(tx)
  })
  const results = resultsOf(outcomes)
  expect(results.filter((_, at) => at % 8 === 5)).toEqual([5, 13, 21, 29].map((at) => `Error: no ${at}`))
  expect(new Set(results.filter((_, at) => at % 8 !== 5)).size).toBeLessThan(MANY / 4)
  const kept = ALL.filter((_, at) => at % 8 !== 5)
  expect(await kinds()).toEqual(kept.flatMap((name) => [name, `${name} first`, `${name} nested`]))
})

test('a write sees those before it in its transaction', async () => {
  const outcomes = await addMany(async (tx) => (await tx.get('select count(*) as n from ordinals'))?.['n'])
  expect(resultsOf(outcomes)).toEqual(ALL.map((_, at) => at))
})

test('one that meets a locked row waits alone, and holds up nobody', async () => {
  await admin.query(`insert into ordinals (kind, last) values ('locked', 0)`)
  await admin.query('begin')
  await admin.query(`update ordinals set last = 1 where kind = 'locked'`)
  const done: number[] = []
  const writes = addMany(async (tx, at) => {
    if (at === 3) await tx.run(`update ordinals set last = last + 1 where kind = 'locked'`)
    void Promise.resolve().then(() => done.push(at))
  })
  await expect.poll(kinds).toHaveLength(MANY)
  expect(await kinds()).not.toContain(nameOf(3))
  await admin.query('commit')
  expect(resultsOf(await writes)).toEqual(ALL.map(() => undefined))
  expect(await kinds()).toEqual([...ALL, 'locked'])
})

test.each([
  ['whose outcome it awaits', 'run'],
  ['whose outcome nobody awaits', 'runPipelined'],
] as const)('one with a statement that fails, %s, fails alone', async (_, how) => {
  const outcomes = await addMany(async (tx, at) => {
    if (at === 3) await tx[how]('insert into ordinals (kind, last) values ($1, null)', 'bad')
  })
  expect(
    resultsOf(outcomes).map((result, at) => (at === 3 ? /null value/.test(String(result)) : result)),
  ).toEqual(ALL.map((_name, at) => (at === 3 ? true : undefined)))
  expect(await kinds()).toEqual(ALL.filter((_name, at) => at !== 3))
})

test('when the connection breaks, each runs again', async () => {
  let broken = false
  const outcomes = await addMany(async (tx, at) => {
    if (at !== 3 || broken) return
    broken = true
    const row = await tx.get('select pg_backend_pid() as pid')
    await admin.query('select pg_terminate_backend($1)', [row?.['pid']])
    await tx.get('select 1 as one')
  })
  expect(resultsOf(outcomes)).toEqual(ALL.map(() => undefined))
  expect(await kinds()).toEqual(ALL)
})

test('when the commit gets no answer, each is told that its outcome is not known', async () => {
  await admin.query(`
    create function end_connection() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger at_commit after insert on ordinals deferrable initially deferred
      for each row when (new.kind = '03') execute function end_connection()`)
  onTestFinished(async () => {
    await admin.query('drop trigger at_commit on ordinals; drop function end_connection')
  })
  const runs: number[] = []
  const outcomes = await addMany(async (_, at) => {
    runs.push(at)
    if (at === 5) throw new Error('refused')
  })
  const results = resultsOf(outcomes)
  expect(results[5]).toBe('Error: refused')
  expect(results.filter((_, at) => at !== 5)).toEqual(
    ALL.slice(1).map(() => expect.stringContaining('whether it was is not known')),
  )
  expect(runs.filter((at) => at !== 5).toSorted((a, b) => a - b)).toEqual(
    ALL.flatMap((_, at) => (at === 5 ? [] : [at])),
  )
  expect(await kinds()).toEqual([])
})

test('one that the commit refuses fails alone, while others began behind that commit', async () => {
  await admin.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create constraint trigger at_commit after insert on ordinals deferrable initially deferred
      for each row when (new.kind = '03') execute function refuse()`)
  onTestFinished(async () => {
    await admin.query('drop trigger at_commit on ordinals; drop function refuse')
  })
  const early = addMany(async () => {})
  // These wait for the first ones, and begin when those are being committed.
  const late = Promise.all(
    Array.from({ length: MANY }, (_, at) => db.write((tx) => tx.run(INSERT, `late ${nameOf(at)}`, 0))),
  )
  expect(resultsOf(await early).map(String)).toEqual(
    ALL.map((name) => (name === '03' ? 'error: refused' : 'undefined')),
  )
  expect(await late).toHaveLength(MANY)
  expect(await kinds()).toEqual([
    ...ALL.filter((name) => name !== '03'),
    ...ALL.map((name) => `late ${name}`),
  ])
})

test('a write reads the rows of those before it, and none of one that failed', async () => {
  const columns = ['seq', 'transaction_id', 'account', 'amount', 'currency', 'kind', 'resource_id', 'at']
  await admin.query('delete from ledger')
  const outcomes = await addMany(async (tx, at) => {
    const add = (seq: number) =>
      tx.insertMany('ledger', columns, [[seq, 't', 'a', 1, 'GBP', 'refund', 'r', 0]])
    await add(at)
    const refused = tx.savepoint(async () => {
      await add(100 + at)
      // Half of them make the driver send what it holds.
      if (at % 2 === 0) await tx.all('select seq from ledger')
      await tx.run(INSERT, `${nameOf(at)} refused`, 0)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    if (at % 8 === 5) throw new Error('no')
    return at % 4 === 0 ? Number((await tx.get('select count(*) as n from ledger'))?.['n']) : undefined
  })
  const before = (at: number): number => ALL.filter((_, earlier) => earlier <= at && earlier % 8 !== 5).length
  expect(resultsOf(outcomes).filter((_, at) => at % 4 === 0)).toEqual(
    [0, 4, 8, 12, 16, 20, 24, 28].map(before),
  )
  const { rows } = await admin.query('select seq from ledger order by seq')
  expect(rows.map(({ seq }: { seq: string }) => Number(seq))).toEqual(
    ALL.flatMap((_, at) => (at % 8 === 5 ? [] : [at])),
  )
})

test('a value that one has read serves the others until one of them writes its table', async () => {
  let reads = 0
  const count = (tx: Tx) =>
    cached(tx, { key: 'kinds', tables: ['ordinals'], holds: () => true }, async () => {
      reads += 1
      return Number((await tx.get('select count(*) as n from ordinals'))?.['n'])
    })
  const writes = Array.from({ length: MANY }, (_, at) =>
    db.write(async (tx) => {
      if (at === 10) await tx.run(INSERT, 'new', 0)
      if (at === 20)
        await tx
          .savepoint(() => tx.run('delete from ordinals').then(() => Promise.reject(new Error())))
          .catch(() => {})
      return count(tx)
    }),
  )
  expect(await Promise.all(writes)).toEqual(ALL.map((_, at) => (at < 10 ? 0 : 1)))
  expect(reads).toBeLessThan(8)
})

test('a value of one kind of rows serves the others while rows of other kinds are added', async () => {
  let reads = 0
  const columns = ['seq', 'due_at', 'kind', 'resource_id', 'owner_id', 'event', 'payload']
  const tables = ['timeline:membership']
  await addMany(async (tx, at) => {
    await cached(tx, { key: 'due', tables, holds: () => true }, async () => (reads += 1))
    await tx.insertMany('timeline', columns, [[at, 1, 'shipment', 'r', 'o', 'e', '{}']])
  })
  expect(reads).toBeLessThan(8)
})

test('writes wait for a group that goes on, and not for one that stands still or commits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const groups: { onNext(): void; onSent(): void; end(): void }[] = []
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const write = makeGroupCommit({
    runApart: () => Promise.reject(new Error('nobody leaves')),
    runGroup: (group, on) =>
      new Promise((resolve) => {
        groups.push({ ...on, end: () => resolve(group.map(() => ({ result: 'done' }))) })
      }),
  })
  const writeTwo = async (): Promise<Promise<unknown>[]> => {
    const two = [0, 1].map(() => write({ work: async () => 'done', deadline: startDeadline(undefined) }))
    await turn()
    return two
  }
  const first = await writeTwo()
  const second = await writeTwo()
  for (let at = 0; at < 5; at++) {
    vi.advanceTimersByTime(40)
    groups[0]?.onNext()
  }
  await turn()
  expect(groups).toHaveLength(1)
  vi.advanceTimersByTime(60)
  await turn()
  expect(groups).toHaveLength(2)
  const third = await writeTwo()
  expect(groups).toHaveLength(2)
  groups[1]?.onSent()
  await turn()
  expect(groups).toHaveLength(3)
  for (const { end } of groups) end()
  expect(await Promise.all([...first, ...second, ...third])).toEqual(Array.from({ length: 6 }, () => 'done'))
})

test('a write that waits longer than its deadline ends, and the others do not', async () => {
  const proxy = await startTcpProxy(url)
  const slow = await openStore(proxy.url, OPTIONS)
  onTestFinished(() => slow.close())
  const impatient = slow.write((tx) => tx.get('select pg_sleep(0.2)'), { totalMs: 50 })
  const others = addMany(async () => 'done', slow)
  await expect(impatient).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(resultsOf(await others)).toEqual(ALL.map(() => 'done'))
})

test('savepoints without end leave few statements with the connection', async () => {
  const prepared = await db.write(async (tx) => {
    await tx.savepoint(async () => {
      for (let at = 0; at < 100; at++) await tx.savepoint(() => tx.run(INSERT, `kept ${at}`, 0))
      const undone = tx.savepoint(() =>
        tx.run(INSERT, 'undone', 0).then(() => Promise.reject(new Error('undone'))),
      )
      await expect(undone).rejects.toThrow('undone')
    })
    return tx.get(`select count(*) as count from pg_prepared_statements where name like 'savepoint %'`)
  })
  expect(Number(prepared?.['count'])).toBeLessThanOrEqual(64)
  expect(await kinds()).toHaveLength(100)
})

test('a savepoint that could not begin fails with what went wrong before it', async () => {
  await admin.query(INSERT, ['taken', 0])
  const write = db.write(async (tx) => {
    // No caller awaits the outcome, so the savepoint is sent to a transaction that has failed.
    await tx.runPipelined(INSERT, 'taken', 0)
    await tx.savepoint(() => tx.get('select 1 as one'))
  })
  await expect(write).rejects.toThrow(/duplicate key/)
})
