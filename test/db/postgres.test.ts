import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Db, Tx } from '../../src/core/db.ts'
import { type Walk, walkNewestFirst } from '../../src/db/lists.ts'
import { isLockTimeout } from '../../src/db/lock-timeout.ts'
import { openStore } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { createDatabase } from '../support/postgres.ts'

const OPTIONS = { seed: async () => {}, random: () => 0 }
const INSERT = 'insert into ordinals (kind, last) values ($1, $2)'

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

function withPart(part: Partial<Record<'password' | 'pathname' | 'port' | 'username', string>>): string {
  return Object.assign(new URL(url), part).href
}

async function kinds(): Promise<unknown[]> {
  const { rows } = await admin.query('select kind from ordinals order by kind')
  return rows.map((row: { kind: unknown }) => row.kind)
}

/** Makes the server return its own error. */
function raise(tx: Tx, state: string): Promise<unknown> {
  return tx.run(`do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`)
}

async function endConnection(tx: Tx): Promise<void> {
  const row = await tx.get('select pg_backend_pid() as pid')
  await admin.query('select pg_terminate_backend($1)', [row?.['pid']])
}

/** Starts a server that is not PostgreSQL; returns its port. */
async function listen(answer: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

/** Returns a promise and the function that resolves it. */
function makeSignal(): { given: Promise<void>; give: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { given: promise, give: resolve }
}

describe('a database that cannot be used', () => {
  async function failure(location: string): Promise<Error & { code?: string }> {
    const error: unknown = await openPostgres(location, { random: () => 0 }).then(
      () => expect.fail('it opened'),
      (reason: unknown) => reason,
    )
    if (!(error instanceof Error)) throw new Error('not an error')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(new URL(location).password)
    return error
  }

  test('because nobody answers is named by host and database', async () => {
    const error = await failure(withPart({ port: '1', pathname: '/parcels' }))
    expect(error).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(
        /^The PostgreSQL database parcels at [^ ]+:1 cannot be reached \(.*ECONNREFUSED/,
      ),
    })
  })

  test('because the server closes the connection is unavailable', async () => {
    const port = await listen((socket) => socket.destroy())
    const error = await failure(withPart({ port }))
    expect(error.code).toBe('service_unavailable')
  })

  test.each([
    ['28P01', 'store_error', 1],
    ['28000', 'store_error', 1],
    ['53300', 'service_unavailable', 6],
    ['57P03', 'service_unavailable', 6],
  ])('because the server refuses with %s is %s after %d attempts', async (state, code, attempts) => {
    let connections = 0
    const port = await listen((socket) => {
      connections++
      const fields = Buffer.from(`SFATAL\0C${state}\0Mno entry\0\0`)
      const head = Buffer.from('E....')
      head.writeInt32BE(fields.length + 4, 1)
      socket.once('data', () => socket.end(Buffer.concat([head, fields])))
    })
    const error = await failure(withPart({ port }))
    expect(error).toMatchObject({ code, message: expect.stringContaining('no entry') })
    expect(connections).toBe(attempts)
  })

  test.each([
    ['the user does not exist', { username: 'nobody_of_this_name' }, /nobody_of_this_name/],
    ['it does not exist', { pathname: '/no_such_database' }, /no_such_database/],
  ])('because %s is a mistake in the settings', async (_, part, reason) => {
    const error = await failure(withPart(part))
    expect(error).toMatchObject({ code: 'store_error', message: expect.stringMatching(reason) })
  })

  test('because its address is invalid does not repeat the address', async () => {
    const error = await openPostgres('postgres://me:pass-word@host:port/x', OPTIONS).catch(
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ code: 'usage' })
    expect(String(error)).not.toContain('pass-word')
  })

  test('because the user may not create tables is a configuration error', async () => {
    const role = `role_${new URL(url).pathname.slice(1)}`
    await admin.query(`create role ${role} login password 'parcels'`)
    onTestFinished(async () => {
      await admin.query(`drop role ${role}`)
    })
    const opening = openStore(
      withPart({ username: role, password: 'parcels', pathname: '/postgres' }),
      OPTIONS,
    )
    await expect(opening).rejects.toMatchObject({
      code: 'store_error',
      message: expect.stringMatching(/permission denied/),
    })
  })

  test('because its encoding cannot hold every name is refused', async () => {
    const name = `${new URL(url).pathname.slice(1)}_ascii`
    await admin.query(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`)
    onTestFinished(async () => {
      await admin.query(`drop database ${name} with (force)`)
    })
    const error = await failure(withPart({ pathname: `/${name}` }))
    expect(error).toMatchObject({ code: 'store_error', message: expect.stringContaining('UTF8') })
  })
})

describe('a transaction that conflicts with another one', () => {
  test.each(['40001', '40P01', '23505', '23P01', '57P01', '53300', '08006', '0A000', '25006'])(
    'runs again from the start after %s',
    async (state) => {
      let runs = 0
      await db.write(async (tx) => {
        runs++
        await tx.run(INSERT, `run ${runs}`, 0)
        if (runs <= 5) await raise(tx, state)
      })
      expect(runs).toBe(6)
      expect(await kinds()).toEqual(['run 6'])
    },
  )

  test.each([
    ['40001', 'service_unavailable'],
    ['40P01', 'service_unavailable'],
    ['57P01', 'service_unavailable'],
    ['53300', 'service_unavailable'],
    ['08006', 'service_unavailable'],
  ])('is given up after the fifth repetition: %s is %s', async (state, code) => {
    let runs = 0
    const write = db.write((tx) => {
      runs++
      return raise(tx, state)
    })
    await expect(write).rejects.toMatchObject({ code })
    expect(runs).toBe(6)
  })

  test.each([
    ['53100', 'storage_full'],
    ['53200', 'service_unavailable'],
    ['57014', 'service_unavailable'],
    ['22012', '22012'],
  ])('is not repeated for what would fail again: %s is %s', async (state, code) => {
    let runs = 0
    const write = db.write((tx) => {
      runs++
      return raise(tx, state)
    })
    await expect(write).rejects.toMatchObject({ code })
    expect(runs).toBe(1)
  })

  test('sees the row of the other transaction when it is retried', async () => {
    let runs = 0
    const take = () =>
      db.write(async (tx) => {
        runs++
        if ((await tx.get('select kind from ordinals where kind = $1', 'slot')) !== undefined) return 'taken'
        if (runs === 1) await admin.query(`insert into ordinals (kind, last) values ('slot', 1)`)
        await tx.run(INSERT, 'slot', 0)
        return 'mine'
      })
    expect(await take()).toBe('taken')
    expect(runs).toBe(2)
  })

  test('in a deadlock: both succeed', async () => {
    await db.write((tx) => tx.insertMany('ordinals', ['kind', 'last'], [['a', 0], ['b', 0]])) // prettier-ignore
    const add = 'update ordinals set last = last + 1 where kind = $1'
    const [first, second] = [makeSignal(), makeSignal()]
    const other = await openPostgres(url, OPTIONS)
    onTestFinished(() => other.close())
    await Promise.all([
      db.write(async (tx) => {
        await tx.run(add, 'a')
        first.give()
        await second.given
        await tx.run(add, 'b')
      }),
      other.write(async (tx) => {
        await tx.run(add, 'b')
        second.give()
        await first.given
        await tx.run(add, 'a')
      }),
    ])
    const { rows } = await admin.query('select last from ordinals')
    expect(rows).toEqual([{ last: '2' }, { last: '2' }])
  })

  test('waits for a locked row only for a limited time, and says so', async () => {
    await db.write((tx) => tx.run(INSERT, 'slot', 0))
    await admin.query('begin')
    onTestFinished(async () => {
      await admin.query('rollback')
    })
    await admin.query(`select * from ordinals where kind = 'slot' for update`)
    let inside: unknown
    const error = await db
      .write(async (tx) => {
        await tx.run(`set local lock_timeout = '20ms'`)
        inside = await tx.run('delete from ordinals').catch((reason: unknown) => reason)
        throw inside
      })
      .catch((reason: unknown) => reason)
    expect(isLockTimeout(inside)).toBe(true)
    expect(isLockTimeout(error)).toBe(true)
    expect(error).toMatchObject({ code: 'service_unavailable' })
    expect(isLockTimeout(new Error('other'))).toBe(false)
    expect(isLockTimeout(undefined)).toBe(false)
  })

  test('limits by itself how long it waits and how long it holds rows', async () => {
    const limits = await db.write((tx) =>
      tx.get(
        `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
           current_setting('idle_in_transaction_session_timeout') as idle`,
      ),
    )
    expect(limits).toEqual({ lock: '5s', statement: '10s', idle: '10s' })
  })
})

describe('a read that one statement answers', () => {
  const QUESTION = `select current_setting('transaction_isolation') as level,
    current_setting('statement_timeout') as statement`
  const APART = { level: 'read committed', statement: '10s' }
  const BEGUN = { level: 'repeatable read', statement: '10s' }

  test('begins no transaction, until another statement needs one', async () => {
    const answers = await db.read(
      async (tx) => [
        await tx.get(QUESTION),
        await tx.getUnsnapshotted(QUESTION),
        ...(await tx.allUnsnapshotted(QUESTION)),
        await tx.get(QUESTION),
        ...(await tx.allUnsnapshotted(QUESTION)),
      ],
      { firstStatementOutsideTransaction: true },
    )
    expect(answers).toEqual([APART, APART, APART, BEGUN, BEGUN])
  })

  test('has one where the caller did not allow that, and writes nothing without one', async () => {
    expect(await db.read((tx) => tx.allUnsnapshotted(QUESTION))).toEqual([BEGUN])
    const write = db.read((tx) => tx.allUnsnapshotted(`delete from ordinals`), {
      firstStatementOutsideTransaction: true,
    })
    await expect(write).rejects.toThrow('A read must not write')
  })
})

describe('a connection that breaks', () => {
  test('in the middle of the work: the work runs again', async () => {
    let runs = 0
    await db.write(async (tx) => {
      runs++
      await tx.run(INSERT, `run ${runs}`, 0)
      if (runs === 1) await endConnection(tx)
      await tx.get('select 1 as one')
    })
    expect(await kinds()).toEqual(['run 2'])
  })

  test('where the work ignores it: nothing is committed, the work runs again', async () => {
    let runs = 0
    await db.write(async (tx) => {
      runs++
      await tx.run(INSERT, `run ${runs}`, 0)
      if (runs > 1) return
      await endConnection(tx)
      await tx.get('select 1 as one').catch(() => {})
    })
    expect(await kinds()).toEqual(['run 2'])
  })

  test('during a read: the read runs again', async () => {
    let runs = 0
    const row = await db.read(async (tx) => {
      if (++runs === 1) await endConnection(tx)
      return tx.get('select 1 as one')
    })
    expect(row).toEqual({ one: 1 })
    expect(runs).toBe(2)
  })

  test('while nobody uses it is replaced', async () => {
    await db.read((tx) => tx.get('select 1 as one'))
    await admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'dray' and datname = current_database()`)
    expect(await db.read((tx) => tx.get('select 1 as one'))).toEqual({ one: 1 })
  })

  test('while the commit is under way: the outcome is not known, so it is never repeated', async () => {
    await admin.query(`
      create function end_connection() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create constraint trigger at_commit after insert on ordinals deferrable initially deferred
        for each row when (new.kind = 'breaks') execute function end_connection()`)
    let runs = 0
    const write = db.write((tx) => {
      runs++
      return tx.run(INSERT, 'breaks', 0)
    })
    await expect(write).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('whether it was is not known'),
    })
    expect(runs).toBe(1)
    await db.write((tx) => tx.run(INSERT, 'next', 0))
    expect(await kinds()).toEqual(['next'])
  })
})

