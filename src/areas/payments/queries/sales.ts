/** The unpaid orders of a store, and the amount that it is due by the ledger. */
import type { Tx } from '../../../core/db.ts'
import type { TimeRange } from '../../../core/period.ts'
import { defineRow } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import type { Payment } from '../rules/payment.ts'

/** Returns the ledger account of what the platform owes a store. */
export function payableOf(merchantId: string): string {
  return `payable:${merchantId}`
}

/** An order that is still to be paid: its number, and the amount in minor units. */
type UnpaidOrder = { order_id: string; display_number: string; method: Payment['method']; amount: number }

const toUnpaid = defineRow<UnpaidOrder>({
  order_id: 'text',
  display_number: 'text',
  method: 'text',
  amount: 'integer',
})

/** Returns the orders of a store that were placed before an instant and are still to be paid, oldest first. */
export async function listUnpaid(tx: Tx, merchantId: string, before: number): Promise<UnpaidOrder[]> {
  const rows = await tx.all(
    `select o.order_id, o.display_number, p.method, p.amount
     from payments p join orders o on o.order_id = p.resource_id
     where p.merchant_id = $1 and p.status = 'unpaid' and p.created_at < $2 order by p.created_at, p.resource_id`,
    merchantId,
    before,
  )
  return rows.map(toUnpaid)
}

/** Returns the time of the first share or payout of a store in the ledger; undefined before any. */
export async function findFirstLedgerEntry(tx: Tx, merchantId: string): Promise<number | undefined> {
  const sql = 'select at from ledger where account = $1 order by at, seq limit 1'
  const row = await tx.get(sql, payableOf(merchantId))
  return row && readIntegerColumn(row, 'at')
}

/** The entries of the ledger that one statement sums: about 10 ms of SQLite. */
const MAX_SUMMED = 50_000

type LedgerPosition = { at: number; seq: number }

/**
 * Returns by how much the amount that a store is due changed in a stretch of time, in minor units. No statement reads more than a
 * fixed number of entries, so that others run in between.
 */
export async function sumDue(tx: Tx, merchantId: string, { from, to }: TimeRange): Promise<number> {
  const account = payableOf(merchantId)
  let due = 0
  for (let after: LedgerPosition = { at: from, seq: 0 }; ;) {
    const last = await findLastSummed(tx, account, { after, to })
    const { at, seq } = last ?? { at: to, seq: 0 }
    const row = await tx.get(
      `select cast(coalesce(sum(amount), 0) as bigint) as due from ledger
       where account = $1 and (at, seq) > ($2, $3) and (at, seq) <= ($4, $5)`,
      account,
      after.at,
      after.seq,
      at,
      seq,
    )
    due += readIntegerColumn(row, 'due')
    if (last === undefined) return due
    after = last
  }
}

/** Returns the last of the entries that are summed at once; undefined where fewer are left. */
async function findLastSummed(
  tx: Tx,
  account: string,
  { after, to }: { after: LedgerPosition; to: number },
): Promise<LedgerPosition | undefined> {
  const row = await tx.get(
    `select at, seq from ledger where account = $1 and (at, seq) > ($2, $3) and at < $4
     order by at, seq limit 1 offset ${MAX_SUMMED - 1}`,
    account,
    after.at,
    after.seq,
    to,
  )
  return row && { at: readIntegerColumn(row, 'at'), seq: readIntegerColumn(row, 'seq') }
}

/** Returns what was paid out to a store in a stretch of time, in minor units. */
export async function sumPayouts(tx: Tx, merchantId: string, { from, to }: TimeRange): Promise<number> {
  const row = await tx.get(
    `select cast(coalesce(-sum(amount), 0) as bigint) as paid from ledger
     where account = $1 and kind = 'payout' and at >= $2 and at < $3`,
    payableOf(merchantId),
    from,
    to,
  )
  return readIntegerColumn(row, 'paid')
}
