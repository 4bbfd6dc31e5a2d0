/** Names of menus that were stored before their comparison omitted invisible characters. */
import type { Tx } from '../core/db.ts'
import { foldForSearch } from '../core/fold.ts'

/**
 * Folds the names of an older store again, with keys that had invisible characters. Of two that are the same now, the
 * second keeps its key.
 */
export async function refoldNames(tx: Tx): Promise<void> {
  const tables = [
    ['categories', 'category_id', 'o.merchant_id = categories.merchant_id'],
    ['catalog_items', 'item_id', 'o.category_id = catalog_items.category_id and o.deleted_at is null'],
  ] as const
  for (const [table, key, isBeside] of tables)
    for (const { id, name, name_key } of await tx.all(`select ${key} as id, name, name_key from ${table}`)) {
      const folded = foldForSearch(String(name))
      if (folded === name_key) continue
      await tx.run(
        `update ${table} set name_key = $2 where ${key} = $1
         and not exists (select 1 from ${table} o where ${isBeside} and o.name_key = $2)`,
        String(id),
        folded,
      )
    }
}
