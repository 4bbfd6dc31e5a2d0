/** Cells of a workbook without a sound value: errors such as #N/A, formulas never computed, amounts shown rounded. */
import type { Table } from '../csv/read.ts'
import type { Mapping } from './mapping.ts'
import type { CellError, FileRow } from './outcomes.ts'
import { headerOf } from './texts.ts'

/** Returns the row without its draft where a cell that it is made of has no sound value. The cell's own error replaces others. */
export function refuseWrongCells<Row extends FileRow>(row: Row, table: Table, mapping: Mapping): Row {
  if (row.leftOut !== undefined) return row
  if (row.rows.every(({ wrong, inexact }) => wrong === undefined && inexact === undefined)) return row
  const errors = [...mapping.sources].flatMap(([column, { from }]) =>
    from.flatMap((source) =>
      row.rows.flatMap(({ cells, wrong, inexact }) =>
        source.at.flatMap((at): CellError[] => {
          const isMoney = mapping.kind.columnOf(column).kind === 'money'
          const detail = wrong?.get(at) ?? (isMoney ? inexact?.get(at) : undefined)
          if (detail === undefined) return []
          return [
            {
              column: headerOf(table, mapping, column, source),
              pointer: mapping.kind.columnOf(column).pointer,
              value: cells[at] ?? '',
              code: 'invalid_format',
              detail,
            },
          ]
        }),
      ),
    ),
  )
  if (errors.length === 0) return row
  const columns = new Set(errors.map(({ column }) => column))
  const others = row.errors.filter(({ column }) => !columns.has(column))
  return { ...row, draft: undefined, errors: [...errors, ...others] }
}
