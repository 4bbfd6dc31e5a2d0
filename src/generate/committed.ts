import type { AnyOperation } from '../operation.ts'
import type { CommandEntry } from './tree.ts'

/** The generated files that are committed, by path from the root: a reader reviews them, `--check` compares them. */
export async function committedFiles(
  _root: string,
  _operations: AnyOperation[],
  _commands: CommandEntry[],
): Promise<Record<string, string>> {
  return {}
}
