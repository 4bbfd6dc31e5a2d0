/** The unit of bare numbers in weight and size columns (docs/rules/files.md#a-bare-number-needs-a-unit). */
import { findCellText, headerOf } from '../columns/cell-text.ts'
import { truncate } from '../csv/cells.ts'
import { findOpenUnit, type LengthUnit, type WeightUnit } from '../csv/numbers.ts'
import { MANIFEST_FILE_COLUMNS } from './columns.ts'
import { type ManifestMapping } from './kind.ts'

/** Units of bare numbers without one in their header. */
export type Units = { weight: WeightUnit; length: LengthUnit }

/** To be asked on a terminal; a script gets exit 2 naming `--weight-unit` or `--length-unit`. */
export type UnitQuestion = { needs: 'weight' | 'length'; cells: OpenCell[] }

/** The first cell of a column that looks like another unit than g or mm, without naming one. */
export type OpenCell = { column: string; row: number; value: string }

/**
 * The units to read with: what was answered, else what the preset knows, else g and mm; and the questions that stay
 * open because the numbers look like other units. With a question open the units are not to be used.
 */
export function decideUnits(
  mapping: ManifestMapping,
  answers: { weight?: WeightUnit; length?: LengthUnit } = {},
): { units: Units; questions: UnitQuestion[] } {
  const weight = answers.weight ?? mapping.preset?.weight
  const length = answers.length ?? mapping.preset?.length
  return {
    units: { weight: weight ?? 'g', length: length ?? 'mm' },
    questions: [
      ...(weight === undefined ? ask(mapping, 'weight', ['weight']) : []),
      ...(length === undefined ? ask(mapping, 'length', ['length', 'dimensions']) : []),
    ],
  }
}

function ask(
  mapping: ManifestMapping,
  needs: UnitQuestion['needs'],
  kinds: readonly string[],
): UnitQuestion[] {
  const cells = MANIFEST_FILE_COLUMNS.flatMap(({ name, read, helps }): OpenCell[] => {
    const from = kinds.includes(read) && helps === undefined ? mapping.sources.get(name)?.from : undefined
    if (from === undefined || from.every(({ unit }) => unit !== undefined)) return []
    const bare = mapping.table.rows.flatMap((row) => {
      const found = findCellText(row, name, mapping)
      return found === undefined || found.source.unit !== undefined ? [] : [{ row: row.row, ...found }]
    })
    const at = findOpenUnit(
      bare.map(({ text }) => text),
      read === 'weight' || read === 'dimensions' ? read : 'length',
    )
    const open = at === undefined ? undefined : bare[at]
    if (open === undefined) return []
    return [
      {
        column: headerOf(mapping, name, open.source),
        row: open.row,
        value: truncate(open.shown ?? open.text, 40),
      },
    ]
  })
  return cells.length === 0 ? [] : [{ needs, cells }]
}

/** `Weight has "1.2" in row 3, and Length "30" in row 2`, for a question or an error. */
export function openCellsText(cells: readonly OpenCell[]): string {
  const parts = cells.map(
    ({ column, row, value }, index) =>
      `${column} ${index === 0 ? 'has ' : ''}${JSON.stringify(value)} in row ${row}`,
  )
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
