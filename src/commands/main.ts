/** One command, from its arguments to its exit code. Its steps: docs/layout.md#one-command-step-by-step. */
import type { CompletedChange } from '../cli/calls/done.ts'
import type { CommandContext } from '../cli/cli.ts'
import type { Args } from '../cli/command.ts'
import type { Command } from '../cli/define-command.ts'
import { shownStore } from '../cli/explain.ts'
import { InterruptedError, type Io, PipeClosed } from '../cli/io.ts'
import type { Prompts } from '../cli/questions.ts'
import { findArgument, parseCommandRoute } from '../cli/route.ts'
import type { Runtime } from '../cli/runtime.ts'
import { resolveSettings, type Settings } from '../cli/settings.ts'
import type { HelpOptions } from '../cli/show-help.ts'
import { assertUtf8 } from '../cli/utf8.ts'
import type { Client } from '../client/client.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { COMMANDS } from '../generated/commands.ts'
import type { Recorder } from './scenario/record.ts'

/** Runs a command line and returns the exit code; never throws. */
export async function main(argv: readonly string[], runtime: Runtime, io: Io): Promise<number> {
  const found: CommandProgress = { done: [], isPrinted: false }
  try {
    return await dispatch(argv, runtime, withNoteOf(found, io), found)
  } catch (error) {
    return report(error, argv, found, { runtime, io })
  }
}

/** The parsed part of a command line and what it did, which the error message of a failure needs. */
type CommandProgress = {
  command?: Command
  globals?: CommandContext['globals']
  cli?: CommandContext
  settings?: Settings
  /** The changes that were made. */
  done: CompletedChange[]
  /** True if something is on stdout. */
  isPrinted: boolean
}

/** Returns the same streams; what is written to stdout is noted. */
function withNoteOf(found: CommandProgress, io: Io): Io {
  const stdout = Object.create(io.stdout, {
    write: {
      value: (text: string | Uint8Array) => {
        found.isPrinted = true
        return io.stdout.write(text)
      },
    },
  }) as Io['stdout']
  return { ...io, stdout }
}

async function dispatch(
  argv: readonly string[],
  runtime: Runtime,
  io: Io,
  found: CommandProgress,
): Promise<number> {
  assertUtf8(argv, runtime.env)
  const route = parseCommandRoute(argv)
  if (route.kind === 'unknown') {
    const { unknownCommand } = await import('../cli/unknown.ts')
    throw unknownCommand(route.words, route.token, argv)
  }
  if (route.kind === 'group') {
    const { printGroupHelp } = await import('../cli/unknown.ts')
    return printGroupHelp(route, io, wantsJson(argv, runtime), helpOptions(argv))
  }
  const { command, rest } = await loadCommand(route.words, route.rest)
  found.command = command
  if (rest.includes('--help') || rest.includes('-h')) {
    const [{ printCommandHelp }, { helpGlobals, shownCommand }] = await Promise.all([
      import('../cli/show-help.ts'),
      import('../cli/shown-command.ts'),
    ])
    const shown = await shownCommand(command, () => helpGlobals(command, rest), runtime)
    await printCommandHelp(shown, io, helpOptions(argv))
    return EXIT.ok
  }
  return run(command, { rest, argv }, { runtime, io }, found)
}

/** Returns the typed command; for `api`, that of the operation. */
async function loadCommand(words: string, rest: string[]): Promise<{ command: Command; rest: string[] }> {
  const command = await COMMANDS[words]?.load()
  if (command === undefined) throw new Error(`no command ${words}`)
  const at = words === 'api' ? findArgument(rest, ['--input']) : -1
  if (at === -1) return { command, rest }
  const { apiCommand } = await import('./api.command.ts')
  return { command: await apiCommand(rest[at] ?? ''), rest: rest.toSpliced(at, 1) }
}

