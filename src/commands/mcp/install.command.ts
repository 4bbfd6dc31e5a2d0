import { resolve } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { shownStore } from '../../cli/explain.ts'
import { hasColour } from '../../cli/output/colour.ts'
import { commandLine } from '../../cli/output/shell.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import { confirmOrRefuse, missingInputError } from '../../cli/prompts.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { TOOLSETS } from '../../generated/toolsets.ts'
import { parseSpendLimit } from '../../mcp/spend.ts'
import { formatTextDiff } from './difference.ts'
import { readProgramFile, replaceFile } from './install.ts'
import type { ServerEntry } from './install.ts'
import { setEntry, snippet } from './json-text.ts'
import { readNames } from './names.ts'
import { resolveMcpClient, userEnvironment, MCP_CLIENT_NAMES } from './programs.ts'
import type { CommandProgram, FileProgram } from './programs.ts'
import { countTools, fitToolsets } from './tool-limit.ts'
import type { ToolLimit } from './tool-limit.ts'

const PROGRAM = {
  name: 'program',
  description: 'name of the program',
  required: true,
  choices: MCP_CLIENT_NAMES,
} as const

const FLAGS = [
  { flag: 'read-only', kind: 'boolean', description: 'only the tools that look and price' },
  {
    flag: 'toolsets',
    kind: 'text',
    value: 'AREA,…',
    description: `only these toolsets: ${TOOLSETS.join(', ')}`,
  },
  {
    flag: 'max-spend',
    kind: 'text',
    value: '50GBP/day',
    repeat: true,
    description: 'spending limit per hour, day or week, or in total without a period',
  },
  {
    flag: 'name',
    kind: 'text',
    value: 'NAME',
    description: 'server name in the MCP client. Default: dray',
  },
  {
    flag: 'file',
    kind: 'text',
    value: 'FILE',
    fileAccess: 'make',
    description: 'configuration file, if not the client’s default one',
  },
] as const satisfies readonly Flag[]

type Flags = FlagValues<typeof FLAGS>

/** `dray mcp install`: tells an MCP client to start `dray mcp`. */
export const mcpInstall = defineCommand({
  words: 'mcp install',
  summary: 'Add dray to an MCP client’s configuration',
  description:
    'Adds the command `dray mcp` to the client’s configuration file. Shows the change first and asks; the rest of the file stays byte for byte the same, and a backup copy is kept next to it. If the file cannot be changed safely, it is not changed and dray shows the lines to add. Repeating the command changes nothing. Codex changes its file itself: for it dray prints the command `codex mcp add` to run, and exits 2 with --yes.',
  danger: 'write',
  answer: {
    fields: ['program', 'file', 'name', 'entry.*', 'tools', 'tool_limit', 'backup', 'command', 'changed'],
  },
  takes: ['dry-run'],
  positionals: [PROGRAM],
  flags: FLAGS,
  examples: [
    'dray mcp install claude-code',
    'dray mcp install claude-desktop --toolsets food,rides --max-spend 50GBP/day --dry-run',
    'dray mcp install codex --profile work --read-only',
  ],
  run: install,
})

async function install(
  cli: CommandContext,
  args: FlagValues<typeof FLAGS, [typeof PROGRAM]>,
): Promise<number> {
  const given = args.program
  if (given === undefined)
    throw missingInputError(cli.argv, [
      { flag: 'PROGRAM', description: `one of ${MCP_CLIENT_NAMES.join(', ')}` },
    ])
  const program = resolveMcpClient(given)
  const name = readName(args)
  const choice = readChoice(args)
  const server = { name, choice, flagsFor: flagsOf(cli, args, choice) }
  return 'addCommand' in program
    ? printAddCommand(cli, args, program, server)
    : changeFile(cli, args, program, server)
}

/** The server to add, before the areas are chosen. */
type NewServer = { name: string; choice: ToolLimit; flagsFor: (toolsets: readonly string[]) => string[] }

/**
 * Prints the command by which the program adds the server itself. Throws AppError('usage') where nobody is there to run
 * it.
 */
async function printAddCommand(
  cli: CommandContext,
  args: Flags,
  program: CommandProgram,
  { name, choice, flagsFor }: NewServer,
): Promise<number> {
  const { io, settings, globals } = cli
  const { title, addCommand, next, toolLimit } = program
  if (args.file !== undefined)
    throw new AppError('usage', `${title} changes its file itself: leave out --file.`)
  const toolsets = await fitToolsets(cli, program, choice)
  const entry = entryOf(cli, flagsFor(toolsets))
  const variables = Object.entries(entry.env ?? {}).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  const command = commandLine([...addCommand, name, ...variables, '--', entry.command, ...entry.args])
  const isTable = settings.format === 'table'
  if (settings.yes) {
    if (isTable) await io.stderr.write(`${command}\n\n`)
    throw new AppError('usage', `${title} changes its file itself, so nothing was changed.`, {
      hint: isTable ? 'Run the command above.' : 'Run the command.',
      extra: { command },
    })
  }
  const tools = countTools({ ...choice, toolsets })
  const told = `Run this command to set up ${title} with ${tools} tools. ${next}`
  // One line without a table, so that a person can copy it, and a shell can run it.
  if (isTable && globals.fields === undefined && globals.query === undefined) {
    await io.stdout.write(`${command}\n`)
    await cli.say(told)
    return EXIT.ok
  }
  const result = { program: program.name, file: null, name, entry, tools, tool_limit: toolLimit ?? null }
  return print(cli, { ...result, backup: null, command, changed: false }, told)
}

