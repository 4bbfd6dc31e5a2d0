/** The entry of the completion scripts. A file of its own, without the commands: a key press must be answered at once. */
import { completeValues } from './commands/completion/values.ts'
import { findPaths } from './paths.ts'

/** Returns the values of a kind for the words of a line, one in each line. */
export function complete(words: readonly string[], { env, cwd, platform }: NodeJS.Process): string {
  return completeValues(words, { env, cwd: cwd(), paths: findPaths(env, platform) })
}
