/** A cleaner who did not come: all of it goes back by itself, and the report gives goodwill. */
import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { gbp } from '../../support/money.ts'
import { bookJob, timestampAt } from '../../support/services.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const START = Date.parse(timestampAt('10:00'))
const book = (world: TestSandbox, scenario: string) =>
  bookJob(world, { starts_at: timestampAt('10:00') }, { scenario })
const input = (booking_id: string) => ({ booking_id, reason_code: 'provider_no_show' })

describe.each(ENGINES)('on $name', (engine) => {
  test('the report gives £10.00 to the wallet, once', async () => {
    const world = await openTestSandbox({ engine })
    const { booking_id, price } = await book(world, 'provider_no_show')
    await world.advanceTo(START + HOUR / 2)
    const before = await callTestControl(world, 'get_wallet', { account: 'everything' })
    const key = newKey()
    const first = await world.call('report_booking_problem', input(booking_id), { key })
    expect(first.body).toMatchObject({
      status: 'cancelled',
      refunded: price,
      problems: [
        { reason_code: 'provider_no_show', amount: gbp(1000), goodwill: gbp(1000), refund_id: null },
      ],
    })
    expect((await world.call('report_booking_problem', input(booking_id), { key })).text).toBe(first.text)
    expect(await world.refused('report_booking_problem', input(booking_id), { key: newKey() })).toMatchObject(
      {
        code: 'adjustment_not_allowed',
      },
    )
    const after = await callTestControl(world, 'get_wallet', { account: 'everything' })
    expect(after.balance.amount - before.balance.amount).toBe(1000)
    expect(after.entries[0]).toMatchObject({ kind: 'goodwill', direction: 'in', resource_id: booking_id })
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('before half an hour has passed, and for a provider who came, it is rejected with both times', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await book(world, 'provider_no_show')
  await world.advanceTo(START + HOUR / 2 - 1)
  const early = await world.refused('report_booking_problem', input(booking_id), { key: newKey() })
  expect(early).toMatchObject({ code: 'adjustment_not_allowed', promised_at: timestampAt('10:00') })
  expect(early).not.toHaveProperty('came_at')
  const came = await bookJob(world, { starts_at: timestampAt('14:00') })
  await world.advanceTo(timestampAt('15:00'))
  expect(
    await world.refused('report_booking_problem', input(came.booking_id), { key: newKey() }),
  ).toMatchObject({
    code: 'adjustment_not_allowed',
    promised_at: timestampAt('14:00'),
    came_at: timestampAt('14:00'),
  })
})

test.each([
  [48 * HOUR, 200],
  [48 * HOUR + 1, 409],
])('%i ms after the start it answers %i', async (after, status) => {
  const world = await openTestSandbox()
  const { booking_id } = await book(world, 'provider_no_show')
  await world.advanceTo(START + after)
  expect((await world.call('report_booking_problem', input(booking_id), { key: newKey() })).status).toBe(
    status,
  )
})
