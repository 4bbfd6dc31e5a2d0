import { describe, expect, test } from 'vitest'
import { businessOrdersReject } from '../../../../src/commands/business/orders-reject.command.ts'
import { businessOrdersShow } from '../../../../src/commands/business/orders-show.command.ts'
import { foodOrder } from '../../../../src/commands/food/order.command.ts'
import { embeddedIn } from '../../../support/embedded-client.ts'
import { type Home, makeHome } from '../../../support/home.ts'
import { memoryIo } from '../../../support/memory-io.ts'
import { runCommand } from '../../../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z' }

type Order = { order_id: string; display_number: string; lines: { item_id: string }[] }

const options = (home: Home, tty = false) => ({
  openClient: embeddedIn(home),
  io: memoryIo({ tty: { stdout: tty, stderr: tty }, columns: 80, env: { NO_COLOR: '1' } }),
})

async function place(home: Home): Promise<Order> {
  const argv = ['lime street', '--item', 'Khao Soi', '--item', 'Jok', '--fulfillment', 'pickup']
  const { json } = await runCommand(
    home,
    foodOrder,
    [...argv, '--yes', '--max-total', '60', '--json'],
    options(home),
  )
  return json() as Order
}

const reject = (home: Home, number: string, item: string) =>
  runCommand(
    home,
    businessOrdersReject,
    [number, '--as', 'owner', '--confirm', number, '--reason', 'item_unavailable', '--item', item, '--json'],
    options(home),
  )

describe('an item that has run out', () => {
  test('is named as the ticket has it', async () => {
    using home = makeHome(FROZEN)
    const { display_number, lines } = await place(home)
    const { json } = await reject(home, display_number, 'khao')
    expect(json()).toMatchObject({ status: 'rejected', rejection: { item_ids: [lines[0]?.item_id] } })
  })

  test('that is not on the ticket rejects nothing', async () => {
    using home = makeHome(FROZEN)
    const { display_number } = await place(home)
    const { error } = await reject(home, display_number, 'pizza')
    expect(error?.message).toBe('--item must be one of Khao Soi, Jok, not "pizza".')
  })
})

test('an ended order is shown by its number, an open one with what comes next', async () => {
  using home = makeHome(FROZEN)
  const { display_number } = await place(home)
  const show = () =>
    runCommand(home, businessOrdersShow, [display_number, '--as', 'owner'], options(home, true))
  expect((await show()).err).toContain(`Next: dray business orders accept ${display_number} --as owner`)
  await reject(home, display_number, 'jok')
  const { out, err } = await show()
  expect(out).toMatch(/^Order \w{4}: rejected$/m)
  expect(err).not.toContain('Next:')
})
