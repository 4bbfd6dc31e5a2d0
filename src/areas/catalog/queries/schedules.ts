/** The times at which items and sections are on sale, as packed weeks. */
import type { Tx } from '../../../core/db.ts'
import { defineRow } from '../../../db/table.ts'
import { isWithinWeek } from '../rules/schedule.ts'

const toSchedule = defineRow<{ schedule: string }>({ schedule: 'text' })

/** Returns those of the schedules of a store's items that have an instant in a period. */
export async function listSchedules(tx: Tx, merchantId: string, at: number): Promise<string[]> {
  const rows = await tx.all(
    'select distinct schedule from catalog_items where merchant_id = $1 and schedule is not null order by schedule',
    merchantId,
  )
  return rows.map((row) => toSchedule(row).schedule).filter((week) => isWithinWeek(week, at))
}

/** Writes when the items of a section are on sale; null: at any time. */
export async function updateCategorySchedule(
  tx: Tx,
  categoryId: string,
  schedule: string | null,
): Promise<void> {
  await tx.run('update categories set schedule = $2 where category_id = $1', categoryId, schedule)
}

/** Returns the ids of the items of a category that are not deleted. */
export async function listItemIds(tx: Tx, categoryId: string): Promise<string[]> {
  const rows = await tx.all(
    'select item_id from catalog_items where category_id = $1 and deleted_at is null order by item_id',
    categoryId,
  )
  return rows.map((row) => String(row['item_id']))
}
