/** Tasks: calls and sandbox steps in any order, while the clock advances. */
import { describe, expect, test } from 'vitest'
import { TASK_STATUSES } from '../../src/areas/tasks/states.ts'
import { AppError } from '../../src/core/errors.ts'
import { iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import { CARD, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { createTestTask, evidenceOf, MINUTE, quoteTestTask, SITE, taskInput } from '../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const SCENARIOS = [
  undefined,
  undefined,
  'no_provider',
  'provider_cancels;at=assigned',
  'provider_cancels;at=en_route',
  'bad_evidence;kind=blurry',
  'bad_evidence;kind=hash_mismatch',
  'bad_evidence;kind=outside_geofence',
  'bad_evidence;kind=clock_skew;times=2',
  'task_fails;reason=access_denied',
] as const

const JOBS: readonly Record<string, unknown>[] = [
  {},
  { task_type: 'meter_reading', requirements: { meter: 'gas' }, urgency: 'express' },
  { task_type: 'item_pickup', requirements: { item: 'A lamp', pickup_name: 'Shah' } },
  { evidence_rules: [{ requirement_id: 'shelf_photos', min_count: 4, geofence_radius_m: 20 }] },
  { window: { starts_at: '2026-11-20T16:00:00Z', ends_at: '2026-11-20T18:00:00Z' } },
]
const PAYMENTS = [CARD, { ...CARD, payment_token: 'tok_pending' }, { method: 'wallet' }] as const

type Step =
  | { do: 'create'; job: number; payment: number; scenario: (typeof SCENARIOS)[number] }
  | { do: 'cancel' | 'step' | 'lapse'; which: number }
  | { do: 'wait'; seconds: number }

const which = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      job: fc.nat(JOBS.length - 1),
      payment: fc.nat(PAYMENTS.length - 1),
      scenario: fc.constantFrom(...SCENARIOS),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'lapse' as const), which }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('step' as const), which }), weight: 3 },
  {
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 600, max: 9000 })),
    }),
    weight: 3,
  },
)
const story = fc.array(step, { minLength: 8, maxLength: 24 })

type Life = { world: TestSandbox; tasks: string[]; said: string[]; split: number }

const lifeIn = (world: TestSandbox, split = 1): Life => ({ world, tasks: [], said: [], split })

async function runTaskStep(life: Life, each: Step): Promise<void> {
  const { world, split, said } = life
  const call = async (...args: Parameters<TestSandbox['call']>) => {
    const { status, text, body } = await world.call(...args)
    said.push(`${args[0]} ${status} ${text}`)
    return body
  }
  if (each.do === 'create') {
    const quote = await call('quote_task', taskInput(JOBS[each.job]), { as: 'member' })
    if (typeof quote['quote_id'] !== 'string') return
    const made = await call(
      'create_task',
      { quote_id: quote['quote_id'], payment: PAYMENTS[each.payment] },
      { as: 'member', key: newKey(), ...(each.scenario !== undefined && { scenario: each.scenario }) },
    )
    if (typeof made['task_id'] === 'string') life.tasks.push(made['task_id'])
    return
  }
  if (each.do === 'wait') {
    for (let part = 0; part < split; part++) await world.advance((each.seconds * 1000) / split)
    return
  }
  if (each.do === 'lapse') {
    const status = each.which % 2 === 0 ? 'expired' : 'active'
    await push(life, () => callTestControl(world, 'set_membership', { account: 'member', status }))
    return
  }
  const task_id = life.tasks[each.which % Math.max(1, life.tasks.length)]
  if (task_id === undefined) return
  if (each.do === 'cancel') await call('cancel_task', { task_id }, { as: 'member' })
  else await push(life, () => callTestControl(world, 'step_resource', { resource_id: task_id }))
}

/** Makes a sandbox call that may be rejected. */
async function push({ said }: Life, work: () => Promise<unknown>): Promise<void> {
  try {
    said.push(JSON.stringify(await work()))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    said.push(`${error.code} ${error.message}`)
  }
}

