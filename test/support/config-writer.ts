/**
 * A process that keeps writing its own profile into the configuration of the home named by its first argument, and says
 * each number on stdout once it is written. Killed, or ended after as many writes as the third argument says.
 */
import { updateConfig } from '../../src/cli/config.ts'
import { withFileLock } from '../../src/store/file-lock.ts'

const [home = '', name = '', count = '1000000'] = process.argv.slice(2)
const parts = {
  paths: { config: `${home}/config`, data: `${home}/data`, state: `${home}/state` },
  lock: <T>(path: string, work: () => T): Promise<T> => Promise.resolve(withFileLock(path, work)),
}
for (let written = 1; written <= Number(count); written++) {
  await updateConfig(parts, (config) => {
    config.profiles ??= {}
    config.profiles[name] = { account: `${name}-${written}`, token: 'x'.repeat(4000) }
  })
  process.stdout.write(`${written}\n`)
}
