/** The entry of the completion scripts. A file of its own, without the commands: a key press must be answered at once. */
import { completeValues } from './commands/completion/values.ts'
import { findPaths } from './paths.ts'

/** Returns the values of a kind for the words of a line, one in each line. */
export function complete(words: readonly string[], { env, cwd, platform }: NodeJS.Process): string {
  return completeValues(words, { env, cwd: folderOf(cwd), paths: findPaths(env, platform) })
}

/** Returns the current folder; the root where it was deleted, which has no project file. */
function folderOf(cwd: () => string): string {
  try {
    return cwd()
  } catch {
    return '/'
  }
}