const reached = new Set<string>()

type ObservedTask = { history: string[]; evidence: string[] }

/** Reads every task; no membership is needed for that. */
async function readObservedTasks({ world, tasks }: Life): Promise<Map<string, ObservedTask>> {
  const seen = new Map<string, ObservedTask>()
  for (const task_id of tasks) {
    const task = await world.ok('get_task', { task_id }, { as: 'member' })
    const { items, rules_satisfied } = await evidenceOf(world, task_id)
    reached.add(task.status)
    expect(task.cancellable).toBe(['created', 'assigned', 'en_route'].includes(task.status))
    expect(task.status === 'created' && task.provider !== null).toBe(false)
    expect(task.evidence_summary).toMatchObject({ items_count: items.length, rules_satisfied })
    expect(rules_satisfied).toBe(task.status === 'completed')
    seen.set(task_id, {
      history: task.status_history.map((entry) => JSON.stringify(entry)),
      evidence: items.map((item) => JSON.stringify({ ...item, status: '', rejection_reason: '' })),
    })
  }
  return seen
}

/** Plays the steps, and returns every response as it was sent. */
async function live(life: Life, steps: readonly Step[]): Promise<string[]> {
  let before = new Map<string, ObservedTask>()
  for (const each of steps) {
    await runTaskStep(life, each)
    const after = await readObservedTasks(life)
    // Entries of the history and captured evidence never change.
    for (const [task_id, { history, evidence }] of before) {
      expect(after.get(task_id)?.history.slice(0, history.length)).toEqual(history)
      expect(after.get(task_id)?.evidence.slice(0, evidence.length)).toEqual(evidence)
    }
    before = after
  }
  return [...life.said, JSON.stringify([...before])]
}

describe.each(ENGINES)('on $name', (engine) => {
  const runs = engine.name === 'SQLite' ? { numRuns: 40 } : { numRuns: iterations(3, 5) }

  test('whatever is done, every life is a path of the table and every invariant holds', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const life = lifeIn(await openTestSandbox({ engine }))
        await live(life, steps)
        expect(await checkInvariants(life.world.db)).toEqual([])
        await life.world.advance(48 * 60 * MINUTE)
        await readObservedTasks(life)
        expect(await checkInvariants(life.world.db)).toEqual([])
        const left = await life.world.db.read((tx) => tx.all(`select seq from timeline where kind = 'task'`))
        expect(left).toEqual([])
        await life.world.db.close()
      }),
      runs,
    )
  }, 300_000)

  test('quoting leaves nothing behind but quotes', async () => {
    const world = await openTestSandbox({ engine })
    const tables = ['tasks', 'evidence_items', 'payments', 'ledger', 'timeline', 'events', 'media', 'blobs']
    const count = () =>
      world.db.read(async (tx) => {
        const rows: unknown[] = []
        for (const table of tables) rows.push(await tx.all(`select count(*) as n from ${table}`))
        return rows
      })
    const before = await count()
    for (const job of JOBS) await quoteTestTask(world, job)
    expect(await count()).toEqual(before)
  })

  test('one key makes one task and one charge, and says so for a day', async () => {
    const world = await openTestSandbox({ engine })
    const { quote_id } = await quoteTestTask(world)
    const input = { quote_id, payment: { method: 'wallet' } }
    const create = () => world.call('create_task', input, { as: 'member', key: 'k' })
    const answers = await Promise.all([create(), create(), create()])
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text))
    expect(texts.size).toBe(1)
    await world.advance(60 * MINUTE)
    await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
    const replayed = await create()
    expect([...texts]).toEqual([replayed.text])
    expect(replayed.headers['Idempotent-Replayed']).toBe('true')
    expect(
      await world.refused('create_task', { ...input, instructions: 'x' }, { as: 'member', key: 'k' }),
    ).toMatchObject({ code: 'idempotency_key_reused' })
    expect((await callTestControl(world, 'get_wallet', { account: 'member' })).balance.amount).toBe(
      5000 - 1200,
    )
    await world.advance(24 * 60 * MINUTE)
    expect(await world.refused('create_task', input, { as: 'member', key: 'k' })).toMatchObject({
      code: 'membership_required',
    })
  })
})

