import { beforeEach, describe, expect, test } from 'vitest'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { createTestTask, finish, MINUTE, advanceToTaskStatus } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test('shows who is sent only from the assignment on', async () => {
    const created = await createTestTask(world)
    expect(created).toMatchObject({
      status: 'created',
      provider: null,
      provider_location: null,
      eta_at: null,
    })
    const assigned = await advanceToTaskStatus(world, created.task_id, 'assigned')
    expect(assigned.provider).toMatchObject({
      provider_id: expect.stringMatching(/^prv_/),
      name: expect.any(String),
      rating: expect.any(Number),
      phone_masked: expect.stringMatching(/^\+44•{7}\d{3}$/),
    })
    expect(assigned).toMatchObject({ provider_location: null, cancellable: true })
    expect(Date.parse(assigned.eta_at ?? '')).toBeGreaterThan(await world.now())
  })

  test('shows him come nearer, and an arrival that stays', async () => {
    const { task_id } = await createTestTask(world)
    const early = await advanceToTaskStatus(world, task_id, 'en_route')
    expect(early.provider_location).not.toBeNull()
    await world.advance(MINUTE)
    const later = await world.ok('get_task', { task_id }, { as: 'member' })
    if (later.status !== 'en_route') return
    expect(later.provider_location).not.toEqual(early.provider_location)
    expect(later.eta_at).toBe(early.eta_at)
  })

  test('shows evidence grow, its pictures without their addresses, and the result', async () => {
    const { task_id } = await createTestTask(world)
    await advanceToTaskStatus(world, task_id, 'in_progress')
    await world.advance(90_000)
    const begun = await world.ok('get_task', { task_id }, { as: 'member' })
    expect(begun.evidence.length).toBeGreaterThan(0)
    expect(begun.evidence[0]?.media).not.toHaveProperty('url')
    expect(begun.evidence_summary).toMatchObject({ required: 3, accepted: 0, rules_satisfied: false })
    expect(begun.provider_location).toEqual(begun.place.location)
    const done = await finish(world, task_id)
    expect(done).toMatchObject({
      status: 'completed',
      result: { outcome: 'success', failure_reason: null },
      evidence_summary: { required: 3, collected: 3, accepted: 3, rules_satisfied: true, items_count: 3 },
      refund: null,
      cancellable: false,
      eta_at: null,
    })
    expect(done.evidence.slice(0, begun.evidence.length).map(({ evidence_id }) => evidence_id)).toEqual(
      begun.evidence.map(({ evidence_id }) => evidence_id),
    )
    expect(done.status_history.map(({ status }) => status)).toEqual([
      'created',
      'assigned',
      'en_route',
      'in_progress',
      'under_review',
      'completed',
    ])
  })

  test('another customer’s task is not there, and a lapsed membership hides none', async () => {
    const { task_id } = await createTestTask(world)
    expect(await world.refused('get_task', { task_id }, { as: 'guest' })).toMatchObject({
      code: 'task_not_found',
    })
    expect(await world.refused('get_task', { task_id: 'ord_1' }, { as: 'member' })).toMatchObject({
      code: 'task_not_found',
    })
  })
})