/** Parses, resolves the service, runs the command, and closes what it opened. */
async function run(
  command: Command,
  { rest, argv }: { rest: readonly string[]; argv: readonly string[] },
  { runtime, io }: { runtime: Runtime; io: Io },
  found: CommandProgress,
): Promise<number> {
  const { parseArgs } = await import('../cli/parse.ts')
  const { args, globals } = parseArgs(command, rest)
  found.globals = globals
  const settings = resolveSettings(globals, runtime, command.words)
  found.settings = settings
  const say = async (text: string): Promise<void> =>
    globals.quiet ? undefined : writeNotice(await inWorldOf(found, text), io, settings)
  for (const warning of settings.warnings) await say(`warning: ${warning}`)
  const listed = await checkAnswer(command, args, globals, { settings, runtime })
  if (listed !== undefined) return printFields(listed, io, settings)
  let client: Promise<Client> | undefined
  let questions: Prompts | undefined
  let told: Promise<void> | undefined
  const cli: CommandContext = {
    io,
    runtime,
    globals,
    settings,
    spec: command,
    args,
    argv,
    answered: [],
    warnings: [],
    say,
    async ask() {
      const { openPrompts } = await import('../cli/prompts.ts')
      // All questions share one reader: input that was typed ahead answers the next question.
      return (questions ??= openPrompts(io, { ...settings, json: globals.json, output: settings.format }))
    },
    client: () =>
      (client ??= open()
        .then((opened) => (command.danger === 'read' ? opened : noting(opened, found)))
        .then((opened) => (recorder === undefined ? opened : recorder.listenTo(opened)))
        .then((opened) => (io.stdout.isTTY ? notice(opened, cli) : opened))),
  }
  const open = (): Promise<Client> =>
    runtime.openClient(settings.target, {
      firstRun: (store) => void (told = printFirstRun(store, runtime.env['DRAY_NOW'], say)),
      debug: (line) => {
        if (settings.debug) void io.stderr.write(`${line}\n`)
      },
      warn: (line) => void say(`warning: ${line}`),
    })
  const recorder = globals.record === undefined ? undefined : await openRecorder(globals.record, cli)
  try {
    return await runRecording(recorder, say, () => runAsking(command, cli, args, found))
  } finally {
    await told
    await (await client?.catch(() => undefined))?.close()
  }
}

/** Prints what `--fields help` lists. */
async function printFields(names: readonly string[], { stdout }: Io, { format }: Settings): Promise<number> {
  const { formatFieldList } = await import('../cli/output/formats.ts')
  await stdout.write(formatFieldList(names, format))
  return EXIT.ok
}

/**
 * Checks the flags that say in what form or in which file the answer goes, and how much it may cost; most command lines have
 * none. Returns the names for `--fields help`. Throws AppError('usage' | 'file_error').
 */
async function checkAnswer(
  command: Command,
  args: Args,
  globals: CommandContext['globals'],
  { settings, runtime }: Pick<CommandContext, 'settings' | 'runtime'>,
): Promise<readonly string[] | undefined> {
  const limit = limitOf(command, args, settings)
  const opens =
    command.flags.some(({ flag, fileAccess: use }) => use !== undefined && args[flag] !== undefined) ||
    command.positionals.some(
      ({ name, fileAccess: use }) => use !== undefined && [args[name]].flat().includes('-'),
    )
  if (!opens && (globals.fields ?? globals.query ?? limit) === undefined) return undefined
  const { checkLine } = await import('../cli/check-line.ts')
  return checkLine({ spec: command, args, globals, cwd: () => runtime.cwd, limit })
}

/** Returns the most that a command may spend, with the flag or variable that says so. */
function limitOf(
  { flags }: Command,
  args: Args,
  { maxTotal }: Settings,
): { text: string; name: string } | undefined {
  if (!flags.some(({ flag }) => flag === 'max-total')) return undefined
  const typed = args['max-total']
  if (typeof typed === 'string') return { text: typed, name: '--max-total' }
  return maxTotal === undefined ? undefined : { text: maxTotal, name: 'DRAY_MAX_TOTAL' }
}

