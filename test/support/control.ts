import { Check, Errors } from 'typebox/value'
import { AppError } from '../../src/core/errors.ts'
import { type ControlAnswer, type ControlName, findControl } from '../../src/sandbox/control/index.ts'
import { invokeControl } from '../../src/sandbox/control/invoke.ts'
import { controlCodes } from '../../src/server/openapi-sandbox.ts'
import type { TestSandbox } from './world.ts'

/** Makes a control call in a test's world, and checks its response and its error against the declaration. */
export async function callTestControl<N extends ControlName>(
  world: TestSandbox,
  name: N,
  input: Record<string, unknown> = {},
  { now = () => 0, seedOfChance = 0 }: { now?: () => number; seedOfChance?: number } = {},
): Promise<ControlAnswer<N>> {
  let drawn = seedOfChance
  const random = (count: number) => new Uint8Array(count).map(() => (drawn += 37) % 256)
  const called = await findControl(name)
  const value = await invokeControl(world.db, name, input, { now, random, env: {} }).catch(
    (error: unknown) => {
      if (error instanceof AppError && called !== undefined && !controlCodes(called).includes(error.code))
        throw new Error(`${name} refuses with a code that it does not declare`, { cause: error })
      throw error
    },
  )
  if (called === undefined || !Check(called.output, value)) {
    throw new Error(
      `${name} answers otherwise than it says: ${JSON.stringify(called && Errors(called.output, value))}`,
    )
  }
  return value
}

/** Runs the next events of a resource until one has happened. The clock stands still: what is made for one loop is in no other's way. */
export async function stepToEvent(world: TestSandbox, resource_id: string, event: string): Promise<void> {
  while ((await callTestControl(world, 'step_resource', { resource_id })).event !== event);
}
