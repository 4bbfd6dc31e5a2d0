/** The way back from an import: for each item that it changed, the values that come back, or why none does. Pure. */
import type { ItemMembers } from '../../../../areas/catalog/rules/item-history.ts'
import type { CatalogItem } from '../../../../client/list-store-items.ts'
import type { OperationOutput } from '../../../../client/operations.ts'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { foldForSearch } from '../../../../core/fold.ts'

export type MenuChange = OperationOutput<'list_catalog_changes'>['data'][number]

/** The changes of one item by an import, as one: its values before and after, and the version that it then had. */
export type ImportedItem = {
  item_id: string
  name: string
  change: MenuChange['change']
  version: number
  before: Partial<ItemMembers>
  after: Partial<ItemMembers>
}

/** The part of an item that comes back. `kept` says why something of it stays as it is. */
export type ItemUndo = {
  item_id: string
  name: string
  result: 'restored' | 'deleted' | 'unchanged' | 'kept'
  restore: Partial<ItemMembers>
  kept?: string
}

/** Joins the changes of an import, newest first, by item. */
export function joinChanges(changes: readonly MenuChange[]): ImportedItem[] {
  return [...Map.groupBy(changes, ({ item_id }) => item_id).values()].map((own) => {
    const [last] = own as [MenuChange]
    const what = new Set(own.map(({ change }) => change))
    return {
      item_id: last.item_id,
      name: last.name,
      change: what.has('deleted') ? 'deleted' : what.has('created') ? 'created' : 'updated',
      version: last.version,
      before: own.reduce((members, { replaced }) => ({ ...members, ...replaced }), {}),
      after: own.reduceRight((members, { values }) => ({ ...members, ...values }), {}),
    }
  })
}

/** A change after the import: its author, its time, and the fields that it gave other values. */
export type LaterChange = Pick<MenuChange, 'version' | 'changed_by' | 'changed_at' | 'replaced'>

/**
 * Returns what comes back of an item. `now` is the item on the menu, undefined if it is gone; `later` are its changes since the
 * import, newest first, undefined if some of them are not kept. A field that was changed since then stays as it is.
 */
export function planItemUndo(
  imported: ImportedItem,
  now: CatalogItem | undefined,
  later: readonly LaterChange[] | undefined,
  catalogue: readonly CatalogItem[],
): ItemUndo {
  const { item_id, name, change, before, after } = imported
  const back = { item_id, name, restore: {} }
  if (change === 'deleted') return { ...back, ...returnOfDeleted(imported, catalogue) }
  if (change === 'created') {
    if (now === undefined) return { ...back, result: 'unchanged' }
    const since = later?.[0]
    if (later !== undefined && since === undefined) return { ...back, result: 'deleted' }
    return { ...back, result: 'kept', kept: `It was changed since the import${byWhom(since)}.` }
  }
  if (now === undefined) return { ...back, result: 'kept', kept: 'It was deleted since the import.' }
  const members = (Object.keys(before) as (keyof ItemMembers)[]).filter(
    (member) => !same(before[member], after[member]) && !same(before[member], now[member]),
  )
  const isTouched = (member: keyof ItemMembers): boolean =>
    later === undefined || later.some(({ replaced }) => replaced !== null && member in replaced)
  const [touched, free] = [members.filter(isTouched), members.filter((member) => !isTouched(member))]
  const since = later?.find(({ replaced }) => touched.some((member) => member in (replaced ?? {})))
  const restore = Object.fromEntries(free.map((member) => [member, before[member]]))
  const kept =
    touched.length === 0 ? {} : { kept: `${touched.join(', ')}: changed since the import${byWhom(since)}.` }
  const result = free.length > 0 ? 'restored' : touched.length > 0 ? 'kept' : 'unchanged'
  return { ...back, result, restore, ...kept }
}

/** An id is never used again, but the item may have been made again. */
function returnOfDeleted(
  { name }: ImportedItem,
  catalogue: readonly CatalogItem[],
): Pick<ItemUndo, 'result' | 'kept'> {
  if (catalogue.some((item) => foldForSearch(item.name) === foldForSearch(name)))
    return { result: 'unchanged' }
  return {
    result: 'kept',
    kept: 'The import deleted it, and its ID is never used again. Importing the file <name>.before.csv makes it anew.',
  }
}

function byWhom(since: LaterChange | undefined): string {
  return since === undefined ? '' : `, at ${since.changed_at} by ${since.changed_by ?? 'an unknown account'}`
}

function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}
