/**
 * The person who acts for a store: its owner while the owner's account is in use, else its staff
 * (docs/rules/food-and-stores.md#staff-act-for-an-absent-owner).
 */
import type { Tx } from '../../../core/db.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { findStoreOwnerLastSeenAt } from '../../account/queries/accounts.ts'
import type { OrderRecord } from '../queries/orders.ts'

/** A store waits for its owner this long after the owner's last call. */
const OWNER_STAYS_MS = 7_200_000

/** Returns the time at which the staff may act for an order: the owner has been away for two hours by then. Undefined: never. */
async function staffActsFrom(tx: Tx, order: OrderRecord): Promise<number | undefined> {
  if (hasScenario(order, 'store_manual')) return undefined
  const { agreement_id } = order.doc.merchant
  const seen = agreement_id === null ? null : await findStoreOwnerLastSeenAt(tx, agreement_id)
  return seen === null ? 0 : seen + OWNER_STAYS_MS
}

/** Returns whether the staff may act for an order at an instant. */
export async function canStaffActForOrder(tx: Tx, order: OrderRecord, at: number): Promise<boolean> {
  const from = await staffActsFrom(tx, order)
  return from !== undefined && from <= at
}

/** Returns the time at which the staff takes over an order that its owner has left as it is since its last change. Undefined: never. */
export async function staffTakesOverAt(tx: Tx, order: OrderRecord): Promise<number | undefined> {
  const from = await staffActsFrom(tx, order)
  return from === undefined ? undefined : Math.max(from, order.updated_at + OWNER_STAYS_MS)
}
