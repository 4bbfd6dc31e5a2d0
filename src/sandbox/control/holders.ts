import { findHolder, loadAccount } from '../../areas/account/queries/accounts.ts'
import { findMerchant } from '../../areas/merchants/queries.ts'
import type { OrderRecord } from '../../areas/orders/queries/orders.ts'
import type { Tx } from '../../core/db.ts'

/** Returns the short name of an account, as `--as` takes it. */
export async function handleOf(tx: Tx, accountId: string): Promise<string> {
  return (await loadAccount(tx, accountId)).handle
}

/** Returns the short name of the account with this agreement; null for an agreement of no account here. */
export async function findAgreementHolderHandle(tx: Tx, agreementId: string | null): Promise<string | null> {
  const holder = agreementId === null ? undefined : await findHolder(tx, agreementId)
  return holder?.handle ?? null
}

/** Returns the short names of the account that ordered, and of the one that runs the store. */
export async function partiesOf(
  tx: Tx,
  { account_id, merchant_id }: OrderRecord,
): Promise<{ account: string; store_account: string | null }> {
  const store = await findMerchant(tx, merchant_id)
  return {
    account: await handleOf(tx, account_id),
    store_account: await findAgreementHolderHandle(tx, store?.agreement_id ?? null),
  }
}
