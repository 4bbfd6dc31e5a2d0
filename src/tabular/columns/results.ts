/** Builds the text of the files that an upload writes beside its input. */
import { formatMajorUnits, type Money } from '../../core/money.ts'
import { escapeCoercion, unescapeOwnCell } from '../csv/escape-coercion.ts'
import { findOpenUnit, isBare, NUMERIC, withSureCommas } from '../csv/numbers.ts'
import { readTable, type DataRow, type DataTable } from '../csv/read.ts'
import { type Cell, type AmountCell, type FileForm, PLAIN_NUMBER, writeCsv } from '../csv/write.ts'
import { WORKBOOK_MARK } from '../xlsx/signature.ts'
import type { ColumnMapping, CellSource } from './columns.ts'
import { faultsText, type RowOutcome, type FileRow, reasonText } from './outcomes.ts'
import {
  ERROR_COLUMNS,
  JSON_ERRORS_NOTE,
  JSON_EXPORT_NOTE,
  ownColumns,
  type OwnFileKind,
  ownFileKind,
} from './own-files.ts'

/**
 * Returns the form of the files that answer an input: its delimiter, and a byte order mark, because people open them in a
 * spreadsheet. The results of a workbook are CSV, too.
 */
export function toResultsFileForm(isWorkbook: boolean, { delimiter }: DataTable): FileForm {
  return { delimiter, bom: true, ...(isWorkbook && { workbook: true }) }
}

/** The columns that a results file adds: row, result, those of the service's answer, and the reason. */
export type ResultsColumns<Outcome> = {
  columns: readonly string[]
  /** Returns the service's answer as cells, for each row that a parcel or an item is made of. */
  cells(outcome: Outcome, index: number): (Cell | Money)[]
  /** A column after the reason, where any outcome has its field, even null. */
  last?: string & keyof Outcome
}

/**
 * Returns `.results.csv`: the input's columns, then the added ones. Each row has the result of its parcel or item. Its cells survive
 * a spreadsheet.
 */
export function resultsCsv<Outcome extends RowOutcome>(
  mapping: ColumnMapping,
  { rows, outcomes }: { rows: readonly Pick<FileRow, 'row' | 'rows'>[]; outcomes: readonly Outcome[] },
  { columns, cells, last }: ResultsColumns<Outcome>,
  form: FileForm,
): string {
  const kept = keptColumns(mapping)
  const byRow = new Map(outcomes.map((outcome) => [outcome.row, outcome]))
  const ending = last !== undefined && outcomes.some((outcome) => outcome[last] !== undefined) ? [last] : []
  const written = rows.flatMap((row) => {
    const outcome = byRow.get(row.row)
    if (outcome === undefined) return []
    return row.rows.map((each, index) => [
      ...inputCells(mapping, kept, each),
      each.row,
      outcome.result,
      ...cells(outcome, index).map((cell) => withFigure(cell, mapping.decimalCommas)),
      reasonText(outcome, mapping.kind),
      // A row that made nothing has null where another row has a value.
      ...ending.map((name) => (outcome[name] as Cell | null) ?? undefined),
    ])
  })
  return writeCsv(
    [headerWith(mapping, kept, [...columns, ...ending]), ...written],
    form,
    numberColumns(mapping, kept),
    escapeCoercion,
  )
}

/** Returns an amount in major units with all decimals, behind a comma where the numbers of the file have one. */
export function withFigure(cell: Cell | Money, hasCommas = false): Cell | AmountCell {
  if (typeof cell !== 'object') return cell
  const text = formatMajorUnits(cell)
  return { figure: hasCommas ? text.replace('.', ',') : text }
}

/**
 * Returns `.errors.csv`: what `errorRows` holds. Its cells survive a spreadsheet: a leading zero of a number among them.
 */
export function errorsCsv(
  mapping: ColumnMapping,
  rows: readonly FileRow[],
  outcomes: readonly RowOutcome[],
  form: FileForm,
): string | undefined {
  const written = errorRows(mapping, rows, outcomes)
  return written && writeCsv(written, form, new Set(), escapeCoercion)
}

/**
 * Returns a header and the rejected rows in their original columns, then their errors, ready to be corrected and uploaded
 * again. Undefined when no row was rejected. Several errors of a parcel or an item are in its first row.
 */
