import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { ResourceOwner } from '../../core/owned.ts'
import { type CatalogLock, lockCatalog } from '../catalog/lifecycle/catalog.ts'
import { findItem, type ItemRecord } from '../catalog/queries/catalog.ts'
import { findMerchant, listMerchantsOf, type MerchantRecord } from '../merchants/queries.ts'

/** The agreement with the stores that the caller runs. */
export function requireBusinessAgreement({ account }: Pick<OperationContext, 'account'>): string {
  const { businessAgreement } = account
  if (businessAgreement === undefined)
    throw new AppError('agreement_required', 'The account has no business agreement.')
  return businessAgreement.agreement_id
}

/** The owner of stores, with their orders. */
export const BUSINESS_AGREEMENT: ResourceOwner = {
  entitlement: 'business_agreement',
  idOf: requireBusinessAgreement,
  touches: (_input, { account: { businessAgreement: agreement } }) =>
    agreement === undefined ? undefined : { counterparty: agreement.agreement_id },
}

/**
 * Returns the caller's store: the one with this id, or the only one. Throws with their names when there are several and
 * none is named, or when the id is of none of them; `place` is where the id should have been.
 */
export async function loadOwnStore(
  context: OperationContext,
  merchantId: string | undefined,
  place: 'parameter' | 'pointer',
): Promise<MerchantRecord> {
  const stores = await listMerchantsOf(context.tx, requireBusinessAgreement(context))
  const [first, ...more] = stores
  const store =
    merchantId === undefined ? first : stores.find(({ merchant_id }) => merchant_id === merchantId)
  const merchants = stores.map(({ merchant_id, name }) => ({ merchant_id, name }))
  if (store === undefined) {
    const which = merchantId === undefined ? 'no store' : `no store ${merchantId}`
    throw new AppError('merchant_not_found', `You have ${which}.`, { extra: { merchants } })
  }
  if (merchantId !== undefined || more.length === 0) return store
  const names = stores.map(({ merchant_id, name }) => `${name} (${merchant_id})`).join(', ')
  throw new AppError('invalid_request', `You have ${stores.length} stores; choose one: ${names}.`, {
    errors: [
      {
        ...(place === 'parameter' ? { parameter: 'merchant_id' } : { pointer: '/merchant_id' }),
        code: 'required',
        detail: 'merchant_id is required where there are several stores',
      },
    ],
    extra: { merchant_ids: stores.map(({ merchant_id }) => merchant_id), merchants },
  })
}

/**
 * Locks the catalogue of the caller's store and loads one of its items. Throws as if another store's item did not
 * exist.
 */
export async function lockOwnItem(
  context: OperationContext,
  itemId: string,
): Promise<{ hold: CatalogLock; item: ItemRecord }> {
  const { tx } = context
  const seen = await findItem(tx, itemId)
  const store = seen && (await findMerchant(tx, seen.merchant_id))
  if (store === undefined || store.agreement_id !== requireBusinessAgreement(context)) throw noItem(itemId)
  const hold = await lockCatalog(context, store.merchant_id)
  // Another transaction may have deleted the item before this one got the lock.
  const item = await findItem(tx, itemId)
  if (item === undefined) throw noItem(itemId)
  return { hold, item }
}

/** Returns the error for an item that is not the caller's. */
export function noItem(itemId: string): AppError {
  return new AppError('item_not_found', `No item ${itemId}.`, {
    hint: '`dray business catalog list` shows your items.',
  })
}
