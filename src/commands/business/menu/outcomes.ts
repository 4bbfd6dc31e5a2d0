/** The outcome of each item of a menu. */
import { type ReportForm, REPORT_FIELDS } from '../../../cli/upload/upload.ts'
import type { CatalogItem } from '../../../client/list-store-items.ts'
import { MENU_RESULTS } from '../../../tabular/columns/own-files.ts'
import type { ResultsColumns } from '../../../tabular/columns/results.ts'
import type { ImportMessages } from '../../../tabular/import/row-file.ts'
import type { MenuOutcome } from './draft.ts'
import menu from './menu.json' with { type: 'json' }

export const MENU_ROW_FIELDS: ImportMessages = {
  named: ['row', 'line', 'name', 'category', 'price'],
  answered: ['item_id'],
}

/** The outcomes with the price on the menu of each item that was there already, or that an earlier row made. */
export function withMenuPrices(
  outcomes: readonly MenuOutcome[],
  catalogue: readonly CatalogItem[],
): MenuOutcome[] {
  const prices = new Map(catalogue.map(({ item_id, price }) => [item_id, price]))
  for (const { result, item_id, price } of outcomes)
    if (result === 'created' && item_id !== undefined && price !== undefined) prices.set(item_id, price)
  return outcomes.map((outcome) => {
    const { result, item_id } = outcome
    const menu_price = result === 'duplicate' && item_id !== undefined ? prices.get(item_id) : undefined
    return menu_price === undefined ? outcome : { ...outcome, menu_price }
  })
}

/** The item, and its price on the menu where it is there already. */
export const MENU_RESULT_CELLS: ResultsColumns<MenuOutcome> = {
  columns: MENU_RESULTS,
  cells: ({ item_id, menu_price }) => [item_id, menu_price],
}

/** The fields of a row that `--fields` may name. */
export const ITEM_FIELDS = { fields: [...REPORT_FIELDS, ...menu.report.fields] }

export const MENU_REPORT: ReportForm<MenuOutcome> = {
  ...menu.report,
  idOf: ({ item_id }) => item_id ?? null,
  next: ({ created, updated = 0 }) => {
    if (updated > 0) return 'dray business catalog undo --import last'
    return created > 0 ? 'dray business catalog list' : undefined
  },
}
