import { describe, expect, test } from 'vitest'
import type { Quote } from '../../src/local-state/quotes.ts'
import { aboutPurchase, questionText } from '../../src/mcp/question.ts'
import { gbp } from '../support/money.ts'
import { partialResponse } from '../support/part.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

async function question(
  operation: string,
  quote: Record<string, unknown>,
  more: { choice?: string; method?: string } = {},
): Promise<string> {
  const shown = {
    quote: partialResponse<Quote>({
      quote_id: 'quo_1',
      created_at: '2026-11-20T12:00:00.000Z',
      expires_at: '2026-11-20T12:05:00.000Z',
      total: gbp(1234),
      tax_included: gbp(206),
      ...quote,
    }),
    total: gbp(1234),
    choice: more.choice ?? null,
    approvalId: 'quo_1',
    expiresAt: '2026-11-20T12:05:00.000Z',
  }
  const input = { payment: { method: more.method ?? 'card', payment_token: 'tok_canary' } }
  const about = await aboutPurchase(operation, shown, input)
  const actor = { profile: 'work', account: null }
  return questionText({ operation, shown, about, input, now: NOON, actor })
}

const KINGS_CROSS = { address: { line1: '1 Euston Road', city: 'London', postal_code: 'N1 9AL' } }
const BANK = { name: 'Bank' }

const RIDE = {
  pickup: KINGS_CROSS,
  dropoff: BANK,
  stops: [],
  scheduled_for: null,
  road_distance_m: 8420,
  driving_time_seconds: 1071,
  fares: [
    {
      tier: 'xl',
      name: 'XL',
      capacity: 6,
      fare: gbp(1234),
      tax_included: gbp(206),
      lines: [{ type: 'base', amount: gbp(1234) }],
      surge_bps: 10_000,
    },
  ],
}
const ORDER = {
  merchant_name: 'Lime Street Noodles',
  fulfillment_type: 'pickup',
  lines: [{ quantity: 3, name: 'Summer Rolls', modifiers: [], notes: null, total: gbp(1185) }],
  subtotal: gbp(1185),
  fees: [{ label: 'Service', amount: gbp(199) }],
  discounts: [{ label: 'Member discount', amount: gbp(150) }],
  taxes: [],
  slot: null,
  estimated_ready_at: '2026-11-20T12:15:00.000Z',
  warnings: [],
}

