import { findResultFields } from '../../src/cli/answer-fields.ts'
import { type CompletedChange, trackChanges } from '../../src/cli/calls/done.ts'
import { checkLine } from '../../src/cli/check-line.ts'
import type { CommandContext } from '../../src/cli/cli.ts'
import type { Command } from '../../src/cli/define-command.ts'
import { assertAmong, fieldsOf } from '../../src/cli/output/fields.ts'
import { isPage, formatFieldList } from '../../src/cli/output/formats.ts'
import { parseArgs } from '../../src/cli/parse.ts'
import { openPrompts } from '../../src/cli/prompts.ts'
import type { Prompts } from '../../src/cli/questions.ts'
import type { Runtime } from '../../src/cli/runtime.ts'
import { resolveSettings } from '../../src/cli/settings.ts'
import type { Client, Target } from '../../src/client/client.ts'
import type { Keyring } from '../../src/client/keyring.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Home } from './home.ts'
import { memoryIo, type MemoryIo } from './memory-io.ts'

export type Options = {
  io?: MemoryIo
  /** Opens the service; by default there is none. */
  openClient?: (target: Target, debug: (line: string) => void) => Promise<Client>
  /** The system's keyring; none by default. */
  keyring?: Keyring
  /** Answers the questions, in place of a terminal. */
  ask?: Prompts
  /** Aborts like Ctrl-C. */
  interruption?: AbortSignal
  /** Called while a command waits; the wait takes no time. */
  meanwhile?: () => Promise<void>
}

/** The result of a command: its exit code or error, and its output. */
export type InlineCommandResult = {
  code: number
  error: AppError | undefined
  out: string
  err: string
  json: () => unknown
}

/** Runs one command like `dray`, with its own home and without a terminal. `argv` omits the command's words. */
export async function runCommand(
  home: Home,
  command: Command,
  argv: readonly string[],
  options: Options = {},
): Promise<InlineCommandResult> {
  const io = options.io ?? memoryIo({ env: home.env })
  const ended = await attempt(home, command, argv, io, options)
  return { ...ended, out: io.out(), err: io.err(), json: () => JSON.parse(io.out()) as unknown }
}

async function attempt(
  home: Home,
  command: Command,
  argv: readonly string[],
  io: MemoryIo,
  options: Options,
): Promise<Pick<InlineCommandResult, 'code' | 'error'>> {
  const done: CompletedChange[] = []
  let client: Promise<Client> | undefined
  let questions: Prompts | undefined
  try {
    const { args, globals } = parseArgs(command, argv)
    const settings = resolveSettings(globals, home, command.words)
    const runtime = makeRuntime(home, options)
    const listed = await checkLine({ spec: command, args, globals, cwd: () => home.cwd })
    if (listed !== undefined) {
      await io.stdout.write(formatFieldList(listed, settings.format))
      return { code: 0, error: undefined }
    }
    const cli: CommandContext = {
      io,
      runtime,
      globals,
      settings,
      spec: command,
      args,
      argv: [...command.words.split(' '), ...argv],
      answered: [],
      warnings: [],
      ask: async () =>
        options.ask ??
        (questions ??= openPrompts(io, { ...settings, json: globals.json, output: settings.format })),
      say: async (text) => {
        if (!globals.quiet) await io.stderr.write(`${text}\n`)
      },
      client: () =>
        (client ??= runtime
          .openClient(settings.target, {
            firstRun() {},
            debug: (line) => settings.debug && void io.stderr.write(`${line}\n`),
          })
          .then((opened) => trackChanges(opened, done))),
    }
    const code = (await command.run(cli, args)) ?? 0
    await assertDeclared(cli, io.out())
    return { code, error: undefined }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.exitCode, error }
  } finally {
    await (await client?.catch(() => undefined))?.close()
    assertHonest(command, done)
  }
}

/** Throws when a command that says that it reads changed something: no flag of it is checked before. */
function assertHonest({ danger, words }: Command, done: readonly CompletedChange[]): void {
  if (danger === 'read' && done.length > 0)
    throw new Error(`${words} changes something, and its danger is read: ${JSON.stringify(done)}`)
}

/** Throws when a changing command printed a field that it does not declare: `--fields` would reject it. */
async function assertDeclared({ spec, args, globals, settings }: CommandContext, out: string): Promise<void> {
  const isWhole = settings.format === 'json' && (globals.fields ?? globals.query) === undefined
  if (!isWhole || globals.dryRun || spec.danger === 'read' || out === '' || !spec.takes.includes('fields'))
    return
  const value: unknown = JSON.parse(out)
  const rows = isPage(value) ? value.data : [value]
  const known = (await findResultFields(spec, args, globals)) ?? []
  assertAmong(fieldsOf(rows), known)
}

let drawn = 0

function makeRuntime(home: Home, { openClient, keyring, interruption, meanwhile }: Options): Runtime {
  let slept = 0
  return {
    env: home.env,
    paths: home.paths,
    version: '0.0.0-test',
    root: `${import.meta.dirname}/../..`,
    pid: 1,
    cwd: home.cwd,
    now: () => Date.parse('2026-11-20T09:00:00Z'),
    elapsed: () => slept,
    random: (count) => new Uint8Array(count),
    // Makes the request ids of calls unique.
    weakRandomBytes: (count) => {
      drawn += 1
      return Uint8Array.from({ length: count }, (_, index) => drawn >>> (8 * (index % 4)))
    },
    isAlive: () => false,
    startOf: () => '',
    interruption: () => interruption ?? new AbortController().signal,
    onHangup() {},
    onRestart() {},
    onUncaught() {},
    sleep: async (ms) => {
      slept += ms
      await meanwhile?.()
    },
    lock: home.lock,
    exclusive: home.exclusive,
    tryLock: home.tryLock,
    keyring: async () => {
      if (keyring === undefined) throw new Error('there is none in this test')
      return keyring
    },
    openClient: async (target, notices) => {
      if (openClient === undefined) throw new Error('this command was not to reach a service')
      return openClient(target, (line) => notices.debug(line))
    },
  }
}
