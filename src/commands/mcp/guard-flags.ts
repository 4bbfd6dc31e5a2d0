/** The flags of `dray mcp` that are about money. */
import type { Flag } from '../../cli/command.ts'

export const GUARD_FLAGS = [
  {
    flag: 'max-spend',
    kind: 'text',
    value: '50GBP/day',
    repeat: true,
    description: 'spending limit per hour, day or week, or in total without a period',
  },
  {
    flag: 'confirm',
    kind: 'boolean',
    description:
      'ask the user before anything is bought, deleted or refunded, even in the sandbox of this machine',
  },
  {
    flag: 'allow-confirm',
    kind: 'boolean',
    description:
      'let agents buy and change prices without asking, even on a server and with a protected profile',
  },
  {
    flag: 'audit',
    kind: 'text',
    value: 'FILE',
    fileAccess: 'make',
    description: 'audit file for all calls, before and after. Default: a file in the state folder',
  },
] as const satisfies readonly Flag[]
