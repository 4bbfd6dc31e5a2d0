/** Rows of a menu to checked bodies of `create_catalog_item`: every problem of every item, before anything is sent. */
import { validateItem, type ModifierGroupRequest } from '../../../areas/catalog/rules/catalog.ts'
import type { Money } from '../../../core/money.ts'
import {
  cellErrors,
  type CellError,
  type ImportNote,
  describeMerges,
} from '../../../tabular/columns/outcomes.ts'
import { makeRowReader, type CellReader } from '../../../tabular/columns/read-cell.ts'
import type { DataRow } from '../../../tabular/csv/read.ts'
import { pluralizeList } from '../../../tabular/wording.ts'
import type { MenuColumn } from './columns.ts'
import type { Currencies, ItemDraft, MenuFileRow } from './draft.ts'
import { findStrayRows, orphan, readModifierRows } from './groups.ts'
import { finder, findHiddenParts, groupItems, isModifierRow, toExportLine } from './items.ts'
import { type MenuMapping } from './kind.ts'
import { readCell, readMembers, type MenuRowScope } from './scope.ts'
import { readVariations, variationsOf } from './variations.ts'

export type ParsedMenu = { rows: MenuFileRow[]; notes: ImportNote[] }

/** Reads and checks every item. Throws `usage` when a default (`--default`) is itself not usable. */
export function parseMenu(mapping: MenuMapping, { assumed, store }: Currencies): ParsedMenu {
  const scope = { mapping, currency: assumed, store }
  const read = groupItems(mapping).map((group) => readItem(group, scope))
  const rows = suggestSections(read)
  return {
    rows,
    notes: [
      ...describeHiddenRows(mapping),
      ...describeMerges(rows, 'item', howMerged(mapping)),
      ...describeUnreadCells(rows, scope),
    ],
  }
}

/** Menus of one table name a section on its first item only: for a later one it is suggested. */
function suggestSections(rows: readonly MenuFileRow[]): MenuFileRow[] {
  let above: string | undefined
  return rows.map((row) => {
    if (row.category !== undefined) above = row.category
    const suggestion = above
    if (row.category !== undefined || suggestion === undefined) return row
    const errors = row.errors.map((error) =>
      error.pointer === '/category' && error.code === 'required' ? { ...error, suggestion } : error,
    )
    return { ...row, errors }
  })
}

function readItem(rows: readonly DataRow[], scope: MenuRowScope): MenuFileRow {
  const errors: CellError[] = []
  const { name, category, price, rest } = readCells(rows, scope, errors)
  const place = { row: rows[0]?.row ?? 0, rows }
  if (errors.length > 0 || name === undefined || category === undefined || price === undefined)
    return { ...place, name, category, price, external_ref: rest.external_ref, draft: undefined, errors }
  const draft = { category, name, price, ...rest }
  return checked({ ...place, name, category, price, draft, errors }, draft, scope)
}

function readCells(rows: readonly DataRow[], file: MenuRowScope, errors: CellError[]) {
  const { mapping } = file
  const [first] = rows
  const variations = variationsOf(rows, file)
  const take = makeRowReader(mapping, errors, finder(rows, variations, mapping))
  const isOrphan = first !== undefined && mapping.preset === undefined && isModifierRow(first, mapping)
  if (isOrphan) errors.push(orphan(first, file))
  else if (mapping.preset === undefined) errors.push(...findStrayRows(rows, file))
  const stated = readCell<string>(take, 'currency', file)
  const scope = { ...file, currency: stated ?? file.currency, stated }

  const name = readCell<string>(take, 'name', scope, !isOrphan)
  const category = readCell<string>(take, 'category', scope, !isOrphan)
  const varied = variations.length > 1 ? readVariations(variations, scope, errors) : undefined
  const price = varied === undefined ? readCell<Money>(take, 'price', scope, !isOrphan) : varied.price
  const modifier_groups = [
    ...(varied?.groups ?? []),
    ...(readCell<ModifierGroupRequest[]>(take, 'modifier_groups', scope) ?? []),
    ...(mapping.preset === undefined ? readModifierRows(rows, scope, errors) : []),
  ]
  const rest = { ...readRest(take, scope), ...(modifier_groups.length > 0 && { modifier_groups }) }
  return { name, category, price, rest }
}

/** The rules of the service on what was read, by its own functions. */
function checked(row: MenuFileRow, draft: ItemDraft, { mapping, store }: MenuRowScope): MenuFileRow {
  const faults = validateItem(draft, store ?? draft.price.currency).map(({ error }) => error)
  if (faults.length === 0) return row
  const errors = cellErrors({ code: 'invalid_row', errors: faults }, row, mapping)
  return { ...row, external_ref: draft.external_ref, draft: undefined, errors }
}

/** Columns that are read with others. */
const READ_APART: ReadonlySet<MenuColumn> = new Set(['category', 'name', 'price', 'modifier_groups'])

/** Reads the optional fields of an item, beside name, category, price and modifiers. */
function readRest(
  take: CellReader<MenuColumn>,
  scope: MenuRowScope,
): Omit<ItemDraft, 'name' | 'category' | 'price'> {
  const rest = readMembers('', take, scope, READ_APART)
  if (rest['unavailable_until'] !== undefined) rest['available'] ??= false
  return rest
}

function describeHiddenRows(mapping: MenuMapping): ImportNote[] {
  return pluralizeList(
    findHiddenParts(mapping).map(({ row }) => row),
    '{row|rows} {} {belongs|belong} to a hidden item, and {is|are} not read either.',
  ).map((text) => ({ kind: 'warning', text }))
}

function howMerged({ preset }: MenuMapping): string {
  return preset === undefined
    ? 'rows without a name add modifiers to the item above'
    : 'the variations of one product go together'
}

/** The parts of an export that are not read: prices of places, and modifiers without their options. */
function describeUnreadCells(rows: readonly MenuFileRow[], { mapping }: MenuRowScope): ImportNote[] {
  const { unexplained, local } = mapping.preset ?? {}
  const cellsOf = (pattern: string | undefined) =>
    rows.flatMap(({ rows: [first] }) =>
      first === undefined || pattern === undefined
        ? []
        : toExportLine(first, mapping).matching(new RegExp(pattern)),
    )
  const uses = new Map<string, number>()
  for (const { header, text: cell } of cellsOf(unexplained))
    if (cell !== '' && !/^(?:n|no|false)$/i.test(cell)) uses.set(header, (uses.get(header) ?? 0) + 1)
  const places = new Set(cellsOf(local).flatMap(({ header, text: cell }) => (cell === '' ? [] : header)))
  const named = [...uses].map(([header, count]) => `${header} (${count})`)
  const notes = [
    ...pluralizeList(
      named,
      'The export has modifier groups without modifiers: {}. Add modifiers to these items afterwards.',
    ),
    ...pluralizeList([...places], 'Prices by location are ignored: {}.'),
  ]
  return notes.map((note) => ({ kind: 'warning', text: note }))
}
