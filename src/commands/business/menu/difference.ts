/** Compares an import with the menu: each item of a file beside the present one. */
import { type ItemKeys, makeMatcher } from '../../../areas/catalog/rules/catalog.ts'
import type { CatalogItem } from '../../../client/list-store-items.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { foldForSearch } from '../../../core/fold.ts'
import { normalizeIdentifier } from '../../../core/identifiers.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { formatRowPlaces } from '../../../tabular/columns/outcomes.ts'
import { truncate } from '../../../tabular/csv/cells.ts'
import { localOutcome, outcomeOf } from '../../../tabular/import/outcomes.ts'
import type { ItemDraft, MenuFile, MenuOutcome, MenuFileRow } from './draft.ts'
import { MENU_ROW_FIELDS } from './outcomes.ts'

export type MenuDifference = {
  /** The expected outcome of each row of the file. */
  outcomes: MenuOutcome[]
  /** Sections that the file names and the menu does not have. */
  categories: string[]
}

type KnownMenuItem = ItemKeys & ({ item: CatalogItem } | { row: MenuFileRow })

/** Compares by the rules of the service: external_ref, else barcode, else name in its category. Sends nothing. */
export function compareMenu(
  { rows }: Pick<MenuFile, 'rows'>,
  catalogue: readonly CatalogItem[],
): MenuDifference {
  const sections = sectionKeys(catalogue)
  const find = makeFinder(catalogue)
  const known = new Set(sections.values())
  const categories = new Map<string, string>()
  const outcomes = rows.map((row): MenuOutcome => {
    const { draft } = row
    if (draft === undefined) return localOutcome(MENU_ROW_FIELDS, row)
    const { item, earlier } = find(row, draft)
    if (earlier !== undefined) return repeated(row, earlier, item)
    if (item !== undefined) {
      const { item_id, price: menu_price } = item
      const reason = { code: 'already_exists', errors: [] }
      return outcomeOf(MENU_ROW_FIELDS, row, { result: 'duplicate', item_id, menu_price, reason })
    }
    const category_key = keyOfSection(draft.category, sections)
    if (!known.has(category_key) && !categories.has(category_key))
      categories.set(category_key, draft.category)
    return outcomeOf(MENU_ROW_FIELDS, row, { result: 'created' })
  })
  return { outcomes, categories: [...categories.values()] }
}

/**
 * Rejects all rows of an item where one contradicts an earlier one, or is rejected itself: it is unknown which one is
 * meant, so that the item stays as it is.
 */
export function refuseContradictions(file: MenuFile, catalogue: readonly CatalogItem[]): MenuFile {
  const find = makeFinder(catalogue)
  const twins = Map.groupBy(file.rows.filter(isComplete), (row) => find(row, row.draft).earlier ?? row)
  const refused = new Map([
    ...refusalsOfTaken(file),
    ...[...twins.values()].flatMap((rows) => refusals(rows, file)),
  ])
  return { ...file, rows: file.rows.map((row) => refused.get(row) ?? row) }
}

/** Returns the rows whose reference a rejected row has: once that is corrected, it would be the same item. */
function refusalsOfTaken(file: MenuFile): [MenuFileRow, MenuFileRow][] {
  const holders = new Map(
    file.rows.flatMap((row) =>
      row.draft !== undefined || row.external_ref === undefined ? [] : [[row.external_ref.trim(), row]],
    ),
  )
  return file.rows.filter(isComplete).flatMap((row): [MenuFileRow, MenuFileRow][] => {
    const holder = holders.get(row.draft.external_ref?.trim() ?? '')
    if (holder === undefined) return []
    const detail = `${truncate(row.draft.external_ref ?? '', 40)} is also the reference of ${formatRowPlaces([holder])}, which is rejected. Correct that first, or give one of them its own reference.`
    const refusal = {
      code: 'invalid_row',
      errors: [{ pointer: '/external_ref', code: 'not_allowed', detail }],
    }
    return [[row, { ...row, draft: undefined, errors: file.toErrors(refusal, row) }]]
  })
}

type Complete = MenuFileRow & { draft: ItemDraft }

function isComplete(row: MenuFileRow): row is Complete {
  return row.draft !== undefined
}

/** Returns the rows of one item as rejected ones, by the row; none where they agree with the first. */
function refusals([first, ...others]: readonly Complete[], file: MenuFile): [MenuFileRow, MenuFileRow][] {
  const second = first && others.find(({ draft }) => contradictionOf(draft, first.draft) !== undefined)
  if (first === undefined || second === undefined) return []
  return [first, ...others].map((row) => {
    // A row that agrees with the first contradicts what the first contradicts.
    const contradicts = contradictionOf(row.draft, first.draft)
    const other = contradicts === undefined ? second : first
    const { pointer, said } = contradicts ?? contradictionOf(second.draft, first.draft) ?? OTHER
    const detail = `${said(row.draft, other.draft, formatRowPlaces([other]))}, and both are the same item. Remove one of them, or give the other its own ${keysOf(row.draft, other.draft)}.`
    const refusal = { code: 'invalid_row', errors: [{ pointer, code: 'not_allowed', detail }] }
    return [row, { ...row, draft: undefined, errors: file.toErrors(refusal, row) }]
  })
}

