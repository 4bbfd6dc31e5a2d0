/** The global flags of each command: what its help lists it takes, and what its help does not list it refuses. */
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Flag } from '../../src/cli/command.ts'
import { type Command, defineCommand } from '../../src/cli/define-command.ts'
import { GLOBAL_FLAGS, globalFlagsOf } from '../../src/cli/globals.ts'
import { renderCommandHelp } from '../../src/cli/help.ts'
import { parseArgs } from '../../src/cli/parse.ts'
import { apiCommand } from '../../src/commands/api.command.ts'
import { AppError } from '../../src/core/errors.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { load, NAMES } from '../../src/generated/registry.ts'

const VALUES: Readonly<Record<string, string>> = { output: 'json', color: 'never', limit: '5' }

const commands = [
  ...Object.entries(COMMANDS).map(([words, { load }]) => ({ words, load })),
  ...NAMES.map((name) => ({ words: `api ${name}`, load: async () => apiCommand(name) })),
]

test('each command and each operation takes the global flags that its help lists, and refuses the others', async () => {
  const faults: string[] = []
  for (const { words, load } of commands) {
    const command = await load()
    const [, help = ''] = /GLOBAL FLAGS([^]*?)`dray help flags`/.exec(renderCommandHelp(command)) ?? []
    const own = new Set(command.flags.map(({ flag }) => flag))
    for (const global of GLOBAL_FLAGS.filter(({ flag }) => !own.has(flag))) {
      const isListed = new RegExp(`--${global.flag}(?![\\w-])`).test(help)
      const isTaken = refusalOf(command, global) === undefined
      if (isListed !== isTaken)
        faults.push(
          `dray ${words} --${global.flag} is ${isTaken ? 'taken, not listed' : 'listed, not taken'}`,
        )
    }
  }
  expect(faults).toEqual([])
})

/** Returns the flags `--no-…` that a command takes: those of such a name, and the negations of the others. */
function negatives(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ flag, kind }) =>
    kind === 'boolean' ? [flag.startsWith('no-') ? `--${flag}` : `--no-${flag}`] : [],
  )
}

/** Returns the flags with a value that a flag beside them changes, in one order or the other. */
function lostBeside(command: Command): string[] {
  const flags = [...command.flags, ...globalFlagsOf(command)]
  const no = negatives(flags)
  if (!no.includes('--no-input')) return ['--no-input is not taken']
  if (new Set(no).size < no.length) return [`a negation is another flag: ${no.join(' ')}`]
  const empty = parseArgs(command, [])
  const without = parseArgs(command, no)
  return flags.flatMap(({ flag, kind, choices }) => {
    if (kind === 'boolean') return []
    const typed = [`--${flag}`, choices?.[0] ?? '5']
    const alone = parseArgs(command, typed)
    const expected = {
      args: { ...without.args, ...changed(empty.args, alone.args) },
      globals: { ...without.globals, ...changed(empty.globals, alone.globals) },
    }
    const both = [parseArgs(command, [...no, ...typed]), parseArgs(command, [...typed, ...no])]
    const isKept = !isDeepStrictEqual(alone, empty) && both.every((each) => isDeepStrictEqual(each, expected))
    return isKept ? [] : [`--${flag} is lost beside ${no.join(' ')}`]
  })
}

test('each command and each operation keeps the value of each flag beside each flag that begins with no', async () => {
  const faults: string[] = []
  for (const { words, load } of commands)
    faults.push(...lostBeside(await load()).map((fault) => `dray ${words}: ${fault}`))
  expect(faults).toEqual([])
})

/** Returns the fields that differ from the earlier ones. */
function changed(before: object, after: object): object {
  const old = before as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, old[name])),
  )
}

test('a flag that begins with no says that it was typed', () => {
  const browsing = defineCommand({
    words: 'open',
    summary: 'Open',
    flags: [{ flag: 'no-browser', kind: 'boolean', description: '' }],
    run: async () => 0,
  })
  const { args, globals } = parseArgs(browsing, ['--no-browser', '--no-pager', '--no-input'])
  expect([args['no-browser'], globals.noPager, globals.noInput]).toEqual([true, true, true])
  expect(parseArgs(browsing, []).globals).toMatchObject({ noPager: false, noInput: false })
})

/** Returns why a command rejects a flag; undefined when it accepts it. */
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

/** The operations whose inputs a command's flags fill, and its flags that fill none. */
const OWN_WORDS: Readonly<Record<string, { fills: readonly string[]; others?: readonly string[] }>> = {
  'food quote': { fills: ['quote_food_order'], others: ['basket', 'again', 'near'] },
  'food order': { fills: ['quote_food_order', 'place_food_order'], others: ['basket', 'again', 'near'] },
  'rides quote': { fills: ['quote_ride'] },
  'rides request': { fills: ['quote_ride', 'request_ride'] },
  'delivery quote': { fills: ['quote_delivery'] },
  'delivery request': { fills: ['quote_delivery', 'request_delivery'] },
  'services slots': { fills: ['get_provider_availability'], others: ['near'] },
  'services quote': { fills: ['quote_service'], others: ['near'] },
  'services book': { fills: ['quote_service', 'book_service'], others: ['near'] },
  'tasks quote': { fills: ['quote_task'], others: ['requirements', 'rules'] },
  'tasks create': { fills: ['quote_task', 'create_task'], others: ['requirements', 'rules'] },
}

type Schema = { properties?: Readonly<Record<string, Schema>> }

function holds(schema: Schema | undefined, place: string): boolean {
  const found = place.split('.').reduce<Schema | undefined>((at, name) => at?.properties?.[name], schema)
  return found !== undefined
}

test.each(Object.entries(OWN_WORDS))(
  'each flag of dray %s says which field it fills, so that errors name the flag',
  async (words, { fills, others = [] }) => {
    const command = await COMMANDS[words]?.load()
    const inputs = await Promise.all(fills.map(async (name) => (await load(name))?.operation.input as Schema))
    const unnamed = (command?.flags ?? []).filter(
      ({ field = '', fieldPath: place = field }) =>
        !place.split(',').every((each) => inputs.some((input) => holds(input, each))),
    )
    expect(unnamed.map(({ flag }) => flag).filter((flag) => flag !== 'max-total')).toEqual(others)
  },
)
