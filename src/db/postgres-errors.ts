import { AppError } from '../core/errors.ts'
import { isLockTimeout } from './lock-timeout.ts'

/** Returns the SQLSTATE of a PostgreSQL error (appendix A of its manual); undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined
  return String(error.code)
}

/** Returns whether the connection is useless after an error: it is gone, or its server is no longer the primary. */
export function isConnectionState(state: string | undefined): boolean {
  return state !== undefined && (state.startsWith('08') || CONNECTION.has(state))
}

/** A statement that writes in a read-only transaction or on a standby. */
export const READ_ONLY = '25006'

const STATEMENT_TIMEOUT = '57014'

const NAME_PRIMARY =
  'Name the primary, by DRAY_STORE or --store; of several hosts in one address the primary is used'

const CONNECTION = new Set([
  '57P01', // the administrator ended the connection
  '57P02', // another server process crashed
  '57P03', // the server is starting or stopping
  '57P05', // the connection was idle for too long
  '25P03', // the transaction was idle for too long
  READ_ONLY, // a standby, which cannot write
  '0A000', // a prepared statement outlived a migration
])

/** A pooler has lent another connection: it has not what was prepared, or has it already. */
export const NOT_PREPARED: readonly string[] = ['26000', '42P05']

const RETRIED = new Set([
  '40001', // could not serialise
  '40P01', // deadlock
  // Another transaction inserted between our select and our insert; a retry sees its row.
  '23505',
  '23P01',
  '53300', // too many connections
  ...NOT_PREPARED,
])

/** Returns true if a retry of the whole transaction may succeed. */
export function isRetried(state: string | undefined): boolean {
  return state !== undefined && (RETRIED.has(state) || isConnectionState(state))
}

/**
 * Converts an error for the person who named the database. Never shows the password. Returns other errors unchanged.
 */
export function toPostgresStoreError(error: unknown, database: string, lost: boolean): unknown {
  const state = sqlState(error)
  if (state === undefined) return lost && !(error instanceof AppError) ? unavailable(database, error) : error
  const options = { cause: error }
  if (isLockTimeout(error)) {
    return new AppError(
      'service_unavailable',
      `Another request locked the same data in ${database} for too long. Try again.`,
      options,
    )
  }
  const reason = (error as Error).message
  if (state === '53100')
    return new AppError('storage_full', `The server of ${database} has no space left.`, options)
  if (SETTINGS.has(state)) {
    return new AppError(
      'store_error',
      `${database} cannot be used: ${reason}. Check the address, user and permissions.`,
      options,
    )
  }
  if (state === '40001' || state === '40P01') {
    return new AppError(
      'service_unavailable',
      `Too many requests change the same rows of ${database}. Try again.`,
      options,
    )
  }
  if (state === STATEMENT_TIMEOUT) {
    return new AppError('service_unavailable', `A statement took ${database} too long. Try again.`, options)
  }
  if (state === READ_ONLY) return takesNoChanges(database, error)
  if (state.startsWith('53') || isConnectionState(state)) return unavailable(database, error)
  return error
}

/** Errors that a retry cannot solve: wrong password or user, no such database, missing privilege. */
const SETTINGS = new Set(['28P01', '28000', '3D000', '42501'])

/** The state of a server that nothing can be written to, and what to do. */
export const STANDBY = { detail: 'This server is a standby and cannot write', fix: NAME_PRIMARY } as const

/** Returns the error of a change that only a primary can make, or one without `default_transaction_read_only`. */
function takesNoChanges(database: string, cause: unknown): AppError {
  return new AppError(
    'service_unavailable',
    `${database} is read-only: its server is a standby, or default_transaction_read_only is on.`,
    { cause, hint: `${NAME_PRIMARY}. \`dray doctor\` shows which one.` },
  )
}

/** Returns the error of a server that is unreachable or not serving now. */
export function unavailable(database: string, cause: unknown): AppError {
  const reason =
    cause instanceof Error && cause.message !== '' ? cause.message : String((cause as { code?: string }).code)
  return new AppError(
    'service_unavailable',
    `${database} cannot be reached (${reason}). Check that it is running, then try again.`,
    {
      cause,
    },
  )
}

/** Returns the error of a connection that broke after the commit was sent: the commit may have succeeded. */
export function unknownOutcome(database: string, cause: unknown): AppError {
  return new AppError(
    'service_unavailable',
    `The connection to ${database} broke while the change was being committed; whether it was is not known. Repeat it with the same key.`,
    { cause },
  )
}
