/** The menu that a new store starts from: `dray business catalog template`. */
import { writeCsv } from '../../../rows/csv/write.ts'
import type { MenuColumn } from './column-names.ts'
import { COLUMNS } from './columns.ts'

/** Columns that only exports need; a person does not fill them in. */
const LEFT_OUT: ReadonlySet<MenuColumn> = new Set([
  'currency',
  'sort_order',
  'category_sort',
  'allow_repeats',
  'modifier_available',
  'unavailable_until',
  'unavailable_reason',
])

const TEMPLATE_COLUMNS = COLUMNS.map(({ name }) => name).filter((name) => !LEFT_OUT.has(name))

/** A header line and nothing else. */
export function emptyMenu(): string {
  return writeCsv([TEMPLATE_COLUMNS])
}

type Example = Partial<Record<MenuColumn, string>>

const EXAMPLES: readonly Example[] = [
  {
    category: 'Small plates',
    name: 'Edamame',
    description: 'Steamed, with sea salt',
    price: '4.20',
    external_ref: 'SP-01',
    cost: '0.95',
    supplier_id: 'WHOLESALE-7',
    tax_rate: '20%',
    dietary: 'vegan|gluten_free',
    allergens: 'soy',
  },
  {
    category: 'Noodles',
    name: 'Pad Thai',
    description: 'Rice noodles, tamarind, peanuts',
    price: '11.50',
    external_ref: 'ND-01',
    cost: '3.10',
    tax_rate: '20%',
    allergens: 'peanuts|eggs',
    modifier_groups:
      'Protein[1-1]: *Tofu=0 | Chicken=1.50 | Prawns=2.50; Extras[0-3]: Egg=0.80 | Peanuts=0.50 | Chilli oil=0.30',
  },
  {
    category: 'Noodles',
    name: 'Laksa',
    description: 'Coconut broth, thick noodles',
    price: '12.00',
    external_ref: 'ND-02',
    tax_rate: '20%',
    allergens: 'crustaceans|fish',
    modifier_group: 'Size',
    modifier_min: '1',
    modifier_max: '1',
    modifier_name: 'Regular',
    modifier_price: '0',
    modifier_default: 'yes',
  },
  { modifier_group: 'Size', modifier_name: 'Large', modifier_price: '2.00' },
  {
    modifier_group: 'Heat',
    modifier_min: '0',
    modifier_max: '1',
    modifier_name: 'Mild',
    modifier_price: '0',
  },
  { modifier_group: 'Heat', modifier_name: 'Hot', modifier_price: '0' },
  {
    category: 'Drinks',
    name: 'Sparkling water',
    price: '2.20',
    external_ref: 'DR-01',
    sku: 'SW-330',
    barcode: '5012345678900',
    cost: '0.48',
    stock: '48',
    tax_rate: '20%',
    dietary: 'vegan',
  },
  {
    category: 'Puddings',
    name: 'Mango sticky rice',
    description: 'When mangoes are in season',
    price: '6.50',
    available: 'no',
    external_ref: 'PD-01',
    tax_rate: '20%',
    dietary: 'vegan',
  },
]

/** The same columns with five items that are valid as they stand. */
export function exampleMenu(): string {
  return writeCsv([TEMPLATE_COLUMNS, ...EXAMPLES.map((row) => TEMPLATE_COLUMNS.map((column) => row[column]))])
}
