import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import type { AnyCall } from '../../../src/client/client.ts'
import { sandboxDiff } from '../../../src/commands/sandbox/diff.command.ts'
import { sandboxSnapshotSave } from '../../../src/commands/sandbox/snapshot-save.command.ts'
import { SCHEMA_VERSION } from '../../../src/db/version.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { exampleInput } from '../../support/example-input.ts'
import { makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

test('the difference between snapshots, or to the sandbox as it is, is a table, JSON and an exit code', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const openClient = embeddedIn(home)
  const diff = (...argv: string[]) => runCommand(home, sandboxDiff, argv, { openClient })
  const save = (name: string) => runCommand(home, sandboxSnapshotSave, [name], { openClient })
  await save('before')
  const same = await diff('before', '--exit-code')
  expect(same.code).toBe(0)
  expect(same.err).toContain('No differences')

  const store = `${home.paths.data}/default/dray.db`
  const client = await openClient({ kind: 'embedded', store, account: 'everything' })
  const call: AnyCall = client.call
  await call(
    'create_shipment',
    { ...exampleInput(createShipment), reference: 'A-1' },
    { idempotencyKey: 'one' },
  )
  await client.control('set_supply', { supply: 'scarce' })
  await client.close()

  const bytes = readFileSync(store)
  const kept = readFileSync(join(home.paths.data, 'snapshots/before.snapshot'))
  const table = await diff('before')
  expect(table.code).toBe(0)
  expect(table.out).toMatch(/^parcel A-1 of carrier agreement Morgan Trading\tadded\t*$/m)
  expect(table.err).toContain('Differences by kind: sandbox: 1 changed; parcel: 1 added')
  expect((await diff('before', '--exit-code')).code).toBe(6)
  const terminal = { openClient, io: memoryIo({ tty: { stdout: true }, columns: 40, env: home.env }) }
  const lines = await runCommand(home, sandboxDiff, ['before'], terminal)
  expect(lines.out).toBe(
    'changed sandbox\n  supply: normal → scarce\nadded parcel A-1 of carrier agreement Morgan Trading\n',
  )
  expect(lines.err).toContain('Differences by kind: sandbox: 1 changed; parcel: 1 added')
  const json = (await diff('before', '--json')).json()
  expect(json).toMatchObject({
    old: { snapshot: 'before', service_time: '2026-11-20T12:00:00.000Z' },
    new: { snapshot: null },
    same: false,
    data: [
      { kind: 'sandbox', change: 'changed', field: 'supply', old: 'normal', new: 'scarce' },
      { kind: 'parcel', change: 'added', field: null, old_id: null, new_id: expect.any(String) as string },
    ],
    has_more: false,
  })
  expect((await diff('before', '--json')).out).toBe((await diff('before', '--json')).out)
  expect(readFileSync(store)).toEqual(bytes)
  expect(readFileSync(join(home.paths.data, 'snapshots/before.snapshot'))).toEqual(kept)

  await save('./after.snapshot')
  const noService = (...argv: string[]) => runCommand(home, sandboxDiff, argv)
  expect((await noService('./after.snapshot', 'before', '--json')).json()).toMatchObject({
    data: [{ kind: 'sandbox' }, { kind: 'parcel', change: 'removed' }],
  })
})

test('files that are no whole snapshot of this version are rejected by name, and bad flags before anything is read', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z' })
  const openClient = embeddedIn(home)
  await runCommand(home, sandboxSnapshotSave, ['./good.snapshot'], { openClient })
  const text = readFileSync(join(home.cwd, 'good.snapshot'), 'utf8')
  const files = {
    'empty.snapshot': ['', 'it is empty'],
    'picture.png': ['PNG\u0000', 'it is something else, or damaged'],
    'cut.snapshot': [text.slice(0, text.lastIndexOf('{"rows"')), 'it is cut off'],
    'changed.snapshot': [text.replace('Europe/London', 'Europe/Lisbon'), 'it is damaged'],
    'newer.snapshot': [
      text.replace(`"schema_version":${SCHEMA_VERSION}`, `"schema_version":${SCHEMA_VERSION + 1}`),
      `it was saved with schema ${SCHEMA_VERSION + 1}, and this dray has ${SCHEMA_VERSION}`,
    ],
  }
  const diff = async (...argv: string[]) => (await runCommand(home, sandboxDiff, argv)).error
  for (const [file, [content = '', why = '']] of Object.entries(files)) {
    writeFileSync(join(home.cwd, file), content)
    for (const argv of [
      [`.//${file}`, './good.snapshot'],
      ['./good.snapshot', `.//${file}`],
    ]) {
      const error = await diff(...argv)
      expect(error).toMatchObject({ code: 'file_error', exitCode: 2 })
      expect(error?.message).toContain(`.//${file} cannot be compared: ${why}`)
    }
  }
  expect(await diff('nowhere')).toMatchObject({ code: 'snapshot_not_found', exitCode: 5 })
  expect(await diff('./good.snapshot', 'nowhere')).toMatchObject({ code: 'snapshot_not_found' })
  expect(await diff('.')).toMatchObject({ code: 'file_error' })
  expect(await diff()).toMatchObject({ code: 'usage' })
  expect((await diff('-'))?.code).toBe('usage')
  expect((await diff('nowhere', '--ignore', 'status,fare'))?.message).toContain('--ignore status,fare')
  expect((await diff('nowhere', '--ignore', '*'))?.message).toContain('--ignore *')
})
