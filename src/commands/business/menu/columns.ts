/**
 * The columns of a menu, which are data: what may be in a header, and which field of the body of
 * `create_catalog_item` each fills, in the order in which an export writes them.
 */
import { FIELDS } from '../../../generated/fields/create_catalog_item.ts'
import { type FileColumn, defineColumns } from '../../../tabular/columns/columns.ts'
import menu from './menu.json' with { type: 'json' }

/** The pointers of groups and of modifiers. */
export const GROUP = '/modifier_groups/*'
export const MODIFIER = `${GROUP}/modifiers/*`

export type MenuColumn = keyof typeof menu.columns

export const { columns: MENU_FILE_COLUMNS, columnOf: getMenuColumn } = defineColumns<MenuColumn>(
  menu.columns,
  FIELDS,
)

/** Returns the columns whose fields are members of the object at a pointer, or of objects in it, with their paths there. */
export function columnsAt(pointer: string): { column: FileColumn<MenuColumn>; path: string[] }[] {
  return MENU_FILE_COLUMNS.flatMap((column) => {
    const { field = '', helps } = column
    const [start, ...path] = field.slice(pointer.length).split('/')
    const isThere = helps === undefined && field.startsWith(pointer) && start === '' && !path.includes('*')
    return isThere ? [{ column, path }] : []
  })
}
