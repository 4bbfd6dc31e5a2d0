import { expect, test } from 'vitest'
import { listen } from '../../../src/commands/listen/listen.command.ts'
import { trigger } from '../../../src/commands/listen/trigger.command.ts'
import { sandboxBackup } from '../../../src/commands/sandbox/backup.command.ts'
import { sandboxReset } from '../../../src/commands/sandbox/reset.command.ts'
import { sandboxRestore } from '../../../src/commands/sandbox/restore.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome, type Home } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN, runInSandbox } from '../../support/sandbox-commands.ts'

const YES = ['--confirm', 'sandbox']

const happens = (home: Home, type: string) => runInSandbox(home, trigger, type, '--as', 'member')

/** Listens while each step happens during one wait. Returns the types that were printed, and what was said. */
async function listenWhile(home: Home, steps: readonly (() => Promise<{ error: unknown }>)[]) {
  let done = 0
  const ran = await runCommand(home, listen, ['--as', 'member', '--print', '--timeout', `${steps.length}s`], {
    openClient: embeddedIn(home),
    async meanwhile() {
      const step = steps[done++]
      if (step !== undefined) expect((await step()).error).toBeUndefined()
    },
  })
  expect(ran.error).toBeUndefined()
  const messages = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
  return { types: messages.map(({ type }) => type), said: ran.err }
}

test('listening goes on over a reset, says so, and misses nothing of the new store', async () => {
  using home = makeHome(FROZEN)
  const { types, said } = await listenWhile(home, [
    () => happens(home, 'food_order.placed'),
    () => runInSandbox(home, sandboxReset, ...YES),
    () => happens(home, 'food_order.accepted'),
  ])
  expect(types).toEqual(['food_order.placed', 'food_order.placed', 'food_order.accepted'])
  expect(said.match(/reset or replaced\. Beginning again/g)).toHaveLength(1)
})

test('listening goes on over a store that is brought back from a backup', async () => {
  using home = makeHome(FROZEN)
  await happens(home, 'food_order.placed')
  expect((await runInSandbox(home, sandboxBackup, 'one.backup')).error).toBeUndefined()
  const { types, said } = await listenWhile(home, [
    () => happens(home, 'ride.processing'),
    () => runInSandbox(home, sandboxRestore, 'one.backup', ...YES),
    () => happens(home, 'ride.accepted'),
  ])
  expect(types).toEqual(['ride.processing', 'ride.processing', 'ride.accepted'])
  expect(said).toContain('Beginning again')
})
