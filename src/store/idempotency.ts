import type { Tx } from '../core/db.ts'
import { defineRow } from './table.ts'

/** The account, operation and key that together name one call (`contract.md` A7). */
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

/**
 * Claims the key for the running transaction. Returns the response that was stored under it, if there is one. On
 * PostgreSQL it waits for a transaction that claimed the key, so a repeat of a running call gets its response.
 */
export async function claimKey(
  tx: Tx,
  { account_id, operation, key }: IdempotencyScope,
): Promise<StoredAnswer | undefined> {
  // The second statement is sent at once, and begins when the first has the key.
  const [, row] = await Promise.all([
    tx.hold?.(JSON.stringify([account_id, operation, key])),
    tx.get(
      `select fingerprint, status, location, body, completed_at from idempotency
       where account_id = $1 and operation = $2 and idempotency_key = $3`,
      account_id,
      operation,
      key,
    ),
  ])
  return row && toAnswer(row)
}

/** Stores the response of a call whose key `claimKey` has claimed. */
export async function storeAnswer(
  tx: Tx,
  { account_id, operation, key }: IdempotencyScope,
  { fingerprint, status, location, body, completed_at }: StoredAnswer,
): Promise<void> {
  await tx.send(
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
export async function forgetAnswers(tx: Tx, accountId: string, before: number): Promise<void> {
  await tx.send('delete from idempotency where account_id = $1 and completed_at <= $2', accountId, before)
}
