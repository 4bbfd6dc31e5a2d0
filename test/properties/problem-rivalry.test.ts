/** A customer cancels, reports a problem twice and pays late at the same moment: nobody gets back more than was paid. */
import { describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../src/client/operations.ts'
import { PARCEL_OF_KEYS, sendRun } from '../support/deliveries.ts'
import { newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { gbp } from '../support/money.ts'
import { requestTestRide } from '../support/rides.ts'
import { bookJob, timestampAt } from '../support/services.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000
const PENDING = { payment: { method: 'card', payment_token: 'tok_pending' } }

type PurchaseView = Pick<OperationOutput<'get_ride'>, 'payment' | 'refunds' | 'problems'>
type Purchase = {
  make(world: TestSandbox): Promise<string>
  id: string
  show: string
  cancel?: string
  report: string
  reason: string
  /** Moments after the request at which all happens at once: while the card is charged, right then, and at the end. */
  moments: readonly number[]
}

const PURCHASES: Readonly<Record<string, Purchase>> = {
  'a ride whose driver is late': {
    make: async (world) =>
      (await requestTestRide(world, { as: 'member', scenario: 'driver_late;minutes=25', more: PENDING }))
        .ride_id,
    id: 'ride_id',
    show: 'get_ride',
    cancel: 'cancel_ride',
    report: 'report_ride_problem',
    reason: 'late',
    moments: [0, 2 * MINUTE - 1, 35 * MINUTE, 120 * MINUTE],
  },
  'a run whose goods break': {
    make: async (world) =>
      (
        await sendRun(world, {
          scenario: 'goods_damaged',
          request: PENDING,
          quote: { parcel: { ...PARCEL_OF_KEYS, value: gbp(2000) } },
        })
      ).delivery_id,
    id: 'delivery_id',
    show: 'get_delivery',
    report: 'report_delivery_problem',
    reason: 'damaged',
    moments: [0, 2 * MINUTE - 1, 180 * MINUTE],
  },
  'a visit whose provider does not come': {
    make: async (world) =>
      (
        await bookJob(
          world,
          { starts_at: timestampAt('10:30', '2026-11-20') },
          { as: 'member', scenario: 'provider_no_show', body: PENDING },
        )
      ).booking_id,
    id: 'booking_id',
    show: 'get_service_booking',
    cancel: 'cancel_booking',
    report: 'report_booking_problem',
    reason: 'provider_no_show',
    moments: [0, 2 * MINUTE - 1, 90 * MINUTE, 120 * MINUTE - 1, 120 * MINUTE],
  },
}

/** Returns what went back of a payment, or is on its way back, and the number of reports that were paid for. */
function settle({ payment, refunds, problems }: PurchaseView): {
  back: number
  captured: number
  reports: number
} {
  const kept = refunds.filter(({ status }) => status !== 'failed')
  return {
    back: kept.reduce((sum, { amount }) => sum + amount.amount, 0),
    captured: payment.status === 'unpaid' || payment.status === 'failed' ? 0 : payment.amount.amount,
    reports: problems.length,
  }
}

describe.each(ENGINES)('on $name', (engine) => {
  test.each(Object.entries(PURCHASES))('%s gives back what was paid at most', async (_, purchase) => {
    const { make, id, show, cancel, report, reason, moments } = purchase
    let reports = 0
    for (const moment of moments) {
      const world = await openTestSandbox({ engine })
      const named = { [id]: await make(world) }
      const call = (name: string, more: object = {}) =>
        world.call(name, { ...named, ...more }, { as: 'member', key: newKey() })
      await world.advance(moment)
      const answers = await Promise.all([
        call(report, { reason_code: reason }),
        ...(cancel === undefined ? [] : [call(cancel)]),
        world.advance(1).then(() => ({ status: 200 })),
        call(report, { reason_code: reason }),
      ])
      expect(
        answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409),
      ).toEqual([])
      await world.advance(6 * 60 * MINUTE)
      await call(report, { reason_code: reason })
      const { body } = await world.call(show, named, { as: 'member' })
      const settled = settle(body as PurchaseView)
      expect(settled.back).toBeLessThanOrEqual(settled.captured)
      expect(settled.reports).toBeLessThanOrEqual(1)
      reports += settled.reports
      expect(await checkInvariants(world.db)).toEqual([])
    }
    expect(reports).toBeGreaterThan(0)
  })
})
