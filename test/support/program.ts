/**
 * The built program as a user runs it: its own process, a home of its own, nothing inherited from this one. What Node
 * compiled is kept for all of them: else each new home would compile the program anew, half of what a command costs.
 */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { inject } from 'vitest'

export const LAUNCHER = join(import.meta.dirname, '../../bin/dray.js')

/** What a command did. */
export type Ran = {
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

export type RunOptions = {
  /** What it reads; without it, standard input is at its end. */
  input?: string | Uint8Array
  env?: Record<string, string>
  cwd?: string
}

/** Throws the reason when the program cannot be built. */
export async function builtProgram(): Promise<void> {
  const response = await fetch(inject('program'), { method: 'POST' })
  if (!response.ok) throw new Error(`No program for the tests: ${await response.text()}`)
}

/** A command that was started. */
export type Started = {
  /** Tells what it has written on standard output, and each piece that comes. */
  onOutput(listen: (text: string) => void): void
  /** The same of standard error. */
  onNotice(listen: (text: string) => void): void
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | 'SIGUSR2'): void
  pid: number | undefined
  ended: Promise<Ran>
}

/** Starts `dray` with these words. */
export function start(words: readonly string[], options: RunOptions = {}): Started {
  return startProcess(process.execPath, [LAUNCHER, ...words], options)
}

/** A line for `sh`, in which `dray` is the program. */
export function startShell(line: string, options: RunOptions = {}): Started {
  return startProcess('sh', ['-c', `dray() { "${process.execPath}" "${LAUNCHER}" "$@"; }\n${line}`], options)
}

/** Where a command that serves with --json says that it listens. Throws what it says instead when it ends. */
export async function readUrl({ onOutput, ended }: Started): Promise<string> {
  let told = ''
  const url = new Promise<string>((resolve) => {
    onOutput((more) => {
      told += more
      if (told.includes('}')) resolve((JSON.parse(told) as { url: string }).url)
    })
  })
  const failed = ended.then(({ stderr }): never => {
    throw new Error(`It ended before it listened: ${stderr}`)
  })
  return Promise.race([url, failed])
}

/** What a command of the tests finds in its environment: nothing of this process but where programs are. */
export function environment(more: Record<string, string> = {}): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    TZ: 'Europe/London',
    XDG_CACHE_HOME: inject('cache'),
    ...more,
  }
}

function startProcess(file: string, args: readonly string[], { input, env, cwd }: RunOptions): Started {
  const child = execa(file, args, {
    reject: false,
    extendEnv: false,
    stripFinalNewline: false,
    maxBuffer: 100_000_000,
    // On a machine that is busy with other tests a service takes its time to end.
    forceKillAfterDelay: 30_000,
    env: environment(env),
    ...(cwd !== undefined && { cwd }),
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  })
  return {
    onOutput: keep(child.stdout),
    onNotice: keep(child.stderr),
    kill: (signal) => void child.kill(signal),
    pid: child.pid,
    ended: child.then(toRan),
  }
}

/** Whoever listens late misses nothing. */
function keep(stream: Readable): (listen: (text: string) => void) => void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
  return (listen) => {
    if (chunks.length > 0) listen(Buffer.concat(chunks).toString())
    stream.on('data', (chunk: Buffer) => listen(chunk.toString()))
  }
}

function toRan({
  stdout,
  stderr,
  exitCode,
  signal,
}: {
  stdout?: unknown
  stderr?: unknown
  exitCode?: number
  signal?: string
}): Ran {
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

/** The words of a command line; quotes keep spaces together. */
export function toWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
