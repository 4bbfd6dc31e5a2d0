/**
 * A process that repeatedly writes its own profile to the configuration of the home in its first argument, and prints
 * each number after the write. It runs until it is killed, or for the number of writes in the third argument.
 */
import { writeSync } from 'node:fs'
import { updateConfig } from '../../src/cli/config.ts'
import { withFileLock } from '../../src/db/file-lock.ts'

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
  printNow(`${written}\n`)
}

/** Prints at once: process.stdout would keep what a slow reader has no room for, and lose it with the process. */
function printNow(text: string): void {
  for (;;) {
    try {
      writeSync(1, text)
      return
    } catch (error) {
      // The reader is busy, and its pipe full.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
