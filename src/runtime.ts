/**
 * The composition root: the only reader of the environment, the real clock and the system's random source.
 * Everything heavy is loaded where it is first used.
 */
import { resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { Interrupted } from './cli/io.ts'
import type { Runtime } from './cli/runtime.ts'
import { isAlive } from './core/is-alive.ts'
import { findPaths } from './paths.ts'

export function makeRuntime(root: string): Runtime {
  const { env } = process
  const runtime: Runtime = {
    env,
    paths: findPaths(env, process.platform),
    version: packageJson.version,
    root: resolve(root),
    pid: process.pid,
    get cwd() {
      return process.cwd()
    },
    now: Date.now,
    // Not `performance.now`: that loads a module of its own, 1 ms.
    elapsed: () => Number(process.hrtime.bigint()) / 1e6,
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
      const { withFileLock } = await import('./store/file-lock.ts')
      return withFileLock(path, work)
    },
    async exclusive(path, work) {
      const { whileFileLocked } = await import('./store/file-lock.ts')
      return whileFileLocked(path, work, runtime.sleep)
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
          (await import('./commands/login/login-store.ts')).openLoginStore(runtime, target.login.profile)
        return openRemote(target, { ...runtime, ...notices, kept })
      }
      const { openEmbedded } = await import('./host/embedded.ts')
      return openEmbedded(target, { ...runtime, ...notices })
    },
  }
  return runtime
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
    process.once(name, () => controller.abort(new Interrupted(name)))
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
