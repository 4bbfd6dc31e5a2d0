import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { businessCatalogImport } from '../../../../src/commands/business/catalog-import.command.ts'
import { businessCatalogUndo } from '../../../../src/commands/business/catalog-undo.command.ts'
import { loadOperation } from '../../../../src/generated/commands.ts'
import { embeddedIn } from '../../../support/embedded-client.ts'
import { type Home, makeHome } from '../../../support/home.ts'
import { memoryIo } from '../../../support/memory-io.ts'
import { runCommand } from '../../../support/run-command.ts'

const [create, update, remove] = await Promise.all(
  ['create_catalog_item', 'update_catalog_item', 'delete_catalog_item'].map((name) => loadOperation(name)),
)

/** Runs a command as the owner; returns its code, or that of its error. */
async function run(home: Home, command: typeof create, argv: readonly string[]): Promise<string | number> {
  if (command === undefined) throw new Error('no such command')
  const { code, error } = await runCommand(home, command, [...argv, '--as', 'owner', '--yes'], {
    openClient: embeddedIn(home),
    io: memoryIo({ env: { NO_COLOR: '1' } }),
  })
  return error?.code ?? code
}

test('a price that falls by steps wants the name of its item where the steps come to more than half', async () => {
  using home = makeHome()
  const to = (price: string, ...more: string[]) => run(home, update, ['Khao Soi', '--price', price, ...more])
  expect(await to('8.00')).toBe(0)
  expect([await to('6.50'), await to('4.00'), await to('4.00', '--confirm', 'Khao Soi')]).toEqual([
    0,
    'not_confirmed',
    0,
  ])
  // Back to the price before, which is half as much again.
  expect(await run(home, businessCatalogUndo, ['Khao Soi', '--to', '1'])).toBe('not_confirmed')
})

test('an item that takes the name of another wants its name where that had another price', async () => {
  using home = makeHome()
  expect(await run(home, create, ['--name', 'Tmp', '--category', 'Soups', '--price', '1.00'])).toBe(0)
  expect(await run(home, update, ['Khao Soi', '--name', 'Old khao soi'])).toBe(0)
  const taking = ['Tmp', '--name', 'Khao Soi']
  expect(await run(home, update, taking)).toBe('not_confirmed')
  expect(await run(home, update, [...taking, '--confirm', 'Tmp'])).toBe(0)
})

test('an item that is deleted and created anew wants its name where its price is another, alone or in a file', async () => {
  using home = makeHome()
  expect(await run(home, remove, ['Jok', '--confirm', 'Jok'])).toBe(0)
  const anew = ['--name', 'Jok', '--category', 'Soups']
  expect(await run(home, create, [...anew, '--price', '0.04'])).toBe('not_confirmed')
  const file = join(home.cwd, 'menu.csv')
  writeFileSync(file, 'category,name,price\nSoups,Jok,0.04\nSoups,Tom Kha,8\n')
  expect(await run(home, businessCatalogImport, [file])).toBe('not_confirmed')
  expect(await run(home, businessCatalogImport, [file, '--confirm', 'Jok'])).toBe(0)
})