/** Adds what a command did to the file of `--record`. Its own failure goes before that of the file. */
async function runRecording(
  recorder: Recorder | undefined,
  say: CommandContext['say'],
  work: () => Promise<number>,
): Promise<number> {
  const code = await work().catch(async (error: unknown) => {
    await recorder?.write().catch((failure: Error) => say(`warning: ${failure.message}`))
    throw error
  })
  await recorder?.write()
  return code
}

/** Runs a command, and shows the one that asks nothing after it. */
async function runAsking(
  command: Command,
  cli: CommandContext,
  args: Args,
  found: CommandProgress,
): Promise<number> {
  found.cli = cli
  try {
    const code = (await runCommand(command, cli, args)) ?? EXIT.ok
    await printEquivalentCommand(cli, 'Without questions')
    return code
  } catch (error) {
    // The answers given so far are not lost when one of them was wrong.
    if (error instanceof AppError) await printEquivalentCommand(cli, 'As answered')
    throw error
  }
}

/** Runs a command; a business command gets the id of its store. */
async function runCommand(command: Command, cli: CommandContext, args: Args): Promise<number | undefined> {
  const run = (given: Args): ReturnType<Command['run']> => command.run(cli, given)
  const isOfStore =
    command.words.startsWith('business ') && command.flags.some(({ flag }) => flag === 'merchant')
  return isOfStore ? (await import('./business/own-store.ts')).runForStore(cli, args, run) : run(args)
}

/** Returns a text with commands that act for the account, the service and the store of the one that runs. */
async function inWorldOf({ cli }: CommandProgress, text: string): Promise<string> {
  if (cli === undefined || !text.includes('`dray ')) return text
  const { inWorld, worldOf } = await import('../cli/print.ts')
  return inWorld(text, worldOf(cli))
}

/** Writes a sentence to stderr, wrapped for people. */
async function writeNotice(text: string, { stderr, env }: Io, { accessible }: Settings): Promise<void> {
  const { sanitizeForTerminal, usableWidth, wrapNotice } = await import('../cli/output/text.ts')
  const plain = sanitizeForTerminal(text, { multiline: true })
  const lines = stderr.isTTY && !accessible ? wrapNotice(plain, usableWidth(stderr.columns, env)) : [plain]
  await stderr.write(`${lines.join('\n')}\n`)
}

async function openRecorder(file: string, cli: CommandContext): Promise<Recorder> {
  const { startRecording } = await import('./scenario/record.ts')
  return startRecording(file, cli)
}

/** Notes the changes that a command makes. */
async function noting(client: Client, { done }: CommandProgress): Promise<Client> {
  const { trackChanges } = await import('../cli/calls/done.ts')
  return trackChanges(client, done)
}

/** Keeps the ids that a person sees, which the shell then completes. */
async function notice(client: Client, cli: CommandContext): Promise<Client> {
  const { recordClientIds } = await import('./completion/keep-ids.ts')
  return recordClientIds(client, cli)
}

async function printFirstRun(
  store: string,
  frozenAt: string | undefined,
  say: CommandContext['say'],
): Promise<void> {
  const clock = !frozenAt ? 'Its clock starts at noon' : `Its clock is frozen at ${frozenAt}`
  await say(`Created a sandbox in ${shownStore(store)}. ${clock}; see \`dray help sandbox\`.`)
}

/** Writes, after questions, one dim line with the command that asks none. */
async function printEquivalentCommand(
  { argv, answered, io, globals, settings }: CommandContext,
  lead: 'Without questions' | 'As answered',
): Promise<void> {
  if (globals.quiet || answered.length === 0) return
  const [{ equivalentCommand }, { hasColour, makePaint }] = await Promise.all([
    import('../cli/prompts.ts'),
    import('../cli/output/colour.ts'),
  ])
  const { dim } = makePaint(hasColour(io.stderr, io.env, settings.color))
  await io.stderr.write(`${dim(`${lead}: ${equivalentCommand(argv, answered)}`)}\n`)
}

