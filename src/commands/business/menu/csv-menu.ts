/** A menu in CSV, or an export of a shop: its rows, and its results and errors files. */
import { cellErrors, majorUnits, reasonText } from '../../../cli/columns/outcomes.ts'
import { MENU_RESULTS } from '../../../cli/columns/own-files.ts'
import { errorsCsv, formLike, resultsCsv } from '../../../cli/columns/results.ts'
import type { Decoded } from '../../../cli/csv/decode.ts'
import type { Table } from '../../../cli/csv/read.ts'
import { MENU, type MenuMapping } from './columns.ts'
import type { Currencies, MenuFile, MenuOutcome, MenuRow } from './draft.ts'
import { parseMenu } from './parse.ts'

/** Throws `usage` when a default is not usable. */
export function csvMenu(
  decoded: Decoded,
  table: Table,
  mapping: MenuMapping,
  currencies: Currencies,
): MenuFile {
  const { rows, notes } = parseMenu(table, mapping, currencies)
  const form = formLike(decoded, table)
  return {
    rows,
    notes,
    form: 'csv',
    toErrors: (refusal, row) => cellErrors(refusal, row, table, mapping, undefined),
    results: (outcomes) => resultsCsv(table, mapping, MENU_RESULTS, added(rows, outcomes), form),
    errors: (outcomes) => errorsCsv(table, mapping, rows, outcomes, form),
  }
}

/** Row, result, item, the price on the menu where it is there already, and the reason; in each row of an item. */
export function added(rows: readonly MenuRow[], outcomes: readonly MenuOutcome[]) {
  const byRow = new Map(outcomes.map((outcome) => [outcome.row, outcome]))
  return rows.flatMap((row) => {
    const outcome = byRow.get(row.row)
    if (outcome === undefined) return []
    const { result, item_id, menu_price } = outcome
    const price = menu_price === undefined ? undefined : majorUnits(menu_price)
    const told = [result, item_id, price, reasonText(outcome, MENU)]
    return [{ row, cells: row.rows.map((each) => [each.row, ...told]) }]
  })
}
