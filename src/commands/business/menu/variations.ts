/** The variations of a product in an export: one item with a choice that must be made. */
import type { ModifierGroupRequest, ModifierRequest } from '../../../areas/catalog/rules/catalog.ts'
import type { Money } from '../../../core/money.ts'
import { cellError, type CellError } from '../../../tabular/columns/outcomes.ts'
import { makeRowReader } from '../../../tabular/columns/read-cell.ts'
import type { DataRow } from '../../../tabular/csv/read.ts'
import { inRow, isOff, toExportLine, readColumnText } from './items.ts'
import { MAX_GROUP_MODIFIERS } from './modifiers.ts'
import { readCell, type MenuRowScope } from './scope.ts'

/** The rows that are variations of the product; others only add pictures. All rows where there is no preset. */
export function variationsOf(lines: readonly DataRow[], { mapping }: MenuRowScope): readonly DataRow[] {
  const { preset } = mapping
  if (preset === undefined) return lines.slice(0, 1)
  const isPriced = (line: DataRow): boolean => readColumnText(line, 'price', mapping) !== undefined
  // The row of a product may have no price of its own: its variations have theirs.
  const isParent = (line: DataRow): boolean =>
    line === lines[0] && !isPriced(line) && lines.slice(1).some(isPriced)
  return lines
    .filter(
      (line, index) =>
        index === 0 ||
        isPriced(line) ||
        preset.variation.values.some((key) => toExportLine(line, mapping).get(key) !== ''),
    )
    .filter((line) => !isParent(line))
}

/** The lowest price, and one group of the variations with what each costs more. */
export function readVariations(
  lines: readonly DataRow[],
  scope: MenuRowScope,
  errors: CellError[],
): { price: Money | undefined; groups: ModifierGroupRequest[] } {
  const { mapping } = scope
  const read = lines.map((line) => {
    const found: CellError[] = []
    const take = makeRowReader(mapping, found, (column) => readColumnText(line, column, mapping))
    const price = readCell<Money>(take, 'price', scope)
    errors.push(...found.map((error) => ({ ...error, ...inRow(error, line, lines[0]) })))
    return {
      name: nameOf(line, scope),
      price,
      off: isOff(readColumnText(line, 'available', mapping)?.text),
    }
  })
  const allOff = read.every(({ off }) => off)
  const prices = read.flatMap(({ price }) => price ?? [])
  const price = prices.toSorted((a, b) => a.amount - b.amount)[0]
  if (price === undefined || prices.length < lines.length) return { price: undefined, groups: [] }
  const twice = read.find(({ name }, at) => read.findIndex((each) => each.name === name) !== at)
  if (twice !== undefined) {
    const row = lines[read.indexOf(twice)]
    const detail = `Two items have the same name, and both have ${twice.name}. Rename one of them (row ${row?.row ?? 0}).`
    errors.push(cellError(mapping, 'name', lines[0], { code: 'mutually_exclusive', detail }))
    return { price, groups: [] }
  }
  const modifiers = read.map(({ name, price: own = price, off }, index): ModifierRequest => ({
    name,
    price_delta: { amount: own.amount - price.amount, currency: price.currency },
    ...(off && !allOff && { available: false }),
    ...(index === 0 && { is_default: true }),
  }))
  if (modifiers.length > MAX_GROUP_MODIFIERS) {
    const detail = `It has ${modifiers.length} variations; at most ${MAX_GROUP_MODIFIERS} fit.`
    errors.push(cellError(mapping, 'modifier_name', undefined, { code: 'too_many', detail }))
  }
  return {
    price,
    groups: [{ name: kindOf(lines, scope), min_selections: 1, max_selections: 1, modifiers }],
  }
}

function nameOf(line: DataRow, { mapping }: MenuRowScope): string {
  const keys = mapping.preset?.variation.values ?? []
  const values = keys.map((key) => toExportLine(line, mapping).get(key)).filter((value) => value !== '')
  return values.length === 0 ? 'Regular' : values.join(' / ')
}

/** Returns the name of the variations: `Size`, or `Size / Milk`; `Variation` without one. */
function kindOf(lines: readonly DataRow[], { mapping }: MenuRowScope): string {
  const { names = [] } = mapping.preset?.variation ?? {}
  const said = names.flatMap(
    (key) => lines.map((line) => toExportLine(line, mapping).get(key)).find((name) => name !== '') ?? [],
  )
  return said.length === 0 ? 'Variation' : said.join(' / ')
}
