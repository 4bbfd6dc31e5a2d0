/** A store over two servers, of which the second follows the first, and replaces it. */
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Db } from '../../src/core/db.ts'
import { openStore } from '../../src/db/open.ts'
import { type ReplicatedPostgres, startReplicated } from '../support/postgres-server.ts'

const INSERT = 'insert into ordinals (kind, last) values ($1, 0)'

let servers: ReplicatedPostgres
let primary: string
let standby: string

beforeAll(async () => {
  servers = await startReplicated()
  primary = await servers.createDatabase()
  standby = servers.onStandby(primary)
  const db = await open(primary)
  await db.close()
  // A table of the standby, once it has followed.
  await vi.waitFor(() => kinds(standby), { timeout: 60_000, interval: 20 })
})

afterAll(() => servers.stop())

function open(url: string, silence = {}): Promise<Db> {
  return openStore(url, { seed: async () => {}, random: () => 0, silence })
}

/** Returns an address of both, the standby first. */
function both(more = ''): string {
  const [, place = ''] = /@([^/]*)/.exec(primary) ?? []
  return `${standby.replace(/(@[^/]*)/, `$1,${place}`)}${more}`
}

async function kinds(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select kind from ordinals order by kind')
    return rows.map((row: { kind: unknown }) => row.kind)
  } finally {
    // One that was left open would fail when its server ends.
    await client.end()
  }
}

test('a change on a standby is refused in words that say it, and a read is answered', async () => {
  for (const url of [
    standby,
    both('?target_session_attrs=standby'),
    both('?target_session_attrs=prefer-standby'),
  ]) {
    const db = await open(url)
    onTestFinished(() => db.close())
    expect(await db.read((tx) => tx.get('select pg_is_in_recovery() as standby'))).toEqual({ standby: 1 })
    await expect(db.write((tx) => tx.run(INSERT, 'lost'))).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(/is read-only: its server is a standby/),
      hint: expect.stringMatching(/^Name the primary/),
    })
  }
})

test('servers of which none is as wanted are named, each with its reason', async () => {
  const [, place = ''] = /@([^/]*)/.exec(standby) ?? []
  const urls = [
    [standby.replace(/(@[^/]*)/, '$1,127.0.0.1:1'), '; 127.0.0.1:1 does not respond: connect ECONNREFUSED'],
    [`${standby}?target_session_attrs=read-write`, ''],
  ]
  for (const [url = '', more = ''] of urls)
    await expect(open(url, { connect: 100 })).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining(`${place} is a standby${more}`),
    })
})

test('a commit whose wait for a standby was ended by hand is in doubt', async () => {
  const admin = new pg.Client({ connectionString: primary })
  await admin.connect()
  const set = async (value: string): Promise<void> => {
    await admin.query(`alter system set synchronous_standby_names = '${value}'`)
    await admin.query('select pg_reload_conf()')
  }
  onTestFinished(() => admin.end())
  const db = await open(primary)
  onTestFinished(() => db.close())
  servers.freeze()
  try {
    await set('ANY 1 (*)')
    await expect
      .poll(async () => (await admin.query('show synchronous_standby_names')).rows)
      .not.toEqual([{ synchronous_standby_names: '' }])
    // The server takes the setting a moment after it shows it: until then a commit does not wait.
    let written = 0
    let outcome: Promise<unknown> | undefined
    const write = (): Promise<unknown> =>
      db
        .write((tx) => tx.run(INSERT, `alone ${++written}`))
        .then(
          () => void (outcome = undefined),
          (error: unknown) => error,
        )
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    await expect
      .poll(async () => {
        outcome ??= write()
        return (await admin.query(cancel)).rowCount
      })
      .toBe(1)
    expect(await outcome).toMatchObject({ message: expect.stringContaining('is not known') })
    expect(await kinds(primary)).toContain(`alone ${written}`)
  } finally {
    await set('')
    servers.thaw()
    await admin.query('delete from ordinals')
  }
})

test('after a failover the new primary is found, and the old one is not believed any more', async () => {
  const db = await open(both())
  onTestFinished(() => db.close())
  await db.write((tx) => tx.run(INSERT, 'before'))
  expect(await kinds(primary)).toEqual(['before'])
  await expect.poll(() => kinds(standby)).toEqual(['before'])
  await servers.failOver()
  await Promise.all(['a', 'b', 'c'].map((kind) => db.write((tx) => tx.run(INSERT, kind))))
  expect(await kinds(standby)).toEqual(['a', 'b', 'before', 'c'])
})
