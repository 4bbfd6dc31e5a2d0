import { AppError } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import type { FileKind } from '../columns/columns.ts'
import { decode, type Decoded } from '../csv/decode.ts'
import { readInput } from '../files/read.ts'
import { looksLikeWorkbook } from '../workbook/signature.ts'
import type { Workbook } from '../workbook/workbook.ts'
import type { FileFlags } from './flags.ts'

/** The content of a file: text, or the sheets of a workbook. */
export type Content = Decoded | Workbook

/** Reads a file, or standard input for `-`. Its bytes say whether it is a workbook. Throws AppError. */
export async function readContent(
  { io }: Pick<Cli, 'io'>,
  path: string,
  kind: FileKind['name'],
  { encoding, sheet }: Pick<FileFlags, 'encoding' | 'sheet'>,
): Promise<Content> {
  const bytes = await readInput(path, kind, io)
  if (looksLikeWorkbook(bytes)) return (await import('../workbook/workbook.ts')).openWorkbook(bytes)
  if (sheet !== undefined)
    throw new AppError('usage', '--sheet is of no use: the file is text, and only a workbook has sheets.')
  return decode(bytes, encoding)
}
