import type { Cli } from '../../cli/cli.ts'
import { readAssignments } from '../../cli/columns/map.ts'
import { text } from '../../cli/command.ts'
import type { Args } from '../../cli/command.ts'
import { confirmProtected, confirmYes } from '../../cli/confirm.ts'
import type { Decoded } from '../../cli/csv/decode.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import { COLUMN_FLAGS, FORM_FLAGS, RESULTS_FLAG } from '../../cli/upload/flags.ts'
import { assertMapName, saveMap, showMapping } from '../../cli/upload/maps.ts'
import { checkOutputs, planOutputs, writeOutputs } from '../../cli/upload/outputs.ts'
import type { Outputs } from '../../cli/upload/outputs.ts'
import { unfinished } from '../../cli/upload/print.ts'
import { readColumns, readDecoded } from '../../cli/upload/read.ts'
import { countsOf, exitCodeOf, faultList } from '../../cli/upload/report.ts'
import { assertOneBatch, MAX_BATCH, sendBatches, toBatches } from '../../cli/upload/send.ts'
import type { Sent as SentOf } from '../../cli/upload/send.ts'
import type { Answer } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { isCurrency } from '../../core/money.ts'
import type { CatalogItem } from './menu/catalogue.ts'
import { listCatalogue } from './menu/catalogue.ts'
import { MENU } from './menu/columns.ts'
import { csvMenu } from './menu/csv-menu.ts'
import { compare, gather } from './menu/difference.ts'
import type { Difference } from './menu/difference.ts'
import type { Currencies, Good, MenuFile } from './menu/draft.ts'
import { groupItems } from './menu/items.ts'
import { jsonMenu, looksLikeJson, readJsonItems } from './menu/json-menu.ts'
import {
  advice,
  categories as countCategories,
  differenceText,
  items,
  newItems,
  printImport,
  repriced,
  sentenceOf,
} from './menu/print.ts'

type Sent = SentOf<Good, 'import_catalog_items'>
type Imported = Answer<'import_catalog_items'>

const SENDING = { operation: 'import_catalog_items', label: 'Creating items', name: 'import' } as const

/** `dray business catalog import FILE`: from a file of items to items on the menu. */
export const businessCatalogImport = defineCommand({
  words: 'business catalog import',
  summary: 'Put the items of a menu on sale: CSV, JSON, or an export of a shop',
  description:
    'Reads CSV in any common encoding and delimiter, JSON as `export` and `list --json` write it, or a product export of Square or Shopify; `dray business catalog template` writes a file with all columns. The difference is shown first. An import only adds: what is on the menu already stays as it is, its price too. The results are written beside the file; rejected items go to a second file, ready to be corrected and imported again, which numbers its own files: <name>.results-2.csv. The same file again creates nothing twice. `dray help menus` lists the columns, whose headers may be English, German, French, Spanish or Italian.',
  danger: 'bulk',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'file', description: 'the menu; - for standard input', required: true }],
  flags: [
    { flag: 'merchant', kind: 'text', value: 'ID', description: 'your store, when you have several' },
    { flag: 'category', kind: 'text', value: 'NAME', description: 'category of items that name none' },
    {
      flag: 'currency',
      kind: 'text',
      value: 'CODE',
      description: 'currency of amounts that name none; that of the items on the menu when left out',
    },
    {
      flag: 'default',
      kind: 'text',
      value: 'COLUMN=VALUE',
      repeat: true,
      description: 'value of a column that the file lacks, as tax_rate=20%',
    },
    {
      flag: 'split',
      kind: 'boolean',
      description: `send more than ${MAX_BATCH} items in batches of ${MAX_BATCH}`,
    },
    RESULTS_FLAG,
    FORCE_FLAG,
    ...COLUMN_FLAGS,
    ...FORM_FLAGS,
  ],
  examples: [
    'dray business catalog import menu.csv',
    'dray business catalog import menu.csv --dry-run',
    'dray business catalog import square.csv --category Specials',
    'dray business catalog import products.csv --default tax_rate=20% --split --yes --json | jq .counts',
  ],
  run: importMenu,
})

