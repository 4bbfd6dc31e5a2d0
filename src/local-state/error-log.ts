/** The failures of dray itself, by the error ids that commands printed. */
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'
import { toTimestamp } from '../core/time.ts'
import { appendEntry, type LogFile, readEntries } from './log-file.ts'

export type LoggedError = {
  error_id: string
  /** By the machine's clock. */
  at: string
  version: string
  /** The words of the command without its values, which may be secrets; empty for an unknown one. */
  command: string
  stack: string
}

type Deps = Pick<Machine, 'paths'>

/** Returns the file in which the failures stand. */
export function errorFile({ paths }: Deps): LogFile {
  return { path: join(paths.state, 'errors.jsonl'), kept: 50, maxBytes: 1_000_000 }
}

/** Writes a failure down. A file that cannot be written is ignored. */
export function logError(deps: Deps, at: number, error: Omit<LoggedError, 'at'>): void {
  appendEntry(errorFile(deps), { ...error, at: toTimestamp(at) })
}

/** Returns the failures that were written down, oldest first. */
export function listErrors(deps: Deps): LoggedError[] {
  return readEntries<LoggedError>(errorFile(deps))
}
