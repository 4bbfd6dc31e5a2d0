/** Links that are not opened yet, and browsers that may approve devices. All times are by the machine's clock. */
import type { Tx } from '../../core/db.ts'

export type ApproverKind = 'link' | 'browser'

/** Stores a link or a browser by the SHA-256 of its secret, or prolongs it. */
export async function saveApprover(
  tx: Tx,
  { secret_hash, kind, expires_at }: { secret_hash: string; kind: ApproverKind; expires_at: number },
): Promise<void> {
  await tx.run(
    `insert into approvers (secret_hash, kind, expires_at) values ($1, $2, $3)
     on conflict (secret_hash) do update set expires_at = excluded.expires_at`,
    secret_hash,
    kind,
    expires_at,
  )
}

/** Uses a link up. Returns false when it is unknown, used or expired. */
export async function useLink(tx: Tx, secretHash: string, now: number): Promise<boolean> {
  const used = await tx.run(
    `delete from approvers where secret_hash = $1 and kind = 'link' and expires_at > $2`,
    secretHash,
    now,
  )
  return used === 1
}

/** Returns whether a link is still unused, or a browser may still approve. */
export async function isApprover(
  tx: Tx,
  kind: ApproverKind,
  secretHash: string,
  now: number,
): Promise<boolean> {
  const row = await tx.get(
    'select secret_hash from approvers where secret_hash = $1 and kind = $2 and expires_at > $3',
    secretHash,
    kind,
    now,
  )
  return row !== undefined
}

/** Deletes the links and browsers that expired at or before `before`; all of them without it. */
export async function deleteApprovers(tx: Tx, before = Number.MAX_SAFE_INTEGER): Promise<void> {
  await tx.run('delete from approvers where expires_at <= $1', before)
}
