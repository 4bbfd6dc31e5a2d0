/** Lost parcels whose sender has yet to claim: the morning's list, the question of a cancellation, and the parcel say so. */
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { carrierCancel } from '../../../src/commands/carrier/cancel.command.ts'
import { carrierShow } from '../../../src/commands/carrier/show.command.ts'
import { carrierToday } from '../../../src/commands/carrier/today.command.ts'
import { callTestControl } from '../../support/control.ts'
import { makeHome } from '../../support/home.ts'
import { gbp } from '../../support/money.ts'
import { makeParcel } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox } from '../../support/world.ts'

const DAY = 86_400_000

/** A world with parcels of `everything` by their reference, and its commands. */
async function openClaims() {
  const world = await openTestSandbox()
  const as = 'everything'
  const home = makeHome()
  const numbers: Record<string, string> = {}
  const run = (command: Command, ...words: string[]) =>
    runCommand(home, command, words, { openClient: async () => makeSandboxClient(world, as) })
  return {
    world,
    run,
    [Symbol.dispose]: () => home[Symbol.dispose](),
    make: async (reference: string) => {
      numbers[reference] = (
        await world.ok('create_shipment', makeParcel({ reference }), { as })
      ).tracking_number
    },
    scan: (reference: string, code: string) =>
      callTestControl(world, 'scan_shipment', { tracking_number: numbers[reference] ?? '', code } as never),
    claim: (reference: string, reason_code: string) =>
      world.ok(
        'create_claim',
        { tracking_number: numbers[reference], reason_code, value: gbp(5000) },
        { as },
      ),
    cancel: (reference: string) =>
      world.ok('cancel_shipment', { tracking_number: numbers[reference] }, { as }),
    claimed: async (): Promise<unknown[]> =>
      ((await run(carrierToday, '--json')).json() as { data: { reference: string; reason: string }[] }).data
        .filter(({ reason }) => reason === 'claim')
        .map(({ reference }) => reference),
  }
}

test('a parcel stays on the morning’s list until its loss is claimed for with success, or 80 days are over', async () => {
  using claims = await openClaims()
  const { world } = claims
  for (const reference of ['too early', 'cancelled before']) {
    await claims.make(reference)
    await claims.scan(reference, 'collected')
  }
  await claims.claim('too early', 'lost')
  await claims.cancel('cancelled before')
  await claims.scan('cancelled before', 'lost')
  expect(await claims.claimed()).toEqual(['cancelled before'])
  await world.advance(3 * DAY)
  for (const reference of ['wrong reason', 'cancelled', 'paid']) await claims.make(`${reference} later`)
  // It came back all the same.
  expect(await claims.claimed()).toEqual([])
  const late = ['wrong reason later', 'cancelled later', 'paid later']
  for (const reference of late) await claims.scan(reference, 'collected')
  for (const reference of late) await claims.scan(reference, 'lost')
  await claims.cancel('cancelled later')
  await claims.claim('wrong reason later', 'damaged')
  await claims.claim('paid later', 'lost')
  // Each waits for the decision of its claim.
  expect(await claims.claimed()).toEqual(['cancelled later'])
  await world.advance(5 * DAY)
  const unpaid = ['wrong reason later', 'cancelled later']
  expect(await claims.claimed()).toEqual(unpaid)
  const shown = await claims.run(carrierShow, 'wrong reason later', '--output', 'table')
  expect(shown.out).toContain('No scan by the carrier says that it is damaged.')
  const { rejection } = (await claims.claim('cancelled later', 'lost')) as { rejection?: unknown }
  expect(rejection).toBeUndefined()
  await world.advance(5 * DAY)
  expect(await claims.claimed()).toEqual(unpaid.filter((reference) => reference !== 'cancelled later'))
  await world.advance(80 * DAY)
  expect(await claims.claimed()).toEqual([])
})

test('the question of a cancellation names the claim of a lost parcel first', async () => {
  using claims = await openClaims()
  for (const reference of ['L-1', 'L-2']) {
    await claims.make(reference)
    await claims.scan(reference, 'collected')
    await claims.scan(reference, 'lost')
  }
  const one = await claims.run(carrierCancel, 'L-1')
  expect(one.err).toMatch(
    /^ZC\d{9}GB is lost\. Claim for it first: dray carrier claim ZC\d{9}GB --reason lost$/m,
  )
  const both = await claims.run(carrierCancel, 'L-1', 'L-2')
  expect(both.error?.message).toMatch(/2 lost: claim for them first, dray carrier claim ZC/)
  expect(both.error?.message).not.toContain('returned to the sender')
  await claims.claim('L-1', 'lost')
  expect((await claims.run(carrierCancel, 'L-1')).err).not.toContain('Claim for it')
})
