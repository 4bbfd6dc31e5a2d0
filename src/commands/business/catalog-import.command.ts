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
  summary: 'Put the items of a menu on sale: CSV, Excel, JSON, or an export of a shop',
  description:
    'Reads CSV in any common encoding and delimiter, a sheet of an Excel workbook (.xlsx), JSON as `export` and `list --json` write it, or a product export of Square, Shopify, Lightspeed or Clover; `dray business catalog template` writes a file with all columns. The difference is shown first. An import only adds: what is on the menu already stays as it is, its price too. With --update it becomes as the file says: name (found by external_ref), price, category, description, modifiers and whether it is on sale; an empty cell changes nothing, but each row needs its name, category and price. A price that moves by more than half wants the name of its item (--confirm, once for each), a new one of zero a yes of its own or --allow-free, and new ones that look like pence (340 for 3.40) --allow-high. The results are written beside the file; rejected items go to a second file, ready to be corrected and imported again, which numbers its own files: <name>.results-2.csv. The same file again creates nothing twice. `dray help menus` lists the columns, whose headers may be English, German, French, Spanish, Italian or Polish.',
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
      description: 'with --update: delete what is on the menu and not in the file',
    },
    {
      flag: 'allow-free',
      kind: 'boolean',
      description: 'put new items on sale whose price is zero; --yes does not',
    },
    {
      flag: 'allow-high',
      kind: 'boolean',
      description: 'create new items whose prices are all whole and high, as pence would be; --yes does not',
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
