import { AppError } from '../core/errors.ts'
import type { CommandContext } from './cli.ts'
import { shellQuote } from './output/shell.ts'
import { sanitizeForTerminal } from './output/text.ts'
import { confirmOrRefuse, type MissingInput } from './prompts.ts'

/** Asks for the name of a protected profile before a change. Throws AppError('not_confirmed'). */
export async function assertProfileConfirmed({
  settings,
  globals,
}: Pick<CommandContext, 'settings' | 'globals'>): Promise<void> {
  if (!settings.protected || globals.confirm.includes(settings.profile)) return
  throw new AppError(
    'not_confirmed',
    `The profile ${settings.profile} is protected, and this command changes something there.`,
    {
      hint: `Add --confirm ${settings.profile} to continue.`,
    },
  )
}

/** Returns what `--confirm` names besides a protected profile. */
export function namesGiven({ settings, globals }: Pick<CommandContext, 'settings' | 'globals'>): string[] {
  return globals.confirm.filter((name) => !settings.protected || name !== settings.profile)
}

/** Asks a yes-or-no question before a large change; `--yes` answers it. Throws AppError('not_confirmed'). */
export async function confirmYes(cli: CommandContext, question: string): Promise<void> {
  await assertProfileConfirmed(cli)
  if (cli.settings.yes) return
  await confirmByFlag(cli, question, { flag: '--yes' })
}

/**
 * Asks for a name before an irreversible action. `--confirm NAME` answers it, `--yes` does not; another name of the same
 * thing, `also`, does as well. Throws AppError('not_confirmed').
 */
export async function confirmName(
  cli: CommandContext,
  name: string,
  question = `${cli.spec.summary}: ${name}.`,
  also: readonly string[] = [],
): Promise<void> {
  if (cli.globals.confirm.some((given) => given === name || also.includes(given))) return
  const answer = { flag: '--confirm', value: name }
  const ask = await cli.ask()
  const others = namesGiven(cli)
  if (ask === undefined && others.length > 0) {
    const said = others.map((other) => `--confirm ${sanitizeForTerminal(other)}`).join(' ')
    throw new AppError('not_confirmed', `${question} ${said} does not match; nothing changed.`, {
      hint: `Add --confirm ${shellQuote(name)}.`,
    })
  }
  await confirmOrRefuse(ask, cli.argv, { question, flags: [answer], name, also })
  cli.answered.push(answer)
}

/**
 * Asks a yes-or-no question before a price that is probably a mistake. `--confirm NAME` answers it, `--yes` does not.
 * Throws AppError('not_confirmed').
 */
export async function confirmPrice(
  cli: CommandContext,
  name: string,
  question: string,
  also: readonly string[] = [],
): Promise<void> {
  if (namesGiven(cli).length > 0) return confirmName(cli, name, undefined, also)
  await confirmByFlag(cli, question, { flag: '--confirm', value: name })
}

/** Asks a yes-or-no question that one flag answers, whatever `--yes` says. Throws AppError('not_confirmed'). */
export async function confirmByFlag(
  cli: CommandContext,
  question: string,
  answer: MissingInput,
): Promise<void> {
  await confirmOrRefuse(await cli.ask(), cli.argv, { question, flags: [answer] })
  cli.answered.push(answer)
}
