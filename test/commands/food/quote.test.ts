import { describe, expect, test } from 'vitest'
import { foodQuote } from '../../../src/commands/food/quote.command.ts'
import { main } from '../../../src/commands/main.ts'
import { makeRuntime } from '../../../src/runtime.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z' }
const LIME = ['lime street', '--fulfillment', 'pickup', '--item']

test('a note may have commas', async () => {
  using home = makeHome(FROZEN)
  const { json } = await runCommand(home, foodQuote, [...LIME, 'Pad Thai # no egg, please', '--json'], {
    openClient: embeddedIn(home),
    io: memoryIo(),
  })
  expect(json()).toMatchObject({ lines: [{ name: 'Pad Thai', notes: 'no egg, please' }] })
})

test('a fault of an item names --item, and the hint is a command', async () => {
  using home = makeHome(FROZEN)
  const io = memoryIo()
  const runtime = { ...makeRuntime(`${import.meta.dirname}/../../..`), ...home, openClient: embeddedIn(home) }
  expect(await main(['food', 'quote', ...LIME, 'Pad Thai + Hot + Mild'], runtime, io)).toBe(6)
  expect(io.err()).toContain('--item: Spice of Pad Thai allows at most one choice')
  expect(io.err()).toContain('hint: `dray food menu` lists the options of the item and their limits.')
})

test('the order that follows is of the same account', async () => {
  using home = makeHome(FROZEN)
  const { err } = await runCommand(home, foodQuote, [...LIME, 'Pad Thai', '--as', 'member'], {
    openClient: embeddedIn(home),
    io: memoryIo({ tty: { stdout: true, stderr: true }, env: { NO_COLOR: '1' } }),
  })
  expect(err).toMatch(/`dray food order --quote-id quo_\w+ --as member`/)
})

test('a fault of the table names --table', async () => {
  using home = makeHome(FROZEN)
  const io = memoryIo()
  const runtime = { ...makeRuntime(`${import.meta.dirname}/../../..`), ...home, openClient: embeddedIn(home) }
  const line = ['lime street', '--item', 'Pad Thai', '--fulfillment', 'dine_in', '--table', '1'.repeat(21)]
  expect(await main(['food', 'quote', ...line], runtime, io)).toBe(6)
  expect(io.err()).toBe('error: --table must have at most 20 characters.\n')
})

describe('a store that is closed', () => {
  const NIGHT = { DRAY_NOW: '2026-11-21T03:00:00Z', NO_COLOR: '1' }

  test('goes by its name when it is ordered from for later', async () => {
    using home = makeHome(NIGHT)
    const { json, error } = await runCommand(
      home,
      foodQuote,
      [...LIME, 'Pad Thai', '--for', '2026-11-21 12:00', '--json'],
      { openClient: embeddedIn(home), io: memoryIo() },
    )
    expect(error).toBeUndefined()
    expect(json()).toMatchObject({ slot: { starts_at: '2026-11-21T12:00:00.000Z' } })
  })

  test('says when it opens, and how to order ahead', async () => {
    using home = makeHome(NIGHT)
    const { error } = await runCommand(home, foodQuote, [...LIME, 'Pad Thai'], {
      openClient: embeddedIn(home),
      io: memoryIo(),
    })
    expect(error).toMatchObject({
      code: 'merchant_closed',
      message: expect.stringMatching(/^Lime Street Noodles is closed until 21 Nov 2026 \d\d:00 /),
      hint: "Order ahead: dray food quote 'lime street' --fulfillment pickup --item 'Pad Thai' --for 2026-11-21T08:00:00.000+00:00",
    })
  })
})
