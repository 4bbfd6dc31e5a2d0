import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { deliveryQuote } from '../../../src/commands/delivery/quote.command.ts'
import { recent } from '../../../src/commands/recent.command.ts'
import { ridesQuote } from '../../../src/commands/rides/quote.command.ts'
import { ridesRequest } from '../../../src/commands/rides/request.command.ts'
import { ridesShow } from '../../../src/commands/rides/show.command.ts'
import { sandboxClockAdvance } from '../../../src/commands/sandbox/clock-advance.command.ts'
import { makeTrackCommand } from '../../../src/commands/track.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { embeddedIn, embeddedThrough } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { type InlineCommandResult, runCommand } from '../../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }
const WAY = ['--from', 'kings-cross', '--to', 'bank']
const cancel = await loadOperation('cancel_ride')
const list = await loadOperation('list_rides')
const options = await loadOperation('search_ride_options')

type Call = { operation: string; input: Readonly<Record<string, unknown>> }
type Fare = { tier: string; fare: { amount: number; currency: string } }

function service(home: Home, calls: Call[] = []) {
  return embeddedThrough(home, (call) => (operation, input, given) => {
    calls.push({ operation, input })
    return call(operation, input, given)
  })
}

const request = (home: Home, argv: readonly string[], calls: Call[] = []): Promise<InlineCommandResult> =>
  runCommand(home, ridesRequest, argv, { openClient: service(home, calls) })
const quote = async (home: Home, argv: readonly string[] = WAY) =>
  (await runCommand(home, ridesQuote, [...argv, '--json'], { openClient: service(home) })).json() as {
    quote_id: string
    fares: Fare[]
  }
const rides = async (home: Home) =>
  (
    (await runCommand(home, list, ['--json'], { openClient: service(home) })).json() as {
      data: { ride_id: string; tier: string; fare: { amount: number } }[]
    }
  ).data
const advance = (home: Home, by: string) =>
  runCommand(home, sandboxClockAdvance, [by], { openClient: service(home) })
const track = (home: Home, argv: readonly string[], io?: MemoryIo) =>
  runCommand(home, makeTrackCommand('ride'), argv, {
    openClient: service(home),
    ...(io !== undefined && { io }),
  })

