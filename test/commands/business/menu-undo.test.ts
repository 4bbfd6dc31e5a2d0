/** An import of a menu, and its way back: what it changed, what it created, and what somebody changed since. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import type { Client, Target } from '../../../src/client/client.ts'
import { businessCatalogHistory } from '../../../src/commands/business/catalog-history.command.ts'
import { businessCatalogImport } from '../../../src/commands/business/catalog-import.command.ts'
import { businessCatalogUndo } from '../../../src/commands/business/catalog-undo.command.ts'
import { AppError } from '../../../src/core/errors.ts'
import { embeddedIn, embeddedThrough } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { gbp } from '../../support/money.ts'
import { runCommand } from '../../support/run-command.ts'

const MENU =
  'name,category,price,external_ref\nTest Laksa,Soups,9,L-1\nTest Pho,Soups,8,P-1\nTest Bun,Buns,2,B-1\n'
const CHANGED = `${MENU.replace(',9,', ',9.5,').replace('Test Pho', 'Big Pho')}Test Tea,Drinks,2,T-1\n`

type MenuUndoReport = {
  import_id: string
  counts: Record<string, number>
  data: { name: string; result: string; reason: string | null; item_id: string }[]
}

/** The store of the command that ran last. */
let target: Target | undefined

let keys = 0

/** Runs a command with a key of its own, because the random bytes of these tests are fixed. */
const run = (home: Home, command: Command, words: readonly string[]) =>
  runCommand(
    home,
    command,
    command.danger === 'read' ? words : [...words, '--idempotency-key', `key-${++keys}`],
    {
      openClient: async (to) => {
        target = to
        return embeddedIn(home)(to)
      },
    },
  )

async function importText(home: Home, text: string, words: readonly string[] = ['--update'], name = 'm.csv') {
  const path = join(home.cwd, name)
  writeFileSync(path, text)
  const ran = await run(home, businessCatalogImport, [path, ...words, '--yes', '--force', '--json'])
  expect(ran.error).toBeUndefined()
  return ran.json() as { import_ids: string[]; before_file?: string; counts: Record<string, number> }
}

async function undo(home: Home, words: readonly string[] = [], code = 0): Promise<MenuUndoReport> {
  const argv = [
    '--import',
    'last',
    '--yes',
    '--confirm',
    '1 item',
    '--confirm',
    'Test Tea',
    '--json',
    ...words,
  ]
  const ran = await run(home, businessCatalogUndo, argv)
  expect([ran.code, ran.error?.message]).toEqual([code, undefined])
  return ran.json() as MenuUndoReport
}

const resultsOf = ({ data }: MenuUndoReport) =>
  Object.fromEntries(data.map(({ name, result }) => [name, result]))

async function withClient<T>(home: Home, work: (client: Client) => Promise<T>): Promise<T> {
  if (target === undefined) throw new Error('no command ran')
  const client = await embeddedIn(home)(target)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

const menuOf = (home: Home) =>
  withClient(home, async (client) => {
    const { data } = (await client.call('list_catalog_items', { q: 'test', limit: 100 })).value
    return Object.fromEntries(data.map(({ name, price }) => [name, price.amount]))
  })

async function change(home: Home, name: string, changes: object): Promise<void> {
  await withClient(home, async (client) => {
    const [item] = (await client.call('list_catalog_items', { q: name })).value.data
    const input = { item_id: item?.item_id ?? '', ...changes }
    await client.call('update_catalog_item', input, { idempotencyKey: `change-${++keys}` })
  })
}

test('a price and a sale that an import changed at once come back at once', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  const { counts } = await importText(
    home,
    `${MENU.replace('ref', 'ref,available').replace('9,L-1', '9.5,L-1,no')}`,
  )
  expect(counts).toMatchObject({ updated: 1, rejected: 0 })
  const laksa = () =>
    withClient(home, async (client) => {
      const [item] = (await client.call('list_catalog_items', { q: 'test laksa' })).value.data
      return [item?.price.amount, item?.availability.available, item?.version]
    })
  expect(await laksa()).toEqual([950, false, 3])
  expect(resultsOf(await undo(home))).toEqual({ 'Test Laksa': 'restored' })
  expect(await laksa()).toEqual([900, true, 5])
})

