/** Makes tasks of the fixture's types and advances them. */
import { CARD, newKey } from './food.ts'
import type { TestSandbox } from './world.ts'

/** In the City, with people all around. */
export const SITE = { location: { latitude: 51.5129, longitude: -0.0864 }, name: 'Leadenhall' }

/** A question beside those of the task's type. */
export const QUESTION = {
  question_id: 'offer',
  prompt: 'Is there an offer?',
  answer_type: 'boolean',
  required: true,
}

export const SHELF = { store_name: 'Goosefoot Grocers', products: ['Oat milk 1 l'] }

export const MINUTE = 60_000

export type TaskWish = {
  as?: string
  scenario?: string
  /** Overrides of the quote's input. */
  over?: Record<string, unknown>
  /** Overrides of the confirm's input. */
  confirm?: Record<string, unknown>
}

/** Returns the input of a quote for a shelf audit, with overrides. */
export function taskInput(over: Record<string, unknown> = {}): Record<string, unknown> {
  return { task_type: 'shelf_audit', place: SITE, requirements: SHELF, ...over }
}

export function quoteTestTask(world: TestSandbox, over: Record<string, unknown> = {}, as = 'member') {
  return world.ok('quote_task', taskInput(over), { as })
}

/** Creates a paid task; by default a member's shelf audit in the City. */
export async function createTestTask(
  world: TestSandbox,
  { as = 'member', scenario, over, confirm }: TaskWish = {},
) {
  const { quote_id } = await quoteTestTask(world, over, as)
  return world.ok(
    'create_task',
    { quote_id, payment: CARD, ...confirm },
    { as, key: newKey(), ...(scenario !== undefined && { scenario }) },
  )
}

/** Advances the clock a minute at a time until the task has the status. Returns the task. */
export async function advanceToTaskStatus(
  world: TestSandbox,
  task_id: string,
  status: string,
  as = 'member',
) {
  for (let minute = 0; minute < 180; minute++) {
    const task = await world.ok('get_task', { task_id }, { as })
    if (task.status === status) return task
    await world.advance(MINUTE)
  }
  throw new Error(`${task_id} never was ${status}`)
}

/** Advances the clock by a number of minutes and returns the task. */
export async function finish(world: TestSandbox, task_id: string, as = 'member', minutes = 180) {
  await world.advance(minutes * MINUTE)
  return world.ok('get_task', { task_id }, { as })
}

export function evidenceOf(world: TestSandbox, task_id: string, as = 'member') {
  return world.ok('get_task_evidence', { task_id }, { as })
}
