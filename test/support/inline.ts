/**
 * Runs the program's own command line in this process: the same steps, answers and files as a process, for a fraction of its
 * time. What needs a process of its own (a signal, a terminal, a pipe, `serve`, `mcp`) is started by `program.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { InterruptedError } from '../../src/cli/io.ts'
import { parseCommandRoute } from '../../src/cli/route.ts'
import type { Runtime } from '../../src/cli/runtime.ts'
import { main } from '../../src/commands/main.ts'
import { isAlive } from '../../src/core/is-alive.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { type MemoryIo, memoryIo } from './memory-io.ts'
import {
  commandResult,
  type CommandResult,
  environment,
  type ProgramOptions,
  type RunningProcess,
} from './program.ts'
import { ROOT } from './sources.ts'

/** Commands that go on until a signal ends them, or start others. */
const ENDLESS: ReadonlySet<string> = new Set([
  'serve',
  'mcp',
  'listen',
  'open',
  'start',
  'business orders watch',
  'business tickets',
])
/** Variables that libraries and Node read for themselves, in the environment of the whole process. */
const READ_BY_LIBRARIES =
  /^(?:TZ|PG[A-Z]+|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|NODE_TLS_REJECT_UNAUTHORIZED)$/
/** No command takes so long. One that hangs fails before its test, and names itself. */
const HANGING_MS = 200_000
/** A command that is told to end has no limit. */
const NEVER_MS = Number.POSITIVE_INFINITY
/** Above the ids that a system gives, so that other processes take it for one that has ended. */
const FIRST_PID = 2 ** 30

type InlineOptions = Omit<ProgramOptions, 'launcher'> & {
  /** Runs beside others, in the folder and the time zone of this process: for commands that wait for a service. */
  isConcurrent?: boolean
  /** The longest time that it may take, in milliseconds. */
  limitMs?: number
}

/** A command that runs in this process. */
type RunningCommand = {
  pid: number
  /** Takes what Node would print on standard error. */
  warn(text: string): void
  /** Ends the command as an error that nobody caught ends a process. */
  fail(error: unknown): void
}

// A test that replaces the timers must not stop this one.
const { setTimeout, clearTimeout } = globalThis
const commands = new AsyncLocalStorage<RunningCommand>()
const running = new Set<number>()
let latestPid = FIRST_PID

/**
 * The working folder and the time zone belong to the whole process, and of two commands on one file one would block the other:
 * each begins when the one before ended.
 */
let turn: Promise<unknown> = Promise.resolve()

/** Returns whether these words need a process: only the launcher knows them, they never end, or they name its own streams. */
export function needsProcess(words: readonly string[]): boolean {
  if (words.includes('--version') || words[0] === '-V' || words[0] === '__complete') return true
  if (words.some((word) => /^\/(?:dev\/(?:std|fd)|proc\/self)/.test(word))) return true
  const isHelp = words.includes('--help') || words.includes('-h')
  // Tickets of now are printed, and no more.
  return !isHelp && !words.includes('--once') && ENDLESS.has(parseCommandRoute(words).words)
}

/** Runs `dray` with these words, its own environment, folder and input. */
export function runInline(words: readonly string[], options: InlineOptions = {}): Promise<CommandResult> {
  if (needsProcess(words)) throw new Error(`dray ${words.join(' ')} needs a process of its own`)
  const env = environment(options.env)
  // The command names the zone of TZ, which the process then has too.
  const runtime = makeRuntime(ROOT, env)
  if (options.isConcurrent === true) return run(words, runtime, options)
  const work = () => inPlace(env, options.cwd, () => run(words, runtime, options))
  const ran = turn.then(work)
  turn = ran.catch(() => undefined)
  return ran
}

/**
 * Starts a command that goes on until it is told to end, such as `serve` with the absolute path of its store. It runs beside
 * others, in the folder and the time zone of this process. A signal ends it as it ends a process, but nothing kills it.
 */
export function startInline(words: readonly string[], options: InlineOptions = {}): RunningProcess {
  const ending = new AbortController()
  const { out, pid, ended } = begin(words, makeRuntime(ROOT, environment(options.env)), {
    ...options,
    limitMs: options.limitMs ?? NEVER_MS,
    signal: ending.signal,
  })
  return {
    onOutput: (listen) => listenTo(out.stdout, listen),
    onNotice: (listen) => listenTo(out.stderr, listen),
    kill(signal) {
      if (signal === 'SIGKILL' || signal === 'SIGUSR2')
        throw new Error(`${signal} needs a process of its own`)
      ending.abort(new InterruptedError(signal))
    },
    pid,
    ended,
  }
}