test('an import is taken back whole: former values return, new items go, and a second time changes nothing', async () => {
  using home = makeHome()
  const first = await importText(home, MENU, [])
  const before = await menuOf(home)
  const second = await importText(home, CHANGED)
  expect(second.import_ids).toHaveLength(1)
  expect(second.import_ids).not.toEqual(first.import_ids)
  const history = await run(home, businessCatalogHistory, ['--import', 'last', '--json'])
  const { data } = history.json() as { data: { name: string; change: string; import_id: string }[] }
  expect(data.map(({ name, change: what }) => `${name} ${what}`).toSorted()).toEqual([
    'Big Pho updated',
    'Test Laksa updated',
    'Test Tea created',
  ])
  const asked = await run(home, businessCatalogUndo, ['--import', 'last', '--yes'])
  expect(asked.error).toMatchObject({ code: 'not_confirmed' })
  const plan = await run(home, businessCatalogUndo, ['--import', 'last', '--dry-run'])
  expect(plan.err).toContain('Test Laksa: price: £9.50 → £9.00')
  const undone = await undo(home)
  expect(undone.import_id).toBe(second.import_ids[0])
  expect(resultsOf(undone)).toEqual({
    'Test Laksa': 'restored',
    'Big Pho': 'restored',
    'Test Tea': 'deleted',
  })
  expect(await menuOf(home)).toEqual(before)
  const again = await undo(home)
  expect(again.counts).toMatchObject({ restored: 0, deleted: 0, unchanged: 3, kept: 0 })
})

test('a value that another caller changed since stays, the others return, and the result says why', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  await importText(home, `${CHANGED.replace('Soups,9.5', 'Bowls,9.5')}Test Rice,Sides,3,R-1\n`)
  await change(home, 'Test Laksa', { price: gbp(990) })
  await change(home, 'Test Tea', { price: gbp(210) })
  await change(home, 'Big Pho', { description: 'Beef' })
  const undone = await undo(home, ['--confirm', 'Test Rice'], 9)
  expect(resultsOf(undone)).toEqual({
    'Test Laksa': 'restored',
    'Test Tea': 'kept',
    'Big Pho': 'restored',
    'Test Rice': 'deleted',
  })
  const reasons = undone.data.flatMap(({ reason }) => reason ?? []).toSorted()
  expect(reasons[0]).toMatch(/^It was changed since the import, at \S+ by everything\.$/)
  expect(reasons[1]).toMatch(/^price: changed since the import, at /)
  expect(await menuOf(home)).toEqual({ 'Test Laksa': 990, 'Test Pho': 800, 'Test Bun': 200, 'Test Tea': 210 })
  const refused = await undo(home, [], 9)
  expect(refused.counts).toMatchObject({ restored: 0, deleted: 0, unchanged: 2, kept: 2 })
})

