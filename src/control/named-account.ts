import type { Account, Scope } from '../domain/account.ts'
import { AppError } from '../errors.ts'
import { findAccount } from '../store/accounts.ts'
import type { Tx } from '../store/db.ts'
import { wrong } from './clock.ts'

/** The account of an id or a short name. Throws `account_not_found`. */
export async function loadAccount(tx: Tx, idOrHandle: string): Promise<Account> {
  const account = await findAccount(tx, idOrHandle)
  if (account === undefined)
    throw new AppError('account_not_found', `There is no account ${idOrHandle.slice(0, 40)}.`)
  return account
}

/** The scopes asked for, or all that the account has. Throws `invalid_request` for one that it lacks. */
export function grantAsked(account: Account, asked: readonly Scope[] | undefined): Scope[] {
  const missing = asked?.filter((scope) => !account.scopes.includes(scope)) ?? []
  if (missing.length > 0)
    throw wrong('scopes', `holds what ${account.handle} does not have: ${missing.join(', ')}`)
  return [...(asked ?? account.scopes)]
}
