/** Changes that two callers make at once on PostgreSQL: the second one decides by what the first one wrote. */
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { ControlName } from '../../src/sandbox/control/index.ts'
import {
  adjustTestOrder,
  completed,
  makeAdjustment,
  makeProblemAnswer,
  MISSING,
  placeTestSale,
  reportTestProblem,
} from '../support/adjusting.ts'
import { callTestControl } from '../support/control.ts'
import { CARD, findStore, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { FORNO, performAction } from '../support/order-life.ts'
import { makeParcel } from '../support/parcel.ts'
import { requestTestRide } from '../support/rides.ts'
import { expectWaiting, runRivals, whileHeld, type RivalOutcome } from '../support/rivals.ts'
import { createEndpoint, HOOK } from '../support/webhooks.ts'
import { openServers, type TestCallOptions, type TestSandbox } from '../support/world.ts'

const gbp = (amount: number) => ({ amount, currency: 'GBP' })

const [first, second, holder] = (await openServers(3)) as [TestSandbox, TestSandbox, TestSandbox]

type Change = [operation: string, input: Record<string, unknown>, options?: TestCallOptions]

/** Makes two changes at once, each by a server of its own. */
function rivals(one: Change, other: Change = one): Promise<RivalOutcome[]> {
  const make =
    (server: TestSandbox, [operation, input, options]: Change) =>
    async (): Promise<RivalOutcome> => {
      const { status, body } = await server.call(operation, input, { key: newKey(), ...options })
      return status < 300 ? 'ok' : String(body['code'])
    }
  return runRivals(holder, [make(first, one), make(second, other)])
}

/** Makes a control call of both servers at once. */
function controlRivals(name: ControlName, input: Record<string, unknown>): Promise<RivalOutcome[]> {
  const make = (server: TestSandbox) => async (): Promise<RivalOutcome> =>
    callTestControl(server, name, input).then(
      () => 'ok',
      (error: unknown) => {
        if (error instanceof AppError) return error.code
        throw error
      },
    )
  return runRivals(holder, [make(first), make(second)])
}

async function collectedParcel(): Promise<string> {
  const { tracking_number } = await first.ok('create_shipment', makeParcel(), { key: newKey() })
  await callTestControl(first, 'scan_shipment', { tracking_number, code: 'collected' })
  return tracking_number
}

describe('a parcel', () => {
  test('has one claim at a time', async () => {
    const claim = { tracking_number: await collectedParcel(), reason_code: 'damaged', value: gbp(100) }
    expect(await rivals(['create_claim', claim])).toEqual(['ok', 'claim_not_allowed'])
  })

  test('has one return, and none after its cancellation', async () => {
    const one = { tracking_number: await collectedParcel() }
    expect(await rivals(['create_return', one])).toEqual(['ok', 'invalid_state'])
    const other = { tracking_number: await collectedParcel() }
    expect(await rivals(['cancel_shipment', other], ['create_return', other])).toEqual([
      'ok',
      'invalid_state',
    ])
  })

  test('that is being cancelled is neither redirected, corrected nor cancelled again', async () => {
    for (const [operation, input, code] of [
      ['redirect_shipment', { safe_place: 'Porch' }, 'invalid_state'],
      ['correct_recipient', { recipient: makeParcel()['recipient'] }, 'invalid_state'],
    ] as const) {
      const { tracking_number } = await first.ok('create_shipment', makeParcel(), { key: newKey() })
      const cancel: Change = ['cancel_shipment', { tracking_number }]
      expect([operation, await rivals(cancel, [operation, { tracking_number, ...input }])]).toEqual([
        operation,
        ['ok', code],
      ])
    }
  })
})

describe('an order', () => {
  test('gives back the money of a unit once', async () => {
    const { order_id } = await placeTestSale(first)
    const refund = { ...makeAdjustment(order_id), lines: [{ line_id: 'line_1', quantity: 2 }] }
    expect(await rivals(['adjust_business_order', refund])).toEqual(['ok', 'amount_exceeds_paid'])
  })

  test('has one answer to a question of its store', async () => {
    const { order_id } = await placeTestSale(first, { over: { substitutions: 'ask' } })
    const item_id = (await findStore(first, FORNO)).item('Burrata').item_id
    const line = { line_id: 'line_1', quantity: 1, replacement: { item_id } }
    const { adjustments } = await adjustTestOrder(first, order_id, { kind: 'replaced', lines: [line] })
    const answer = { order_id, adjustment_id: adjustments[0]?.adjustment_id ?? '', accept: true }
    const as = { as: 'member' }
    expect(
      await rivals(
        ['answer_substitution', answer, as],
        ['answer_substitution', { ...answer, accept: false }, as],
      ),
    ).toEqual(['ok', 'adjustment_not_allowed'])
  })

  test('has one report of a missing unit, and one answer to it', async () => {
    const order_id = await completed(first)
    const lines = [{ line_id: 'line_1', quantity: 2 }]
    const report = { order_id, ...MISSING, lines }
    expect(await rivals(['report_order_problem', report, { as: 'member' }])).toEqual([
      'ok',
      'adjustment_not_allowed',
    ])
    const reported = await reportTestProblem(first, await completed(first))
    const answer = makeProblemAnswer(reported, { accept: 'full' })
    expect(await rivals(['answer_order_problem', answer])).toEqual(['ok', 'adjustment_not_allowed'])
  })

  test('is not completed once it is rejected, nor accepted once it is cancelled', async () => {
    const { order_id } = await placeTestSale(first)
    await performAction(first, order_id, ['accept', 'ready'])
    expect(
      await rivals(['reject_business_order', { order_id }], ['complete_business_order', { order_id }]),
    ).toEqual(['ok', 'invalid_state'])
    const other = await placeTestSale(first)
    const input = { order_id: other.order_id }
    expect(
      await rivals(['cancel_food_order', input, { as: 'member' }], ['accept_business_order', input]),
    ).toEqual(['ok', 'invalid_state'])
  })

  test('takes the last of an item once, and uses its quote once', async () => {
    const made = { name: 'Last pie', price: gbp(700), category: 'Pies', stock: 1, tax_rate_bps: 0 }
    const { item_id, merchant_id } = await first.ok('create_catalog_item', made, { key: newKey() })
    const basket = { merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 1 }] }
    const quotes = [
      await first.ok('quote_food_order', basket, { as: 'member' }),
      await first.ok('quote_food_order', basket, { as: 'member' }),
    ]
    const [one, other] = quotes.map(({ quote_id }): Change => [
      'place_food_order',
      { quote_id, payment: CARD },
      { as: 'member', scenario: 'store_manual' },
    ]) as [Change, Change]
    expect(await rivals(one, other)).toEqual(['ok', 'item_unavailable'])
    await first.ok('set_item_stock', { item_id, stock: 9 }, { key: newKey() })
    const { quote_id } = await first.ok('quote_food_order', basket, { as: 'member' })
    const place: Change = ['place_food_order', { quote_id, payment: CARD }, { as: 'member' }]
    expect(await rivals(place)).toEqual(['ok', 'quote_already_used'])
  })
})

