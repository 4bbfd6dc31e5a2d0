/** The parts that `dray completion install` and `uninstall` share. */
import type { Cli } from '../../cli/cli.ts'
import type { Positional } from '../../cli/command.ts'
import { isForPeople } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { apply, type Change, type planInstall } from './edit.ts'
import { chooseShell, placeOf, SHELLS } from './shells.ts'

export const SHELL = {
  name: 'shell',
  description: 'its name; the one that you work in without it',
  choices: SHELLS,
} as const satisfies Positional

/** Plans a change of the shell's start-up file, carries it out unless it is a dry run, and says what was done. */
export async function change(cli: Cli, given: string | undefined, plan: typeof planInstall): Promise<number> {
  const edit = plan(placeOf(chooseShell(given, cli.runtime), cli.runtime))
  const { dryRun } = cli.globals
  if (!dryRun) await apply(edit, cli.runtime.pid)
  const { shell, path, action, lines } = edit.change
  if (isForPeople(cli) && lines.length > 0 && action !== 'unchanged')
    await cli.io.stdout.write(`${path}\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
  else {
    const planned = dryRun && action !== 'unchanged' ? `would be ${action}` : action
    await printResult(cli, { shell, path, action: planned, lines })
  }
  await cli.say(sentenceOf(edit.change, dryRun))
  return 0
}

function sentenceOf({ shell, path, action }: Change, dryRun: boolean): string {
  if (action === 'unchanged') return `Nothing to change in ${path}.`
  if (dryRun) return `Dry run: ${path} was not changed.`
  if (action === 'removed') return `The completions are no longer loaded by new shells: ${path}.`
  return `Every new ${shell} completes dray now. This one does, too, after: ${RELOAD[shell] ?? ''}`
}

const RELOAD: Readonly<Record<string, string>> = {
  bash: '. ~/.bashrc',
  zsh: 'exec zsh',
  fish: 'exec fish',
  powershell: '. $PROFILE',
}
