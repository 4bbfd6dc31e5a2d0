import type { Tx } from '../../../core/db.ts'
import { defineRow } from '../../../db/table.ts'

const toUnit = defineRow<{ unit: string }>({ unit: 'text' })

/** Returns the reserved units of a store in one slot, such as `kitchen:3` or `table:12`. */
export async function listClaims(tx: Tx, merchantId: string, startsAt: number): Promise<string[]> {
  const rows = await tx.all(
    'select unit from slot_claims where merchant_id = $1 and starts_at = $2 order by unit',
    merchantId,
    startsAt,
  )
  return rows.map((row) => toUnit(row).unit)
}

/** Reserves a unit for an order; returns false when another order has it. */
export async function insertClaim(
  tx: Tx,
  {
    merchantId,
    startsAt,
    unit,
    orderId,
  }: { merchantId: string; startsAt: number; unit: string; orderId: string },
): Promise<boolean> {
  const inserted = await tx.insertMany(
    'slot_claims',
    ['merchant_id', 'starts_at', 'unit', 'order_id'],
    [[merchantId, startsAt, unit, orderId]],
    { ignoreConflicts: true },
  )
  return inserted === 1
}

/** Releases the units that an order reserved. */
export async function deleteClaims(tx: Tx, orderId: string): Promise<void> {
  await tx.run('delete from slot_claims where order_id = $1', orderId)
}