async function importMenu(cli: Cli, args: Args): Promise<number> {
  const path = text(args, 'file')
  if (path === undefined)
    throw new AppError('usage', 'Which file? dray business catalog import <file>', {
      hint: '`dray business catalog template menu.csv` writes one to start from.',
    })
  const mapName = text(args, 'save-map')
  if (mapName !== undefined) assertMapName(mapName)
  const decoded = await readDecoded(cli, path, args, 'menu')
  const isJson = looksLikeJson(decoded.text)
  const outputs = planOutputs(path, text(args, 'results'), {
    unnamed: isJson ? 'menu.json' : 'menu.csv',
    errors: isJson ? 'json' : 'csv',
  })
  if (outputs.results === '-' && cli.settings.format !== 'table')
    throw new AppError('usage', `--results - and --output ${cli.settings.format} both want standard output.`)

  const read = isJson ? readJsonItems(decoded.text) : await readMenuColumns(cli, path, decoded, args)
  if ('table' in read) await saveMap(cli, read.table, read.mapped.mapping, mapName)
  if (args['map-only'] === true) {
    if ('table' in read) return showMapping(cli, read.table, read.mapped.mapping)
    throw new AppError('usage', '--map-only is of no use: a menu in JSON has no headers.')
  }
  const found = 'table' in read ? groupItems(read.table, read.mapped.mapping) : read.items
  assertOneBatch(found.length, 'items', args)
  const catalogue = await findCatalogue(cli, text(args, 'merchant'))
  const currencies = currenciesOf(args, catalogue)
  const file =
    'table' in read
      ? csvMenu(decoded, read.table, read.mapped.mapping, currencies)
      : jsonMenu(read, currencies, text(args, 'category'))
  for (const { kind, text: note } of file.notes) await cli.say(kind === 'warning' ? `warning: ${note}` : note)
  return importFile(cli, args, file, catalogue, outputs)
}

function readMenuColumns(cli: Cli, path: string, decoded: Decoded, args: Args) {
  const category = text(args, 'category')
  const defaults = category === undefined ? [] : [`category=${category}`]
  return readColumns(cli, path, decoded, args, {
    kind: MENU,
    defaults: readAssignments(MENU, '--default', defaults),
    questions: async () => (await import('./menu/questions.ts')).QUESTIONS,
  })
}

/** What is on the menu; a credential that may only write is told by the service what was there. */
async function findCatalogue(cli: Cli, merchant: string | undefined): Promise<CatalogItem[]> {
  try {
    return await listCatalogue(await cli.client(), merchant)
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return []
    throw error
  }
}

/** The store's is that of its items; of an empty one only the service knows it. */
function currenciesOf(args: Args, catalogue: readonly CatalogItem[]): Currencies {
  const given = text(args, 'currency')?.toUpperCase()
  if (given !== undefined && !isCurrency(given))
    throw new AppError('usage', `--currency ${given} is not a currency; use a code such as GBP.`)
  const store = catalogue[0]?.price.currency
  return { assumed: given ?? store ?? 'GBP', store }
}

async function importFile(
  cli: Cli,
  args: Args,
  file: MenuFile,
  catalogue: readonly CatalogItem[],
  outputs: Outputs,
): Promise<number> {
  const good = file.rows.filter((row): row is Good => row.draft !== undefined)
  const difference = compare(file, catalogue)
  if (cli.globals.dryRun) return showDifference(cli, difference)
  const force = args['force'] === true
  if (outputs.results !== undefined) checkOutputs(outputs, force)
  const shown = await confirmImport(cli, difference, good)
  const merchant = text(args, 'merchant')
  const batches = toBatches(
    good,
    (rows) => ({
      items: rows.map(({ draft }) => draft),
      ...(merchant !== undefined && { merchant_id: merchant }),
    }),
    // A menu with many modifiers is larger than one body may be.
    ({ draft }) => Buffer.byteLength(JSON.stringify(draft)),
  )
  const sent: Sent =
    batches.length === 0
      ? { answered: [], stopped: undefined, at: undefined, continues: undefined }
      : await sendBatches(cli, SENDING, batches)
  if (sent.stopped !== undefined && sent.answered.length === 0) throw sent.stopped
  return finish(cli, file, catalogue, sent, { ...outputs, force }, shown)
}

