import { expect, test } from 'vitest'
import { sandboxSupply } from '../../../src/commands/sandbox/supply.command.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

const sandboxStatus = await loadOperation('get_status')

test('the supply of people is set, shown and part of the status', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const openClient = embeddedIn(home)
  const shown = async () => (await runCommand(home, sandboxSupply, ['--json'], { openClient })).json()
  expect(await shown()).toEqual({ supply: 'normal' })
  const set = await runCommand(home, sandboxSupply, ['scarce'], { openClient })
  expect(set.err).toContain('Supply is scarce.')
  expect(await shown()).toEqual({ supply: 'scarce' })
  const status = await runCommand(home, sandboxStatus, ['--json'], { openClient })
  expect(status.json()).toMatchObject({ supply: 'scarce' })
  const wrong = await runCommand(home, sandboxSupply, ['plenty'], { openClient })
  expect(wrong.error?.message).toContain('supply must be one of normal, scarce')
})