test('every state was met', () => {
  expect(TASK_STATUSES.filter((status) => !reached.has(status))).toEqual([])
})

test('what is charged is the total that was quoted, line by line', async () => {
  const place = fc.record({
    latitude: fc.integer({ min: 51_440, max: 51_580 }).map((each) => each / 1000),
    longitude: fc.integer({ min: -220, max: 20 }).map((each) => each / 1000),
  })
  const world = await openTestSandbox()
  // many tasks on one day
  await callTestControl(world, 'set_supply', { supply: 'unlimited' })
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 2, max: 8 }),
      fc.constantFrom('standard', 'express'),
      async (location, estimated_minutes, min_count, urgency) => {
        const quote = await quoteTestTask(world, {
          place: { location },
          estimated_minutes,
          urgency,
          evidence_rules: [{ requirement_id: 'shelf_photos', min_count }],
        })
        const { total, lines, tax_included: tax } = quote
        const amounts = lines.map(({ amount }) => amount)
        expect(
          amounts.every(
            ({ amount, currency }) => Number.isInteger(amount) && amount >= 0 && currency === 'GBP',
          ),
        ).toBe(true)
        expect(amounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(total.amount)
        expect(tax.amount).toBe(total.amount - Math.round(total.amount / 1.2))
        const task = await world.ok(
          'create_task',
          { quote_id: quote.quote_id, payment: CARD },
          { as: 'member', key: newKey() },
        )
        expect([task.price, task.payment.amount]).toEqual([total, total])
      },
    ),
    { numRuns: iterations(15, 40) },
  )
})

test('a quote holds until the last millisecond, and not at the next', async () => {
  const world = await openTestSandbox()
  const { quote_id, expires_at } = await quoteTestTask(world, { place: SITE })
  const late = await quoteTestTask(world)
  await world.advanceTo(Date.parse(expires_at) - 1)
  await world.ok('create_task', { quote_id, payment: CARD }, { as: 'member', key: newKey() })
  await world.advance(1)
  expect(
    await world.refused(
      'create_task',
      { quote_id: late.quote_id, payment: CARD },
      { as: 'member', key: newKey() },
    ),
  ).toMatchObject({ code: 'quote_expired' })
})

test('it makes no difference in how many steps the clock goes, nor on which engine', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.integer({ min: 2, max: 9 }), async (steps, split) => {
      const whole = steps.map((each) =>
        each.do === 'wait' ? { ...each, seconds: each.seconds * split } : each,
      )
      const [once, often] = [lifeIn(await openTestSandbox()), lifeIn(await openTestSandbox(), split)]
      expect(await live(often, whole)).toEqual(await live(once, whole))
    }),
    { numRuns: 10 },
  )
  const told: string[][] = []
  const steps = SCENARIOS.flatMap((scenario, index): Step[] => [
    { do: 'create', job: index % JOBS.length, payment: 0, scenario },
    { do: 'wait', seconds: 400 },
  ])
  for (const engine of ENGINES) {
    told.push(
      await live(lifeIn(await openTestSandbox({ engine })), [...steps, { do: 'wait', seconds: 40_000 }]),
    )
  }
  expect(told[1]).toEqual(told[0])
}, 300_000)

test('another seed is another world, with pictures of its own', async () => {
  const roots = new Set<string>()
  for (const seed of ['1', '2', '3']) {
    const world = await openTestSandbox({ seed })
    const { task_id } = await createTestTask(world)
    await world.advance(60 * MINUTE)
    roots.add((await evidenceOf(world, task_id)).manifest.root)
    expect(await checkInvariants(world.db)).toEqual([])
  }
  expect(roots.size).toBe(3)
})
