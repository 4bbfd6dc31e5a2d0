import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ClientCallOptions } from '../../../src/client/client.ts'
import { pendingList } from '../../../src/commands/pending/list.command.ts'
import { pendingResolve } from '../../../src/commands/pending/resolve.command.ts'
import { pendingShow } from '../../../src/commands/pending/show.command.ts'
import { recent } from '../../../src/commands/recent.command.ts'
import { sandboxClockAdvance } from '../../../src/commands/sandbox/clock-advance.command.ts'
import { sandboxReset } from '../../../src/commands/sandbox/reset.command.ts'
import { AppError } from '../../../src/core/errors.ts'
import type { ErrorCode } from '../../../src/core/errors.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { embeddedThrough } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { type InlineCommandResult, runCommand } from '../../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T14:02:00Z' }
const create = await loadOperation('create_shipment')
const list = await loadOperation('list_shipments')

const PARCEL =
  '--to-name Grace --to-line1 1 --to-city Reading --to-postal-code RG11DB --to-country GB --weight 1kg --length 30cm --width 20cm --height 10cm --service next_day --yes --max-total 100'.split(
    ' ',
  )

type Call = { operation: string; options: ClientCallOptions | undefined }
type Fault = { after?: ErrorCode; before?: ErrorCode }

/** Opens the service of this home; with a fault, changing calls fail before or after they are carried out. */
function service(home: Home, { after, before }: Fault = {}, calls: Call[] = []) {
  const fail = (code: ErrorCode, key: string | undefined) => {
    throw new AppError(code, 'Cut off.', code === 'network_error' ? { extra: { idempotency_key: key } } : {})
  }
  return embeddedThrough(home, (call) => async (operation, input, options) => {
    // Requests for the price are passed on without a fault.
    if (input['price_only'] === true) return call(operation, input, options)
    calls.push({ operation, options })
    const changes = operation.startsWith('create') || operation.startsWith('cancel')
    if (changes && before !== undefined) fail(before, options?.idempotencyKey)
    const answer = await call(operation, input, options)
    if (changes && after !== undefined) fail(after, options?.idempotencyKey)
    return answer
  })
}

const run = (
  home: Home,
  argv: readonly string[],
  fault: Fault = {},
  calls: Call[] = [],
): Promise<InlineCommandResult> =>
  runCommand(home, create, [...PARCEL, ...argv], { openClient: service(home, fault, calls) })
const parcels = async (home: Home): Promise<number> => {
  const ran = await runCommand(home, list, ['--json'], { openClient: service(home) })
  return (ran.json() as { data: unknown[] }).data.length
}
const open = async (home: Home): Promise<Record<string, unknown>[]> =>
  ((await runCommand(home, pendingList, ['--json'])).json() as { data: Record<string, unknown>[] }).data

