/** Compares an import with the menu: each item of a file beside the present one. */
import { type ItemKeys, makeMatcher } from '../../../areas/catalog/rules/catalog.ts'
import { fold } from '../../../core/fold.ts'
import { localOutcome } from '../../../rows/upload/outcomes.ts'
import type { CatalogItem } from './catalogue.ts'
import type { MenuFile, MenuOutcome, MenuRow } from './draft.ts'
import { TELLING } from './outcomes.ts'

export type Difference = {
  /** The expected outcome of each row of the file. */
  outcomes: MenuOutcome[]
  /** Sections that the file names and the menu does not have. */
  categories: string[]
}

type Known = ItemKeys & ({ item: CatalogItem } | { row: MenuRow })

/** Compares by the rules of the service: external_ref, else barcode, else name in its category. Sends nothing. */
export function compare({ rows }: Pick<MenuFile, 'rows'>, catalogue: readonly CatalogItem[]): Difference {
  const sections = new Map(catalogue.map(({ category }) => [category.category_id, fold(category.name)]))
  const matcher = makeMatcher<Known>(catalogue.map((item) => ({ ...keysOfItem(item), item })))
  const known = new Set(sections.values())
  const categories = new Map<string, string>()
  const outcomes = rows.map((row): MenuOutcome => {
    const { draft } = row
    if (draft === undefined) return localOutcome(TELLING, row)
    const category_key = sections.get(draft.category.trim()) ?? fold(draft.category)
    const keys: ItemKeys = {
      external_ref: draft.external_ref?.trim() ?? null,
      barcode: draft.barcode?.trim() ?? null,
      category_key,
      name_key: fold(draft.name),
    }
    const match = matcher.find(keys)?.item
    if (match !== undefined) return duplicateOutcome(row, match)
    matcher.add({ ...keys, row })
    if (!known.has(category_key) && !categories.has(category_key))
      categories.set(category_key, draft.category)
    return { ...TELLING.nameOf(row), result: 'created' }
  })
  return { outcomes, categories: [...categories.values()] }
}

function keysOfItem({ external_ref, barcode, category, name }: CatalogItem): ItemKeys {
  return { external_ref, barcode, category_key: fold(category.name), name_key: fold(name) }
}

function duplicateOutcome(row: MenuRow, known: Known): MenuOutcome {
  return 'item' in known
    ? {
        ...TELLING.nameOf(row),
        result: 'duplicate',
        item_id: known.item.item_id,
        menu_price: known.item.price,
        reason: { code: 'already_exists', errors: [] },
      }
    : {
        ...TELLING.nameOf(row),
        result: 'duplicate',
        reason: { code: 'duplicate_in_file', errors: [], duplicate_of_row: known.row.row },
      }
}
