/** The accounts of a sandbox, for commands that act as one of them. */
import type { Client } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import type { ControlAnswer } from '../sandbox/control/index.ts'

export type SandboxAccount = ControlAnswer<'list_accounts'>['data'][number]

/** Returns the accounts of the sandbox. Throws AppError. */
export async function loadSandboxAccounts(client: Client): Promise<SandboxAccount[]> {
  return (await client.control('list_accounts', {})).data
}

/** Returns the account of an id or a short name. Throws AppError('account_not_found') that lists all accounts. */
export function resolveAccount(accounts: readonly SandboxAccount[], asked: string): SandboxAccount {
  const found = accounts.find(({ handle, account_id }) => handle === asked || account_id === asked)
  if (found !== undefined) return found
  throw new AppError(
    'account_not_found',
    `The sandbox has no account ${asked.slice(0, 60)}; it has ${accounts.map(({ handle }) => handle).join(', ')}.`,
  )
}
