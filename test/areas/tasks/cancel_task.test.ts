import { beforeEach, describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { newKey } from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { createTestTask, finish, advanceToTaskStatus } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test.each(['created', 'assigned', 'en_route'])(
    'cancels a task that is %s, and gives all back',
    async (status) => {
      const { task_id, price } = await createTestTask(world)
      await advanceToTaskStatus(world, task_id, status)
      const task = await world.ok(
        'cancel_task',
        { task_id, reason_code: 'too_slow', note: 'Rain' },
        { as: 'member' },
      )
      expect(task).toMatchObject({
        status: 'cancelled',
        provider: null,
        provider_location: null,
        eta_at: null,
        payment: { status: 'refunded' },
        refund: { status: 'succeeded', destination: 'original_method', amount: price },
        cancellation: { by: 'customer', reason_code: 'too_slow', note: 'Rain' },
        cancellable: false,
      })
      expect(await finish(world, task_id)).toEqual(task)
    },
  )

  test('rejects a task that has started, and one that has ended', async () => {
    const { task_id } = await createTestTask(world)
    await advanceToTaskStatus(world, task_id, 'in_progress')
    expect(await world.refused('cancel_task', { task_id }, { as: 'member' })).toMatchObject({
      status: 409,
      code: 'not_cancellable',
      current_status: 'in_progress',
    })
    await finish(world, task_id)
    expect(await world.refused('cancel_task', { task_id }, { as: 'member' })).toMatchObject({
      code: 'not_cancellable',
      current_status: 'completed',
    })
  })

  test('gives the same response to the same key, and rejects a second cancel', async () => {
    const { task_id } = await createTestTask(world)
    const key = newKey()
    const first = await world.call('cancel_task', { task_id }, { as: 'member', key })
    const again = await world.call('cancel_task', { task_id }, { as: 'member', key })
    expect(again.text).toBe(first.text)
    expect(await world.refused('cancel_task', { task_id }, { as: 'member' })).toMatchObject({
      code: 'not_cancellable',
    })
    const { refund } = await world.ok('get_task', { task_id }, { as: 'member' })
    expect(refund?.amount).toEqual(gbp(1200))
  })

  test('needs no membership: a lapsed member can cancel', async () => {
    const { task_id } = await createTestTask(world)
    await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
    expect(await world.ok('get_task', { task_id }, { as: 'member' })).toMatchObject({ status: 'created' })
    expect(await world.ok('cancel_task', { task_id }, { as: 'member' })).toMatchObject({
      status: 'cancelled',
    })
  })

  test('does not know another’s task', async () => {
    const { task_id } = await createTestTask(world)
    expect(await world.refused('cancel_task', { task_id }, { as: 'everything' })).toMatchObject({
      code: 'task_not_found',
    })
  })
})
