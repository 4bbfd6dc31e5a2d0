/** Back-ups of a store, made and brought back while another process has it open. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import { sandboxBackup } from '../../../src/commands/sandbox/backup.command.ts'
import { sandboxRestore } from '../../../src/commands/sandbox/restore.command.ts'
import { sandboxSnapshotSave } from '../../../src/commands/sandbox/snapshot-save.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { exampleInput } from '../../support/example-input.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN, json, run } from '../../support/sandbox-commands.ts'

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
  expect(await json(home, sandboxBackup, 'monday.backup')).toMatchObject({ path: file, kind: 'store' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(home.cwd)).toEqual(['monday.backup'])

  await service.send()
  const later = await service.mint()
  expect((await run(home, sandboxRestore, 'monday.backup')).error).toMatchObject({ code: 'not_confirmed' })
  expect(await json(home, sandboxRestore, 'monday.backup', '--dry-run')).toMatchObject({ kind: 'store' })
  expect(await service.count()).toBe(2)

  expect(await json(home, sandboxRestore, 'monday.backup', ...YES)).toMatchObject({ kind: 'store' })
  expect(await service.count()).toBe(1)
  expect(await service.asks(token)).toBe('everything')
  await expect(service.asks(later)).rejects.toMatchObject({ code: 'invalid_token' })
  await service.send()
  expect(await service.count()).toBe(2)
  expect(readdirSync(`${home.paths.data}/default`).filter((name) => name.includes('.part'))).toEqual([])

  // The store of another profile, which does not exist yet.
  const fresh = `${home.paths.data}/other/dray.db`
  expect((await run(home, sandboxRestore, file, '--store', fresh, ...YES)).code).toBe(0)
  expect(statSync(fresh).mode & 0o777).toBe(0o600)
  // A snapshot is restored, too.
  await run(home, sandboxSnapshotSave, './all.snapshot')
  expect(await json(home, sandboxRestore, 'all.snapshot', ...YES)).toMatchObject({ kind: 'snapshot' })
})

test('replaces no file of somebody else, and never the store by itself', async () => {
  using home = makeHome(FROZEN)
  await using _service = await serve(home)
  writeFileSync(`${home.cwd}/letter.txt`, 'Dear Sir')
  expect((await run(home, sandboxBackup, 'letter.txt')).error?.hint).toContain('--force')
  expect(readFileSync(`${home.cwd}/letter.txt`, 'utf8')).toBe('Dear Sir')
  for (const command of [sandboxBackup, sandboxRestore])
    expect((await run(home, command, storeOf(home))).error?.message).toContain('is the store itself')
  await run(home, sandboxBackup, 'own.backup')
  expect((await run(home, sandboxBackup, 'own.backup')).code, 'its own file is replaced').toBe(0)
  expect((await run(home, sandboxBackup, 'no/such/folder.backup')).error).toMatchObject({
    code: 'file_error',
  })
})

test('restores nothing that is damaged, newer or something else', async () => {
  using home = makeHome(FROZEN)
  await using service = await serve(home)
  await service.send()
  const file = `${home.cwd}/a.backup`
  await run(home, sandboxBackup, file)
  const whole = readFileSync(file)
  const refusal = async (): Promise<string | undefined> =>
    (await run(home, sandboxRestore, file, ...YES)).error?.message
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
  expect(await refusal()).toMatch(/a\.backup is no backup of a sandbox/)
  expect((await run(home, sandboxRestore, file, '--dry-run')).error?.code).toBe('file_error')
  expect((await run(home, sandboxRestore, 'none.backup', ...YES)).error?.message).toContain(
    'there is no such file',
  )
  expect(await service.count()).toBe(1)
})

test('makes no store in order to copy it, and asks for the name at a terminal', async () => {
  using home = makeHome(FROZEN)
  expect((await run(home, sandboxBackup, 'a.backup')).error?.message).toContain('There is no store')
  expect(existsSync(storeOf(home))).toBe(false)
  await using _service = await serve(home)
  await run(home, sandboxBackup, 'a.backup')
  const io = memoryIo({ tty: true, env: { ...home.env, TERM: 'dumb' } })
  const ended = runCommand(home, sandboxRestore, ['a.backup', '--accessible'], {
    io,
    openClient: embeddedIn(home),
  })
  io.type('sandbox\n')
  expect((await ended).code).toBe(0)
  expect(io.asked()).toContain('in the place of everything in the sandbox')
})
