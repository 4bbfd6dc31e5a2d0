/** Back-ups of a store, made and brought back while another process has it open. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import { sandboxBackup } from '../../../src/commands/sandbox/backup.command.ts'
import { sandboxRestore } from '../../../src/commands/sandbox/restore.command.ts'
import { sandboxSnapshotSave } from '../../../src/commands/sandbox/snapshot-save.command.ts'
import type { PageName } from '../../../src/core/pages.ts'
import { reserveTempFile } from '../../../src/db/temp-files.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { exampleInput } from '../../support/example-input.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { statementsBackTo } from '../../support/older-store.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN, runForJson, runInSandbox } from '../../support/sandbox-commands.ts'

const YES = ['--confirm', 'sandbox']

let sent = 0

const storeOf = (home: Home): string => `${home.paths.data}/default/dray.db`

/** Opens the store as a service that goes on running. */
async function serve(home: Home) {
  const client = await embeddedIn(home)({ kind: 'embedded', store: storeOf(home), account: 'everything' })
  return {
    send: () =>
      client.call('create_shipment', {
        ...exampleInput(createShipment),
        reference: `R-${(sent += 1)}`,
      } as never),
    count: async () => (await client.call('list_shipments', {})).value.data.length,
    mint: async () => (await client.control('mint_token', { account: 'everything' })).token,
    async link(page: PageName) {
      await client.control('create_page_link', { account: 'everything', page })
      await client.control('create_approval_link', {})
    },
    asks: async (token: string) => (await client.whoAmI(token)).account,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

test('copies and brings back a store with its tokens, while a service goes on with it', async () => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  await service.send()
  const token = await service.mint()
  const file = `${home.cwd}/monday.backup`
  expect(await runForJson(home, sandboxBackup, 'monday.backup')).toMatchObject({ path: file, kind: 'store' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(home.cwd)).toEqual(['monday.backup'])

  await service.send()
  const later = await service.mint()
  expect((await runInSandbox(home, sandboxRestore, 'monday.backup')).error).toMatchObject({
    code: 'not_confirmed',
  })
  expect(await runForJson(home, sandboxRestore, 'monday.backup', '--dry-run')).toMatchObject({
    kind: 'store',
  })
  expect(await service.count()).toBe(2)

  expect(await runForJson(home, sandboxRestore, 'monday.backup', ...YES)).toMatchObject({ kind: 'store' })
  expect(await service.count()).toBe(1)
  expect(await service.asks(token)).toBe('everything')
  await expect(service.asks(later)).rejects.toMatchObject({ code: 'invalid_token' })
  await service.send()
  expect(await service.count()).toBe(2)
  expect(readdirSync(`${home.paths.data}/default`).filter((name) => name.includes('.part'))).toEqual([])

  // The store of another profile, which does not exist yet.
  const fresh = `${home.paths.data}/other/dray.db`
  expect((await runInSandbox(home, sandboxRestore, file, '--store', fresh, ...YES)).code).toBe(0)
  expect(statSync(fresh).mode & 0o777).toBe(0o600)
  // A snapshot is restored, too.
  await runInSandbox(home, sandboxSnapshotSave, './all.snapshot')
  expect(await runForJson(home, sandboxRestore, 'all.snapshot', ...YES)).toMatchObject({ kind: 'snapshot' })
})

test('replaces no file that it did not write, and never the store by itself', async () => {
  using home = makeHome(FROZEN)
  await using _service = await serve(home)
  writeFileSync(`${home.cwd}/letter.txt`, 'Dear Sir')
  expect((await runInSandbox(home, sandboxBackup, 'letter.txt')).error?.hint).toContain('--force')
  expect(readFileSync(`${home.cwd}/letter.txt`, 'utf8')).toBe('Dear Sir')
  for (const command of [sandboxBackup, sandboxRestore])
    expect((await runInSandbox(home, command, storeOf(home))).error?.message).toContain('is the store itself')
  await runInSandbox(home, sandboxBackup, 'own.backup')
  expect((await runInSandbox(home, sandboxBackup, 'own.backup')).code, 'its own file is replaced').toBe(0)
  expect((await runInSandbox(home, sandboxBackup, 'no/such/folder.backup')).error).toMatchObject({
    code: 'file_error',
  })
})

test('restores nothing that is damaged, newer or something else', async () => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  await service.send()
  const file = `${home.cwd}/a.backup`
  await runInSandbox(home, sandboxBackup, file)
  const whole = readFileSync(file)
  const refusal = async (): Promise<string | undefined> =>
    (await runInSandbox(home, sandboxRestore, file, ...YES)).error?.message
  const spoilt = Buffer.from(whole)
  spoilt.fill(7, 8192, 40_960)
  writeFileSync(file, spoilt)
  expect(await refusal()).toMatch(/a\.backup cannot be restored: it is damaged/)
  writeFileSync(file, whole.subarray(0, whole.length / 2))
  expect(await refusal()).toMatch(/cannot be restored: it is damaged/)
  writeFileSync(file, whole)
  chmodSync(file, 0o600)
  {
    using db = new DatabaseSync(file)
    db.exec('pragma user_version = 99')
  }
  expect(await refusal()).toMatch(/was written by a newer dray \(schema 99/)
  writeFileSync(file, 'Dear Sir')
  expect(await refusal()).toMatch(/a\.backup is not a sandbox backup/)
  expect((await runInSandbox(home, sandboxRestore, file, '--dry-run')).error?.code).toBe('file_error')
  expect((await runInSandbox(home, sandboxRestore, 'none.backup', ...YES)).error?.message).toContain(
    'there is no such file',
  )
  expect(await service.count()).toBe(1)
})

/** Changes to a good backup, each with the beginning of its error. */
const TAMPERED: readonly (readonly [what: string, sql: string, why: RegExp])[] = [
  [
    'a trigger that gives money',
    'create trigger gift after insert on events begin update wallets set balance = balance + 100000; end',
    /it has the trigger gift on events that dray does not make/,
  ],
  ['a dropped ledger', 'drop table ledger', /the table ledger is missing/],
  [
    'a view for a table',
    'alter table wallets rename to purse; create view wallets as select * from purse',
    /wallets must be a table and is a view/,
  ],
  ['a table of its own', 'create table notes (text)', /it has the table notes on notes/],
  ['an index of its own', 'create index mine on ledger (at)', /it has the index mine on ledger/],
  ['a table without its constraints', 'WRITABLE wallets', /the table wallets is not as dray makes it/],
  [
    'a virtual table',
    'create virtual table words using fts5(text)',
    /it has the table words on words that dray does not make/,
  ],
  [
    'a column that computes',
    `alter table ordinals add column twice integer generated always as (last * 2) virtual`,
    /the table ordinals is not as dray makes it/,
  ],
  [
    'a fuller wallet',
    'update wallets set balance = balance + 100000',
    /the balance of a wallet is not what its ledger says/,
  ],
  [
    'a ledger that does not add up',
    `delete from ledger where account not like 'wallet:%'`,
    /a transaction of its ledger does not add up to zero/,
  ],
  [
    'a payment that is whole and was paid back',
    `insert into payments (resource_id, payment_id, account_id, method, status, collected_by, amount, currency, created_at)
     select 'rid_1', 'pay_1', account_id, 'card', 'refunded', 'platform', 5, 'GBP', 0 from accounts limit 1`,
    /a payment has another status than its refunds say/,
  ],
  [
    'a refund of nothing',
    `insert into refunds (refund_id, resource_id, position, status, destination, amount, reason, refunded_at)
     values ('rfd_1', 'rid_1', 1, 'succeeded', 'original_method', 5, 'other', 0)`,
    /a refund is of no payment/,
  ],
  [
    'a parcel of nobody',
    `pragma foreign_keys = off; update shipments set agreement_id = 'agr_none'`,
    /a row of shipments refers to no row of/,
  ],
  [
    'a status that there is not',
    `pragma ignore_check_constraints = on; update shipments set status = 'eaten'`,
    /it is damaged/,
  ],
  ['text that is no JSON', `update shipments set doc = 'x'`, /a row of shipments is damaged/],
  [
    'a plan that is no JSON',
    `update timeline set payload = 'x' where seq = (select min(seq) from timeline)`,
    /a row of timeline is damaged \(seq \d+, payload x\)/,
  ],
  ['an event that is no JSON', `update events set doc = 'x'`, /a row of events is damaged/],
  [
    'a plan for nobody',
    `update timeline set resource_id = 'shp_none' where seq = (select min(seq) from timeline)`,
    /its timeline has an event for a row that is not there \(kind \w+, resource_id shp_none\)/,
  ],
  [
    'a plan of a kind that there is not',
    `update timeline set kind = 'nap' where seq = (select min(seq) from timeline)`,
    /its timeline has an event for a row that is not there \(kind nap,/,
  ],
  [
    'a plan that no order, ride or parcel can follow',
    `update timeline set event = 'nap' where seq = (select min(seq) from timeline)`,
    /its timeline has an event that this dray does not know \(kind \w+, event nap,/,
  ],
  [
    'a document that is a list',
    `update shipments set doc = '[]'`,
    /a row of shipments is damaged \(tracking_number \w+, doc \[\]\)/,
  ],
  [
    'a number that no program can read',
    'update events set seq = 9223372036854775000 where seq = (select max(seq) from events)',
    /a row of events has a number that is too large \(seq 9223372036854775000,/,
  ],
  [
    'a counter that is nearly at its end',
    'update world set seq = 9007199254740990',
    /its counter is too large \(seq 9007199254740990\)/,
  ],
  ['a counter that goes back', 'update world set seq = 0', /the counter of its world is behind/],
]

test.each(TAMPERED)('restores nothing with %s, and keeps the good store', async (_what, sql, why) => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  await service.send()
  const file = `${home.cwd}/a.backup`
  await runInSandbox(home, sandboxBackup, file)
  await service.send()
  {
    using db = new DatabaseSync(file, { defensive: false })
    if (sql.startsWith('WRITABLE'))
      db.exec(
        `pragma writable_schema = on; update sqlite_schema set sql = replace(sql, 'check (balance >= 0)', '') where name = 'wallets'`,
      )
    else db.exec(sql)
  }
  for (const more of [YES, ['--dry-run']]) {
    const { error } = await runInSandbox(home, sandboxRestore, file, ...more)
    expect(error?.message).toMatch(why)
    expect(error?.message).toMatch(/a\.backup cannot be restored: .*Nothing was changed\.$/)
  }
  expect(await service.count()).toBe(2)
  expect(readdirSync(dirname(storeOf(home))).filter((name) => name.startsWith('.dray'))).toEqual([])
})

test('names the webhook endpoints that come along, in a backup and in a snapshot', async () => {
  using home = makeHome(FROZEN)
  const client = await embeddedIn(home)({ kind: 'embedded', store: storeOf(home), account: 'everything' })
  await client.call('create_webhook_endpoint', { url: 'https://shop.example/hooks' })
  await client.close()
  await runInSandbox(home, sandboxBackup, 'a.backup')
  await runInSandbox(home, sandboxSnapshotSave, './a.snapshot')
  for (const file of ['a.backup', 'a.snapshot']) {
    const { err, error } = await runInSandbox(home, sandboxRestore, file, ...YES)
    expect(error).toBeUndefined()
    expect(err).toContain('sends events to https://shop.example/hooks.')
  }
})

test('restores a store with the statistics of `analyze`, which change no answer', async () => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  await service.send()
  const file = `${home.cwd}/a.backup`
  await runInSandbox(home, sandboxBackup, file)
  {
    using db = new DatabaseSync(file)
    db.exec('analyze')
  }
  expect((await runInSandbox(home, sandboxRestore, file, ...YES)).error).toBeUndefined()
  await service.send()
})

test('brings an older backup to this schema first, and rejects an older one with changes', async () => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  await service.send()
  const file = `${home.cwd}/a.backup`
  await runInSandbox(home, sandboxBackup, file)
  {
    using db = new DatabaseSync(file)
    db.exec(statementsBackTo(14).join(';\n'))
  }
  await service.send()
  expect((await runInSandbox(home, sandboxRestore, file, ...YES)).error).toBeUndefined()
  expect(await service.count()).toBe(1)
  {
    using db = new DatabaseSync(file)
    db.exec('create trigger gift after update on world begin update wallets set balance = 0; end')
  }
  expect((await runInSandbox(home, sandboxRestore, file, ...YES)).error?.message).toContain(
    'it has the trigger gift',
  )
})

test('brings back no browser that controls the sandbox or approves logins', async () => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  for (const page of ['world', 'kitchen'] as const) await service.link(page)
  await runInSandbox(home, sandboxBackup, 'a.backup')
  await runInSandbox(home, sandboxRestore, 'a.backup', ...YES)
  using db = new DatabaseSync(storeOf(home))
  const { links, approvers } =
    db
      .prepare(
        'select (select count(*) from page_sessions) as links, (select count(*) from approvers) as approvers',
      )
      .get() ?? {}
  expect({ links, approvers }).toEqual({ links: 0, approvers: 0 })
})

test('removes what killed copies left, and no copy of a process that runs', async () => {
  using home = makeHome(FROZEN)
  await using _service = await serve(home)
  const folder = dirname(storeOf(home))
  await runInSandbox(home, sandboxBackup, 'a.backup')
  const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))
  using living = reserveTempFile(folder, random)
  for (const path of [living.path, `${folder}/.dray-${'0'.repeat(24)}.part`]) writeFileSync(path, 'half')
  await runInSandbox(home, sandboxRestore, 'a.backup', ...YES)
  const drafts = readdirSync(folder).filter((name) => name.endsWith('.part'))
  expect(drafts).toEqual([basename(living.path)])
})

test('makes no store in order to copy it, and asks for the name at a terminal', async () => {
  using home = makeHome(FROZEN)
  expect((await runInSandbox(home, sandboxBackup, 'a.backup')).error?.message).toBe(
    `No store ${storeOf(home)} yet: nothing to back up.`,
  )
  expect(existsSync(storeOf(home))).toBe(false)
  await using _service = await serve(home)
  await runInSandbox(home, sandboxBackup, 'a.backup')
  const io = memoryIo({ tty: true, env: { ...home.env, TERM: 'dumb' } })
  const ended = runCommand(home, sandboxRestore, ['a.backup', '--accessible'], {
    io,
    openClient: embeddedIn(home),
  })
  io.type('sandbox\n')
  expect((await ended).code).toBe(0)
  expect(io.asked()).toContain('This replaces everything in the sandbox at ')
})
