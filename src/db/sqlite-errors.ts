import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../core/errors.ts'
import { fileReason } from '../core/file-reason.ts'

/** Result codes of SQLite (`sqlite.org/rescode.html`); the low byte of an extended code is the primary one. */
const CODE = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  protocol: 15,
  notadb: 26,
  ioerrWrite: 778,
  ioerrFsync: 1034,
  ioerrDirFsync: 1290,
  ioerrShmsize: 4874,
} as const

type SqliteError = Error & { errcode: number; errstr: string }

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number'
}

/** Returns true if another connection locks the store, so that waiting helps. */
export function isSqliteBusy(error: unknown): boolean {
  if (!isSqliteError(error)) return false
  const primary = error.errcode & 0xff
  return primary === CODE.busy || primary === CODE.locked || primary === CODE.protocol
}

/** A write of a group failed after it had changed something, so the group is rolled back, and runs again in savepoints. */
export class RolledBackError extends Error {
  constructor(cause: unknown) {
    super('The group is rolled back', { cause })
  }
}

/**
 * Returns true for a failed sync. The written bytes may be lost although a later sync succeeds (the kernel drops the
 * page). So no later write of this process can be guaranteed.
 */
export function isSyncFailure(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode === CODE.ioerrFsync || error.errcode === CODE.ioerrDirFsync)
}

/** Converts an SQLite error for the person who named the file; returns other errors unchanged. */
export function toSqliteStoreError(error: unknown, path: string): unknown {
  return isSqliteError(error) ? fromSqlite(error, path) : error
}

/** Converts an error while a store is opened, which may also come from the file system. */
export function toOpenError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error))
    return toSqliteStoreError(error, path)
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return storageFull(path, error)
  return new AppError(
    'store_error',
    `The store ${path} cannot be opened: ${whyNot(error as NodeJS.ErrnoException)}. Check the path and your write permission.`,
    { cause: error },
  )
}

/** Returns the system's reason, and the folder that could not be made. */
function whyNot(error: NodeJS.ErrnoException): string {
  const { syscall, code, path = '' } = error
  if (syscall !== 'mkdir') return fileReason(error)
  if (code === 'EEXIST') return `${path} is not a folder, or a broken link`
  return code === 'ENOENT' ? `the folder ${path} cannot be created` : `${fileReason(error)} (${path})`
}

/** Returns why a file of a store, or its folder, cannot be written; empty where the system gives no reason. */
function denial(path: string): string {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return ''
  } catch (error) {
    return `: ${fileReason(error)}`
  }
}

function fromSqlite(error: SqliteError, path: string): unknown {
  const options = { cause: error }
  if (isSqliteBusy(error)) {
    return new AppError(
      'service_unavailable',
      `Another process has held the store ${path} for a long time. Wait for it to finish, or end it, and try again.`,
      options,
    )
  }
  if (isSyncFailure(error)) return syncFailure(path, error)
  // SQLite reports a full disk as SQLITE_FULL, but a quota or a file size limit as an I/O error.
  if (error.errcode === CODE.ioerrWrite || error.errcode === CODE.ioerrShmsize)
    return storageFull(path, error)
  switch (error.errcode & 0xff) {
    case CODE.full:
      return storageFull(path, error)
    case CODE.notadb:
      return notAStoreError(path, 'not a database', error)
    case CODE.corrupt:
      return new AppError(
        'store_error',
        `The store ${path} is damaged (${error.errstr}). Restore it from a backup, or move it away to start with a new one.`,
        options,
      )
    case CODE.cantopen:
      return new AppError(
        'store_error',
        `The store ${path} cannot be opened${denial(path)}. Check that it is a file, and your permission to read and write it and its folder.`,
        options,
      )
    case CODE.readonly:
    case CODE.perm:
      return new AppError(
        'store_error',
        `The store ${path} cannot be written${denial(path)}. Check your write permission for the file and its folder, and that the disk is not read-only.`,
        options,
      )
    case CODE.ioerr:
      return new AppError(
        'store_error',
        `The store ${path} cannot be read or written (${error.message}, code ${error.errcode}). Check the disk.`,
        options,
      )
    default:
      return error
  }
}

/** Returns the error of a file that is not a store; the file is left unchanged. */
export function notAStoreError(path: string, what: string, cause?: unknown): AppError {
  return new AppError(
    'store_error',
    `${path} is not a store of dray: it is ${what}. Choose another file with --store, or move this one away.`,
    { cause },
  )
}

/** Returns the error of an empty file, whose content a full disk or an interrupted copy lost. */
export function cutOff(path: string): AppError {
  return new AppError(
    'store_error',
    `The store ${path} is empty (0 bytes): its content was lost. Restore it from a backup, or remove the file to start with a new store.`,
  )
}

function storageFull(path: string, cause: unknown): AppError {
  return new AppError(
    'storage_full',
    `The store ${path} cannot grow: no space, or a quota or size limit is reached.`,
    { cause },
  )
}

/** Returns the error of every write after a failed sync. */
export function syncFailure(path: string, cause: unknown): AppError {
  return new AppError(
    'store_error',
    `The disk did not confirm a write to the store ${path}; this process writes no more. Check the disk, then start again.`,
    { cause },
  )
}
