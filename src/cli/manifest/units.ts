/** Which unit the bare numbers of weight and size columns are in (`contract.md` E). */
import { findText, headerOf } from '../columns/texts.ts'
import { isUnitOpen, type LengthUnit, type WeightUnit } from '../csv/numbers.ts'
import type { Table } from '../csv/read.ts'
import { type Column, COLUMNS, type ManifestMapping } from './columns.ts'

/** Units of bare numbers whose header names none. */
export type Units = { weight: WeightUnit; length: LengthUnit }

/** To be asked on a terminal; a script gets exit 2 naming `--weight-unit` or `--length-unit`. */
export type UnitQuestion = { needs: 'weight-unit' | 'length-unit'; headers: string[]; samples: string[] }

/**
 * The units to read with: what was answered, else what the preset knows, else g and mm; and the questions that stay
 * open because the numbers look like other units. With a question open the units are not to be used.
 */
export function decideUnits(
  table: Table,
  mapping: ManifestMapping,
  answers: { weight?: WeightUnit; length?: LengthUnit } = {},
): { units: Units; questions: UnitQuestion[] } {
  const weight = answers.weight ?? mapping.preset?.weight
  const length = answers.length ?? mapping.preset?.length
  return {
    units: { weight: weight ?? 'g', length: length ?? 'mm' },
    questions: [
      ...(weight === undefined ? ask(table, mapping, 'weight-unit', ['weight']) : []),
      ...(length === undefined ? ask(table, mapping, 'length-unit', ['length', 'dimensions']) : []),
    ],
  }
}

function ask(
  table: Table,
  mapping: ManifestMapping,
  needs: UnitQuestion['needs'],
  kinds: readonly Column['kind'][],
): UnitQuestion[] {
  const open = COLUMNS.flatMap(({ name, kind }) => {
    const from = kinds.includes(kind) ? mapping.sources.get(name)?.from : undefined
    if (from === undefined || from.every(({ unit }) => unit !== undefined)) return []
    const cells = table.rows.flatMap((row) => {
      const found = findText(row, name, mapping)
      return found === undefined || found.source.unit !== undefined ? [] : [found.text]
    })
    const isOpen = isUnitOpen(cells, kind === 'weight' || kind === 'dimensions' ? kind : 'length')
    return isOpen ? [{ header: headerOf(table, mapping, name), samples: cells.slice(0, 3) }] : []
  })
  if (open.length === 0) return []
  return [
    {
      needs,
      headers: open.map(({ header }) => header),
      samples: open.flatMap(({ samples }) => samples).slice(0, 3),
    },
  ]
}
