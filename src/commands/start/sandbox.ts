/** The sandbox of `dray start`: a folder of its own, in which the program itself runs each command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import { InterruptedError } from '../../cli/io.ts'
import { makeFolders } from '../../core/folders.ts'
import { TOUR_TIME } from './tours.ts'

export type TourSandbox = {
  /** Runs a command on this terminal. Returns its exit code. Throws Interrupted. */
  execute(words: readonly string[]): Promise<number>
  /** Runs a command and returns its stdout as well; its notices go to this terminal. Throws Interrupted. */
  capture(words: readonly string[]): Promise<{ code: number; stdout: string }>
  remove(): void
}

/** Makes a sandbox that nothing else uses. */
export function openTourSandbox({ runtime, settings, globals }: CommandContext): TourSandbox {
  const { state } = runtime.paths
  const home = join(state, `start-${runtime.pid}`)
  makeFolders(home, 0o700)
  removeLeftovers(runtime)
  // The command that runs gets the same Ctrl-C; this one then removes the sandbox.
  const stopped = runtime.interruption()
  const own = Object.entries(runtime.env).filter(([name]) => !name.startsWith('DRAY_'))
  const env = {
    ...Object.fromEntries(own),
    DRAY_HOME: home,
    DRAY_NOW: TOUR_TIME,
    DRAY_NO_INPUT: '1',
    ...(settings.accessible && { DRAY_ACCESSIBLE: '1' }),
  }
  const color = globals.color === undefined ? [] : ['--color', globals.color]
  const quiet = globals.quiet ? ['--quiet'] : []
  const command = (words: readonly string[]): string[] => [
    join(runtime.root, 'bin', 'dray.js'),
    ...words,
    '--no-pager',
    ...color,
    ...quiet,
  ]
  return {
    execute: (words) =>
      exitCode(
        spawn(process.execPath, command(words), { stdio: ['ignore', 'inherit', 'inherit'], env }),
        stopped,
      ),
    async capture(words) {
      const child = spawn(process.execPath, command(words), { stdio: ['ignore', 'pipe', 'inherit'], env })
      const chunks: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      const code = await exitCode(child, stopped)
      return { code, stdout: Buffer.concat(chunks).toString() }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

function exitCode(child: ChildProcess, stopped: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    // After its exit, and after the last of its output.
    child.on('close', (code, signal) => {
      if (stopped.aborted) reject(stopped.reason as Error)
      else if (signal === null) resolve(code ?? 0)
      else reject(new InterruptedError('SIGINT'))
    })
  })
}

/** Removes the sandboxes of guides that were killed. */
function removeLeftovers({ paths: { state }, pid, isAlive }: CommandContext['runtime']): void {
  for (const name of readdirSync(state)) {
    const owner = Number(/^start-(\d+)$/.exec(name)?.[1] ?? pid)
    if (owner !== pid && !isAlive(owner)) rmSync(join(state, name), { recursive: true, force: true })
  }
}
