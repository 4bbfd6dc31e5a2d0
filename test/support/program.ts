/**
 * Runs the built program like a user: in its own process with its own home, and without this process's environment.
 * All runs share a compile cache, because compiling takes half of a command's time.
 */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { inject } from 'vitest'

export const LAUNCHER = join(import.meta.dirname, '../../bin/dray.js')

/** The result of a command. */
export type CommandResult = {
  stdout: string
  stderr: string
  /** Undefined when a signal ended it. */
  exitCode: number | undefined
  signal: string | undefined
  /** The one JSON document on stdout. */
  json<T>(): T
  /** The JSON documents on stdout, one a line. */
  lines<T>(): T[]
}

export type ProgramOptions = {
  /** Its standard input; empty by default. */
  input?: string | Uint8Array
  env?: Record<string, string>
  cwd?: string
  /** Another installed copy of `bin/dray.js`. */
  launcher?: string
}

/** Builds the program if needed. Throws the reason when that fails. */
export async function builtProgram(): Promise<void> {
  const response = await fetch(inject('program'), { method: 'POST' })
  if (!response.ok) throw new Error(`No program for the tests: ${await response.text()}`)
}

/** A running command. */
export type RunningProcess = {
  /** Calls `listen` with the standard output so far, and with each later piece. */
  onOutput(listen: (text: string) => void): void
  /** Calls `listen` with standard error in the same way. */
  onNotice(listen: (text: string) => void): void
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | 'SIGUSR2'): void
  pid: number | undefined
  ended: Promise<CommandResult>
}

/** Starts `dray` with these words. */
export function startDray(words: readonly string[], options: ProgramOptions = {}): RunningProcess {
  return startProcess(process.execPath, [options.launcher ?? LAUNCHER, ...words], options)
}

/** Starts a line of `sh` in which `dray` is the program. */
export function startShell(line: string, options: ProgramOptions = {}): RunningProcess {
  return startProcess('sh', ['-c', `dray() { "${process.execPath}" "${LAUNCHER}" "$@"; }\n${line}`], options)
}

/** Returns the address that a server prints with --json. Throws its output when it ends instead. */
export async function readServerUrl({ onOutput, ended }: RunningProcess): Promise<string> {
  let told = ''
  const url = new Promise<string>((resolve) => {
    onOutput((more) => {
      told += more
      const { url: listening } = told.includes('}') ? (JSON.parse(told) as { url?: string }) : {}
      if (listening !== undefined) resolve(listening)
    })
  })
  const failed = ended.then(({ stdout, stderr }): never => {
    throw new Error(`It ended before it listened: ${stdout}${stderr}`)
  })
  return Promise.race([url, failed])
}

/** Returns the environment of a test's command: only the path of programs comes from this process. */
export function environment(more: Record<string, string> = {}): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    TZ: 'Europe/London',
    XDG_CACHE_HOME: inject('cache'),
    ...more,
  }
}

function startProcess(
  file: string,
  args: readonly string[],
  { input, env, cwd }: ProgramOptions,
): RunningProcess {
  const child = execa(file, args, {
    reject: false,
    extendEnv: false,
    stripFinalNewline: false,
    maxBuffer: 100_000_000,
    // On a busy machine a service takes long to end.
    forceKillAfterDelay: 30_000,
    env: environment(env),
    ...(cwd !== undefined && { cwd }),
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  })
  return {
    onOutput: bufferOutput(child.stdout),
    onNotice: bufferOutput(child.stderr),
    kill: (signal) => void child.kill(signal),
    pid: child.pid,
    ended: child.then(commandResult),
  }
}

/** Keeps all output, so that late listeners miss nothing. */
function bufferOutput(stream: Readable): (listen: (text: string) => void) => void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
  return (listen) => {
    if (chunks.length > 0) listen(Buffer.concat(chunks).toString())
    stream.on('data', (chunk: Buffer) => listen(chunk.toString()))
  }
}

/** Returns what a command left behind, with readers of its output. */
export function commandResult({
  stdout,
  stderr,
  exitCode,
  signal,
}: {
  stdout?: unknown
  stderr?: unknown
  exitCode?: number
  signal?: string
}): CommandResult {
  const out = String(stdout)
  return {
    stdout: out,
    stderr: String(stderr),
    exitCode,
    signal,
    json: <T>() => JSON.parse(out) as T,
    lines: <T>() =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as T),
  }
}

/** Splits a command line into words; quotes keep spaces together. */
export function splitCommandLine(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
