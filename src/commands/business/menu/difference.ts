/** What an import would change, and what it did: each item of a file beside what is on the menu. */
import { type ItemKeys, makeMatcher } from '../../../areas/catalog/rules/catalog.ts'
import type { Refusal } from '../../../cli/columns/outcomes.ts'
import { fold } from '../../../core/fold.ts'
import type { Money } from '../../../core/money.ts'
import type { CatalogItem } from './catalogue.ts'
import type { Good, MenuFile, MenuOutcome, MenuRow } from './draft.ts'

/** One result of `import_catalog_items`; its `row` is the position in the batch, not the row of the file. */
export type ImportResult = {
  row: number
  result: 'created' | 'duplicate' | 'rejected'
  item_id?: string
  reason?: Refusal & { duplicate_of_row?: number }
}

export type Difference = {
  /** What would become of each row of the file. */
  outcomes: MenuOutcome[]
  /** Sections that the file names and the menu does not have. */
  categories: string[]
}

type Known = ItemKeys & ({ item: CatalogItem } | { row: MenuRow })

/** Compares by the rules of the service: external_ref, else barcode, else name in its category. Sends nothing. */
export function compare({ rows }: MenuFile, catalogue: readonly CatalogItem[]): Difference {
  const sections = new Map(catalogue.map(({ category }) => [category.category_id, fold(category.name)]))
  const matcher = makeMatcher<Known>(catalogue.map((item) => ({ ...keysOfItem(item), item })))
  const known = new Set(sections.values())
  const categories = new Map<string, string>()
  const outcomes = rows.map((row): MenuOutcome => {
    const { draft } = row
    if (draft === undefined) return localOutcome(row)
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
    return { ...base(row), result: 'created' }
  })
  return { outcomes, categories: [...categories.values()] }
}

function keysOfItem({ external_ref, barcode, category, name }: CatalogItem): ItemKeys {
  return { external_ref, barcode, category_key: fold(category.name), name_key: fold(name) }
}

function duplicateOutcome(row: MenuRow, known: Known): MenuOutcome {
  return 'item' in known
    ? {
        ...base(row),
        result: 'duplicate',
        item_id: known.item.item_id,
        menu_price: known.item.price,
        reason: { code: 'already_exists', errors: [] },
      }
    : {
        ...base(row),
        result: 'duplicate',
        reason: { code: 'duplicate_in_file', errors: [], duplicate_of_row: known.row.row },
      }
}

/** An item that was not sent because its row is bad. */
function localOutcome(row: MenuRow): MenuOutcome {
  return { ...base(row), result: 'rejected', reason: { code: 'invalid_row', errors: row.errors } }
}

/** The answers of the service put beside their rows; rows without one were bad, or were not sent. */
export function gather(
  file: MenuFile,
  answered: readonly { batch: { rows: readonly Good[] }; answer: { results: readonly ImportResult[] } }[],
  catalogue: readonly CatalogItem[],
): MenuOutcome[] {
  const prices = new Map(catalogue.map(({ item_id, price }) => [item_id, price]))
  const byRow = new Map<number, MenuOutcome>()
  for (const { batch, answer } of answered) {
    for (const [index, result] of answer.results.entries()) {
      const row = batch.rows[index]
      if (row === undefined) continue
      if (result.result === 'created' && result.item_id !== undefined)
        prices.set(result.item_id, row.draft.price)
      byRow.set(row.row, toOutcome(file, row, result, batch.rows, prices))
    }
  }
  return file.rows.map(
    (row) =>
      byRow.get(row.row) ??
      (row.draft === undefined ? localOutcome(row) : { ...base(row), result: 'not_sent' }),
  )
}

function toOutcome(
  file: MenuFile,
  row: Good,
  { result, item_id, reason }: ImportResult,
  batch: readonly Good[],
  prices: ReadonlyMap<string, Money>,
): MenuOutcome {
  const twin = reason?.duplicate_of_row === undefined ? undefined : batch[reason.duplicate_of_row - 1]
  const price = result === 'duplicate' && item_id !== undefined ? prices.get(item_id) : undefined
  return {
    ...base(row),
    result,
    ...(item_id !== undefined && { item_id }),
    ...(price !== undefined && { menu_price: price }),
    ...(reason !== undefined && {
      reason: {
        code: reason.code,
        errors: result === 'rejected' ? file.toErrors(reason, row) : [],
        ...(twin !== undefined && { duplicate_of_row: twin.row }),
      },
    }),
  }
}

function base({ row, line, name, category, price }: MenuRow) {
  return { row, ...(line !== undefined && { line }), name, category, price }
}
