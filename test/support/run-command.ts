import type { Cli } from '../../src/cli/cli.ts'
import type { Command } from '../../src/cli/define-command.ts'
import { parseArgs } from '../../src/cli/parse.ts'
import { openQuestions } from '../../src/cli/prompts.ts'
import type { Ask } from '../../src/cli/questions.ts'
import type { Runtime } from '../../src/cli/runtime.ts'
import { resolveSettings } from '../../src/cli/settings.ts'
import type { Client, Target } from '../../src/client/client.ts'
import type { Keyring } from '../../src/client/keyring.ts'
import { lifeOf } from '../../src/commands/lives.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Home } from './home.ts'
import { memoryIo, type MemoryIo } from './memory-io.ts'

export type Options = {
  io?: MemoryIo
  /** Opens the service; by default there is none. */
  openClient?: (target: Target, debug: (line: string) => void) => Promise<Client>
  /** The system's keyring; none by default. */
  keyring?: Keyring
  /** Aborts like Ctrl-C. */
  interruption?: AbortSignal
  /** Called while a command waits; the wait takes no time. */
  meanwhile?: () => Promise<void>
}

/** The result of a command: its exit code or error, and its output. */
export type Ran = { code: number; error: AppError | undefined; out: string; err: string; json: () => unknown }

/** Runs one command like `dray`, with its own home and without a terminal. `argv` leaves out the command's words. */
export async function runCommand(
  home: Home,
  command: Command,
  argv: readonly string[],
  options: Options = {},
): Promise<Ran> {
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
): Promise<Pick<Ran, 'code' | 'error'>> {
  let client: Promise<Client> | undefined
  let questions: Ask | undefined
  try {
    const { args, globals } = parseArgs(command, argv)
    const settings = resolveSettings(globals, home, command.words)
    const runtime = makeRuntime(home, options)
    const cli: Cli = {
      lifeOf: async (operation) => lifeOf(operation),
      io,
      runtime,
      globals,
      settings,
      spec: command,
      argv: [...command.words.split(' '), ...argv],
      answered: [],
      ask: async () =>
        (questions ??= openQuestions(io, { ...settings, json: globals.json, output: settings.format })),
      say: async (text) => {
        if (!globals.quiet) await io.stderr.write(`${text}\n`)
      },
      client: () =>
        (client ??= runtime.openClient(settings.target, {
          firstRun() {},
          debug: (line) => settings.debug && void io.stderr.write(`${line}\n`),
        })),
    }
    return { code: (await command.run(cli, args)) ?? 0, error: undefined }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.exitCode, error }
  } finally {
    await (await client?.catch(() => undefined))?.close()
  }
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
    weakRandomBytes: (count) => new Uint8Array(count).fill(++drawn),
    isAlive: () => false,
    startOf: () => '',
    interruption: () => interruption ?? new AbortController().signal,
    onRestart() {},
    onUncaught() {},
    sleep: async (ms) => {
      slept += ms
      await meanwhile?.()
    },
    lock: home.lock,
    exclusive: home.exclusive,
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