test('work that continues after a failed statement is not committed', async () => {
  const write = db.write(async (tx) => {
    await tx.run(INSERT, 'before', 0)
    await tx.run('select 1 / 0').catch(() => {})
  })
  await expect(write).rejects.toThrow('nothing was committed')
  expect(await kinds()).toEqual([])
})

test('more transactions than connections wait their turn', async () => {
  const small = await openPostgres(url, { random: () => 0, connections: 2 })
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => small.write((tx) => tx.run(INSERT, `${index}`, 0))),
  )
  await small.close()
  expect(await kinds()).toHaveLength(20)
})

test('a statement of a library does not wait for a lock forever, and leaves the store usable', async () => {
  const impatient = await openPostgres(url, { random: () => 0, silence: { library: 50 } })
  onTestFinished(() => impatient.close())
  const count = { text: 'update ordinals set last = last + $1 returning last', values: [1], name: 'count' }
  await admin.query(`insert into ordinals (kind, last) values ('a', 1)`)
  await admin.query('begin')
  await admin.query('lock table ordinals')
  await expect(impatient.query?.(count)).rejects.toThrow('no response within 0.05 s')
  await admin.query('rollback')
  expect(await impatient.read((tx) => tx.all('select kind from ordinals'))).toEqual([{ kind: 'a' }])
})

test('a list with a filter is planned for its values each time, one without a filter once', async () => {
  const ORDERS = { table: 'orders', select: 'select order_id from orders' } as const
  const owner = { account_id: 'cus_1' }
  const prepared = await db.read(async (tx) => {
    const list = async (filter: Partial<Walk>): Promise<unknown> =>
      walkNewestFirst(tx, ORDERS, { all: owner, any: {}, ...filter }, { limit: 25 })
    await list({})
    await list({ any: { status: ['rejected'] } })
    await list({ any: { status: ['placed', 'rejected'] } })
    await list({ created_from: 1, created_to: 2 })
    return tx.all(
      `select statement from pg_prepared_statements where statement like 'select order_id from orders%'`,
    )
  })
  expect(prepared.map(({ statement }) => statement)).toEqual([
    'select order_id from orders where account_id = $1 order by created_at desc, seq desc limit 26',
  ])
})
