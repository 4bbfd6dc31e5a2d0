import type { ServiceLevelCode } from '../../areas/carrier/rules/rates.ts'
import { AppError } from '../../core/errors.ts'
import { yieldToEventLoop } from '../../core/yield.ts'
import { findCellText, headerOf } from '../columns/cell-text.ts'
import type { SavedMap } from '../columns/mapping.ts'
import { describeLikeEmpty } from '../columns/wrong-cells.ts'
import { type LengthUnit, unitsOf, type WeightUnit } from '../csv/numbers.ts'
import { assertOneBatch } from '../import/batches.ts'
import type { FileContent } from '../import/content.ts'
import { makeCsvRowFile } from '../import/csv-file.ts'
import type { ImportPrompts, ReadFlags } from '../import/prompts.ts'
import { readColumns } from '../import/read.ts'
import type { OpenedFile, RowFile } from '../import/row-file.ts'
import { type DateOrder, findDateOrder, findOpenDate } from './dates.ts'
import { haveOneRecipient } from './group-rows.ts'
import { MANIFEST_FILE_KIND, type ManifestMapping } from './kind.ts'
import { type ManifestRow, type ParcelOutcome, PARCEL_RESULT_CELLS } from './outcomes.ts'
import { findShortened, parseManifest, usesHubs } from './parse.ts'
import { askServices, findServiceWords, levelOfUnknown } from './services.ts'
import { type ManifestOrder, parseInclude, readOrders } from './skipped-orders.ts'
import { decideUnits, openCellsText, type UnitQuestion, type Units } from './units.ts'

export type UnitFlags = {
  'weight-unit'?: WeightUnit | undefined
  'length-unit'?: LengthUnit | undefined
  'merge-lines'?: boolean | undefined
  /** Reasons of orders that are sent nevertheless. */
  include?: readonly string[] | undefined
  'reference-prefix'?: string | undefined
  /** Which number of a date is the day. */
  'date-order'?: DateOrder | undefined
  /** The level of parcels that name none, where the user gave it. */
  service?: ServiceLevelCode | undefined
}

/** From the file to checked parcels: which hubs and units are meant shows in the columns that are kept. */
export async function openManifest(
  reader: ImportPrompts,
  { path, content }: { path: string; content: FileContent },
  flags: ReadFlags & UnitFlags,
  { listHubs, findParcels }: ManifestLookups,
): Promise<OpenedFile<ManifestRow, ParcelOutcome>> {
  const defaults = Object.entries(reader.defaultParcel).map(([column, value]) => `${column}=${value}`)
  const { columns, form, saved } = await readColumns(reader, { path, content }, flags, {
    kind: MANIFEST_FILE_KIND,
    defaults,
  })
  const { mapping: read } = columns
  const included = parseInclude(flags.include ?? [])
  const orders = readOrders(read, { merge: flags['merge-lines'] === true, included })
  const sent = orders.orders.filter(({ skipReasons }) => skipReasons.length === 0)
  if (flags['map-only'] !== true) assertOneBatch(sent.length, 'parcels', flags.split)

  const units = await resolveUnits(reader, read, flags, saved)
  const dateOrder = await resolveDateOrder(reader, read, flags, saved)
  const { mapping, unknownLevel } = await resolveServices(reader, read, orders.orders, flags)
  // The agreement is known by its hubs; a file that names countries and no hubs needs neither.
  const hubs = usesHubs(mapping) || !mapping.sources.has('country_code') ? await listHubs() : []
  // A service that reads a long file does other things between its table and its parcels.
  await yieldToEventLoop()
  const { rows, notes } = parseManifest(mapping, {
    units,
    country: hubs[0]?.address.country_code ?? 'GB',
    currency: 'GBP',
    hubs,
    orders,
    prefix: flags['reference-prefix'] ?? '',
    unknownLevel,
    dateOrder,
    known: await findKnown(findShortened(mapping), findParcels),
  })
  for (const note of [...notes, ...describeLikeEmpty(mapping)]) await reader.say(note)
  const file = makeCsvRowFile(form, { ...mapping, units }, { rows, notes: [] }, PARCEL_RESULT_CELLS)
  return {
    columns: { ...columns, mapping, units, ...(dateOrder !== undefined && { dateOrder }) },
    form: form.workbook ? 'xlsx' : 'csv',
    read: async () => ({ ...file, rows: refuseConflicts(file, mapping) }),
  }
}

/**
 * Rejects each row that gives the reference of an earlier row to other content. The service would reject it only where
 * the earlier row is sent in the same batch. An earlier row that is rejected itself keeps its reference, and so does an order that
 * is skipped, against another recipient: who corrects or includes it later would find its reference taken.
 */
function refuseConflicts(
  { rows, toErrors }: RowFile<ManifestRow, ParcelOutcome>,
  mapping: ManifestMapping,
): ManifestRow[] {
  const first = new Map<string, ManifestRow>()
  return rows.map((row) => {
    const { reference } = row
    if (reference === undefined) return row
    const earlier = first.get(reference)
    if (earlier === undefined) first.set(reference, row)
    if (earlier === undefined || row.draft === undefined || isSameParcel(earlier, row, mapping)) return row
    const errors = toErrors({ code: 'reference_conflict' }, row, earlier)
    return { ...row, draft: undefined, errors, duplicate_of_row: earlier.row }
  })
}

function isSameParcel(earlier: ManifestRow, row: ManifestRow, mapping: ManifestMapping): boolean {
  return earlier.skipReasons === undefined
    ? JSON.stringify(earlier.draft) === JSON.stringify(row.draft)
    : haveOneRecipient([...earlier.rows, ...row.rows], mapping)
}

