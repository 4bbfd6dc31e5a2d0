import { expect, test } from 'vitest'
import { STORIES } from '../../../src/commands/listen/stories.ts'
import { trigger } from '../../../src/commands/listen/trigger.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

const TYPES = Object.entries(STORIES).flatMap(([kind, { words }]) =>
  Object.keys(words).map((word) => `${kind}.${word}`),
)

test.each(TYPES)('%s happens by a real story', async (type) => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const ran = await runCommand(home, trigger, [type, '--json'], { openClient: embeddedIn(home) })
  expect(ran.error).toBeUndefined()
  expect(ran.json()).toMatchObject({ type })
})

test('an event without a story is refused, and names the nearest', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const ran = await runCommand(home, trigger, ['ride.complete'], { openClient: embeddedIn(home) })
  expect([ran.error?.code, `${ran.error?.message} ${ran.error?.hint}`]).toEqual([
    'usage',
    expect.stringContaining('ride.completed'),
  ])
})
