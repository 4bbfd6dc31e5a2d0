/** A menu in JSON: a list of items, `{items: [...]}`, or what `catalog list --json` prints. */
import { visit } from 'jsonc-parser'
import { validateItem } from '../../../areas/catalog/rules/catalog.ts'
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { parseMoney } from '../../../core/money.ts'
import { isRecord } from '../../../core/record.ts'
import { parseStrictJson } from '../../../core/strict-json.ts'
import { validateInput } from '../../../gateway/validation.ts'
import {
  type CellError,
  type Position,
  reasonText,
  type RowRejection,
} from '../../../tabular/columns/outcomes.ts'
import { JSON_ERRORS_NOTE, JSON_EXPORT_NOTE } from '../../../tabular/columns/own-files.ts'
import { withFigure } from '../../../tabular/columns/results.ts'
import { truncate, checkShortenedNumber } from '../../../tabular/csv/cells.ts'
import { escapeCoercion } from '../../../tabular/csv/escape-coercion.ts'
import { describeNoValue } from '../../../tabular/csv/no-value.ts'
import { SHEET_FORM, writeCsv } from '../../../tabular/csv/write.ts'
import { MENU_FILE_COLUMNS } from './columns.ts'
import type { Currencies, ItemDraft, MenuFile, MenuOutcome, MenuFileRow } from './draft.ts'
import { MENU_FILE_KIND } from './kind.ts'
import { MENU_RESULT_CELLS } from './outcomes.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** Returns whether a text is JSON and not CSV: no header begins like this. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** The elements of a menu in JSON, and the line on which each begins. An export of ours holds values as they are. */
export type JsonItems = { items: readonly unknown[]; lines: readonly number[]; isExport: boolean }

/** Reads the list of items, not yet the items. Throws `file_error` when the text is no menu. */
export function readJsonItems(source: string): JsonItems {
  const parsed = parseStrictJson(new TextEncoder().encode(source))
  if ('problem' in parsed) throw notMenu(`The file is not valid JSON: ${parsed.problem}`)
  const { value } = parsed
  const isExport = isRecord(value) && value['_note'] === JSON_EXPORT_NOTE
  return { items: itemsOf(value), lines: elementLines(source), isExport }
}

/** The line on which each element of the outermost list of a JSON text begins; the text is sound JSON. */
export function elementLines(source: string): number[] {
  const lines: number[] = []
  let list: string | undefined
  const add = (line: number, path: readonly (string | number)[]): void => {
    const isElement = path.length <= 2 && typeof path.at(-1) === 'number' && typeof path.at(-2) !== 'number'
    const owner = path.slice(0, -1).join('')
    if (isElement && (list ??= owner) === owner) lines.push(line + 1)
  }
  visit(source, {
    onObjectBegin: (...[, , line, , path]) => add(line, path()),
    onArrayBegin: (...[, , line, , path]) => add(line, path()),
    onLiteralValue: (...[, , , line, , path]) => add(line, path()),
  })
  return lines
}

/** Checks every item. `category` is of items that name none. */
export async function checkJsonItems(
  { items, lines, isExport }: JsonItems,
  currencies: Currencies,
  category: string | undefined,
): Promise<MenuFile> {
  const rows = await Promise.all(
    items.map((item, index) =>
      readItem({ row: index + 1, line: lines[index] ?? 1 }, item, currencies, { category, isExport }),
    ),
  )
  return {
    rows,
    notes: [],
    toErrors: (refusal, row) => toErrors(refusal, items[row.row - 1]),
    results: (outcomes) => results(rows, outcomes),
    errors: (outcomes) => errors(items, outcomes),
  }
}

function itemsOf(value: unknown): unknown[] {
  const items = isRecord(value) ? (value['items'] ?? value['data']) : value
  if (!Array.isArray(items))
    throw notMenu('The file is JSON, but neither a list of items nor an object with items or data.')
  if (items.length === 0) throw notMenu('The file has no items.')
  if (isRecord(value) && value['has_more'] === true)
    throw notMenu('The file is one page of a longer list; print it with --all.')
  return items as unknown[]
}

function notMenu(detail: string): AppError {
  return new AppError('file_error', detail, {
    hint: '`dray business catalog export --format json` writes one.',
  })
}

async function readItem(
  place: Position,
  item: unknown,
  { assumed, store }: Currencies,
  { category: fallback, isExport }: { category: string | undefined; isExport: boolean },
): Promise<MenuFileRow> {
  const base = { ...place, rows: [] }
  if (!isRecord(item)) {
    const error = { pointer: '', code: 'wrong_type' as const, detail: 'An item must be an object.' }
    const errors = toErrors({ code: 'invalid_row', errors: [error] }, item)
    return { ...base, name: undefined, category: undefined, price: undefined, draft: undefined, errors }
  }
  const { input, errors } = await checkShape(toItemRequest(item, assumed, fallback))
  const faults = [...errors, ...(isExport ? [] : findNoValues(input))]
  const draft = input as unknown as ItemDraft
  if (faults.length === 0)
    faults.push(...validateItem(draft, store ?? draft.price.currency).map(({ error }) => error))
  const { name, category, price, external_ref: ref } = input
  return {
    ...base,
    name: typeof name === 'string' ? name.trim() : undefined,
    category: typeof category === 'string' ? category.trim() : undefined,
    price: faults.some(({ pointer }) => pointer?.startsWith('/price') === true)
      ? undefined
      : (price as ItemDraft['price'] | undefined),
    external_ref: typeof ref === 'string' ? ref : undefined,
    draft: faults.length === 0 ? draft : undefined,
    errors: faults.length === 0 ? [] : toErrors({ code: 'invalid_row', errors: faults }, item),
  }
}

