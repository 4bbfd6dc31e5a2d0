import type { Account } from '../domain/account.ts'
import { AppError } from '../errors.ts'
import { findAccount } from '../store/accounts.ts'
import type { Tx } from '../store/db.ts'

/** The account of an id or a short name. Throws `account_not_found`. */
export async function loadAccount(tx: Tx, idOrHandle: string): Promise<Account> {
  const account = await findAccount(tx, idOrHandle)
  if (account === undefined)
    throw new AppError('account_not_found', `There is no account ${idOrHandle.slice(0, 40)}.`)
  return account
}
