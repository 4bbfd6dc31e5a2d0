/** The files that an upload leaves beside the manifest, as text. */
import type { Decoded } from '../csv/decode.ts'
import { readTable, type Table } from '../csv/read.ts'
import { type Cell, type FileForm, unguard, writeCsv } from '../csv/write.ts'
import { columnOf } from './columns.ts'
import type { Mapping } from './map.ts'
import { majorUnits, type Outcome, reasonText } from './outcomes.ts'
import { ERROR_COLUMNS, ownColumns, type OwnFile, ownFileKind, RESULT_COLUMNS } from './own-files.ts'
import type { ManifestRow } from './parse.ts'

/** A file like the one that was read: its delimiter, and a byte order mark unless it was plain UTF-8. */
export function formLike({ encoding, bom }: Decoded, { delimiter }: Table): FileForm {
  return { delimiter, bom: bom || encoding !== 'utf-8' }
}

/**
 * `.results.csv`: the input's columns, then row, result, tracking number, price and reason. Each line of a merged
 * parcel repeats its result; the price stands on the first only, so that sums are right.
 */
export function resultsCsv(
  table: Table,
  mapping: Mapping,
  rows: readonly ManifestRow[],
  outcomes: readonly Outcome[],
  form: FileForm,
): string {
  const byRow = new Map(outcomes.map((outcome) => [outcome.row, outcome]))
  const kept = keptColumns(table)
  const lines: Cell[][] = []
  for (const row of rows) {
    const outcome = byRow.get(row.row)
    if (outcome === undefined) continue
    const price = outcome.total === undefined ? undefined : majorUnits(outcome.total)
    for (const [index, number] of row.rows.entries()) {
      lines.push([
        ...inputCells(table, mapping, kept, number),
        number,
        outcome.result,
        outcome.tracking_number ?? outcome.reason?.existing_tracking_number,
        index === 0 ? price : undefined,
        reasonText(outcome),
      ])
    }
  }
  return write(table, kept, RESULT_COLUMNS, lines, mapping, form)
}

/**
 * `.errors.csv`: the lines of rejected parcels in their original columns, then what is wrong, ready to be corrected and
 * uploaded again. Undefined when nothing was rejected. Several problems of a parcel share its first line.
 */
export function errorsCsv(
  table: Table,
  mapping: Mapping,
  rows: readonly ManifestRow[],
  outcomes: readonly Outcome[],
  form: FileForm,
): string | undefined {
  const rejected = new Map(
    outcomes.filter(({ result }) => result === 'rejected').map((outcome) => [outcome.row, outcome]),
  )
  if (rejected.size === 0) return undefined
  const kept = keptColumns(table)
  const lines: Cell[][] = []
  for (const row of rows) {
    const errors = rejected.get(row.row)?.reason?.errors
    if (errors === undefined) continue
    const told = [
      errors.map(({ column }) => column).join('; '),
      errors.map(({ code }) => code).join('; '),
      errors.map(({ detail }) => detail).join(' '),
      errors.flatMap(({ suggestion }) => suggestion ?? []).join('; '),
    ]
    for (const [index, number] of row.rows.entries()) {
      lines.push([
        ...inputCells(table, mapping, kept, number),
        number,
        ...(index === 0 ? told : ['', '', '', '']),
      ])
    }
  }
  return write(table, kept, ERROR_COLUMNS, lines, mapping, form)
}

/** What an existing file is of ours, by the header that its text begins with: only such a file is overwritten. */
export function whoseFile(text: string): OwnFile | undefined {
  const [header = ''] = /^(?:[^"\r\n]|"[^"]*")*/.exec(text.startsWith('\uFEFF') ? text.slice(1) : text) ?? []
  try {
    return ownFileKind(readTable(`${header}\nx`).header)
  } catch {
    return undefined
  }
}

function keptColumns(table: Table): number[] {
  const own = ownColumns(table.header)
  return table.header.map((_, at) => at).filter((at) => !own.has(at))
}

function inputCells(table: Table, { ours }: Mapping, kept: readonly number[], row: number): string[] {
  const cells = table.rows[row - 1]?.cells ?? []
  return kept.map((at) => (ours ? unguard(cells[at] ?? '') : (cells[at] ?? '')))
}

function write(
  table: Table,
  kept: readonly number[],
  added: readonly string[],
  lines: readonly Cell[][],
  mapping: Mapping,
  form: FileForm,
): string {
  const header = [...kept.map((at) => table.header[at] ?? ''), ...added]
  return writeCsv([header, ...lines], form, numberColumns(mapping, kept))
}

/** Weights, sizes and values: a negative number there is a number, not a formula. */
function numberColumns(mapping: Mapping, kept: readonly number[]): ReadonlySet<number> {
  const numeric = [...mapping.sources].flatMap(([column, { from }]) =>
    ['weight', 'length', 'money'].includes(columnOf(column).kind) ? from.flatMap(({ at }) => at) : [],
  )
  return new Set(numeric.map((at) => kept.indexOf(at)))
}