/** Returns a body of `create_catalog_item` as the service reads it, and the first error of each of its fields. */
async function checkShape(request: JsonRecord): Promise<{ input: JsonRecord; errors: ProblemFieldError[] }> {
  const { input, errors } = await validateInput(
    await import('../../../generated/operations/create_catalog_item.ts'),
    request,
  )
  const first = new Map(errors.toReversed().map((error) => [error.pointer, error]))
  return { input, errors: [...first.values()].toReversed().map(withAmount) }
}

/** A bare number could be pounds or pence. */
function withAmount(error: ProblemFieldError): ProblemFieldError {
  const name = /(?:price|cost|price_delta)$/.exec(error.pointer ?? '')?.[0]
  return name === undefined || error.code !== 'wrong_type'
    ? error
    : { ...error, detail: `${name} must be an amount such as "11.50" or {"amount": 1150, "currency": "GBP"}` }
}

/** Returns the texts that are an error of a spreadsheet, a word for nothing, or a code without all of its digits. */
function findNoValues(request: JsonRecord): ProblemFieldError[] {
  return MENU_FILE_COLUMNS.flatMap((column): ProblemFieldError[] => {
    const { pointer, code } = column
    const value = request[pointer.slice(1)]
    if (typeof value !== 'string') return []
    const text = value.trim()
    const shortened = code === true ? checkShortenedNumber(text)?.fault.detail : undefined
    const detail = shortened ?? describeNoValue(text, column)
    return detail === undefined ? [] : [{ pointer, code: 'invalid_format', detail }]
  })
}

/** Fields of an item as the service shows it that are not asked for when one is made. */
const SHOWN = new Set([
  'item_id',
  'merchant_id',
  'availability',
  'effective_available',
  // No file sets when an item is on sale.
  'schedule',
  'category_schedule',
  'available_from',
  'version',
  'created_at',
  'updated_at',
])
const IDS = new Set(['modifier_group_id', 'modifier_id'])
const AMOUNTS = new Set(['price', 'cost', 'price_delta'])

/** The body of `create_catalog_item`: what is shown of an item is omitted or renamed, ids of another store are dropped. */
export function toItemRequest(item: JsonRecord, currency: string, fallback?: string): JsonRecord {
  const { category, availability } = item
  const section = isRecord(category)
    ? { category: category['name'], category_sort: category['sort_order'] }
    : { category: category ?? fallback }
  const kept = Object.entries(item).filter(
    ([name, value]) => !SHOWN.has(name) && !name.startsWith('_') && value !== null,
  )
  const members = {
    ...Object.fromEntries(kept.map(([name, value]) => [name, simplify(name, value, currency)])),
    ...section,
    ...(isRecord(availability) && {
      available: availability['available'],
      unavailable_until: availability['until'] ?? undefined,
      unavailable_reason: availability['reason'] ?? undefined,
    }),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Amounts in words (`"11.50"`) in minor units, in the store's currency where none is named; groups without ids. */
function simplify(name: string, value: unknown, currency: string): unknown {
  if (AMOUNTS.has(name)) {
    if (typeof value === 'string') {
      const money = parseMoney(value, currency)
      return 'problem' in money ? value : money
    }
    return isRecord(value) ? { currency, ...value } : value
  }
  if (Array.isArray(value)) return value.map((each) => simplify('', each, currency))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => !IDS.has(member))
      .map(([member, each]) => [member, simplify(member, each, currency)]),
  )
}

/** The member that a pointer names, as a person would: `modifier_groups.0.name`. */
function toErrors({ code, detail = code, errors: found = [] }: RowRejection, item: unknown): CellError[] {
  const all = found.length > 0 ? found : [{ pointer: '', code, detail }]
  return all.map(({ pointer = '', code: kind, detail: about }) => {
    const path = pointer.split('/').slice(1)
    const value = path.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as JsonRecord)[key] : undefined),
      item,
    )
    return {
      column: path.length === 0 ? 'item' : path.join('.'),
      pointer,
      value:
        value === undefined ? '' : truncate(typeof value === 'string' ? value : JSON.stringify(value), 40),
      code: kind as CellError['code'],
      detail: about,
    }
  })
}

/** A results file of the same columns as a CSV menu gets, behind what tells the items apart. */
function results(rows: readonly MenuFileRow[], outcomes: readonly MenuOutcome[]): string {
  const byRow = new Map(rows.map((row) => [row.row, row]))
  const written = outcomes.map((outcome) => {
    const { name, category, draft } = byRow.get(outcome.row) ?? {}
    const own = [name, category, draft?.external_ref]
    const answer = MENU_RESULT_CELLS.cells(outcome, 0).map((cell) => withFigure(cell))
    return [...own, outcome.row, outcome.result, ...answer, reasonText(outcome, MENU_FILE_KIND)]
  })
  const lines = [['name', 'category', 'external_ref', ...MENU_RESULT_CELLS.columns], ...written]
  return writeCsv(lines, SHEET_FORM, undefined, escapeCoercion)
}

async function errors(
  items: readonly unknown[],
  outcomes: readonly MenuOutcome[],
): Promise<string | undefined> {
  const rejected = outcomes.filter(({ result }) => result === 'rejected')
  if (rejected.length === 0) return undefined
  const told = rejected.map(({ row, reason }) => {
    const item = items[row - 1]
    const own = isRecord(item) ? item : { _item: item }
    return { ...own, _row: row, _errors: reason?.errors ?? [] }
  })
  return `${JSON.stringify({ _note: JSON_ERRORS_NOTE, items: told }, null, 2)}\n`
}
