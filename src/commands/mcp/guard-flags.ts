/** The flags of `dray mcp` that are about money. */
import type { Flag } from '../../cli/command.ts'

export const GUARD_FLAGS = [
  {
    flag: 'max-spend',
    kind: 'text',
    value: '50GBP/day',
    repeat: true,
    description: 'buy no more than this in an hour, a day or a week, or in all without a period',
  },
  {
    flag: 'confirm',
    kind: 'boolean',
    description:
      'ask a person before anything is bought, deleted or paid back, also in the sandbox of this machine',
  },
  {
    flag: 'allow-confirm',
    kind: 'boolean',
    description:
      'let agents buy and change prices without a person, also at a service and with a protected profile',
  },
  {
    flag: 'audit',
    kind: 'text',
    value: 'FILE',
    opens: 'make',
    description: 'file in which each call is noted, before and after; one of the state folder without it',
  },
] as const satisfies readonly Flag[]
