import { expect, test } from 'vitest'
import { RESOURCES } from '../../../src/areas/resources.ts'
import { TRIGGERS } from '../../../src/commands/listen/stories.ts'
import { trigger } from '../../../src/commands/listen/trigger.command.ts'
import { listEventTypes } from '../../../src/core/event-types.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

const TYPES = Object.entries(TRIGGERS).flatMap(([kind, { words }]) =>
  Object.keys(words).map((word) => `${kind}.${word}`),
)

test('every type of event that an account receives has a story', () => {
  expect(TYPES.toSorted()).toEqual(
    listEventTypes(RESOURCES)
      .map(({ type }) => type)
      .toSorted(),
  )
})

test.each(TYPES)('%s happens by a real story', async (type) => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const ran = await runCommand(home, trigger, [type, '--json'], { openClient: embeddedIn(home) })
  expect(ran.error).toBeUndefined()
  expect(ran.json()).toMatchObject({ type })
})

test.each([
  ['business_order.substitution_asked', 'owner'],
  ['food_order.problem_reported', 'member'],
  ['shipment.held', 'shipper'],
])('%s happens to an account of one side only: %s', async (type, account) => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const ran = await runCommand(home, trigger, [type, '--json', '--as', account], {
    openClient: embeddedIn(home),
  })
  expect(ran.error).toBeUndefined()
  expect(ran.json()).toMatchObject({ type })
})

test('an event without a story is rejected, and names the nearest', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const ran = await runCommand(home, trigger, ['ride.complete'], { openClient: embeddedIn(home) })
  expect([ran.error?.code, `${ran.error?.message} ${ran.error?.hint}`]).toEqual([
    'usage',
    expect.stringContaining('ride.completed'),
  ])
})

test('an event of an order is rejected while the store of its story is closed', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-21T03:00:00Z', NO_COLOR: '1' })
  const ran = await runCommand(home, trigger, ['food_order.accepted'], { openClient: embeddedIn(home) })
  expect([ran.error?.code, ran.error?.hint]).toEqual([
    'merchant_closed',
    expect.stringContaining('dray sandbox clock advance 1h'),
  ])
})
