import { AppError } from '../core/errors.ts'
import type { Cli } from './cli.ts'
import { shellQuote } from './output/shell.ts'
import { confirmOrRefuse } from './prompts.ts'

/** Asks for the name of a protected profile before a change. Throws AppError('not_confirmed'). */
export async function confirmProtected({
  settings,
  globals,
}: Pick<Cli, 'settings' | 'globals'>): Promise<void> {
  if (!settings.protected || globals.confirm === settings.profile) return
  throw new AppError(
    'not_confirmed',
    `The profile ${settings.profile} is protected; this command changes something there.`,
    {
      hint: `Add --confirm ${settings.profile} to go on.`,
    },
  )
}

/** Asks a yes-or-no question before a large change; `--yes` answers it. Throws AppError('not_confirmed'). */
export async function confirmYes(cli: Cli, question: string): Promise<void> {
  await confirmProtected(cli)
  if (cli.settings.yes) return
  await confirmOrRefuse(await cli.ask(), cli.argv, { question, flag: '--yes' })
  cli.answered.push({ flag: '--yes' })
}

/**
 * Asks for a name before an irreversible action. `--confirm NAME` answers it, `--yes` does not; another name of the same
 * thing, `also`, does as well. Throws AppError('not_confirmed').
 */
export async function confirmName(
  cli: Cli,
  name: string,
  question = `${cli.spec.summary}: ${name}.`,
  also: readonly string[] = [],
): Promise<void> {
  const given = cli.globals.confirm
  if (given === name || (given !== undefined && also.includes(given))) return
  if (given !== undefined) {
    throw new AppError('not_confirmed', `--confirm ${given} does not name what would change: ${name}.`, {
      hint: `Give --confirm ${shellQuote(name)}.`,
    })
  }
  await confirmOrRefuse(await cli.ask(), cli.argv, {
    question,
    flag: `--confirm ${name}`,
    name,
    also,
  })
  cli.answered.push({ flag: '--confirm', value: name })
}