describe('a script', () => {
  test('sees the tiers of a point, and what a way costs in each', async () => {
    using home = makeHome(FROZEN)
    const seen = await runCommand(home, options, ['--near', 'kings-cross', '--fields', 'tier'], {
      openClient: service(home),
    })
    expect(seen.out.trim().split('\n').slice(-5)).toEqual([
      'economy',
      'comfort',
      'xl',
      'premium',
      'accessible',
    ])
    const ran = await runCommand(home, ridesQuote, WAY, { openClient: service(home) })
    const [head, ...rows] = ran.out.trim().split('\n')
    expect(head?.split('\t').slice(0, 3)).toEqual(['quote_id', 'tier', 'fare'])
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatch(/^quo_\w+\teconomy\t/)
    const query = ['--query', '[quote_id, fares[0].tier]']
    const asked = await runCommand(home, ridesQuote, [...WAY, ...query], { openClient: service(home) })
    expect(asked.out).toMatch(/^quo_\w+\neconomy\n$/)
  })

  test('requests a tier below its limit, for the fare that was quoted', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    const ran = await request(
      home,
      [...WAY, '--tier', 'comfort', '--yes', '--max-total', '40', '--json'],
      calls,
    )
    const ride = ran.json() as { tier: string; fare: { amount: number } }
    expect(ride).toMatchObject({ tier: 'comfort', status: 'processing', payment: { status: 'paid' } })
    expect(calls.at(-1)).toMatchObject({
      operation: 'request_ride',
      input: { tier: 'comfort', expected_total: ride.fare },
    })
    const { data } = (
      await runCommand(home, recent, ['--json'], { openClient: embeddedIn(home) })
    ).json() as { data: unknown[] }
    expect(data).toMatchObject([{ operation: 'request_ride', total: ride.fare, status: 'processing' }])
  })

  test('learns that the quote of a delivery is no quote of a ride', async () => {
    using home = makeHome(FROZEN)
    const run = [...WAY, '--what', 'A cake', '--json']
    const quoted = await runCommand(home, deliveryQuote, run, { openClient: service(home) })
    const { quote_id } = quoted.json() as { quote_id: string }
    const { error } = await request(home, ['--quote-id', quote_id, '--tier', 'economy', '--yes'])
    expect(error?.code).toBe('quote_mismatch')
  })

  test('above its limit nothing is requested', async () => {
    using home = makeHome(FROZEN)
    const { error } = await request(home, [...WAY, '--tier', 'premium', '--yes', '--max-total', '3'])
    expect(error).toMatchObject({ code: 'price_above_limit', exitCode: 7 })
    expect(await rides(home)).toEqual([])
  })

  test('hears all that is missing at once, before anything is sent', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    const { error } = await request(home, ['--yes', '--max-total', '20'], calls)
    expect(error?.message).toBe('Missing: --from, --to, --tier.')
    expect(error?.hint).toContain('--from kings-cross --to bank --tier economy')
    expect((await request(home, ['--quote-id', 'quo_1', '--yes'], calls)).error?.message).toBe(
      'Missing: --tier.',
    )
    expect(calls).toEqual([])
  })

  test('cannot pay at a table, for there is none', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    const limit = ['--tier', 'comfort', '--yes', '--max-total', '40']
    const { error } = await request(home, [...WAY, ...limit, '--pay', 'table'], calls)
    expect(error?.message).toBe('--pay must be one of card, wallet, cash, not "table".')
    expect(calls).toEqual([])
  })

  test('--dry-run prices a tier and requests nothing; what is missing is named', async () => {
    using home = makeHome(FROZEN)
    const ran = await request(home, [...WAY, '--tier', 'xl', '--dry-run', '--json'])
    expect(ran.json()).toMatchObject({ kind: 'ride' })
    expect(ran.err).toContain('Dry run: nothing was bought.')
    expect((await request(home, [...WAY, '--dry-run'])).error?.message).toBe('Missing: --tier.')
    expect((await request(home, ['--dry-run'])).error?.message).toBe('Missing: --from, --to.')
    expect(await rides(home)).toEqual([])
  })

  test('requests a quote by its id, in one of its tiers', async () => {
    using home = makeHome(FROZEN)
    const { quote_id, fares } = await quote(home)
    const calls: Call[] = []
    const argv = ['--quote-id', quote_id, '--tier', 'xl', '--yes', '--json']
    expect((await request(home, argv, calls)).json()).toMatchObject({ quote_id, tier: 'xl' })
    expect(calls.map(({ operation }) => operation)).toEqual(['request_ride'])
    expect(calls[0]?.input).toMatchObject({ expected_total: fares.find(({ tier }) => tier === 'xl')?.fare })
    expect((await request(home, [...WAY, ...argv])).error?.exitCode).toBe(2)
  })

  test('gets an error for a tier that is not among the fares', async () => {
    using home = makeHome(FROZEN)
    const argv = [...WAY, '--passengers', '6', '--tier', 'economy', '--yes', '--max-total', '50']
    const { error } = await request(home, argv)
    expect(error).toMatchObject({ code: 'tier_not_quoted', exitCode: 6 })
    expect(error?.message).toBe('economy is not one of the quoted tiers: xl. Nothing was bought.')
  })

  test('learns what an expired quote would cost now', async () => {
    using home = makeHome(FROZEN)
    const { quote_id } = await quote(home)
    await advance(home, '5m')
    const late = await request(home, ['--quote-id', quote_id, '--tier', 'economy', '--yes'])
    expect(late.error).toMatchObject({ code: 'quote_expired', exitCode: 7 })
    expect(late.error?.message).toMatch(
      /^The quote of £\d+\.\d\d has expired\. Nothing was bought\. The price is (?:still )?£\d+\.\d\d now\.$/,
    )
    expect(await rides(home)).toEqual([])
  })
})

