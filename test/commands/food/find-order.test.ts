import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { foodOrder } from '../../../src/commands/food/order.command.ts'
import { foodShow } from '../../../src/commands/food/show.command.ts'
import { makeTrackCommand } from '../../../src/commands/track.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z' }
const show = foodShow
const cancel = await loadOperation('cancel_food_order')

const run = (home: Home, command: Command, ...argv: string[]) =>
  runCommand(home, command, [...argv, '--json'], { openClient: embeddedIn(home), io: memoryIo() })

type Order = { order_id: string; display_number: string; status: string }

async function place(home: Home, item: string): Promise<Order> {
  const argv = ['lime street', '--item', item, '--fulfillment', 'pickup', '--yes', '--max-total', '40']
  return (await run(home, foodOrder, ...argv)).json() as Order
}

describe('an order of mine', () => {
  test('is the last one when none is named', async () => {
    using home = makeHome(FROZEN)
    await place(home, 'Pad Thai')
    const last = await place(home, 'Jok')
    expect((await run(home, show)).json()).toMatchObject({ order_id: last.order_id })
  })

  test('goes by the number on its receipt, in any letters', async () => {
    using home = makeHome(FROZEN)
    const first = await place(home, 'Pad Thai')
    await place(home, 'Jok')
    const number = first.display_number.toLowerCase()
    expect((await run(home, show, number)).json()).toMatchObject({ order_id: first.order_id })
    expect((await run(home, makeTrackCommand('food_order'), number)).json()).toMatchObject({
      order_id: first.order_id,
    })
  })

  test('is cancelled by its number, given once more', async () => {
    using home = makeHome(FROZEN)
    const { display_number } = await place(home, 'Pad Thai')
    expect((await run(home, cancel, display_number)).error?.code).toBe('not_confirmed')
    expect((await run(home, show)).json()).toMatchObject({ status: 'placed' })
    await run(home, cancel, display_number, '--confirm', display_number)
    expect((await run(home, show)).json()).toMatchObject({ status: 'cancelled' })
  })

  test('is never guessed for a cancel in a script', async () => {
    using home = makeHome(FROZEN)
    await place(home, 'Pad Thai')
    expect((await run(home, cancel)).error?.message).toBe('Missing: ORDER_ID.')
  })

  test('is an error with where to look if it is missing, or if there is none at all', async () => {
    using home = makeHome(FROZEN)
    expect((await run(home, show)).error?.message).toBe('No orders yet.')
    expect((await run(home, show, 'ZZZZ')).error).toMatchObject({ code: 'order_not_found' })
  })
})
