import { beforeAll, expect, test } from 'vitest'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

test('a member sees the plan, its period and its benefits', async () => {
  expect(await world.ok('get_membership_status', {}, { as: 'member' })).toEqual({
    active: true,
    entitlement: 'service_one',
    status: 'active',
    plan: {
      plan_code: 'one_monthly',
      name: 'Service One, monthly',
      price: { amount: 599, currency: 'GBP' },
      interval: 'month',
    },
    current_period_start: '2026-11-10T09:00:00.000Z',
    current_period_end: '2026-12-10T09:00:00.000Z',
    cancel_at_period_end: false,
    benefits: [
      { code: 'food_discount', description: '10% off the subtotal of every food order', discount_bps: 1000 },
    ],
    checked_at: '2026-11-20T09:00:00.000Z',
  })
})

test('an account without a membership gets its status, without an error', async () => {
  const status = await world.ok('get_membership_status', {}, { as: 'guest' })
  expect(status).toMatchObject({
    active: false,
    status: 'none',
    plan: null,
    current_period_end: null,
    benefits: [],
  })
})

test('a lapsed member sees the plan that ended', async () => {
  const status = await world.ok('get_membership_status', {}, { as: 'lapsed' })
  expect(status).toMatchObject({ active: false, status: 'expired', benefits: [] })
  expect(status.plan?.plan_code).toBe('one_monthly')
})

test('a carrier’s and a store’s account may ask too', async () => {
  for (const as of ['shipper', 'owner']) {
    expect((await world.ok('get_membership_status', {}, { as })).active).toBe(false)
  }
})
