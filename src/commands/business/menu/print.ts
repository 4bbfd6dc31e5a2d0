/** What people and scripts are told of an import. */
import type { Cli } from '../../../cli/cli.ts'
import { reasonWords } from '../../../cli/columns/outcomes.ts'
import { rejectsFirst } from '../../../cli/output/rejects-first.ts'
import { printResult } from '../../../cli/print.ts'
import type { Files } from '../../../cli/upload/outputs.ts'
import { planTable } from '../../../cli/upload/plan-table.ts'
import { type Counts, faultList } from '../../../cli/upload/report.ts'
import { AppError, toProblem } from '../../../core/errors.ts'
import { spellMoney } from '../../../core/money.ts'
import { MENU } from './columns.ts'
import type { Difference } from './difference.ts'
import type { MenuOutcome } from './draft.ts'

/** Items shown before the question, and on a terminal afterwards; the results file has them all. */
const SHOWN_BEFORE = 10
const SHOWN_AFTER = 25

export function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

export function categories(count: number): string {
  return count === 1 ? '1 category' : `${count} categories`
}

/** The first new items as a table; empty when there are none. */
export async function newItems(cli: Cli, { outcomes }: Difference): Promise<string> {
  const created = outcomes.filter(({ result }) => result === 'created')
  if (created.length === 0) return ''
  const rows = created
    .slice(0, SHOWN_BEFORE)
    .map(({ row, category, name, price }) => ({ row, category, name, price }))
  return planTable(cli, rows, created.length)
}

/** The difference in words: what is new, what is there with which prices, what is wrong. */
export function differenceText({ outcomes, categories: made }: Difference): string {
  const created = outcomes.filter(({ result }) => result === 'created').length
  const twice = outcomes.filter(({ reason }) => reason?.code === 'duplicate_in_file').length
  const parts = [
    created === 0 ? 'Nothing in the file is new.' : `${items(created)} ${created === 1 ? 'is' : 'are'} new.`,
    made.length === 0 ? '' : `${categories(made.length)} will be created: ${made.map(oneLine).join(', ')}.`,
    repriced(outcomes),
    twice === 0
      ? ''
      : `${twice === 1 ? '1 row repeats' : `${twice} rows repeat`} an earlier row of the file.`,
    faultList({ one: 'will not be sent', many: 'will not be sent' }, outcomes),
    advice(outcomes),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** What is on the menu already, and where the file would have it at another price. */
export function repriced(outcomes: readonly MenuOutcome[]): string {
  const there = outcomes.filter(({ reason }) => reason?.code === 'already_exists')
  if (there.length === 0) return ''
  const other = there.flatMap(({ name = '', price, menu_price }) =>
    price !== undefined && menu_price !== undefined && price.amount !== menu_price.amount
      ? [`  ${oneLine(name)}: ${spellMoney(menu_price)} on the menu, ${spellMoney(price)} in the file`]
      : [],
  )
  const are = there.length === 1 ? '1 item is' : `${there.length} items are`
  const stay = there.length === 1 ? 'it stays as it is' : 'they stay as they are'
  const head = `${are} on the menu already; ${stay}, ${there.length === 1 ? 'its price' : 'their prices'} too.`
  if (other.length === 0) return head
  const differ = `${other.length === 1 ? 'One price differs' : `${other.length} prices differ`}, and an import never changes a price:`
  const shown = other.slice(0, SHOWN_BEFORE)
  const more = other.length - shown.length
  return [head, differ, ...shown, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}

/** What to type for what many files lack. */
export function advice(outcomes: readonly MenuOutcome[]): string {
  const lacks = outcomes.some(({ reason }) =>
    reason?.errors.some(({ pointer, code }) => pointer === '/category' && code === 'required'),
  )
  return lacks ? '--category NAME gives one to the items that have none.' : ''
}

/** How it went, in one sentence with the names of the files as `{fields}`. */
export function sentenceOf(counts: Counts, made: number, { results_file, errors_file }: Files): string {
  const parts = [
    `${items(counts.created)}${made === 0 ? '' : ` and ${categories(made)}`} created`,
    ...(counts.duplicate > 0 ? [`${counts.duplicate} already there`] : []),
    ...(counts.rejected > 0 ? [`${counts.rejected} rejected`] : []),
  ]
  // As fields: a name of a file is somebody's text.
  const where = results_file === undefined ? '' : ' Results: {results_file}.'
  const fix = errors_file === undefined ? '' : ' Correct {errors_file} and import it.'
  return `${parts.join(', ')}.${where}${fix}`
}

/** A name may hold the end of a line, and must not look like a line of ours. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ')
}

type Report = {
  outcomes: readonly MenuOutcome[]
  counts: Counts & { categories_created: number }
  categories: readonly unknown[]
  importIds: readonly string[]
}

type Telling = { done: string; told?: string; files?: Files; stopped?: unknown; dry?: boolean }

/** `done` is said to people after the table; `stopped` ended it early; `dry`: nothing was sent. */
export async function printImport(
  cli: Cli,
  { outcomes, counts, categories: made, importIds }: Report,
  { done, told = '', files = {}, stopped, dry = false }: Telling,
): Promise<void> {
  const { format } = cli.settings
  const people = format === 'table' && cli.io.stdout.isTTY
  const data = outcomes.map((outcome) => ({
    row: outcome.row,
    ...(outcome.line !== undefined && { line: outcome.line }),
    category: outcome.category ?? null,
    name: outcome.name ?? null,
    result: people && dry && outcome.result === 'created' ? 'new' : outcome.result,
    item_id: outcome.item_id ?? null,
    price: outcome.price ?? null,
    menu_price: outcome.menu_price ?? null,
    reason:
      outcome.reason === undefined ? null : format === 'table' ? reasonWords(outcome, MENU) : outcome.reason,
  }))
  const shown = people ? rejectsFirst(data).slice(0, SHOWN_AFTER) : data
  const rest = data.length - shown.length
  await printResult(
    cli,
    {
      counts,
      categories: made,
      import_ids: importIds,
      ...files,
      ...(stopped instanceof AppError && { error: { ...toProblem(stopped), exit_code: stopped.exitCode } }),
      data: shown,
      has_more: false,
      next_cursor: null,
    },
    {
      columns: [
        { field: 'row' },
        { field: 'category' },
        { field: 'name' },
        { field: 'result' },
        { field: 'price', label: 'In the file' },
        { field: 'menu_price', label: 'On the menu' },
        { field: 'reason' },
      ],
      told,
      done: rest > 0 ? `… and ${rest} more\n${done}` : done,
      ...(counts.created > 0 && !dry && stopped === undefined && { next: 'dray business catalog list' }),
      list: true,
    },
  )
}
