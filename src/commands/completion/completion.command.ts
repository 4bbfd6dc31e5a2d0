import { readFile } from 'node:fs/promises'
import type { CommandContext } from '../../cli/cli.ts'
import type { FlagValues, Positional } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { isShell, SCRIPTS, SHELLS } from './shells.ts'

const SHELL = {
  name: 'shell',
  description: 'its name',
  required: true,
  choices: SHELLS,
} as const satisfies Positional

/** `dray completion <shell>`: prints the script of a shell, which asks `src/complete.ts` at each Tab. */
export const completion = defineCommand({
  words: 'completion',
  unshaped: true,
  summary: 'Print a shell completion script',
  description: [
    'To load it in every new shell: dray completion install. By hand:',
    'bash, in ~/.bashrc: eval "$(dray completion bash)"',
    'zsh, in ~/.zshrc after compinit: eval "$(dray completion zsh)"',
    'fish, once: dray completion fish > ~/.config/fish/completions/dray.fish',
    'PowerShell, in $PROFILE: dray completion powershell | Out-String | iex',
  ].join('\n'),
  positionals: [SHELL],
  examples: ['dray completion bash', 'dray completion zsh > ~/.zsh/completions/_dray'],
  run: printScript,
})

async function printScript(cli: CommandContext, { shell }: FlagValues<[], [typeof SHELL]>): Promise<number> {
  if (!isShell(shell)) {
    const what =
      shell === undefined
        ? 'dray completion needs the name of a shell'
        : `No completion for ${shell.slice(0, 60)}`
    throw new AppError('usage', `${what}: ${SHELLS.join(', ')}.`, {
      hint: '`dray completion --help` shows how to load it.',
    })
  }
  const script = await readFile(`${cli.runtime.root}/completions/${SCRIPTS[shell]}`, 'utf8')
  if (cli.settings.format === 'table') await cli.io.stdout.write(script)
  else await printResult(cli, { shell, script })
  return EXIT.ok
}
