import { describe, expect, test } from 'vitest'
import { advanceTo, changeClock, frozenClock, noonClock, serviceNow } from '../../src/simulation/clock.ts'

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

  test('refuses to pass the year 9999', () => {
    expect(() => advanceTo(frozenClock(NINE), NINE, Date.parse('9999-12-31T23:59:59.999Z') + 1)).toThrow(
      /9999/,
    )
  })
})
