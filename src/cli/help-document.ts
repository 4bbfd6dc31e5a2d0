/** The help of a command, a group or the program as data, for `--json`. */
import type { CommandSpec, Flag, Positional } from './command.ts'
import { globalFlagsOf } from './globals.ts'
import { groupsOf, placeholderOf, type CommandSummary, summaryOf, usageOf } from './help.ts'
import type { Io } from './io.ts'
import { toJson } from './output/json.ts'

/** Returns the help of one command. */
export function commandDocument(spec: CommandSpec): object {
  const { words, summary, description, positionals, flags, examples, danger, operation } = spec
  return {
    command: `dray ${words}`,
    summary,
    description,
    usage: usageOf(spec),
    danger,
    operation: operation?.name,
    arguments: positionals.map(argumentDocument),
    flags: flags.filter(({ hidden }) => !hidden).map(flagDocument),
    global_flags: globalFlagsOf(spec).map(flagDocument),
    examples,
    subcommands: [],
  }
}

/** Returns the help of a group, or of the program for no words. */
export function groupDocument(words: string, commands: readonly CommandSummary[]): object {
  const name = words === '' ? 'dray' : `dray ${words}`
  const own = words === '' ? rootCommands(commands) : commands
  return {
    command: name,
    summary: summaryOf(words),
    usage: `${name} <command> [flags]`,
    subcommands: own.map((each) => ({ command: `dray ${each.words}`, summary: each.summary })),
  }
}

/** Writes help as one JSON document. */
export async function writeHelpDocument(document: object, io: Io): Promise<void> {
  await io.stdout.write(`${toJson(document, 2)}\n`)
}

/** Returns the groups and the commands without a group. */
function rootCommands(commands: readonly CommandSummary[]): CommandSummary[] {
  const { groups, single } = groupsOf(commands)
  return [...groups.map((words) => ({ words, summary: summaryOf(words) })), ...single]
}

function argumentDocument({ name, description, choices, required, repeat }: Positional): object {
  return { name, description, required: required === true, repeat: repeat === true, choices }
}

function flagDocument({ flag, short, kind, value, description, choices, required, repeat }: Flag): object {
  return {
    flag: `--${flag}`,
    short: short === undefined ? undefined : `-${short}`,
    value: kind === 'boolean' ? undefined : (value ?? placeholderOf(flag, kind)),
    description,
    required: required === true,
    repeat: repeat === true,
    choices,
  }
}
