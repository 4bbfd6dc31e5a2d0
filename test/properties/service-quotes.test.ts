/** Quotes of services and their bookings. */
import { describe, expect, test } from 'vitest'
import { runNextEvent } from '../../src/sandbox/due-events.ts'
import { iterations } from '../support/battery.ts'
import { CARD, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { fc } from '../support/properties.ts'
import { timestampAt, bookJob, CLEANER, CONTACT, HOME, makeJob, quoteJob } from '../support/services.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const HOUR = 3_600_000

/** Returns the whole store except quotes, the counter of their ids, and stored responses. */
async function contents({ db }: TestSandbox): Promise<unknown> {
  return db.read(async (tx) => {
    const rows: Record<string, unknown> = { seq: await tx.all('select seq from world') }
    for (const table of [
      'bookings',
      'booked_cells',
      'providers',
      'payments',
      'wallets',
      'ledger',
      'events',
      'timeline',
    ])
      rows[table] = await tx.all(`select * from ${table} order by 1, 2`)
    return rows
  })
}

/** Requests to providers, some of them impossible. */
const wish = fc.record({
  job: fc.constantFrom(
    { provider: CLEANER, service_code: 'regular_clean' },
    { provider: CLEANER, service_code: 'window_clean' },
    { provider: 'Thames Pipe & Tap', service_code: 'fix_leak' },
    { provider: 'Hana Handy', service_code: 'assemble_furniture' },
    { provider: 'Paws & Paths', service_code: 'haircut' },
  ),
  duration_minutes: fc.option(fc.constantFrom(60, 75, 120, 135, 200, 480), { nil: undefined }),
  start: fc.option(fc.nat(5 * 48), { nil: undefined }),
  place: fc.constantFrom(
    HOME,
    HOME,
    { location: { latitude: 51.4781, longitude: -0.0149 } },
    { location: { latitude: 52, longitude: 0 } },
  ),
})

type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never

const inputOf = (world: TestSandbox, { job, duration_minutes, start, place }: Wish) =>
  makeJob(world, {
    ...job,
    place,
    ...(duration_minutes !== undefined && { duration_minutes }),
    ...(start !== undefined && {
      starts_at: new Date(Date.parse('2026-11-20T00:00:00Z') + start * 1_800_000).toISOString(),
    }),
  })

describe.each(ENGINES)('on $name', (engine) => {
  test('whatever is looked at and quoted, and however often, nothing else changes', async () => {
    const world = await openTestSandbox({ engine })
    await bookJob(world, { starts_at: timestampAt('10:00') })
    const before = await contents(world)
    const heard = new Set<string>()
    await fc.assert(
      fc.asyncProperty(wish, fc.constantFrom('everything', 'guest', 'lapsed'), async (asked, as) => {
        const { status, body } = await world.call('quote_service', await inputOf(world, asked), { as })
        heard.add(status === 200 ? 'ok' : String(body['code']))
        await world.ok('search_service_providers', { ...HOME.location, sort: 'soonest' }, { as })
      }),
      { numRuns: engine.name === 'SQLite' ? 60 : 15 },
    )
    expect([...heard]).toEqual(expect.arrayContaining(['ok', 'slot_unavailable']))
    expect(await contents(world)).toEqual(before)
  })

  test('what is charged is what was quoted, and the lines are the price', async () => {
    const world = await openTestSandbox({ engine })
    await fc.assert(
      fc.asyncProperty(wish, async (asked) => {
        const quote = await world.call('quote_service', await inputOf(world, asked))
        if (quote.status !== 200) return
        const { quote_id, total, lines, tax_included } = quote.body as {
          quote_id: string
          total: { amount: number; currency: string }
          lines: { amount: { amount: number } }[]
          tax_included: { amount: number }
        }
        expect(lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(total.amount)
        expect(tax_included.amount).toBe(total.amount - Math.round((total.amount * 10_000) / 12_000))
        const body = { quote_id, contact: CONTACT, payment: CARD, expected_total: total }
        const booked = await world.call('book_service', body, { key: newKey() })
        if (booked.status !== 201) return
        expect(booked.body).toMatchObject({ price: total, tax_included, payment: { amount: total } })
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(16, 40) : iterations(4, 8) },
    )
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('no later tariff changes what was quoted', async () => {
  const world = await openTestSandbox()
  const body = await quoteJob(world)
  await world.db.write(async (tx) => {
    for (const row of await tx.all('select provider_id, doc from providers')) {
      const doc = JSON.parse(String(row['doc'])) as { services: { pricing: { price: { amount: number } } }[] }
      for (const { pricing } of doc.services) pricing.price.amount *= 2
      await tx.run(
        'update providers set doc = $2 where provider_id = $1',
        String(row['provider_id']),
        JSON.stringify(doc),
      )
    }
  })
  expect((await world.ok('book_service', body, { key: newKey() })).price.amount).toBe(3600)
})

test('the first answer is given again when the membership, the quote and the state have moved on', async () => {
  const world = await openTestSandbox()
  const body = { ...(await quoteJob(world)), starts_at: '2026-11-20T10:30:00Z' }
  const first = await world.call('book_service', body, { key: 'k' })
  expect(first.status).toBe(201)
  await world.advance(6 * HOUR)
  await world.db.write((tx) =>
    tx.run(
      `update accounts set membership_status = 'expired', membership_end = $1`,
      Date.parse('2026-11-19'),
    ),
  )
  const again = await world.call('book_service', body, { key: 'k' })
  expect([again.status, again.text]).toEqual([201, first.text])
  expect(again.headers['Idempotent-Replayed']).toBe('true')
  expect((await world.refused('book_service', body, { key: 'other' })).code).toBe('membership_required')
  // An existing booking can still be read.
  await world.ok('get_service_booking', { booking_id: String(first.body['booking_id']) })
})

test('a life only ever goes along the table, whoever pushes and however the clock moves', async () => {
  const EDGES: Readonly<Record<string, readonly string[]>> = {
    requested: ['confirmed', 'declined', 'cancelled'],
    confirmed: ['en_route', 'cancelled'],
    en_route: ['arrived', 'cancelled'],
    arrived: ['in_progress', 'no_show'],
    in_progress: ['completed'],
  }
  const SCENARIOS = [
    'happy',
    'provider_declines',
    'provider_cancels;at=requested',
    'provider_cancels;at=confirmed',
    'provider_cancels;at=en_route',
    'customer_no_show',
  ]
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SCENARIOS),
      fc.array(fc.oneof(fc.constant('push' as const), fc.integer({ min: 1, max: 1500 })), {
        minLength: 3,
        maxLength: 14,
      }),
      async (scenario, moves) => {
        const world = await openTestSandbox()
        const { booking_id } = await bookJob(world, {}, { scenario })
        const show = () => world.ok('get_service_booking', { booking_id })
        let seen = (await show()).status_history
        for (const move of moves) {
          if (move === 'push')
            await world
              .write((tx, { world: stored }, now) => runNextEvent(tx, stored, now, booking_id))
              .catch(() => undefined)
          else await world.advance(move * 60_000)
          const { status, status_history: history } = await show()
          expect(history.slice(0, seen.length)).toEqual(seen)
          expect(history.at(-1)?.status).toBe(status)
          const [, ...later] = history
          for (const [index, step] of later.entries())
            expect(EDGES[history[index]?.status ?? '']).toContain(step.status)
          seen = history
        }
        ends.add(seen.at(-1)?.status ?? '')
        expect(await checkInvariants(world.db)).toEqual([])
      },
    ),
    { numRuns: iterations(25, 60) },
  )
  expect([...ends]).toEqual(expect.arrayContaining(['completed', 'cancelled', 'declined', 'no_show']))
})
