/** The menu of a store as files that `import` reads back without loss. */
import { majorText } from '../../../core/money.ts'
import { EXPORT_COLUMNS, JSON_EXPORT } from '../../../rows/columns/own-files.ts'
import { keep, keepExact } from '../../../rows/csv/keep.ts'
import { type Cell, guard, writeCsv } from '../../../rows/csv/write.ts'
import type { CatalogItem } from './catalogue.ts'
import type { MenuColumn } from './columns.ts'
import { COLUMNS } from './columns.ts'
import type { ItemDraft } from './draft.ts'
import { withEscapes } from './escapes.ts'

/** Modifiers stand on lines of their own: one cell cannot say all of them. */
const MENU_COLUMNS: readonly MenuColumn[] = COLUMNS.flatMap(({ name, helps }) =>
  helps !== undefined || name === 'modifier_groups' ? [] : [name],
)

type Line = Partial<Record<MenuColumn | (typeof EXPORT_COLUMNS)[number], string | number | undefined>>

/**
 * Every item with one line for itself and one for each modifier, in the order of the menu. Texts of a `file` survive a
 * spreadsheet; a script that reads standard output gets them without a guard, save that of formulas.
 */
export function menuCsv(items: readonly CatalogItem[], to: 'file' | 'stdout' = 'file'): string {
  const columns = [...MENU_COLUMNS, ...EXPORT_COLUMNS]
  const lines = items.flatMap((item) => [itemLine(item), ...modifierLines(item)])
  const rows = lines.map((line) => columns.map((column): Cell => line[column]))
  const protect = to === 'file' ? keep : (text: string) => keepExact(guard(text), text)
  return writeCsv([columns, ...rows], undefined, NUMBERS, protect)
}

/** The columns with which people calculate: each amount of them is read as the same one in any form. */
const NUMBERS: ReadonlySet<number> = new Set(
  MENU_COLUMNS.flatMap((name, at) => (['price', 'cost', 'modifier_price'].includes(name) ? at : [])),
)

function itemLine(item: CatalogItem): Line {
  const { available, until, reason } = item.availability
  return {
    category: item.category.name,
    name: item.name,
    description: item.description ?? undefined,
    price: majorText(item.price),
    currency: item.price.currency,
    available: yesNo(available),
    unavailable_until: until ?? undefined,
    unavailable_reason: reason ?? undefined,
    external_ref: item.external_ref ?? undefined,
    sku: item.sku ?? undefined,
    barcode: item.barcode ?? undefined,
    cost: item.cost === null ? undefined : majorText(item.cost),
    stock: item.stock ?? undefined,
    supplier_id: item.supplier_id ?? undefined,
    tax_rate: item.tax_rate_bps === null ? undefined : `${item.tax_rate_bps / 100}%`,
    dietary: listText(item.dietary_tags),
    allergens: listText(item.allergens),
    image_url: item.image_url ?? undefined,
    sort_order: item.sort_order,
    category_sort: item.category.sort_order,
    _item_id: item.item_id,
  }
}

/** The limits of a group stand on its first line, and the id of the item on each: it tells a line that was moved. */
function modifierLines({ item_id, modifier_groups }: CatalogItem): Line[] {
  return modifier_groups.flatMap(({ name, min_selections, max_selections, allow_repeats, modifiers }) =>
    modifiers.map((modifier, index) => ({
      modifier_group: name,
      ...(index === 0 && {
        modifier_min: min_selections,
        modifier_max: max_selections ?? undefined,
        allow_repeats: yesNo(allow_repeats),
      }),
      modifier_name: modifier.name,
      modifier_price: majorText(modifier.price_delta),
      modifier_default: yesNo(modifier.is_default),
      modifier_available: yesNo(modifier.available),
      _item_id: item_id,
    })),
  )
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

function listText(words: readonly string[]): string {
  return words.map((word) => withEscapes(word, /[|;\\]/g)).join('|')
}

/** The items as `import_catalog_items` takes them, without ids. */
export function menuJson(items: readonly CatalogItem[]): string {
  return `${JSON.stringify({ _note: JSON_EXPORT, items: items.map(toDraft) }, null, 2)}\n`
}

function toDraft(item: CatalogItem): ItemDraft {
  const { available, until, reason } = item.availability
  const members = {
    name: item.name,
    category: item.category.name,
    price: item.price,
    description: item.description,
    modifier_groups: item.modifier_groups.map((group) => ({
      name: group.name,
      min_selections: group.min_selections,
      max_selections: group.max_selections,
      allow_repeats: group.allow_repeats,
      modifiers: group.modifiers.map(({ name, price_delta, available: there, is_default }) => ({
        name,
        price_delta,
        available: there,
        is_default,
      })),
    })),
    available,
    unavailable_until: until,
    unavailable_reason: reason,
    dietary_tags: item.dietary_tags,
    allergens: item.allergens,
    image_url: item.image_url,
    sku: item.sku,
    external_ref: item.external_ref,
    barcode: item.barcode,
    cost: item.cost,
    stock: item.stock,
    supplier_id: item.supplier_id,
    tax_rate_bps: item.tax_rate_bps,
    sort_order: item.sort_order,
    category_sort: item.category.sort_order,
  }
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null),
  ) as unknown as ItemDraft
}
