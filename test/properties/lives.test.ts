/** Calls in any order, while the clock advances and parcels are scanned. */
import { describe, expect, test } from 'vitest'
import { type Scan, applyManualScan } from '../../src/areas/carrier/lifecycle/shipment.ts'
import { lockShipment } from '../../src/areas/carrier/queries/shipments.ts'
import { SHIPMENT_EVENT_CODES } from '../../src/areas/carrier/states.ts'
import { FAILURE_REASONS } from '../../src/areas/proofs/rules/failures.ts'
import { AppError } from '../../src/core/errors.ts'
import { runDueEvents, runNextEvent } from '../../src/sandbox/due-events.ts'
import { iterations } from '../support/battery.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000
const SCENARIOS = [
  'happy',
  'attempt_fails;times=1',
  'attempt_fails;times=3',
  'lost',
  'damaged',
  'delayed',
  'returned',
]

/** One step of a caller. A number picks one of the existing parcels. */
type Step =
  | { do: 'create'; reference: string | undefined; scenario: string; as: string; level: string }
  | { do: 'batch'; from: number; count: number; key: string | undefined }
  | { do: 'cancel' | 'show' | 'events' | 'step'; which: number; key: string | undefined }
  | { do: 'list'; status: string }
  | { do: 'scan'; which: number; code: (typeof SHIPMENT_EVENT_CODES)[number]; reason: Scan['reason'] }
  | { do: 'wait'; minutes: number }

const key = fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined })
const which = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    reference: fc.option(fc.constantFrom('A', 'B', 'C'), { nil: undefined }),
    scenario: fc.constantFrom(...SCENARIOS),
    as: fc.constantFrom('everything', 'shipper'),
    level: fc.constantFrom('same_day', 'next_day', 'two_day', 'economy'),
  }),
  fc.record({
    do: fc.constant('batch' as const),
    from: fc.nat(3),
    count: fc.integer({ min: 1, max: 4 }),
    key,
  }),
  fc.record({
    do: fc.constantFrom('cancel' as const, 'show' as const, 'events' as const, 'step' as const),
    which,
    key,
  }),
  fc.record({
    do: fc.constant('list' as const),
    status: fc.constantFrom('in_transit', 'cancelled', 'delivered'),
  }),
  fc.record({
    do: fc.constant('scan' as const),
    which,
    code: fc.constantFrom(
      ...SHIPMENT_EVENT_CODES.filter((code) => code !== 'label_created' && code !== 'cancelled'),
    ),
    reason: fc.option(fc.constantFrom(...FAILURE_REASONS), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 5 * 24 * 60 }) }),
)
const story = fc.array(step, { minLength: 5, maxLength: 25 })

/** The state of a run: the world, its parcels, and every response so far. */
type Life = { world: TestSandbox; parcels: { number: string; as: string }[]; said: string[]; split: number }
type Doers = { [Name in Step['do']]: (life: Life, step: Extract<Step, { do: Name }>) => Promise<unknown> }

const keyOf = ({ key: given }: { key: string | undefined }) => (given === undefined ? {} : { key: given })

const DOERS: Doers = {
  async create(life, { reference, level, scenario, as }) {
    const input = makeParcel({ reference, service_level: level })
    const made = await call(life, 'create_shipment', input, { scenario, as })
    if (typeof made['tracking_number'] === 'string')
      life.parcels.push({ number: made['tracking_number'], as })
  },
  batch(life, { from, count, ...rest }) {
    const shipments = [...makeRows(4, 'M').slice(from, from + count), ...makeRows(1, 'N')]
    return call(life, 'create_shipments_batch', { shipments }, keyOf(rest))
  },
  cancel: (life, given) => onParcel(life, given, 'cancel_shipment', keyOf(given)),
  show: (life, given) => onParcel(life, given, 'get_shipment'),
  events: (life, given) => onParcel(life, given, 'list_shipment_events'),
  list: (life, { status }) => call(life, 'list_shipments', { status: [status] }),
  step: (life, given) =>
    push(life, given, (number) =>
      life.world.write((tx, stored, now) => runNextEvent(tx, stored.world, now, number)),
    ),
  scan: (life, { code, reason, ...given }) =>
    push(life, given, (number) =>
      life.world.write(async (tx, stored, now) => {
        await runDueEvents({ tx, world: stored.world, at: now }, { resource: number })
        const found = await lockShipment(tx, number)
        if (found === undefined) throw new Error(`${number} is gone`)
        return applyManualScan({ tx, world: stored.world, at: now }, found, { code, by: 'sandbox', reason })
      }),
    ),
  async wait({ world, split }, { minutes }) {
    for (let part = 0; part < split; part++) await world.advance((minutes * MINUTE) / split)
  },
}