describe('the same command after its response was lost', () => {
  test('gets the answer with the same key, says so, and does nothing twice', async () => {
    using home = makeHome(FROZEN)
    const lost = await run(home, ['--reference', 'A-1'], { after: 'network_error' })
    expect(lost.code).toBe(11)
    expect(lost.error?.hint).toContain('Run the same command again')
    const again = await run(home, ['--reference', 'A-1', '--json'])
    expect(again.err).toMatch(/^Resuming the call of \d\d:02, £6\.12\.\n$/)
    expect(again.json()).toMatchObject({ reference: 'A-1', status: 'pre_transit' })
    expect(await parcels(home)).toBe(1)
    expect(await open(home)).toEqual([])
  })

  test('whose call never arrived sends it with its key', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    await run(home, [], { before: 'network_error' }, calls)
    const again = await run(home, [], {}, calls)
    expect(again.err).toContain('Resuming the call of ')
    expect(calls.map(({ options }) => options?.idempotencyKey)).toEqual([
      calls[0]?.options?.idempotencyKey,
      calls[0]?.options?.idempotencyKey,
    ])
    expect(await parcels(home)).toBe(1)
  })

  test('is another one with other arguments, another account or another scenario', async () => {
    using home = makeHome(FROZEN)
    await run(home, ['--reference', 'A-1'], { after: 'network_error' })
    for (const other of [
      ['--reference', 'A-2'],
      ['--reference', 'A-1', '--as', 'shipper'],
      ['--reference', 'A-1', '--scenario', 'lost'],
    ]) {
      expect((await run(home, other)).err).not.toContain('Resuming')
    }
    // The order of flags, and flags for output, do not make another call.
    const same = await runCommand(home, create, ['--reference', 'A-1', '--output', 'yaml', ...PARCEL], {
      openClient: service(home),
    })
    expect(same.err).toContain('Resuming')
  })

  test('is a second one with --new, and the first stays open', async () => {
    using home = makeHome(FROZEN)
    await run(home, [], { after: 'network_error' })
    const [first] = await open(home)
    const second = await run(home, ['--new', '--json'])
    expect(second.err).toBe('')
    expect(await parcels(home)).toBe(2)
    expect(first).toMatchObject({ operation: 'create_shipment' })
  })

  test('uses the key of the user, and finds only calls with that key', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    await run(home, ['--idempotency-key', 'mine'], { after: 'network_error' }, calls)
    expect((await run(home, ['--idempotency-key', 'other'], {}, calls)).err).not.toContain('Resuming')
    const again = await run(home, ['--idempotency-key', 'mine'], {}, calls)
    expect(again.err).toContain('Resuming')
    expect(calls.map(({ options }) => options?.idempotencyKey)).toEqual(['mine', 'other', 'mine'])
    expect(await open(home)).toEqual([])
  })
})

describe('the record of a call is removed', () => {
  test('after a response or a final refusal', async () => {
    using home = makeHome(FROZEN)
    await run(home, [])
    const refused = await run(home, ['--hub', 'hub_01m7vkystgef38d6j5p56t9yfw'])
    expect(refused.code).toBe(5)
    expect(await open(home)).toEqual([])
  })

  test('when it was rejected before its key was checked, but not for a repeat', async () => {
    using home = makeHome(FROZEN)
    await run(home, [], { before: 'invalid_token' })
    expect(await open(home)).toEqual([])
    await run(home, [], { after: 'network_error' })
    await run(home, [], { before: 'invalid_token' })
    expect(await open(home)).toHaveLength(1)
    expect((await run(home, [])).err).toContain('Resuming')
    expect(await parcels(home)).toBe(1)
  })

  test('not while the service is in trouble or asks to wait', async () => {
    using home = makeHome(FROZEN)
    for (const code of ['service_unavailable', 'rate_limited', 'idempotency_in_flight'] as const) {
      await run(home, ['--reference', code], { before: code })
    }
    expect(await open(home)).toHaveLength(3)
  })

  test('with the store it was sent to', async () => {
    using home = makeHome(FROZEN)
    await run(home, [], { after: 'network_error' })
    await run(home, ['--reference', 'kept'])
    await runCommand(home, sandboxReset, ['--confirm', 'sandbox'], { openClient: service(home) })
    expect(await open(home)).toEqual([])
    expect((await runCommand(home, recent, ['--json'], { openClient: service(home) })).json()).toMatchObject({
      data: [],
    })
  })
})

