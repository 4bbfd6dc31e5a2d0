/** A command as its help shows it, for the service that it would go to. */
import { AppError } from '../core/errors.ts'
import { TEST_CARDS_NOTE } from '../core/test-cards.ts'
import type { CommandSpec } from './command.ts'
import type { Globals } from './globals.ts'
import { isSandbox } from './payment.ts'
import type { Runtime } from './runtime.ts'
import { resolveSettings } from './settings.ts'

/** Leaves the test cards out unless the command goes to a sandbox: elsewhere they pay nothing. */
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

/** The flags of a line that asks for the help of a command. Throws AppError('usage'). */
export async function helpGlobals(spec: CommandSpec, argv: readonly string[]): Promise<Globals> {
  const { parseArgs } = await import('./parse.ts')
  return parseArgs(
    spec,
    argv.filter((word) => word !== '--help' && word !== '-h'),
  ).globals
}

/** False, too, for a line or a configuration that cannot be read: help is given all the same. */
async function goesToSandbox(
  spec: CommandSpec,
  globals: () => Promise<Globals>,
  runtime: Runtime,
): Promise<boolean> {
  try {
    return isSandbox({ settings: resolveSettings(await globals(), runtime, spec.words) })
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
