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
 * Claims the key for the running transaction. Returns false when it is taken. On PostgreSQL it waits for a
 * transaction that holds the key, so a repeat of a running call gets its response.
 */
export async function claimKey(
  tx: Tx,
  scope: IdempotencyScope,
  fingerprint: string,
  now: number,
): Promise<boolean> {
  const inserted = await tx.run(
    `insert into idempotency (account_id, operation, idempotency_key, fingerprint, status, body, completed_at)
     values ($1, $2, $3, $4, 0, '', $5) on conflict do nothing`,
    scope.account_id,
    scope.operation,
    scope.key,
    fingerprint,
    now,
  )
  return inserted === 1
}

/** Returns the stored response of a call; undefined when its key is unknown. */
export async function findAnswer(tx: Tx, scope: IdempotencyScope): Promise<StoredAnswer | undefined> {
  const row = await tx.get(
    `select fingerprint, status, location, body, completed_at from idempotency
     where account_id = $1 and operation = $2 and idempotency_key = $3`,
    scope.account_id,
    scope.operation,
    scope.key,
  )
  return row && toAnswer(row)
}

/** Stores the response of a call whose key `claimKey` has claimed. */
export async function storeAnswer(
  tx: Tx,
  scope: IdempotencyScope,
  answer: Omit<StoredAnswer, 'fingerprint'>,
): Promise<void> {
  await tx.send(
    `update idempotency set status = $4, location = $5, body = $6, completed_at = $7
     where account_id = $1 and operation = $2 and idempotency_key = $3`,
    scope.account_id,
    scope.operation,
    scope.key,
    answer.status,
    answer.location ?? null,
    answer.body,
    answer.completed_at,
  )
}

/** Deletes the account's responses that were completed at or before `before`. Their keys can then be used again. */
export async function forgetAnswers(tx: Tx, accountId: string, before: number): Promise<void> {
  await tx.send('delete from idempotency where account_id = $1 and completed_at <= $2', accountId, before)
}
