/** The reasons why a workbook cannot be read, each with the next step. */
import type { AppError } from '../../core/errors.ts'
import { fileError } from '../csv/file-error.ts'

const AS_XLSX = 'Open it in a spreadsheet and save it as .xlsx, or export it as CSV (UTF-8).'

/** A file of another kind than the one that is read; `what` ends the sentence: `a document of OpenOffice (.ods)`. */
export function otherFileKindError(what: string): AppError {
  return fileError('bad_encoding', `The file is ${what}, which is not read.`, { hint: AS_XLSX })
}

export function workbookLockedError(): AppError {
  return fileError('workbook_locked', 'The workbook is protected by a password.', {
    hint: 'Remove the password in the spreadsheet and save it, or export the sheet as CSV (UTF-8).',
  })
}

export function workbookDamagedError(cause?: unknown): AppError {
  const error = fileError('workbook_damaged', 'The workbook is damaged or incomplete.', {
    hint: 'Open it in a spreadsheet program, which may repair it, and save it again as .xlsx, or export it as CSV (UTF-8).',
  })
  error.cause = cause
  return error
}

/** A part with elements within elements, deeper than any program writes. */
export function workbookTooDeepError(levels: number): AppError {
  return fileError('workbook_damaged', `The workbook has elements more than ${levels} levels deep.`, {
    hint: 'Copy its rows into a new workbook, or export the sheet as CSV (UTF-8).',
  })
}

/** `limit` ends the sentence: `unpacks to more than 128 MiB`. */
export function workbookTooLarge(limit: string): AppError {
  return fileError('file_too_large', `The workbook ${limit}; that is too much for a normal list.`, {
    hint: 'Copy its rows into a new workbook, or export the sheet as CSV (UTF-8).',
  })
}
