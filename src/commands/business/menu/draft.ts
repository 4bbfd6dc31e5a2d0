/** An item of a menu file on its way to the service, and what its rows are. */
import type { ItemChange } from '../../../areas/catalog/rules/item-changes.ts'
import type { OperationOutput, OperationInput } from '../../../client/operations.ts'
import type { Money } from '../../../core/money.ts'
import type { RowOutcome, FileRow } from '../../../tabular/columns/outcomes.ts'
import type { ResultCounts } from '../../../tabular/import/report.ts'
import type { UploadPlan, RowFile } from '../../../tabular/import/row-file.ts'

/** A body of `create_catalog_item` that names its section. */
export type ItemDraft = Omit<OperationInput<'create_catalog_item'>, 'category' | 'merchant_id'> & {
  category: string
}

/** One item of the file, with its modifiers. */
export type MenuFileRow = FileRow<ItemDraft> & {
  /** As far as they could be read. */
  name: string | undefined
  category: string | undefined
  price: Money | undefined
  /** That of a rejected row, which keeps it. */
  external_ref?: string | undefined
}

/** `assumed` is of amounts that name none; `store` is the store's, where its menu shows it. */
export type Currencies = { assumed: string; store: string | undefined }

/** The report of one item. `price` is the file's, `menu_price` that of the existing item. */
export type MenuOutcome = RowOutcome & {
  name: string | undefined
  category: string | undefined
  price: Money | undefined
  item_id?: string
  menu_price?: Money
  /** The changes that an update made, or would make. */
  changes?: readonly ItemChange[]
}

export type MenuFile = RowFile<MenuFileRow, MenuOutcome>

export type Section = OperationOutput<'import_catalog_items'>['categories'][number]

/** The report on all items. */
export type MenuReport = {
  counts: ResultCounts & { categories_created: number; updated?: number; removed?: number }
  categories: readonly (Omit<Section, 'category_id'> & { category_id: string | null })[]
  import_ids: readonly string[]
  /** The file with the menu as it was before an update. */
  before_file?: string
}

/** The plan of an import, with the categories that it makes. */
export type MenuPlan = UploadPlan<MenuOutcome, MenuReport> & { categories: string[]; doubts: string[] }
