/** The changes that a file makes to items on the menu. A cell that is empty leaves its field as it is. */
import type { ModifierGroupRequest } from '../../../../areas/catalog/rules/catalog.ts'
import {
  type ItemChange,
  listItemChanges,
  type ItemWanted,
} from '../../../../areas/catalog/rules/item-changes.ts'
import type { Client } from '../../../../client/client.ts'
import type { CatalogItem } from '../../../../client/list-store-items.ts'
import { findLargePriceChanges, pickPriceFields } from '../../../../client/price-check.ts'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { foldForSearch } from '../../../../core/fold.ts'
import { saleChange } from '../../item/change-item.ts'
import { withKnown } from '../../item/known-groups.ts'
import { MENU_FILE_COLUMNS } from '../columns.ts'
import type { ItemDraft, MenuOutcome, MenuFileRow } from '../draft.ts'

/** One item with what is sent to change it. */
export type ItemUpdate = {
  row: MenuFileRow
  item: CatalogItem
  /** The fields of `update_catalog_item` that change. */
  wanted: ItemWanted & { modifier_groups?: ModifierGroupRequest[] }
  /** The body of `set_catalog_item_availability`, where that changes. */
  availability: { available: boolean; until?: string; reason?: string } | undefined
  changes: ItemChange[]
  /** Those of prices that a person is asked about. */
  steep: Omit<ItemChange, 'steep'>[]
}

export type MenuChanges = {
  /** By the row of the file. */
  updates: Map<number, ItemUpdate>
  /** Items of the menu that the file does not have. */
  missing: CatalogItem[]
  /** The number of items that differ in fields that no update changes, by the column. */
  fixed: Map<string, number>
  /** The number of items on the menu. */
  present: number
}

/** `outcomes` are those of an import: a duplicate names the item that it is. */
export function findChanges(
  rows: readonly MenuFileRow[],
  outcomes: readonly MenuOutcome[],
  catalogue: readonly CatalogItem[],
): MenuChanges {
  const items = new Map(catalogue.map((item) => [item.item_id, item]))
  const updates = new Map<number, ItemUpdate>()
  const fixed = new Map<string, number>()
  const seen = new Set<string>()
  for (const [at, row] of rows.entries()) {
    const item = items.get(outcomes[at]?.item_id ?? '')
    // The first of several rows for one item decides; their prices are the same.
    if (item === undefined || row.draft === undefined || seen.has(item.item_id)) continue
    seen.add(item.item_id)
    const update = updateOf(row, row.draft, item)
    if (update.changes.length > 0) updates.set(row.row, update)
    for (const column of fixedColumns(row.draft, item)) fixed.set(column, (fixed.get(column) ?? 0) + 1)
  }
  return { updates, missing: missingOf(rows, catalogue, seen), fixed, present: catalogue.length }
}

/** A wrong row may be any item of its name; one without a name may be any item at all. */
function missingOf(
  rows: readonly MenuFileRow[],
  catalogue: readonly CatalogItem[],
  seen: ReadonlySet<string>,
): CatalogItem[] {
  const wrong = rows.filter(({ draft }) => draft === undefined).map(({ name }) => name && foldForSearch(name))
  if (wrong.includes(undefined)) return []
  return catalogue.filter(({ item_id, name }) => !seen.has(item_id) && !wrong.includes(foldForSearch(name)))
}

function updateOf(row: MenuFileRow, draft: ItemDraft, item: CatalogItem): ItemUpdate {
  const { name, price, category, description, modifier_groups } = draft
  const given: ItemUpdate['wanted'] = {
    name,
    price,
    category,
    ...(description !== undefined && { description }),
    ...(modifier_groups !== undefined && {
      modifier_groups: withKnown(modifier_groups, item.modifier_groups),
    }),
  }
  const members = Object.entries(given).filter(
    ([member, value]) => listItemChanges(item, { [member]: value }).length > 0,
  )
  const wanted = Object.fromEntries(members) as ItemUpdate['wanted']
  const availability = availabilityOf(draft, item)
  const changes = listItemChanges(item, wanted)
  if (availability !== undefined)
    changes.push(saleChange(item.availability, { until: null, ...availability }))
  return { row, item, wanted, availability, changes, steep: changes.filter((change) => change.steep) }
}

function availabilityOf(draft: ItemDraft, { availability: is }: CatalogItem): ItemUpdate['availability'] {
  const { available, unavailable_until: until, unavailable_reason: reason } = draft
  if (available === undefined) return undefined
  const sameUntil = until === undefined || Date.parse(until) === Date.parse(is.until ?? '')
  const sameReason = reason === undefined || reason === is.reason
  if (is.available === available && (available || (sameUntil && sameReason))) return undefined
  return { available, ...(until !== undefined && { until }), ...(reason !== undefined && { reason }) }
}

/** Fields that are set when an item is created, and by no update. */
const FIXED = MENU_FILE_COLUMNS.flatMap(({ path: [member], fixed }) =>
  fixed === undefined ? [] : [member as keyof ItemDraft & keyof CatalogItem],
)

function fixedColumns(draft: ItemDraft, item: CatalogItem): string[] {
  return FIXED.filter(
    (member) => draft[member] !== undefined && canonicalJson(draft[member]) !== canonicalJson(item[member]),
  )
}

/** Compares the new prices with those that a person decided, and with those of a day ago, where the service does that. */
export async function compareWithBefore(client: Client, { updates }: MenuChanges): Promise<void> {
  const priced = [...updates.values()].filter(({ wanted: { name, price, modifier_groups: groups } }) =>
    [name, price, groups].some((member) => member !== undefined),
  )
  const rows = priced.map(({ item, wanted }) => pickPriceFields({ item_id: item.item_id, ...wanted }))
  const found = await findLargePriceChanges(client, 'updates', { updates: rows })
  for (const [at, update] of priced.entries()) update.steep = found?.[at] ?? update.steep
}
