/**
 * The composition root: the only reader of the environment, the real clock and the system's random source.
 * Everything heavy is loaded where it is first used.
 */
import { resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { InterruptedError } from './cli/io.ts'
import type { Runtime } from './cli/runtime.ts'
import { isDamaged } from './cli/utf8.ts'
import { AppError } from './core/errors.ts'
import { PROCESS_EVENT_LOOP } from './core/event-loop.ts'
import { isAlive } from './core/is-alive.ts'
import { toZone } from './core/machine-zone.ts'
import { resolvePaths } from './paths.ts'

/** Returns the machine of one command line, with the environment of this process or another one. */
export function makeRuntime(root: string, env: NodeJS.ProcessEnv = process.env): Runtime {
  nameZone(env)
  const runtime: Runtime = {
    env,
    paths: resolvePaths(env, process.platform),
    version: packageJson.version,
    root: resolve(root),
    pid: process.pid,
    cwd: '',
    now: Date.now,
    elapsed: PROCESS_EVENT_LOOP.elapsed,
    random: (count) => new Uint8Array(process.getBuiltinModule('node:crypto').randomBytes(count)),
    weakRandomBytes,
    interruption,
    onHangup: (listener) => void process.on('SIGHUP', listener),
    onRestart: (listener) => void process.on('SIGUSR2', listener),
    // Node also hands over rejections that no code caught.
    onUncaught: (listener) => void process.on('uncaughtException', listener),
    isAlive,
    startOf,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      }),
    async lock(path, work) {
      const { withFileLock } = await import('./db/file-lock.ts')
      return withFileLock(path, work)
    },
    async exclusive(path, work) {
      const { whileFileLocked } = await import('./db/file-lock.ts')
      return whileFileLocked(path, work, runtime.sleep)
    },
    async tryLock(path) {
      const { tryFileLock } = await import('./db/file-lock.ts')
      const lock = tryFileLock(path)
      return lock && (() => lock.close())
    },
    async keyring() {
      const { openKeyring } = await import('./client/keyring.ts')
      return openKeyring()
    },
    async openClient(target, notices) {
      if (target.kind === 'remote') {
        const { openRemote } = await import('./client/remote.ts')
        const kept =
          target.login &&
          (await import('./commands/login-store.ts')).openLoginStore(runtime, target.login.profile)
        return openRemote(target, { ...runtime, ...notices, kept })
      }
      const { openEmbedded } = await import('./host/embedded.ts')
      return openEmbedded(target, { ...runtime, ...notices })
    },
  }
  // Not enumerable: a copy of the runtime reads no folder, which may be gone, for commands that need none.
  Object.defineProperty(runtime, 'cwd', { get: currentFolder, enumerable: false })
  return runtime
}

/** Names the zone of TZ as JavaScript knows it: Node takes `CET-1CEST` for UTC, and `GMT+5` for five hours east, not west. */
function nameZone(env: NodeJS.ProcessEnv): void {
  const { TZ } = env
  if (TZ === undefined || /^(?:UTC|[A-Z]\w+\/[\w/+-]+)$/.test(TZ)) return
  if (/^:?\/etc\/localtime$/.test(TZ)) delete env['TZ']
  else env['TZ'] = toZone(TZ) ?? TZ
}

/** Returns the current folder. Throws `file_error` for one that is gone, `usage` for one whose name Node cannot read. */
function currentFolder(): string {
  let folder
  try {
    folder = process.cwd()
  } catch {
    throw new AppError('file_error', 'The current folder was deleted, or its disk was removed.', {
      hint: 'Change to another folder, and run the same command again.',
    })
  }
  if (!isDamaged(folder) || process.getBuiltinModule('node:fs').existsSync(folder)) return folder
  throw new AppError('usage', `The name of the current folder is not UTF-8: ${folder}.`, {
    hint: 'Rename it, or run the same command from another folder.',
  })
}

function weakRandomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  for (let index = 0; index < count; index++) bytes[index] = Math.random() * 256
  return bytes
}

function interruption({ hangup } = { hangup: true }): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    if (name === 'SIGHUP' && !hangup) continue
    process.once(name, () => controller.abort(new InterruptedError(name)))
  }
  return controller.signal
}

function startOf(pid: number): string {
  try {
    const stat = process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): field 22; the name in the second may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
