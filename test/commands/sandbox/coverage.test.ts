import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import { SHIPMENT_STATUSES } from '../../../src/areas/carrier/states.ts'
import type { AnyCall } from '../../../src/client/client.ts'
import { sandboxCoverage } from '../../../src/commands/sandbox/coverage.command.ts'
import { NAMES } from '../../../src/generated/registry.ts'
import type { ControlAnswer } from '../../../src/sandbox/control/index.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { exampleInput } from '../../support/example-input.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

test('the coverage says what was seen, what was never seen, and which calls broke the document', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const openClient = embeddedIn(home)
  const run = (...argv: string[]) => runCommand(home, sandboxCoverage, argv, { openClient })
  const read = async (...argv: string[]) =>
    (await run('--json', ...argv)).json() as ControlAnswer<'get_coverage'>
  expect(await read()).toMatchObject({ calls: 0, since: null, operations: { seen: 0 }, broken: [] })
  expect((await run()).err).toContain('No calls are kept yet: nothing was seen.')

  const store = `${home.paths.data}/default/dray.db`
  const client = await openClient({ kind: 'embedded', store, account: 'everything' })
  const call: AnyCall = client.call
  await call('create_shipment', exampleInput(createShipment), { idempotencyKey: 'one' })
  await call('list_shipments', {})
  await call('get_shipment', { tracking_number: 'ZZ123456785GB' }).catch(() => {})
  await call('list_hubs', { limit: 0 }).catch(() => {})
  await client.close()

  const after = await read()
  const rowOf = (name: string) => after.data.find(({ subject }) => subject === name)
  expect(after).toMatchObject({ calls: 4, operations: { seen: 4 }, states: { seen: 1 } })
  expect(after.since).toMatch(/^2026-11-20T09:00/)
  expect(rowOf('create_shipment')).toMatchObject({ kind: 'operation', calls: 1, seen: ['201'] })
  expect(rowOf('create_shipment')?.never).toContain('404 hub_not_found')
  expect(rowOf('get_shipment')).toEqual({
    subject: 'get_shipment',
    kind: 'operation',
    calls: 1,
    seen: ['404 shipment_not_found'],
    never: expect.arrayContaining(['200']) as string[],
  })
  expect(rowOf('shipment')).toMatchObject({ kind: 'resource', calls: 1, seen: ['pre_transit'] })
  expect(rowOf('shipment')?.never).toContain('delivered')
  expect(rowOf('ride')).toMatchObject({ calls: 0, seen: [] })
  const [broken] = after.broken
  expect(after.broken).toMatchObject([{ operation: 'list_hubs', status: 400, code: 'invalid_request' }])

  const table = await run()
  expect(table.out).toContain('create_shipment')
  expect(table.err).toContain('Seen: 4 of ')
  expect(table.err).toContain(`broke the API document: 1, the last list_hubs (${broken?.request_id})`)

  expect(await read('--after', String(broken?.request_id))).toMatchObject({ calls: 0 })
  expect((await run('--after', 'req_mistyped')).error?.message).toContain(
    'must be a request that the log still keeps',
  )
  expect(await read('--account', 'member')).toMatchObject({ calls: 0 })
  expect((await run('--account', 'nobody')).error?.code).toBe('account_not_found')

  const xml = (await run('--junit', '-')).out
  expect(xml).toContain('<testcase classname="ride" name="completed"><skipped message="never seen"/>')
  expect(xml).toContain('<testcase classname="create_shipment" name="201"/>')
  expect(xml).toContain(`name="list_hubs ${broken?.request_id}"><failure message="400 invalid_request">`)
  expect(xml).toMatch(/^<\?xml [^>]*\?>\n<testsuites name="dray" tests="\d+" failures="1"/)
  await run('--junit', 'coverage.xml')
  expect(readFileSync(join(home.cwd, 'coverage.xml'), 'utf8')).toBe(xml)
})

test('the shares are those of all operations, outcomes and states, and a state counts by whichever call shows it', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z' })
  const openClient = embeddedIn(home)
  const store = `${home.paths.data}/default/dray.db`
  const client = await openClient({ kind: 'embedded', store, account: 'everything' })
  const call: AnyCall = client.call
  const { value } = await call('create_shipment', exampleInput(createShipment), { idempotencyKey: 'one' })
  const { tracking_number } = value as { tracking_number: string }
  await call('cancel_shipment', { tracking_number }, { idempotencyKey: 'two' })
  await call('list_shipments', {})
  await client.close()
  const ran = await runCommand(home, sandboxCoverage, ['--json'], { openClient })
  const { data, operations, outcomes, states } = ran.json() as ControlAnswer<'get_coverage'>
  expect(data.find(({ subject }) => subject === 'shipment')).toMatchObject({
    calls: 2,
    seen: ['cancelled', 'pre_transit'],
  })
  const sum = (kind: string, of: (row: (typeof data)[number]) => number) =>
    data.filter((row) => row.kind === kind).reduce((total, row) => total + of(row), 0)
  const counted = (kind: string) => ({
    seen: sum(kind, ({ seen }) => seen.length),
    known: sum(kind, ({ seen, never }) => seen.length + never.length),
  })
  expect(operations).toEqual({ seen: 3, known: NAMES.length })
  expect(outcomes).toEqual(counted('operation'))
  expect([outcomes.seen, states]).toEqual([3, { ...counted('resource'), seen: 2 }])
  // Each status that a shipment can have, and each error that its creation declares besides the answer itself.
  const shipment = data.find(({ subject }) => subject === 'shipment')
  expect([...(shipment?.seen ?? []), ...(shipment?.never ?? [])].toSorted()).toEqual(
    SHIPMENT_STATUSES.toSorted(),
  )
  const created = data.find(({ subject }) => subject === 'create_shipment')
  expect(created?.never).toHaveLength(createShipment.errors.length)
})
