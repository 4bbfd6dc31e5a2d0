/** Child processes of the measurement: Node with a script, or the built program with its own home. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const LAUNCHER = join(import.meta.dirname, '../bin/dray.js')
const PEAK = join(import.meta.dirname, 'peak-memory.cjs')

/** A child process: Node's arguments, the program's home, additional environment variables, and its input. */
export type Child = {
  args: readonly string[]
  home: string
  env?: Record<string, string>
  /** Its standard input; empty by default. */
  input?: string
}

export function dray(home: string, ...words: string[]): Child {
  return { args: [LAUNCHER, ...words], home }
}

/**
 * Returns an environment that inherits no settings. The clock is frozen, so that no event becomes due during the
 * measurement.
 */
function environment({ home, env = {} }: Child): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    DRAY_HOME: home,
    DRAY_NOW: '2026-11-20T09:00:00Z',
    XDG_CACHE_HOME: join(home, '../cache'),
    ...env,
  }
}

/** Runs a child. Returns the time from its start to its end, and its output. */
export async function runChild(
  child: Child,
  expected = 0,
): Promise<{ milliseconds: number; stdout: string }> {
  const started = performance.now()
  const ran = spawn(process.execPath, child.args, {
    env: environment(child),
    stdio: [child.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  ran.stdin?.end(child.input)
  let stdout = ''
  let stderr = ''
  ran.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  ran.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const closed = once(ran, 'close')
  const [exitCode] = (await once(ran, 'exit')) as [number]
  const milliseconds = performance.now() - started
  await closed
  if (exitCode !== expected) throw new Error(`${child.args.join(' ')}: exit code ${exitCode}\n${stderr}`)
  return { milliseconds, stdout }
}

/** Returns the peak resident size of a child, in MB. */
export async function peakMemory(child: Child): Promise<number> {
  const ran = spawn(process.execPath, ['--require', PEAK, ...child.args], {
    env: environment(child),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  let kilobytes = ''
  ran.stdio[3]?.on('data', (chunk: Buffer) => (kilobytes += chunk.toString()))
  await once(ran, 'close')
  return Number(kilobytes) / 1024
}

export type BenchService = {
  url: string
  pid: number
  /** The address of its inspector, when it was started with `--inspect`. */
  inspector?: string | undefined
  stop(): Promise<void>
}

/** Starts a child that reports its address: its first output is a JSON document with `url`. */
export async function startService(child: Child): Promise<BenchService> {
  const ran = spawn(process.execPath, child.args, {
    env: environment(child),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(ran, 'exit')
  let inspector: string | undefined
  ran.stderr.on('data', (chunk: Buffer) => {
    const text = chunk.toString()
    inspector ??= /ws:\/\/\S+/.exec(text)?.[0]
    if (!/^(Debugger|For help)/.test(text)) process.stderr.write(text)
  })
  const told = new Promise<string>((resolve) => {
    let text = ''
    ran.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('}')) resolve(text)
    })
  })
  const failed = exited.then(() => {
    throw new Error(`${child.args.join(' ')} ended`)
  })
  const text = await Promise.race([told, failed])
  return {
    url: (JSON.parse(text) as { url: string }).url,
    pid: ran.pid ?? 0,
    inspector,
    async stop() {
      ran.kill('SIGTERM')
      await exited
    },
  }
}
