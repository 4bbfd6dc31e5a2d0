import { describe, expect, test } from 'vitest'
import { bookingPresenter } from '../../../src/areas/services/presenter.ts'
import type { Command } from '../../../src/cli/define-command.ts'
import { recent } from '../../../src/commands/recent.command.ts'
import { servicesBook } from '../../../src/commands/services/book.command.ts'
import { servicesQuote } from '../../../src/commands/services/quote.command.ts'
import { servicesShow } from '../../../src/commands/services/show.command.ts'
import { servicesSlots } from '../../../src/commands/services/slots.command.ts'
import { makeTrackCommand } from '../../../src/commands/track.ts'
import { receiptOf } from '../../../src/core/presenter.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { gbp } from '../../support/money.ts'
import { type InlineCommandResult, runCommand } from '../../support/run-command.ts'
import { bookJob } from '../../support/services.ts'
import { runIn } from '../../support/world-client.ts'
import { openTestSandbox } from '../../support/world.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T09:00:00Z', NO_COLOR: '1' }
const JOB = ['bright', '--service', 'deep_clean', '--to', 'shoreditch']
const AGREED = ['--name', 'Ana', '--yes', '--max-total', '100']

const run = (
  home: Home,
  command: Command,
  argv: readonly string[],
  io?: MemoryIo,
): Promise<InlineCommandResult> =>
  runCommand(home, command, argv, { openClient: embeddedIn(home), ...(io && { io }) })
const terminal = (columns = 80) => memoryIo({ tty: true, columns, env: { NO_COLOR: '1' } })

