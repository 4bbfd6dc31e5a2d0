import { describe, expect, test } from 'vitest'
import { loadOperation } from '../../../../src/generated/commands.ts'
import { embeddedIn } from '../../../support/embedded-client.ts'
import { type Home, makeHome } from '../../../support/home.ts'
import { memoryIo } from '../../../support/memory-io.ts'
import { runCommand } from '../../../support/run-command.ts'

const [available, update, remove] = await Promise.all(
  ['set_catalog_item_availability', 'update_catalog_item', 'delete_catalog_item'].map((name) =>
    loadOperation(name),
  ),
)

const run = (home: Home, command: typeof available, argv: readonly string[], as = 'owner') => {
  if (command === undefined) throw new Error('no such command')
  return runCommand(home, command, [...argv, '--as', as], {
    openClient: embeddedIn(home),
    io: memoryIo({ env: { NO_COLOR: '1' } }),
  })
}

describe('an item of the own menu', () => {
  test('is taken off sale by its name, in any letters', async () => {
    using home = makeHome()
    const { out } = await run(home, available, ['khao soi', 'no', '--json'])
    expect(JSON.parse(out)).toMatchObject({ name: 'Khao Soi', effective_available: false })
  })

  test('is not guessed where several have the words', async () => {
    using home = makeHome()
    const { error } = await run(home, update, ['noodle', '--price', '1.00'])
    expect(error?.code).toBe('usage')
    expect(error?.message).toMatch(/Drunken Noodles \(itm_\w+\), Boat Noodle Soup \(itm_\w+\)/)
  })

  test('that is not there is said to be missing, and nothing changes', async () => {
    using home = makeHome()
    expect((await run(home, update, ['pizza', '--price', '1.00'])).error?.code).toBe('item_not_found')
  })

  test('is changed by its whole name only; a part of it or a slip gets the choices', async () => {
    using home = makeHome()
    for (const word of ['khao', 'Kaho Soi']) {
      const { error } = await run(home, available, [word, 'no'])
      expect(error?.code).toBe('usage')
      expect(error?.message).toMatch(/matches Khao Soi \(itm_\w+\)\. Nothing was sent\./)
    }
    expect(JSON.parse((await run(home, available, ['Khao Soi', 'yes', '--json'])).out)).toMatchObject({
      version: 1,
    })
  })

  test('is deleted only when its whole name is given once more', async () => {
    using home = makeHome()
    const unsaid = await run(home, remove, ['jok'])
    expect(unsaid.error?.code).toBe('not_confirmed')
    expect(unsaid.error?.hint).toContain('--confirm Jok')
    expect((await run(home, remove, ['jok', '--confirm', 'jo'])).error?.code).toBe('not_confirmed')
    expect((await run(home, remove, ['jok', '--confirm', 'Jok'])).code).toBe(0)
    expect((await run(home, remove, ['jok', '--confirm', 'Jok'])).error?.code).toBe('item_not_found')
  })

  test('goes by its id where there are several stores', async () => {
    using home = makeHome()
    expect((await run(home, update, ['bread', '--price', '1.00'], 'chain')).error?.message).toBe(
      'You have several stores: use the item ID.',
    )
  })
})
