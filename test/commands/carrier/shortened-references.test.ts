import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { MANIFEST_COLUMNS, manifestLine } from '../../support/clerk.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { parseTestManifest } from '../../support/manifests.ts'
import { runCommand } from '../../support/run-command.ts'

type Document = {
  data: { reference: string | null; result: string; tracking_number: string | null }[]
}

/** References as a spreadsheet shows long numbers. */
const [OLD, NEW, CANCELLED] = ['1.23457E+14', '9.87654E+14', '5.55555E+14']

test('a parcel that has a reference which a spreadsheet shortened is found again, and no new one is made', async () => {
  using home = makeHome()
  const store = `${home.paths.data}/default/dray.db`
  const client = await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })
  // An earlier version took such references.
  const { rows } = parseTestManifest(file(manifestLine('A-1'), manifestLine('A-2', 1)))
  const drafts = rows.flatMap(({ draft }) => draft ?? [])
  const shipments = drafts.map((draft, index) => ({ ...draft, reference: [OLD, CANCELLED][index] ?? '' }))
  const { results } = (await client.call('create_shipments_batch', { shipments })).value
  const [stored, cancelled] = results.map(({ tracking_number = '' }) => tracking_number)
  await client.call('cancel_shipment', { tracking_number: cancelled ?? '' })
  await client.close()

  const path = join(home.cwd, 'm.csv')
  writeFileSync(path, file(manifestLine(OLD), manifestLine(NEW, 2), manifestLine(CANCELLED, 1)))
  for (const words of [['--dry-run'], ['--yes']]) {
    const ran = await runCommand(home, carrierUpload, [path, '--json', ...words], {
      openClient: embeddedIn(home),
    })
    const { data } = ran.json() as Document
    expect(data.map(({ result }) => result)).toEqual(['duplicate', 'rejected', 'rejected'])
    expect(data[0]?.tracking_number).toBe(stored)
    expect(ran.out).toContain('A spreadsheet has shortened this number')
  }
})

function file(...lines: string[]): string {
  return [MANIFEST_COLUMNS, ...lines, ''].join('\n')
}
