/** Changes `config.json`. The reader is in `config-file.ts`, so that it loads nothing of this. */
import fs from 'node:fs'
import { dirname } from 'node:path'
import type Conf from 'conf'
import { AppError } from '../core/errors.ts'
import { makeFolders, realPath } from '../core/folders.ts'
import { checkConfig, type Config, configPath, readConfig } from './config-file.ts'
import type { Runtime } from './runtime.ts'

type ConfigDeps = Pick<Runtime, 'paths' | 'lock'>

/**
 * Changes the configuration under a lock that all processes share, and replaces the file atomically: mode 0600 in a
 * folder of 0700, whatever the umask. Throws AppError('config_error' | 'storage_full').
 */
export async function updateConfig<T>(
  { paths, lock }: ConfigDeps,
  change: (config: Config) => T,
): Promise<T> {
  const folder = paths.config
  // Loaded before the lock is taken, so that the lock is held for milliseconds only.
  const ConfFile = await loadConf()
  createConfigFolder(folder)
  return lock(`${folder}/config.lock`, () => {
    const config = readConfig(folder, () => undefined)
    const before = JSON.stringify(config)
    const result = change(config)
    if (JSON.stringify(config) !== before) {
      checkConfig(config, configPath(folder), () => undefined)
      write(ConfFile, folder, config)
    }
    return result
  })
}

type ConfClass = typeof Conf

/** Loads conf and removes its signal listeners, which would end the process; the command itself handles signals. */
async function loadConf(): Promise<ConfClass> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = signals.map((signal) => new Set<unknown>(process.listeners(signal)))
  const { default: loaded } = await import('conf')
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (!before[index]?.has(listener)) process.removeListener(signal, listener)
    }
  }
  return loaded
}

/** Creates the configuration's folder, closed to other users. Throws AppError('config_error' | 'storage_full'). */
export function createConfigFolder(folder: string): void {
  try {
    makeFolders(folder, 0o700)
    fs.chmodSync(folder, 0o700)
  } catch (error) {
    throw refusal(error, folder)
  }
}

const NEXT = 'config.next'

/**
 * Writes to a temporary file and renames it. conf alone is not enough: where SNAP is set it writes in place, and a
 * short write to a full disk would leave half a configuration.
 */
function write(ConfFile: ConfClass, folder: string, config: Config): void {
  const path = realPath(configPath(folder))
  const place = dirname(path)
  const next = `${place}/${NEXT}.json`
  const text = `${JSON.stringify(config, null, 2)}\n`
  try {
    removeLeftovers(place)
    const conf = new ConfFile<Record<string, unknown>>({
      cwd: place,
      configName: NEXT,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      serialize: () => text,
    })
    conf.store = config
    if (fs.readFileSync(next, 'utf8') !== text) throw shortWrite()
    sync(next)
    fs.renameSync(next, path)
    sync(place)
  } catch (error) {
    fs.rmSync(next, { force: true })
    throw refusal(error, configPath(folder))
  }
}

function shortWrite(): NodeJS.ErrnoException {
  return Object.assign(new Error('Not everything was written.'), { code: 'ENOSPC' })
}

/** Removes the temporary files of killed processes, which may contain a token. */
function removeLeftovers(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (name.startsWith(`${NEXT}.`)) fs.rmSync(`${folder}/${name}`, { force: true })
  }
}

function sync(path: string): void {
  // Windows cannot open a folder.
  if (process.platform === 'win32') return
  const fd = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function refusal(error: unknown, path: string): AppError {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('storage_full', `No disk space to write ${path}; it was not changed.`, {
      cause: error,
    })
  }
  return new AppError('config_error', `${path} cannot be written (${code ?? message}); it was not changed.`, {
    cause: error,
  })
}
