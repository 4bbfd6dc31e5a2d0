/** A menu on its way: from a file of items to items on sale. An import only adds; with `--update` it also changes. */
import type { CommandContext } from '../../../cli/cli.ts'
import { canPrompt } from '../../../cli/prompts.ts'
import type { FileFlags } from '../../../cli/upload/flags.ts'
import { makeImportPrompts } from '../../../cli/upload/reader.ts'
import type { UploadKind } from '../../../cli/upload/upload.ts'
import { orIfForbidden } from '../../../client/fallbacks.ts'
import { type CatalogItem, listStoreItems } from '../../../client/list-store-items.ts'
import { AppError } from '../../../core/errors.ts'
import { isCurrency } from '../../../core/money.ts'
import type { ImportNote } from '../../../tabular/columns/outcomes.ts'
import { describeLikeEmpty } from '../../../tabular/columns/wrong-cells.ts'
import { assertOneBatch } from '../../../tabular/import/batches.ts'
import type { FileContent } from '../../../tabular/import/content.ts'
import { makeCsvRowFile } from '../../../tabular/import/csv-file.ts'
import { readColumns } from '../../../tabular/import/read.ts'
import { countsOf } from '../../../tabular/import/report.ts'
import type { OpenedFile } from '../../../tabular/import/row-file.ts'
import { pluralizeList } from '../../../tabular/wording.ts'
import { compareMenu, refuseContradictions } from './difference.ts'
import { agreeToDoubts, findDoubts, findMoved, movedText } from './doubts.ts'
import type {
  Currencies,
  MenuReport,
  MenuFile,
  MenuOutcome,
  MenuPlan,
  MenuFileRow,
  Section,
} from './draft.ts'
import { groupItems } from './items.ts'
import { checkJsonItems, looksLikeJson, readJsonItems } from './json-menu.ts'
import { MENU_FILE_KIND } from './kind.ts'
import { MENU_REPORT, MENU_RESULT_CELLS, MENU_ROW_FIELDS, withMenuPrices } from './outcomes.ts'
import { parseMenu } from './parse.ts'
import { advice, closingText, createdText, formatMenuDifference, repriced } from './print.ts'
import { agreeToPrices } from './update/agree.ts'
import { makeUpdate } from './update/update.ts'

export type MenuFlags = FileFlags & {
  merchant?: string | undefined
  category?: string | undefined
  currency?: string | undefined
  update?: boolean | undefined
  'remove-missing'?: boolean | undefined
  'allow-free'?: boolean | undefined
  'allow-high'?: boolean | undefined
}

type MenuUpload = UploadKind<'import_catalog_items', MenuFileRow, MenuOutcome, MenuReport>

const SENDING: MenuUpload['sending'] = {
  operation: 'import_catalog_items',
  label: 'Creating items',
  name: 'import',
  importOf: ({ import_id }) => ({ importId: import_id }),
}

/** Returns what lists the menu of the store at its first call; without a menu the service reports existing items. */
function listOnce(cli: CommandContext, merchant: string | undefined): () => Promise<CatalogItem[]> {
  let listed: Promise<CatalogItem[]> | undefined
  return () => (listed ??= cli.client().then((client) => orIfForbidden(listStoreItems(client, merchant), [])))
}

/** An owner of several stores is asked which one before anything else: the command begins again with the answer. */
async function askForStore(
  cli: CommandContext,
  flags: MenuFlags,
  list: () => Promise<unknown>,
): Promise<void> {
  if (flags.merchant === undefined && flags['map-only'] !== true && canPrompt(cli.io, cli.globals))
    await list()
}

export function menuUpload(cli: CommandContext, flags: MenuFlags): MenuUpload {
  const { merchant, update: updates = false } = flags
  if (flags['remove-missing'] === true && !updates)
    throw new AppError('usage', '--remove-missing requires --update: otherwise an import only adds.')
  let catalogue: CatalogItem[] = []
  const list = listOnce(cli, merchant)
  const removes = flags['remove-missing'] === true
  const update = updates ? makeUpdate(cli, { removes, file: flags.file }) : undefined
  /** Reads the rows once it is known what is on the menu. */
  const reading: MenuFileReader = (count, read) => async () => {
    assertOneBatch(count, 'items', flags.split)
    catalogue = await list()
    const currencies = currenciesOf(flags.currency, catalogue)
    const file = refuseContradictions(await read(currencies), catalogue)
    const notes = flags.currency === undefined ? [] : unusedCurrency(file, currencies.assumed)
    return { ...file, notes: [...file.notes, ...notes] }
  }
  return {
    kind: MENU_FILE_KIND,
    sending: SENDING,
    ...MENU_ROW_FIELDS,
    async open(path, content) {
      await askForStore(cli, flags, list)
      return 'text' in content && looksLikeJson(content.text)
        ? openJson(content.text, flags, reading)
        : openTable(cli, { path, content }, flags, reading)
    },
    plan: async (file) => {
      const plan = await planImport(cli, file, catalogue, flags)
      return update === undefined ? plan : update.extend(plan, file, catalogue)
    },
    ...(update !== undefined && {
      change: (outcomes, file, [first]) => update.change(outcomes, file, first?.import_id),
    }),
    toBody: (rows) => ({
      items: rows.map(({ draft }) => draft),
      ...(merchant !== undefined && { merchant_id: merchant }),
    }),
    // A menu with many modifiers is larger than one body may be.
    sizeOf: ({ draft }) => Buffer.byteLength(JSON.stringify(draft)),
    resultsOf: ({ results }) => results,
    complete: (outcomes) => withMenuPrices(outcomes, catalogue),
    sumUp: (outcomes, answers) => {
      const sums = sumUp(outcomes, sectionsOf(answers.flatMap(({ categories }) => categories)), [
        ...new Set(answers.map(({ import_id }) => import_id)),
      ])
      return update?.sumUp(sums, outcomes) ?? sums
    },
    advice: (outcomes) => [updates ? '' : repriced(outcomes), advice(outcomes)].filter((each) => each !== ''),
    createdText: ({ counts: { created, categories_created, updated = 0, removed = 0 } }) =>
      [
        `${createdText(created, categories_created)} created`,
        ...(updates ? [`${updated} updated`] : []),
        ...(removed > 0 ? [`${removed} deleted`] : []),
      ].join(', '),
    closing: closingText,
    report: MENU_REPORT,
  }
}

