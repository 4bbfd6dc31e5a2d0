import { text } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { planUninstall } from './edit.ts'
import { change, SHELL } from './install.ts'

export const completionUninstall = defineCommand({
  words: 'completion uninstall',
  summary: 'Take the completions out of new shells',
  description:
    'Removes the lines that `dray completion install` added, and nothing else. Shows them first and asks at a terminal.',
  positionals: [SHELL],
  danger: 'write',
  answer: { fields: ['shell', 'path', 'action', 'lines'] },
  examples: ['dray completion uninstall', 'dray completion uninstall zsh --dry-run'],
  takes: ['dry-run'],
  run: (cli, args) => change(cli, 'completion uninstall', text(args, 'shell'), planUninstall),
})