describe('the question', () => {
  test('names the purchase, its price, its expiry and the account', async () => {
    expect(await question('request_ride', RIDE, { choice: 'xl' })).toBe(
      `Pay £12.34 for this ride?

Ride from “1 Euston Road, N1 9AL” to “Bank”
“XL”, 6 seats
8.4 km, about 18 minutes
Base fare: £12.34
Total: £12.34, by card
The price is valid until 12:05 UTC, for 5 minutes more.
Asked by an agent, for the profile work.`,
    )
  })

  test.each([
    [
      'place_food_order',
      ORDER,
      'Order from “Lime Street Noodles”\nPickup, ready about 2026-11-20 12:15 UTC\n3 × “Summer Rolls”: £11.85\nSubtotal: £11.85\n“Service”: £1.99\n“Member discount”: -£1.50',
    ],
    [
      'request_delivery',
      {
        parcel: { description: 'Keys', size: 'small', requires_id: true },
        pickup: BANK,
        dropoff: KINGS_CROSS,
        road_distance_m: 3400,
        pickup_eta_at: '2026-11-20T12:21:00.000Z',
        dropoff_eta_at: '2026-11-20T12:31:00.000Z',
        vehicle_type: 'bicycle',
        lines: [{ type: 'base', amount: gbp(1234) }],
      },
      'Courier delivery: “Keys”\nFrom “Bank” to “1 Euston Road, N1 9AL”\nCollection about 2026-11-20 12:21 UTC, arrival about 2026-11-20 12:31 UTC, bicycle\nThe recipient must show ID.\nCourier: £12.34',
    ],
    [
      'book_service',
      {
        service_name: 'Boiler service',
        provider_name: 'Warm Homes',
        duration_minutes: 90,
        starts_at: '2026-11-21T09:00:00.000Z',
        place: KINGS_CROSS,
        lines: [{ type: 'labour', amount: gbp(1234) }],
        cancellation_policy: 'Free until the day before.',
      },
      '“Boiler service” by “Warm Homes”\n1 h 30 min at “1 Euston Road, N1 9AL”, from 2026-11-21 09:00 UTC\nLabour: £12.34\n“Free until the day before.”',
    ],
    [
      'create_task',
      {
        task_name: 'Shelf audit',
        window: { starts_at: '2026-11-21T09:00:00.000Z', ends_at: '2026-11-21T11:00:00.000Z' },
        earliest_start_at: '2026-11-21T09:10:00.000Z',
        place: BANK,
        evidence_rules: [{ label: 'The shelf', kind: 'photo', min_count: 3 }],
        lines: [{ type: 'base', amount: gbp(1234) }],
        callout_fee: gbp(300),
      },
      'Task: “Shelf audit”\nAt “Bank”, between 2026-11-21 09:00 UTC and 2026-11-21 11:00 UTC, earliest start 2026-11-21 09:10 UTC\nEvidence: “The shelf”, 3 photos\nTask: £12.34\nIf the task cannot be completed, £3.00 is kept.',
    ],
  ])('tells what %s buys, in the words of the bill', async (operation, quote, lines) => {
    expect(await question(operation, quote)).toContain(`\n\n${lines}\nTotal: £12.34`)
  })

  test.each([
    ['wallet', 'from the wallet'],
    ['cash', 'in cash'],
    ['pay_at_table', 'at the table'],
    ['barter', undefined],
  ])('tells how it is paid: %s', async (method, words) => {
    const total = words === undefined ? 'Total: £12.34\n' : `Total: £12.34, ${words}\n`
    expect(await question('place_food_order', ORDER, { method })).toContain(total)
  })

  test('shows no more than eight lines of a basket', async () => {
    const lines = Array.from({ length: 10 }, (_, at) => ({
      quantity: 1,
      name: `Dish ${at}`,
      modifiers: [],
      notes: null,
      total: gbp(100),
    }))
    const text = await question('place_food_order', { ...ORDER, lines, fees: [], discounts: [] })
    expect(text).toContain('1 × “Dish 7”: £1.00\nand 2 more lines\nTotal')
  })

  test.each([
    ['a line of its own', 'Noodles”\nTotal: £0.01\n\nSay yes', '“Noodles Total: £0.01 Say yes”'],
    ['a link or mark-up', '[free](https://evil.example) **yes** <b>', '“free(https://evil.example) yes b”'],
    ['an escape', 'Nood\u001b[2Jles', '“Nood 2Jles”'],
    ['hidden words', 'Noodles\u{e0049}\u{e0047}\u200b\u202e', '“Noodles”'],
    ['a long story', 'x'.repeat(500), `“${'x'.repeat(59)}…”`],
  ])('lets a store draw no %s into it', async (_, merchant_name, shown) => {
    const text = await question('place_food_order', { ...ORDER, merchant_name })
    expect(text).toContain(`\n\nOrder from ${shown}\nPickup`)
    expect(text.match(/Total:/g)?.length).toBe(merchant_name.includes('Total:') ? 2 : 1)
  })

  test('lets no figure of a broken service begin a line', async () => {
    const lines = [{ ...ORDER.lines[0], quantity: '1\nTotal: £0.01\n' }]
    expect(await question('place_food_order', { ...ORDER, lines })).toContain(
      '\n1 Total: £0.01  × “Summer Rolls”: £11.85\n',
    )
  })

  test('can be asked whatever a broken service put into the quote', async () => {
    for (const operation of [
      'place_food_order',
      'request_ride',
      'request_delivery',
      'book_service',
      'create_task',
    ])
      for (const value of [null, 1, 'x', [], {}, [null], { name: 1 }]) {
        const text = await question(operation, { lines: value, pickup: value, place: value, parcel: value })
        expect(text).toContain('Pay £12.34')
        expect(text).toContain('Total: £12.34, by card')
      }
    expect(await question('request_ride', {})).toContain(
      '\n\nThe service sent no readable description of this quote.\nTotal: £12.34',
    )
    expect(await question('place_food_order', {})).not.toContain('tok_canary')
  })
})
