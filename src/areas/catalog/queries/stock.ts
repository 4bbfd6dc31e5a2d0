/** The counts of items. Each write holds the row of the item's store, and changes neither its version nor its history. */
import type { Tx } from '../../../core/db.ts'
import { defineRow } from '../../../db/table.ts'

/** The count on a business day. */
const COUNT = 'case when restock is not null and stock_day < $3 then restock else stock end'

/** Takes some of a counted item on a business day. Returns whether there were so many. */
export async function decrementStock(
  tx: Tx,
  itemId: string,
  quantity: number,
  day: number,
): Promise<boolean> {
  const changed = await tx.run(
    `update catalog_items set stock = ${COUNT} - $2, stock_day = case when restock is null then null else $3 end
     where item_id = $1 and ${COUNT} >= $2`,
    itemId,
    quantity,
    day,
  )
  return changed === 1
}

/** Gives back some of an item, unless it is not counted any more. */
export async function incrementStock(tx: Tx, itemId: string, quantity: number): Promise<void> {
  await tx.run('update catalog_items set stock = stock + $2 where item_id = $1', itemId, quantity)
}

/** Writes the count of an item, which from now on is its owner's; null: not counted. */
export async function writeStock(tx: Tx, itemId: string, stock: number | null): Promise<void> {
  await tx.run(
    'update catalog_items set stock = $2, restock = null, stock_day = null where item_id = $1',
    itemId,
    stock,
  )
}

const toRecorded = defineRow<{
  item_id: string
  agreement_id: string | null
  doc: { stock?: number | null }
}>({
  item_id: 'text',
  agreement_id: 'text or null',
  doc: 'json',
})

const PAGE = 500

/**
 * Moves the counts of a store of an older schema out of the documents. A recorded 0 counted nothing, and stores of the
 * sandbox are filled up from the day before on.
 */
export async function moveStock(tx: Tx, day: number): Promise<void> {
  for (let after = ''; ;) {
    const rows = await tx.all(
      `select i.item_id, i.doc, m.agreement_id from catalog_items i join merchants m on m.merchant_id = i.merchant_id
       where i.item_id > $1 order by i.item_id limit ${PAGE}`,
      after,
    )
    for (const { item_id, agreement_id, doc } of rows.map(toRecorded)) {
      after = item_id
      const { stock = null, ...rest } = doc
      if (!('stock' in doc)) continue
      const isSandbox = agreement_id === null && stock !== null && stock > 0
      await tx.run(
        'update catalog_items set doc = $2, stock = $3, restock = $4, stock_day = $5 where item_id = $1',
        item_id,
        JSON.stringify(rest),
        stock === 0 ? null : stock,
        isSandbox ? stock : null,
        isSandbox ? day : null,
      )
    }
    if (rows.length < PAGE) return
  }
}
