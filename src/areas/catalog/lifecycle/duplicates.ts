import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { findItemsByKeys, type KnownItem } from '../queries/catalog.ts'
import type { ItemKeys } from '../rules/catalog.ts'

/**
 * Throws `duplicate_item` when the reference, the barcode or the name in its section is another item's. Two items with
 * different references may share a barcode, as in an import.
 */
export async function refuseDuplicate(
  tx: Tx,
  merchantId: string,
  keys: ItemKeys,
  own?: string,
): Promise<void> {
  const { external_ref, barcode, category_key, name_key } = keys
  const known = await findItemsByKeys(tx, merchantId, {
    external_ref: external_ref === null ? [] : [external_ref],
    barcode: barcode === null ? [] : [barcode],
    name_key: [name_key],
  })
  const others = known.filter(({ item_id }) => item_id !== own)
  const byRef = others.find((item) => external_ref !== null && item.external_ref === external_ref)
  if (byRef !== undefined)
    throw duplicate(`The external_ref ${external_ref} is already used by item ${byRef.item_id}.`, byRef)
  const byBarcode = others.find(
    (item) =>
      barcode !== null && item.barcode === barcode && (external_ref === null || item.external_ref === null),
  )
  if (byBarcode !== undefined)
    throw duplicate(`The barcode ${barcode} is already used by item ${byBarcode.item_id}.`, byBarcode)
  const byName = others.find((item) => item.name_key === name_key && item.category_key === category_key)
  if (byName !== undefined)
    throw duplicate(`The category already has an item with that name: ${byName.item_id}.`, byName)
}

function duplicate(detail: string, { item_id }: KnownItem): AppError {
  return new AppError('duplicate_item', detail, {
    extra: { existing_item_id: item_id },
    hint: 'Change that item instead, or use another name.',
  })
}
