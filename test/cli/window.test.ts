import { describe, expect, test } from 'vitest'
import { tasksQuote } from '../../src/commands/tasks/quote.command.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { runCommand } from '../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }

const quote = (home: Home, window: string) =>
  runCommand(
    home,
    tasksQuote,
    ['meter_reading', '--to', 'soho', '--require', 'meter=gas', '--window', window, '--json'],
    { openClient: embeddedIn(home) },
  )

describe('a window', () => {
  test.each([
    ['2026-11-21T09:00:00Z/2026-11-21T13:00:00Z', '2026-11-21T09:00', '2026-11-21T13:00'],
    ['/+3h', '2026-11-20T12:00', '2026-11-20T15:00'],
    ['+2h/', '2026-11-20T14:00', '2026-11-21T14:00'],
  ])('%s is from %s to %s', async (typed, from, to) => {
    using home = makeHome(FROZEN)
    const { window } = (await quote(home, typed)).json() as { window: { starts_at: string; ends_at: string } }
    expect([window.starts_at, window.ends_at].map((at) => at.slice(0, 16))).toEqual([from, to])
  })

  test.each([
    ['tomorrow', 'must be'],
    ['/', 'must be'],
    ['+1h/+2h/+3h', 'must be'],
    ['soon/later', 'needs times such as'],
  ])('%s is refused', async (typed, why) => {
    using home = makeHome(FROZEN)
    const { error } = await quote(home, typed)
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(error?.message).toContain(`--window ${why} `)
  })
})