/** Shortened references that are looked up: those of many numbers are alike, so that a file has few. */
const MAX_SHORTENED = 50

/** Returns the references that parcels have which are not cancelled: they were made before such were rejected. */
async function findKnown(
  references: readonly string[],
  findParcels: ManifestLookups['findParcels'],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (const reference of references.slice(0, MAX_SHORTENED)) {
    const parcels = await findParcels(reference)
    if (parcels.some(({ status }) => status !== 'cancelled')) known.add(reference)
  }
  return known
}

async function resolveUnits(
  reader: ImportPrompts,
  mapping: ManifestMapping,
  flags: UnitFlags,
  saved: SavedMap | undefined,
): Promise<Units> {
  const weight = flags['weight-unit'] ?? (saved?.['weight_unit'] as WeightUnit | undefined)
  const length = flags['length-unit'] ?? (saved?.['length_unit'] as LengthUnit | undefined)
  const answers = { ...(weight !== undefined && { weight }), ...(length !== undefined && { length }) }
  const { units, questions } = decideUnits(mapping, answers)
  if (questions.length === 0) return units
  const ask = await reader.ask()
  if (ask === undefined) throw openUnits(questions)
  const answered = { ...answers }
  for (const { needs, cells } of questions) {
    const choices = unitsOf(needs).map((value) => ({ value, name: value }))
    const unit = await ask.select({ message: `${openCellsText(cells)}. In which unit?`, choices })
    Object.assign(answered, { [needs]: unit })
    reader.answered.push({ flag: `--${needs}-unit`, value: unit })
  }
  return decideUnits(mapping, answered).units
}

/**
 * Returns which number of a date is the day: as somebody says, else as the cells show, else as somebody answers. Where
 * nobody can be asked, each date that can mean two days is rejected.
 */
async function resolveDateOrder(
  reader: ImportPrompts,
  mapping: ManifestMapping,
  flags: ReadFlags & UnitFlags,
  saved: SavedMap | undefined,
): Promise<DateOrder | undefined> {
  const cells = dateCells(mapping)
  const kept = saved?.['_date_order'] as DateOrder | undefined
  // The cells of this file say more than an earlier file.
  const shown = findDateOrder(cells)
  const given = flags['date-order']
  if (given !== undefined && shown !== undefined && given !== shown) throw contradictedOrder(given, shown)
  const order = given ?? shown ?? kept
  const open = flags['map-only'] === true ? undefined : findOpenDate(cells, order)
  const ask = open === undefined ? undefined : await reader.ask()
  if (open === undefined || ask === undefined) return order
  const answer = await ask.select({
    message: `${headerOf(mapping, 'not_before')}: ${open} can be two days. Which number is the day?`,
    choices: [
      { value: 'day' as const, name: 'The first: day, then month' },
      { value: 'month' as const, name: 'The second: month, then day' },
    ],
  })
  reader.answered.push({ flag: '--date-order', value: answer })
  return answer
}

/** The dates of one column are read by one rule. */
function contradictedOrder(given: DateOrder, shown: DateOrder): AppError {
  return new AppError(
    'usage',
    `--date-order ${given}: some dates of the file can only have the ${shown} first.`,
    {
      hint: `Leave --date-order out: all dates are then read with the ${shown} first.`,
    },
  )
}

/** The cells of all days: those of one column have one order. */
function dateCells(mapping: ManifestMapping): string[] {
  return mapping.table.rows.flatMap((row) => findCellText(row, 'not_before', mapping)?.text ?? [])
}

/** Asks what the words stand for that name no level. */
async function resolveServices(
  reader: ImportPrompts,
  mapping: ManifestMapping,
  orders: readonly ManifestOrder[],
  { service, 'map-only': isMapOnly = false }: ReadFlags & UnitFlags,
): Promise<{ mapping: ManifestMapping; unknownLevel: string | undefined }> {
  const words = findServiceWords(mapping, orders)
  const { level: unknownLevel, isGiven } = levelOfUnknown(mapping, words, service)
  const isSettled = words.unknown.size === 0 || isGiven || isMapOnly || reader.choosesWords === true
  const ask = isSettled ? undefined : await reader.ask()
  if (ask === undefined) return { mapping, unknownLevel }
  return {
    mapping: await askServices(mapping, words, { ask, answered: reader.answered }),
    unknownLevel: undefined,
  }
}

function openUnits(questions: readonly UnitQuestion[]): AppError {
  const said = questions.map(({ needs, cells }) => `${openCellsText(cells)} (give --${needs}-unit)`)
  const flags = questions.map(({ needs }) => `--${needs}-unit ${needs === 'weight' ? 'kg' : 'cm'}`)
  const [first] = questions.flatMap(({ cells }) => cells)
  return new AppError('usage', `The unit of some numbers is unclear: ${said.join('; ')}.`, {
    hint: `For example ${flags.join(' ')}, or write the unit into the header or the cell${first === undefined ? '' : `, as in "${first.column} (${flags[0]?.split(' ')[1]})"`}.`,
    extra: { reason: { code: 'unit_unclear', cells: questions.flatMap(({ cells }) => cells) } },
  })
}

/** The service is asked for these while a manifest is read. */
export type ManifestLookups = {
  listHubs(): Promise<readonly AgreementHub[]>
  /** Returns parcels with a reference, the latest ones. */
  findParcels(reference: string): Promise<readonly { status: string }[]>
}

/** A hub of the agreement. */
export type AgreementHub = { hub_id: string; code: string; address: { country_code: string } }
