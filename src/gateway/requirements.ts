/** Checks 4 and 8 of a request: the scope of its credential, and the entitlement of its account as it is now. */
import type { Account, Agreement, Scope } from '../core/account.ts'
import { isMembershipActive } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import type { AnyOperation } from '../core/operation.ts'

/** Throws `insufficient_scope`. */
export function requireScope(operation: AnyOperation, scopes: readonly Scope[]): void {
  if (scopes.includes(operation.scope)) return
  throw new AppError('insufficient_scope', `${operation.name} needs the scope ${operation.scope}.`, {
    extra: { required_scope: operation.scope, operations: [operation.name] },
  })
}

/** Throws `membership_required` or `agreement_required`. */
export function requireEntitlement(operation: AnyOperation, account: Account, now: number): void {
  const { entitlement } = operation
  if (entitlement === 'none') return
  const { name } = operation
  if (entitlement === 'service_one') {
    if (isMembershipActive(account.membership, now)) return
    throw new AppError('membership_required', `${name} needs an active membership.`, {
      extra: { required_entitlement: entitlement, operations: [name, 'get_membership_status'] },
    })
  }
  const agreement = entitlement === 'carrier_agreement' ? account.carrierAgreement : account.businessAgreement
  if (isActive(agreement)) return
  throw new AppError('agreement_required', `${name} needs an active ${entitlement.replace('_', ' ')}.`, {
    extra: { required_entitlement: entitlement, operations: [name] },
  })
}

function isActive(agreement: Agreement | undefined): boolean {
  return agreement?.status === 'active'
}
