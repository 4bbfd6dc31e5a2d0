import type { Tx } from '../../../core/db.ts'
import { foldForSearch } from '../../../core/fold.ts'
/** The items that new prices of a store are compared with. */
import { normalizeIdentifier } from '../../../core/identifiers.ts'
import { type ItemRecord, listReplaced } from '../queries/catalog.ts'
import { listReplacedSince } from '../queries/versions.ts'
import type { ItemNow } from '../rules/item-changes.ts'
import { toItemMembers } from '../rules/item-history.ts'
import { referencesOf, REMEMBERED_MS } from '../rules/price-references.ts'

/** By what an item is found again. */
type Keys = { name: string; external_ref?: string | null; barcode?: string | null }

export type References = {
  /** Those of an item on the menu: its own, and those of others that had the name that it has or gets. */
  ofItem(item: ItemRecord, name: string): { own: ItemNow[]; named: ItemNow[] }
  /** Those of a new item: of each that had its name, code or barcode within a day and has it no more. */
  ofNew(keys: Keys): ItemNow[]
}

/** Reads what was on the menu of a store within the last day. `items` are those that shall change. */
export async function findPriceReferences(
  tx: Tx,
  merchantId: string,
  now: number,
  items: readonly ItemRecord[],
): Promise<References> {
  const since = now - REMEMBERED_MS
  const former = await listReplaced(tx, merchantId, since)
  const ids = new Set([...items, ...former].map(({ item_id }) => item_id))
  const changes = await listReplacedSince(tx, [...ids], since)
  const own = (item: ItemRecord): ItemNow[] =>
    referencesOf(toItemMembers(item), item.doc.agreed ?? {}, changes.get(item.item_id) ?? [])
  const known = former.map((item) => {
    const names = (changes.get(item.item_id) ?? []).flatMap(({ name }) =>
      name === undefined ? [] : foldForSearch(name),
    )
    const isGone = item.deleted_at !== null
    return {
      item,
      names: new Set(isGone ? [item.name_key, ...names] : names),
      codes: isGone ? codesOf(item) : [],
    }
  })
  const before = (keys: Keys, id?: string): ItemNow[] => {
    const name = foldForSearch(keys.name)
    const codes = codesOf(keys)
    return known
      .filter(({ item }) => item.item_id !== id)
      .filter((each) => each.names.has(name) || each.codes.some((code) => codes.includes(code)))
      .flatMap(({ item }) => own(item))
  }
  return {
    ofItem: (item, name) => ({ own: own(item), named: before({ ...item, name }, item.item_id) }),
    ofNew: (keys) => before(keys),
  }
}

/** Tells the two kinds of codes apart. */
function codesOf({ external_ref: ref, barcode }: Omit<Keys, 'name'>): string[] {
  return [...(ref ? [`ref ${normalizeIdentifier(ref)}`] : []), ...(barcode ? [`barcode ${barcode}`] : [])]
}
