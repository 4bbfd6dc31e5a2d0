/** The stories of the world page, played against a real world. */
import { expect, test } from 'vitest'
import { type Caller, STORIES } from '../../src/web/world/stories.ts'
import { callTestControl } from '../support/control.ts'
import { openTestSandbox } from '../support/world.ts'

test('each story makes just the calls that it announced', async () => {
  const world = await openTestSandbox()
  await callTestControl(world, 'advance_clock', { by: '3h' })
  let key = 0
  for (const { title, asks, play } of STORIES) {
    const made: string[] = []
    const call: Caller = async (as, operation, input, scenario) => {
      made.push(`${as} ${operation}`)
      const options = { as, key: `story-${++key}`, ...(scenario !== undefined && { scenario }) }
      return world.ok(operation, { ...input }, options)
    }
    const lines: string[] = []
    await play(call, (line) => lines.push(line))
    const announced = asks.flatMap(({ as, operations, times }) =>
      Array.from({ length: times }, () => operations.map((operation) => `${as} ${operation}`)).flat(),
    )
    expect([title, made.toSorted()]).toEqual([title, announced.toSorted()])
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join(' ')).not.toContain('No restaurant')
    // All that is under way ends before the next story: a customer has one ride at a time.
    await callTestControl(world, 'advance_clock', { by: '3h' })
  }
})
