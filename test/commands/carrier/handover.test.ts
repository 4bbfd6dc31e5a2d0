/** The paper of chosen parcels. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierHandover } from '../../../src/commands/carrier/handover.command.ts'
import { makeHome } from '../../support/home.ts'
import { readPdf } from '../../support/paper.ts'
import { makeParcel } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a clerk hands over all but one parcel, or only the named ones, and sees what waits until when', async () => {
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

test('an earlier manifest is shown as its parcels are now, and printed again, without a new one', async () => {
  const world = await openTestSandbox()
  const as = 'everything'
  const make = (reference: string) =>
    world.ok('create_shipment', makeParcel({ hub_id: 'LON2', reference }), { as })
  using home = makeHome()
  const openClient = async () => makeSandboxClient(world, as)
  const run = (...words: string[]) => runCommand(home, carrierHandover, words, { openClient })
  await make('1')
  const { tracking_number } = await make('2')
  const { manifest_id } = (await run('--hub', 'LON2', '--json')).json() as { manifest_id: string }
  await world.ok('cancel_shipment', { tracking_number }, { as })
  await make('3')
  const shown = await run('--manifest', manifest_id, '--json')
  expect(shown.json()).toEqual({
    hub: 'LON2',
    date: '2026-11-20',
    manifest_id,
    cancelled: [{ tracking_number, reference: '2' }],
    parcels: 1,
    weight_grams: 1400,
    waiting: 1,
    services: [{ service_level: 'next_day', parcels: 1, weight_grams: 1400 }],
    file: null,
    data: [expect.objectContaining({ reference: '1', status: 'pre_transit', handed_over: null })],
    has_more: false,
    next_cursor: null,
  })
  expect(shown.err).toBe('')
  await world.advance(86_400_000)
  const people = await run('--manifest', manifest_id, '--output', 'table')
  expect(people.err).toContain(`Manifest: ${manifest_id}. All parcels are collected. Cancelled: 1.`)
  const csv = await run('--manifest', manifest_id, '--out', '-', '--format', 'csv')
  expect(csv.out.trim().split('\n')).toHaveLength(2)
  const paper = join(home.cwd, 'again.pdf')
  await run('--manifest', manifest_id, '--out', paper)
  const [page] = await readPdf(readFileSync(paper))
  expect(page).toContain(manifest_id)
  const rows = await run('--manifest', manifest_id, '--fields', 'reference,status')
  expect(rows.out).toBe('reference\tstatus\n1\tout_for_delivery\n')

  const refusal = async (...words: string[]) =>
    (await run('--manifest', manifest_id, ...words)).error?.message
  const leaveOut = '--manifest shows a manifest as it is: leave out'
  expect(await refusal('--hub', 'LON2')).toBe(`${leaveOut} --hub.`)
  expect(await refusal('3', '--date', 'today', '--preview')).toBe(
    `${leaveOut} --date, --preview, and the named parcels.`,
  )
  expect((await run('--manifest', 'mnf_01m7vkystgf7vtyybg4s0p9p1s')).error).toMatchObject({
    code: 'manifest_not_found',
    exitCode: 5,
  })
})
