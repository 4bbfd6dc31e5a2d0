import { describe, expect, test } from 'vitest'
import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import type { AnyCall } from '../../../src/client/client.ts'
import { apiCommand } from '../../../src/commands/api.command.ts'
import { sandboxClockAdvance } from '../../../src/commands/sandbox/clock-advance.command.ts'
import { sandboxClockFreeze } from '../../../src/commands/sandbox/clock-freeze.command.ts'
import { sandboxClockRun } from '../../../src/commands/sandbox/clock-run.command.ts'
import { sandboxClockSet } from '../../../src/commands/sandbox/clock-set.command.ts'
import { sandboxEvents } from '../../../src/commands/sandbox/events.command.ts'
import { sandboxReset } from '../../../src/commands/sandbox/reset.command.ts'
import { sandboxStep } from '../../../src/commands/sandbox/step.command.ts'
import { COMMANDS, loadOperation } from '../../../src/generated/commands.ts'
import { NAMES } from '../../../src/generated/registry.ts'
import { ROUTES } from '../../../src/generated/routes.ts'
import { listControls } from '../../../src/sandbox/control/index.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { exampleInput } from '../../support/example-input.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN, runForJson, runInSandbox } from '../../support/sandbox-commands.ts'

const sandboxAccountAdd = await loadOperation('add_account')
const sandboxAccountList = await loadOperation('list_accounts')
const sandboxAccountMembership = await loadOperation('set_membership')
const sandboxAccountToken = await loadOperation('mint_token')
const sandboxClockShow = await loadOperation('get_clock')
const sandboxScan = await loadOperation('scan_shipment')
const sandboxStatus = await loadOperation('get_status')

/** Creates a parcel of the account `everything`; returns its tracking number. */
async function createParcel(home: Home): Promise<string> {
  const client = await embeddedIn(home)({
    kind: 'embedded',
    store: `${home.paths.data}/default/dray.db`,
    account: 'everything',
  })
  try {
    const call: AnyCall = client.call
    const { value } = await call('create_shipment', exampleInput(createShipment))
    return (value as { tracking_number: string }).tracking_number
  } finally {
    await client.close()
  }
}

