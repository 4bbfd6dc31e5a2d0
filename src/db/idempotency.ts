import type { Tx } from '../core/db.ts'
import { defineRow } from './table.ts'

/** The account, operation and key that together name one call (docs/rules/idempotency.md#a-key-belongs-to-an-account-and-an-operation). */
export type IdempotencyScope = { account_id: string; operation: string; key: string }

export type StoredAnswer = {
  fingerprint: string
  status: number
  location: string | undefined
  body: string
  completed_at: number
}

const toAnswer = defineRow<StoredAnswer>({
  fingerprint: 'text',
  status: 'integer',
  location: { from: (row) => (row['location'] as string | null) ?? undefined },
  body: 'text',
  completed_at: 'integer',
})

/** Returns the stored response of a call; undefined when its key is unknown. */
export async function findAnswer(
  tx: Tx,
  { account_id, operation, key }: IdempotencyScope,
): Promise<StoredAnswer | undefined> {
  const row = await tx.get(
    `select fingerprint, status, location, body, completed_at from idempotency
     where account_id = $1 and operation = $2 and idempotency_key = $3`,
    account_id,
    operation,
    key,
  )
  return row && toAnswer(row)
}

/**
 * Stores the response of a call. On PostgreSQL it waits for a transaction that stores one under the same key; when that is
 * committed, this one fails, and its repetition finds the response.
 */
export async function storeAnswer(
  tx: Tx,
  { account_id, operation, key }: IdempotencyScope,
  { fingerprint, status, location, body, completed_at }: StoredAnswer,
): Promise<void> {
  await tx.runPipelined(
    `insert into idempotency
       (account_id, operation, idempotency_key, fingerprint, status, location, body, completed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    account_id,
    operation,
    key,
    fingerprint,
    status,
    location ?? null,
    body,
    completed_at,
  )
}

/** Deletes the account's responses that were completed at or before `before`. Their keys can then be used again. */
export async function deleteCompletedResponses(tx: Tx, accountId: string, before: number): Promise<void> {
  await tx.runPipelined(
    'delete from idempotency where account_id = $1 and completed_at <= $2',
    accountId,
    before,
  )
}
