import { describe, expect, test } from 'vitest'
import { advanceTo, changeClock, frozenClock, noonClock, serviceNow } from '../../src/core/clock.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestSandbox } from '../support/world.ts'

const NINE = Date.parse('2026-11-20T09:00:00.000Z')
const MINUTE = 60_000
const MODES = ['real', 'offset', 'scaled', 'frozen'] as const

describe('the service clock', () => {
  test('stands still while it is frozen', () => {
    expect(serviceNow(frozenClock(NINE), NINE + 3 * MINUTE)).toBe(NINE)
  })

  test('starts at noon in London on a first run, summer or winter, and then runs', () => {
    const winter = noonClock(NINE, 'Europe/London')
    expect(serviceNow(winter, NINE)).toBe(Date.parse('2026-11-20T12:00:00.000Z'))
    expect(serviceNow(winter, NINE + MINUTE)).toBe(Date.parse('2026-11-20T12:01:00.000Z'))
    const july = Date.parse('2026-07-01T23:30:00.000Z')
    expect(serviceNow(noonClock(july, 'Europe/London'), july)).toBe(Date.parse('2026-07-02T11:00:00.000Z'))
  })

  test('runs a whole number of times faster when it is scaled', () => {
    const fast = changeClock(frozenClock(NINE), NINE, { mode: 'scaled', factor: 60 })
    expect(serviceNow(fast, NINE + MINUTE)).toBe(NINE + 60 * MINUTE)
  })

  test.each(MODES)('does not run backwards when the machine is set back: %s', (mode) => {
    const state = { ...changeClock(frozenClock(NINE), NINE, { mode, factor: 2 }), high: NINE + 5 * MINUTE }
    expect(serviceNow(state, NINE - 60 * MINUTE)).toBe(NINE + 5 * MINUTE)
  })

  test.each(MODES)('advances, and a real clock then runs ahead of the machine: %s', (mode) => {
    const before = changeClock(frozenClock(NINE), NINE, { mode, factor: 3 })
    const after = advanceTo(before, NINE, NINE + MINUTE)
    expect(serviceNow(after, NINE)).toBe(NINE + MINUTE)
    expect(after.mode).toBe(mode === 'real' ? 'offset' : mode)
    expect(after.factor).toBe(before.factor)
  })

  test('refuses to be set back, to the millisecond', () => {
    const clock = frozenClock(NINE)
    expect(() => advanceTo(clock, NINE, NINE - 1)).toThrow(expect.objectContaining({ code: 'invalid_state' }))
    expect(serviceNow(advanceTo(clock, NINE, NINE), NINE)).toBe(NINE)
    expect(() => changeClock(frozenClock(NINE + 1), NINE, { mode: 'real' })).toThrow(/only runs forwards/)
  })

  test('ends early enough for planned events to have valid dates', async () => {
    const last = Date.parse('9899-12-31T23:59:59.999Z')
    expect(() => advanceTo(frozenClock(NINE), NINE, last + 1)).toThrow(/9899-12-31/)
    expect(() => frozenClock(last + 1)).toThrow(/9899-12-31/)
    const world = await openTestSandbox({ at: last })
    const sent = makeParcel({ service_level: 'economy', options: { not_before_date: '9900-12-30' } })
    expect((await world.ok('create_shipment', sent)).estimated_delivery_date).toMatch(/^990[01]-/)
    const usual = await world.ok('create_shipment', makeParcel({ service_level: 'economy' }))
    expect(usual.estimated_delivery_date).toMatch(/^9900-01-/)
  })
})