describe('the clock', () => {
  test('advancing tells what happened in that time and what time it is', async () => {
    using home = makeHome(FROZEN)
    await createParcel(home)
    const answer = await runForJson(home, sandboxClockAdvance, '5d')
    expect(answer).toMatchObject({ now: '2026-11-25T09:00:00.000Z', mode: 'frozen' })
    const happened = answer['happened'] as { type: string; count: number }[]
    expect(happened.map(({ type }) => type)).toContain('shipment.delivered')
    expect(happened.every(({ count }) => count > 0)).toBe(true)

    const shown = await runInSandbox(home, sandboxClockAdvance, '20d')
    expect(shown.out).toContain('membership.renewed')
    expect(shown.err).toMatch(/^\d+ changes in that time\.$/m)
    const nothing = await runInSandbox(home, sandboxClockAdvance, '1s')
    expect(nothing.err).toContain('Nothing happened in that time.')
  })

  test.each([
    [['+2h'], '2026-11-20T11:00:00.000Z'],
    [['1d12h'], '2026-11-21T21:00:00.000Z'],
    [['--to', '2026-11-21T00:00:00+01:00'], '2026-11-20T23:00:00.000Z'],
    [['--to', '+90m'], '2026-11-20T10:30:00.000Z'],
  ])('advances by %j', async (argv, now) => {
    using home = makeHome(FROZEN)
    expect(await runForJson(home, sandboxClockAdvance, ...argv)).toMatchObject({ now })
  })

  test.each([[[]], [['soon']], [['2h', '--to', '+1d']], [['--to', 'one day']]])(
    'asks for something else than %j',
    async (argv) => {
      using home = makeHome(FROZEN)
      expect((await runInSandbox(home, sandboxClockAdvance, ...argv)).code).toBe(2)
      expect(await runForJson(home, sandboxClockShow)).toMatchObject({ now: '2026-11-20T09:00:00.000Z' })
    },
  )

  test('does not go back', async () => {
    using home = makeHome(FROZEN)
    expect((await runInSandbox(home, sandboxClockSet, '2026-11-20T08:59:59Z')).error).toMatchObject({
      code: 'invalid_state',
      exitCode: 7,
    })
  })

  test('runs, runs faster, is frozen, and is set', async () => {
    using home = makeHome(FROZEN)
    expect(await runForJson(home, sandboxClockRun)).toMatchObject({ mode: 'offset', factor: 1 })
    expect(await runForJson(home, sandboxClockRun, '--factor', '60')).toMatchObject({
      mode: 'scaled',
      factor: 60,
    })
    expect(await runForJson(home, sandboxClockSet, '+1h')).toMatchObject({
      mode: 'scaled',
      now: '2026-11-20T10:00:00.000Z',
    })
    expect(await runForJson(home, sandboxClockFreeze, '--at', '+2h')).toMatchObject({
      mode: 'frozen',
      now: '2026-11-20T12:00:00.000Z',
    })
    expect(await runForJson(home, sandboxClockSet, '--factor', '2')).toMatchObject({
      mode: 'scaled',
      factor: 2,
    })
  })

  test('set to another time, a clock that followed the machine runs on from there', async () => {
    using home = makeHome({ DRAY_NOW: '2026-11-20T08:00:00Z' })
    expect(await runForJson(home, sandboxClockSet, '--mode', 'real')).toMatchObject({
      mode: 'real',
      now: '2026-11-20T09:00:00.000Z',
    })
    expect(await runForJson(home, sandboxClockSet, '+1h')).toMatchObject({
      mode: 'offset',
      now: '2026-11-20T10:00:00.000Z',
    })
    expect((await runInSandbox(home, sandboxClockSet, '+1h', '--mode', 'real')).code).toBe(2)
    expect((await runInSandbox(home, sandboxClockSet)).code).toBe(2)
  })

  test('a dry run changes nothing and says what would be sent', async () => {
    using home = makeHome(FROZEN)
    expect(await runForJson(home, sandboxClockAdvance, '2h', '--dry-run')).toEqual({
      control: 'advance_clock',
      input: { by: '2h' },
    })
    expect(await runForJson(home, sandboxClockShow)).toMatchObject({ now: '2026-11-20T09:00:00.000Z' })
  })
})

