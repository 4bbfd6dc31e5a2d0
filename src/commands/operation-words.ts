/** Replaces operation names in errors by the commands that people type. */
import { AppError } from '../core/errors.ts'
import { loadSpec, NAMES } from '../generated/registry.ts'

/** A call that a command makes for its own work: the person asked for that command. */
const REFUSED = new Set(['insufficient_scope', 'membership_required', 'agreement_required'])

/**
 * Returns the same error with `dray food quote` in place of each operation that it names: those of its field `operations`. A
 * error of the caller names the command that was typed, `words`, in its message.
 */
export async function inCommands(error: unknown, words?: string): Promise<unknown> {
  if (!(error instanceof AppError)) return error
  const { code, extra, hint } = error
  const commands = await commandsOf(extra['operations'])
  if (commands.length === 0) return error
  const message =
    REFUSED.has(code) && words !== undefined ? commands.map(([name]) => [name, words] as const) : commands
  return new AppError(code, withCommands(error.message, message), {
    errors: error.errors.map((each) => ({ ...each, detail: withCommands(each.detail, commands) })),
    extra,
    cause: error,
    ...(hint !== undefined && { hint: withCommands(hint, commands) }),
  })
}

type Command = readonly [operation: string, words: string]

/** Returns each operation with its command: the longest name first, because one may be the beginning of another. */
async function commandsOf(operations: unknown): Promise<Command[]> {
  const known = NAMES.filter((name) => Array.isArray(operations) && operations.includes(name))
  const commands = await Promise.all(
    known.map(async (name) => [name, (await loadSpec(name))?.words] as const),
  )
  return commands
    .filter((each): each is Command => each[1] !== undefined)
    .toSorted(([one], [other]) => other.length - one.length)
}

function withCommands(text: string, commands: readonly Command[]): string {
  return commands.reduce(
    (said, [name, words]) => said.replaceAll(`\`${name}\``, name).replaceAll(name, `\`dray ${words}\``),
    text,
  )
}