function run(
  words: readonly string[],
  runtime: Runtime,
  options: Pick<InlineOptions, 'input' | 'limitMs'>,
): Promise<CommandResult> {
  return begin(words, runtime, options).ended
}

/** What a command has written to one of its streams, and who is told of more. */
type WrittenOutput = { pieces: Buffer[]; listeners: ((text: string) => void)[] }

function begin(
  words: readonly string[],
  runtime: Runtime,
  {
    input,
    limitMs = HANGING_MS,
    signal,
  }: Pick<InlineOptions, 'input' | 'limitMs'> & { signal?: AbortSignal },
): { out: Record<'stdout' | 'stderr', WrittenOutput>; pid: number; ended: Promise<CommandResult> } {
  const out = {
    stdout: { pieces: [], listeners: [] } as WrittenOutput,
    stderr: { pieces: [], listeners: [] } as WrittenOutput,
  }
  const pid = latestPid++
  Object.assign(runtime, inOwnName(pid, signal))
  const io = memoryIo({ env: runtime.env, ...(input !== undefined && { stdin: input }) })
  for (const name of ['stdout', 'stderr'] as const)
    io[name] = { ...io[name], write: (text) => write(out[name], Buffer.from(text as string)) }
  return { out, pid, ended: finish(words, { pid, runtime, io, limitMs }, out) }
}

function write({ pieces, listeners }: WrittenOutput, piece: Buffer): void {
  pieces.push(piece)
  for (const listen of listeners) listen(piece.toString())
}

/** Calls the listener with all output so far, and with each later piece. */
function listenTo({ pieces, listeners }: WrittenOutput, listen: (text: string) => void): void {
  if (pieces.length > 0) listen(Buffer.concat(pieces).toString())
  listeners.push(listen)
}

async function finish(
  words: readonly string[],
  { pid, runtime, io, limitMs }: { pid: number; runtime: Runtime; io: MemoryIo; limitMs: number },
  { stdout, stderr }: Record<'stdout' | 'stderr', WrittenOutput>,
): Promise<CommandResult> {
  const { promise: ended, reject: fail } = Promise.withResolvers<never>()
  const hanging =
    limitMs === NEVER_MS
      ? undefined
      : setTimeout(() => fail(`it did not end within ${limitMs / 1000} s`), limitMs)
  const command: RunningCommand = { pid, warn: (text) => write(stderr, Buffer.from(text)), fail }
  running.add(pid)
  try {
    const exitCode = await Promise.race([commands.run(command, () => main(words, runtime, io)), ended])
    return commandResult({
      stdout: Buffer.concat(stdout.pieces),
      stderr: Buffer.concat(stderr.pieces),
      exitCode,
    })
  } catch (error) {
    const told = Buffer.concat(stderr.pieces).toString()
    throw new Error(`dray ${words.join(' ')} in the process of the test: ${String(error)}\n${told}`, {
      cause: error,
    })
  } finally {
    clearTimeout(hanging)
    running.delete(pid)
  }
}

/**
 * Returns what makes a command a process of its own to others. It is deaf to the signals of this process; one that was
 * started ends by its own.
 */
function inOwnName(pid: number, signal: AbortSignal | undefined): Partial<Runtime> {
  const refuse = (): never => {
    throw new Error('it needs a process of its own')
  }
  const listen = signal === undefined ? refuse : (): void => {}
  return {
    pid,
    isAlive: (other) => (other < FIRST_PID ? isAlive(other) : running.has(other)),
    interruption: () => signal ?? new AbortController().signal,
    onHangup: listen,
    onRestart: listen,
    onUncaught: listen,
  }
}

/** Works in the folder and the time zone of a command, with the variables that libraries read. */
async function inPlace<T>(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const usual = { folder: process.cwd(), env: { ...process.env } }
  try {
    if (cwd !== undefined) process.chdir(cwd)
    setVariables(env)
    return await work()
  } finally {
    process.chdir(usual.folder)
    setVariables(usual.env)
  }
}

function setVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys({ ...process.env, ...env })) {
    if (!READ_BY_LIBRARIES.test(name)) continue
    const value = env[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

// Node keeps the context of a command in what it starts: a warning or an error belongs to that one alone.
process.on('warning', ({ name, message }) => {
  const command = commands.getStore()
  command?.warn(`(node:${command.pid}) ${name}: ${message}\n`)
})
process.on('unhandledRejection', (reason) => commands.getStore()?.fail(reason))
process.on('uncaughtExceptionMonitor', (error) => commands.getStore()?.fail(error))
