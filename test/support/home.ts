import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryFileLock, whileFileLocked, withFileLock } from '../../src/db/file-lock.ts'

/** Makes an empty home for one test, with the program's folders. It is deleted after the test. */
export function makeHome(env: Record<string, string> = {}) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'dray-home-')))
  const paths = { config: join(root, 'config'), data: join(root, 'data'), state: join(root, 'state') }
  const cwd = join(root, 'work')
  fs.mkdirSync(cwd)
  return {
    env: env as Record<string, string | undefined>,
    paths,
    cwd,
    lock: <T>(path: string, work: () => T): Promise<T> => Promise.resolve(withFileLock(path, work)),
    exclusive: <T>(path: string, work: () => Promise<T>): Promise<T> =>
      whileFileLocked(path, work, (ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    tryLock: (path: string): Promise<(() => void) | undefined> => {
      const lock = tryFileLock(path)
      return Promise.resolve(lock && (() => lock.close()))
    },
    configFile: join(paths.config, 'config.json'),
    /** Writes a configuration, as an editor would. */
    writeConfig(content: unknown, mode = 0o600): void {
      fs.mkdirSync(paths.config, { recursive: true, mode: 0o700 })
      fs.writeFileSync(
        join(paths.config, 'config.json'),
        typeof content === 'string' ? content : JSON.stringify(content),
      )
      fs.chmodSync(join(paths.config, 'config.json'), mode)
    },
    writeProject(content: unknown, folder = cwd): void {
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(
        join(folder, '.dray.json'),
        typeof content === 'string' ? content : JSON.stringify(content),
      )
    },
    readConfig: (): unknown => JSON.parse(fs.readFileSync(join(paths.config, 'config.json'), 'utf8')),
    [Symbol.dispose]: () => fs.rmSync(root, { recursive: true, force: true }),
  }
}

export type Home = ReturnType<typeof makeHome>
