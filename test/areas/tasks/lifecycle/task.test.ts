import { beforeEach, describe, expect, test } from 'vitest'
import { EVIDENCE_REJECTION_REASONS } from '../../../../src/areas/tasks/rules/evidence.ts'
import { TASK_FAILURE_REASONS } from '../../../../src/areas/tasks/rules/task.ts'
import { listRecordedEvents } from '../../../../src/db/events.ts'
import { callTestControl } from '../../../support/control.ts'
import { CARD } from '../../../support/food.ts'
import { gbp } from '../../../support/money.ts'
import { ENGINES } from '../../../support/stores.ts'
import { createTestTask, evidenceOf, finish, MINUTE, advanceToTaskStatus } from '../../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const statuses = (task: { status_history: { status: string }[] }) =>
  task.status_history.map(({ status }) => status)

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test('one path, the same in the history and in the events', async () => {
    const { task_id } = await createTestTask(world)
    const done = await finish(world, task_id)
    const events = (await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))).filter(
      ({ resource_id }) => resource_id === task_id,
    )
    expect(events.map(({ to }) => to)).toEqual(statuses(done))
    expect(events.map(({ from }) => from)).toEqual([null, ...statuses(done).slice(0, -1)])
    expect(events.map(({ occurred_at }) => occurred_at)).toEqual(done.status_history.map(({ at }) => at))
  })

  test('waits for the window to begin, and captures inside it', async () => {
    const window = { starts_at: '2026-11-20T14:00:00.000Z', ends_at: '2026-11-20T15:00:00.000Z' }
    const { task_id } = await createTestTask(world, { over: { window } })
    await world.advanceTo('2026-11-20T13:00:00Z')
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({
      status: 'assigned',
      eta_at: window.starts_at,
    })
    const done = await finish(world, task_id)
    expect(done).toMatchObject({ status: 'completed', started_at: window.starts_at })
    for (const { captured_at } of done.evidence)
      expect(captured_at > window.starts_at && captured_at < window.ends_at).toBe(true)
  })

  test('waits in a queue for the requested time, with a picture at its beginning and at its end', async () => {
    const over = {
      task_type: 'queue_hold',
      requirements: { queue_for: 'Returns', hold_minutes: 240 },
    }
    const task = await createTestTask(world, { over })
    expect(task.price).toEqual(gbp(8625))
    const done = await finish(world, task.task_id, 'member', 8 * 60)
    expect(done.status).toBe('completed')
    const started = Date.parse(done.started_at ?? '')
    expect((Date.parse(done.completed_at ?? '') - started) / MINUTE).toBeGreaterThanOrEqual(240)
    const taken = done.evidence.map(({ requirement_id, received_at }) => ({
      requirement_id,
      minutes: (Date.parse(received_at) - started) / MINUTE,
    }))
    expect(taken).toEqual([
      { requirement_id: 'in_line', minutes: expect.toSatisfy((minutes: number) => minutes < 2) },
      { requirement_id: 'handover', minutes: 240 },
    ])
  })

  test('works for the minutes that were estimated and paid for', async () => {
    const { task_id } = await createTestTask(world, { over: { estimated_minutes: 60 } })
    const done = await finish(world, task_id)
    const spent = Date.parse(done.completed_at ?? '') - Date.parse(done.started_at ?? '')
    expect(done.status).toBe('completed')
    expect(spent / MINUTE).toBeGreaterThanOrEqual(60)
  })

  test.each(['assigned', 'en_route'])(
    'goes to another provider when one gives it back while %s',
    async (at) => {
      const { task_id } = await createTestTask(world, { scenario: `provider_cancels;at=${at}` })
      const first = await advanceToTaskStatus(world, task_id, 'assigned')
      const done = await finish(world, task_id)
      expect(statuses(done)).toEqual([
        'created',
        'assigned',
        ...(at === 'en_route' ? ['en_route'] : []),
        'created',
        'assigned',
        'en_route',
        'in_progress',
        'under_review',
        'completed',
      ])
      expect(done.provider?.provider_id).not.toBe(first.provider?.provider_id)
      const again = done.status_history.filter(({ status }) => status === 'created')[1]
      expect(again).toMatchObject({ by: 'provider', reason: 'provider_unassigned' })
    },
  )

  test('has no provider while it is dispatched again', async () => {
    const { task_id } = await createTestTask(world, { scenario: 'provider_cancels;at=assigned' })
    await advanceToTaskStatus(world, task_id, 'assigned')
    const seen: unknown[] = []
    for (let step = 0; step < 20; step++) {
      await world.advance(20_000)
      const task = await world.ok('get_task', { task_id }, { as: 'member' })
      if (task.status === 'created') seen.push([task.provider, task.eta_at, task.assigned_at])
    }
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual(seen.map(() => [null, null, null]))
  })

  test('is unfulfilled and refunded when no tasker accepts within two hours', async () => {
    const { task_id } = await createTestTask(world, { scenario: 'no_provider' })
    await world.advance(120 * MINUTE - 1)
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({ status: 'created' })
    await world.advance(1)
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({
      status: 'unfulfilled',
      provider: null,
      refund: { amount: gbp(1200), destination: 'original_method', status: 'succeeded' },
      status_history: [{}, { status: 'unfulfilled', by: 'system', reason: 'no_qualified_provider' }],
    })
  })

  test('is given up when its window ends, if that is sooner', async () => {
    const window = { starts_at: '2026-11-20T09:00:00.000Z', ends_at: '2026-11-20T10:00:00.000Z' }
    const { task_id } = await createTestTask(world, { scenario: 'no_provider', over: { window } })
    await world.advanceTo(window.ends_at)
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({ status: 'unfulfilled' })
  })

  test.each(EVIDENCE_REJECTION_REASONS)(
    'captures once more what is rejected as %s, and then it is good',
    async (kind) => {
      const { task_id } = await createTestTask(world, { scenario: `bad_evidence;kind=${kind}` })
      const done = await finish(world, task_id)
      expect(done).toMatchObject({
        status: 'completed',
        evidence_summary: { required: 3, collected: 3, accepted: 3, items_count: 4, rules_satisfied: true },
      })
      expect(statuses(done).slice(3)).toEqual([
        'in_progress',
        'under_review',
        'in_progress',
        'under_review',
        'completed',
      ])
      const { items, requirements } = await evidenceOf(world, task_id)
      const rejected = items.filter(({ status }) => status === 'rejected')
      expect(rejected).toHaveLength(1)
      expect(rejected[0]).toMatchObject({ requirement_id: 'shelf_photos', rejection_reason: kind })
      expect(requirements[0]?.problems).toEqual([`${rejected[0]?.evidence_id} was rejected: ${kind}`])
      const { integrity, provenance, sha256 } = rejected[0]?.media ?? {}
      expect(integrity).toMatchObject({
        hash_verified: kind !== 'hash_mismatch',
        within_geofence: kind !== 'outside_geofence',
        clock_skew_ok: kind !== 'clock_skew',
      })
      expect(provenance?.claim_sha256 === sha256).toBe(kind !== 'hash_mismatch')
    },
  )

  test('fails when evidence is bad twice, and keeps the call-out', async () => {
    const { task_id } = await createTestTask(world, { scenario: 'bad_evidence;kind=blurry;times=2' })
    const failed = await finish(world, task_id)
    expect(failed).toMatchObject({
      status: 'failed',
      result: { outcome: 'failed', failure_reason: 'evidence_rejected' },
      callout_fee: gbp(300),
      refund: { amount: gbp(900), reason: 'evidence_rejected' },
      payment: { status: 'partially_refunded', amount: gbp(1200) },
      evidence_summary: { rules_satisfied: false },
      completed_at: null,
    })
    expect(failed.provider).not.toBeNull()
  })

  test.each(TASK_FAILURE_REASONS)(
    'fails because of %s, with what was captured until then',
    async (reason) => {
      const { task_id } = await createTestTask(world, { scenario: `task_fails;reason=${reason}` })
      const failed = await finish(world, task_id)
      expect(failed).toMatchObject({
        status: 'failed',
        result: { outcome: 'failed', failure_reason: reason },
        refund: { amount: gbp(900) },
        evidence_summary: { items_count: 1 },
      })
    },
  )

  test('a card that settles later is paid by then, and given up with a task that is cancelled before', async () => {
    const confirm = { payment: { ...CARD, payment_token: 'tok_pending' } }
    const kept = await createTestTask(world, { confirm })
    expect(kept.payment.status).toBe('unpaid')
    expect((await finish(world, kept.task_id)).payment.status).toBe('paid')
    const { task_id } = await createTestTask(world, { confirm })
    await world.ok('cancel_task', { task_id }, { as: 'member' })
    expect(await finish(world, task_id)).toMatchObject({ payment: { status: 'failed' }, refund: null })
  })

  test('a payment from the wallet is refunded to the wallet', async () => {
    const { task_id } = await createTestTask(world, {
      confirm: { payment: { method: 'wallet' } },
      scenario: 'task_fails',
    })
    await finish(world, task_id)
    const { balance } = await callTestControl(world, 'get_wallet', { account: 'member' })
    expect(balance).toEqual(gbp(5000 - 300))
  })

  test('can be stepped to its end with the clock standing still', async () => {
    const { task_id } = await createTestTask(world)
    for (let step = 0; step < 8; step++)
      await callTestControl(world, 'step_resource', { resource_id: task_id })
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({ status: 'completed' })
    await expect(callTestControl(world, 'step_resource', { resource_id: task_id })).rejects.toThrow(
      'no further events',
    )
  })

  test('no tasker is assigned who could not finish before the window ends', async () => {
    const window = { starts_at: '2026-11-20T09:00:00.000Z', ends_at: '2026-11-20T09:40:00.000Z' }
    const { task_id } = await createTestTask(world, { over: { window } })
    // The process stops for half an hour and then reads the task.
    await world.db.write(async (tx) => {
      await tx.run('update timeline set due_at = due_at + $2 where resource_id = $1', task_id, 35 * MINUTE)
    })
    await world.advanceTo(window.ends_at)
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({
      status: 'unfulfilled',
      payment: { status: 'refunded' },
    })
  })
})
