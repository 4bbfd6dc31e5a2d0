/** The rule by which a store accepts orders (docs/rules/food-and-stores.md#a-store-may-accept-orders-by-rule). */
import { makeOpeningClock } from '../../../core/opening-hours.ts'
import { hasScenario } from '../../../core/scenario.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { findMerchant } from '../../merchants/queries.ts'
import { autoAcceptAt, computePrepMinutes } from '../../merchants/rules.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import type { OrderRecord } from '../queries/orders.ts'
import { canStartPreparation } from '../rules/allowed.ts'
import { hasAllergyAlert } from '../rules/ticks.ts'

/**
 * Returns the prep time with which the rule of a store accepts an order now; undefined if it leaves the order to people: while the
 * store is closed or paused, and for an allergy or a later time.
 */
export async function findAutoAcceptMinutes(
  { tx, at }: Pick<ChangeContext, 'tx' | 'at'>,
  order: OrderRecord,
): Promise<number | undefined> {
  const { merchant_id, order_id, status, doc } = order
  const merchant = await findMerchant(tx, merchant_id)
  const rule = merchant?.doc.settings && autoAcceptAt(merchant.doc.settings, at)
  if (merchant === undefined || !rule || status !== 'placed') return undefined
  const isForPeople =
    doc.scheduled_for !== null || hasScenario(order, 'store_rejects') || hasAllergyAlert(doc)
  const isOpen = makeOpeningClock(at).isOpen(merchant.week, merchant.timezone, merchant.paused_until)
  if (isForPeople || !isOpen || !canStartPreparation(await loadPayment(tx, order_id))) return undefined
  const { prep_time_minutes: minutes } = rule
  // The order's own time has the busy minutes of the store already.
  return minutes === null
    ? doc.prep_time_minutes
    : computePrepMinutes({ ...merchant, prep_time_minutes: minutes }, at)
}