describe('reset', () => {
  test('wants its name, and then nothing is left', async () => {
    using home = makeHome(FROZEN)
    await createParcel(home)
    const refused = await runInSandbox(home, sandboxReset, '--yes')
    expect(refused.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(refused.error?.hint).toContain('dray sandbox reset --yes --confirm sandbox')
    expect((await runInSandbox(home, sandboxReset, '--dry-run')).code).toBe(0)
    expect(await runForJson(home, sandboxStatus)).toMatchObject({ counts: { shipments: 1 } })

    const ran = await runInSandbox(
      home,
      sandboxReset,
      '--confirm',
      'sandbox',
      '--seed',
      '7',
      '--at',
      '2026-11-20T09:00:00Z',
    )
    expect(ran.err).toContain('The sandbox is reset.')
    expect(await runForJson(home, sandboxStatus)).toMatchObject({
      seed: '7',
      clock: { now: '2026-11-20T09:00:00.000Z', mode: 'frozen' },
      counts: { shipments: 0, events: 0 },
    })
  })

  test('tells a script with DRAY_NOW that the new clock runs, and what freezes it', async () => {
    using home = makeHome(FROZEN)
    const frozen = ['--at', FROZEN.DRAY_NOW]
    const ran = await runInSandbox(home, sandboxReset, '--confirm', 'sandbox')
    expect(ran.err).toContain(
      `warning: The new clock is running: DRAY_NOW applies only when a store is created. ${frozen.join(' ')} freezes it there.`,
    )
    expect(await runForJson(home, sandboxStatus)).toMatchObject({ clock: { mode: 'offset' } })
    const mended = await runInSandbox(home, sandboxReset, '--confirm', 'sandbox', ...frozen)
    expect(mended.err).not.toContain('warning')
    expect(await runForJson(home, sandboxStatus)).toMatchObject({ clock: { mode: 'frozen' } })
  })

  test('asks on a terminal and says what would be lost', async () => {
    using home = makeHome(FROZEN)
    await createParcel(home)
    const io = memoryIo({ tty: true })
    const running = runCommand(home, sandboxReset, ['--accessible'], { io, openClient: embeddedIn(home) })
    io.type('no\n')
    expect((await running).error).toMatchObject({ code: 'not_confirmed' })
    expect(io.asked()).toContain('parcels (1), their history and all tokens. Type sandbox to confirm')
    expect(await runForJson(home, sandboxStatus)).toMatchObject({ counts: { shipments: 1 } })
  })

  test('on a protected profile wants the name of the profile', async () => {
    using home = makeHome(FROZEN)
    home.writeConfig({ profiles: { default: { protected: true } } })
    expect((await runInSandbox(home, sandboxReset, '--confirm', 'sandbox')).code).toBe(3)
    expect((await runInSandbox(home, sandboxClockAdvance, '1h')).code).toBe(3)
    expect((await runInSandbox(home, sandboxReset, '--confirm', 'default')).code).toBe(0)
  })
})

describe('parcels', () => {
  test('step makes the next thing happen, whatever the clock shows', async () => {
    using home = makeHome(FROZEN)
    const number = await createParcel(home)
    const ran = await runInSandbox(home, sandboxStep, number)
    expect(ran.code).toBe(0)
    expect(await runForJson(home, sandboxClockShow)).toMatchObject({ now: '2026-11-20T09:00:00.000Z' })
    const { data } = (await runForJson(home, sandboxEvents)) as {
      data: { resource_id: string; by: string }[]
    }
    expect(data.at(-1)?.resource_id).toBe(number)
    expect((await runInSandbox(home, sandboxStep, 'nobody')).code).toBe(5)
  })

  test('scan moves a parcel manually, and rejects what cannot follow', async () => {
    using home = makeHome(FROZEN)
    const number = await createParcel(home)
    const spaced = `${number.slice(0, 2)} ${number.slice(2).toLowerCase()}`
    expect(await runForJson(home, sandboxScan, spaced, 'collected')).toMatchObject({
      tracking_number: number,
      code: 'collected',
      status: 'in_transit',
    })
    expect((await runInSandbox(home, sandboxScan, number, 'returned')).error).toMatchObject({
      code: 'invalid_state',
      exitCode: 7,
      hint: expect.stringMatching(
        /^Possible now: arrived_at_facility, departed_facility, out_for_delivery, /,
      ) as string,
    })
    const typo = await runInSandbox(home, sandboxScan, number, 'colected')
    expect(typo.error).toMatchObject({ code: 'usage' })
    expect(typo.error?.message).toContain('collected, arrived_at_facility')
    const missing = await runInSandbox(home, sandboxScan)
    expect(missing.error?.message).toBe('Missing: TRACKING_NUMBER, CODE.')
  })

  test('events come oldest first, in pages or all at once', async () => {
    using home = makeHome(FROZEN)
    await createParcel(home)
    await runInSandbox(home, sandboxClockAdvance, '30d')
    const all = (await runForJson(home, sandboxEvents, '--all')) as {
      data: { seq: number }[]
      has_more: boolean
      next_cursor: null
    }
    expect(all).toMatchObject({ has_more: false, next_cursor: null })
    expect(all.data.length).toBeGreaterThan(3)
    expect(all.data.map(({ seq }) => seq)).toEqual(all.data.map(({ seq }) => seq).toSorted((a, b) => a - b))

    const first = (await runForJson(home, sandboxEvents, '--limit', '2')) as {
      data: unknown[]
      next_cursor: string
    }
    const second = (await runForJson(
      home,
      sandboxEvents,
      '--limit',
      '100',
      '--cursor',
      first.next_cursor,
    )) as {
      data: unknown[]
    }
    expect([...first.data, ...second.data]).toEqual(all.data)
    expect((await runInSandbox(home, sandboxEvents, '--cursor', 'x')).code).toBe(2)
  })
})

describe('accounts', () => {
  test('are listed, added and given a membership', async () => {
    using home = makeHome(FROZEN)
    const added = await runInSandbox(
      home,
      sandboxAccountAdd,
      'books',
      '--name',
      'Strand Books',
      '--carrier',
      '--scope',
      'shipments.read',
      '--json',
    )
    expect(added.json()).toMatchObject({
      handle: 'books',
      name: 'Strand Books',
      scopes: ['shipments.read'],
      carrier_agreement: { status: 'active' },
    })
    expect((await runInSandbox(home, sandboxAccountAdd, 'books')).error).toMatchObject({
      code: 'invalid_state',
    })
    const { data } = (await runForJson(home, sandboxAccountList)) as { data: { handle: string }[] }
    expect(data.map(({ handle }) => handle)).toEqual(
      expect.arrayContaining(['everything', 'shipper', 'books']),
    )

    expect(await runForJson(home, sandboxAccountMembership, 'guest', 'active')).toMatchObject({
      handle: 'guest',
      membership: { status: 'active' },
    })
    expect((await runInSandbox(home, sandboxAccountMembership, 'guest', 'asleep')).error).toMatchObject({
      code: 'usage',
    })
    expect((await runInSandbox(home, sandboxAccountMembership, 'guest')).error?.message).toBe(
      'Missing: STATUS.',
    )
  })

  test('a token is shown once, and alone when a script wants it', async () => {
    using home = makeHome(FROZEN)
    const ran = await runInSandbox(
      home,
      sandboxAccountToken,
      'shipper',
      '--scope',
      'shipments.read',
      '--expires-in',
      '1h',
      '--query',
      'token',
    )
    expect(ran.out).toMatch(/^dray_sbx_[\w-]{43}\n$/)
    expect(await runForJson(home, sandboxAccountToken, 'shipper', '--expires-in', '1h')).toMatchObject({
      handle: 'shipper',
      expires_at: '2026-11-20T10:00:00.000Z',
    })
    expect((await runInSandbox(home, sandboxAccountToken, 'nobody')).error).toMatchObject({
      code: 'account_not_found',
      exitCode: 5,
    })
  })
})

test('the status counts parcels and says when the next thing happens', async () => {
  using home = makeHome(FROZEN)
  await createParcel(home)
  const status = await runForJson(home, sandboxStatus)
  expect(status).toMatchObject({
    environment: 'sandbox',
    counts: { shipments: 1, shipments_by_status: { pre_transit: 1 } },
    due: 0,
  })
  const shown = await runInSandbox(home, sandboxStatus)
  expect(shown.out).toContain('counts.shipments_by_status.pre_transit\t1')
})

describe('a control call', () => {
  test.each([
    ['sandbox account add', 'Missing: HANDLE.', 'books', 'add_account', { handle: 'books' }],
    ['sandbox account client', 'Missing: ACCOUNT.', 'owner', 'create_client', { account: 'owner' }],
    ['sandbox account token', 'Missing: ACCOUNT.', 'owner', 'mint_token', { account: 'owner' }],
    ['sandbox settle', 'Missing: ORDER.', 'ord_1', 'settle_payment', { order_id: 'ord_1' }],
    ['sandbox check open', 'Missing: ORDER.', 'ord_1', 'open_check', { order_id: 'ord_1' }],
    ['sandbox check settle', 'Missing: ORDER.', 'ord_1', 'settle_check', { check_id: 'ord_1' }],
    ['sandbox step', 'Missing: RESOURCE.', 'member', 'step_resource', { resource_id: 'member' }],
  ])('%s says what is missing, and can be rehearsed', async (words, message, typed, name, input) => {
    using home = makeHome(FROZEN)
    const command = await COMMANDS[words]?.load()
    if (command === undefined) throw new Error(`no command ${words}`)
    const missing = await runInSandbox(home, command)
    expect(missing.error).toMatchObject({ code: 'usage', message })
    expect(await runForJson(home, command, typed, '--dry-run')).toEqual({ control: name, input })
  })

  test('has a command, and is on no list of the interface', async () => {
    const controls = await listControls()
    expect(controls.filter(({ cli }) => COMMANDS[cli.command] === undefined)).toEqual([])
    expect(controls.filter(({ name }) => NAMES.includes(name) || Object.hasOwn(ROUTES, name))).toEqual([])
    await expect(apiCommand('get_status')).rejects.toMatchObject({ code: 'usage' })
  })
})
