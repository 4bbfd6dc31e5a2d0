/**
 * The columns of a menu (`contract.md` E2) as data: what may stand in a header, and where each goes in the body of
 * `create_catalog_item`.
 */
import { isCurrency } from '../../../core/money.ts'
import { byName, type Column, type FileKind, type HeaderMatch } from '../../../rows/columns/columns.ts'
import { wordKeys, wordsOf } from '../../../rows/columns/dictionary.ts'
import type { Mapping } from '../../../rows/columns/mapping.ts'
import { squash } from '../../../rows/csv/keys.ts'
import type { MenuColumn } from './column-names.ts'
import { type MenuPreset, PRESETS } from './presets.ts'
import { DICTIONARY } from './words.ts'

export type MenuMapping = Mapping<MenuColumn, MenuPreset>

type Spec = Omit<Column<MenuColumn>, 'name' | 'required' | 'pointer'> & { pointer?: string; required?: true }

const GROUPS = '/modifier_groups'

/** In the order in which an export writes them. */
const SPECS: Readonly<Record<MenuColumn, Spec>> = {
  category: {
    kind: 'text',
    required: true,
    max: 120,
    verbatim: true,
    sample: 'Specials',
    aliases: ['section', 'menu_section', 'group', 'course', 'menu_group'],
  },
  name: {
    kind: 'text',
    required: true,
    max: 120,
    verbatim: true,
    aliases: ['item', 'item_name', 'title', 'product', 'product_name', 'dish'],
  },
  description: { kind: 'text', max: 1000, verbatim: true, aliases: ['desc', 'details'] },
  price: {
    kind: 'money',
    required: true,
    aliases: ['unit_price', 'base_price', 'amount', 'cost_to_customer'],
  },
  currency: { kind: 'currency', pointer: '/price/currency', aliases: ['currency_code'] },
  available: { kind: 'availability', aliases: ['in_stock', 'active', 'enabled', 'status'] },
  unavailable_until: { kind: 'instant', aliases: [] },
  unavailable_reason: { kind: 'text', aliases: [] },
  external_ref: {
    kind: 'text',
    code: true,
    max: 64,
    aliases: ['id', 'item_id', 'plu', 'reference', 'external_id'],
  },
  sku: { kind: 'text', code: true, max: 64, aliases: [] },
  barcode: { kind: 'barcode', code: true, aliases: ['gtin', 'ean', 'upc'] },
  // The cost of an item is private and never its price.
  cost: { kind: 'money', aliases: ['cost_price', 'unit_cost'] },
  stock: { kind: 'count', aliases: ['qty', 'quantity', 'inventory'] },
  supplier_id: { kind: 'text', code: true, max: 64, aliases: ['supplier', 'vendor'] },
  tax_rate: {
    kind: 'tax',
    pointer: '/tax_rate_bps',
    aliases: ['vat', 'vat_rate', 'tax', 'tax_percent'],
  },
  dietary: {
    kind: 'list',
    pointer: '/dietary_tags',
    verbatim: true,
    aliases: ['diet', 'tags', 'dietary_tags'],
  },
  allergens: { kind: 'list', verbatim: true, aliases: ['allergen'] },
  image_url: { kind: 'url', max: 500, aliases: [] },
  sort_order: { kind: 'count', aliases: [] },
  category_sort: { kind: 'count', aliases: [] },
  modifier_groups: {
    kind: 'groups',
    pointer: GROUPS,
    verbatim: true,
    aliases: ['modifiers', 'options', 'add_ons'],
  },
  modifier_group: {
    kind: 'text',
    pointer: GROUPS,
    max: 120,
    verbatim: true,
    aliases: ['option_group', 'group_name', 'modifier_set', 'addon_heading'],
  },
  modifier_min: { kind: 'count', pointer: GROUPS, aliases: ['min', 'min_select', 'required'] },
  modifier_max: { kind: 'count', pointer: GROUPS, aliases: ['max', 'max_select', 'num_selectable'] },
  allow_repeats: { kind: 'boolean', pointer: GROUPS, aliases: [] },
  modifier_name: {
    kind: 'text',
    pointer: GROUPS,
    max: 120,
    verbatim: true,
    aliases: ['option', 'option_name', 'choice'],
  },
  modifier_price: { kind: 'money', pointer: GROUPS, aliases: ['option_price', 'price_delta', 'extra'] },
  modifier_default: { kind: 'boolean', pointer: GROUPS, aliases: ['default'] },
  modifier_available: { kind: 'availability', pointer: GROUPS, aliases: [] },
}

export const COLUMNS: readonly Column<MenuColumn>[] = Object.entries(SPECS).map(([name, spec]) => ({
  pointer: `/${name}`,
  ...spec,
  name: name as MenuColumn,
  required: spec.required === true,
}))

export const columnOf = byName<MenuColumn, Column<MenuColumn>>(COLUMNS)

let matches: Map<string, HeaderMatch<MenuColumn>> | undefined

/** Returns the column of a header key (`headerKey`); `price_gbp` is a price too. */
function matchHeader(key: string): HeaderMatch<MenuColumn> | undefined {
  matches ??= new Map([
    ...COLUMNS.flatMap(({ name }) =>
      wordsOf(DICTIONARY, name)
        .flatMap(wordKeys)
        .map((word): [string, HeaderMatch<MenuColumn>] => [
          word,
          { column: name, how: 'alias', foreign: true },
        ]),
    ),
    ...COLUMNS.flatMap(({ name, aliases }) =>
      aliases.map((alias): [string, HeaderMatch<MenuColumn>] => [
        squash(alias),
        { column: name, how: 'alias' },
      ]),
    ),
    ...COLUMNS.map(({ name }): [string, HeaderMatch<MenuColumn>] => [
      squash(name),
      { column: name, how: 'exact' },
    ]),
  ])
  const found = matches.get(squash(key))
  if (found !== undefined || currencyInHeader(key) === undefined) return found
  const money = matches.get(squash(key.slice(0, -4)))
  return money && columnOf(money.column).kind === 'money' ? { ...money, how: 'alias' } : undefined
}

/** The currency that the header of an amount names at its end: `price_gbp`, `Cost (EUR)`. */
export function currencyInHeader(key: string): string | undefined {
  const code = /_([a-z]{3})$/.exec(key)?.[1]?.toUpperCase()
  return code !== undefined && isCurrency(code) ? code : undefined
}

export const MENU: FileKind<MenuColumn, MenuPreset> = {
  name: 'menu',
  row: 'item',
  template: 'dray business catalog template',
  columns: COLUMNS,
  columnOf,
  matchHeader,
  unitInHeader: () => undefined,
  presets: PRESETS,
  dictionary: DICTIONARY,
  vague: new Set(['item', 'menu', 'product', 'cost', 'base', 'unit']),
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
