import { readTextArgument } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { planUninstall } from './edit.ts'
import { change, SHELL } from './install.ts'

export const completionUninstall = defineCommand({
  words: 'completion uninstall',
  summary: 'Remove the completions from new shells',
  description:
    'Removes only the lines that `dray completion install` added. Shows them first and asks for confirmation in a terminal.',
  positionals: [SHELL],
  danger: 'write',
  answer: { fields: ['shell', 'path', 'action', 'lines'] },
  examples: ['dray completion uninstall', 'dray completion uninstall zsh --dry-run'],
  takes: ['dry-run'],
  run: (cli, args) => change(cli, 'completion uninstall', readTextArgument(args, 'shell'), planUninstall),
})
