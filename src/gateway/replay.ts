/** Returns the first response to a repeated call, byte for byte, if it is the same call (docs/rules/idempotency.md#one-key-has-one-effect). */
import { canonicalJson } from '../core/canonical-json.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import type { AnyOperation } from '../core/operation.ts'
import { omitViewOptions } from '../core/views.ts'
import { findAnswer, deleteCompletedResponses } from '../db/idempotency.ts'
import type { IdempotencyScope } from '../db/idempotency.ts'
import { isLockTimeout } from '../db/lock-timeout.ts'

/** The time that a completed key is remembered, by the service clock (docs/rules/idempotency.md#a-key-is-kept-for-a-day). */
const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000

/** `state` is the status of the one resource that a success shows. */
export type CallOutcome = {
  status: number
  body: string
  location?: string | undefined
  state?: string | undefined
  replayed?: true
}

/** The longest response that is read again for a state, in characters: one that shows one resource is shorter. */
const MAX_REREAD_LENGTH = 65_536

/** Returns the status of the one resource that a value shows; undefined for lists, refusals and other values. */
export function findResourceStatus({ status }: { status?: unknown }): string | undefined {
  return typeof status === 'string' ? status : undefined
}

/** Returns the stored response of this call; undefined when it is the first with its key. */
export async function findOutcome(
  tx: Tx,
  scope: IdempotencyScope,
  print: string,
  now: number,
): Promise<CallOutcome | undefined> {
  await deleteCompletedResponses(tx, scope.account_id, now - IDEMPOTENCY_WINDOW_MS)
  const before = await findAnswer(tx, scope)
  if (before === undefined) return undefined
  if (before.fingerprint !== print) {
    throw new AppError(
      'idempotency_key_reused',
      `The key ${scope.key} was used for another ${scope.operation} call.`,
    )
  }
  const { status, body, location } = before
  const state = body.length > MAX_REREAD_LENGTH ? undefined : findResourceStatus(JSON.parse(body) as object)
  return { status, body, location, state, replayed: true }
}

/**
 * Turns a lock timeout into `idempotency_in_flight`: the first call with the key is still running
 * (docs/rules/idempotency.md#two-calls-with-one-key-wait-for-each-other).
 */
export function toInFlight(error: unknown): unknown {
  if (!isLockTimeout(error)) return error
  return new AppError('idempotency_in_flight', 'A call with this Idempotency-Key is still running.', {
    cause: error,
  })
}

/** Returns the SHA-256 over method, path with its ids, and the canonical body (docs/rules/idempotency.md#the-same-key-needs-the-same-call). */
export function fingerprint(operation: AnyOperation, input: Record<string, unknown>): string {
  // In process an id may be any value. The schema rejects a value that is no text, later.
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = input[name]
    return encodeURIComponent(typeof id === 'string' && id.isWellFormed() ? id : JSON.stringify(id ?? null))
  })
  const body = Object.fromEntries(
    Object.entries(omitViewOptions(input)).filter(([name]) => !operation.pathParameters.includes(name)),
  )
  return sha256Hex(`${operation.method}\n${path}\n${canonicalJson(body)}`)
}
