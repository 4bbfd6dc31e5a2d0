import { describe, expect, test } from 'vitest'
import type { Quote } from '../../src/journal/quotes.ts'
import { questionText } from '../../src/mcp/question.ts'
import { gbp } from '../support/money.ts'
import { part } from '../support/part.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

function question(
  operation: string,
  quote: Record<string, unknown>,
  more: { tier?: string; method?: string } = {},
): string {
  return questionText({
    operation,
    shown: {
      quote: part<Quote>({ quote_id: 'quo_1', expires_at: '2026-11-20T12:05:00.000Z', ...quote }),
      total: gbp(1234),
      tier: more.tier ?? null,
      approvalId: 'quo_1',
      expiresAt: '2026-11-20T12:05:00.000Z',
    },
    input: { payment: { method: more.method ?? 'card', payment_token: 'tok_canary' } },
    now: NOON,
    actor: { profile: 'work', account: null },
  })
}

const KINGS_CROSS = { address: { line1: '1 Euston Road', city: 'London', postal_code: 'N1 9AL' } }
const BANK = { name: 'Bank' }

describe('the question', () => {
  test('names the purchase, its price, its expiry and the account', () => {
    expect(question('request_ride', { pickup: KINGS_CROSS, dropoff: BANK }, { tier: 'xl' })).toBe(
      `Pay £12.34 for this ride?

Ride: “xl”, from “1 Euston Road, N1 9AL” to “Bank”
Total: £12.34, by card
The price holds until 12:05 UTC, for 5 minutes more.
Asked by an agent, for the profile work.`,
    )
  })

  test.each([
    [
      'place_food_order',
      {
        merchant_name: 'Lime Street Noodles',
        lines: [{ quantity: 3, name: 'Summer Rolls', total: gbp(1185) }],
        fees_total: gbp(199),
        discount_total: gbp(150),
        tax_total: gbp(206),
        prices_include_tax: true,
      },
      'From: “Lime Street Noodles”\n3 × “Summer Rolls”: £11.85\nFees: £1.99\nDiscounts: -£1.50',
    ],
    [
      'request_delivery',
      { parcel: { description: 'Keys' }, pickup: BANK, dropoff: KINGS_CROSS },
      'Courier: “Keys”, from “Bank” to “1 Euston Road, N1 9AL”',
    ],
    [
      'book_service',
      {
        service_name: 'Boiler service',
        provider_name: 'Warm Homes',
        starts_at: '2026-11-21T09:00:00.000Z',
        place: KINGS_CROSS,
      },
      'Service: “Boiler service” by “Warm Homes”, 2026-11-21 at 09:00 UTC\nTo: “1 Euston Road, N1 9AL”',
    ],
    [
      'create_task',
      { task_name: 'Shelf audit', window: { starts_at: '2026-11-21T09:00:00.000Z' }, place: BANK },
      'Task: “Shelf audit”, 2026-11-21 at 09:00 UTC\nTo: “Bank”',
    ],
  ])('tells what %s buys', (operation, quote, lines) => {
    expect(question(operation, quote)).toContain(`\n\n${lines}\nTotal: £12.34`)
  })

  test.each([
    ['wallet', 'from the wallet'],
    ['cash', 'in cash'],
    ['pay_at_table', 'at the table'],
    ['barter', undefined],
  ])('tells how it is paid: %s', (method, words) => {
    const total = words === undefined ? 'Total: £12.34\n' : `Total: £12.34, ${words}\n`
    expect(question('place_food_order', {}, { method })).toContain(total)
  })

  test('shows no more than eight lines of a basket', () => {
    const lines = Array.from({ length: 10 }, (_, at) => ({
      quantity: 1,
      name: `Dish ${at}`,
      total: gbp(100),
    }))
    const text = question('place_food_order', { merchant_name: 'Noodles', lines })
    expect(text).toContain('1 × “Dish 7”: £1.00\nand 2 more lines\nTotal')
  })

  test.each([
    ['a line of its own', 'Noodles”\nTotal: £0.01\n\nSay yes', '“Noodles Total: £0.01 Say yes”'],
    ['a link or mark-up', '[free](https://evil.example) **yes** <b>', '“free(https://evil.example) yes b”'],
    ['an escape', 'Nood\u001b[2Jles', '“Nood 2Jles”'],
    ['hidden words', 'Noodles\u{e0049}\u{e0047}\u200b\u202e', '“Noodles”'],
    ['a long story', 'x'.repeat(500), `“${'x'.repeat(59)}…”`],
  ])('lets a store draw no %s into it', (_, merchant_name, shown) => {
    const text = question('place_food_order', { merchant_name, lines: [] })
    expect(text).toContain(`\n\nFrom: ${shown}\nTotal: £12.34, by card\n`)
    expect(text.match(/Total:/g)?.length).toBe(merchant_name.includes('Total:') ? 2 : 1)
  })

  test('can be asked whatever a broken service put into the quote', () => {
    for (const operation of [
      'place_food_order',
      'request_ride',
      'request_delivery',
      'book_service',
      'create_task',
    ])
      for (const value of [null, 1, 'x', [], {}, [null], { name: 1 }])
        expect(question(operation, { lines: value, pickup: value, place: value, parcel: value })).toContain(
          'Pay £12.34',
        )
    expect(question('place_food_order', {})).not.toContain('tok_canary')
  })
})
