/**
 * The composition root: the only reader of the environment, the real clock and the system's random source.
 * Everything heavy is loaded where it is first used.
 */
import packageJson from '../package.json' with { type: 'json' }
import { Interrupted } from './cli/io.ts'
import type { Client, Target } from './client/client.ts'
import type { Keyring } from './client/keyring.ts'

export type Paths = { config: string; data: string; state: string }

export type Runtime = {
  env: Readonly<Record<string, string | undefined>>
  paths: Paths
  version: string
  /** The package's folder: what it ships beside the program lies there. */
  root: string
  pid: number
  cwd: string
  /** Milliseconds since the epoch, by the machine's clock. */
  now(): number
  /** Milliseconds since some moment, never backwards: for rates and deadlines. */
  elapsed(): number
  /** Unpredictable bytes: for keys, tokens, secrets. */
  random(count: number): Uint8Array
  /** Bytes that others could guess: for names of requests and for waiting times. `random` costs 4 ms at its first use. */
  noise(count: number): Uint8Array
  /**
   * Aborted by the first Ctrl-C, SIGTERM or SIGHUP, its reason an `Interrupted`. Only for commands that have something to
   * finish or to say first: before the first call, and after the first signal, the process ends as any other does.
   */
  interruption(): AbortSignal
  /** Told each time somebody asks for a restart, by SIGUSR2; without a listener that signal ends the process. */
  onRestart(listener: () => void): void
  /** Told of errors that no code caught; the process then goes on. */
  onUncaught(listener: (error: unknown) => void): void
  /** Whether a process of this machine is running. */
  isAlive(pid: number): boolean
  /** When that process began, as the system counts; empty where it does not tell. A pid comes again, the two together do not. */
  startOf(pid: number): string
  /** Waits; ends early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `work` while no other process holds the lock file at `path`; a holder that dies lets go. */
  lock<T>(path: string, work: () => T): Promise<T>
  /** The same for work that waits for something itself; others look again from time to time. */
  exclusive<T>(path: string, work: () => Promise<T>): Promise<T>
  /** The keyring of the user's system. Throws an Error that says why there is none. */
  keyring(): Promise<Keyring>
  openClient(
    target: Target,
    notices: { firstRun(store: string): void; debug(line: string): void; warn?(line: string): void },
  ): Promise<Client>
}

export function makeRuntime(root: string): Runtime {
  const { env } = process
  const runtime: Runtime = {
    env,
    paths: findPaths(env, process.platform),
    version: packageJson.version,
    root,
    pid: process.pid,
    get cwd() {
      return process.cwd()
    },
    now: Date.now,
    // Not `performance.now`: that loads a module of its own, 1 ms.
    elapsed: () => Number(process.hrtime.bigint()) / 1e6,
    random: (count) => new Uint8Array(process.getBuiltinModule('node:crypto').randomBytes(count)),
    noise: (count) => Uint8Array.from({ length: count }, () => Math.random() * 256),
    interruption: () => {
      const controller = new AbortController()
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.once(name, () => controller.abort(new Interrupted(name)))
      }
      return controller.signal
    },
    onRestart: (listener) => void process.on('SIGUSR2', listener),
    // Node also hands over rejections that no code caught.
    onUncaught: (listener) => void process.on('uncaughtException', listener),
    isAlive: (pid) => {
      try {
        return process.kill(pid, 0)
      } catch (error) {
        // Somebody else's process lives too.
        return (error as NodeJS.ErrnoException).code === 'EPERM'
      }
    },
    startOf: (pid) => {
      try {
        const stat = process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/stat`, 'utf8')
        // proc(5): field 22; the name in the second may hold spaces and brackets.
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
      } catch {
        return ''
      }
    },
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
          (await import('./commands/login/login-store.ts')).keepLogin(runtime, target.login.profile)
        return openRemote(target, { ...runtime, ...notices, kept })
      }
      const { openEmbedded } = await import('./host/embedded.ts')
      return openEmbedded(target, { ...runtime, ...notices })
    },
  }
  return runtime
}

/** The user's own folder, never the working one: a configuration found there could be a stranger's. */
function findHome(env: Runtime['env']): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  if (/^(?:\/|\\\\|[a-z]:)/i.test(home)) return home
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return ''
  }
}

/** Where configuration, stores and journals live: DRAY_HOME for all, else what the platform expects. */
export function findPaths(env: Runtime['env'], platform: string): Paths {
  if (env['DRAY_HOME'])
    return {
      config: `${env['DRAY_HOME']}/config`,
      data: `${env['DRAY_HOME']}/data`,
      state: `${env['DRAY_HOME']}/state`,
    }
  const home = findHome(env)
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? `${home}/AppData/Local`
    return {
      config: `${env['APPDATA'] ?? `${home}/AppData/Roaming`}/dray`,
      data: `${local}/dray/data`,
      state: `${local}/dray/state`,
    }
  }
  if (platform === 'darwin') {
    const support = `${home}/Library/Application Support/dray`
    return { config: `${home}/Library/Preferences/dray`, data: `${support}/data`, state: `${support}/state` }
  }
  const under = (name: string, fallback: string): string => {
    const value = env[name]
    // The XDG specification: a relative path is ignored.
    return `${value?.startsWith('/') ? value : `${home}/${fallback}`}/dray`
  }
  return {
    config: under('XDG_CONFIG_HOME', '.config'),
    data: under('XDG_DATA_HOME', '.local/share'),
    state: under('XDG_STATE_HOME', '.local/state'),
  }
}