/** The difference, and the question; true when it was shown to somebody. */
async function confirmImport(cli: Cli, difference: Difference, good: readonly Good[]): Promise<boolean> {
  if (good.length === 0) return false
  await confirmProtected(cli)
  const count = difference.outcomes.filter(({ result }) => result === 'created').length
  const made = difference.categories.length
  const question = `Create ${items(count)}${made === 0 ? '' : ` and ${countCategories(made)}`}?`
  if (cli.settings.yes || (await cli.ask()) === undefined) {
    if (count > 0) await confirmYes(cli, question)
    return false
  }
  const table = await newItems(cli, difference)
  if (table !== '' && !cli.globals.quiet) await cli.io.stderr.write(`${table}\n\n`)
  await cli.say(differenceText(difference))
  // Nothing new is nothing to agree to; the service still says of each item that it is there.
  if (count > 0) await confirmYes(cli, question)
  return true
}

async function showDifference(cli: Cli, difference: Difference): Promise<number> {
  const { outcomes, categories } = difference
  const counts = countsOf(outcomes)
  if (cli.settings.format === 'table') await cli.say(differenceText(difference))
  const made = categories.map((name) => ({ category_id: null, name, created: true }))
  await printImport(
    cli,
    { outcomes, counts: { ...counts, categories_created: made.length }, categories: made, importIds: [] },
    { done: 'Dry run: nothing was created.', dry: true },
  )
  return exitCodeOf(counts)
}

/** The sections of all batches, each once; one is new when any batch made it. */
function sectionsOf(answers: readonly Imported[]): Imported['categories'] {
  const all = new Map<string, Imported['categories'][number]>()
  for (const { categories } of answers) {
    for (const section of categories) {
      const created = section.created || all.get(section.category_id)?.created === true
      all.set(section.category_id, { ...section, created })
    }
  }
  return [...all.values()]
}

/** Puts the answers beside their rows, writes the files, prints, and says how it went. `shown`: the difference was. */
async function finish(
  cli: Cli,
  file: MenuFile,
  catalogue: readonly CatalogItem[],
  sent: Sent,
  outputs: Outputs & { force: boolean },
  shown: boolean,
): Promise<number> {
  const { answered } = sent
  const outcomes = gather(file, answered, catalogue)
  const counts = countsOf(outcomes)
  const categories = sectionsOf(answered.map(({ answer }) => answer))
  const made = categories.filter(({ created }) => created).length
  const { files, unwritten } = await writeOutputs(cli, outputs, {
    results: file.results(outcomes),
    errors: file.errors(outcomes),
    force: outputs.force,
  })
  const stopped = sent.stopped ?? unwritten
  for (const note of shown ? [] : [repriced(outcomes), advice(outcomes)].filter((each) => each !== ''))
    await cli.say(note)
  const faults =
    cli.io.stdout.isTTY && !shown ? faultList({ one: 'was rejected', many: 'were rejected' }, outcomes) : ''
  const done = sentenceOf(counts, made, files)
  if (outputs.results === '-') await cli.say([faults, done].filter((part) => part !== '').join('\n'))
  else {
    await printImport(
      cli,
      {
        outcomes,
        counts: { ...counts, categories_created: made },
        categories,
        importIds: answered.map(({ answer }) => answer.import_id),
      },
      { told: faults, done, files, stopped },
    )
  }
  if (sent.stopped !== undefined) await cli.say(unfinished(counts, 'item', cli))
  if (stopped === undefined) return exitCodeOf(counts)
  // What stopped it stands in the one document.
  if (stopped instanceof AppError && cli.settings.format === 'json') return stopped.exitCode
  throw stopped
}
