import { describe, expect, test } from 'vitest'
import { deliveryQuote } from '../../src/commands/delivery/quote.command.ts'
import { foodQuote } from '../../src/commands/food/quote.command.ts'
import { ridesQuote } from '../../src/commands/rides/quote.command.ts'
import { sandboxClockSet } from '../../src/commands/sandbox/clock-set.command.ts'
import { servicesQuote } from '../../src/commands/services/quote.command.ts'
import { tasksQuote } from '../../src/commands/tasks/quote.command.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { runCommand } from '../support/run-command.ts'

/** In summer London is an hour ahead of UTC. */
const SUMMER = { DRAY_NOW: '2027-06-18T12:00:00Z', NO_COLOR: '1' }

const LINES = [
  {
    command: foodQuote,
    argv: [
      'Lime Street Noodles',
      '--item',
      'Summer Rolls x3',
      '--fulfillment',
      'delivery',
      '--to',
      'moorgate',
      '--for',
      'tomorrow 14:00',
    ],
  },
  { command: ridesQuote, argv: ['--from', 'soho', '--to', 'bank', '--for', 'tomorrow 14:00'] },
  {
    command: deliveryQuote,
    argv: [
      '--from',
      'soho',
      '--to',
      'bank',
      '--size',
      'small',
      '--what',
      'Keys',
      '--ready',
      'tomorrow 14:00',
    ],
  },
  {
    command: servicesQuote,
    argv: ['Bright Corner Cleaning', '--service', 'regular_clean', '--to', 'bank', '--at', 'tomorrow 14:00'],
  },
  {
    command: tasksQuote,
    argv: ['meter_reading', '--to', 'soho', '--require', 'meter=gas', '--window', 'tomorrow 14:00/+2d'],
  },
  { command: sandboxClockSet, argv: ['tomorrow 14:00'] },
]

test.each(LINES.map(({ command, argv }) => ({ words: command.words, command, argv })))(
  'tomorrow 14:00 means the clocks of London in dray $words, which says so',
  async ({ command, argv }) => {
    using home = makeHome(SUMMER)
    const { out, err, error } = await runCommand(home, command, [...argv, '--json'], {
      openClient: embeddedIn(home),
    })
    expect(error).toBeUndefined()
    expect(err).toContain('"tomorrow 14:00" is 2027-06-19 14:00 in Europe/London.')
    expect(out).toContain('2027-06-19T13:00:00.000Z')
  },
)

test('an instant with its offset and a span are the same in every zone, so no zone is shown', async () => {
  using home = makeHome(SUMMER)
  for (const at of ['2027-06-19T14:00:00+01:00', '+2h']) {
    const line = ['--from', 'soho', '--to', 'bank', '--for', at, '--json']
    const { err, error } = await runCommand(home, ridesQuote, line, { openClient: embeddedIn(home) })
    expect([error, err]).toEqual([undefined, expect.not.stringContaining('Europe/London')])
  }
})

test('a time without a date is today’s', async () => {
  using home = makeHome(SUMMER)
  const line = ['--from', 'soho', '--to', 'bank', '--for', '18:30', '--json']
  const { json } = await runCommand(home, ridesQuote, line, { openClient: embeddedIn(home) })
  expect(json()).toMatchObject({ scheduled_for: '2027-06-18T17:30:00.000Z' })
})

describe('where the clocks of London change', () => {
  const ride = (home: Home, at: string) =>
    runCommand(home, ridesQuote, ['--from', 'soho', '--to', 'bank', '--for', at, '--json'], {
      openClient: embeddedIn(home),
    })

  test.each(['2027-03-28 01:30', 'tomorrow 1:30am'])(
    '%s does not exist in March, and is refused',
    async (at) => {
      using home = makeHome({ DRAY_NOW: '2027-03-27T12:00:00Z', NO_COLOR: '1' })
      const { error, err } = await ride(home, at)
      expect(error).toMatchObject({
        exitCode: 2,
        message: `"${at}" does not exist in Europe/London: the clocks go forward at that time.`,
        hint: 'Choose another time, such as "2027-03-28 02:30".',
      })
      expect(err).not.toContain('02:30 in Europe/London')
    },
  )

  test('a time that comes twice in October is the first one, which is said with the second', async () => {
    using home = makeHome({ DRAY_NOW: '2027-10-30T12:00:00Z', NO_COLOR: '1' })
    const { json, err } = await ride(home, 'tomorrow 01:30')
    expect(json()).toMatchObject({ scheduled_for: '2027-10-31T00:30:00.000Z' })
    expect(err).toContain(
      '"tomorrow 01:30" is 2027-10-31 01:30 in Europe/London. This time occurs twice because the clocks go back; this is the first. The second is 2027-10-31T01:30:00.000Z.',
    )
    const second = await ride(home, '2027-10-31T01:30:00.000Z')
    expect(second.json()).toMatchObject({ scheduled_for: '2027-10-31T01:30:00.000Z' })
  })
})
