/** Rows that add a modifier, with no item or with another item above them. */
import { cellError, type CellError } from '../../../rows/columns/outcomes.ts'
import { EXPORT_COLUMNS } from '../../../rows/columns/own-files.ts'
import { findText } from '../../../rows/columns/texts.ts'
import { clip } from '../../../rows/csv/cells.ts'
import type { Row } from '../../../rows/csv/read.ts'
import { inRow } from './items.ts'
import type { Scope } from './scope.ts'

export function orphan(row: Row, scope: Scope): CellError {
  return toError(row, 'This row adds a modifier, but no item stands above it.', scope)
}

/**
 * Returns an error for each modifier of an export that stands below another item: a spreadsheet that sorts the rows
 * moves all modifiers below the last item.
 */
export function findStrayRows([first, ...others]: readonly Row[], scope: Scope): CellError[] {
  const at = scope.table.header.findIndex((header) => header.trim().toLowerCase() === EXPORT_COLUMNS[0])
  const idOf = ({ cells }: Row): string => cells[at]?.trim() ?? ''
  if (at < 0 || first === undefined) return []
  const strays = others.filter((row) => idOf(row) !== '' && idOf(row) !== idOf(first))
  // One of each item is enough to find the others.
  return [...new Map(strays.toReversed().map((row) => [idOf(row), row])).values()].toReversed().map((row) => {
    const own = scope.table.rows.find(
      (each) => idOf(each) === idOf(row) && findText(each, 'name', scope.mapping) !== undefined,
    )
    const name = own && findText(own, 'name', scope.mapping)?.text
    const detail = `This modifier is of ${name === undefined ? 'an item that is not in the file' : clip(name, 40)}. Put its row below that item, or empty ${EXPORT_COLUMNS[0]} to add it here.`
    return inRow(toError(row, detail, scope), row, first)
  })
}

function toError(row: Row, detail: string, scope: Scope): CellError {
  const column = scope.mapping.sources.has('modifier_name') ? 'modifier_name' : 'modifier_group'
  return cellError(scope, column, row, { code: 'orphan_modifier', detail })
}
