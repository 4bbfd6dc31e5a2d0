/** The global flags of each command: what its help lists it takes, and what its help does not list it refuses. */
import { describe, expect, test } from 'vitest'
import type { Command, Flag } from '../../src/cli/command.ts'
import { apiCommand } from '../../src/cli/commands/api.ts'
import { GLOBAL_FLAGS } from '../../src/cli/globals.ts'
import { renderCommandHelp } from '../../src/cli/help.ts'
import { parseArgs } from '../../src/cli/parse.ts'
import { AppError } from '../../src/errors.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { NAMES } from '../../src/generated/registry.ts'

const VALUES: Readonly<Record<string, string>> = { output: 'json', color: 'never', limit: '5' }

const commands = [
  ...Object.entries(COMMANDS).map(([words, { load }]) => ({ words, load })),
  ...NAMES.map((name) => ({ words: `api ${name}`, load: async () => apiCommand(name) })),
]

describe.each(commands)('dray $words', ({ load }) => {
  test('takes the global flags that its help lists, and refuses the others', async () => {
    const command = await load()
    const [, help = ''] = /GLOBAL FLAGS([^]*?)`dray help flags`/.exec(renderCommandHelp(command)) ?? []
    const own = new Set(command.flags.map(({ flag }) => flag))
    const names = GLOBAL_FLAGS.filter(({ flag }) => !own.has(flag))
    const listed = names.filter(({ flag }) => new RegExp(`--${flag}(?![\\w-])`).test(help))
    const refused = names.filter((flag) => refusalOf(command, flag) !== undefined)
    expect(refused).toEqual(names.filter((flag) => !listed.includes(flag)))
  })
})

/** Why a command does not take a flag; undefined when it does. */
function refusalOf(command: Command, flag: Flag): AppError | undefined {
  try {
    parseArgs(command, [`--${flag.flag}`, ...valueOf(flag)])
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.message.includes(`does not take --${flag.flag}.`)) return error
    throw error
  }
}

function valueOf({ kind, flag }: Flag): string[] {
  return kind === 'boolean' ? [] : [VALUES[flag] ?? 'x']
}

const PURCHASES = ['food order', 'rides request', 'delivery request', 'services book', 'tasks create']

test.each(PURCHASES)('the help of dray %s lists how to rehearse, cap and repeat it', async (words) => {
  const command = await COMMANDS[words]?.load()
  const help = command === undefined ? '' : renderCommandHelp(command)
  for (const flag of ['--scenario', '--dry-run', '--idempotency-key', '--new', '--max-total'])
    expect(help).toContain(flag)
})
