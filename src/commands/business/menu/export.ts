/** The menu of a store as files that `import` reads back without loss. */
import type { CatalogItem } from '../../../client/list-store-items.ts'
import { formatMajorUnits, type Money, formatBasisPoints } from '../../../core/money.ts'
import { EXPORT_COLUMNS, JSON_EXPORT_NOTE } from '../../../tabular/columns/own-files.ts'
import { escapeCoercion, escapeAmbiguous } from '../../../tabular/csv/escape-coercion.ts'
import { type Cell, escapeFormula, writeCsv } from '../../../tabular/csv/write.ts'
import { MENU_FILE_COLUMNS, columnsAt, GROUP, MODIFIER } from './columns.ts'
import { withEscapes } from './escapes.ts'
import { type JsonRecord, toItemRequest } from './json-menu.ts'

/** Modifiers stand on lines of their own: one cell cannot say all of them. */
const MENU_COLUMNS = MENU_FILE_COLUMNS.filter(
  ({ name, helps }) => helps === undefined && name !== 'modifier_groups',
)

/** Returns the CSV of a file. Without its mark, Excel takes é for Ã©, and an import with --update would bring that to the menu. */
export function menuFile(items: readonly CatalogItem[]): string {
  const menu = serializeMenuCsv(items)
  return `${/[\u0080-\uffff]/.test(menu) ? '\uFEFF' : ''}${menu}`
}

type Line = Record<string, Cell>

/**
 * Every item with one line for itself and one for each modifier, in the order of the menu. Texts of a `file` survive a
 * spreadsheet; a script that reads standard output gets them without a guard, save that of formulas.
 */
export function serializeMenuCsv(items: readonly CatalogItem[], to: 'file' | 'stdout' = 'file'): string {
  const columns = [...MENU_COLUMNS.map(({ name }) => name), ...EXPORT_COLUMNS]
  const rows = items.flatMap(linesOf).map((line) => columns.map((column): Cell => line[column]))
  const protect =
    to === 'file' ? escapeCoercion : (text: string) => escapeAmbiguous(escapeFormula(text), text)
  return writeCsv([columns, ...rows], undefined, NUMBERS, protect)
}

/** The columns with which people calculate: each amount of them is read as the same one in any form. */
const NUMBERS: ReadonlySet<number> = new Set(
  MENU_COLUMNS.flatMap(({ read }, at) => (read === 'money' ? at : [])),
)

/** The limits of a group stand on its first line, and the id of the item on each: it tells a line that was moved. */
function linesOf(item: CatalogItem): Line[] {
  const own = { _item_id: item.item_id }
  const modifierLines = item.modifier_groups.flatMap((group) =>
    group.modifiers.map((modifier, index) => ({
      ...lineOf(GROUP, index === 0 ? group : { name: group.name }),
      ...lineOf(MODIFIER, modifier),
      ...own,
    })),
  )
  return [{ ...lineOf('', toDraft(item)), ...own }, ...modifierLines]
}

/** Returns the cells of an object at a pointer. */
function lineOf(pointer: string, object: object): Line {
  return Object.fromEntries(
    columnsAt(pointer).map(({ column: { name, read }, path }) => {
      const value = path.reduce<unknown>((at, key) => (at as Line | undefined)?.[key], object)
      return [name, value === undefined || value === null ? undefined : written(value, read)]
    }),
  )
}

/** Returns a value as the reader of its column reads it. */
function written(value: unknown, read: string): Cell {
  if (read === 'money') return formatMajorUnits(value as Money)
  if (read === 'tax') return formatBasisPoints(value as number)
  if (read === 'list') return (value as string[]).map((word) => withEscapes(word, /[|;\\]/g)).join('|')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value as Cell)
}

/** The items as `import_catalog_items` takes them, without ids. */
export function serializeMenuJson(items: readonly CatalogItem[]): string {
  return `${JSON.stringify({ _note: JSON_EXPORT_NOTE, items: items.map(toDraft) }, null, 2)}\n`
}

/** The fields of a body of `create_catalog_item`, except the store. Those that every item has come first. */
function toDraft(item: CatalogItem): JsonRecord {
  const { name, category, price, ...rest } = toItemRequest(item, item.price.currency)
  return { name, category, price, ...rest }
}
