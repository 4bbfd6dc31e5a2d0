import { beforeEach, describe, expect, test } from 'vitest'
import { type Renewal, changeMembership } from '../../../src/areas/account/lifecycle.ts'
import { findAccount } from '../../../src/areas/account/queries/accounts.ts'
import { membershipPath } from '../../../src/areas/account/rules/membership.ts'
import type { MembershipStatus } from '../../../src/core/account.ts'
import { listRecordedEvents } from '../../../src/db/events.ts'
import { fc } from '../../support/properties.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY = 86_400_000

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

const status = (as: string) => world.ok('get_membership_status', {}, { as })

async function set(
  handle: string,
  to: MembershipStatus,
  more: { renewal?: Renewal; planCode?: 'one_yearly' } = {},
) {
  return world.write(async (tx, stored, now) => {
    const account = await findAccount(tx, handle)
    if (account === undefined) throw new Error('no such account')
    return changeMembership({ tx, world: stored.world, at: now }, account, { status: to, ...more })
  })
}

async function events(handle: string) {
  return world.db.read(async (tx) => {
    const account = await findAccount(tx, handle)
    const all = await listRecordedEvents(tx, 0, 10_000)
    return all
      .filter(({ resource_id }) => resource_id === account?.account_id)
      .map(({ from, to, by }) => [from, to, by])
  })
}

