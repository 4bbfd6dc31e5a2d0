import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { emptyLedger } from '../../src/journal/ledger.ts'
import type { Ledger, Spent } from '../../src/journal/ledger.ts'
import { checkSpend, parseSpendLimit, releaseSpend, reserveSpend } from '../../src/mcp/spend.ts'
import { caught } from '../support/caught.ts'
import { gbp } from '../support/money.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

function empty(): Ledger {
  return emptyLedger({ service: 'here', account: null })
}

function spending(index: number, pence: number, at: number, quote: string | null = null): Spent {
  return { intent: `intent-${index}`, generation: 0, quote, total: gbp(pence), at }
}

/** Returns a ledger with purchases of so many pence at these instants. */
function spent(...purchases: readonly (readonly [pence: number, at: number])[]): Ledger {
  const ledger = empty()
  for (const [index, [pence, at]] of purchases.entries()) reserveSpend(ledger, spending(index, pence, at))
  return ledger
}

/** Returns the error of a refused amount; undefined when it may be spent. */
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
    expect(caught(() => parseSpendLimit(text))).toMatchObject({ code: 'usage' })
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
      message: 'This costs £18.40; of the £50.00 that may be spent a day, £5.00 is left. Nothing was bought.',
      extra: { left: gbp(500), more_at: '2026-11-20T16:00:00.000Z' },
    })
    expect(refused(['50GBP/day'], ledger, 1840, NOON + 4 * HOUR)).toBeUndefined()
  })

  test('is zero in another currency, and the error says how to change that', () => {
    expect(refused(['5000JPY/day', '20EUR'], empty(), 100)?.hint).toBe(
      'The limit is ¥5,000 a day, €20.00 in all. Tell the person: only they can start the server again with one in GBP, such as --max-spend 50GBP/day.',
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
      'Only EUR may be spent here, not GBP. Nothing was bought.',
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

  test('counts a purchase once however often it is sent, and not at all when it was refused', () => {
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
})
