/** The entry of the completion scripts. A file of its own, without the commands: a key press must be answered at once. */
import { completeLine } from './commands/completion/line.ts'
import type { CommandTree } from './commands/completion/tree.ts'
import { knownValues } from './commands/completion/values.ts'
import { COMPLETION } from './generated/completion.ts'
import { resolvePaths } from './paths.ts'

/**
 * Returns what may stand at the end of a line, as `completeLine` writes it. The last word follows an equals sign, because
 * PowerShell drops empty words.
 */
export function complete(words: readonly string[], { env, cwd, platform }: NodeJS.Process): string {
  const line = [...words.slice(0, -1), (words.at(-1) ?? '=').replace(/^=/, '')]
  const runtime = { env, cwd: folderOf(cwd), paths: resolvePaths(env, platform) }
  return completeLine(JSON.parse(COMPLETION) as CommandTree, line, (kind) => knownValues(kind, line, runtime))
}

/** Returns the current folder; the root where it was deleted, which has no project file. */
function folderOf(cwd: () => string): string {
  try {
    return cwd()
  } catch {
    return '/'
  }
}