type MenuFileReader = (
  count: number,
  read: (currencies: Currencies) => MenuFile | Promise<MenuFile>,
) => () => Promise<MenuFile>

type OpenedMenu = OpenedFile<MenuFileRow, MenuOutcome>

async function openJson(text: string, { category }: MenuFlags, reading: MenuFileReader): Promise<OpenedMenu> {
  const found = readJsonItems(text)
  return {
    columns: undefined,
    form: 'json',
    read: reading(found.items.length, (currencies) => checkJsonItems(found, currencies, category)),
  }
}

async function openTable(
  cli: CommandContext,
  { path, content }: { path: string; content: FileContent },
  flags: MenuFlags,
  reading: MenuFileReader,
): Promise<OpenedMenu> {
  const { category } = flags
  const defaults = category === undefined ? [] : [`category=${category}`]
  const { columns, form } = await readColumns(makeImportPrompts(cli), { path, content }, flags, {
    kind: MENU_FILE_KIND,
    defaults,
  })
  const { mapping } = columns
  if (flags['remove-missing'] === true) assertNoneHidden(mapping.table.hidden)
  return {
    columns,
    form: form.workbook ? 'xlsx' : 'csv',
    read: reading(groupItems(mapping).length, (currencies) => {
      const { rows, notes } = parseMenu(mapping, currencies)
      const menu = { rows, notes: [...notes, ...describeLikeEmpty(mapping)] }
      return makeCsvRowFile(form, mapping, menu, MENU_RESULT_CELLS)
    }),
  }
}

/** A hidden row names no item, which would be taken for one that is gone. Throws AppError('usage'). */
function assertNoneHidden(hidden: readonly { row: number }[]): void {
  const [text] = pluralizeList(
    hidden.map(({ row }) => row),
    '--remove-missing needs all rows of the file, and {row|rows} {} {is|are} hidden. Nothing was sent.',
  )
  if (text !== undefined)
    throw new AppError('usage', text, {
      hint: 'Show or delete these rows in the workbook, or leave --remove-missing out.',
    })
}

/** The store's is that of its items; of an empty one only the service knows it. */
function currenciesOf(typed: string | undefined, catalogue: readonly CatalogItem[]): Currencies {
  const given = typed?.toUpperCase()
  if (given !== undefined && !isCurrency(given))
    throw new AppError('usage', `--currency ${given} is not a currency; use a code such as GBP.`)
  const store = catalogue[0]?.price.currency
  return { assumed: given ?? store ?? 'GBP', store }
}

/** A flag that does nothing is said: every amount of the file may name a currency. */
function unusedCurrency({ rows }: MenuFile, currency: string): ImportNote[] {
  const named = new Set(rows.flatMap(({ price }) => price?.currency ?? []))
  if (named.size === 0 || named.has(currency)) return []
  const text = `--currency ${currency} has no effect: every price in the file has its own currency, ${[...named].join(' and ')}.`
  return [{ kind: 'warning', text }]
}

async function planImport(
  cli: CommandContext,
  file: MenuFile,
  catalogue: readonly CatalogItem[],
  flags: MenuFlags,
): Promise<MenuPlan> {
  const difference = compareMenu(file, catalogue)
  const { outcomes, categories } = difference
  const created = outcomes.filter(({ result }) => result === 'created')
  const found = findDoubts(file.rows, outcomes, catalogue)
  const moved = await findMoved(cli, file.rows, outcomes, flags.merchant)
  const doubts = [...found.map(({ text }) => text), ...movedText(moved)]
  return {
    outcomes,
    summary: sumUp(
      outcomes,
      categories.map((name) => ({ category_id: null, name, created: true })),
      [],
    ),
    created: created.map(({ row, category, name, price }) => ({ row, category, name, price })),
    doubts,
    text: [formatMenuDifference(difference), ...doubts].join('\n'),
    async agree() {
      await agreeToDoubts(cli, found, flags)
      await agreeToPrices(cli, moved)
    },
    categories,
    question: `Create ${createdText(created.length, categories.length)}?`,
  }
}

function sumUp(
  outcomes: readonly MenuOutcome[],
  categories: MenuReport['categories'],
  importIds: readonly string[],
): MenuReport {
  const made = categories.filter(({ created }) => created).length
  return {
    counts: { ...countsOf(outcomes), categories_created: made },
    categories,
    import_ids: importIds,
  }
}

/** The sections of all batches, each once; one is new when any batch made it. */
function sectionsOf(sections: readonly Section[]): Section[] {
  const all = new Map<string, Section>()
  for (const section of sections) {
    const created = section.created || all.get(section.category_id)?.created === true
    all.set(section.category_id, { ...section, created })
  }
  return [...all.values()]
}
