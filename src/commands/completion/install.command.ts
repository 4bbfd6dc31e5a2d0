import { readTextArgument } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { planInstall } from './edit.ts'
import { change, SHELL } from './install.ts'

export const completionInstall = defineCommand({
  words: 'completion install',
  summary: 'Load completions in every new shell',
  description:
    'Adds lines to the shell’s start file: ~/.bashrc, ~/.zshrc, $PROFILE, or a separate file for fish. Shows the lines first and asks for confirmation in a terminal. The lines load the script of the installed program, so an update needs no new install. Repeating the command changes nothing.',
  positionals: [SHELL],
  danger: 'write',
  answer: { fields: ['shell', 'path', 'action', 'lines'] },
  examples: ['dray completion install', 'dray completion install zsh --dry-run'],
  takes: ['dry-run'],
  run: (cli, args) => change(cli, 'completion install', readTextArgument(args, 'shell'), planInstall),
})