describe('a person', () => {
  const terminal = () => memoryIo({ tty: true, columns: 80, env: { NO_COLOR: '1' } })
  const asked = (home: Home, argv: readonly string[], io: MemoryIo) =>
    runCommand(home, ridesRequest, argv, { io, openClient: service(home) })

  test('picks from the fares while they hold', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const running = asked(home, [...WAY, '--yes'], io)
    await expect.poll(() => io.asked()).toContain('Which ride?')
    expect(io.asked()).toContain('5:00 left')
    expect(io.asked()).toMatch(/❯ Economy +£\d+\.\d\d {2}4 seats {2}in \d+ min/)
    io.type('\x1b[B\r')
    expect((await running).code).toBe(0)
    expect(io.err()).toMatch(/Base fare +£3\.50/)
    expect(await rides(home)).toMatchObject([{ tier: 'comfort' }])
  })

  test('sees the bill of a tier, and says yes', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const running = asked(home, [...WAY, '--tier', 'economy'], io)
    await expect.poll(() => io.asked()).toMatch(/Request this ride for £\d+\.\d\d with the test card/)
    expect(io.asked()).toContain('5:00 left')
    expect(io.err()).toMatch(/of which VAT/)
    io.type('y\r')
    expect((await running).code).toBe(0)
    expect(await rides(home)).toMatchObject([{ tier: 'economy' }])
  })

  test('a rider who declines requests no ride', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const running = asked(home, [...WAY, '--accessible'], io)
    await expect.poll(() => io.asked()).toContain('Which ride? This price is valid for 5:00 minutes.')
    io.type('1\n')
    await expect.poll(() => io.asked()).toContain('yes or no')
    io.type('\n')
    expect((await running).error?.code).toBe('not_confirmed')
    expect(await rides(home)).toEqual([])
  })

  test('is asked from where and where to', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const running = asked(home, ['--accessible', '--tier', 'economy'], io)
    await expect.poll(() => io.asked()).toContain('Pickup address?')
    io.type('nowhere at all\n')
    await expect.poll(() => io.asked()).toContain('Please type an address')
    io.type('kings-cross\n')
    await expect.poll(() => io.asked()).toContain('Drop-off address?')
    io.type('bank\n')
    await expect.poll(() => io.asked()).toContain('Request this ride')
    io.type('yes\n')
    expect((await running).code).toBe(0)
  })

  test('sees the car on the map, and the PIN to tell', async () => {
    using home = makeHome(FROZEN)
    await request(home, [...WAY, '--tier', 'economy', '--yes', '--max-total', '40'])
    await advance(home, '60s')
    const io = terminal()
    const { code } = await track(home, [], io)
    expect(code).toBe(8)
    expect(io.out()).toMatch(/● Driver on the way +12:00/)
    expect(io.out()).toMatch(/[━╌]{24} At the pickup about 12:\d\d, in \d+ minutes?/)
    expect(io.out()).toMatch(/│.*[P].*│/)
    expect(io.out()).toMatch(/, [\d.]+ k?m from P/)
    expect(io.out()).toMatch(/PIN \d{4}: tell it to the driver/)
    expect(io.err()).toContain('`dray sandbox clock advance 5m` advances it')
  })
})

