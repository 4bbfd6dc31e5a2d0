/** Deliveries: calls in any order, while the clock advances. */
import { describe, expect, test } from 'vitest'
import { DELIVERY_STATUSES, VERIFICATIONS } from '../../src/areas/couriers/states.ts'
import { AppError } from '../../src/core/errors.ts'
import { runNextEvent } from '../../src/sandbox/due-events.ts'
import { iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import {
  FROM,
  PARCEL_OF_KEYS,
  quoteRun,
  requestOf,
  sendRun,
  fetchDelivery,
  TO,
} from '../support/deliveries.ts'
import { newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { type TestResponse, openTestSandbox, type TestSandbox } from '../support/world.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

const SCENARIOS = [
  undefined,
  undefined,
  'no_courier',
  'courier_cancels;at=assigned',
  'courier_cancels;at=arrived_at_pickup',
  'courier_delay;seconds=900',
  'undeliverable;reason=refused',
] as const
const PAYMENTS = [
  { method: 'card', payment_token: 'tok_ok' },
  { method: 'card', payment_token: 'tok_pending' },
  { method: 'wallet' },
  { method: 'cash' },
] as const

/** Places in and around London. */
const place = fc
  .record({
    latitude: fc.integer({ min: 514_000, max: 516_000 }),
    longitude: fc.integer({ min: -3000, max: 1000 }),
  })
  .map(({ latitude, longitude }) => ({
    location: { latitude: latitude / 10_000, longitude: longitude / 10_000 },
  }))

const priced = fc.record({
  pickup: place,
  dropoff: place,
  parcel: fc.record({
    size: fc.constantFrom('small', 'medium', 'large', 'xl'),
    weight_grams: fc.integer({ min: 1, max: 25_000 }),
    description: fc.constantFrom('Keys', 'A cake', 'Fireworks'),
    requires_id: fc.boolean(),
  }),
})

/** Returns the whole store except quotes, the counter of their ids, and stored responses. */
async function contents({ db }: TestSandbox): Promise<unknown> {
  return db.read(async (tx) => ({
    deliveries: await tx.all('select * from deliveries order by delivery_id'),
    payments: await tx.all('select * from payments order by resource_id'),
    wallets: await tx.all('select * from wallets order by account_id'),
    ledger: await tx.all('select * from ledger order by seq'),
    events: await tx.all('select * from events order by seq'),
    timeline: await tx.all('select * from timeline order by seq'),
    seq: await tx.all('select seq from world'),
  }))
}

describe.each(ENGINES)('on $name', (engine) => {
  test('whatever is quoted adds up, and changes nothing', async () => {
    const world = await openTestSandbox({ engine })
    await sendRun(world)
    const before = await contents(world)
    await fc.assert(
      fc.asyncProperty(priced, async (input) => {
        const { status, body } = await world.call('quote_delivery', input, { as: 'member' })
        expect([200, 409, 422]).toContain(status)
        if (status !== 200) return
        const { lines, total, tax_included, road_distance_m } = body as unknown as Awaited<
          ReturnType<typeof quoteRun>
        >
        const amounts = [...lines.map(({ amount }) => amount), total, tax_included]
        expect(
          amounts.every(
            ({ amount, currency }) => Number.isSafeInteger(amount) && amount >= 0 && currency === 'GBP',
          ),
        ).toBe(true)
        expect(lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(total.amount)
        expect(road_distance_m).toBeLessThanOrEqual(30_000)
      }),
      { numRuns: iterations(16, 40) },
    )
    expect(await contents(world)).toEqual(before)
  })

  test('what is charged is what was quoted, whatever the tariff of another moment', async () => {
    const world = await openTestSandbox({ engine })
    await fc.assert(
      fc.asyncProperty(priced, fc.constantFrom(...PAYMENTS), async (input, payment) => {
        const quoted = await world.call('quote_delivery', input, { as: 'member' })
        if (quoted.status !== 200) return
        const { quote_id, total } = quoted.body as {
          quote_id: string
          total: { amount: number; currency: string }
        }
        const { status, body } = await world.call('request_delivery', requestOf(quote_id, { payment }), {
          as: 'member',
          key: newKey(),
        })
        if (status === 402) return
        expect({ status, price: body['price'] }).toEqual({ status: 201, price: total })
        expect(body['payment']).toMatchObject({ amount: total })
      }),
      { numRuns: iterations(10, 25) },
    )
    await world.advance(8 * HOUR)
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a quote is good until it expires, and not at that moment', async () => {
    const world = await openTestSandbox({ engine })
    const [early, late] = [await quoteRun(world), await quoteRun(world)]
    await world.advanceTo(Date.parse(early.expires_at) - 1)
    await world.ok('request_delivery', requestOf(early.quote_id), { as: 'member', key: newKey() })
    await world.advance(1)
    expect(
      await world.refused('request_delivery', requestOf(late.quote_id), { as: 'member', key: newKey() }),
    ).toMatchObject({ code: 'quote_expired', quote_operation: 'quote_delivery' })
  })

  test('one key is one courier, at once, later, expired, moved on and without a membership', async () => {
    const world = await openTestSandbox({ engine })
    const { quote_id } = await quoteRun(world)
    const options = { as: 'member', key: newKey() }
    const send = () => world.call('request_delivery', requestOf(quote_id), options)
    const answers: TestResponse[] = await Promise.all([send(), send(), send(), send()])
    await world.advance(2 * HOUR)
    await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
    answers.push(await send())
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['Idempotent-Replayed'] === 'true')).toHaveLength(4)
    const other = await world.refused('request_delivery', requestOf(quote_id, { pickup_notes: 'x' }), options)
    expect(other.code).toBe('idempotency_key_reused')
    expect(await world.db.read((tx) => tx.all('select count(*) as count from deliveries'))).toEqual([
      { count: 1 },
    ])
    expect(await checkInvariants(world.db)).toEqual([])
    // Earlier deliveries can still be read, and new ones are rejected (docs/rules/requests.md#reading-and-cancelling-need-no-entitlement).
    expect((await fetchDelivery(world, String(answers[0]?.body['delivery_id']))).status).toBe('delivered')
    const more = await quoteRun(world)
    expect(
      await world.refused('request_delivery', requestOf(more.quote_id), { as: 'member', key: newKey() }),
    ).toMatchObject({ code: 'membership_required' })
  })

  test('one quote, many who confirm it at once with keys of their own: one courier', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < 6; round++) {
      const { quote_id } = await quoteRun(world)
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          world.call('request_delivery', requestOf(quote_id), { as: 'member', key: newKey() }),
        ),
      )
      const codes = answers.map(({ status, body }) => (status === 201 ? 'sent' : String(body['code'])))
      expect(codes.toSorted((a, b) => a.localeCompare(b))).toEqual([
        ...Array<string>(5).fill('quote_already_used'),
        'sent',
      ])
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('whatever is sent, forced and waited for, every life is a path of the table', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const world = await openTestSandbox({ engine })
        const known = new Map<string, unknown[]>()
        for (const each of steps) {
          await runDeliveryStep(world, each, [...known.keys()], known)
          for (const [id, before] of known) {
            const { status, status_history } = await fetchDelivery(world, id)
            expect(DELIVERY_STATUSES).toContain(status)
            expect(status_history.slice(0, before.length)).toEqual(before)
            expect(status_history.at(-1)?.status).toBe(status)
            known.set(id, status_history)
          }
        }
        expect(await checkInvariants(world.db)).toEqual([])
        await world.advance(12 * HOUR)
        expect(await checkInvariants(world.db)).toEqual([])
        for (const id of known.keys())
          expect(['delivered', 'returned', 'cancelled']).toContain((await fetchDelivery(world, id)).status)
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(10, 25) : iterations(3, 6) },
    )
  })
})

