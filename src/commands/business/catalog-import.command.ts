import { defineCommand } from '../../cli/define-command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import {
  COLUMN_FLAGS,
  defaultFlag,
  fileArgument,
  FORM_FLAGS,
  RESULTS_FLAG,
  splitFlag,
} from '../../cli/upload/flags.ts'
import { runUpload } from '../../cli/upload/run.ts'
import { ITEM_FIELDS } from './menu/outcomes.ts'
import { menuUpload } from './menu/upload.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** `dray business catalog import FILE`: from a file of items to items on the menu. */
export const businessCatalogImport = defineCommand({
  words: 'business catalog import',
  summary: 'Import menu items from CSV, Excel, JSON or a shop export',
  description:
    'Reads CSV in any common encoding and delimiter, a sheet of an Excel workbook (.xlsx), JSON as `export` and `list --json` write it, or a product export of Square, Shopify, WooCommerce, Lightspeed or Clover; `dray business catalog template` writes a file with all columns. Shows the differences first. By default an import only adds: items on the menu keep all values, including the price. With --update existing items take the values of the file: name (found by external_ref), price, category, description, modifiers and availability; an empty cell changes nothing, but each row needs a name, category and price. To change a price by more than half, confirm with the item’s name (--confirm, once for each); confirm each new item with a price of zero, or pass --allow-free; new prices that look like pence (340 for 3.40) need --allow-high. Writes results to <name>.results.csv and rejected items to <name>.errors.csv: correct that file and import it; its results are numbered: <name>.results-2.csv. Importing the same file again creates nothing twice. `dray help menus` lists the columns. Headers can be English, German, French, Spanish, Italian or Polish.',
  danger: 'bulk',
  answer: ITEM_FIELDS,
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [fileArgument('menu')],
  flags: [
    MERCHANT_FLAG,
    { flag: 'category', kind: 'text', value: 'NAME', description: 'category of items that name none' },
    {
      flag: 'currency',
      kind: 'text',
      value: 'CODE',
      description: 'currency of amounts that name none; that of the items on the menu when left out',
    },
    {
      flag: 'update',
      kind: 'boolean',
      description: 'change what is on the menu already to what the file says',
    },
    {
      flag: 'remove-missing',
      kind: 'boolean',
      description: 'with --update: delete items that are not in the file',
    },
    {
      flag: 'allow-free',
      kind: 'boolean',
      description: 'create new items with a price of zero; --yes alone does not',
    },
    {
      flag: 'allow-high',
      kind: 'boolean',
      description:
        'create new items whose prices are all whole and high, as if in pence; --yes alone does not',
    },
    defaultFlag('tax_rate=20%'),
    splitFlag('items'),
    RESULTS_FLAG,
    FORCE_FLAG,
    ...COLUMN_FLAGS,
    ...FORM_FLAGS,
  ],
  examples: [
    'dray business catalog import menu.csv',
    'dray business catalog import menu.csv --dry-run',
    'dray business catalog import menu.csv --update --dry-run',
    'dray business catalog import square.csv --category Specials',
    'dray business catalog import products.csv --default tax_rate=20% --split --yes --json | jq .counts',
  ],
  run: (cli, flags) => runUpload(cli, flags, menuUpload(cli, flags)),
})