describe('a membership', () => {
  test('is renewed at the end of each period, without a gap', async () => {
    await world.advanceTo('2026-12-10T08:59:59.999Z')
    expect(await status('member')).toMatchObject({
      active: true,
      current_period_end: '2026-12-10T09:00:00.000Z',
    })
    await world.advance(1)
    expect(await status('member')).toMatchObject({
      active: true,
      current_period_start: '2026-12-10T09:00:00.000Z',
      current_period_end: '2027-01-10T09:00:00.000Z',
    })
    await world.advance(100 * DAY)
    expect(await status('member')).toMatchObject({
      active: true,
      current_period_start: '2027-03-10T09:00:00.000Z',
    })
  })

  test.each([
    ['2026-01-31', undefined, ['02-28', '03-31', '04-30', '05-31']],
    ['2026-01-30', undefined, ['02-28', '03-30', '04-30', '05-30']],
    ['2028-01-29', undefined, ['02-29', '03-29', '04-29']],
    ['2028-02-29', 'one_yearly', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ] as const)(
    'begun on %s is renewed on that day, or on the last of a shorter month',
    async (day, planCode, ends) => {
      world = await openTestSandbox({ at: Date.parse(`${day}T12:00:00Z`) })
      await set('guest', 'active', planCode === undefined ? {} : { planCode })
      for (const end of ends) {
        const instant = `${day.slice(0, 10 - end.length)}${end}T12:00:00.000Z`
        expect((await status('guest')).current_period_end).toBe(instant)
        await world.advanceTo(instant)
      }
    },
  )

  test('of an older store, which kept no day, goes on with the day of its period', async () => {
    world = await openTestSandbox({ at: Date.parse('2026-01-31T12:00:00Z') })
    await set('guest', 'active')
    await world.write((tx) => tx.run('update accounts set membership_anchor = null'))
    for (const end of ['2026-02-28T12:00:00.000Z', '2026-03-31T12:00:00.000Z', '2026-04-30T12:00:00.000Z']) {
      expect((await status('guest')).current_period_end).toBe(end)
      await world.advanceTo(end)
    }
  })

  test('that is paid late or begins anew takes the day of then', async () => {
    world = await openTestSandbox({ at: Date.parse('2026-01-31T12:00:00Z') })
    await set('guest', 'active', { renewal: 'fails' })
    await world.advanceTo('2026-03-02T12:00:00Z')
    await set('guest', 'active')
    expect((await status('guest')).current_period_end).toBe('2026-04-02T12:00:00.000Z')
    await world.advanceTo('2026-04-02T12:00:00Z')
    expect((await status('guest')).current_period_end).toBe('2026-05-02T12:00:00.000Z')
  })

  test('is renewed before it is read, though no call advanced the clock', async () => {
    await world.write(async (tx) => {
      const { frozenClock } = await import('../../../src/core/clock.ts')
      const { saveClock } = await import('../../../src/db/world.ts')
      await saveClock(tx, frozenClock(NINE_AM + 60 * DAY))
    })
    expect(await status('member')).toMatchObject({
      active: true,
      current_period_start: '2027-01-10T09:00:00.000Z',
    })
  })

  test('has no benefits after a failed renewal, and ends a week later', async () => {
    await set('member', 'active', { renewal: 'fails' })
    await world.advanceTo('2026-12-10T09:00:00.000Z')
    expect(await status('member')).toMatchObject({ active: false, status: 'past_due', benefits: [] })
    await world.advance(7 * DAY - 1)
    expect((await status('member')).status).toBe('past_due')
    await world.advance(1)
    expect((await status('member')).status).toBe('expired')
    expect(await events('member')).toEqual([
      ['active', 'past_due', 'clock'],
      ['past_due', 'expired', 'clock'],
    ])
  })

  test('that the sandbox says is unpaid has one week, however often it says so', async () => {
    await set('member', 'past_due')
    expect(await status('member')).toMatchObject({ current_period_end: '2026-11-20T09:00:00.000Z' })
    await world.advance(5 * DAY)
    await set('member', 'past_due')
    await world.advance(2 * DAY - 1)
    expect((await status('member')).status).toBe('past_due')
    await world.advance(1)
    expect((await status('member')).status).toBe('expired')
  })

  test('that is paid late is active again from then on', async () => {
    await set('member', 'active', { renewal: 'fails' })
    await world.advanceTo('2026-12-12T09:00:00.000Z')
    await set('member', 'active')
    await world.advance(20 * DAY)
    expect(await status('member')).toMatchObject({
      status: 'active',
      current_period_end: '2027-01-12T09:00:00.000Z',
    })
  })

  test('that is cancelled keeps its benefits to the end of the period, to the millisecond', async () => {
    await set('member', 'cancelled')
    expect(await status('member')).toMatchObject({
      active: true,
      status: 'cancelled',
      cancel_at_period_end: true,
    })
    await world.advanceTo('2026-12-10T08:59:59.999Z')
    expect((await status('member')).active).toBe(true)
    await world.advance(1)
    expect(await status('member')).toMatchObject({
      active: false,
      status: 'expired',
      cancel_at_period_end: false,
    })
  })

  test('can be tried for fourteen days and then goes on', async () => {
    await set('guest', 'trialing', { planCode: 'one_yearly' })
    expect(await status('guest')).toMatchObject({
      active: true,
      status: 'trialing',
      current_period_end: '2026-12-04T09:00:00.000Z',
      plan: { plan_code: 'one_yearly' },
    })
    await world.advance(14 * DAY)
    expect(await status('guest')).toMatchObject({
      active: true,
      status: 'active',
      current_period_end: '2027-12-04T09:00:00.000Z',
    })
  })

  test('cannot expire without having begun, and never returns to none', async () => {
    await expect(set('member', 'none')).rejects.toMatchObject({ code: 'invalid_state' })
    expect((await status('member')).status).toBe('active')
  })

  test('reaches every status that the table allows, and records each step', async () => {
    await set('member', 'expired')
    expect(await events('member')).toEqual([
      ['active', 'past_due', 'sandbox'],
      ['past_due', 'expired', 'sandbox'],
    ])
    expect((await status('member')).active).toBe(false)
    await world.advance(400 * DAY)
    expect((await status('member')).status).toBe('expired')
  })
})

test('only moves of the table are made, whatever is set and however the clock goes', async () => {
  const targets = fc.constantFrom<MembershipStatus>('trialing', 'active', 'past_due', 'cancelled', 'expired')
  const action = fc.record({
    to: targets,
    renewal: fc.constantFrom<Renewal>('paid', 'fails'),
    days: fc.integer({ min: 0, max: 45 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
      for (const { to, renewal, days } of actions) {
        await set('guest', to, { renewal })
        await world.advance(days * DAY)
      }
      const steps = (await events('guest')) as [MembershipStatus, MembershipStatus, string][]
      const illegal = steps.filter(([from, to]) => from !== to && membershipPath(from, to)?.length !== 1)
      expect(illegal).toEqual([])
      expect(steps.map(([from]) => from).slice(1)).toEqual(steps.map(([, to]) => to).slice(0, -1))
    }),
    { numRuns: 60 },
  )
})
