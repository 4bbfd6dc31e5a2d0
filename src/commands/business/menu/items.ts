import { findCellText, type CellText } from '../../../tabular/columns/cell-text.ts'
/** Groups the rows of a menu file that are one item, and reads each column of them. */
import type { ColumnText } from '../../../tabular/columns/read-cell.ts'
import type { CellIssue } from '../../../tabular/csv/cells.ts'
import type { DataRow } from '../../../tabular/csv/read.ts'
import { readAvailability } from './cells.ts'
import type { MenuColumn } from './columns.ts'
import type { MenuMapping } from './kind.ts'
import type { ExportLine, MenuPreset } from './presets.ts'

/** The cells by which a row adds a modifier to the item above it. */
const MODIFIER: readonly MenuColumn[] = ['modifier_group', 'modifier_name', 'modifier_price']

export function isModifierRow(row: DataRow, mapping: MenuMapping): boolean {
  return (
    findCellText(row, 'name', mapping) === undefined &&
    MODIFIER.some((column) => findCellText(row, column, mapping) !== undefined)
  )
}

/** The rows of each item: a menu's continue while they only add modifiers, an export's while they are of one product. */
export function groupItems(mapping: MenuMapping): DataRow[][] {
  return groupAll(mapping).groups
}

/** Returns the rows that continue an item which the workbook hides: they are omitted with it. */
export function findHiddenParts(mapping: MenuMapping): DataRow[] {
  return groupAll(mapping).hiddenParts
}

function groupAll(mapping: MenuMapping): { groups: DataRow[][]; hiddenParts: DataRow[] } {
  const { table, preset } = mapping
  const hidden = new Set(table.hidden)
  const all =
    hidden.size === 0 ? table.rows : [...table.rows, ...table.hidden].toSorted((a, b) => a.row - b.row)
  const groups: DataRow[][] = []
  for (const row of all) {
    const before = groups.at(-1)
    const first = before?.[0]
    const continues =
      before !== undefined &&
      first !== undefined &&
      (preset === undefined ? isModifierRow(row, mapping) : isSameProduct(first, row, mapping, preset))
    if (continues) before.push(row)
    else groups.push([row])
  }
  const isHidden = ([first]: DataRow[]): boolean => first !== undefined && hidden.has(first)
  const shown = (rows: DataRow[]): DataRow[] => rows.filter((row) => !hidden.has(row))
  return {
    groups: groups.filter((group) => !isHidden(group)).map(shown),
    hiddenParts: groups.filter(isHidden).flatMap(shown),
  }
}

function isSameProduct(first: DataRow, row: DataRow, mapping: MenuMapping, { group }: MenuPreset): boolean {
  return group.every((keys, index) => {
    const [own, other] = [first, row]
      .map((each) => toExportLine(each, mapping))
      .map((line) => firstOf(line, keys))
    return own === other ? own !== '' || index > 0 : index > 0 && other === ''
  })
}

function firstOf(line: ExportLine, keys: readonly string[]): string {
  return keys.map((key) => line.get(key)).find((text) => text !== '') ?? ''
}

export function toExportLine({ cells }: DataRow, { table }: MenuMapping): ExportLine {
  return {
    get: (key) => cells[table.keys.indexOf(key)]?.trim() ?? '',
    matching: (key) =>
      table.keys.flatMap((each, at) =>
        key.test(each) ? [{ at, header: table.header[at] ?? '', text: cells[at]?.trim() ?? '' }] : [],
      ),
  }
}

/** Returns the text of one row for a column, converted by the preset. */
export function readColumnText(row: DataRow, column: MenuColumn, mapping: MenuMapping): CellText | undefined {
  const { preset, sources } = mapping
  const derive = sources.get(column)?.how === 'flag' ? undefined : preset?.derive[column]
  if (derive !== undefined) {
    const derived = derive(toExportLine(row, mapping))
    return derived && { text: derived.text, source: { at: derived.at, join: ', ' } }
  }
  const found = findCellText(row, column, mapping)
  const clean = preset?.clean[column]
  if (found === undefined || clean === undefined) return found
  const text = clean(found.text)
  return text === '' ? undefined : { ...found, text }
}

/** Columns that each variation of a product has of its own: an item has one only where they agree. */
const OF_VARIATION: ReadonlySet<MenuColumn> = new Set(['sku', 'barcode', 'cost'])

/** Returns a function that finds the text of a column in all rows of an item. */
export function finder(
  rows: readonly DataRow[],
  variations: readonly DataRow[],
  mapping: MenuMapping,
): (column: MenuColumn) => ColumnText | undefined {
  const read = (line: DataRow, column: MenuColumn): CellText | undefined =>
    readColumnText(line, column, mapping)
  if (mapping.preset === undefined) {
    const [first] = rows
    return (column) => first && read(first, column)
  }
  return (column) => {
    if (variations.length > 1 && OF_VARIATION.has(column)) {
      const [first, ...others] = variations.map((line) => read(line, column))
      return others.every((other) => other?.text === first?.text) ? first : undefined
    }
    if (variations.length > 1 && column === 'stock')
      return total(variations.flatMap((line) => read(line, column) ?? []))
    // A product is off sale when all its variations are.
    if (variations.length > 1 && column === 'available') {
      const [first] = rows
      const own = first === undefined || variations.includes(first) ? undefined : read(first, column)
      if (isOff(own?.text)) return own
      const said = variations.flatMap((line) => read(line, column) ?? [])
      return said.find(({ text }) => !isOff(text)) ?? said[0]
    }
    for (const line of rows) {
      const found = read(line, column)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Returns whether a text says that something is off sale. */
export function isOff(text: string | undefined): boolean {
  const reading = text === undefined ? undefined : readAvailability(text)
  return reading !== undefined && 'value' in reading && !reading.value
}

/** The pieces of all variations; a text that is no number is told as it is. */
function total(texts: readonly CellText[]): ColumnText | undefined {
  const [first] = texts
  if (first === undefined) return undefined
  const strange = texts.find(({ text }) => !/^\d+$/.test(text))
  if (strange !== undefined) return strange
  return { ...first, text: String(texts.reduce((sum, { text }) => sum + Number(text), 0)) }
}

/** The fault told with the row that it is in, where an item has several. */
export function inRow<F extends CellIssue>(fault: F, { row }: DataRow, first: DataRow | undefined): F {
  return row === first?.row ? fault : { ...fault, detail: `${fault.detail} (row ${row})` }
}