describe('a call of long ago', () => {
  const lose = async (home: Home) => {
    await run(home, [], { after: 'network_error' })
    await runCommand(home, sandboxClockAdvance, ['23h'], { openClient: service(home) })
    expect((await open(home)).length).toBe(1)
  }

  test('is repeated for 23 hours of the service, and not after', async () => {
    using home = makeHome(FROZEN)
    await lose(home)
    const calls: Call[] = []
    await runCommand(home, sandboxClockAdvance, ['1s'], { openClient: service(home) })
    const late = await run(home, [], {}, calls)
    expect(late.error).toMatchObject({ code: 'call_unresolved', exitCode: 7 })
    expect(late.error?.hint).toMatch(/`dray pending resolve key_\w+`/)
    expect(calls).toEqual([])
    expect(await parcels(home)).toBe(1)
  })

  test('is still resumed at 23 hours', async () => {
    using home = makeHome(FROZEN)
    await lose(home)
    expect((await run(home, [])).err).toMatch(/Resuming the call of 2026-11-2\d \d\d:02, £6\.12\./)
    expect(await parcels(home)).toBe(1)
  })

  test('is closed by resolve, which says where to look', async () => {
    using home = makeHome(FROZEN)
    await lose(home)
    await runCommand(home, sandboxClockAdvance, ['2h'], { openClient: service(home) })
    const calls: Call[] = []
    const told = await runCommand(home, pendingResolve, ['--json'], { openClient: service(home, {}, calls) })
    expect(told.json()).toMatchObject({
      outcome: 'not_known',
      detail: expect.stringContaining('dray carrier list') as string,
    })
    expect(calls).toEqual([])
    expect(await open(home)).toEqual([])
  })
})

describe('dray pending', () => {
  test('lists and shows open calls, without payment data', async () => {
    using home = makeHome(FROZEN)
    await run(home, ['--reference', 'A-1'], { after: 'network_error' })
    const [only] = await open(home)
    expect(only).toMatchObject({
      call_id: expect.stringMatching(/^key_/) as string,
      state: 'open',
      operation: 'create_shipment',
      total: { amount: 612, currency: 'GBP' },
      account: 'everything',
      started_at: '2026-11-20T14:02:00.000Z',
    })
    expect(only?.['command']).toContain('carrier create --to-name Grace')
    const file = fs.globSync(`${home.paths.state}/pending-calls/*`)[0] ?? ''
    const intent = JSON.parse(fs.readFileSync(file, 'utf8')) as { input: object }
    fs.writeFileSync(file, JSON.stringify({ ...intent, input: { payment: { payment_token: 'tok_secret' } } }))
    const shown = await runCommand(home, pendingShow, ['--json'])
    expect(shown.json()).toMatchObject({ input: { payment: { payment_token: '***' } } })
  })

  test('resolve reports whether the call had succeeded', async () => {
    using home = makeHome(FROZEN)
    await run(home, [], { after: 'network_error' })
    const done = await runCommand(home, pendingResolve, ['--json'], { openClient: service(home) })
    expect(done.json()).toMatchObject({
      outcome: 'done',
      resource_id: expect.stringMatching(/GB$/) as string,
    })
    await run(home, ['--reference', 'B'], { before: 'network_error' })
    const now = await runCommand(home, pendingResolve, ['--json'], { openClient: service(home) })
    expect(now.json()).toMatchObject({ outcome: 'done_now' })
    expect(await parcels(home)).toBe(2)
    expect(await open(home)).toEqual([])
    expect((await runCommand(home, pendingResolve, [])).error?.message).toBe('No pending calls.')
  })

  test('resolve keeps a call that is lost again, and closes a refused one', async () => {
    using home = makeHome(FROZEN)
    await run(home, ['--reference', 'A-1'])
    await run(home, ['--reference', 'A-1', '--signature'], { before: 'network_error' })
    const lost = await runCommand(home, pendingResolve, [], {
      openClient: service(home, { before: 'network_error' }),
    })
    expect(lost.code).toBe(11)
    expect(await open(home)).toHaveLength(1)
    const refused = await runCommand(home, pendingResolve, ['--json'], { openClient: service(home) })
    expect(refused.json()).toMatchObject({ outcome: 'refused' })
    expect(await open(home)).toEqual([])
  })

  test('resolve repeats a call only at its own service', async () => {
    using home = makeHome(FROZEN)
    await run(home, [], { after: 'network_error' })
    const [only] = await open(home)
    const { error } = await runCommand(home, pendingResolve, ['--as', 'shipper'], {
      openClient: service(home),
    })
    expect(error?.hint).toBe(
      `Resolve it there: dray pending resolve ${String(only?.['call_id'])} --as everything`,
    )
    expect(await open(home)).toHaveLength(1)
  })

  test('--discard forgets one after a question', async () => {
    using home = makeHome(FROZEN)
    await run(home, [], { after: 'network_error' })
    expect((await runCommand(home, pendingResolve, ['--discard'])).code).toBe(3)
    expect(await open(home)).toHaveLength(1)
    expect((await runCommand(home, pendingResolve, ['--discard', '--yes'])).code).toBe(0)
    expect(await open(home)).toEqual([])
  })

  test('names the one that is meant when there are several', async () => {
    using home = makeHome(FROZEN)
    await run(home, ['--reference', 'A'], { after: 'network_error' })
    await run(home, ['--reference', 'B'], { after: 'network_error' })
    expect((await runCommand(home, pendingShow, [])).error?.message).toBe(
      'There are several pending calls: give an ID.',
    )
    const [first] = await open(home)
    const shown = await runCommand(home, pendingShow, [String(first?.['call_id']), '--json'])
    expect(shown.json()).toMatchObject({ call_id: first?.['call_id'] })
    expect((await runCommand(home, pendingShow, ['nothing'])).error?.message).toBe('No pending call nothing.')
  })
})

