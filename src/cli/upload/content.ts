import type { FileKind } from '../../tabular/columns/columns.ts'
import { type FileContent, readFileContent } from '../../tabular/import/content.ts'
import type { CommandContext } from '../cli.ts'
import { readFileOrStdin } from '../files/read.ts'
import type { FileFlags } from './flags.ts'

/** Reads a file, or standard input for `-`. Throws AppError. */
export async function readContent(
  { io }: Pick<CommandContext, 'io'>,
  path: string,
  kind: FileKind['name'],
  flags: Pick<FileFlags, 'encoding' | 'sheet'>,
): Promise<FileContent> {
  return readFileContent(await readFileOrStdin(path, kind, io), flags)
}