describe('a pipe that tracks', () => {
  test('gets one line for each change, and exit 8 on a frozen clock', async () => {
    using home = makeHome(FROZEN)
    await request(home, [...WAY, '--tier', 'economy', '--yes', '--max-total', '40'])
    await advance(home, '60s')
    const ran = await track(home, [])
    expect(ran.code).toBe(8)
    const lines = ran.out.trim().split('\n')
    expect(lines.map((line) => line.split('\t').slice(1))).toEqual([
      ['processing', 'by rider'],
      ['accepted', 'by driver'],
      [expect.stringMatching(/^\S.*, Q\w{3} \w{3}$/), 'driver'],
    ])
    await advance(home, '2h')
    const done = await track(home, ['--output', 'ndjson'])
    expect(done.code).toBe(0)
    const changes = done.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(changes.map(({ status }) => status)).toEqual([
      'processing',
      'accepted',
      'arriving',
      'arrived',
      'in_progress',
      'completed',
    ])
    expect(Object.keys(changes[0] ?? {})).toEqual(['ride_id', 'status', 'at', 'by', 'reason', 'driver'])
  })

  test('gets the final state once with --json', async () => {
    using home = makeHome(FROZEN)
    await request(home, [...WAY, '--tier', 'economy', '--yes', '--max-total', '40'])
    await advance(home, '2h')
    expect((await track(home, ['--json'])).json()).toMatchObject({ status: 'completed' })
  })

  test('gets an error when there is nothing to follow', async () => {
    using home = makeHome(FROZEN)
    expect((await track(home, [])).error?.message).toBe('No rides yet.')
  })
})

describe('the last ride', () => {
  const run = (home: Home, command: Command, argv: readonly string[]) =>
    runCommand(home, command, [...argv, '--json'], { openClient: service(home) })

  test('is shown without an id, and by the word last', async () => {
    using home = makeHome(FROZEN)
    expect((await run(home, ridesShow, [])).error?.message).toBe('No rides yet.')
    await request(home, [...WAY, '--tier', 'comfort', '--yes', '--max-total', '40'])
    for (const argv of [[], ['last']])
      expect((await run(home, ridesShow, argv)).json()).toMatchObject({ tier: 'comfort' })
    expect((await track(home, ['last'])).code).toBe(8)
  })

  test('is cancelled by that word only, and asked for by its id', async () => {
    using home = makeHome(FROZEN)
    await request(home, [...WAY, '--tier', 'comfort', '--yes', '--max-total', '40'])
    const [{ ride_id } = { ride_id: '' }] = await rides(home)
    expect((await run(home, cancel, [])).error?.message).toBe('Missing: RIDE_ID.')
    expect((await run(home, cancel, ['last'])).error?.hint).toContain(`--confirm ${ride_id}`)
    const done = await run(home, cancel, ['last', '--confirm', ride_id])
    expect(done.json()).toMatchObject({ ride_id, status: 'cancelled' })
  })
})

test('a late cancel of a cash ride says before, in a dry run and after that its fee is owed', async () => {
  using home = makeHome(FROZEN)
  const run = (argv: readonly string[], command = cancel) =>
    runCommand(home, command, argv, { openClient: service(home) })
  const far = ['--from', '51.6,-0.2', '--to', 'bank', '--tier', 'economy', '--pay', 'cash']
  await request(home, [...far, '--yes', '--max-total', '60'])
  const [{ ride_id } = { ride_id: '' }] = await rides(home)
  expect((await run([ride_id])).error?.message).toContain('Cancelling is free now.')
  await advance(home, '3m30s')
  const cost = 'Cancelling costs £5.00, charged with your next ride.'
  expect((await run([ride_id])).error?.message).toContain(cost)
  expect((await run([ride_id, '--confirm', ride_id, '--dry-run'])).err).toContain(cost)
  expect((await run([ride_id, '--confirm', ride_id])).err).toContain(
    `Cancelled ride ${ride_id}. A fee of £5.00 is charged with your next ride.`,
  )
  const shown = memoryIo({ tty: true })
  await runCommand(home, ridesShow, [ride_id], { openClient: service(home), io: shown })
  expect(shown.out()).toMatch(/Due with the next ride +£5\.00/)
  const listed = memoryIo({ tty: true, columns: 160, env: { NO_COLOR: '1' } })
  await runCommand(home, list, [], { openClient: service(home), io: listed })
  expect(listed.out()).toMatch(/Fee owed\n.*\n.* cancelled .* £5\.00/)
})
