/** The back-up of `docs/postgresql.md`, with PostgreSQL 15 of Debian: a store comes back as it was at a moment. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { afterFile } from '../support/after-file.ts'
import { recordTally } from '../support/battery.ts'
import { installProgram } from '../support/debian.ts'
import { checkInvariants } from '../support/invariants.ts'
import { blocksOf, readPage } from '../support/pages.ts'
import { makeRows } from '../support/parcel.ts'
import { findFreePort } from '../support/postgres-server.ts'
import { makeTempFolder, openTestStore } from '../support/stores.ts'
import { openTestSandbox, sandboxOverStore } from '../support/world.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const PARCELS = 500

test(
  'a restore brings back every parcel until its time, and none after it',
  { timeout: 600_000 },
  async () => {
    await installProgram(join(BIN, 'initdb'), 'postgresql-15')
    const base = await makeTempFolder()
    chmodSync(base, 0o777)
    const as = (file: string, ...words: string[]): string =>
      execFileSync('runuser', ['-u', 'postgres', '--', file, ...words], { encoding: 'utf8', cwd: base })
    as(
      'sh',
      '-c',
      `mkdir ${base}/wal && ${BIN}/initdb -D ${base}/data -U dray --auth=trust --encoding=UTF8 --locale=C`,
    )
    const first = await begin(base, 'data')
    const address = first.url('dray')
    await ask(first.url('postgres'), 'create database dray')

    const engine = { name: 'PostgreSQL', locate: async () => address }
    const world = await openTestSandbox({ engine })
    await world.ok('create_shipments_batch', { shipments: makeRows(PARCELS, 'BEFORE-') })
    await world.db.close()
    // The commands of the page, with the folders of this test.
    const [commands = ''] = blocksOf(readPage('docs/postgresql.md')).flatMap(({ text }) =>
      text.includes('pg_basebackup') ? [text.replaceAll('/backup', base)] : [],
    )
    const [archive = '', mode = '', copy = ''] = commands.split('\n')
    const run = (line: string): string => as('sh', '-c', `DRAY_STORE='${address}'; ${line}`)
    run(archive)
    run(mode)
    await first.stop()
    const second = await begin(base, 'data', first.port)
    run(copy)
    const later = sandboxOverStore(await openTestStore(engine, { location: address }))
    await later.ok('create_shipments_batch', { shipments: makeRows(PARCELS, 'UNTIL-') })
    const [{ at }] = (await ask(address, 'select cast(clock_timestamp() as text) as at')) as [{ at: string }]
    await later.ok('create_shipments_batch', { shipments: makeRows(PARCELS, 'AFTER-') })
    await later.db.close()
    await ask(address, 'select pg_switch_wal()')
    await second.stop()

    appendFileSync(
      join(base, 'base/postgresql.auto.conf'),
      `restore_command = 'cp ${base}/wal/%f %p'\nrecovery_target_time = '${at}'\nrecovery_target_action = promote\n`,
    )
    writeFileSync(join(base, 'base/recovery.signal'), '')
    const third = await begin(base, 'base', first.port)
    await expect.poll(() => ask(address, 'select pg_is_in_recovery() as waits')).toEqual([{ waits: false }])
    const restored = await openTestStore(engine, { location: address })
    const rows = await restored.read((tx) => tx.all('select reference from shipments'))
    const references = rows.map((row) => String(row['reference']).split('-')[0])
    const count = (name: string): number => references.filter((each) => each === name).length
    recordTally({
      tries: 3 * PARCELS,
      lost: 2 * PARCELS - count('BEFORE') - count('UNTIL'),
      broken: count('AFTER'),
    })
    expect([count('BEFORE'), count('UNTIL'), count('AFTER')]).toEqual([PARCELS, PARCELS, 0])
    expect(await checkInvariants(restored)).toEqual([])
    await restored.close()
    await third.stop()
  },
)

/** Starts a server of Debian over a folder of `base`. */
async function begin(base: string, data: string, at?: number) {
  const port = at ?? (await findFreePort())
  const settings = ['-p', String(port), '-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1']
  const user = ['--reuid=postgres', '--regid=postgres', '--clear-groups']
  const child = spawn('setpriv', [...user, join(BIN, 'postgres'), '-D', join(base, data), ...settings], {
    cwd: base,
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await exit
  }
  afterFile(stop)
  const url = (database: string): string => `postgres://dray@127.0.0.1:${port}/${database}`
  await expect.poll(() => ask(url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  return { port, url, stop }
}

async function ask(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(query)).rows
  } catch (error) {
    return String(error)
  } finally {
    await client.end().catch(() => {})
  }
}
