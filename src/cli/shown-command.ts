/** The command as help shows it for its target service. */
import { AppError } from '../core/errors.ts'
import { TEST_CARDS_NOTE } from '../core/test-cards.ts'
import type { CommandSpec } from './command.ts'
import type { Globals } from './globals.ts'
import { canUseTestCards } from './payment.ts'
import type { Runtime } from './runtime.ts'
import { resolveSettings } from './settings.ts'

/** Removes the test cards unless the command goes to a sandbox, because they only work there. */
export async function shownCommand(
  spec: CommandSpec,
  globals: () => Promise<Globals>,
  runtime: Runtime,
): Promise<CommandSpec> {
  const names = spec.flags.some(({ description }) => description.includes(TEST_CARDS_NOTE))
  if (!names || (await goesToSandbox(spec, globals, runtime))) return spec
  const flags = spec.flags.map((flag) => ({
    ...flag,
    description: flag.description.replace(TEST_CARDS_NOTE, ''),
  }))
  return { ...spec, flags }
}

/** Parses the flags of a line that asks for a command's help. Throws AppError('usage'). */
export async function helpGlobals(spec: CommandSpec, argv: readonly string[]): Promise<Globals> {
  const { parseArgs } = await import('./parse.ts')
  return parseArgs(
    spec,
    argv.filter((word) => word !== '--help' && word !== '-h'),
  ).globals
}

/**
 * Returns whether the command goes to a sandbox; false for an invalid line or configuration, because help must still
 * work.
 */
async function goesToSandbox(
  spec: CommandSpec,
  globals: () => Promise<Globals>,
  runtime: Runtime,
): Promise<boolean> {
  try {
    return canUseTestCards({ settings: resolveSettings(await globals(), runtime, spec.words) })
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
