/** Writes the entries of an order in the books of its store, in the transaction that moves the money. */
import type { ChangeContext } from '../../../db/lifecycle.ts'
import type { Payment } from '../../payments/rules/payment.ts'
import { insertStoreEntries } from '../queries/store-entries.ts'
import { type OrderBookEntry, listOrderBookEntries, type OrderParts, partsLeft } from '../rules/shares.ts'
import { type BookedOrder, toStoreEntry } from '../rules/store-entries.ts'

type Writer = Pick<ChangeContext, 'tx' | 'at'>

/** Enters the capture of an order's payment; nothing while it is unpaid. */
export async function enterCapture({ tx, at }: Writer, order: BookedOrder, payment: Payment): Promise<void> {
  const [capture] = listOrderBookEntries(order.doc, payment)
  if (capture !== undefined) await insertStoreEntries(tx, at, [toStoreEntry(order, payment, capture)])
}

/**
 * Enters what changed a paid order: the latest refund of `payment`, or an adjustment without money. `before` are the parts of the
 * order and its payment as they were.
 */
export async function enterChange(
  { tx, at }: Writer,
  order: BookedOrder,
  payment: Payment,
  before: { parts: OrderParts; payment: Payment },
): Promise<void> {
  const refund = payment.refunds.length > before.payment.refunds.length ? payment.refunds.at(-1) : undefined
  const entry: OrderBookEntry = {
    at,
    kind: 'refund',
    amount: refund?.amount.amount ?? 0,
    before: before.parts,
    after: partsLeft(order.doc, payment),
    ...(refund !== undefined && { refund }),
  }
  await insertStoreEntries(tx, at, [toStoreEntry(order, payment, entry)])
}