describe('slots', () => {
  test('are a grid on a terminal, with the next command', async () => {
    using home = makeHome(FROZEN)
    const { out, err } = await run(home, servicesSlots, ['bright', '--service', 'deep_clean'], terminal())
    expect(out.split('\n')[0]).toBe('      Fri 20 Sat 21 Sun 22 Mon 23 Tue 24 Wed 25 Thu 26')
    expect(err).toContain('● free start: 4 h, times of Europe/London.')
    expect(err).toMatch(/Next: `dray services book prv_\w+ --service 'Deep clean' --at 2026/)
  })

  test('are one line for each start in a pipe, and what the service says with --json', async () => {
    using home = makeHome(FROZEN)
    const argv = ['bright', '--duration', '120', '--date', 'tomorrow', '--days', '1']
    const lines = (await run(home, servicesSlots, argv)).out.trim().split('\n')
    expect(lines[0]).toBe('starts_at\tends_at\tduration_minutes')
    expect(lines).toHaveLength(17)
    const { data } = (await run(home, servicesSlots, [...argv, '--json'])).json() as { data: unknown[] }
    expect(data).toHaveLength(16)
  })

  test('say when nothing is open', async () => {
    using home = makeHome(FROZEN)
    const argv = ['bright', '--duration', '120', '--date', '2026-11-22', '--days', '1']
    const { out, err } = await run(home, servicesSlots, argv, terminal())
    expect(out).toContain('no free starts')
    const why =
      'Bright Corner Cleaning does not work on Sunday 2026-11-22. The next free start is on Monday 2026-11-23.'
    expect(err).toContain(`${why}\n`)
    expect(err).toContain('Next: dray services slots bright --duration 120 --days 1 --date 2026-11-23\n')
    expect((await run(home, servicesSlots, argv)).err).toBe(`${why}\n`)
  })

  test.each([
    [['bright', '--duration', '60', '--days', '15'], '--days must be from 1 to 14'],
    [['bright', '--duration', 'long'], '--duration'],
    [['bright', '--duration', '60', '--date', 'someday'], '--date must be a time'],
    [['bright', '--duration', '60', '--near', 'atlantis'], '--near must be'],
    [['bright'], 'Missing: --service'],
    [[], 'Missing: PROVIDER'],
  ])('refuse %o', async (argv, detail) => {
    using home = makeHome(FROZEN)
    const { error } = await run(home, servicesSlots, argv)
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(detail) as string })
  })

  test('need an id if several providers share a name, and are rejected for an unknown name', async () => {
    using home = makeHome(FROZEN)
    expect((await run(home, servicesSlots, ['clean', '--duration', '60'])).error?.message).toContain(
      'Several providers have that name: Bright Corner Cleaning (prv_',
    )
    expect((await run(home, servicesSlots, ['butcher', '--duration', '60'])).error?.code).toBe(
      'provider_not_found',
    )
  })
})

describe('a script', () => {
  test('books below its limit, and pays what was quoted', async () => {
    using home = makeHome(FROZEN)
    const ran = await run(home, servicesBook, [...JOB, '--at', 'tomorrow 09:00', ...AGREED, '--json'])
    expect(ran.json()).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: '2026-11-21T09:00:00.000Z' },
      price: { amount: 9600 },
      contact: { name: 'Ana' },
    })
    const { data } = (await run(home, recent, ['--json'])).json() as { data: unknown[] }
    expect(data).toMatchObject([{ operation: 'book_service', total: { amount: 9600 }, status: 'confirmed' }])
    expect((await run(home, servicesShow, ['--json'])).json()).toMatchObject({ status: 'confirmed' })
    expect((await run(home, makeTrackCommand('booking'), [])).code).toBe(8)
  })

  test.each(['Deep clean', 'deep_clean', 'deep', 'DEEP CLEAN'])('names a service %s', async (service) => {
    using home = makeHome(FROZEN)
    const argv = ['bright', '--service', service, '--to', 'shoreditch', '--json']
    expect((await run(home, servicesQuote, argv)).json()).toMatchObject({ service_code: 'deep_clean' })
  })

  test('reads the names of the services when none or several are meant', async () => {
    using home = makeHome(FROZEN)
    const quote = async (service: string) =>
      (await run(home, servicesQuote, ['bright', '--service', service, '--to', 'shoreditch'])).error
    const offers = 'Regular clean, Deep clean, Windows inside'
    expect(await quote('Haircut')).toMatchObject({
      exitCode: 6,
      message: `Bright Corner Cleaning offers ${offers}, but not "Haircut".`,
    })
    expect(await quote('clean')).toMatchObject({
      exitCode: 6,
      message: `"clean" of Bright Corner Cleaning may be Regular clean, Deep clean.`,
    })
  })

  test('that comes second hears what is open, with exit 7', async () => {
    using home = makeHome(FROZEN)
    await run(home, servicesBook, [...JOB, '--at', 'tomorrow 09:00', ...AGREED])
    const { error } = await run(home, servicesBook, [...JOB, '--at', 'tomorrow 10:00', ...AGREED])
    expect(error).toMatchObject({ code: 'slot_unavailable', exitCode: 7 })
    expect(error?.hint).toContain('Free starts, in Europe/London: 2026-11-21 13:30')
  })

  test('books what it quoted before, with the start named then or now', async () => {
    using home = makeHome(FROZEN)
    const { quote_id } = (await run(home, servicesQuote, [...JOB, '--json'])).json() as { quote_id: string }
    const argv = ['--quote-id', quote_id, '--at', '2026-11-21T09:00:00Z', '--name', 'Ana', '--yes', '--json']
    expect((await run(home, servicesBook, argv)).json()).toMatchObject({
      quote_id,
      slot: { starts_at: '2026-11-21T09:00:00.000Z' },
    })
  })

  test('asks for a time within a window', async () => {
    using home = makeHome(FROZEN)
    const window = '2026-11-21T09:00:00Z/2026-11-21T12:00:00Z'
    const ran = await run(home, servicesBook, [...JOB, '--window', window, ...AGREED, '--json'])
    expect(ran.json()).toMatchObject({
      status: 'requested',
      preferred_window: { starts_at: '2026-11-21T09:00:00.000Z', ends_at: '2026-11-21T12:00:00.000Z' },
    })
  })

  test.each([
    [[...JOB, '--name', 'Ana'], 'not_confirmed'],
    [[...JOB, '--name', 'Ana', '--yes'], 'not_confirmed'],
    [[...JOB, '--yes', '--max-total', '100'], 'usage'],
    [[...JOB, ...AGREED, '--at', 'soon'], 'usage'],
    [[...JOB, ...AGREED, '--at', '+1d', '--window', 'a/b'], 'usage'],
    [[...JOB, ...AGREED, '--window', 'tomorrow'], 'usage'],
    [['bright', '--service', 'deep_clean', '--to', 'mars', ...AGREED], 'usage'],
    [['--quote-id', 'quo_1', '--service', 'deep_clean', ...AGREED], 'usage'],
    [[...JOB, '--name', 'Ana', '--yes', '--max-total', '10'], 'price_above_limit'],
    [['bright', '--service', 'haircut', '--to', 'shoreditch', ...AGREED], 'service_not_offered'],
  ])('%o is refused as %s, and books nothing', async (argv, code) => {
    using home = makeHome(FROZEN)
    expect((await run(home, servicesBook, argv)).error?.code).toBe(code)
    expect((await run(home, servicesShow, [])).error?.message).toBe('No bookings on this machine yet.')
  })
})

test('on a terminal everything is asked: who, what, where, which day and start, and whether', async () => {
  using home = makeHome(FROZEN)
  const io = terminal()
  const running = run(home, servicesBook, ['--accessible'], io)
  const answer = async (question: string, typed: string): Promise<void> => {
    await expect.poll(() => io.asked()).toContain(question)
    io.type(`${typed}\n`)
  }
  await answer('Which provider?', '2')
  await answer('Service of Bright Corner Cleaning?', '2')
  await answer('Service address?', 'shoreditch')
  await answer('Which day?', '2')
  await answer('Which start?', '3')
  await answer('Contact at the address?', 'Ana')
  await answer('Book this for £96.00 with the test card tok_ok?', 'yes')
  const { code, err, out } = await running
  expect(code).toBe(0)
  expect(err).toContain('Deep clean by Bright Corner Cleaning')
  expect(out).toContain('confirmed')
  expect((await run(home, servicesShow, ['--json'])).json()).toMatchObject({
    service_code: 'deep_clean',
    slot: { starts_at: '2026-11-21T09:00:00.000Z' },
    contact: { name: 'Ana' },
  })
})

test('the bill of a quote is for eyes, and says how to book it', async () => {
  using home = makeHome(FROZEN)
  const { out, err } = await run(home, servicesQuote, JOB, terminal(40))
  expect(out).toContain('Total')
  expect(out).toContain('£96.00')
  expect(err).toContain('dray services book --quote-id quo_')
})

test('a visit is moved, and cancelled after a question that says what that costs and why', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await bookJob(world, { starts_at: '2026-11-24T10:00:00.000Z' })
  expect(await runIn(world, `services move ${booking_id} --at "2026-11-24 14:00"`)).toContain(
    `Moved booking ${booking_id} to `,
  )
  await world.advanceTo('2026-11-24T09:00:00Z')
  const asked = await runIn(world, `services cancel ${booking_id} --dry-run`)
  expect(asked).toContain(
    'Cancelling costs £18.00, kept from your payment. You can cancel free or move the start',
  )
  expect(await runIn(world, `services move ${booking_id} --at "2026-11-25 14:00" --json`, 7)).toContain(
    '"not_movable"',
  )
  const said = await runIn(world, `services cancel ${booking_id} --confirm ${booking_id}`)
  expect(said).toContain(`Cancelled booking ${booking_id}.`)
  const receipt = receiptOf(bookingPresenter, await world.ok('get_service_booking', { booking_id }))
  expect(receipt?.settled.map(({ label, amount }) => [label, amount])).toEqual([
    ['Paid by card', gbp(3600)],
    ['Refund to your card', gbp(-1800)],
    ['Charged in all', gbp(1800)],
  ])
})
