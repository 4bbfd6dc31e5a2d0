/** The menu as a kind of file. */
import type { FileKind, Mapping } from '../../../rows/columns/columns.ts'
import { COLUMNS, columnOf, type MenuColumn } from './columns.ts'
import { combineHeaders } from './combine.ts'
import { type MenuPreset, PRESETS } from './presets.ts'

export type MenuMapping = Mapping<MenuColumn, MenuPreset>

export const MENU: FileKind<MenuColumn, MenuPreset> = {
  name: 'menu',
  row: 'item',
  template: 'dray business catalog template',
  columns: COLUMNS,
  columnOf,
  owners: { recipient: [], other: ['item', 'product', 'unit'] },
  presets: PRESETS,
  combine: combineHeaders,
  refusals: {
    blamed: {
      invalid_price: 'price',
      invalid_modifier_group: 'modifier_groups',
      invalid_barcode: 'barcode',
      missing_category: 'category',
    },
    otherwise: 'name',
    words: {
      invalid_row: 'The row is not valid.',
      already_exists: 'On the menu already and left as it is.',
      duplicate_in_file: 'The same item stands in the file more than once.',
      invalid_price: 'The price cannot be used.',
      invalid_modifier_group: 'The modifiers cannot be chosen from as they are.',
      invalid_barcode: 'The barcode is no GTIN.',
      missing_category: 'category is required.',
    },
  },
}
