import { SERVICE_LEVEL_CODES } from '../../areas/carrier/rules/rates.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import { MAX_TOTAL_FLAG } from '../../cli/max-total.ts'
import {
  COLUMN_FLAGS,
  defaultFlag,
  fileArgument,
  FORM_FLAGS,
  RESULTS_FLAG,
  splitFlag,
} from '../../cli/upload/flags.ts'
import { runUpload } from '../../cli/upload/run.ts'
import { AppError } from '../../core/errors.ts'
import { SKIP_REASONS } from '../../tabular/manifest/order-status.ts'
import { manifestUpload, PARCEL_FIELDS } from './manifest/upload.ts'

/** `dray carrier upload FILE`: from a file of rows to parcels with tracking numbers. */
export const carrierUpload = defineCommand({
  words: 'carrier upload',
  summary: 'Create parcels from a CSV, Excel or shop export file',
  description:
    'Reads CSV in any common encoding and delimiter, a sheet of an Excel workbook (.xlsx), or an orders export of Shopify, ShipStation, Click & Drop, WooCommerce, Squarespace, BigCommerce, Etsy or Amazon; `dray carrier template` writes a file with all columns. dray skips title rows above the header and lists them. Checks every row before it creates anything. Writes tracking numbers and prices to <name>.results.csv and rejected rows to <name>.errors.csv: correct that file and upload it; its results are numbered: <name>.results-2.csv. Uploading the same file again skips parcels that already exist or were cancelled since (--recreate-cancelled creates cancelled ones again); a row that has changed since its parcel was cancelled is created. `dray help manifests` lists the columns. Headers can be English, German, French, Spanish, Italian or Polish.',
  danger: 'bulk',
  answer: PARCEL_FIELDS,
  takes: ['scenario', 'dry-run', 'idempotency-key', 'new', 'wait'],
  positionals: [fileArgument('manifest')],
  flags: [
    defaultFlag('weight_grams=500'),
    {
      flag: 'service',
      kind: 'enum',
      choices: SERVICE_LEVEL_CODES,
      description: 'default service level',
    },
    {
      flag: 'fallback-service',
      kind: 'enum',
      choices: SERVICE_LEVEL_CODES,
      description: 'service level to use where the requested one is not available',
    },
    { flag: 'hub', kind: 'text', value: 'HUB', description: 'hub of parcels that name none' },
    {
      flag: 'customer',
      kind: 'text',
      value: 'NAME',
      description: 'your customer for parcels that name none',
    },
    {
      flag: 'reference-prefix',
      kind: 'text',
      value: 'TEXT',
      description: 'prefix for each reference, such as GC- for one customer’s file',
    },
    splitFlag('parcels'),
    RESULTS_FLAG,
    {
      flag: 'labels',
      kind: 'text',
      value: 'FILE',
      fileAccess: 'write',
      description: 'save all labels as .pdf or .zpl',
    },
    {
      flag: 'with-return-labels',
      kind: 'boolean',
      description: 'also create a return for each parcel; its label follows that of the parcel in --labels',
    },
    FORCE_FLAG,
    ...COLUMN_FLAGS,
    {
      flag: 'weight-unit',
      kind: 'enum',
      choices: ['g', 'kg', 'oz', 'lb'],
      description: 'unit of weights that name none',
    },
    {
      flag: 'length-unit',
      kind: 'enum',
      choices: ['mm', 'cm', 'm', 'in'],
      description: 'unit of sizes that name none',
    },
    {
      flag: 'date-order',
      kind: 'enum',
      choices: ['day', 'month'],
      description: 'first number of dates such as 01/12/2026, if no cell shows it',
    },
    {
      flag: 'merge-lines',
      kind: 'boolean',
      description: 'adjacent rows with the same reference are one parcel',
    },
    {
      flag: 'include',
      kind: 'text',
      value: 'WORD,…',
      repeat: true,
      description: `include orders that are skipped by default: ${SKIP_REASONS.join(', ')}, or all`,
    },
    ...FORM_FLAGS,
    {
      flag: 'recreate-cancelled',
      kind: 'boolean',
      description: 'create parcels again that were cancelled since the same upload',
    },
    MAX_TOTAL_FLAG,
    {
      flag: 'manifest-reference',
      kind: 'text',
      value: 'TEXT',
      description: 'your own name for this manifest',
    },
  ],
  examples: [
    'dray carrier upload manifest.csv',
    'dray carrier upload manifest.csv --dry-run',
    'dray carrier upload manifest.csv --labels labels.pdf',
    'dray carrier upload manifest.csv --labels labels.pdf --with-return-labels',
    'dray carrier upload shopify.csv --default weight_grams=500 --default dimensions=20x15x5cm',
    'dray carrier upload big.csv --split --yes --json | jq .counts',
  ],
  async run(cli, flags) {
    const upload = manifestUpload(cli, flags)
    if (flags.labels === undefined) {
      if (flags['with-return-labels'] !== true) return runUpload(cli, flags, upload)
      throw new AppError('usage', '--with-return-labels requires --labels FILE.')
    }
    const { uploadWithLabels } = await import('./label/upload.ts')
    return uploadWithLabels(cli, { ...flags, labels: flags.labels }, upload)
  },
})