test('a call that cannot be recorded is not sent, unless the user gave a key', async () => {
  using home = makeHome(FROZEN)
  fs.writeFileSync(home.paths.state, 'no folder')
  const { error } = await run(home, [])
  expect(error).toMatchObject({ code: 'file_error' })
  expect(error?.message).toContain('Nothing was sent.')
  expect(await parcels(home)).toBe(0)
  expect((await run(home, ['--idempotency-key', 'mine'])).code).toBe(0)
  expect(await parcels(home)).toBe(1)
})

describe('dray recent', () => {
  test('lists created resources, newest first, each once', async () => {
    using home = makeHome(FROZEN)
    await run(home, ['--reference', 'A-1', '--json'])
    await run(home, ['--reference', 'A-2'], { after: 'network_error' })
    await run(home, ['--reference', 'A-2', '--json'])
    const { data } = (await runCommand(home, recent, ['--json'], { openClient: service(home) })).json() as {
      data: Record<string, unknown>[]
    }
    expect(data).toHaveLength(2)
    expect(data[0]).toMatchObject({
      id: expect.stringMatching(/^ZC/) as string,
      operation: 'create_shipment',
      status: 'pre_transit',
      total: { currency: 'GBP' },
      account: 'everything',
      profile: 'default',
    })
    const one = (
      await runCommand(home, recent, ['--json', '--limit', '1'], { openClient: service(home) })
    ).json()
    expect(one).toMatchObject({ data: [data[0]], has_more: true })
  })

  test('keeps the last 200', async () => {
    using home = makeHome(FROZEN)
    await run(home, [])
    const file = `${home.paths.state}/recent.ndjson`
    const [line = ''] = fs.readFileSync(file, 'utf8').split('\n')
    const entry = JSON.parse(line) as object
    fs.writeFileSync(
      file,
      Array.from({ length: 900 }, (_, at) => `${JSON.stringify({ ...entry, id: `Z${at}` })}\n`).join(''),
    )
    await run(home, ['--reference', 'last'])
    expect(fs.readFileSync(file, 'utf8').split('\n')).toHaveLength(201)
    const { data } = (await runCommand(home, recent, ['--json'], { openClient: service(home) })).json() as {
      data: { id: string }[]
    }
    expect(data).toHaveLength(200)
    expect(data[1]?.id).toBe('Z899')
  })

  test('says so when there is nothing', async () => {
    using home = makeHome(FROZEN)
    const ran = await runCommand(home, recent, [], { io: memoryIo({ tty: true, columns: 80 }) })
    expect(ran.err).toContain('Nothing was created on this machine yet.')
  })
})
