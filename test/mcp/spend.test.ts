import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { makeEmptyLedger } from '../../src/local-state/ledger.ts'
import type { Ledger, SpendEntry } from '../../src/local-state/ledger.ts'
import {
  checkSpend,
  countFee,
  parseSpendLimit,
  releaseSpend,
  reserveSpend,
  settleSpend,
} from '../../src/mcp/spend.ts'
import { catchError } from '../support/caught.ts'
import { gbp } from '../support/money.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

function empty(): Ledger {
  return makeEmptyLedger({ service: 'here', account: null })
}

function spending(index: number, pence: number, at: number, quote: string | null = null): SpendEntry {
  return { intent: `intent-${index}`, generation: 0, quote, total: gbp(pence), at }
}

/** Returns a ledger with purchases of these pence at these instants. */
function spent(...purchases: readonly (readonly [pence: number, at: number])[]): Ledger {
  const ledger = empty()
  for (const [index, [pence, at]] of purchases.entries()) reserveSpend(ledger, spending(index, pence, at))
  return ledger
}

/** Returns the error of a rejected amount; undefined when it may be spent. */
function refused(limits: readonly string[], ledger: Ledger, pence: number | undefined, now = NOON) {
  const parsed = limits.map(parseSpendLimit)
  const price = pence === undefined ? undefined : gbp(pence)
  try {
    checkSpend(parsed, ledger, price, now)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  return undefined
}

describe('--max-spend', () => {
  test.each([
    ['50GBP/day', { max: gbp(5000), per: 'day' }],
    ['£5.50/hour', { max: gbp(550), per: 'hour' }],
    ['200 EUR / week', { max: { amount: 20_000, currency: 'EUR' }, per: 'week' }],
    ['1,234.50 gbp', { max: gbp(123_450), per: 'total' }],
    ['5000JPY/day', { max: { amount: 5000, currency: 'JPY' }, per: 'day' }],
    ['0GBP', { max: gbp(0), per: 'total' }],
  ])('reads %s', (text, limit) => {
    expect(parseSpendLimit(text)).toEqual(limit)
  })

  test.each([
    '',
    '50',
    '50/day',
    'GBP',
    '50GBP/month',
    '50GBP/',
    '50GBP/day/week',
    '-5GBP/day',
    '50.123GBP',
    '50XXX/day',
    '1e9GBP',
    '50GBP/__proto__',
    '50GBP/total',
  ])('refuses %j', (text) => {
    const refused = catchError(() => parseSpendLimit(text))
    expect(refused).toMatchObject({ code: 'usage', hint: 'Write it like 50GBP/day.' })
    expect(refused.message).toMatch(/^--max-spend: ./)
  })

  test('shows the beginning of a long text alone', () => {
    expect(catchError(() => parseSpendLimit(`50GBP/${'x'.repeat(50)}`)).message).toBe(
      `--max-spend: "50GBP/${'x'.repeat(34)}" must end in /hour, /day or /week, or have no period.`,
    )
  })
})

describe('the remaining amount', () => {
  test('is the whole limit at first, to the last penny', () => {
    expect(refused(['50GBP/day'], empty(), 5000)).toBeUndefined()
    expect(refused(['50GBP/day'], empty(), 5001)).toMatchObject({ code: 'spend_limit_reached' })
  })

  test('is reported, with the time when enough is available again', () => {
    const ledger = spent([2000, NOON - 20 * HOUR], [2500, NOON - 2 * HOUR])
    expect(refused(['50GBP/day'], ledger, 1840)).toMatchObject({
      code: 'spend_limit_reached',
      message: 'This costs £18.40; of the limit of £50.00 a day, £5.00 is left. Nothing was bought.',
      extra: { left: gbp(500), more_at: '2026-11-20T16:00:00.000Z' },
    })
    expect(refused(['50GBP/day'], ledger, 1840, NOON + 4 * HOUR)).toBeUndefined()
  })

  test('is zero in another currency, and the error says how to change that', () => {
    expect(refused(['5000JPY/day', '20EUR'], empty(), 100)?.hint).toBe(
      'The limit is ¥5,000 a day, €20.00 in all. Tell the user: only they can restart the server with a limit in GBP, such as --max-spend 50GBP/day.',
    )
  })

  test('never suffices for a price above the limit, and never recovers without a period', () => {
    expect(refused(['50GBP/day'], empty(), 6000)).toMatchObject({ extra: { more_at: null } })
    const ledger = spent([4000, NOON - 400 * DAY])
    expect(refused(['50GBP'], ledger, 1001)).toMatchObject({ extra: { left: gbp(1000), more_at: null } })
  })

  test('is checked against every limit', () => {
    const limits = ['10GBP/hour', '30GBP/day']
    const ledger = spent([900, NOON - 2 * HOUR], [900, NOON - 3 * HOUR], [900, NOON - 4 * HOUR])
    expect(refused(limits, ledger, 300)).toBeUndefined()
    expect(refused(limits, ledger, 301)).toMatchObject({ extra: { period: 'day', left: gbp(300) } })
    expect(refused(limits, empty(), 1001)).toMatchObject({ extra: { period: 'hour' } })
  })

  test('is zero in a currency without a limit, and for an unknown price', () => {
    expect(refused(['50EUR/day'], empty(), 100)?.message).toBe(
      'The spending limit is in EUR, not GBP. Nothing was bought.',
    )
    expect(refused(['50GBP/day'], empty(), undefined)).toMatchObject({ code: 'spend_limit_reached' })
    expect(refused([], empty(), undefined)).toBeUndefined()
  })

  test('is not less because something was bought in another currency, and each has its own rest', () => {
    const ledger = spent([1000, NOON])
    reserveSpend(ledger, { ...spending(9, 0, NOON), total: { amount: 4500, currency: 'EUR' } })
    const limits = ['50GBP/day', '50EUR/day']
    expect(refused(limits, ledger, 4000)).toBeUndefined()
    expect(refused(limits, ledger, 4001)).toMatchObject({ extra: { left: gbp(4000) } })
  })

  test('does not grow when a clock is set back', () => {
    const ledger = spent([5000, NOON])
    expect(refused(['50GBP/day'], ledger, 1, NOON - 30 * DAY)).toBeDefined()
  })

  test('counts a purchase once however often it is sent, and not at all when it was rejected', () => {
    const ledger = spent([3000, NOON])
    reserveSpend(ledger, spending(0, 3000, NOON))
    expect(refused(['50GBP/day'], ledger, 2000)).toBeUndefined()
    releaseSpend(ledger, spending(0, 3000, NOON))
    expect(refused(['50GBP/day'], ledger, 5000)).toBeUndefined()
  })

  test('keeps the total of spending that is older than any period', () => {
    const ledger = spent([1000, NOON - 30 * DAY], [1000, NOON - 20 * DAY], [1000, NOON])
    expect(ledger.spent).toHaveLength(1)
    expect(refused(['30GBP'], ledger, 1)).toMatchObject({ extra: { left: gbp(0) } })
    expect(refused(['30GBP/week'], ledger, 2000)).toBeUndefined()
  })

  test('grows when a purchase is as old as the period, to the millisecond', () => {
    const ledger = spent([5000, NOON])
    for (const [limit, length] of [
      ['50GBP/hour', HOUR],
      ['50GBP/day', DAY],
      ['50GBP/week', 7 * DAY],
    ] as const) {
      expect(refused([limit], ledger, 1, NOON + length - 1)).toBeDefined()
      expect(refused([limit], ledger, 5000, NOON + length)).toBeUndefined()
    }
  })

  test('counts spending of a week ago in the total alone, and newer spending once', () => {
    const ledger = spent([1000, NOON - 7 * DAY], [100, NOON - 7 * DAY + 1], [10, NOON])
    expect(ledger.spent.map(({ total }) => total.amount)).toEqual([100, 10])
    expect(ledger.before).toEqual({ GBP: 1000 })
    expect(refused(['20GBP'], ledger, 891)).toMatchObject({ extra: { left: gbp(890) } })
  })

  test('tells the first time at which enough is free, in whatever order was bought', () => {
    const ledger = spent([1000, NOON - HOUR], [2000, NOON - 3 * HOUR], [2000, NOON - 2 * HOUR])
    const told = (pence: number) => refused(['50GBP/day'], ledger, pence)
    expect(told(2000)).toMatchObject({
      hint: 'The limit allows this again at 2026-11-21T09:00:00.000Z. Until then, tell the user or buy something cheaper.',
      extra: { more_at: '2026-11-21T09:00:00.000Z', price: gbp(2000), limit: gbp(5000) },
    })
    expect(told(2001)).toMatchObject({ extra: { more_at: '2026-11-21T10:00:00.000Z' } })
    expect(told(5000)).toMatchObject({ extra: { more_at: '2026-11-21T11:00:00.000Z' } })
  })

  test('tells no time where the limit itself is too low, also after it was lowered', () => {
    const ledger = spent([5000, NOON], [5000, NOON])
    for (const limit of ['50GBP/day', '50GBP'])
      expect(refused([limit], ledger, 5001)).toMatchObject({
        hint: 'Tell the user: only they can raise the limit, with --max-spend.',
        extra: { more_at: null, left: gbp(0) },
      })
  })

  test('of an unknown price says what to do', () => {
    expect(refused(['50GBP/day'], empty(), undefined)).toMatchObject({
      hint: 'Ask for the quote here first, then confirm it with its quote_id.',
    })
  })
})

describe('a purchase', () => {
  const amounts = (ledger: Ledger) => ledger.spent.map(({ total }) => total.amount)

  test('counts at its final price: a lower one, none at all, or one that was not counted before', () => {
    const ledger = spent([3000, NOON], [500, NOON])
    settleSpend(ledger, spending(0, 0, NOON), gbp(1200))
    expect(amounts(ledger)).toEqual([1200, 500])
    settleSpend(ledger, spending(0, 0, NOON), undefined)
    expect(amounts(ledger)).toEqual([500])
    settleSpend(ledger, spending(7, 0, NOON), gbp(70))
    expect(ledger.spent).toEqual([spending(1, 500, NOON), spending(7, 70, NOON)])
  })

  test('that is released takes no other one with it, nor the same call that means something new', () => {
    const ledger = spent([1, NOON], [2, NOON])
    const again = { ...spending(0, 3, NOON), generation: 1 }
    reserveSpend(ledger, again)
    releaseSpend(ledger, spending(0, 0, NOON))
    expect(amounts(ledger)).toEqual([2, 3])
    releaseSpend(ledger, again)
    expect(amounts(ledger)).toEqual([2])
  })

  test('that is cancelled costs its fee, unless its full price has counted', () => {
    const ledger = spent([100, NOON])
    countFee(ledger, spending(1, 5, NOON, 'quo_1'))
    expect(amounts(ledger)).toEqual([100, 5])
    countFee(ledger, spending(2, 6, NOON, 'quo_1'))
    expect(amounts(ledger)).toEqual([100, 5])
    countFee(ledger, spending(3, 7, NOON, 'quo_2'))
    // A fee without a quote is a part of no price.
    countFee(ledger, spending(4, 8, NOON))
    countFee(ledger, spending(5, 9, NOON))
    expect(amounts(ledger)).toEqual([100, 5, 7, 8, 9])
  })
})