export function errorRows(
  mapping: ColumnMapping,
  rows: readonly FileRow[],
  outcomes: readonly RowOutcome[],
): Cell[][] | undefined {
  const rejected = new Map(
    outcomes.filter(({ result }) => result === 'rejected').map((outcome) => [outcome.row, outcome]),
  )
  if (rejected.size === 0) return undefined
  const kept = keptColumns(mapping)
  const numbers = numberColumns(mapping, kept)
  const written = rows.flatMap((row) => {
    const errors = rejected.get(row.row)?.reason?.errors
    if (errors === undefined) return []
    const told = [
      errors.map(({ column }) => column).join('; '),
      errors.map(({ code }) => code).join('; '),
      errors.length > 1 ? faultsText(errors) : errors.map(({ detail }) => detail).join(''),
      errors.flatMap(({ suggestion }) => suggestion ?? []).join('; '),
    ]
    return row.rows.map((each, index) => [
      ...inputCells(mapping, kept, each).map((cell, index) =>
        numbers.has(index) ? aloneNumber(cell, kept[index] ?? -1, each, mapping) : cell,
      ),
      each.row,
      ...(index === 0 ? told : ['', '', '', '']),
    ])
  })
  return [headerWith(mapping, kept, ERROR_COLUMNS), ...written]
}

/** Returns the kind of this program's own file by the beginning of its text. Only such a file is overwritten. */
export function detectOwnFileKind(text: string): OwnFileKind | undefined {
  // A spreadsheet that saves the workbook leaves the mark out: it then holds the user's corrections.
  if (text.startsWith('PK')) return text.includes(WORKBOOK_MARK) ? 'errors' : undefined
  const note = /^\s*\{\s*"_note": "([^"]*)"/.exec(text)?.[1]
  if (note !== undefined)
    return note === JSON_ERRORS_NOTE ? 'errors' : note === JSON_EXPORT_NOTE ? 'export' : undefined
  const [header = ''] = /^(?:[^"\r\n]|"[^"]*")*/.exec(text.startsWith('\uFEFF') ? text.slice(1) : text) ?? []
  try {
    return ownFileKind(readTable(`${header}\nx`).header)
  } catch {
    return undefined
  }
}

function keptColumns({ table }: ColumnMapping): number[] {
  const own = ownColumns(table.header)
  return table.header.map((_, at) => at).filter((at) => !own.has(at))
}

function inputCells({ ours }: ColumnMapping, kept: readonly number[], { cells }: DataRow): string[] {
  return kept.map((at) => unescapeOwnCell(cells[at] ?? '', ours))
}

/**
 * Returns a number in the form in which it is read the same in a file of its own, where no other cell says what its
 * comma or its unit is: that which a workbook holds, with the unit that was settled for the whole file.
 */
function aloneNumber(shown: string, at: number, { held }: DataRow, mapping: ColumnMapping): Cell {
  const number = held?.get(at)
  const cell = number ?? (mapping.decimalCommas ? withSureCommas(shown) : shown)
  const unit = settledUnit(cell, at, mapping)
  if (unit !== undefined) return `${cell} ${unit}`
  return number !== undefined && PLAIN_NUMBER.test(number) ? Number(number) : cell
}

function isUnitless(source: CellSource | undefined): boolean {
  return source !== undefined && (source.unit ?? source.units ?? source.unitAt) === undefined
}

/** The unit of a bare number, where neither its header nor the number alone tells it. */
function settledUnit(
  cell: string,
  at: number,
  { kind, sources, units, preset }: ColumnMapping,
): string | undefined {
  if (units === undefined || !isBare(cell)) return undefined
  for (const [name, { from }] of sources) {
    const { read } = kind.columnOf(name)
    const source = from.find((each) => each.at.includes(at))
    if (!isUnitless(source) || (read !== 'weight' && read !== 'length' && read !== 'dimensions')) continue
    const kindOfUnit = read === 'weight' ? 'weight' : 'length'
    if (preset?.[kindOfUnit] !== undefined) return undefined
    const unit = units[kindOfUnit]
    const isPlain = (unit === 'g' || unit === 'mm') && findOpenUnit([cell], read) === undefined
    return isPlain ? undefined : unit
  }
  return undefined
}

function headerWith({ table }: ColumnMapping, kept: readonly number[], added: readonly string[]): string[] {
  return [...kept.map((at) => table.header[at] ?? ''), ...added]
}

/** In columns of numbers a leading minus is a number and not a formula. */
function numberColumns(mapping: ColumnMapping, kept: readonly number[]): ReadonlySet<number> {
  const numeric = [...mapping.sources].flatMap(([column, { from }]) =>
    NUMERIC.has(mapping.kind.columnOf(column).read) ? from.flatMap(({ at }) => at) : [],
  )
  return new Set(numeric.map((at) => kept.indexOf(at)))
}