/** Adds the server to the program's file, after showing the change and asking. Throws AppError. */
async function changeFile(
  cli: CommandContext,
  args: Flags,
  program: FileProgram,
  { name, choice, flagsFor }: NewServer,
): Promise<number> {
  const { runtime, settings, globals, io } = cli
  const file = fileOf(cli, args, program)
  const before = readProgramFile(file)
  const toolsets = await fitToolsets(cli, program, choice)
  const entry = { ...(program.typed && { type: 'stdio' as const }), ...entryOf(cli, flagsFor(toolsets)) }
  const change = setEntry(before ?? '', program.section, name, entry)
  if (change.kind === 'refused')
    throw await leftAlone(cli, `${file} ${change.why}`, snippet(program.section, name, entry))
  const tools = countTools({ ...choice, toolsets })
  const result = {
    program: program.name,
    file,
    name,
    entry,
    tools,
    tool_limit: program.toolLimit ?? null,
    backup: null as string | null,
    command: null,
  }
  if (change.kind === 'same') {
    return print(
      cli,
      { ...result, changed: false },
      `${program.title} already has this configuration: nothing changed.`,
    )
  }
  const verb = before === undefined ? 'Make' : 'Change'
  if (settings.format === 'table') {
    const shown = formatTextDiff(before ?? '', change.text, hasColour(io.stderr, io.env, settings.color))
    await io.stderr.write(`${file}\n${shown}\n\n`)
  }
  if (globals.dryRun) return print(cli, { ...result, changed: false }, 'Dry run: nothing was written.')
  if (!settings.yes)
    await confirmOrRefuse(await cli.ask(), cli.argv, {
      question: `${verb} this file?`,
      flags: [{ flag: '--yes' }],
    })
  const backup = replaceFile(file, before, change.text, runtime.now())
  const kept = backup === null ? '' : ` The previous file is saved as ${backup}.`
  return print(
    cli,
    { ...result, backup, changed: true },
    `${program.title} is set up with ${tools} tools.${kept} ${program.next}`,
  )
}

/** Returns the error of a file that cannot be changed safely, after showing what to put there. */
async function leftAlone({ io, settings }: CommandContext, why: string, lines: string): Promise<AppError> {
  const isTable = settings.format === 'table'
  // Separate lines, so that a person can copy them: a hint has one line.
  if (isTable) await io.stderr.write(`${sanitizeForTerminal(lines, { multiline: true })}\n\n`)
  return new AppError('file_error', `${why}. The file was not changed.`, {
    hint: isTable ? 'Add the lines above by hand.' : 'Add the snippet by hand.',
    extra: { snippet: lines },
  })
}

async function print(cli: CommandContext, result: Record<string, unknown>, told: string): Promise<number> {
  await printResult(cli, result, {
    columns: [{ field: 'program' }, { field: 'file' }, { field: 'name' }, { field: 'changed' }],
    told,
  })
  return EXIT.ok
}

function readName(args: Flags): string {
  const name = args.name ?? 'dray'
  if (/^[a-z0-9][a-z0-9_-]{0,31}$/i.test(name)) return name
  throw new AppError('usage', '--name may have letters, digits, - and _, at most 32 characters.')
}

function fileOf({ runtime }: CommandContext, args: Flags, program: FileProgram): string {
  const { file } = args
  if (file === '') throw new AppError('usage', '--file needs a file name.')
  return file === undefined
    ? program.file(userEnvironment(runtime.env, process.platform))
    : resolve(runtime.cwd, file)
}

/** Returns absolute paths: a program with windows does not know the PATH of a shell. */
function entryOf(cli: CommandContext, flags: readonly string[]): ServerEntry {
  const { runtime } = cli
  const home = runtime.env['DRAY_HOME']
  return {
    command: process.execPath,
    args: [resolve(runtime.root, 'bin/dray.js'), 'mcp', ...flags],
    ...(home !== undefined && home !== '' && { env: { DRAY_HOME: resolve(runtime.cwd, home) } }),
  }
}

/** Returns which tools were requested; no area means all. Throws AppError('usage'). */
function readChoice(args: Flags): ToolLimit {
  const choice = { readOnly: args['read-only'] === true, toolsets: readNames('toolsets', args.toolsets) }
  countTools(choice)
  return choice
}

/**
 * Checks the flags as `dray mcp` does: a program that starts it would only report that it ended. Returns them with the
 * areas that are chosen later. Throws AppError('usage').
 */
function flagsOf(
  { settings, globals }: CommandContext,
  args: Flags,
  { readOnly }: ToolLimit,
): (toolsets: readonly string[]) => string[] {
  const limits = args['max-spend'] ?? []
  for (const limit of limits) parseSpendLimit(limit)
  const { sources, profile } = settings
  const where = {
    profile: sources.profile === 'flag' || sources.profile === 'environment' ? profile : undefined,
    as: globals.as,
    store:
      globals.store === undefined || settings.target.kind === 'remote'
        ? undefined
        : withoutPassword(settings.target.store),
    'base-url': globals.baseUrl,
  }
  return (toolsets) => [
    ...Object.entries(where).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value])),
    ...(readOnly ? ['--read-only'] : []),
    ...(toolsets.length === 0 ? [] : ['--toolsets', toolsets.join(',')]),
    ...limits.flatMap((limit) => ['--max-spend', limit]),
  ]
}

/** Throws AppError('usage') for an address with a password: others can read the program's file and the process list. */
function withoutPassword(store: string): string {
  const shown = shownStore(store)
  if (shown === store || !shown.includes('***')) return store
  throw new AppError('usage', 'The URL in --store has a password, which would be saved in the file.', {
    hint: 'Use a profile instead: `dray profile add NAME --store URL`, then the same command with --profile NAME.',
  })
}
