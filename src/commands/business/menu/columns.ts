/**
 * The columns of a menu (`contract.md` E2) as data: what may stand in a header, and which field of the body of
 * `create_catalog_item` each fills.
 */
import { FIELDS } from '../../../generated/fields/create_catalog_item.ts'
import { defineColumns, type Spec } from '../../../rows/columns/columns.ts'

const item = (field: string, read: string, part: string, more: Partial<Spec> = {}): Spec => ({
  field: field.startsWith('/') ? field : `/${field}`,
  read,
  part,
  ...more,
})

/** The pointers of groups and of modifiers. */
export const GROUP = '/modifier_groups/*'
export const MODIFIER = `${GROUP}/modifiers/*`

/** In the order in which an export writes them. */
const SPECS = {
  category: item('category', 'text', 'section, menu section, category name; menu, product type', {
    verbatim: true,
    sample: 'Specials',
  }),
  name: item(
    'name',
    'text',
    'item, item name, title, product, product name, dish, dish name, designation; full name',
    { verbatim: true },
  ),
  description: item('description', 'text', 'desc', { verbatim: true }),
  price: item('price', 'money', 'unit price, base price, gross price, amount, cost to customer', {
    asked: { name: 'price', like: '8.50' },
  }),
  currency: item('price/currency', 'currency', 'currency code', { required: false }),
  available: item('available', 'availability', 'in stock, status'),
  unavailable_until: item('unavailable_until', 'instant', ''),
  unavailable_reason: item('unavailable_reason', 'reason', ''),
  external_ref: item(
    'external_ref',
    'text',
    'id, item id, plu, reference, external id, item number, product code, art no',
    { code: true },
  ),
  sku: item('sku', 'text', 'sku code', { code: true }),
  barcode: item('barcode', 'barcode', 'gtin', { code: true }),
  // The cost of an item is private and never its price.
  cost: item('cost', 'money', 'cost price, unit cost'),
  stock: item('stock', 'count', 'qty, inventory, stock quantity'),
  supplier_id: item('supplier_id', 'text', 'supplier, supplier name, supplier id', {
    code: true,
  }),
  tax_rate: item('tax_rate_bps', 'tax', 'vat, vat rate'),
  dietary: item('dietary_tags', 'list', 'diet, tags', { verbatim: true }),
  allergens: item('allergens', 'list', 'allergen', { verbatim: true }),
  image_url: item('image_url', 'url', 'picture url'),
  sort_order: item('sort_order', 'count', ''),
  category_sort: item('category_sort', 'count', ''),
  modifier_groups: item('modifier_groups', 'groups', 'modifiers', { verbatim: true }),
  modifier_group: item(`${GROUP}/name`, 'text', 'option group, "group name", modifier set, addon heading', {
    verbatim: true,
    required: false,
  }),
  modifier_min: item(`${GROUP}/min_selections`, 'least', 'min, min select, required', { required: false }),
  modifier_max: item(`${GROUP}/max_selections`, 'most', 'max, max select, num selectable', {
    required: false,
  }),
  allow_repeats: item(`${GROUP}/allow_repeats`, 'boolean', '', { required: false }),
  modifier_name: item(`${MODIFIER}/name`, 'text', 'option, option name', {
    verbatim: true,
    required: false,
  }),
  modifier_price: item(`${MODIFIER}/price_delta`, 'money', 'option price, price delta, "extra"', {
    required: false,
  }),
  modifier_default: item(`${MODIFIER}/is_default`, 'boolean', 'default', { required: false }),
  modifier_available: item(`${MODIFIER}/available`, 'availability', 'option available', { required: false }),
  off_sale: { read: 'availability', part: 'hidden', helps: true },
} satisfies Record<string, Spec>

export type MenuColumn = keyof typeof SPECS

export const { columns: COLUMNS, columnOf } = defineColumns<MenuColumn>(SPECS, FIELDS)