test('an item that the import deleted is named with the file that makes it anew', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  const all = await importText(home, CHANGED)
  const file = all.before_file ?? ''
  expect(file).toMatch(/m\.before\.csv$/)
  const text = readFileSync(file, 'utf8')
  const removed = await importText(
    home,
    text.replace(/^.*Test Bun.*\r\n/m, '').replace(',9.00,', ',9.20,'),
    ['--update', '--remove-missing', '--confirm', '2 items'],
    'removing.csv',
  )
  expect(removed.counts).toMatchObject({ removed: 2, updated: 2 })
  const undone = await undo(home, [], 9)
  expect(resultsOf(undone)).toEqual({
    'Test Laksa': 'restored',
    'Test Pho': 'restored',
    'Test Bun': 'kept',
    'Test Tea': 'kept',
  })
  await importText(home, readFileSync(removed.before_file ?? '', 'utf8'), [], 'anew.csv')
  // Made again, they are not missed any more.
  const asked = ['--import', removed.import_ids[0] ?? '', '--yes', '--json']
  const again = await run(home, businessCatalogUndo, asked)
  expect([again.code, (again.json() as MenuUndoReport).counts]).toEqual([
    0,
    { restored: 0, deleted: 0, unchanged: 4, kept: 0, not_sent: 0 },
  ])
  const menu = { 'Test Laksa': 950, 'Test Bun': 200, 'Test Tea': 200 }
  expect(await menuOf(home)).toEqual(menu)
})

test('an undo that is interrupted by another change leaves that change, and says so', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  await importText(home, CHANGED)
  const openClient = changingFirst(home, 'update_catalog_item', { description: 'Mine' })
  const words = ['--import', 'last', '--yes', '--confirm', 'Test Tea', '--json']
  const ran = await runCommand(home, businessCatalogUndo, words, { openClient })
  const { data } = ran.json() as MenuUndoReport
  expect(data.map(({ result, reason }) => [result, reason])).toContainEqual([
    'kept',
    'Someone else changed it just now.',
  ])
  expect(ran.code).toBe(9)
})

test('each update has the menu before it in a file of its own, and says when the whole menu would go', async () => {
  using home = makeHome()
  const first = await importText(home, MENU, [])
  expect(first.before_file).toBeUndefined()
  const same = await importText(home, MENU)
  expect(same.before_file).toBeUndefined()
  const files = [await importText(home, CHANGED), await importText(home, MENU.replace(',2,', ',2.1,'))]
  expect(files.map(({ before_file }) => before_file?.split('/').at(-1))).toEqual([
    'm.before.csv',
    'm.before-2.csv',
  ])
  const other = join(home.cwd, 'other.csv')
  writeFileSync(other, 'name,category,price\nTest Soup,Soups,4\n')
  const planned = await run(home, businessCatalogImport, [other, '--update', '--remove-missing', '--dry-run'])
  expect(planned.err).toContain(' That is the whole menu.')
})

test('an item stays if another caller changes it while an undo or an import deletes it, and the result says so', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  await importText(home, CHANGED)
  const openClient = () => changingFirst(home, 'delete_catalog_item', { description: 'Mine' })
  const words = ['--import', 'last', '--yes', '--confirm', 'Test Tea', '--json', '--idempotency-key', 'undo']
  const undone = await runCommand(home, businessCatalogUndo, words, { openClient: openClient() })
  expect([undone.code, resultsOf(undone.json() as MenuUndoReport)['Test Tea']]).toEqual([9, 'kept'])
  const path = join(home.cwd, 'm.csv')
  const removing = [path, '--update', '--remove-missing', '--yes', '--force', '--json', '--confirm', '1 item']
  writeFileSync(path, readFileSync(join(home.cwd, 'm.before.csv'), 'utf8').replace(/^.*Test Bun.*\r\n/m, ''))
  const more = ['--confirm', '2 items', '--idempotency-key', `key-${++keys}`]
  const imported = await runCommand(home, businessCatalogImport, [...removing, ...more], {
    openClient: openClient(),
  })
  expect(imported.json()).toMatchObject({
    counts: { removed: 1 },
    error: {
      code: 'version_conflict',
      detail: expect.stringMatching(/^Test \w+ was changed by someone else/),
    },
  })
  expect(imported.code).toBe(7)
  expect(Object.keys(await menuOf(home))).toHaveLength(3)
})