async function call(life: Life, ...args: Parameters<TestSandbox['call']>): Promise<Record<string, unknown>> {
  const { status, text, body } = await life.world.call(...args)
  life.said.push(`${args[0]} ${status} ${text}`)
  return body
}

async function onParcel(
  life: Life,
  given: { which: number },
  operation: string,
  options = {},
): Promise<void> {
  const parcel = life.parcels[given.which % Math.max(1, life.parcels.length)]
  if (parcel === undefined) return
  await call(life, operation, { tracking_number: parcel.number }, { as: parcel.as, ...options })
}

/** Makes a call that may be rejected. */
async function push(
  life: Life,
  given: { which: number },
  work: (number: string) => Promise<unknown>,
): Promise<void> {
  const parcel = life.parcels[given.which % Math.max(1, life.parcels.length)]
  if (parcel === undefined) return
  try {
    await work(parcel.number)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    life.said.push(`${error.code} ${error.message}`)
  }
}

/** Plays the steps, and returns every response as it was sent. */
async function live(world: TestSandbox, steps: readonly Step[], split = 1): Promise<string[]> {
  const life: Life = { world, parcels: [], said: [], split }
  for (const each of steps) {
    const doer = DOERS[each.do] as (life: Life, step: Step) => Promise<unknown>
    await doer(life, each)
  }
  for (const { number, as } of life.parcels)
    await call(life, 'get_shipment', { tracking_number: number }, { as })
  await call(life, 'list_shipments', { limit: 100 })
  return life.said
}

describe.each(ENGINES)('on $name', (engine) => {
  test('whatever is done, every life is a path of the table and every invariant holds', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const world = await openTestSandbox({ engine })
        await live(world, steps)
        expect(await checkInvariants(world.db)).toEqual([])
        await world.advance(60 * 24 * 60 * MINUTE)
        expect(await checkInvariants(world.db)).toEqual([])
        // after two months every parcel has reached its end
        const rows = await world.db.read((tx) =>
          tx.all(`select kind, resource_id from timeline where kind = 'shipment'`),
        )
        expect(rows).toEqual([])
        await world.db.close()
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(20, 60) : iterations(3, 8) },
    )
  })
})

test('the same seed, clock and calls give the same bytes on either engine', async () => {
  const [one, other] = ENGINES
  if (one === undefined || other === undefined) throw new Error('there are two engines')
  await fc.assert(
    fc.asyncProperty(story, fc.constantFrom('1', '20261120', '18446744073709551615'), async (steps, seed) => {
      const worlds = [
        await openTestSandbox({ engine: one, seed }),
        await openTestSandbox({ engine: other, seed }),
      ]
      const [answers, others] = await Promise.all(worlds.map((world) => live(world, steps)))
      expect(others).toEqual(answers)
      await Promise.all(worlds.map((world) => world.db.close()))
    }),
    { numRuns: iterations(3, 8) },
  )
})

test('it makes no difference to any answer in how many steps the clock moves', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.integer({ min: 2, max: 6 }), async (steps, split) => {
      const worlds = [await openTestSandbox(), await openTestSandbox()]
      const [atOnce, inParts] = worlds
      if (atOnce === undefined || inParts === undefined) throw new Error('there are two worlds')
      expect(await live(inParts, steps, split)).toEqual(await live(atOnce, steps))
      await Promise.all(worlds.map((world) => world.db.close()))
    }),
    { numRuns: iterations(8, 30) },
  )
})

test('another seed gives another world, as legal', async () => {
  const steps: Step[] = [
    ...SCENARIOS.map((scenario) => ({
      do: 'create' as const,
      reference: undefined,
      scenario,
      as: 'shipper',
      level: 'economy',
    })),
    { do: 'wait', minutes: 50 * 24 * 60 },
  ]
  const told = new Set<string>()
  for (const seed of ['1', '2', '3', '4', '5']) {
    const world = await openTestSandbox({ seed })
    told.add((await live(world, steps)).join('\n'))
    expect(await checkInvariants(world.db)).toEqual([])
  }
  expect(told.size).toBe(5)
})
