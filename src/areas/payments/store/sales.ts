/** A store's sales and the amount it is due, by the payments of its orders and by the ledger. */
import type { Tx } from '../../../core/db.ts'
import type { Stretch } from '../../../core/period.ts'
import { toInteger } from '../../../store/values.ts'

/** Returns the ledger account of what the platform owes a store. */
export function payableOf(merchantId: string): string {
  return `payable:${merchantId}`
}

/** Returns the orders of a store that were paid or refunded in a stretch of time. */
export async function listSold(tx: Tx, merchantId: string, { from, to }: Stretch): Promise<string[]> {
  const rows = await tx.all(
    `select resource_id from payments where merchant_id = $1 and paid_at >= $2 and paid_at < $3
     union select resource_id from refunds where merchant_id = $1 and refunded_at >= $2 and refunded_at < $3
     order by resource_id`,
    merchantId,
    from,
    to,
  )
  return rows.map((row) => String(row['resource_id']))
}

/** Returns the orders of a store that were placed before an instant and are still to be paid. */
export async function listUnpaid(tx: Tx, merchantId: string, before: number): Promise<string[]> {
  const rows = await tx.all(
    `select resource_id from payments
     where merchant_id = $1 and paid_at is null and status = 'unpaid' and created_at < $2 order by created_at, resource_id`,
    merchantId,
    before,
  )
  return rows.map((row) => String(row['resource_id']))
}

/** An entry in the books of a store: the capture of an order's payment, or the refund with this id. */
export type EntryKey = { order_id: string; refund_id: string | null }

const UNCLOSED_CAPTURES =
  'merchant_id = $1 and closed_day is null and paid_at is not null and paid_at >= $2 and paid_at < $3'
const UNCLOSED_REFUNDS = 'merchant_id = $1 and closed_day is null and refunded_at >= $2 and refunded_at < $3'

/** Returns the entries in a stretch of time that no closed day counts yet, by order. */
export async function listUnclosed(tx: Tx, merchantId: string, { from, to }: Stretch): Promise<EntryKey[]> {
  const rows = await tx.all(
    `select resource_id, null as refund_id from payments where ${UNCLOSED_CAPTURES}
     union all select resource_id, refund_id from refunds where ${UNCLOSED_REFUNDS} order by resource_id`,
    merchantId,
    from,
    to,
  )
  return rows.map(({ resource_id, refund_id = null }) => {
    return { order_id: String(resource_id), refund_id: refund_id === null ? null : String(refund_id) }
  })
}

/**
 * Counts the entries that `listUnclosed` gives in the day with this number. The caller holds the world's row, without which
 * nobody writes a payment.
 */
export async function closeEntries(
  tx: Tx,
  merchantId: string,
  { number, from, to }: Stretch & { number: number },
): Promise<void> {
  for (const [table, entries] of [
    ['payments', UNCLOSED_CAPTURES],
    ['refunds', UNCLOSED_REFUNDS],
  ])
    await tx.run(`update ${table} set closed_day = $4 where ${entries}`, merchantId, from, to, number)
}

/** Returns the time of a store's first payment, refund or payout; undefined before any. */
export async function findFirstEntry(tx: Tx, merchantId: string): Promise<number | undefined> {
  const row = await tx.get(
    `select min(at) as at from (
       select min(paid_at) as at from payments where merchant_id = $1 and paid_at is not null
       union all select min(refunded_at) from refunds where merchant_id = $1
       union all select min(at) from ledger where account = $2) as first`,
    merchantId,
    payableOf(merchantId),
  )
  return row === undefined || row['at'] === null ? undefined : toInteger(row, 'at')
}

/** Returns what a store is due before an instant, in minor units; below 0 it owes. */
export async function sumDue(tx: Tx, merchantId: string, before: number): Promise<number> {
  const row = await tx.get(
    'select coalesce(sum(amount), 0) as due from ledger where account = $1 and at < $2',
    payableOf(merchantId),
    Math.min(before, Number.MAX_SAFE_INTEGER),
  )
  return toInteger(row, 'due')
}

/** Returns what was paid out to a store in a stretch of time, in minor units. */
export async function sumPayouts(tx: Tx, merchantId: string, { from, to }: Stretch): Promise<number> {
  const row = await tx.get(
    `select coalesce(-sum(amount), 0) as paid from ledger
     where account = $1 and kind = 'payout' and at >= $2 and at < $3`,
    payableOf(merchantId),
    from,
    to,
  )
  return toInteger(row, 'paid')
}