type Step =
  | { do: 'send'; scenario: (typeof SCENARIOS)[number]; payment: (typeof PAYMENTS)[number]; verify: string[] }
  | { do: 'step'; which: number }
  | { do: 'wait'; seconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    scenario: fc.constantFrom(...SCENARIOS),
    payment: fc.constantFrom(...PAYMENTS),
    verify: fc.subarray([...VERIFICATIONS], { minLength: 1 }),
  }),
  fc.record({ do: fc.constant('step' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.nat(1500) }),
)

async function runDeliveryStep(
  world: TestSandbox,
  each: Step,
  ids: readonly string[],
  known: Map<string, unknown[]>,
): Promise<void> {
  if (each.do === 'wait') await world.advance(each.seconds * SECOND)
  else if (each.do === 'send') {
    const { quote_id } = await quoteRun(world)
    const { status, body } = await world.call(
      'request_delivery',
      requestOf(quote_id, { payment: each.payment, verification: { dropoff: each.verify } }),
      { as: 'member', key: newKey(), ...(each.scenario !== undefined && { scenario: each.scenario }) },
    )
    if (status !== 201 && status !== 402) throw new Error(JSON.stringify(body))
    if (status === 201) known.set(String(body['delivery_id']), [])
  } else {
    const id = ids[each.which % Math.max(1, ids.length)]
    if (id === undefined) return
    try {
      await world.write((tx, stored, now) => runNextEvent(tx, stored.world, now, id))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid_state')) throw error
    }
  }
}

describe('the seed and the clock', () => {
  /** Plays the same five deliveries in a new world; returns their statuses at the same time. */
  async function live(
    engine: (typeof ENGINES)[number],
    waits: readonly number[],
    seed?: string,
  ): Promise<string> {
    const world = await openTestSandbox({ engine, ...(seed !== undefined && { seed }) })
    const ids: string[] = []
    for (const scenario of SCENARIOS.slice(1)) {
      const request = { verification: { dropoff: [...VERIFICATIONS] } }
      const quote = { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS }
      ids.push(
        (await sendRun(world, { quote, request, ...(scenario !== undefined && { scenario }) })).delivery_id,
      )
    }
    for (const wait of waits) await world.advance(wait)
    return JSON.stringify(await Promise.all(ids.map((id) => fetchDelivery(world, id))))
  }

  test('in one step or in a thousand, on either engine, the same bytes; with another seed other ones', async () => {
    const total = 50 * 60 * SECOND
    const [first, second] = ENGINES
    if (first === undefined || second === undefined) throw new Error('two engines')
    const once = await live(first, [total])
    expect(
      await live(
        first,
        Array.from({ length: 300 }, () => total / 300),
      ),
    ).toBe(once)
    expect(await live(second, [total / 4, total / 2, total / 4])).toBe(once)
    expect(await live(first, [total], '7')).not.toBe(once)
  })
})
