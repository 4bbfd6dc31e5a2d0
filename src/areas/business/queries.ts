/** The documents of a store's closed business days. They are only added. */
import type { Tx } from '../../core/db.ts'
import { defineTable } from '../../db/table.ts'

/** A closed day: what was paid out to the store up to it, and its document as JSON. */
export type DayRecord = {
  merchant_id: string
  number: number
  paid_out: number
  doc: unknown
}

const DAYS = defineTable<DayRecord>({
  name: 'business_days',
  key: 'merchant_id',
  columns: {
    merchant_id: 'text',
    number: 'integer',
    paid_out: 'integer',
    doc: 'json',
  },
})

/** Adds a day. The database rejects two of one number. */
export async function insertDay(tx: Tx, day: DayRecord): Promise<void> {
  await DAYS.insert(tx, [day])
}

/** Returns a store's days, newest first: those below a number, or from the last one on. */
export async function listDays(
  tx: Tx,
  merchantId: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<DayRecord[]> {
  const where = 'where merchant_id = $1 and number < $2 order by number desc limit $3'
  return DAYS.list(tx, where, merchantId, before, limit)
}
