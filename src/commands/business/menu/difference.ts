/** Compares an import with the menu: each item of a file beside the present one. */
import { type ItemKeys, makeMatcher } from '../../../areas/catalog/rules/catalog.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { fold } from '../../../core/fold.ts'
import { spellMoney } from '../../../core/money.ts'
import { placesText } from '../../../rows/columns/outcomes.ts'
import { clip } from '../../../rows/csv/cells.ts'
import { localOutcome } from '../../../rows/upload/outcomes.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ItemDraft, MenuFile, MenuOutcome, MenuRow } from './draft.ts'
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
  const sections = sectionKeys(catalogue)
  const find = makeFinder(catalogue)
  const known = new Set(sections.values())
  const categories = new Map<string, string>()
  const outcomes = rows.map((row): MenuOutcome => {
    const { draft } = row
    if (draft === undefined) return localOutcome(TELLING, row)
    const { item, earlier } = find(row, draft)
    if (earlier !== undefined) return repeated(row, earlier, item)
    if (item !== undefined) return present(row, item)
    const category_key = keyOfSection(draft.category, sections)
    if (!known.has(category_key) && !categories.has(category_key))
      categories.set(category_key, draft.category)
    return { ...TELLING.nameOf(row), result: 'created' }
  })
  return { outcomes, categories: [...categories.values()] }
}

/** Refuses each row that contradicts an earlier row of the same item: nobody can know which of them is meant. */
export function refuseContradictions(file: MenuFile, catalogue: readonly CatalogItem[]): MenuFile {
  const find = makeFinder(catalogue)
  const rows = file.rows.map((row): MenuRow => {
    const { draft } = row
    const earlier = draft && find(row, draft).earlier
    const contradiction =
      draft && earlier?.draft && contradictionOf(draft, earlier.draft, placesText([earlier]))
    if (contradiction === undefined) return row
    const { pointer, said, own = 'name' } = contradiction
    const detail = `${said}, and both are the same item. Leave one of them, or give the other a ${own} of its own.`
    const refusal = { code: 'invalid_row', errors: [{ pointer, code: 'not_allowed', detail }] }
    return { ...row, draft: undefined, errors: file.toErrors(refusal, row) }
  })
  return { ...file, rows }
}

/** Returns how a row contradicts an earlier one of the same item, which stands at `place`; undefined if it does not. */
function contradictionOf(
  draft: ItemDraft,
  earlier: ItemDraft,
  place: string,
): { pointer: string; said: string; own?: string } | undefined {
  if (canonicalJson(draft.price) !== canonicalJson(earlier.price))
    return {
      pointer: '/price',
      said: `${spellMoney(draft.price)} is another price than ${spellMoney(earlier.price)} in ${place}`,
    }
  const { name, external_ref, modifier_groups: groups = [] } = draft
  if (fold(name) !== fold(earlier.name)) {
    const [pointer, own] =
      external_ref !== undefined && external_ref.trim() === earlier.external_ref?.trim()
        ? ['/external_ref', 'reference']
        : ['/barcode', 'barcode']
    return { pointer, said: `The ${own} is that of ${clip(earlier.name, 40)} in ${place}`, own }
  }
  if (groups.length > 0 && canonicalJson(groups) !== canonicalJson(earlier.modifier_groups ?? []))
    return { pointer: '/modifier_groups', said: `The modifiers are others than in ${place}` }
  return undefined
}

/** The item of the menu that a row is, and the first row of the file that is the same item. */
type Same = { item: CatalogItem | undefined; earlier: MenuRow | undefined }

/** Returns a function that looks the rows of a file up, one after the other. */
function makeFinder(catalogue: readonly CatalogItem[]): (row: MenuRow, draft: ItemDraft) => Same {
  const sections = sectionKeys(catalogue)
  const matcher = makeMatcher<Known>(catalogue.map((item) => ({ ...keysOfItem(item), item })))
  const rows = new Map<CatalogItem, MenuRow>()
  return (row, draft) => {
    const keys: ItemKeys = {
      external_ref: draft.external_ref?.trim() ?? null,
      barcode: draft.barcode?.trim() ?? null,
      category_key: keyOfSection(draft.category, sections),
      name_key: fold(draft.name),
    }
    const match = matcher.find(keys)?.item
    if (match === undefined) {
      matcher.add({ ...keys, row })
      return { item: undefined, earlier: undefined }
    }
    if ('row' in match) return { item: undefined, earlier: match.row }
    const earlier = rows.get(match.item)
    if (earlier === undefined) rows.set(match.item, row)
    return { item: match.item, earlier }
  }
}

function sectionKeys(catalogue: readonly CatalogItem[]): Map<string, string> {
  return new Map(catalogue.map(({ category }) => [category.category_id, fold(category.name)]))
}

/** A file names a section, or gives its id. */
function keyOfSection(category: string, sections: ReadonlyMap<string, string>): string {
  return sections.get(category.trim()) ?? fold(category)
}

function keysOfItem({ external_ref, barcode, category, name }: CatalogItem): ItemKeys {
  return { external_ref, barcode, category_key: fold(category.name), name_key: fold(name) }
}

function present(row: MenuRow, { item_id, price }: CatalogItem): MenuOutcome {
  return {
    ...TELLING.nameOf(row),
    result: 'duplicate',
    item_id,
    menu_price: price,
    reason: { code: 'already_exists', errors: [] },
  }
}

function repeated(row: MenuRow, earlier: MenuRow, item: CatalogItem | undefined): MenuOutcome {
  return {
    ...TELLING.nameOf(row),
    result: 'duplicate',
    ...(item !== undefined && { item_id: item.item_id, menu_price: item.price }),
    reason: { code: 'duplicate_in_file', errors: [], duplicate_of_row: earlier.row },
  }
}