test('an import that ended halfway is taken back as far as it went, and so is the one that completes it', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  const before = await menuOf(home)
  const path = join(home.cwd, 'half.csv')
  writeFileSync(path, CHANGED.replace(',2,B', ',2.1,B'))
  let sent = 0
  const openClient = embeddedThrough(home, (call) => async (operation, input, options) => {
    if (operation === 'update_catalog_item' && ++sent === 2)
      throw new AppError('service_unavailable', 'Gone.')
    return call(operation, input, options)
  })
  const words = [path, '--update', '--yes', '--force', '--json', '--idempotency-key', `key-${++keys}`]
  const half = await runCommand(home, businessCatalogImport, words, { openClient })
  expect(half.json()).toMatchObject({ counts: { created: 1, updated: 1, not_sent: 2 } })
  const rest = await importText(home, readFileSync(path, 'utf8'))
  expect(rest.counts).toMatchObject({ created: 0, updated: 2 })
  const [first] = (half.json() as { import_ids: string[] }).import_ids
  expect(resultsOf(await undo(home))).toEqual({ 'Big Pho': 'restored', 'Test Bun': 'restored' })
  expect(resultsOf(await undo(home, ['--import', first ?? '']))).toEqual({
    'Test Laksa': 'restored',
    'Test Tea': 'deleted',
  })
  expect(await menuOf(home)).toEqual(before)
})

test('an undo is no import: the file brings its changes back, and an earlier import then leaves them', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  const before = await menuOf(home)
  const { import_ids } = await importText(home, CHANGED)
  await undo(home)
  const again = await importText(home, CHANGED)
  expect(again.counts).toMatchObject({ created: 1, updated: 2 })
  const first = await undo(home, ['--import', import_ids[0] ?? ''], 9)
  expect(resultsOf(first)).toMatchObject({ 'Test Laksa': 'kept', 'Big Pho': 'kept' })
  await undo(home)
  expect(await menuOf(home)).toEqual(before)
})

test('of two imports at once, one row wins, the other says so, and each is taken back by itself', async () => {
  using home = makeHome()
  await importText(home, MENU, [])
  const before = await menuOf(home)
  const path = join(home.cwd, 'one.csv')
  writeFileSync(path, MENU.replace(',9,', ',9.5,').replace(',2,', ',2.1,'))
  let other: { import_ids: string[] } | undefined
  const openClient = embeddedThrough(home, (call) => async (operation, input, options) => {
    if (operation === 'update_catalog_item' && other === undefined) {
      other = { import_ids: [] }
      other = await importText(
        home,
        MENU.replace(',9,', ',9.2,').replace(',8,', ',8.4,'),
        ['--update'],
        'two.csv',
      )
    }
    return call(operation, input, options)
  })
  const words = [path, '--update', '--yes', '--json', '--idempotency-key', `key-${++keys}`]
  const one = await runCommand(home, businessCatalogImport, words, { openClient })
  expect([one.code, one.json()]).toMatchObject([9, { counts: { updated: 1, rejected: 1 } }])
  expect(await menuOf(home)).toEqual({ 'Test Laksa': 920, 'Test Pho': 840, 'Test Bun': 210 })
  const [id] = (one.json() as { import_ids: string[] }).import_ids
  expect(resultsOf(await undo(home, ['--import', id ?? '']))).toEqual({ 'Test Bun': 'restored' })
  expect(await undo(home, ['--import', other?.import_ids[0] ?? ''])).toMatchObject({
    counts: { restored: 2 },
  })
  expect(await menuOf(home)).toEqual(before)
})

/** Opens the service for a command before whose first such call somebody else changes the item. */
function changingFirst(home: Home, name: string, changes: object): ReturnType<typeof embeddedThrough> {
  let isFirst = true
  return embeddedThrough(home, (call) => async (operation, input, options) => {
    if (operation === name && isFirst) {
      isFirst = false
      const change = { item_id: input['item_id'], ...changes }
      await call('update_catalog_item', change, { idempotencyKey: `mine-${++keys}` })
    }
    return call(operation, input, options)
  })
}
