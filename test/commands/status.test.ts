/** `dray status`: one screen of where one is and what is on its way. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { ridesRequest } from '../../src/commands/rides/request.command.ts'
import { sandboxClockAdvance } from '../../src/commands/sandbox/clock-advance.command.ts'
import { status } from '../../src/commands/status/status.command.ts'
import { AppError } from '../../src/core/errors.ts'
import { saveCreatedResource, saveStates } from '../../src/local-state/recent.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { runCommand } from '../support/run-command.ts'
import { FROZEN, runForJson, runInSandbox } from '../support/sandbox-commands.ts'

const RIDE = ['--from', 'kings-cross', '--to', 'bank', '--tier', 'economy', '--yes', '--max-total', '20']

test('shows who, where, the clock and what is on its way, until it ends', async () => {
  using home = makeHome(FROZEN)
  expect(await runForJson(home, status)).toMatchObject({ clock: null, account: 'everything', open_calls: 0 })
  expect(existsSync(home.paths.data), 'a status makes no sandbox').toBe(false)

  const ride = await runForJson(home, ridesRequest, ...RIDE)
  expect(await runForJson(home, status)).toMatchObject({
    clock: { now: '2026-11-20T09:00:00.000Z', mode: 'frozen', next_due_at: '2026-11-20T09:00:20.000Z' },
    parcels: { counts: {}, more: false },
    on_its_way: [
      { id: ride['ride_id'], state: 'processing', command: `dray rides track ${String(ride['ride_id'])}` },
    ],
    problem: null,
  })
  const io = memoryIo({ tty: true, columns: 80, env: { ...home.env, NO_COLOR: '1' } })
  await runCommand(home, status, [], { openClient: embeddedIn(home), io })
  expect(io.out()).toMatch(/ride +rid_\w+ +processing +£/)
  expect(io.out()).toContain('frozen')
  expect(io.err()).toContain(`Next: dray rides track ${String(ride['ride_id'])}`)

  await runInSandbox(home, sandboxClockAdvance, '2h')
  expect(await runForJson(home, status)).toMatchObject({ on_its_way: [] })
})

test('says what was seen last, and why it is no more, when no service responds', async () => {
  using home = makeHome({ ...FROZEN, DRAY_TOKEN: 'dray_sbx_test' })
  const URL = 'http://127.0.0.1:9'
  const created = (ride_id: string): void =>
    saveCreatedResource(home, { profile: 'default', service: URL, account: null }, 'request_ride', {
      value: { ride_id, status: 'processing' },
      status: 201,
      replayed: false,
      requestId: 'req_1',
      serviceTime: { now: 0, frozen: true },
    })
  for (const id of ['rid_1', 'rid_2']) created(id)
  saveStates(home, [{ service: URL, id: 'rid_2', state: 'completed', over: true }])
  const openClient = async (): Promise<Client> => {
    throw new AppError('network_error', 'Nobody answers.')
  }
  const ran = await runCommand(home, status, ['--base-url', URL, '--json'], { openClient })
  expect(ran.code).toBe(11)
  expect(ran.json()).toMatchObject({
    on_its_way: [{ id: 'rid_1', state: 'processing' }],
    problem: { code: 'network_error', detail: 'Nobody answers.' },
  })
  for (let at = 3; at <= 14; at += 1) created(`rid_${at}`)
  const more = (await runCommand(home, status, ['--base-url', URL, '--json'], { openClient })).json()
  expect(more).toMatchObject({ more_on_its_way: 3 })
  const io = memoryIo({ tty: true, columns: 80, env: { ...home.env, NO_COLOR: '1' } })
  await runCommand(home, status, ['--base-url', URL], { openClient, io })
  expect(io.out()).toContain('3: see `dray recent`')
  const shown = await runCommand(home, status, ['--base-url', URL], { openClient })
  expect(shown.error?.message).toBe('Nobody answers.')
  expect(shown.out).toContain('rid_14')
})
