import { text } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { planInstall } from './edit.ts'
import { change, SHELL } from './install.ts'

export const completionInstall = defineCommand({
  words: 'completion install',
  summary: 'Load the completions in every new shell',
  description:
    'Adds some lines to the file that the shell reads when it starts: ~/.bashrc, ~/.zshrc, $PROFILE, or a file of its own for fish. Shows the lines first and asks at a terminal. They load the script of this program, so an update needs no new install. Doing it again changes nothing.',
  positionals: [SHELL],
  danger: 'write',
  answer: { fields: ['shell', 'path', 'action', 'lines'] },
  examples: ['dray completion install', 'dray completion install zsh --dry-run'],
  takes: ['dry-run'],
  run: (cli, args) => change(cli, 'completion install', text(args, 'shell'), planInstall),
})
