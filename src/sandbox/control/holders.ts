import { listAccounts, loadAccount } from '../../areas/account/store.ts'
import type { Tx } from '../../core/db.ts'

/** Returns the short name of an account, as `--as` takes it. */
export async function handleOf(tx: Tx, accountId: string): Promise<string> {
  return (await loadAccount(tx, accountId)).handle
}

/** Returns the short name of the first account with this agreement; null for an agreement of nobody here. */
export async function holderOf(tx: Tx, agreementId: string | null): Promise<string | null> {
  const holder = (await listAccounts(tx)).find(
    ({ carrierAgreement, businessAgreement }) =>
      agreementId !== null &&
      [carrierAgreement?.agreement_id, businessAgreement?.agreement_id].includes(agreementId),
  )
  return holder?.handle ?? null
}
