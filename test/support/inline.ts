/**
 * Runs the program's own command line in this process: the same steps, answers and files as a process, for a fraction of its
 * time. What needs a process of its own (a signal, a terminal, a pipe, `serve`, `mcp`) is started by `program.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { parseCommandRoute } from '../../src/cli/route.ts'
import type { Runtime } from '../../src/cli/runtime.ts'
import { main } from '../../src/commands/main.ts'
import { isAlive } from '../../src/core/is-alive.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { memoryIo } from './memory-io.ts'
import { commandResult, type CommandResult, environment, type ProgramOptions } from './program.ts'
import { ROOT } from './sources.ts'

/** Commands that go on until a signal ends them, or start others. */
const ENDLESS: ReadonlySet<string> = new Set([
  'serve',
  'mcp',
  'listen',
  'open',
  'start',
  'business orders watch',
])
/** Variables that libraries and Node read for themselves, in the environment of the whole process. */
const READ_BY_LIBRARIES =
  /^(?:TZ|PG[A-Z]+|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|NODE_TLS_REJECT_UNAUTHORIZED)$/
/** No command takes so long. One that hangs fails before its test, and names itself. */
const HANGING_MS = 200_000
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
  return !isHelp && ENDLESS.has(parseCommandRoute(words).words)
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

async function run(
  words: readonly string[],
  runtime: Runtime,
  { input, limitMs = HANGING_MS }: InlineOptions,
): Promise<CommandResult> {
  const out = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  const { env } = runtime
  const io = memoryIo({ env, ...(input !== undefined && { stdin: input }) })
  for (const name of ['stdout', 'stderr'] as const)
    io[name] = { ...io[name], write: (text) => void out[name].push(Buffer.from(text as string)) }
  const pid = latestPid++
  const { promise: ended, reject: fail } = Promise.withResolvers<never>()
  const hanging = setTimeout(() => fail(`it did not end within ${limitMs / 1000} s`), limitMs)
  const command: RunningCommand = {
    pid,
    warn: (text) => void out.stderr.push(Buffer.from(text)),
    fail,
  }
  Object.assign(runtime, inOwnName(pid))
  running.add(pid)
  try {
    const exitCode = await Promise.race([commands.run(command, () => main(words, runtime, io)), ended])
    return commandResult({
      stdout: Buffer.concat(out.stdout),
      stderr: Buffer.concat(out.stderr),
      exitCode,
    })
  } catch (error) {
    const told = Buffer.concat(out.stderr).toString()
    throw new Error(`dray ${words.join(' ')} in the process of the test: ${String(error)}\n${told}`, {
      cause: error,
    })
  } finally {
    clearTimeout(hanging)
    running.delete(pid)
  }
}

/** Returns what makes a command a process of its own to others, and deaf to the signals of this one. */
function inOwnName(pid: number): Partial<Runtime> {
  const refuse = (): never => {
    throw new Error('it needs a process of its own')
  }
  return {
    pid,
    isAlive: (other) => (other < FIRST_PID ? isAlive(other) : running.has(other)),
    interruption: () => new AbortController().signal,
    onHangup: refuse,
    onRestart: refuse,
    onUncaught: refuse,
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