/** Returns what makes two rows the same item: `reference and name`. */
function keysOf(draft: ItemDraft, other: ItemDraft): string {
  const isSame = (one: string | undefined, two: string | undefined) =>
    one !== undefined && one.trim() === two?.trim()
  const keys = [
    ...(isSame(draft.external_ref, other.external_ref) ? ['reference'] : []),
    ...(isSame(draft.barcode, other.barcode) ? ['barcode'] : []),
    ...(foldForSearch(draft.name) === foldForSearch(other.name) &&
    foldForSearch(draft.category) === foldForSearch(other.category)
      ? ['name']
      : []),
  ]
  return keys.join(' and ') || 'name'
}

type Contradiction = {
  pointer: string
  /** Says how a row contradicts another one at a place. */
  said(draft: ItemDraft, other: ItemDraft, place: string): string
}

const OTHER: Contradiction = { pointer: '', said: (_, __, place) => `It differs from ${place}` }

/** Their order is no value of an item. */
const ORDER: ReadonlySet<string> = new Set(['sort_order', 'category_sort'] satisfies (keyof ItemDraft)[])

/** Returns how a row contradicts an earlier one of the same item; undefined if it does not. */
function contradictionOf(draft: ItemDraft, earlier: ItemDraft): Contradiction | undefined {
  if (canonicalJson(draft.price) !== canonicalJson(earlier.price))
    return {
      pointer: '/price',
      said: ({ price }, other, place) =>
        `${formatGroupedMoney(price)} differs from the price ${formatGroupedMoney(other.price)} in ${place}`,
    }
  const { name, external_ref, modifier_groups: groups = [] } = draft
  if (foldForSearch(name) !== foldForSearch(earlier.name)) {
    const isByRef = external_ref !== undefined && external_ref.trim() === earlier.external_ref?.trim()
    const key = isByRef ? 'reference' : 'barcode'
    return {
      pointer: isByRef ? '/external_ref' : '/barcode',
      said: (_, other, place) => `The ${key} is already used by ${truncate(other.name, 40)} in ${place}`,
    }
  }
  if (groups.length > 0 && canonicalJson(groups) !== canonicalJson(earlier.modifier_groups ?? []))
    return {
      pointer: '/modifier_groups',
      said: (_, __, place) => `The modifiers differ from those in ${place}`,
    }
  const member = Object.keys(draft).find((each) => isAnother(each as keyof ItemDraft, draft, earlier))
  return member === undefined ? undefined : { ...OTHER, pointer: `/${member}` }
}

/** Returns whether both rows say a field, and each says another value. */
function isAnother(member: keyof ItemDraft, draft: ItemDraft, earlier: ItemDraft): boolean {
  const [value, other] = [draft[member], earlier[member]]
  if (value === undefined || other === undefined || ORDER.has(member)) return false
  const isText = typeof value === 'string' && typeof other === 'string'
  return isText
    ? foldForSearch(value) !== foldForSearch(other)
    : canonicalJson(value) !== canonicalJson(other)
}

/** The item of the menu that a row is, and the first row of the file that is the same item. */
type Same = { item: CatalogItem | undefined; earlier: MenuFileRow | undefined }

/** Returns a function that looks the rows of a file up, one after the other. */
function makeFinder(catalogue: readonly CatalogItem[]): (row: MenuFileRow, draft: ItemDraft) => Same {
  const sections = sectionKeys(catalogue)
  const matcher = makeMatcher<KnownMenuItem>(catalogue.map((item) => ({ ...keysOfItem(item), item })))
  const rows = new Map<CatalogItem, MenuFileRow>()
  return (row, draft) => {
    const keys: ItemKeys = {
      external_ref: draft.external_ref ?? null,
      barcode: draft.barcode ?? null,
      category_key: keyOfSection(draft.category, sections),
      name_key: foldForSearch(draft.name),
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
  return new Map(catalogue.map(({ category }) => [category.category_id, foldForSearch(category.name)]))
}

/** A file names a section, or gives its id. */
function keyOfSection(category: string, sections: ReadonlyMap<string, string>): string {
  return sections.get(category.trim()) ?? foldForSearch(category)
}

function keysOfItem({ external_ref, barcode, category, name }: CatalogItem): ItemKeys {
  return {
    external_ref: external_ref && normalizeIdentifier(external_ref),
    barcode,
    category_key: foldForSearch(category.name),
    name_key: foldForSearch(name),
  }
}

function repeated(row: MenuFileRow, earlier: MenuFileRow, item: CatalogItem | undefined): MenuOutcome {
  const reason = { code: 'duplicate_in_file', errors: [], duplicate_of_row: earlier.row }
  const there = item && { item_id: item.item_id, menu_price: item.price }
  return outcomeOf(MENU_ROW_FIELDS, row, { result: 'duplicate', ...there, reason })
}