async function report(
  failure: unknown,
  argv: readonly string[],
  found: CommandProgress,
  { runtime, io }: { runtime: Runtime; io: Io },
): Promise<number> {
  const { command, settings, isPrinted } = found
  const { flagsByField, printError } = await import('../cli/output/errors.ts')
  if (argv.includes('--debug') && failure instanceof Error) {
    const { sanitizeForTerminal } = await import('../cli/output/text.ts')
    await io.stderr.write(`${sanitizeForTerminal(failure.stack ?? failure.message, { multiline: true })}\n`)
  }
  const errorId = Buffer.from(runtime.weakRandomBytes(6)).toString('hex')
  if (isFault(failure)) await logFault(failure, errorId, found, runtime)
  const error = await namingDone(failure, found, errorId)
  const shown = await withHints(error, found)
  const json = settings === undefined ? wantsJson(argv, runtime) : settings.format === 'json'
  // `api` and `mcp` use operation names, so their errors keep them.
  const raw = json || !namesFields(error) || /^(?:api|mcp)\b/.test(String(command?.words))
  return printError(
    io,
    raw ? shown : await (await import('./operation-words.ts')).inCommands(shown, command?.words),
    {
      // One document is there already: scripts read the exit code, people this.
      json: json && !isPrinted,
      color: settings?.color ?? valueOf(argv, 'color'),
      flags: flagsByField(command?.flags),
      errorId,
    },
  )
}

/** Returns whether the failure is a fault of dray itself. */
function isFault(failure: unknown): boolean {
  return !(
    failure instanceof AppError ||
    failure instanceof InterruptedError ||
    failure instanceof PipeClosed
  )
}

/** Keeps a fault under the id that is printed. */
async function logFault(
  failure: unknown,
  error_id: string,
  { command }: CommandProgress,
  runtime: Runtime,
): Promise<void> {
  const { logError } = await import('../local-state/error-log.ts')
  const stack = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  const { version, now } = runtime
  logError(runtime, now(), { error_id, version, command: command?.words ?? '', stack })
}

/** Returns the error with what to do about it for this service and account. */
async function withHints(error: unknown, { cli, globals, settings }: CommandProgress): Promise<unknown> {
  const advised =
    settings?.target.kind === 'remote'
      ? (await import('../cli/login-hint.ts')).withLoginHint(error, settings)
      : error
  if (globals === undefined) return advised
  const [{ withWorldHint }, { worldOf }] = await Promise.all([
    import('../cli/hint-world.ts'),
    import('../cli/print.ts'),
  ])
  return withWorldHint(advised, cli === undefined ? globals : worldOf(cli))
}

/** Returns the failure with the changes that had been made before. */
async function namingDone(
  failure: unknown,
  { done, globals }: CommandProgress,
  errorId: string,
): Promise<unknown> {
  if (done.length === 0 || globals === undefined) return failure
  return (await import('../cli/calls/done.ts')).afterDone(failure, done, {
    idempotencyKey: globals.idempotencyKey,
    errorId,
  })
}

/** Returns whether an error names operations or fields, which must be translated into those of commands. */
function namesFields(error: unknown): boolean {
  return error instanceof AppError && /[a-z]_[a-z]/.test(`${error.message} ${error.hint}`)
}

/** Returns whether a script asked for JSON, even when the arguments cannot be parsed. */
function wantsJson(argv: readonly string[], { env }: Runtime): boolean {
  return asksForJson(argv) || (valueOf(argv, 'output') ?? env['DRAY_OUTPUT']) === 'json'
}

function asksForJson(argv: readonly string[]): boolean {
  return argv.includes('--json') || valueOf(argv, 'output') === 'json'
}

/** Returns how help is shown, even when the arguments cannot be parsed. */
function helpOptions(argv: readonly string[]): HelpOptions {
  return {
    color: valueOf(argv, 'color'),
    noPager: argv.includes('--no-pager'),
    json: asksForJson(argv),
  }
}

function valueOf(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(`--${flag}`)
  const joined = argv.find((token) => token.startsWith(`--${flag}=`))
  return joined?.slice(flag.length + 3) ?? (at === -1 ? undefined : argv[at + 1])
}
