import { AppError } from '../../core/errors.ts'
import { decode, type DecodedText } from '../csv/decode.ts'
import { looksLikeWorkbook } from '../xlsx/signature.ts'
import type { Workbook } from '../xlsx/workbook.ts'
import type { ReadFlags } from './prompts.ts'

/** The content of a file: text, or the sheets of a workbook. */
export type FileContent = DecodedText | Workbook

/**
 * Returns the content of a file. Its bytes say whether it is a workbook; `most` limits the bytes of an unpacked sheet.
 * Throws AppError.
 */
export async function readFileContent(
  bytes: Uint8Array,
  { encoding, sheet }: Pick<ReadFlags, 'encoding' | 'sheet'>,
  most?: number,
): Promise<FileContent> {
  if (looksLikeWorkbook(bytes)) return (await import('../xlsx/workbook.ts')).openWorkbook(bytes, most)
  if (sheet !== undefined)
    throw new AppError('usage', '--sheet is of no use: the file is text, and only a workbook has sheets.')
  return decode(bytes, encoding)
}
