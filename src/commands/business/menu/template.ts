/** The menu that a new store starts from: `dray business catalog template`. */
import { COLUMNS, type MenuColumn } from './columns.ts'

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

export const TEMPLATE_COLUMNS = COLUMNS.flatMap(({ name, helps }) =>
  helps !== undefined || LEFT_OUT.has(name) ? [] : [name],
)

/** Five items that are valid as they stand. */
export const EXAMPLES = `
category;name;description;price;available;external_ref;sku;barcode;cost;stock;supplier_id;tax_rate;dietary;allergens;modifier_groups;modifier_group;modifier_min;modifier_max;modifier_name;modifier_price;modifier_default
Small plates;Edamame;Steamed, with sea salt;4.20;;SP-01;;;0.95;;WHOLESALE-7;20%;vegan|gluten_free;soy
Noodles;Pad Thai;Rice noodles, tamarind, peanuts;11.50;;ND-01;;;3.10;;;20%;;peanuts|eggs;Protein[1-1]: *Tofu=0 | Chicken=1.50 | Prawns=2.50\\; Extras[0-3]: Egg=0.80 | Peanuts=0.50 | Chilli oil=0.30
Noodles;Laksa;Coconut broth, thick noodles;12.00;;ND-02;;;;;;20%;;crustaceans|fish;;Size;1;1;Regular;0;yes
;;;;;;;;;;;;;;;Size;;;Large;2.00
;;;;;;;;;;;;;;;Heat;0;1;Mild;0
;;;;;;;;;;;;;;;Heat;;;Hot;0
Drinks;Sparkling water;;2.20;;DR-01;SW-330;5012345678900;0.48;48;;20%;vegan
Puddings;Mango sticky rice;When mangoes are in season;6.50;no;PD-01;;;;;;20%;vegan
`
