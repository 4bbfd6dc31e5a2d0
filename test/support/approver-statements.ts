import type { Tx } from '../../src/core/db.ts'
import * as approvers from '../../src/oauth/queries/approvers.ts'

/** Statements about links and browsers that may approve. */
export function approverStatements(
  now: number,
): readonly (readonly [string, (tx: Tx) => Promise<unknown>])[] {
  const link = { secret_hash: 'link', kind: 'link', expires_at: now + 1 } as const
  return [
    ['saveApprover', (tx) => approvers.saveApprover(tx, link)],
    ['saveApprover', (tx) => approvers.saveApprover(tx, { ...link, expires_at: now + 2 })],
    ['isApprover', (tx) => approvers.isApprover(tx, 'link', 'link', now + 1)],
    ['isApprover', (tx) => approvers.isApprover(tx, 'browser', 'link', now)],
    ['useLink', (tx) => approvers.useLink(tx, 'link', now + 2)],
    ['useLink', (tx) => approvers.useLink(tx, 'link', now)],
    ['useLink', (tx) => approvers.useLink(tx, 'link', now)],
    ['saveApprover', (tx) => approvers.saveApprover(tx, { ...link, kind: 'browser' })],
    ['deleteApprovers', (tx) => approvers.deleteApprovers(tx, now)],
    ['deleteApprovers', (tx) => approvers.deleteApprovers(tx)],
  ]
}
