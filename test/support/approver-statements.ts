import type { Tx } from '../../src/core/db.ts'
import * as approvers from '../../src/oauth/queries/approvers.ts'

/** Statements about links and browsers that may approve. */
export function approverStatements(
  now: number,
): readonly (readonly [string, (tx: Tx) => Promise<unknown>])[] {
  const link = { secret_hash: 'link', kind: 'link', expires_at: now + 1 } as const
  return [
    ['keepApprover', (tx) => approvers.saveApprover(tx, link)],
    ['keepApprover', (tx) => approvers.saveApprover(tx, { ...link, expires_at: now + 2 })],
    ['isApprover', (tx) => approvers.isApprover(tx, 'link', 'link', now + 1)],
    ['isApprover', (tx) => approvers.isApprover(tx, 'browser', 'link', now)],
    ['useLink', (tx) => approvers.useLink(tx, 'link', now + 2)],
    ['useLink', (tx) => approvers.useLink(tx, 'link', now)],
    ['useLink', (tx) => approvers.useLink(tx, 'link', now)],
    ['keepApprover', (tx) => approvers.saveApprover(tx, { ...link, kind: 'browser' })],
    ['forgetApprovers', (tx) => approvers.deleteApprovers(tx, now)],
    ['forgetApprovers', (tx) => approvers.deleteApprovers(tx)],
  ]
}
