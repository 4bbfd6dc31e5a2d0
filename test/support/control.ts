import { Check, Errors } from 'typebox/value'
import { type ControlAnswer, type ControlName, findControl } from '../../src/sandbox/control/index.ts'
import { invokeControl } from '../../src/sandbox/control/invoke.ts'
import type { TestWorld } from './world.ts'

/** Makes a control call in a test's world, and checks its response against the declared schema. */
export async function control<N extends ControlName>(
  world: TestWorld,
  name: N,
  input: Record<string, unknown> = {},
  { now = () => 0, seedOfChance = 0 }: { now?: () => number; seedOfChance?: number } = {},
): Promise<ControlAnswer<N>> {
  let drawn = seedOfChance
  const random = (count: number) => new Uint8Array(count).map(() => (drawn += 37) % 256)
  const value = await invokeControl(world.db, name, input, { now, random, env: {} })
  const called = await findControl(name)
  if (called === undefined || !Check(called.output, value)) {
    throw new Error(
      `${name} answers otherwise than it says: ${JSON.stringify(called && Errors(called.output, value))}`,
    )
  }
  return value
}