describe('a store', () => {
  test('closes a day once, and is paid what it is due once', async () => {
    await completed(first)
    expect(await rivals(['close_business_day', { through: '2026-11-20' }])).toEqual(['ok', 'invalid_state'])
    const { merchant_id } = await findStore(first, FORNO)
    expect(await controlRivals('pay_out', { merchant_id })).toEqual(['ok', 'invalid_state'])
  })

  test('has one item by a reference', async () => {
    const item = { name: 'Rye', price: gbp(300), category: 'Bread', external_ref: 'R-1', tax_rate_bps: 0 }
    const [one, other] = await rivals(['create_catalog_item', item])
    expect([one, other === 'ok']).toEqual(['ok', false])
  })
})

test('a ride is cancelled once', async () => {
  const { ride_id } = await requestTestRide(first)
  const [one, other] = await rivals(['cancel_ride', { ride_id, reason_code: 'changed_plans' }])
  expect([one, other === 'ok']).toEqual(['ok', false])
})

test('an account has sixteen endpoints', async () => {
  for (let count = 0; count < 15; count++) await createEndpoint(first, 'member')
  expect(await rivals(['create_webhook_endpoint', HOOK, { as: 'member' }])).toEqual(['ok', 'invalid_state'])
})

describe('faults', () => {
  test('are fifty, each with a number of its own, and end once', async () => {
    for (let count = 0; count < 49; count++)
      await callTestControl(first, 'add_fault', { operation: 'list_hubs', latency: '1ms' })
    expect(await controlRivals('add_fault', { operation: 'list_hubs', latency: '1ms' })).toEqual([
      'ok',
      'invalid_state',
    ])
    expect(await controlRivals('clear_faults', { fault_id: 7 })).toEqual(['ok', 'invalid_request'])
    await callTestControl(first, 'clear_faults', {})
  })

  test('that others have used up while a call waited do not hit it', async () => {
    await callTestControl(first, 'add_fault', { operation: 'list_hubs', rate_limit: true, times: 1 })
    expect(await rivals(['list_hubs', {}, { as: 'everything' }])).toEqual(['rate_limited', 'ok'])
    await callTestControl(first, 'clear_faults', {})
  })
})

test('a payment that settles waits for the world’s row before it takes its own', async () => {
  const { order_id } = await placeTestSale(first, { token: 'tok_pending' })
  const begun: Promise<unknown>[] = []
  await whileHeld(holder, async (tx) => {
    const settling = callTestControl(first, 'settle_payment', { order_id })
    begun.push(settling)
    await expectWaiting(holder, 1, settling)
    // Who holds the world's row, as the close of a day does, waits for no payment.
    const row = 'select status from payments where resource_id = $1 for no key update nowait'
    expect(await tx.get(row, order_id)).toEqual({ status: 'unpaid' })
  })
  expect(await Promise.all(begun)).toMatchObject([{ payment: { status: 'paid' } }])
})

test('all that was done at once is sound', async () => {
  expect(await checkInvariants(first.db)).toEqual([])
})
