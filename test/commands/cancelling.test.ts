/** Cancelling says its consequence before anything is typed, and a yes confirms it. */
import { expect, test } from 'vitest'
import { makeHome } from '../support/home.ts'
import { runLine, typeAt } from '../support/printed-hints.ts'

const BOUGHT = [
  [
    'food',
    'dray food order "Lime Street" --item "Pad Thai" --fulfillment pickup --yes --max-total 90 --json',
    'order_id',
    '£11.85 goes back the way it was paid.',
  ],
  [
    'food',
    'dray food order "Lime Street" --item "Pad Thai" --fulfillment pickup --pay cash --yes --max-total 90 --json',
    'order_id',
    'You have paid nothing, and owe nothing.',
  ],
  [
    'tasks',
    'dray tasks create meter_reading --to soho --require meter=gas --yes --max-total 20 --json',
    'task_id',
    ' goes back the way it was paid.',
  ],
] as const

test.each(BOUGHT)('dray %s cancel, after %s', async (group, buys, id, consequence) => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const bought = await runLine(home, buys, { piped: true })
  const name = String((JSON.parse(bought.out) as Record<string, unknown>)[id])
  const status = async () =>
    JSON.parse((await runLine(home, `dray ${group} show ${name} --json`, { piped: true })).out) as object
  const before = await status()

  const script = await runLine(home, `dray ${group} cancel ${name}`, { piped: true })
  expect(script.code).toBe(3)
  expect(await status()).toEqual(before)
  const no = await typeAt(home, `dray ${group} cancel ${name}`, ['no'])
  expect(no.err).toContain(consequence)
  expect(no.code).toBe(3)
  expect(await status()).toEqual(before)
  const yes = await typeAt(home, `dray ${group} cancel ${name}`, ['yes'])
  expect(yes.err).toContain(consequence)
  expect(yes.code).toBe(0)
  expect(await status()).toMatchObject({ status: 'cancelled' })
})

test('a completed order is rejected at once, without a prompt', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const buys =
    'dray food order "Lime Street" --item "Pad Thai" --fulfillment pickup --yes --max-total 90 --json'
  const { order_id } = JSON.parse((await runLine(home, buys, { piped: true })).out) as { order_id: string }
  const asked = await typeAt(home, `dray food cancel ${order_id}`, ['no'])
  expect(asked.err).toContain(`${order_id}. Price £11.85. £11.85 goes back the way it was paid. Cancel it?`)
  expect(asked.err).not.toContain('Cancel an order that')
  expect(await runLine(home, 'dray sandbox clock advance 3h', { piped: true })).toMatchObject({ code: 0 })
  const { code, err, asked: isAsked } = await typeAt(home, `dray food cancel ${order_id}`, ['yes'])
  expect([code, isAsked]).toEqual([7, false])
  expect(err).toContain('Order X7KH is completed and can no longer be cancelled.')
})
