import { expect, test } from 'vitest'
import { loadOperation } from '../../src/generated/commands.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { runCommand } from '../support/run-command.ts'

test('the next command uses the same account', async () => {
  using home = makeHome()
  const create = await loadOperation('create_catalog_item')
  const argv = ['--as', 'owner', '--name', 'Soup', '--price', '8.50', '--category', 'Noodles']
  const { err } = await runCommand(home, create, argv, {
    openClient: embeddedIn(home),
    io: memoryIo({ tty: { stderr: true }, env: { NO_COLOR: '1' } }),
  })
  expect(err).toContain('Next: dray business catalog list --as owner')
})
