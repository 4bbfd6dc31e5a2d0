/** The parts that `dray completion install` and `uninstall` share. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Positional } from '../../cli/command.ts'
import { hasColour, makePaint } from '../../cli/output/colour.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import { confirmOrRefuse } from '../../cli/prompts.ts'
import {
  applyStartupFileEdit,
  type StartupFileChange,
  type StartupFileEdit,
  type planInstall,
} from './edit.ts'
import { chooseShell, locateStartupFile, SHELLS } from './shells.ts'

export const SHELL = {
  name: 'shell',
  description: 'shell name. Default: the current shell',
  choices: SHELLS,
} as const satisfies Positional

/** Plans a change of the shell's start-up file, carries it out unless it is a dry run, and says what was done. */
export async function change(
  cli: CommandContext,
  command: string,
  given: string | undefined,
  plan: typeof planInstall,
): Promise<number> {
  const edit = plan(locateStartupFile(chooseShell(given, cli.runtime, command), cli.runtime))
  const { dryRun } = cli.globals
  const { shell, path, action, lines } = edit.change
  const isShown = !dryRun && action !== 'unchanged' && (await confirmStartupFileEdit(cli, edit))
  if (!dryRun) await applyStartupFileEdit(edit, cli.runtime.pid)
  if (isInteractiveTable(cli) && isShown) return said(cli, edit.change)
  if (isInteractiveTable(cli) && lines.length > 0 && action !== 'unchanged')
    await cli.io.stdout.write(`${path}\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
  else {
    const planned = dryRun && action !== 'unchanged' ? `would be ${action}` : action
    await printResult(cli, { shell, path, action: planned, lines })
  }
  return said(cli, edit.change)
}

async function said(cli: CommandContext, change: StartupFileChange): Promise<number> {
  await cli.say(sentenceOf(change, cli.globals.dryRun))
  return 0
}

/** Shows the change at a terminal and asks; a script is not asked, for it named the command. Returns whether it asked. */
async function confirmStartupFileEdit(
  cli: CommandContext,
  { change: { path, action, lines }, old }: StartupFileEdit,
): Promise<boolean> {
  const ask = cli.settings.yes ? undefined : await cli.ask()
  if (ask === undefined) return false
  const style = makePaint(hasColour(cli.io.stderr, cli.io.env, cli.settings.color))
  const shown = [
    ...old.map((line) => style.red(`- ${sanitizeForTerminal(line)}`)),
    ...lines.map((line) => style.green(`+ ${sanitizeForTerminal(line)}`)),
  ]
  await cli.io.stderr.write(`${sanitizeForTerminal(path)}\n${shown.join('\n')}\n`)
  const question = action === 'removed' ? 'Remove these lines from this file?' : 'Change this file?'
  await confirmOrRefuse(ask, cli.argv, { question, flags: [{ flag: '--yes' }] })
  cli.answered.push({ flag: '--yes' })
  return true
}

function sentenceOf({ shell, path, action }: StartupFileChange, dryRun: boolean): string {
  if (action === 'unchanged') return `Nothing to change in ${path}.`
  if (dryRun) return `Dry run: ${path} was not changed.`
  if (action === 'removed') return `New shells no longer load the completions: ${path}.`
  return `Completion now works in every new ${shell}. For this one, run: ${RELOAD[shell] ?? ''}`
}

const RELOAD: Readonly<Record<string, string>> = {
  bash: '. ~/.bashrc',
  zsh: 'exec zsh',
  fish: 'exec fish',
  powershell: '. $PROFILE',
}
