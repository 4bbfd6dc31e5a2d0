/** The entry `dray/testing`: sandboxes in this process. To import it does nothing else. */
import { completeNode } from './older-node.ts'
import { MACHINE } from './runtime.ts'
import type { SandboxOptions } from './testing-types.ts'
import type * as types from './testing-types.ts'
import type { SandboxDb } from './worlds.ts'

export { AppError as DrayError } from '../core/errors.ts'

/** Modules that use what `completeNode` defines are loaded after it. */
const load = async () => {
  await completeNode()
  return Promise.all([import('./options.ts'), import('./worlds.ts'), import('./sandbox.ts')])
}

type Make = 'forkSandbox' | 'borrowSandbox'

async function open(make: Make, options: SandboxOptions): Promise<types.Sandbox> {
  const [{ readOptions, seededBytes }, worlds, { openSandboxOver }] = await load()
  const { recipe, http } = readOptions(options)
  const world: SandboxDb = await worlds[make](recipe, MACHINE.random)
  try {
    return await openSandboxOver(recipe, world, { ...MACHINE, newBytes: seededBytes(recipe.seed) }, http)
  } catch (error) {
    await world.end()
    throw error
  }
}

export const startSandbox = (async (options: SandboxOptions = {}) =>
  open('forkSandbox', options)) as typeof types.startSandbox

export const withSandbox = (async (options: SandboxOptions, work: (sandbox: types.Sandbox) => unknown) => {
  const sandbox = await open('borrowSandbox', options)
  // No `await using`: Node 22 must be able to read this file, to say that it is too old.
  try {
    return await work(sandbox)
  } finally {
    await sandbox.close()
  }
}) as typeof types.withSandbox

export const sandboxTest = ((
  test: (name: string, run: (...context: unknown[]) => Promise<void>, ...rest: unknown[]) => unknown,
  options: SandboxOptions = {},
) =>
  (name: string, work: (sandbox: types.Sandbox, ...context: unknown[]) => unknown, ...rest: unknown[]) =>
    // Without parameters of its own: jest would hand a function that takes one a callback, and wait for it.
    test(
      name,
      (...context) =>
        withSandbox(options, async (sandbox) => {
          await work(sandbox, ...context)
        }),
      ...rest,
    )) as unknown as typeof types.sandboxTest
