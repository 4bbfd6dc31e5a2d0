/** The paper of chosen parcels. */
import { expect, test } from 'vitest'
import { carrierHandover } from '../../../src/commands/carrier/handover.command.ts'
import { makeHome } from '../../support/home.ts'
import { makeParcel } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a clerk hands over all but one parcel, or only the named ones, and is told what waits until when', async () => {
  const world = await openTestSandbox()
  for (const reference of ['1', '2', '3', '4'])
    await world.ok('create_shipment', makeParcel({ hub_id: 'LON2', reference }), { as: 'everything' })
  using home = makeHome()
  const openClient = async () => makeSandboxClient(world, 'everything')
  const run = (...words: string[]) =>
    runCommand(home, carrierHandover, ['--hub', 'LON2', '--output', 'table', ...words], { openClient })
  const named = await run('2')
  expect(named.err).toContain('LON2 London Bermondsey, 2026-11-20: 1 parcel')
  const rest = await run('--without', '3', '--without', '4')
  expect(rest.err).toContain('Kept back: 3, delivery date 2026-11-24.')
  expect(rest.err).toContain('Kept back: 4, delivery date 2026-11-24.')
  const again = await run('2')
  expect(again.error?.code).toBe('not_awaiting_collection')
  expect((await run('3', '--without', '4')).error?.code).toBe('usage')
  expect((await run('3', '--date', 'today')).error?.code).toBe('usage')
})
