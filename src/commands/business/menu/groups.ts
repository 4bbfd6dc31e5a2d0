/** Modifiers that are in rows of their own, below their item. */
import type { ModifierGroupRequest, ModifierRequest } from '../../../areas/catalog/rules/catalog.ts'
import { foldForSearch } from '../../../core/fold.ts'
import { findCellText } from '../../../tabular/columns/cell-text.ts'
import { cellError, type CellError } from '../../../tabular/columns/outcomes.ts'
import { EXPORT_COLUMNS } from '../../../tabular/columns/own-files.ts'
import { makeRowReader } from '../../../tabular/columns/read-cell.ts'
import { truncate, type CellIssue } from '../../../tabular/csv/cells.ts'
import type { DataRow } from '../../../tabular/csv/read.ts'
import { columnsAt, GROUP, MODIFIER } from './columns.ts'
import { inRow } from './items.ts'
import { MAX_MODIFIER_GROUPS, MAX_GROUP_MODIFIERS, mostOf } from './modifiers.ts'
import { readMembers, type MenuRowScope } from './scope.ts'

/** A group with the first row that says something of it. */
type GroupDraft = { group: ModifierGroupRequest; row: DataRow }

/** The groups of an item's rows; consecutive rows of one group extend it. `errors` gets what is wrong. */
export function readModifierRows(
  rows: readonly DataRow[],
  scope: MenuRowScope,
  errors: CellError[],
): ModifierGroupRequest[] {
  const drafts: GroupDraft[] = []
  for (const row of rows) {
    const found: CellError[] = []
    readModifierRow(row, row !== rows[0], { drafts, errors: found }, scope)
    errors.push(...found.map((error) => ({ ...error, ...inRow(error, row, rows[0]) })))
  }
  for (const { group, row } of drafts) {
    const wrong = sizeFault(group)
    if (wrong !== undefined) errors.push(cellError(scope.mapping, 'modifier_group', row, wrong))
  }
  if (drafts.length > MAX_MODIFIER_GROUPS) {
    const detail = `An item has at most ${MAX_MODIFIER_GROUPS} groups of modifiers.`
    errors.push(cellError(scope.mapping, 'modifier_group', drafts[0]?.row, { code: 'too_many', detail }))
  }
  return drafts.map(({ group }) => withinReach(group))
}

function readModifierRow(
  row: DataRow,
  isContinuation: boolean,
  { drafts, errors }: { drafts: GroupDraft[]; errors: CellError[] },
  scope: MenuRowScope,
): void {
  const { mapping } = scope
  if (
    (findCellText(row, 'modifier_group', mapping) ?? findCellText(row, 'modifier_name', mapping)) ===
    undefined
  )
    return
  const take = makeRowReader(mapping, errors, (column) => findCellText(row, column, mapping))
  const { name: groupName, ...limits } = readMembers(GROUP, take, scope) as Partial<ModifierGroupRequest>
  const { name, ...members } = readMembers(MODIFIER, take, scope) as Partial<ModifierRequest>
  if (isContinuation && findCellText(row, 'price', mapping) !== undefined) {
    const detail = 'A modifier row has no item price; write its price in modifier_price.'
    errors.push(cellError(mapping, 'price', row, { code: 'mutually_exclusive', detail }))
  }
  const group = groupOf({ name: groupName, limits }, row, { drafts, errors }, scope)
  if (group !== undefined && name !== undefined) group.modifiers.push({ name, ...members })
}

type Limits = Pick<ModifierGroupRequest, 'min_selections' | 'max_selections' | 'allow_repeats'>

/** The limits of a group that says none. */
const UNLIMITED = { min_selections: 0, max_selections: null, allow_repeats: false } as const

/** The group that a row is of: the one before it, or a new one with the limits of this row. */
function groupOf(
  { name, limits }: { name: string | undefined; limits: Limits },
  row: DataRow,
  { drafts, errors }: { drafts: GroupDraft[]; errors: CellError[] },
  { mapping }: MenuRowScope,
): ModifierGroupRequest | undefined {
  const before = drafts.at(-1)
  if (
    before !== undefined &&
    (name === undefined || foldForSearch(name) === foldForSearch(before.group.name))
  ) {
    const begun: Limits = { ...UNLIMITED, ...before.group }
    for (const { column, path } of columnsAt(GROUP)) {
      const member = path[0] as keyof Limits
      if (limits[member] === undefined || limits[member] === begun[member]) continue
      const detail = `The group starts with ${String(begun[member] ?? 'no limit')} in row ${before.row.row}; write it once.`
      errors.push(cellError(mapping, column.name, row, { code: 'modifier_group_conflict', detail }))
    }
    return before.group
  }
  if (name === undefined) {
    const detail = 'modifier_group is required for a modifier.'
    errors.push(cellError(mapping, 'modifier_group', row, { code: 'required', detail }))
    return undefined
  }
  // Beside a least, an empty most is no limit.
  const most = limits.min_selections === undefined ? {} : { max_selections: null }
  const group: ModifierGroupRequest = { name, ...most, ...limits, modifiers: [] }
  drafts.push({ group, row })
  return group
}

/** Returns the group with a most that its modifiers can reach. */
export function withinReach<Group extends ModifierGroupRequest>(group: Group): Group {
  const { max_selections: max = null, allow_repeats = false, modifiers } = group
  return max === null || allow_repeats ? group : { ...group, max_selections: mostOf(max, modifiers.length) }
}

function sizeFault({ name, modifiers }: ModifierGroupRequest): CellIssue | undefined {
  if (modifiers.length === 0) return { code: 'required', detail: `${name} has no modifiers.` }
  const detail = `${name} has ${modifiers.length} modifiers; at most ${MAX_GROUP_MODIFIERS} fit.`
  return modifiers.length > MAX_GROUP_MODIFIERS ? { code: 'too_many', detail } : undefined
}

/** The error of a row that adds a modifier with no item above it. */
export function orphan(row: DataRow, scope: MenuRowScope): CellError {
  return strayError(row, 'This row adds a modifier, but there is no item above it.', scope)
}

/**
 * Returns an error for each modifier of an export that is below another item: a spreadsheet that sorts the rows
 * moves all modifiers below the last item.
 */
export function findStrayRows([first, ...others]: readonly DataRow[], scope: MenuRowScope): CellError[] {
  const at = scope.mapping.table.header.findIndex(
    (header) => header.trim().toLowerCase() === EXPORT_COLUMNS[0],
  )
  const idOf = ({ cells }: DataRow): string => cells[at]?.trim() ?? ''
  if (at < 0 || first === undefined) return []
  const strays = others.filter((row) => idOf(row) !== '' && idOf(row) !== idOf(first))
  // One of each item is enough to find the others.
  return [...new Map(strays.toReversed().map((row) => [idOf(row), row])).values()].toReversed().map((row) => {
    const own = scope.mapping.table.rows.find(
      (each) => idOf(each) === idOf(row) && findCellText(each, 'name', scope.mapping) !== undefined,
    )
    const name = own && findCellText(own, 'name', scope.mapping)?.text
    const detail = `This modifier belongs to ${name === undefined ? 'an item that is not in the file' : truncate(name, 40)}. Put its row below that item, or empty ${EXPORT_COLUMNS[0]} to add it here.`
    return inRow(strayError(row, detail, scope), row, first)
  })
}

function strayError(row: DataRow, detail: string, scope: MenuRowScope): CellError {
  const column = scope.mapping.sources.has('modifier_name') ? 'modifier_name' : 'modifier_group'
  return cellError(scope.mapping, column, row, { code: 'orphan_modifier', detail })
}
